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
    /// Memory at this address, which the program writes as a number: a register of a device. Only what its type covers
    /// is known to be there.
    Register(u64),
}

impl GlobalKind {
    /// Whether the user's program has it, rather than a library model or the run-time system.
    pub fn is_own(self) -> bool {
        match self {
            GlobalKind::Variable
            | GlobalKind::StaticLocal(_)
            | GlobalKind::StringLiteral
            | GlobalKind::CompoundLiteral
            | GlobalKind::Register(_) => true,
            GlobalKind::LibraryState | GlobalKind::StaticField(_) | GlobalKind::Runtime => false,
        }
    }

    /// Whether code outside of the program can read and set it: it has a name or an address.
    pub fn is_accessible(self) -> bool {
        match self {
            GlobalKind::Variable | GlobalKind::Register(_) => true,
            GlobalKind::StaticLocal(_)
            | GlobalKind::StringLiteral
            | GlobalKind::LibraryState
            | GlobalKind::StaticField(_)
            | GlobalKind::Runtime
            | GlobalKind::CompoundLiteral => false,
        }
    }

    /// The address that the program gives it as a number.
    pub fn fixed_address(self) -> Option<u64> {
        match self {
            GlobalKind::Register(address) => Some(address),
            GlobalKind::Variable
            | GlobalKind::StaticLocal(_)
            | GlobalKind::StringLiteral
            | GlobalKind::LibraryState
            | GlobalKind::StaticField(_)
            | GlobalKind::Runtime
            | GlobalKind::CompoundLiteral => None,
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
