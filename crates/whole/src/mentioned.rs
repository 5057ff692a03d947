//! Functions that a body mentions, called or not.

use std::collections::BTreeSet;

use glassbox_ir::{Body, Callee, FuncId, InstrKind, Operand};

/// Functions that a body calls by name or whose address it takes, in order of appearance.
pub fn mentioned(body: &Body) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    let mut note = |operand: &Operand| {
        if let Operand::Func(function) = operand {
            found.insert(*function);
        }
    };
    let mut direct = Vec::new();
    for block in &body.blocks {
        for instr in &block.instrs {
            instr.kind.for_each_operand(&mut note);
            if let InstrKind::Call(call) = &instr.kind
                && let Callee::Direct(function) = call.callee
            {
                direct.push(function);
            }
        }
        block.terminator.for_each_operand(&mut note);
        for target in block.terminator.targets() {
            target.args.iter().for_each(&mut note);
        }
    }
    found.extend(direct);
    found
}
