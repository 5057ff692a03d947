//! Comments that are annotations, in C text: where they stand, and what follows them.

use std::ops::Range;

/// An annotation.
#[derive(Debug)]
pub(super) struct Comment {
    /// What stands in it.
    pub(super) inside: Range<usize>,
    /// Where it begins.
    pub(super) start: usize,
    pub(super) follows: Follows,
}

/// What an annotation stands in front of.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Follows {
    /// A declaration or definition of this function, outside of all functions.
    Function(String),
    /// Something in a body.
    Statement {
        /// A statement ends before it, and none goes on behind it.
        is_between: bool,
    },
    Something,
}

/// All annotations of a text.
pub(super) fn comments(text: &str) -> Vec<Comment> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut braces, mut brackets) = (0usize, 0usize);
    // The last sign that is neither blank nor in a comment.
    let mut last = b';';
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'"' | b'\'' => {
                at = crate::expression::literal_end(bytes, at);
                last = b'"';
                continue;
            }
            b'/' if matches!(bytes.get(at + 1), Some(b'*' | b'/')) => {
                let (end, inside) = comment(text, at);
                if bytes.get(at + 2) == Some(&b'@') {
                    let follows = match (braces, brackets) {
                        (0, 0) => {
                            function(&text[end..]).map_or(Follows::Something, Follows::Function)
                        }
                        _ => Follows::Statement {
                            is_between: brackets == 0
                                && is_last_of_line(&text[end..])
                                && is_between(last, &text[end..]),
                        },
                    };
                    found.push(Comment { inside, start: at, follows });
                }
                at = end;
                continue;
            }
            // Directives are no code.
            b'#' if text[..at].rsplit('\n').next().is_some_and(|line| line.trim().is_empty()) => {
                at = line_end(bytes, at);
                continue;
            }
            b'{' => braces += 1,
            b'}' => braces = braces.saturating_sub(1),
            b'(' | b'[' => brackets += 1,
            b')' | b']' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        if !bytes[at].is_ascii_whitespace() {
            last = bytes[at];
        }
        at += 1;
    }
    found
}

/// The end of a comment that begins here, and what stands in it. Lines that begin with `//@` one after the other are one.
fn comment(text: &str, at: usize) -> (usize, Range<usize>) {
    if text[at..].starts_with("/*") {
        let end = text[at + 2..].find("*/").map_or(text.len(), |end| at + 2 + end);
        return ((end + 2).min(text.len()), (at + 3).min(end)..end);
    }
    let end = line_end(text.as_bytes(), at);
    (end, (at + 3).min(end)..end)
}

/// The end of the line, with lines that a backslash joins to it.
fn line_end(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    while end < bytes.len() && (bytes[end] != b'\n' || end > 0 && bytes[end - 1] == b'\\') {
        end += 1;
    }
    end
}

/// What follows, without blanks and comments.
fn code(mut rest: &str) -> &str {
    loop {
        rest = rest.trim_start();
        if rest.starts_with("//") || rest.starts_with("/*") {
            let (end, _) = comment(rest, 0);
            rest = &rest[end..];
        } else if rest.starts_with('#') {
            rest = &rest[line_end(rest.as_bytes(), 0)..];
        } else {
            return rest;
        }
    }
}

/// Whether only comments follow in the line: what an annotation says is said before the next line runs.
fn is_last_of_line(rest: &str) -> bool {
    let mut rest = rest.split('\n').next().unwrap_or_default().trim();
    while let Some(inside) = rest.strip_prefix("/*") {
        let Some((_, behind)) = inside.split_once("*/") else { return false };
        rest = behind.trim_start();
    }
    rest.is_empty() || rest.starts_with("//")
}

/// Whether a statement could be put here.
fn is_between(last: u8, rest: &str) -> bool {
    let next = code(rest);
    let word = next.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    // Behind `}`, `while` may belong to `do`.
    let goes_on = matches!(word, "else" | "case" | "default") || (last == b'}' && word == "while");
    matches!(last, b';' | b'{' | b'}') && !goes_on
}

/// The function whose declaration begins here.
fn function(rest: &str) -> Option<String> {
    const OTHERS: &[&str] = &[
        "__attribute__",
        "__attribute",
        "__declspec",
        "__typeof__",
        "typeof",
        "_Alignas",
        "__asm__",
        "asm",
    ];
    let mut rest = code(rest);
    loop {
        rest = code(rest);
        let first = rest.chars().next()?;
        if first.is_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            let is_called = code(behind).starts_with('(');
            if is_called && !OTHERS.contains(&word) {
                return Some(word.to_owned());
            }
            if is_called {
                let inner = code(behind);
                let close = crate::expression::matching(inner.as_bytes(), 0)?;
                rest = &inner[close + 1..];
                continue;
            }
            if word == "typedef" {
                return None;
            }
            rest = behind;
        } else if matches!(first, '*' | '[' | ']') {
            rest = &rest[1..];
        } else {
            return None;
        }
    }
}
