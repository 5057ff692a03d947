//! Methods that no class file has: changed copies of others, and what compares them with those.
//!
//! A copy is a method of the same class. Compilers do not see it: code that they compile calls an empty method, whose body becomes
//! a call of the copy.

use glassbox_ir::FuncId;

use crate::classfile::MethodInfo;
use crate::world::MethodRef;

/// Class, name and descriptor of a method.
pub type MethodName = (String, String, String);

/// A changed copy of a method.
#[derive(Debug, Clone)]
pub struct MutantMethod {
    pub target: MethodName,
    /// The copy, under its own name.
    pub copy: MethodInfo,
    /// What compiled code calls in its place, with the object as the first argument where there is one.
    pub alias: MethodName,
    /// What the comparison calls in the place of the method itself, whatever class the object is of: a method that
    /// overrides it is another one.
    pub itself: MethodName,
    /// What compares it with the method, called as the method is.
    pub comparison: Option<MethodName>,
    /// Further methods, which only the copy calls, with the classes that get them.
    pub others: Vec<(String, MethodInfo)>,
    pub kind: CopyKind,
}

/// What a copy of a method is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopyKind {
    Mutant,
    /// The method as it was in an older version.
    Older,
}

/// The methods of a mutant, found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FoundMutant {
    pub(crate) target: MethodRef,
    pub(crate) copy: MethodRef,
    pub(crate) alias: Option<MethodRef>,
    pub(crate) itself: Option<MethodRef>,
    pub(crate) comparison: Option<MethodRef>,
    pub(crate) kind: CopyKind,
}

impl FoundMutant {
    /// What runs start in: the comparison, and the copy in the place of its method.
    pub(crate) fn starts(&self) -> impl Iterator<Item = MethodRef> {
        self.comparison.into_iter().chain([self.copy])
    }
}

/// The functions of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoweredMutant {
    pub target: FuncId,
    pub copy: FuncId,
    pub comparison: Option<FuncId>,
}
