//! Whether anything is learned about the operands of a value after it was computed.

use std::collections::BTreeSet;

use glassbox_ir::{BlockId, Body, InstrKind, Operand, Target, Ty, ValueId};

/// No condition that may come after the value tells more about what it was computed from, but for conditions on the value
/// itself. What comes out of memory may be looked at again there, which is not followed.
pub(super) fn are_settled(body: &Body, value: ValueId) -> bool {
    let Some(sources) = sources(body, value) else { return false };
    let related = related(body, &sources, value);
    let Some((home, position)) = definition(body, value) else { return false };
    let after = blocks_after(body, home);
    let mut is_settled = true;
    let mut look = |operand: &Operand| {
        is_settled &= !matches!(operand, Operand::Value(used) if related.contains(used));
    };
    for block in body.block_ids() {
        // The first instruction that may run after the value is known.
        let from = match (after.contains(&block), block == home) {
            (true, _) => 0,
            (false, true) => position + 1,
            (false, false) => usize::MAX,
        };
        for (at, instr) in body.block(block).instrs.iter().enumerate() {
            let tells = match &instr.kind {
                // Conditions are made of comparisons.
                InstrKind::Pure(_) => {
                    at >= from && instr.result.is_some_and(|it| body.value_ty(it) == Ty::BOOL)
                }
                InstrKind::Pointer(_) | InstrKind::Assume { .. } | InstrKind::Call(_) => at >= from,
                // What is stored may be loaded, and looked at then.
                InstrKind::Memory(_) | InstrKind::VarArgs(_) => true,
                InstrKind::Check(_) | InstrKind::Mark(_) | InstrKind::Unsupported { .. } => false,
            };
            if tells {
                instr.kind.for_each_operand(&mut look);
            }
        }
        if from != usize::MAX {
            body.block(block).terminator.for_each_operand(&mut look);
        }
    }
    is_settled
}

/// The values that one was computed from; `None` where memory or calls are among them.
fn sources(body: &Body, value: ValueId) -> Option<BTreeSet<ValueId>> {
    let mut found = BTreeSet::new();
    let mut queue = vec![value];
    while let Some(next) = queue.pop() {
        let mut add = |operand: &Operand| {
            if let Operand::Value(source) = operand
                && found.insert(*source)
            {
                queue.push(*source);
            }
        };
        for block in &body.blocks {
            for instr in block.instrs.iter().filter(|instr| instr.result == Some(next)) {
                match &instr.kind {
                    InstrKind::Pure(op) => op.for_each_operand(&mut add),
                    InstrKind::Pointer(_)
                    | InstrKind::Memory(_)
                    | InstrKind::VarArgs(_)
                    | InstrKind::Call(_)
                    | InstrKind::Check(_)
                    | InstrKind::Assume { .. }
                    | InstrKind::Mark(_)
                    | InstrKind::Unsupported { .. } => return None,
                }
            }
            for Target { block: to, args } in block.terminator.targets() {
                let params = body.block(*to).params.iter().zip(args);
                params.filter(|(param, _)| **param == next).for_each(|(_, arg)| add(arg));
            }
        }
    }
    Some(found)
}

/// The sources and whatever is computed from them by another way than through the value.
fn related(body: &Body, sources: &BTreeSet<ValueId>, value: ValueId) -> BTreeSet<ValueId> {
    let mut related = sources.clone();
    related.remove(&value);
    loop {
        let n_before = related.len();
        for block in &body.blocks {
            for instr in &block.instrs {
                let Some(result) = instr.result.filter(|&result| result != value) else { continue };
                let mut is_related = false;
                instr.kind.for_each_operand(|operand| {
                    is_related |= matches!(operand, Operand::Value(used) if related.contains(used));
                });
                if is_related {
                    related.insert(result);
                }
            }
            for Target { block: to, args } in block.terminator.targets() {
                for (param, arg) in body.block(*to).params.iter().zip(args) {
                    if *param != value
                        && matches!(arg, Operand::Value(used) if related.contains(used))
                    {
                        related.insert(*param);
                    }
                }
            }
        }
        if related.len() == n_before {
            return related;
        }
    }
}

fn definition(body: &Body, value: ValueId) -> Option<(BlockId, usize)> {
    body.block_ids().find_map(|block| {
        let instrs = &body.block(block).instrs;
        Some((block, instrs.iter().position(|instr| instr.result == Some(value))?))
    })
}

/// The blocks that control may come to from the end of a block.
fn blocks_after(body: &Body, block: BlockId) -> BTreeSet<BlockId> {
    let mut found = BTreeSet::new();
    let mut queue = vec![block];
    while let Some(block) = queue.pop() {
        for target in body.block(block).terminator.targets() {
            if found.insert(target.block) {
                queue.push(target.block);
            }
        }
    }
    found
}
