//! Where preprocessed text came from: spans to files, lines and columns the user wrote.

use crate::span::{FileId, Place, Span};

/// All text of a program and the files it came from. Units are laid end to end in one numbering.
#[derive(Debug, Default)]
pub struct SourceMap {
    text: String,
    files: Vec<String>,
}

impl SourceMap {
    /// The place of a span in the file the user wrote.
    pub fn resolve(&self, span: Span) -> Place {
        // Stand-in until line markers are read: columns of the preprocessed text.
        let upto = |offset: u32| {
            let head = &self.text[..(offset as usize).min(self.text.len())];
            let line = u32::try_from(head.matches('\n').count() + 1).unwrap_or(u32::MAX);
            let column = head.len() - head.rfind('\n').map_or(0, |at| at + 1) + 1;
            (line, u32::try_from(column).unwrap_or(u32::MAX))
        };
        let (line, column) = upto(span.start);
        let (end_line, end_column) = upto(span.end);
        Place { file: FileId(0), line, column, end_line, end_column }
    }

    /// The name of a file as the compiler was given it.
    pub fn file_name(&self, file: FileId) -> &str {
        self.files.get(file.0 as usize).map_or("<unknown>", |name| name.as_str())
    }

    /// What the user wrote at a span: the text of a condition, before macros were expanded.
    pub fn snippet(&self, span: Span) -> String {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default().to_string()
    }
}
