//! Values that are still used: what a run may look at again from some point of a function on.

use std::collections::BTreeSet;

use crate::func::Body;
use crate::instr::Operand;
use crate::{BlockId, ValueId};

/// By block: the values that are used in it or behind it and set before it. Parameters of a block are set by it.
pub fn live_in(body: &Body) -> Vec<BTreeSet<ValueId>> {
    let mut live = vec![BTreeSet::new(); body.blocks.len()];
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for block in (0..body.blocks.len()).rev().map(BlockId::new) {
            let mut found = live_at(body, &live, block, 0);
            for param in &body.block(block).params {
                found.remove(param);
            }
            if found != live[block.index()] {
                live[block.index()] = found;
                has_changed = true;
            }
        }
    }
    live
}

/// The values that are used from an instruction of a block on, and set before it.
pub fn live_at(
    body: &Body,
    live_in: &[BTreeSet<ValueId>],
    block: BlockId,
    position: usize,
) -> BTreeSet<ValueId> {
    let content = body.block(block);
    let mut live = BTreeSet::new();
    for target in content.terminator.targets() {
        live.extend(&live_in[target.block.index()]);
    }
    content.terminator.for_each_operand(|operand| note_use(operand, &mut live));
    for instr in content.instrs.iter().skip(position).rev() {
        if let Some(result) = instr.result {
            live.remove(&result);
        }
        instr.kind.for_each_operand(|operand| note_use(operand, &mut live));
    }
    live
}

fn note_use(operand: &Operand, live: &mut BTreeSet<ValueId>) {
    if let Operand::Value(value) = operand {
        live.insert(*value);
    }
}
