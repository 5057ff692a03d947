//! Global objects: variables with static storage and string literals.

use crate::func::Linkage;
use crate::id::{FieldId, FuncId, GlobalId, SourceTypeId};
use crate::source::Span;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Global {
    pub name: String,
    pub kind: GlobalKind,
    pub linkage: Linkage,
    pub source_type: SourceTypeId,
    pub size: u64,
    pub align: u64,
    /// Writing to it is undefined behavior.
    pub is_const: bool,
    /// `None`: declared here, defined nowhere in the program.
    pub initializer: Option<Initializer>,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GlobalKind {
    Variable,
    /// A `static` local variable of this function.
    StaticLocal(FuncId),
    StringLiteral,
    /// A variable of a library model, such as the one behind `errno`: never an input.
    LibraryState,
    /// A static field of a class. It starts as written in every run.
    StaticField(FieldId),
    /// The run-time system's own: starts as written in every run and is never an input.
    Runtime,
    /// A compound literal at file scope.
    CompoundLiteral,
}

impl GlobalKind {
    /// Whether the user's program has it, rather than a library model or the run-time system.
    pub fn is_own(self) -> bool {
        match self {
            GlobalKind::Variable
            | GlobalKind::StaticLocal(_)
            | GlobalKind::StringLiteral
            | GlobalKind::CompoundLiteral => true,
            GlobalKind::LibraryState | GlobalKind::StaticField(_) | GlobalKind::Runtime => false,
        }
    }
}

/// The bytes an object starts with. `bytes` may be shorter than the object: the rest is zero.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Initializer {
    pub bytes: Vec<u8>,
    /// Sorted by offset; each replaces 8 bytes.
    pub relocations: Vec<Relocation>,
}

/// A pointer inside an initializer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relocation {
    pub offset: u64,
    pub target: RelocationTarget,
    /// Bytes added to the target's address.
    pub addend: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RelocationTarget {
    Global(GlobalId),
    Func(FuncId),
}
