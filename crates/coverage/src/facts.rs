//! Facts: what runs of one function did.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{BlockId, Body, DecisionId, Instr, VarRef};

/// An instruction of one function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    pub block: BlockId,
    pub instr: u32,
}

impl Site {
    /// The instructions of a block.
    pub fn in_block(body: &Body, block: BlockId) -> impl Iterator<Item = (Site, &Instr)> {
        let instrs = (0u32..).zip(&body.block(block).instrs);
        instrs.map(move |(instr, content)| (Site { block, instr }, content))
    }

    /// All instructions of a function, block by block.
    pub fn all(body: &Body) -> impl Iterator<Item = (Site, &Instr)> {
        body.block_ids().flat_map(|block| Site::in_block(body, block))
    }
}

/// What one run (or several) did in one function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    pub blocks: BTreeSet<BlockId>,
    pub edges: BTreeSet<(BlockId, u32)>,
    pub evaluations: BTreeMap<DecisionId, BTreeSet<Evaluation>>,
    /// (variable, definition, use).
    pub def_uses: BTreeSet<(VarRef, Site, Site)>,
    /// The edges of each activation, in order. Long activations may be cut.
    pub activations: Vec<Vec<(BlockId, u32)>>,
    /// The check that ended the run.
    pub failed_check: Option<Site>,
    /// Blocks that no activation went through to their end, with the instruction that the run ended in.
    pub ended_in: BTreeMap<BlockId, u32>,
}

impl Facts {
    /// Whether control came to an instruction.
    pub fn has_reached(&self, site: Site) -> bool {
        let is_before_end = |last: &u32| site.instr <= *last;
        self.blocks.contains(&site.block)
            && self.ended_in.get(&site.block).is_none_or(is_before_end)
    }
}

/// One way a decision was evaluated.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Evaluation {
    /// By condition: its value, or `None` where short-circuiting skipped it.
    pub conditions: Vec<Option<bool>>,
    pub outcome: bool,
}
