//! Which functions read standard input: their tests set it.

use glassbox_ir::{FuncId, Program};
use glassbox_library::Reads;

use crate::calls::reached;

/// Whether a function, or one that it calls by name, may read standard input.
pub(crate) fn reads_input(program: &Program, function: FuncId) -> bool {
    // Where nothing names it, streams are other ones.
    let is_named = program
        .globals
        .iter()
        .any(|global| glassbox_library::standard_stream(&global.name) == Some(0));
    reached(program, function).into_iter().map(|id| program.function(id)).any(|called| {
        let known = glassbox_library::function_of(called);
        known
            .map(|known| known.row.reads)
            .is_some_and(|reads| reads.is_followed() && (is_named || reads == Reads::StandardInput))
    })
}
