//! What a run of a Java method showed, as values that a test can assert.

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
