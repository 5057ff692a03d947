//! Shape of the control-flow graph: predecessors, orders, dominators, loops.

use crate::dominance;
use crate::func::Body;
use crate::id::BlockId;

/// Facts about the graph of one body. Blocks that the entry does not reach have no order and no
/// dominator.
#[derive(Debug, Clone)]
pub struct Cfg {
    /// One entry per edge; a block that branches twice to the same block is listed twice.
    pub predecessors: Vec<Vec<BlockId>>,
    /// Reachable blocks, each after all its predecessors except along back edges.
    pub reverse_postorder: Vec<BlockId>,
    // Position in `reverse_postorder`; `usize::MAX` when unreachable.
    order: Vec<usize>,
    immediate_dominators: Vec<Option<BlockId>>,
}

impl Cfg {
    pub fn new(body: &Body) -> Cfg {
        let n_blocks = body.blocks.len();
        let mut predecessors = vec![Vec::new(); n_blocks];
        for block in body.block_ids() {
            for target in body.block(block).terminator.targets() {
                predecessors[target.block.index()].push(block);
            }
        }
        let sequence = dominance::reverse_postorder(n_blocks, |block, next| {
            let targets = body.blocks[block].terminator.targets();
            targets.get(next).map(|target| target.block.index())
        });
        let order = dominance::positions(n_blocks, &sequence);
        let before = |block: usize| predecessors[block].iter().map(|block: &BlockId| block.index());
        let dominators = dominance::immediate_dominators(&sequence, &order, before);
        let immediate_dominators =
            dominators.into_iter().map(|block| block.map(BlockId::new)).collect();
        let reverse_postorder = sequence.into_iter().map(BlockId::new).collect();
        Cfg { predecessors, reverse_postorder, order, immediate_dominators }
    }

    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.order[block.index()] != usize::MAX
    }

    /// Position in reverse postorder; reachable blocks only.
    pub fn order(&self, block: BlockId) -> usize {
        self.order[block.index()]
    }

    /// `None` for the entry and for unreachable blocks.
    pub fn immediate_dominator(&self, block: BlockId) -> Option<BlockId> {
        self.immediate_dominators[block.index()]
    }

    /// Every path from the entry to `block` passes `dominator`. A block dominates itself.
    pub fn dominates(&self, dominator: BlockId, mut block: BlockId) -> bool {
        loop {
            if block == dominator {
                return true;
            }
            match self.immediate_dominator(block) {
                Some(next) => block = next,
                None => return false,
            }
        }
    }
}

/// The dominator tree, for questions asked often: dominance in constant time, children in order.
#[derive(Debug, Clone)]
pub struct DominatorTree {
    /// Blocks that this block immediately dominates, in reverse postorder.
    pub children: Vec<Vec<BlockId>>,
    // Entry and exit times of a depth-first walk; (1, 0) for unreachable blocks.
    times: Vec<(u32, u32)>,
}

impl DominatorTree {
    pub fn new(cfg: &Cfg) -> DominatorTree {
        let n_blocks = cfg.predecessors.len();
        let mut children = vec![Vec::new(); n_blocks];
        for &block in &cfg.reverse_postorder {
            if let Some(dominator) = cfg.immediate_dominator(block) {
                children[dominator.index()].push(block);
            }
        }
        let mut times = vec![(1, 0); n_blocks];
        let mut time = 0;
        let mut stack = vec![(BlockId::new(Body::ENTRY), 0)];
        while let Some((block, next)) = stack.pop() {
            if next == 0 {
                time += 1;
                times[block.index()].0 = time;
            }
            if let Some(&child) = children[block.index()].get(next) {
                stack.push((block, next + 1));
                stack.push((child, 0));
            } else {
                times[block.index()].1 = time;
            }
        }
        DominatorTree { children, times }
    }

    /// Every path from the entry to `block` passes `dominator`. A reachable block dominates itself.
    pub fn dominates(&self, dominator: BlockId, block: BlockId) -> bool {
        let (start, end) = self.times[dominator.index()];
        let (at, last) = self.times[block.index()];
        start <= at && at <= end && at <= last
    }
}
