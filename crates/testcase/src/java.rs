//! What a run of a Java method showed, as values that a test can assert.

use std::fmt;

use glassbox_ir::FieldId;
use glassbox_values::{Bits, Float};

/// How the call ended, and what the objects of the input look like after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JavaObservation {
    pub ending: JavaEnding,
    /// By input object.
    pub after: Vec<JavaContents>,
    /// Objects that a harness made: their contents before and after the call. As values, they come
    /// behind the objects of the input.
    pub made: Vec<(JavaContents, JavaContents)>,
    /// Static fields that tests look at.
    pub statics: Vec<JavaStatic>,
}

/// A static field before and after the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JavaStatic {
    pub field: FieldId,
    pub before: JavaValue,
    pub after: JavaValue,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JavaEnding {
    /// `None` for void.
    Returned(Option<JavaValue>),
    /// By class name, with dots.
    Thrown(String),
    /// No test can show it: `System.exit`, a limit of ours.
    Other(String),
}

/// A value after the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JavaValue {
    Null,
    /// boolean, byte, char, short, int, long.
    Int(Bits),
    Float(Float),
    /// UTF-16.
    String(Vec<u16>),
    /// The object of the input at this position; behind them, one that a harness made.
    Input(usize),
    /// A new array: name of its type as `Class.getName` says it.
    Array(String, Vec<JavaValue>),
    /// A new boxed value.
    Boxed(String, Box<JavaValue>),
    /// Another new object, by class name.
    Object(String),
}

/// The contents of an input object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JavaContents {
    Fields(Vec<(FieldId, JavaValue)>),
    Elements(Vec<JavaValue>),
    /// It cannot be looked into.
    Unknown,
}

/// What runs in a JVM say about the covered goals of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JvmConfirmation {
    /// Probes saw every covered goal reached.
    Coverage,
    /// Probes saw some goals reached; of the others only results were compared.
    SomeCoverage { n_seen: usize, n_unseen: usize },
    /// There were no probes: only results were compared.
    Results,
}

impl fmt::Display for JvmConfirmation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JvmConfirmation::Coverage => f.write_str(
                "confirmed: coverage (probes in the bytecode under test saw every covered goal \
                 reached; results, exceptions and state on the JVM)",
            ),
            JvmConfirmation::SomeCoverage { n_seen, n_unseen } => write!(
                f,
                "confirmed: coverage of {n_seen} goals (probes in the bytecode under test saw them \
                 reached), result for {n_unseen} (results, exceptions and state on the JVM; the way \
                 there is the interpreter's word)"
            ),
            JvmConfirmation::Results => f.write_str(
                "confirmed: result (results, exceptions and state on the JVM; which branches it took \
                 is the interpreter's word)",
            ),
        }
    }
}
