//! `forall(i, low, high, e)`, `exists(i, low, high, e)` and `old(e)` in C expressions, as C that every engine and every
//! compiler takes: loops in statement expressions, and variables that keep what was there before the call.
//!
//! An old value of something that depends on the number of a quantifier is a whole array of values.

use std::ops::Range;

use crate::expression::{identifiers, literal_end, matching, olds};

/// A piece of C: text of the user with its offset, or code that is made around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) at: Option<usize>,
    pub(crate) code: String,
}

/// A value that is kept from before the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    /// Where the expression stands in its clause.
    pub(crate) at: usize,
    pub(crate) text: String,
    /// It is kept for all numbers of this quantifier.
    pub(crate) over: Option<Span>,
}

/// The numbers of a quantifier, as C expressions: from the first up to the second, without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) variable: String,
    pub(crate) low: String,
    pub(crate) high: String,
}

/// An expression in which quantifiers and old values are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parsed {
    parts: Vec<Part>,
    pub(crate) kept: Vec<Kept>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text {
        at: usize,
        text: String,
    },
    Quantified(Box<Quantified>),
    /// The number of the old value among those of the contract.
    Old {
        number: usize,
        over: Option<String>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Quantified {
    is_all: bool,
    variable: String,
    low: Vec<Part>,
    high: Vec<Part>,
    each: Vec<Part>,
}

/// A promise or requirement about every number: what a loop says one after the other.
#[derive(Debug)]
pub(crate) struct Loop {
    pub(crate) head: Vec<Piece>,
    pub(crate) each: Vec<Piece>,
}

/// What is wrong with an expression that has quantifiers.
pub(crate) fn mistake(text: &str) -> Option<&'static str> {
    let mut reader = Reader { text, number: 0, kept: Vec::new(), mistake: None };
    reader.parts(0..text.len(), &mut Vec::new());
    reader.mistake
}

/// Takes an expression apart; its old values are counted from `number` on.
pub(crate) fn parse(text: &str, number: &mut usize) -> Parsed {
    let mut reader = Reader { text, number: *number, kept: Vec::new(), mistake: None };
    let parts = reader.parts(0..text.len(), &mut Vec::new());
    *number = reader.number;
    Parsed { parts, kept: reader.kept }
}

/// An expression that speaks of no time before the call, as C.
pub(crate) fn plain(text: &str) -> String {
    parse(text, &mut 0).text()
}

impl Parsed {
    pub(crate) fn pieces(&self) -> Vec<Piece> {
        let mut out = Vec::new();
        write(&self.parts, &mut out);
        out
    }

    /// All in one line.
    pub(crate) fn text(&self) -> String {
        self.pieces().into_iter().map(|piece| piece.code).collect()
    }

    /// Where the whole expression is one `forall`: the loop that says it number by number.
    pub(crate) fn as_loop(&self) -> Option<Loop> {
        let is_blank =
            |part: &&Part| matches!(part, Part::Text { text, .. } if text.trim().is_empty());
        let mut parts = self.parts.iter().filter(|part| !is_blank(part));
        let (Some(Part::Quantified(quantified)), None) = (parts.next(), parts.next()) else {
            return None;
        };
        if !quantified.is_all {
            return None;
        }
        let (mut head, mut each) = (Vec::new(), Vec::new());
        quantified.head(&mut head);
        write(&quantified.each, &mut each);
        Some(Loop { head, each })
    }

    /// Whether C says all of it by itself.
    pub(crate) fn is_plain(&self) -> bool {
        self.parts.iter().all(|part| matches!(part, Part::Text { .. }))
    }
}

impl Kept {
    /// The same for compilers, C++ among them.
    pub(crate) fn statement(&self, number: usize) -> String {
        let text = &self.text;
        match self.over {
            None => format!("__typeof__({text}) __old{number} = {text};"),
            Some(_) => self.pieces(number).into_iter().map(|piece| piece.code).collect(),
        }
    }

    /// Statements that keep the value, as the old value of this number.
    pub(crate) fn pieces(&self, number: usize) -> Vec<Piece> {
        let mut out = Vec::new();
        let mut made = |code: String| out.push(Piece { at: None, code });
        match &self.over {
            None => {
                made(format!("__auto_type __old{number} = ("));
                out.push(Piece { at: Some(self.at), code: self.text.clone() });
                out.push(Piece { at: None, code: "); ".to_owned() });
            }
            Some(Span { variable, low, high }) => {
                let ty = number_type(low, high);
                made(format!(
                    "{ty} __low{number} = ({low}); {ty} __high{number} = ({high}); \
                     unsigned long __count{number} = __low{number} < __high{number} \
                     ? (unsigned long)(__high{number} - __low{number}) : 1; "
                ));
                made(format!(
                    "__typeof__(({{ {ty} {variable} = __low{number}; __auto_type __one = ("
                ));
                out.push(Piece { at: Some(self.at), code: self.text.clone() });
                let mut made = |code: String| out.push(Piece { at: None, code });
                made(format!("); __one; }})) __old{number}[__count{number}]; "));
                made(format!(
                    "for ({ty} {variable} = __low{number}; {variable} < __high{number}; {variable}++) \
                     __old{number}[{variable} - __low{number}] = ("
                ));
                out.push(Piece { at: Some(self.at), code: self.text.clone() });
                out.push(Piece { at: None, code: "); ".to_owned() });
            }
        }
        out
    }
}

impl Quantified {
    fn head(&self, out: &mut Vec<Piece>) {
        let made = |out: &mut Vec<Piece>, code: &str| {
            out.push(Piece { at: None, code: code.to_owned() });
        };
        let variable = &self.variable;
        let text = |parts: &[Part]| {
            let mut pieces = Vec::new();
            write(parts, &mut pieces);
            pieces.into_iter().map(|piece| piece.code).collect::<String>()
        };
        let ty = number_type(&text(&self.low), &text(&self.high));
        made(out, &format!("for ({ty} {variable} = ("));
        write(&self.low, out);
        made(out, &format!("); {variable} < ({ty})("));
        write(&self.high, out);
        made(out, &format!("); {variable}++) "));
    }
}

/// The type of the numbers between two ends. Where one of them is unsigned and the other may be below zero, it is wide
/// enough for both.
fn number_type(low: &str, high: &str) -> String {
    let sum = format!("({low}) + ({high})");
    if low.trim().parse::<u64>().is_ok() {
        return format!("__typeof__({sum})");
    }
    let wide = format!("__builtin_choose_expr(sizeof({sum}) < sizeof(long), 0l, (__int128)0)");
    format!("__typeof__(__builtin_choose_expr((__typeof__({sum}))-1 > 0, {wide}, {sum}))")
}

fn write(parts: &[Part], out: &mut Vec<Piece>) {
    for part in parts {
        match part {
            Part::Text { at, text } => out.push(Piece { at: Some(*at), code: text.clone() }),
            Part::Old { number, over: None } => {
                out.push(Piece { at: None, code: format!("__old{number}") });
            }
            Part::Old { number, over: Some(variable) } => {
                let code = format!("__old{number}[{variable} - __low{number}]");
                out.push(Piece { at: None, code });
            }
            Part::Quantified(quantified) => {
                let (start, sign) = if quantified.is_all { ("1", "&=") } else { ("0", "|=") };
                out.push(Piece { at: None, code: format!("({{ int __found = {start}; ") });
                quantified.head(out);
                out.push(Piece { at: None, code: format!("__found {sign} !!(") });
                write(&quantified.each, out);
                out.push(Piece { at: None, code: "); __found; })".to_owned() });
            }
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    number: usize,
    kept: Vec<Kept>,
    mistake: Option<&'static str>,
}

impl Reader<'_> {
    /// The parts of a range of the text, inside of these quantifiers.
    fn parts(&mut self, range: Range<usize>, bound: &mut Vec<Span>) -> Vec<Part> {
        let bytes = self.text.as_bytes();
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let mut parts = Vec::new();
        let (mut start, mut at) = (range.start, range.start);
        while at < range.end {
            if matches!(bytes[at], b'"' | b'\'') {
                at = literal_end(bytes, at).min(range.end);
                continue;
            }
            if !is_word(bytes[at]) {
                at += 1;
                continue;
            }
            let end = (at..range.end).find(|&end| !is_word(bytes[end])).unwrap_or(range.end);
            let before = self.text[..at].trim_end();
            let is_member = before.ends_with('.') || before.ends_with("->");
            let call = self.call(end, range.end).filter(|_| !is_member);
            let part = match (&self.text[at..end], call) {
                ("old", Some(inner)) => Some((self.old(inner.clone(), bound), inner.end + 1)),
                (word @ ("forall" | "exists"), Some(inner)) => {
                    let found = self.quantified(word == "forall", inner.clone(), bound);
                    found.map(|part| (part, inner.end + 1))
                }
                _ => None,
            };
            match part {
                Some((part, behind)) => {
                    if start < at {
                        parts.push(Part::Text { at: start, text: self.text[start..at].to_owned() });
                    }
                    parts.push(part);
                    (start, at) = (behind, behind);
                }
                None => at = end,
            }
        }
        if start < range.end {
            parts.push(Part::Text { at: start, text: self.text[start..range.end].to_owned() });
        }
        parts
    }

    /// What stands between parentheses that begin here.
    fn call(&self, end: usize, limit: usize) -> Option<Range<usize>> {
        let bytes = self.text.as_bytes();
        let open = (end..limit).find(|&at| !bytes[at].is_ascii_whitespace())?;
        if bytes[open] != b'(' {
            return None;
        }
        let close = matching(bytes, open).filter(|&close| close < limit)?;
        Some(open + 1..close)
    }

    fn old(&mut self, inner: Range<usize>, bound: &[Span]) -> Part {
        let text = self.text[inner.clone()].to_owned();
        let mut used = bound.iter().filter(|span| identifiers(&text).any(|it| it == span.variable));
        let over = used.next().cloned();
        if used.next().is_some() {
            self.mistake = Some("an old value cannot depend on two quantifiers");
        }
        if let Some(span) = &over {
            let mut ends = identifiers(&span.low).chain(identifiers(&span.high));
            if ends.any(|name| name == "result" || bound.iter().any(|it| it.variable == name)) {
                self.mistake = Some(
                    "an old value cannot depend on a quantifier whose ends are not known before the call",
                );
            }
        }
        let number = self.number;
        self.number += 1;
        let variable = over.as_ref().map(|span| span.variable.clone());
        self.kept.push(Kept { at: inner.start, text, over });
        Part::Old { number, over: variable }
    }

    fn quantified(
        &mut self,
        is_all: bool,
        inner: Range<usize>,
        bound: &mut Vec<Span>,
    ) -> Option<Part> {
        let commas = commas(self.text, inner.clone());
        let &[first, second, third] = commas.get(..3)? else { return None };
        let variable = self.text[inner.start..first].trim().to_owned();
        let is_name = identifiers(&variable).next() == Some(variable.as_str());
        if !is_name {
            self.mistake = Some("the first part of a quantifier is the name of a number");
            return None;
        }
        if identifiers(&self.text[first + 1..third]).any(|it| it == variable) {
            self.mistake = Some("the ends of a quantifier cannot depend on its own number");
            return None;
        }
        let text = |range: Range<usize>| before_the_call(self.text[range].trim());
        let (low, high) = (text(first + 1..second), text(second + 1..third));
        let low_parts = self.parts(first + 1..second, bound);
        let high_parts = self.parts(second + 1..third, bound);
        bound.push(Span { variable: variable.clone(), low, high });
        let each = self.parts(third + 1..inner.end, bound);
        bound.pop();
        let (low, high) = (low_parts, high_parts);
        Some(Part::Quantified(Box::new(Quantified { is_all, variable, low, high, each })))
    }
}

/// The expression as it is said before the call: what is old then is what is there.
fn before_the_call(text: &str) -> String {
    let (mut out, mut copied) = (String::new(), 0);
    for old in olds(text) {
        out.push_str(&text[copied..old.whole.start]);
        out.push_str(&format!("({})", &text[old.inner]));
        copied = old.whole.end;
    }
    out.push_str(&text[copied..]);
    out
}

/// The commas that stand in no brackets of their own.
fn commas(text: &str, range: Range<usize>) -> Vec<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0usize, range.start);
    let mut found = Vec::new();
    while at < range.end {
        match bytes[at] {
            b'"' | b'\'' => {
                at = literal_end(bytes, at);
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => found.push(at),
            _ => {}
        }
        at += 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{mistake, parse, plain};

    #[test]
    fn quantifiers_become_loops() {
        assert_eq!(
            plain("n > 0 && forall(i, 0, n, a[i] <= a[i + 1])"),
            "n > 0 && ({ int __found = 1; for (__typeof__(( 0) + ( n)) i = ( 0); i < (__typeof__(( 0) + ( n)))( n); i++) \
             __found &= !!( a[i] <= a[i + 1]); __found; })"
        );
        assert!(parse("forall(i, 0, n, a[i] > 0)", &mut 0).as_loop().is_some());
        assert!(parse("exists(i, 0, n, a[i] > 0)", &mut 0).as_loop().is_none());
        assert!(parse("!forall(i, 0, n, a[i] > 0)", &mut 0).as_loop().is_none());
        // Names of the program's own.
        assert_eq!(plain("s.forall(1) + p->exists"), "s.forall(1) + p->exists");
        assert_eq!(plain("forall > 1"), "forall > 1");
    }

    #[test]
    fn old_values_of_elements_are_arrays() {
        let mut number = 3;
        let parsed = parse("forall(i, 0, n, a[i] == old(a[i]) + old(k))", &mut number);
        assert_eq!(number, 5);
        assert_eq!(parsed.kept[0].over.as_ref().map(|over| over.high.as_str()), Some("n"));
        assert_eq!(parsed.kept[1].over, None);
        assert!(parsed.text().contains("a[i] == __old3[i - __low3] + __old4"));
        let two = "forall(i, 0, n, forall(j, 0, n, a[i][j] == old(a[i][j])))";
        assert!(mistake(two).is_some_and(|why| why.contains("two quantifiers")));
        assert!(mistake("forall(i, 0, result, a[i] == old(a[i]))").is_some());
        assert_eq!(mistake("forall(i, 0, old(n), a[i] == 1)"), None);
    }
}
