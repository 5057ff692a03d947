//! Symbolic values.

use glassbox_ir::FuncId;
use glassbox_terms::TermId;

/// A memory object of one path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// A place in memory whose offset is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownPlace {
    pub object: ObjectId,
    /// Below zero in front of where the first pointer to the object points.
    pub offset: i64,
}

/// What an SSA value holds on a path. `Int(1)` values are Boolean terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SymValue {
    Term(TermId),
    Ptr(SymPtr),
}

/// A pointer. The object is always known; the offset may be symbolic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SymPtr {
    /// A 64-bit offset in bytes from where the first pointer to the object points: its start, unless it has
    /// room in front of that.
    Object {
        object: ObjectId,
        offset: TermId,
    },
    Func(FuncId),
    /// An input pointer that may still be undecided: see `Inputs::resolution`.
    Input(InputPtrId),
    /// An address that is a number: null, or an integer that was cast.
    Number(TermId),
}

/// A pointer input, in order of appearance on the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputPtrId(pub u32);
