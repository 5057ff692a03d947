//! The length of an array never changes: where it was read before on every way, it is not read again. Proofs about
//! indices then see one length, whatever is written in between.

use std::collections::BTreeMap;

use glassbox_ir::cfg::Cfg;
use glassbox_ir::object_layout::ARRAY_LENGTH;
use glassbox_ir::{BlockId, Body, InstrKind, MemoryOp, Operand, PointerOp, Ty, ValueId};
use glassbox_values::Bits;

/// Tables are filled by code with thousands of reads, about which nothing is to be shown.
const MAX_READS: usize = 500;

/// Shares the lengths in the body of a method. In code that was bytecode nothing else lies where lengths do.
pub(super) fn share(body: &mut Body) {
    let reads = reads(body);
    if reads.len() > MAX_READS {
        return;
    }
    let cfg = Cfg::new(body);
    // By value: the one that is used instead.
    let mut instead: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    for (position, read) in reads.iter().enumerate() {
        let before = reads[..position].iter().chain(&reads[position + 1..]).find(|other| {
            other.array == read.array
                && !instead.contains_key(&other.length)
                && if other.block == read.block {
                    other.instr < read.instr
                } else {
                    cfg.dominates(other.block, read.block)
                }
        });
        if let Some(before) = before {
            instead.insert(read.length, before.length);
        }
    }
    if instead.is_empty() {
        return;
    }
    let replace = |operand: &mut Operand| {
        while let Operand::Value(value) = operand
            && let Some(other) = instead.get(value)
        {
            *operand = Operand::Value(*other);
        }
    };
    for block in &mut body.blocks {
        block.instrs.retain(|instr| instr.result.is_none_or(|it| !instead.contains_key(&it)));
        for instr in &mut block.instrs {
            instr.kind.for_each_operand_mut(replace);
        }
        block.terminator.for_each_operand_mut(replace);
        for target in block.terminator.targets_mut() {
            target.args.iter_mut().for_each(replace);
        }
    }
    glassbox_ir::simplify_cfg::simplify_cfg(body);
}

struct Read {
    array: Operand,
    length: ValueId,
    block: BlockId,
    instr: usize,
}

fn reads(body: &Body) -> Vec<Read> {
    let mut places: BTreeMap<ValueId, Operand> = BTreeMap::new();
    let at = Operand::Int(Bits::new(ARRAY_LENGTH.into(), 64));
    for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
        if let InstrKind::Pointer(PointerOp::Add { base, offset }) = &instr.kind
            && *offset == at
            && let Some(place) = instr.result
        {
            places.insert(place, *base);
        }
    }
    let mut reads = Vec::new();
    for block in body.block_ids() {
        for (instr, content) in body.block(block).instrs.iter().enumerate() {
            if let InstrKind::Memory(MemoryOp::Load {
                ty: Ty::I32, ptr: Operand::Value(place), ..
            }) = &content.kind
                && let (Some(&array), Some(length)) = (places.get(place), content.result)
            {
                reads.push(Read { array, length, block, instr });
            }
        }
    }
    reads
}
