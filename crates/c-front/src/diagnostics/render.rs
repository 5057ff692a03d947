//! Diagnostics as text: `file:line:col: error: …`, the source line, a caret, whose limit, what to try.

use std::fmt::Write;

use super::{Diagnostic, Severity, Whose};
use crate::linemap::SourceMap;
use crate::span::{Place, Span};

/// Whether to use terminal colors; decided by the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Color {
    Plain,
    Ansi,
}

/// Long source lines are cut to this many columns around the caret.
const MAX_LINE: usize = 160;

/// The diagnostic as lines of text, ending in a newline.
pub fn render(diagnostic: &Diagnostic, sources: &SourceMap, color: Color) -> String {
    render_with(diagnostic, diagnostic.hint(), sources, color)
}

/// The same with another hint than its own, where more is known of what was written.
pub fn render_with(
    diagnostic: &Diagnostic,
    hint: Option<String>,
    sources: &SourceMap,
    color: Color,
) -> String {
    let mut out = String::new();
    let (kind, paint) = match diagnostic.severity() {
        Severity::Error => ("error", "\x1b[1;31m"),
        Severity::Warning => ("warning", "\x1b[1;35m"),
    };
    let (on, off) = match color {
        Color::Plain => ("", ""),
        Color::Ansi => (paint, "\x1b[0m"),
    };
    match diagnostic.span {
        Some(span) => {
            let place = sources.resolve(span);
            let head = location(sources, place);
            let _ = writeln!(out, "{head}: {on}{kind}:{off} {}", diagnostic.message());
            excerpt(&mut out, sources, span, place, (on, off));
        }
        // Setup problems name their own file.
        None => {
            let _ = writeln!(out, "{}", diagnostic.message());
        }
    }
    if let Some((span, related)) = diagnostic.related {
        let place = sources.resolve(span);
        let _ = writeln!(out, "{}: note: {related}", location(sources, place));
        excerpt(&mut out, sources, span, place, ("", ""));
    }
    if diagnostic.whose() == Whose::Tool {
        out.push_str("  = this is a limit of glassbox, not an error in the program\n");
    }
    if let Some(hint) = hint {
        let _ = writeln!(out, "  = help: {hint}");
    }
    out
}

fn location(sources: &SourceMap, place: Place) -> String {
    format!("{}:{}:{}", sources.file_name(place.file), place.line, place.column)
}

/// The source line with carets under the place.
fn excerpt(out: &mut String, sources: &SourceMap, span: Span, place: Place, paint: (&str, &str)) {
    let Some(line) = sources.line_text(span) else { return };
    let column = (place.column as usize).saturating_sub(1);
    let end = if place.end_line == place.line {
        (place.end_column as usize).saturating_sub(1).max(column + 1)
    } else {
        line.len().max(column + 1)
    };
    // Show a window of bytes around the caret; tabs keep their width as one column.
    let from = column.saturating_sub(MAX_LINE / 2);
    let shown: String = String::from_utf8_lossy(line.get(from..).unwrap_or_default())
        .chars()
        .take(MAX_LINE)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let before = line.get(from..column).unwrap_or_default();
    let indent = String::from_utf8_lossy(before).chars().count();
    let inside = line.get(column..end.min(line.len())).unwrap_or_default();
    let width = String::from_utf8_lossy(inside).chars().count().clamp(1, MAX_LINE);
    let (on, off) = paint;
    let number = place.line.to_string();
    let gutter = " ".repeat(number.len());
    let _ = writeln!(out, " {number} | {}", shown.trim_end());
    let _ = writeln!(out, " {gutter} | {}{on}{}{off}", " ".repeat(indent), "^".repeat(width));
}
