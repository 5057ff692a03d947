//! Memory that calls ask for: a JVM refuses arrays that are too long, and all that is too much.

use std::collections::BTreeSet;

use glassbox_ir::{Body, FuncId, InstrKind, MemoryOp, Operand, Program, PureOp};
use glassbox_jvm_front::CONTRACTS;

/// Arrays of so many elements, and objects, are always made.
const SMALL: u128 = 1 << 16;

/// Whether one of these functions makes an array of which it is not written how small it is. What keeps arrays for a
/// comparison does not count.
pub(super) fn is_large(program: &Program, functions: &BTreeSet<FuncId>) -> bool {
    let is_of_program = |id: &&FuncId| {
        let method = program.function(**id).method.map(|id| &program.methods[id.index()]);
        let class = method.map(|method| program.class(method.class).name.as_str());
        class.is_none_or(|class| class.rsplit('.').next() != Some(CONTRACTS))
    };
    let bodies = functions.iter().filter(is_of_program);
    bodies.filter_map(|&id| program.function(id).body.as_ref()).any(|body| {
        let mut instrs = body.blocks.iter().flat_map(|block| &block.instrs);
        instrs.any(|instr| {
            matches!(&instr.kind, InstrKind::Memory(MemoryOp::HeapAlloc { size, .. })
                if !is_small(body, *size, 8))
        })
    })
}

/// Whether a size is computed of small constants alone.
fn is_small(body: &Body, size: Operand, depth: u32) -> bool {
    if let Operand::Int(bits) = size {
        return bits.unsigned() < SMALL;
    }
    let Operand::Value(value) = size else { return false };
    if depth == 0 {
        return false;
    }
    let mut instrs = body.blocks.iter().flat_map(|block| &block.instrs);
    let made = instrs.find(|instr| instr.result == Some(value));
    let Some(InstrKind::Pure(made)) = made.map(|instr| &instr.kind) else { return false };
    if let PureOp::Cast { arg, .. } = made {
        return is_small(body, *arg, depth - 1);
    }
    let PureOp::Binary { lhs, rhs, .. } = made else { return false };
    is_small(body, *lhs, depth - 1) && is_small(body, *rhs, depth - 1)
}
