//! Reports while the work goes on. Nothing in a result depends on them.

pub use glassbox_explore::Standing;
use glassbox_ir::Program;

use crate::FunctionReport;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Of `gen`.
    Goals,
    /// Of `check`.
    Properties,
}

/// What is wrong with a source, for readers that show it at its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Absent where no source is involved, or the message names it.
    pub place: Option<Location>,
    pub is_error: bool,
    pub message: String,
}

/// A part of a file: lines and columns in bytes, both from 1; the end is the first place behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    pub file: String,
    pub start: (u32, u32),
    pub end: (u32, u32),
}

/// Receives what happens, and may end the work. Every method may be called from several
/// threads at once.
pub trait Listener: Sync {
    /// A diagnostic or a warning, ending in a line break.
    fn diagnostic(&self, text: &str);

    /// The same once more as data, where it is about a source.
    fn problem(&self, _problem: &Problem) {}

    /// One of several programs is read from now.
    fn reads(&self, _program: &str, _position: usize, _n_programs: usize) {}

    /// The program is read: work on its functions starts.
    fn starts(&self, counted: Counted, n_functions: usize);

    /// A function is worked on from now.
    fn begins(&self, function: &str);

    /// How far the search in a function is.
    fn stands(&self, function: &str, standing: Standing);

    /// The search in a function has ended.
    fn ends(&self, function: &str, report: &FunctionReport);

    /// All searches have ended.
    fn all_ended(&self);

    /// A function's report is complete; they come in the order of the functions.
    fn report(&self, program: &Program, report: &FunctionReport);

    /// Whether the work should end with what it has.
    fn is_interrupted(&self) -> bool;
}
