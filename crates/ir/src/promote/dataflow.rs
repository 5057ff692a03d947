//! Data flow over candidates: definite assignment forward, liveness backward.

use super::candidates::{Access, Candidates};
use crate::cfg::Cfg;
use crate::func::Body;
use crate::id::BlockId;

/// A set of candidates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    fn empty(n_bits: usize) -> BitSet {
        BitSet { words: vec![0; n_bits.div_ceil(64)] }
    }

    fn full(n_bits: usize) -> BitSet {
        BitSet { words: vec![u64::MAX; n_bits.div_ceil(64)] }
    }

    pub(super) fn contains(&self, bit: usize) -> bool {
        self.words[bit / 64] >> (bit % 64) & 1 == 1
    }

    fn insert(&mut self, bit: usize) {
        self.words[bit / 64] |= 1 << (bit % 64);
    }

    fn remove(&mut self, bit: usize) {
        self.words[bit / 64] &= !(1 << (bit % 64));
    }

    fn intersect(&mut self, other: &BitSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word &= other;
        }
    }

    fn union(&mut self, other: &BitSet) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// `(self without removed) with added`.
    fn updated(&self, removed: &BitSet, added: &BitSet) -> BitSet {
        let words = self
            .words
            .iter()
            .zip(&removed.words)
            .zip(&added.words)
            .map(|((word, removed), added)| word & !removed | added)
            .collect();
        BitSet { words }
    }
}

/// The candidates all of whose reads come after a write on every path.
pub(super) fn definitely_assigned(body: &Body, cfg: &Cfg, candidates: Candidates) -> Candidates {
    let n = candidates.list.len();
    let n_blocks = body.blocks.len();
    let mut assigned = vec![BitSet::empty(n); n_blocks];
    let mut forgotten = vec![BitSet::empty(n); n_blocks];
    for &block in &cfg.reverse_postorder {
        let (assigned, forgotten) = (&mut assigned[block.index()], &mut forgotten[block.index()]);
        for instr in &body.block(block).instrs {
            match candidates.access(&instr.kind) {
                Some(Access::Write(candidate)) => {
                    assigned.insert(candidate);
                    forgotten.remove(candidate);
                }
                Some(Access::Forget(candidate)) => {
                    forgotten.insert(candidate);
                    assigned.remove(candidate);
                }
                Some(Access::Read(_) | Access::Touch(_)) | None => {}
            }
        }
    }
    let mut at_end = vec![BitSet::full(n); n_blocks];
    let mut at_start = vec![BitSet::full(n); n_blocks];
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for &block in &cfg.reverse_postorder {
            let index = block.index();
            let mut start = if index == Body::ENTRY { BitSet::empty(n) } else { BitSet::full(n) };
            for pred in cfg.predecessors[index].iter().filter(|&&pred| cfg.is_reachable(pred)) {
                start.intersect(&at_end[pred.index()]);
            }
            let end = start.updated(&forgotten[index], &assigned[index]);
            at_start[index] = start;
            if end != at_end[index] {
                at_end[index] = end;
                has_changed = true;
            }
        }
    }
    let mut keep = vec![true; n];
    for &block in &cfg.reverse_postorder {
        let mut state = at_start[block.index()].clone();
        for instr in &body.block(block).instrs {
            match candidates.access(&instr.kind) {
                Some(Access::Write(candidate)) => state.insert(candidate),
                Some(Access::Forget(candidate)) => state.remove(candidate),
                Some(Access::Read(candidate)) => {
                    if !state.contains(candidate) {
                        keep[candidate] = false;
                    }
                }
                Some(Access::Touch(_)) | None => {}
            }
        }
    }
    candidates.filtered(&keep)
}

/// For each block, the candidates that are read after its start before they are written.
pub(super) fn live_in(body: &Body, cfg: &Cfg, candidates: &Candidates) -> Vec<BitSet> {
    let n = candidates.list.len();
    let n_blocks = body.blocks.len();
    let mut exposed = vec![BitSet::empty(n); n_blocks];
    let mut written = vec![BitSet::empty(n); n_blocks];
    for &block in &cfg.reverse_postorder {
        let (exposed, written) = (&mut exposed[block.index()], &mut written[block.index()]);
        for instr in body.block(block).instrs.iter().rev() {
            match candidates.access(&instr.kind) {
                Some(Access::Write(candidate) | Access::Forget(candidate)) => {
                    written.insert(candidate);
                    exposed.remove(candidate);
                }
                Some(Access::Read(candidate)) => exposed.insert(candidate),
                Some(Access::Touch(_)) | None => {}
            }
        }
    }
    let mut live = vec![BitSet::empty(n); n_blocks];
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for &block in cfg.reverse_postorder.iter().rev() {
            let mut out = BitSet::empty(n);
            for target in body.block(block).terminator.targets() {
                out.union(&live[target.block.index()]);
            }
            let new = out.updated(&written[block.index()], &exposed[block.index()]);
            if new != live[block.index()] {
                live[block.index()] = new;
                has_changed = true;
            }
        }
    }
    live
}

/// Blocks where paths from two different definitions may first meet, for every block.
pub(super) fn dominance_frontiers(body: &Body, cfg: &Cfg) -> Vec<Vec<BlockId>> {
    let mut frontiers = vec![Vec::new(); body.blocks.len()];
    for &block in &cfg.reverse_postorder {
        let preds: Vec<BlockId> = cfg.predecessors[block.index()]
            .iter()
            .copied()
            .filter(|&pred| cfg.is_reachable(pred))
            .collect();
        if preds.len() < 2 {
            continue;
        }
        let dominator = cfg.immediate_dominator(block);
        for pred in preds {
            let mut runner = Some(pred);
            while let Some(at) = runner.filter(|&at| Some(at) != dominator) {
                let frontier: &mut Vec<BlockId> = &mut frontiers[at.index()];
                if frontier.last() != Some(&block) {
                    frontier.push(block);
                }
                runner = cfg.immediate_dominator(at);
            }
        }
    }
    frontiers
}
