//! Rewriting: parameters where values meet, and values in place of reads.

use glassbox_values::{Bits, Float};

use super::candidates::{Access, Candidates};
use super::dataflow::{BitSet, dominance_frontiers};
use crate::cfg::{Cfg, DominatorTree};
use crate::func::Body;
use crate::id::{BlockId, LocalId, ValueId};
use crate::instr::{InstrKind, MemoryOp, Operand, PointerOp};
use crate::ty::Ty;

pub(super) fn rewrite(
    body: &mut Body,
    cfg: &Cfg,
    tree: &DominatorTree,
    candidates: &Candidates,
    live: &[BitSet],
) {
    let params = place_params(body, cfg, candidates, live);
    let mut renaming = Renaming {
        candidates,
        params: &params,
        replacement: vec![None; body.values.len()],
        current: vec![None; candidates.list.len()],
        undo: Vec::new(),
    };
    // Each block after its dominator, with what holds at the dominator's end.
    let mut stack = vec![(BlockId::new(Body::ENTRY), 0)];
    let mut marks: Vec<usize> = Vec::new();
    while let Some((block, next)) = stack.pop() {
        if next == 0 {
            marks.push(renaming.undo.len());
            renaming.block(body, block);
        }
        if let Some(&child) = tree.children[block.index()].get(next) {
            stack.push((block, next + 1));
            stack.push((child, 0));
        } else {
            let mark = marks.pop().expect("every block left was entered");
            renaming.undo_to(mark);
        }
    }
    for block in body.block_ids() {
        if !cfg.is_reachable(block) {
            renaming.block(body, block);
            renaming.undo_to(0);
        }
    }
    crate::simplify_cfg::replace_values(body, &renaming.replacement);
    remove_locals(body, candidates);
}

/// New block parameters: for each block, the candidates they stand for.
fn place_params(
    body: &mut Body,
    cfg: &Cfg,
    candidates: &Candidates,
    live: &[BitSet],
) -> Vec<Vec<(usize, ValueId)>> {
    let frontiers = dominance_frontiers(body, cfg);
    let mut writers: Vec<Vec<BlockId>> = vec![Vec::new(); candidates.list.len()];
    for &block in &cfg.reverse_postorder {
        for instr in &body.block(block).instrs {
            if let Some(Access::Write(candidate)) = candidates.access(&instr.kind)
                && writers[candidate].last() != Some(&block)
            {
                writers[candidate].push(block);
            }
        }
    }
    let mut params: Vec<Vec<(usize, ValueId)>> = vec![Vec::new(); body.blocks.len()];
    // Candidate numbers instead of flags, so that the tables need no clearing between candidates.
    let mut placed_for = vec![usize::MAX; body.blocks.len()];
    for (candidate, &(_, ty)) in candidates.list.iter().enumerate() {
        let mut work = writers[candidate].clone();
        while let Some(block) = work.pop() {
            for &meeting in &frontiers[block.index()] {
                let index = meeting.index();
                if placed_for[index] == candidate || !live[index].contains(candidate) {
                    continue;
                }
                placed_for[index] = candidate;
                let value = ValueId::new(body.values.len());
                body.values.push(ty);
                body.blocks[index].params.push(value);
                params[index].push((candidate, value));
                work.push(meeting);
            }
        }
    }
    params
}

struct Renaming<'a> {
    candidates: &'a Candidates,
    params: &'a [Vec<(usize, ValueId)>],
    /// What stands for a value that was a read.
    replacement: Vec<Option<Operand>>,
    /// What each candidate holds here.
    current: Vec<Option<Operand>>,
    undo: Vec<(usize, Option<Operand>)>,
}

impl Renaming<'_> {
    fn set(&mut self, candidate: usize, value: Operand) {
        let old = self.current[candidate].replace(value);
        self.undo.push((candidate, old));
    }

    fn undo_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            let (candidate, old) = self.undo.pop().expect("the log should be that long");
            self.current[candidate] = old;
        }
    }

    fn value_of(&self, candidate: usize) -> Operand {
        // Without a value only unreachable code can ask; any will do.
        self.current[candidate].unwrap_or_else(|| zero(self.candidates.list[candidate].1))
    }

    fn block(&mut self, body: &mut Body, block: BlockId) {
        for &(candidate, value) in &self.params[block.index()] {
            self.set(candidate, Operand::Value(value));
        }
        let mut instrs = std::mem::take(&mut body.blocks[block.index()].instrs);
        instrs.retain(|instr| match self.candidates.access(&instr.kind) {
            None => true,
            Some(Access::Touch(_) | Access::Forget(_)) => false,
            Some(Access::Read(candidate)) => {
                if let Some(result) = instr.result {
                    self.replacement[result.index()] = Some(self.value_of(candidate));
                }
                false
            }
            Some(Access::Write(candidate)) => {
                if let InstrKind::Memory(MemoryOp::Store { value, .. }) = instr.kind {
                    // Replaced reads are resolved here, so that chains stay short.
                    let value = self.resolve(value);
                    self.set(candidate, value);
                }
                false
            }
        });
        body.blocks[block.index()].instrs = instrs;
        let params = self.params;
        let mut terminator = std::mem::replace(
            &mut body.blocks[block.index()].terminator,
            crate::block::Terminator::Unreachable,
        );
        for target in terminator.targets_mut() {
            for &(candidate, _) in &params[target.block.index()] {
                target.args.push(self.value_of(candidate));
            }
        }
        body.blocks[block.index()].terminator = terminator;
    }

    fn resolve(&self, operand: Operand) -> Operand {
        let Operand::Value(value) = operand else { return operand };
        self.replacement.get(value.index()).copied().flatten().unwrap_or(operand)
    }
}

fn zero(ty: Ty) -> Operand {
    match ty {
        Ty::Int(width) => Operand::Int(Bits::zero(width)),
        Ty::Float(format) => Operand::Float(Float::from_bits(0, format)),
        Ty::Ptr => Operand::NullPtr,
    }
}

/// Takes promoted locals out of the list and renumbers the others.
fn remove_locals(body: &mut Body, candidates: &Candidates) {
    let mut number: Vec<Option<LocalId>> = Vec::with_capacity(body.locals.len());
    let mut locals = Vec::new();
    for (local, position) in std::mem::take(&mut body.locals).into_iter().zip(&candidates.of_local)
    {
        if position.is_some() {
            number.push(None);
        } else {
            number.push(Some(LocalId::new(locals.len())));
            locals.push(local);
        }
    }
    body.locals = locals;
    for var in &mut body.vars {
        var.local = var.local.and_then(|local| number[local.index()]);
    }
    for block in &mut body.blocks {
        for instr in &mut block.instrs {
            if let InstrKind::Pointer(PointerOp::LocalAddr(local))
            | InstrKind::Memory(MemoryOp::LocalStart(local) | MemoryOp::LocalEnd(local)) =
                &mut instr.kind
            {
                *local = number[local.index()].expect("a promoted local should have no uses left");
            }
        }
    }
}
