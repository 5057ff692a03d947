//! Which functions read standard input: their tests set it.

use std::collections::BTreeSet;

use glassbox_ir::{Callee, FuncId, InstrKind, Program};

/// Whether a function, or one that it calls by name, reads standard input.
pub(crate) fn reads_input(program: &Program, function: FuncId) -> bool {
    let mut seen = BTreeSet::from([function]);
    let mut queue = vec![function];
    while let Some(id) = queue.pop() {
        let called = program.function(id);
        let Some(body) = &called.body else {
            let known = glassbox_library::find(&called.name);
            if known.is_some_and(|known| known.row.reads.is_followed()) {
                return true;
            }
            continue;
        };
        for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
            if let InstrKind::Call(call) = &instr.kind
                && let Callee::Direct(callee) = call.callee
                && seen.insert(callee)
            {
                queue.push(callee);
            }
        }
    }
    false
}
