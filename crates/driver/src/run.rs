//! Running a program in the interpreter, in any language.

use std::io::{Read, Write};

use glassbox_interp::{Coverage, Options, Outcome};

/// How to run.
pub struct Execution {
    /// The program's arguments, without its name.
    pub arguments: Vec<String>,
    pub options: Options,
    pub input: Box<dyn Read>,
    pub output: Box<dyn Write>,
    pub errors: Box<dyn Write>,
}

impl std::fmt::Debug for Execution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Execution").field("arguments", &self.arguments).finish_non_exhaustive()
    }
}

/// A run that has ended.
#[derive(Debug)]
pub struct Ran {
    pub ending: Ending,
    /// What was executed, where `options` asked for it.
    pub coverage: Coverage,
}

/// How a run ended.
#[derive(Debug)]
pub enum Ending {
    /// A method returned this value, in words.
    Returned(String),
    /// An exception left the program.
    Thrown {
        class: String,
        message: Option<String>,
    },
    /// The program does not fit into memory before it starts.
    TooLarge {
        what: &'static str,
    },
    Other(Outcome),
}
