//! The body of a function with one change, as text.

use std::ops::Range;

use glassbox_c_front::tree::{FunctionId, Program};

use crate::{Mutant, Text};

/// The body of the mutant, a block at the place of the original; calls of the function itself call `name`, which is the
/// mutant's.
pub fn body(
    program: &Program,
    function: FunctionId,
    text: Text<'_>,
    mutant: &Mutant,
    name: &str,
) -> Option<Vec<u8>> {
    let body = program.function(function).body.as_ref()?;
    let range = text.range(program.stmt(body.body).span)?;
    let old_name = program.name(program.function(function).name);
    let mut out = marker(text.bytes, range.start).into_bytes();
    out.extend(renamed(&text.bytes[range.start..mutant.range.start], old_name, name));
    // A change that stands on several lines is put on one, and the rest begins on a line of its own again.
    let one_line = mutant.replacement.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_long = mutant.replacement.contains('\n');
    let change = if is_long { without_markers(&mutant.replacement) } else { one_line };
    out.extend(renamed(change.as_bytes(), old_name, name));
    if text.of(mutant.range.clone()).contains('\n') {
        out.push(b'\n');
        out.extend(marker(text.bytes, mutant.range.end).into_bytes());
    }
    out.extend(renamed(&text.bytes[mutant.range.end..range.end], old_name, name));
    out.push(b'\n');
    Some(out)
}

/// Where the body of a function stands in the text of its unit.
pub fn body_range(program: &Program, function: FunctionId, text: Text<'_>) -> Option<Range<usize>> {
    let body = program.function(function).body.as_ref()?;
    text.range(program.stmt(body.body).span)
}

/// The file that a function stands in, as line markers call it.
pub fn file_of(program: &Program, function: FunctionId, text: Text<'_>) -> Option<String> {
    let body = program.function(function).body.as_ref()?;
    let range = text.range(program.stmt(body.body).span)?;
    let marker = marker(text.bytes, range.start);
    let line = marker.lines().next()?;
    Some(line.split_once('"')?.1.trim_end_matches('"').to_owned())
}

/// A replacement that has line markers of the original in it, without them.
fn without_markers(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.collect::<Vec<_>>().join(" ")
}

/// A line marker for what stands at a byte, and blanks up to its column.
pub fn marker(text: &[u8], at: usize) -> String {
    let (mut line, mut file) = (1usize, "\"<unit>\"".to_owned());
    let before = &text[..at];
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |found| found + 1);
    for row in text[..line_start].split_inclusive(|&byte| byte == b'\n') {
        match read_marker(row) {
            Some((next, name)) => {
                line = next;
                file = name.unwrap_or(file);
            }
            None => line += 1,
        }
    }
    format!("# {line} {file}\n{}", " ".repeat(at - line_start))
}

/// The line that follows a marker such as `# 12 "file.c" 2`, and its file.
fn read_marker(row: &[u8]) -> Option<(usize, Option<String>)> {
    let row = std::str::from_utf8(row).ok()?.strip_prefix('#')?.trim();
    let row = row.strip_prefix("line ").unwrap_or(row);
    let end = row.find(|c: char| !c.is_ascii_digit()).unwrap_or(row.len());
    let line = row[..end].parse().ok()?;
    let rest = row[end..].trim_start();
    let file = rest.strip_prefix('"').and_then(|rest| rest.find('"').map(|end| &rest[..end]));
    Some((line, file.map(|file| format!("\"{file}\""))))
}

/// The text with a name exchanged; strings, characters and members of structures stay.
fn renamed(text: &[u8], from: &str, to: &str) -> Vec<u8> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let range: Range<usize> = match text[at] {
            quote @ (b'"' | b'\'') => {
                let mut end = at + 1;
                while end < text.len() && text[end] != quote {
                    end += if text[end] == b'\\' { 2 } else { 1 };
                }
                at..(end + 1).min(text.len())
            }
            byte if is_word(byte) => {
                let length = text[at..].iter().position(|&byte| !is_word(byte));
                at..at + length.unwrap_or(text.len() - at)
            }
            _ => at..at + 1,
        };
        let word = &text[range.clone()];
        let is_own = word == from.as_bytes() && !is_member(&text[..range.start]);
        out.extend(if is_own { to.as_bytes() } else { word });
        at = range.end;
    }
    out
}

/// Whether a name behind this text is that of a member: `p->f`, `s.f`, `{ .f = 1 }`.
fn is_member(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    before.ends_with(b"->") || before.ends_with(b".") && !before.ends_with(b"...")
}

#[cfg(test)]
mod tests {
    use super::{marker, renamed};

    #[test]
    fn names_are_exchanged_where_they_are_names() {
        let text = b"return f(x) + ff(x) + \"f\"[0] + 'f' + f;";
        let new = b"return g(x) + ff(x) + \"f\"[0] + 'f' + g;";
        assert_eq!(renamed(text, "f", "g"), new);
    }

    #[test]
    fn members_keep_their_names() {
        let text = b"struct s a = { .f = f(p->f, p -> f) }; return a.f + a. f;";
        let new = b"struct s a = { .f = g(p->f, p -> f) }; return a.f + a. f;";
        assert_eq!(renamed(text, "f", "g"), new);
    }

    #[test]
    fn places_are_those_of_the_source() {
        let text = b"# 1 \"a.h\" 1\nint x;\n# 7 \"a.c\" 2\n\nint f() { }\n";
        let at = text.iter().position(|&byte| byte == b'{').expect("a brace");
        assert_eq!(marker(text, at), "# 8 \"a.c\"\n        ");
    }
}
