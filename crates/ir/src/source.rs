//! Places in the user's source.

use std::sync::{Arc, OnceLock};

use crate::id::FileId;

/// A source file that spans refer to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// As the user would name it.
    pub path: String,
    pub origin: FileOrigin,
    /// The text where it could be read; spans index its lines.
    pub text: Option<Arc<str>>,
    lines: LineStarts,
}

impl SourceFile {
    pub fn new(path: String, origin: FileOrigin, text: Option<Arc<str>>) -> SourceFile {
        SourceFile { path, origin, text, lines: LineStarts::default() }
    }

    /// A line of the text, without its end; lines count from 1.
    pub fn line(&self, number: u32) -> Option<&str> {
        let text = self.text.as_deref()?;
        let starts = self.lines.0.get_or_init(|| {
            let behind = text.match_indices('\n').map(|(at, _)| at + 1);
            std::iter::once(0).chain(behind).filter(|&start| start < text.len()).collect()
        });
        let start = *starts.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
        text.get(start..)?.lines().next()
    }
}

/// Where lines begin, once somebody asked: long files are asked for thousands of them.
#[derive(Debug, Clone, Default)]
struct LineStarts(OnceLock<Box<[usize]>>);

/// The text says it all.
impl PartialEq for LineStarts {
    fn eq(&self, _: &LineStarts) -> bool {
        true
    }
}

impl Eq for LineStarts {}

/// Where a file comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FileOrigin {
    User,
    /// A header or a class of the system.
    System,
    /// No file at all: text of a library model, or made around the user's functions.
    Model,
}

/// A range of source text. Lines and columns count from 1; the end is exclusive. Line 0 means
/// "nowhere in particular" (generated code).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// Distinguishes what one macro use made of the same text; 0 for what is written there.
    pub part: u32,
}

impl Span {
    pub fn new(file: FileId, line: u32, column: u32, end_line: u32, end_column: u32) -> Span {
        Span { file, line, column, end_line, end_column, part: 0 }
    }

    /// For generated code.
    pub fn nowhere() -> Span {
        Span::new(FileId::new(0), 0, 0, 0, 0)
    }

    pub fn is_nowhere(self) -> bool {
        self.line == 0
    }
}

impl std::fmt::Debug for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Span { file, line, column, end_line, end_column, part } = self;
        write!(f, "{file}:{line}:{column}-{end_line}:{end_column}")?;
        if *part == 0 { Ok(()) } else { write!(f, "+{part}") }
    }
}
