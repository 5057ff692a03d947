//! Java expressions of contracts, as code outside of the class says them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The expression as code outside of the class says it: members are reached through the receiver or the class,
/// `old(e)` is a variable, `forall(i, low, high, e)` a call with a lambda.
pub(super) fn rewrite(
    text: &str,
    members: &BTreeMap<String, String>,
    known: &BTreeSet<&str>,
    old: &mut Vec<String>,
) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if first == '"' || first == '\'' {
            let end = literal_end(rest, first);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        } else if first.is_alphabetic() || first == '_' || first == '$' {
            let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
            let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            rest = after;
            let is_member = out.trim_end().ends_with('.');
            let call = after.trim_start().starts_with('(').then(|| inside(after)).flatten();
            match (word, call) {
                ("old", Some((inner, behind))) if !is_member => {
                    let inner = rewrite(inner, members, known, &mut Vec::new());
                    let _ = write!(out, "glassbox$old{}", old.len());
                    old.push(inner);
                    rest = behind;
                }
                ("forall" | "exists", Some((inner, behind))) if !is_member => {
                    let parts = arguments(inner);
                    if let [variable, low, high, each @ ..] = parts.as_slice() {
                        let variable = variable.trim();
                        let mut bound = known.clone();
                        bound.insert(variable);
                        let low = rewrite(low, members, known, old);
                        let high = rewrite(high, members, known, old);
                        let each = rewrite(&each.join(","), members, &bound, old);
                        let _ = write!(out, "{word}({low}, {high}, {variable} -> {each})");
                    } else {
                        let _ = write!(out, "{word}({inner})");
                    }
                    rest = behind;
                }
                ("this", _) if !is_member => out.push_str("self"),
                _ if is_member || known.contains(word) || word == "result" => out.push_str(word),
                _ => {
                    if let Some(way) = members.get(word) {
                        let _ = write!(out, "{way}.");
                    }
                    out.push_str(word);
                }
            }
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    out
}

/// Where a text or character that begins here ends.
fn literal_end(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// What stands between the parentheses that begin here, and what follows.
fn inside(text: &str) -> Option<(&str, &str)> {
    let start = text.find('(')?;
    let mut depth = 0usize;
    for (at, c) in text.char_indices().skip(start) {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some((&text[start + 1..at], &text[at + 1..])),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The parts between commas that stand in no parentheses.
fn arguments(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

/// Names that an expression calls, each with the name before its dot, if there is one.
pub(super) fn calls(text: &str) -> Vec<(String, String)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let word_before = |text: &str| {
        let text = text.trim_end();
        let start = text.rfind(|c: char| !is_part(c)).map_or(0, |at| at + 1);
        let start = (start..=text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(0);
        (text[..start].to_owned(), text[start..].to_owned())
    };
    let mut found = Vec::new();
    for (at, _) in text.match_indices('(') {
        let (before, name) = word_before(&text[..at]);
        if name.is_empty() {
            continue;
        }
        let on = match before.trim_end().strip_suffix('.').map(|on| word_before(on).1) {
            None => String::new(),
            // What another call gives.
            Some(on) if on.is_empty() => "?".to_owned(),
            Some(on) => on,
        };
        found.push((on, name));
    }
    found
}
