//! Whose goals a search is about, and where its runs start.

use glassbox_ir::FuncId;

/// What a search is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aim {
    /// Whose goals are to be reached.
    pub function: FuncId,
    /// Where runs start: the function, or a harness with the same parameters that calls it.
    pub entry: FuncId,
}

impl From<FuncId> for Aim {
    fn from(function: FuncId) -> Aim {
        Aim { function, entry: function }
    }
}
