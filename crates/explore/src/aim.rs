//! Whose goals a search is about, and where its runs start.

use glassbox_ir::{FuncId, Origin, Program};

/// What a search is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aim {
    /// Whose goals are to be reached.
    pub function: FuncId,
    /// Where runs start: the function, a harness with the same parameters that calls it, or any function that may come
    /// to it.
    pub entry: FuncId,
}

impl Aim {
    /// Whether runs begin with the function, and none calls it again but the function itself.
    pub(crate) fn starts_with_function(self, program: &Program) -> bool {
        self.entry == self.function
            || program.function(self.entry).origin == Origin::Harness { of: self.function }
    }
}

impl From<FuncId> for Aim {
    fn from(function: FuncId) -> Aim {
        Aim { function, entry: function }
    }
}
