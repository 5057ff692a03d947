//! A place in the user's source as text: `file:line:column: message`, the line, and a caret.

use std::fmt::Write as _;

use glassbox_ir::{Program, Span};

/// Longer lines are cut.
const MAX_LINE: usize = 160;

/// `file:line:column`, or nothing for code that is in no file.
pub(super) fn place(program: &Program, span: Span) -> String {
    match program.files.get(span.file.index()) {
        Some(file) if !span.is_nowhere() => format!("{}:{}:{}", file.path, span.line, span.column),
        _ => String::new(),
    }
}

/// The message with its place, the source line and a caret, each on a line of its own.
pub(super) fn excerpt(program: &Program, span: Span, message: &str) -> String {
    let place = place(program, span);
    if place.is_empty() {
        return format!("{message}\n");
    }
    let mut out = format!("{place}: {message}\n");
    let Some(line) = program.files[span.file.index()].line(span.line) else { return out };
    // Columns count bytes; a caret goes under characters.
    let column = (span.column as usize).saturating_sub(1).min(line.len());
    let end = if span.end_line == span.line { span.end_column as usize - 1 } else { line.len() };
    let n_chars = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().count();
    let before = n_chars(&line.as_bytes()[..column]);
    let width = n_chars(&line.as_bytes()[column..end.clamp(column, line.len())]).max(1);
    let shown: String =
        line.chars().take(MAX_LINE).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let number = span.line.to_string();
    let gutter = " ".repeat(number.len());
    let _ = writeln!(out, " {number} | {}", shown.trim_end());
    if before < MAX_LINE {
        let carets = "^".repeat(width.min(MAX_LINE - before));
        let _ = writeln!(out, " {gutter} | {}{carets}", " ".repeat(before));
    }
    out
}
