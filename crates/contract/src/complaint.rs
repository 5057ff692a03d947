//! What is wrong with a configuration file, with its place and the line.

use std::ops::Range;

/// A problem to show.
#[derive(Debug)]
pub struct Complaint {
    pub path: String,
    pub text: String,
    /// Bytes of the text; `None` if the file could not be read.
    pub span: Option<Range<usize>>,
    pub message: String,
    pub help: Option<String>,
}

impl Complaint {
    pub fn whole_file(path: &str, message: &str) -> Complaint {
        Complaint {
            path: path.to_owned(),
            text: String::new(),
            span: None,
            message: message.to_owned(),
            help: None,
        }
    }
}

/// Line and column, both from 1, of a byte.
pub fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    (line, before.len() - line_start + 1)
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.write(f, ("", ""))
    }
}

/// The same as front-ends show their errors on a terminal.
#[derive(Debug)]
pub struct Colored<'a>(pub &'a Complaint);

impl std::fmt::Display for Colored<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.write(f, ("\x1b[1;31m", "\x1b[0m"))
    }
}

impl Complaint {
    /// `on` and `off` stand around what is wrong.
    fn write(&self, f: &mut std::fmt::Formatter<'_>, (on, off): (&str, &str)) -> std::fmt::Result {
        let Some(span) = &self.span else {
            return writeln!(f, "{}: {on}error:{off} {}", self.path, self.message);
        };
        let (line, column) = place(&self.text, span.start);
        writeln!(f, "{}:{line}:{column}: {on}error:{off} {}", self.path, self.message)?;
        let shown = self.text.lines().nth(line - 1).unwrap_or_default();
        let gutter = " ".repeat(line.to_string().len());
        let indent: String = shown
            .chars()
            .take(column - 1)
            .map(|letter| if letter == '\t' { '\t' } else { ' ' })
            .collect();
        let room = shown.len().saturating_sub(column - 1).max(1);
        let width = (span.end.saturating_sub(span.start)).clamp(1, room);
        let carets = "^".repeat(width);
        writeln!(f, " {line} | {shown}\n {gutter} | {indent}{on}{carets}{off}")?;
        match &self.help {
            Some(help) => writeln!(f, "  = help: {help}"),
            None => Ok(()),
        }
    }
}
