//! Values that an unmodeled construct may have changed: assembly with outputs, a function inside of the
//! function, a second return of `setjmp`.
//!
//! SSA values live in no memory, so that forgetting memory does not forget them. A value is stale where it is used
//! if control may have come from its definition through such a construct; blocks decide, not instructions.

use glassbox_ir::{BlockId, Body, Program, ValueId};
use glassbox_model::library;

/// Which values are stale in which blocks of one activation.
#[derive(Debug, Default)]
pub(super) struct Stale {
    /// By value: control may come from its definition to such a construct.
    comes_before: Vec<bool>,
    /// By block: control may have come from such a construct.
    follows: Vec<bool>,
}

impl Stale {
    pub(super) fn new(program: &Program, body: &Body) -> Stale {
        let found: Vec<BlockId> = body
            .block_ids()
            .filter(|&id| library::has_hidden_control(program, body.block(id)))
            .collect();
        if found.is_empty() {
            return Stale::default();
        }
        let successors =
            |id: BlockId| body.block(id).terminator.targets().into_iter().map(|t| t.block);
        let mut follows = vec![false; body.blocks.len()];
        let mut open: Vec<BlockId> = found.iter().flat_map(|&id| successors(id)).collect();
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut follows[id.index()], true) {
                open.extend(successors(id));
            }
        }
        let mut leads = vec![false; body.blocks.len()];
        found.iter().for_each(|id| leads[id.index()] = true);
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for id in body.block_ids() {
                if !leads[id.index()] && successors(id).any(|next| leads[next.index()]) {
                    leads[id.index()] = true;
                    has_changed = true;
                }
            }
        }
        let mut comes_before = vec![false; body.values.len()];
        for id in body.block_ids().filter(|id| leads[id.index()]) {
            let block = body.block(id);
            let results = block.instrs.iter().filter_map(|instr| instr.result);
            for value in block.params.iter().copied().chain(results) {
                comes_before[value.index()] = true;
            }
        }
        Stale { comes_before, follows }
    }

    /// Such a construct has just been passed in this block.
    pub(super) fn pass(&mut self, block: BlockId) {
        if let Some(follows) = self.follows.get_mut(block.index()) {
            *follows = true;
        }
    }

    pub(super) fn has(&self, value: ValueId, block: BlockId) -> bool {
        self.follows.get(block.index()).is_some_and(|&follows| follows)
            && self.comes_before[value.index()]
    }
}
