//! Which functions a function may come to by calls by name.

use std::collections::BTreeSet;

use glassbox_ir::{Callee, FuncId, InstrKind, Program};

/// The function and those that it calls, and so on.
pub(crate) fn reached(program: &Program, function: FuncId) -> BTreeSet<FuncId> {
    let mut seen = BTreeSet::from([function]);
    let mut queue = vec![function];
    while let Some(id) = queue.pop() {
        let body = program.function(id).body.as_ref();
        let blocks = body.iter().flat_map(|body| &body.blocks);
        for instr in blocks.flat_map(|block| &block.instrs) {
            if let InstrKind::Call(call) = &instr.kind
                && let Callee::Direct(callee) = call.callee
                && seen.insert(callee)
            {
                queue.push(callee);
            }
        }
    }
    seen
}
