//! Shape of the control-flow graph: predecessors, orders, dominators, loops.

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
        let reverse_postorder = reverse_postorder(body);
        let mut order = vec![usize::MAX; n_blocks];
        for (position, block) in reverse_postorder.iter().enumerate() {
            order[block.index()] = position;
        }
        let immediate_dominators = dominators(&predecessors, &reverse_postorder, &order);
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

fn reverse_postorder(body: &Body) -> Vec<BlockId> {
    let mut postorder = Vec::new();
    let mut is_seen = vec![false; body.blocks.len()];
    let entry = BlockId::new(Body::ENTRY);
    is_seen[entry.index()] = true;
    // An explicit stack of (block, next successor): bodies may be deeper than the host's stack.
    let mut stack = vec![(entry, 0)];
    while let Some((block, next)) = stack.pop() {
        let targets = body.block(block).terminator.targets();
        if let Some(target) = targets.get(next) {
            stack.push((block, next + 1));
            if !is_seen[target.block.index()] {
                is_seen[target.block.index()] = true;
                stack.push((target.block, 0));
            }
        } else {
            postorder.push(block);
        }
    }
    postorder.reverse();
    postorder
}

/// Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm" (2001).
fn dominators(
    predecessors: &[Vec<BlockId>],
    reverse_postorder: &[BlockId],
    order: &[usize],
) -> Vec<Option<BlockId>> {
    // Positions in reverse postorder stand for blocks; the entry is its own dominator meanwhile.
    let mut dominator = vec![usize::MAX; reverse_postorder.len()];
    dominator[0] = 0;
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for position in 1..reverse_postorder.len() {
            let mut new = usize::MAX;
            for pred in &predecessors[reverse_postorder[position].index()] {
                let mut finger = order[pred.index()];
                if finger == usize::MAX || dominator[finger] == usize::MAX {
                    continue;
                }
                if new == usize::MAX {
                    new = finger;
                    continue;
                }
                while new != finger {
                    while finger > new {
                        finger = dominator[finger];
                    }
                    while new > finger {
                        new = dominator[new];
                    }
                }
            }
            if dominator[position] != new {
                dominator[position] = new;
                has_changed = true;
            }
        }
    }
    let mut result = vec![None; predecessors.len()];
    for position in 1..reverse_postorder.len() {
        result[reverse_postorder[position].index()] = Some(reverse_postorder[dominator[position]]);
    }
    result
}
