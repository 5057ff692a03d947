//! A tidier control-flow graph with the same meaning.
//!
//! On exit: no block that only jumps on (unless it is a loop of its own), no block that could be one
//! with its only predecessor, no edge from an unreachable block to a reachable one, blocks in reverse
//! postorder, values without gaps. Unreachable blocks stay exactly when they hold marks: dead
//! statements are goals too, and nothing leaves the denominator silently. Marks, checks, decisions and
//! branch origins stay; a branch stays a branch even if both edges lead to the same block.

use crate::block::{Target, Terminator};
use crate::cfg::Cfg;
use crate::func::Body;
use crate::id::{BlockId, ValueId};
use crate::instr::{InstrKind, Operand};
use crate::mark::Mark;

/// See the module's header.
pub fn simplify_cfg(body: &mut Body) {
    separate_dead_code(body);
    thread_empty_blocks(body);
    merge_chains(body);
    sort_blocks(body);
    renumber_values(body);
}

/// Makes edges from dead blocks to live ones lead to a dead block without successors, and empties dead
/// blocks that hold no mark.
fn separate_dead_code(body: &mut Body) {
    let cfg = Cfg::new(body);
    if cfg.reverse_postorder.len() == body.blocks.len() {
        return;
    }
    let n_blocks = body.blocks.len();
    let is_live: Vec<bool> =
        (0..n_blocks).map(|index| cfg.is_reachable(BlockId::new(index))).collect();
    let end = BlockId::new(n_blocks);
    let mut needs_end = false;
    for (block, &is_live_block) in body.blocks.iter_mut().zip(&is_live) {
        if is_live_block {
            continue;
        }
        if let Terminator::Jump(target) = &block.terminator
            && is_live[target.block.index()]
        {
            block.terminator = Terminator::Unreachable;
        }
        for target in block.terminator.targets_mut() {
            if is_live[target.block.index()] {
                *target = Target::new(end);
                needs_end = true;
            }
        }
    }
    if needs_end {
        let span = body.blocks[Body::ENTRY].terminator_span;
        body.blocks.push(crate::block::Block {
            params: Vec::new(),
            instrs: Vec::new(),
            terminator: Terminator::Unreachable,
            terminator_span: span,
        });
    }
}

/// Lets edges skip blocks without parameters that hold nothing but a jump.
fn thread_empty_blocks(body: &mut Body) {
    let n_blocks = body.blocks.len();
    let is_empty = |body: &Body, block: BlockId| {
        block.index() != Body::ENTRY
            && body.block(block).params.is_empty()
            && body.block(block).instrs.is_empty()
    };
    // Where each empty block finally leads; `None` for blocks that stay.
    let mut final_target: Vec<Option<Target>> = vec![None; n_blocks];
    for start in (0..n_blocks).map(BlockId::new) {
        let mut at = start;
        let mut last: Option<Target> = None;
        // A cycle of empty blocks is a loop that must stay; its length bounds the walk.
        for _ in 0..n_blocks {
            if !is_empty(body, at) {
                break;
            }
            let Terminator::Jump(target) = &body.block(at).terminator else { break };
            if target.block == start {
                last = None;
                break;
            }
            last = Some(target.clone());
            at = target.block;
        }
        final_target[start.index()] = last;
    }
    for block in &mut body.blocks {
        for target in block.terminator.targets_mut() {
            if let Some(new) = &final_target[target.block.index()] {
                *target = new.clone();
            }
        }
    }
}

/// Joins blocks with the only block that jumps to them.
fn merge_chains(body: &mut Body) {
    let n_blocks = body.blocks.len();
    let mut n_predecessors = vec![0u32; n_blocks];
    for block in &body.blocks {
        for target in block.terminator.targets() {
            n_predecessors[target.block.index()] += 1;
        }
    }
    let mut replacement: Vec<Option<Operand>> = vec![None; body.values.len()];
    let mut is_merged = vec![false; n_blocks];
    for index in 0..n_blocks {
        if is_merged[index] {
            continue;
        }
        while let Terminator::Jump(target) = &body.blocks[index].terminator {
            let next = target.block.index();
            if next == index || next == Body::ENTRY || n_predecessors[next] != 1 {
                break;
            }
            let args = target.args.clone();
            let terminator_span = body.blocks[index].terminator_span;
            let taken = std::mem::replace(
                &mut body.blocks[next],
                crate::block::Block {
                    params: Vec::new(),
                    instrs: Vec::new(),
                    terminator: Terminator::Unreachable,
                    terminator_span,
                },
            );
            is_merged[next] = true;
            for (param, arg) in taken.params.iter().zip(args) {
                replacement[param.index()] = Some(arg);
            }
            let block = &mut body.blocks[index];
            block.instrs.extend(taken.instrs);
            block.terminator = taken.terminator;
            block.terminator_span = taken.terminator_span;
        }
    }
    replace_values(body, &replacement);
}

/// Puts replacements in place of values, following chains.
pub(crate) fn replace_values(body: &mut Body, replacement: &[Option<Operand>]) {
    if replacement.iter().all(Option::is_none) {
        return;
    }
    let resolve = |operand: &mut Operand| {
        while let Operand::Value(value) = *operand {
            match replacement.get(value.index()).copied().flatten() {
                Some(new) => *operand = new,
                None => break,
            }
        }
    };
    for block in &mut body.blocks {
        for instr in &mut block.instrs {
            instr.kind.for_each_operand_mut(resolve);
        }
        block.terminator.for_each_operand_mut(resolve);
    }
}

/// Numbers blocks in reverse postorder, dead ones that hold marks (or are reached from such) last, and
/// drops the others.
fn sort_blocks(body: &mut Body) {
    let mut order = order_of_source(body);
    let mut is_kept = vec![false; body.blocks.len()];
    for block in &order {
        is_kept[block.index()] = true;
    }
    for start in body.block_ids() {
        if is_kept[start.index()] || !holds_mark(body, start) {
            continue;
        }
        let mut stack = vec![start];
        while let Some(block) = stack.pop() {
            if std::mem::replace(&mut is_kept[block.index()], true) {
                continue;
            }
            order.push(block);
            let targets = body.block(block).terminator.targets();
            stack.extend(targets.into_iter().rev().map(|target| target.block));
        }
    }
    let mut number = vec![BlockId::new(0); body.blocks.len()];
    for (position, block) in order.iter().enumerate() {
        number[block.index()] = BlockId::new(position);
    }
    let mut old: Vec<Option<crate::block::Block>> =
        std::mem::take(&mut body.blocks).into_iter().map(Some).collect();
    body.blocks = order
        .iter()
        .map(|block| old[block.index()].take().expect("a block should be listed once"))
        .collect();
    for block in &mut body.blocks {
        for target in block.terminator.targets_mut() {
            target.block = number[target.block.index()];
        }
    }
}

/// Reachable blocks in the reverse postorder that has the true side of a branch before the false side, as
/// people write them.
fn order_of_source(body: &Body) -> Vec<BlockId> {
    let mut postorder = Vec::new();
    let mut is_seen = vec![false; body.blocks.len()];
    is_seen[Body::ENTRY] = true;
    let mut stack = vec![(BlockId::new(Body::ENTRY), 0)];
    while let Some((block, next)) = stack.pop() {
        let targets = body.block(block).terminator.targets();
        if next < targets.len() {
            stack.push((block, next + 1));
            let target = targets[targets.len() - 1 - next].block;
            if !std::mem::replace(&mut is_seen[target.index()], true) {
                stack.push((target, 0));
            }
        } else {
            postorder.push(block);
        }
    }
    postorder.reverse();
    postorder
}

fn holds_mark(body: &Body, block: BlockId) -> bool {
    let is_statement = |kind: &InstrKind| {
        matches!(
            kind,
            InstrKind::Mark(
                Mark::Statement | Mark::Instruction | Mark::Unsigned | Mark::Def(_) | Mark::Use(..)
            )
        )
    };
    let has_origin =
        matches!(body.block(block).terminator, Terminator::Branch { origin: Some(_), .. });
    has_origin || body.block(block).instrs.iter().any(|instr| is_statement(&instr.kind))
}

/// Numbers values without gaps, in the order of their definitions.
pub(crate) fn renumber_values(body: &mut Body) {
    let mut number: Vec<Option<ValueId>> = vec![None; body.values.len()];
    let mut types = Vec::new();
    let mut define = |value: &mut ValueId, old_types: &[crate::ty::Ty]| {
        let new = ValueId::new(types.len());
        types.push(old_types[value.index()]);
        number[value.index()] = Some(new);
        *value = new;
    };
    for block in &mut body.blocks {
        for param in &mut block.params {
            define(param, &body.values);
        }
        for instr in &mut block.instrs {
            if let Some(result) = &mut instr.result {
                define(result, &body.values);
            }
        }
    }
    let rename = |operand: &mut Operand| {
        if let Operand::Value(value) = operand {
            *value = number[value.index()].expect("a value that is used should be defined");
        }
    };
    for block in &mut body.blocks {
        for instr in &mut block.instrs {
            instr.kind.for_each_operand_mut(rename);
        }
        block.terminator.for_each_operand_mut(rename);
    }
    body.values = types;
}
