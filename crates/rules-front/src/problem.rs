//! What is wrong with a specification, with its place.

/// A range of the text: lines and columns from 1, columns in bytes; the end is exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spot {
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
}

impl Spot {
    /// From the start of one to the end of another.
    #[must_use]
    pub fn to(self, end: Spot) -> Spot {
        Spot { end_line: end.end_line, end_column: end.end_column, ..self }
    }
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub spot: Spot,
    pub message: String,
    pub help: Option<String>,
}

impl Problem {
    pub fn new(spot: Spot, message: impl Into<String>) -> Problem {
        Problem { spot, message: message.into(), help: None }
    }

    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Problem {
        Problem { help: Some(help.into()), ..self }
    }

    /// With the line of the text below it, as other front-ends show it.
    pub fn render(&self, path: &str, text: &str) -> String {
        let Spot { line, column, end_line, end_column } = self.spot;
        let mut out = format!("{path}:{line}:{column}: error: {}\n", self.message);
        let row = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
        if let Some(shown) = text.lines().nth(row) {
            let before = usize::try_from(column).unwrap_or(1).saturating_sub(1);
            let number = line.to_string();
            let gutter = " ".repeat(number.len());
            let keep_tab = |byte: u8| if byte == b'\t' { '\t' } else { ' ' };
            let indent: String = shown.bytes().take(before).map(keep_tab).collect();
            let room = shown.len().saturating_sub(before).max(1);
            let width =
                if end_line > line { room } else { end_column.saturating_sub(column) as usize };
            let marks = "^".repeat(width.clamp(1, room));
            out.push_str(&format!(" {number} | {shown}\n {gutter} | {indent}{marks}\n"));
        }
        if let Some(help) = &self.help {
            out.push_str(&format!("  = help: {help}\n"));
        }
        out
    }
}
