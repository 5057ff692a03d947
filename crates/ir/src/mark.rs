//! Marks: instructions that do nothing and say what the source did here.

use crate::id::{GlobalId, SourceVarId};

/// A point of interest for coverage criteria.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A statement of the source begins; the instruction's span is the statement's.
    Statement,
    /// An instruction of the bytecode begins; the instruction's span is its place.
    Instruction,
    /// The source assigns the variable (or a part of it) here.
    Def(VarRef),
    /// The source reads the variable (or a part of it) here.
    Use(VarRef, UseKind),
}

/// A variable of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VarRef {
    Local(SourceVarId),
    Global(GlobalId),
}

/// What the read is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UseKind {
    /// In a condition of a decision or the value of a switch.
    Predicate,
    Computation,
}
