//! Which functions read standard input: their tests set it.

use glassbox_ir::{FuncId, Program};

use crate::calls::reached;

/// Whether a function, or one that it calls by name, reads standard input.
pub(crate) fn reads_input(program: &Program, function: FuncId) -> bool {
    reached(program, function).into_iter().map(|id| program.function(id)).any(|called| {
        let known = glassbox_library::function_of(called);
        known.is_some_and(|known| known.row.reads.is_followed())
    })
}
