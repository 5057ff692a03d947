//! C expressions as text: just enough to take conjunctions apart and to find `old(…)`.

use std::ops::Range;

/// The operands of `&&`, with their offsets, that stand outside of all brackets; the whole expression if something binds
/// weaker than `&&` there.
pub(crate) fn conjuncts(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut start, mut depth) = (0, 0usize);
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => {
                at = literal_end(bytes, at);
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'?' | b',' | b';' if depth == 0 => return vec![(0, text)],
            b'|' if depth == 0 && bytes.get(at + 1) == Some(&b'|') => return vec![(0, text)],
            b'=' if depth == 0 && is_assignment(bytes, at) => return vec![(0, text)],
            b'&' if depth == 0 && bytes.get(at + 1) == Some(&b'&') => {
                found.push((start, &text[start..at]));
                start = at + 2;
                at += 1;
            }
            _ => {}
        }
        at += 1;
    }
    found.push((start, &text[start..]));
    let is_empty = |(_, part): &(usize, &str)| part.trim().is_empty();
    // Something is missing: the parser finds the best message from the whole.
    if found.iter().any(is_empty) { vec![(0, text)] } else { found }
}

/// The `=` at `at` is no part of `==`, `<=`, `>=` or `!=`.
fn is_assignment(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|at| bytes[at]);
    let is_comparison =
        matches!(before, Some(b'=' | b'!' | b'<' | b'>')) || bytes.get(at + 1) == Some(&b'=');
    !is_comparison
}

/// The end of the string or character literal that starts at `at`.
pub(crate) fn literal_end(bytes: &[u8], at: usize) -> usize {
    let quote = bytes[at];
    let mut end = at + 1;
    while end < bytes.len() && bytes[end] != quote {
        end += if bytes[end] == b'\\' { 2 } else { 1 };
    }
    (end + 1).min(bytes.len())
}

/// Whether brackets match and nothing ends the expression before its end.
pub(crate) fn is_closed(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut open = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => {
                at = literal_end(bytes, at);
                continue;
            }
            b'(' => open.push(b')'),
            b'[' => open.push(b']'),
            b'{' => open.push(b'}'),
            close @ (b')' | b']' | b'}') if open.pop() != Some(close) => return false,
            b';' | b'#' if open.is_empty() => return false,
            _ => {}
        }
        at += 1;
    }
    open.is_empty()
}

/// The operator that an expression ends in, though it wants an operand behind it.
pub(crate) fn operator_at_the_end(text: &str) -> Option<&str> {
    const OPERATORS: &[char] =
        &['+', '-', '*', '/', '%', '<', '>', '=', '!', '&', '|', '^', '~', '?', ':'];
    let text = text.trim_end();
    let start = text.trim_end_matches(OPERATORS).len();
    let operator = &text[start..];
    // These stand behind their operand as well.
    (!matches!(operator, "" | "++" | "--")).then_some(operator)
}

/// The operator by which an expression changes something. Statement expressions may change variables of their own, by name.
pub(crate) fn change(text: &str) -> Option<&str> {
    let masked = without_computed_types(text);
    let whole = text;
    let text = masked.as_str();
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => {
                at = literal_end(bytes, at);
                continue;
            }
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'=' if bytes.get(at + 1) == Some(&b'=') => at += 1,
            b'=' => {
                let is_shift = |sign: u8| at >= 2 && bytes[at - 2] == sign;
                let start = match at.checked_sub(1).map(|before| bytes[before]) {
                    Some(b'!') => None,
                    Some(sign @ (b'<' | b'>')) if !is_shift(sign) => None,
                    Some(b'<' | b'>') => Some(at - 2),
                    Some(b'+' | b'-' | b'*' | b'/' | b'%' | b'&' | b'|' | b'^') => Some(at - 1),
                    Some(_) | None => Some(at),
                };
                if let Some(start) =
                    start.filter(|&it| depth == 0 || !changes_own(text, it, at + 1))
                {
                    return whole.get(start..=at);
                }
            }
            sign @ (b'+' | b'-') if bytes.get(at + 1) == Some(&sign) => {
                if depth == 0 || !changes_own(text, at, at + 2) {
                    return whole.get(at..at + 2);
                }
                at += 1;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The same text where types that are said by an expression, as `__typeof__(a)`, are a word and blanks.
fn without_computed_types(text: &str) -> String {
    let mut masked = text.as_bytes().to_vec();
    for word in ["__typeof__", "typeof", "__typeof"] {
        for (at, _) in text.match_indices(word) {
            let rest = &text[at + word.len()..];
            let open = at + word.len() + (rest.len() - rest.trim_start().len());
            if text.as_bytes().get(open) != Some(&b'(') {
                continue;
            }
            if let Some(close) = matching(text.as_bytes(), open) {
                masked[open..=close].fill(b' ');
            }
        }
    }
    String::from_utf8(masked).unwrap_or_else(|_| text.to_owned())
}

/// Whether an operator in a statement expression, from `start` to `end`, gives a variable its first value, or changes one that is
/// declared there.
fn changes_own(text: &str, start: usize, end: usize) -> bool {
    const ENDS: &[char] = &[';', '{', '}', '(', ',', ')'];
    let before = text[..start].rsplit(ENDS).next().unwrap_or_default().trim();
    let behind = text[end..].split(ENDS).next().unwrap_or_default().trim();
    let place = if before.is_empty() { behind } else { before };
    let all = || text.split(ENDS).map(|part| part.split('=').next().unwrap_or_default().trim());
    declares(place).is_some() || is_word(place) && all().any(|part| declares(part) == Some(place))
}

fn is_word(text: &str) -> bool {
    identifiers(text).next() == Some(text)
}

/// The variable that the start of a statement declares, as `n` in `unsigned n`.
fn declares(statement: &str) -> Option<&str> {
    let (ty, name) = statement.rsplit_once([' ', '*'])?;
    let is_type =
        |word: &str| is_word(word) && !matches!(word, "return" | "else" | "case" | "goto");
    let mut words = ty.trim_end_matches(['*', ' ']).split_whitespace().peekable();
    (words.peek().is_some() && words.all(is_type) && is_word(name)).then_some(name)
}

/// A use of `old(…)`: all of it, and what stands inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Old {
    pub(crate) whole: Range<usize>,
    pub(crate) inner: Range<usize>,
}

/// All uses of `old(…)` that are not inside another.
pub(crate) fn olds(text: &str) -> Vec<Old> {
    let bytes = text.as_bytes();
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if matches!(bytes[at], b'"' | b'\'') {
            at = literal_end(bytes, at);
            continue;
        }
        let is_start = at == 0 || !is_word(&bytes[at - 1]);
        if is_start && bytes[at..].starts_with(b"old") && !bytes.get(at + 3).is_some_and(is_word) {
            let open = bytes[at + 3..].iter().position(|byte| !byte.is_ascii_whitespace());
            let open = open.map(|skipped| at + 3 + skipped).filter(|&open| bytes[open] == b'(');
            if let Some(open) = open
                && let Some(close) = matching(bytes, open)
            {
                found.push(Old { whole: at..close + 1, inner: open + 1..close });
                at = close + 1;
                continue;
            }
        }
        at += 1;
    }
    found
}

pub(crate) fn matching(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    let mut at = open;
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => {
                at = literal_end(bytes, at);
                continue;
            }
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The identifiers of an expression, keywords included.
pub(crate) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .filter(|word| word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_'))
}

#[cfg(test)]
mod tests {
    use super::{Old, change, conjuncts, is_closed, olds};

    #[test]
    fn what_changes_something_is_found() {
        for (text, expected) in [
            ("x = 5", Some("=")),
            ("a == b && c <= d && e >= f && g != h", None),
            ("a <<= 1", Some("<<=")),
            ("x -= 1", Some("-=")),
            ("x++ < 3", Some("++")),
            ("({ x = 0; 1; })", Some("=")),
            ("({ int *p = &x; *p = 0; 1; })", Some("=")),
            ("({ int n = 0; for (int i = 0; i < 3; i++) n += a[i]; n; }) == 3", None),
            ("({ if (x) x--; x; })", Some("--")),
            ("({ __typeof__(a) _a = (a); __typeof__ (b) _b = (b); _a > _b ? _a : _b; }) > 0", None),
            ("({ __typeof__(a = 1) _a = (a); x = _a; })", Some("=")),
            ("a[i] - -1 > '='", None),
            ("({ int x = 1; x; }) == 1", None),
            ("a <= b", None),
            ("a ==b", None),
        ] {
            assert_eq!(change(text), expected, "{text}");
        }
    }

    fn parts(text: &str) -> Vec<&str> {
        conjuncts(text).into_iter().map(|(_, part)| part.trim()).collect()
    }

    #[test]
    fn conjunctions_are_taken_apart_only_where_that_keeps_their_meaning() {
        assert_eq!(
            parts("a > 0 && b[i && j] <= 3 && c != '&'"),
            ["a > 0", "b[i && j] <= 3", "c != '&'"]
        );
        assert_eq!(parts("a && b || c"), ["a && b || c"]);
        assert_eq!(parts("a && (b || c)"), ["a", "(b || c)"]);
        assert_eq!(parts("a ? b && c : d"), ["a ? b && c : d"]);
        assert_eq!(parts("a &&"), ["a &&"]);
        assert_eq!(parts("a = b && c"), ["a = b && c"]);
    }

    #[test]
    fn an_expression_does_not_end_before_its_end() {
        assert!(is_closed("f(a[1], ')') > ({ int x = 1; x; })"));
        assert!(!is_closed("a) ; (b"));
        assert!(!is_closed("a[1)"));
        assert!(!is_closed("(a"));
        assert!(!is_closed("a; b"));
    }

    #[test]
    fn old_values_are_found() {
        assert_eq!(
            olds("result == old(a[f(1)]) + bold(2)"),
            [Old { whole: 10..22, inner: 14..21 }]
        );
        assert_eq!(olds("old_value > 1 && x == \"old(a)\""), []);
        assert_eq!(olds("old(a"), []);
    }
}
