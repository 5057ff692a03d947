//! Drops computations that nothing uses, and numbers the remaining values without gaps.
//!
//! Only instructions without effects go: arithmetic, addresses, reads of memory that is not volatile
//! (their checks stay). Calls, checks, marks, allocations and stores stay.

use crate::block::Terminator;
use crate::func::Body;
use crate::instr::{InstrKind, MemoryOp, Operand};
use crate::simplify_cfg::renumber_values;

/// See the module's header.
pub fn compact(body: &mut Body) {
    let mut n_uses = vec![0u32; body.values.len()];
    let mut count = |operand: &mut Operand| {
        if let Operand::Value(value) = operand {
            n_uses[value.index()] += 1;
        }
    };
    for block in &mut body.blocks {
        for instr in &mut block.instrs {
            instr.kind.for_each_operand_mut(&mut count);
        }
        block.terminator.for_each_operand_mut(&mut count);
    }
    // Uses come after definitions except around loops, where only block arguments go backwards; so one
    // backward walk over blocks in reverse postorder finds nearly all chains of unused values.
    for block in body.blocks.iter_mut().rev() {
        let mut is_dropped = vec![false; block.instrs.len()];
        for (position, instr) in block.instrs.iter_mut().enumerate().rev() {
            let Some(result) = instr.result else { continue };
            if n_uses[result.index()] > 0 || !is_pure(&instr.kind) {
                continue;
            }
            is_dropped[position] = true;
            instr.kind.for_each_operand_mut(|operand| {
                if let Operand::Value(value) = operand {
                    n_uses[value.index()] -= 1;
                }
            });
        }
        let mut dropped = is_dropped.iter();
        block.instrs.retain(|_| !dropped.next().copied().unwrap_or(false));
        debug_assert!(
            !matches!(block.terminator, Terminator::Jump(ref t) if t.block.index() == Body::ENTRY)
        );
    }
    renumber_values(body);
}

fn is_pure(kind: &InstrKind) -> bool {
    match kind {
        InstrKind::Pure(_)
        | InstrKind::Pointer(_)
        | InstrKind::Memory(
            MemoryOp::Load { is_volatile: false, .. }
            | MemoryOp::LoadBits { is_volatile: false, .. },
        ) => true,
        InstrKind::Memory(_)
        | InstrKind::VarArgs(_)
        | InstrKind::Call(_)
        | InstrKind::Check(_)
        | InstrKind::Assume { .. }
        | InstrKind::Mark(_)
        | InstrKind::Unsupported { .. } => false,
    }
}
