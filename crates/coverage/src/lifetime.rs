//! Locals whose scope may have ended where a pointer to them is still used.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{BlockId, Body, Instr, InstrKind, LocalId, MemoryOp};

use crate::facts::Site;

/// By block: the locals that may have ended when control enters it.
#[derive(Debug)]
pub(crate) struct Lifetimes<'a> {
    body: &'a Body,
    ended: BTreeMap<BlockId, BTreeSet<LocalId>>,
}

impl<'a> Lifetimes<'a> {
    pub(crate) fn of(body: &'a Body) -> Lifetimes<'a> {
        let mut lifetimes = Lifetimes { body, ended: BTreeMap::new() };
        let mut waiting: Vec<BlockId> = body.block_ids().collect();
        while let Some(block) = waiting.pop() {
            let content = body.block(block);
            let ended = lifetimes.after(block, &content.instrs);
            for target in content.terminator.targets() {
                let known = lifetimes.ended.entry(target.block).or_default();
                let n_known = known.len();
                known.extend(&ended);
                if known.len() > n_known {
                    waiting.push(target.block);
                }
            }
        }
        lifetimes
    }

    /// Whether the local's scope may have ended when control stands before the instruction.
    pub(crate) fn may_have_ended(&self, local: LocalId, site: Site) -> bool {
        let before = &self.body.block(site.block).instrs[..site.instr as usize];
        self.after(site.block, before).contains(&local)
    }

    fn after(&self, block: BlockId, instrs: &[Instr]) -> BTreeSet<LocalId> {
        let mut ended = self.ended.get(&block).cloned().unwrap_or_default();
        for instr in instrs {
            if let InstrKind::Memory(MemoryOp::LocalStart(local)) = instr.kind {
                ended.remove(&local);
            }
            if let InstrKind::Memory(MemoryOp::LocalEnd(local)) = instr.kind {
                ended.insert(local);
            }
        }
        ended
    }
}
