//! What is wrong with a script, and where.

/// Whose limit it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The text is not SMT-LIB.
    Syntax,
    /// A name is unknown, or sorts or arities do not fit.
    Sort,
    /// SMT-LIB, but beyond what is supported here.
    Unsupported,
}

/// A diagnostic; lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub line: usize,
    pub column: usize,
    pub message: String,
    pub kind: ErrorKind,
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {} column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for Error {}

/// A diagnostic before its place in the text is counted out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: ErrorKind,
    /// Byte offset in the script; `None` takes the place of the surrounding expression.
    pub(crate) offset: Option<usize>,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn syntax(message: impl Into<String>) -> Fault {
        Fault { kind: ErrorKind::Syntax, offset: None, message: message.into() }
    }

    pub(crate) fn sort(message: impl Into<String>) -> Fault {
        Fault { kind: ErrorKind::Sort, offset: None, message: message.into() }
    }

    pub(crate) fn unsupported(message: impl Into<String>) -> Fault {
        Fault { kind: ErrorKind::Unsupported, offset: None, message: message.into() }
    }

    /// Places the fault, unless something nearer did.
    pub(crate) fn at(mut self, offset: usize) -> Fault {
        self.offset = self.offset.or(Some(offset));
        self
    }

    pub(crate) fn locate(self, text: &str) -> Error {
        let offset = self.offset.unwrap_or(0).min(text.len());
        let before = &text.as_bytes()[..offset];
        let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let is_character = |byte: &&u8| **byte & 0xc0 != 0x80;
        Error {
            line: before.iter().filter(|&&byte| byte == b'\n').count() + 1,
            column: before[line_start..].iter().filter(is_character).count() + 1,
            message: self.message,
            kind: self.kind,
        }
    }
}

pub(crate) type Outcome<T> = Result<T, Fault>;
