//! How far blocks of other functions are from a call of the function whose goals are looked for, where runs start elsewhere.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use glassbox_coverage::scope::{Calls, addressed, scope};
use glassbox_ir::{BlockId, Body, FuncId, Program};

use crate::aim::Aim;
use crate::distance::UNREACHABLE;

/// The ways to a function.
#[derive(Debug)]
pub(crate) struct Leading {
    /// By function, then by block: edges and calls to the nearest call.
    by_function: BTreeMap<FuncId, Vec<u32>>,
}

impl Leading {
    /// `None` where runs begin with the function. Programs over objects have all of their library around them, which
    /// would cost more than it helps.
    pub(crate) fn to(program: &Program, aim: Aim) -> Option<Leading> {
        if aim.starts_with_function(program) || program.language.has_objects() {
            return None;
        }
        let addressed = addressed(program);
        let mut callees: BTreeMap<FuncId, Vec<BTreeSet<FuncId>>> = BTreeMap::new();
        for function in scope(program, aim.entry, &[]).into_iter().chain([aim.entry]) {
            let Some(body) = &program.function(function).body else { continue };
            let by_block = body.block_ids().map(|block| called(program, body, block, &addressed));
            callees.insert(function, by_block.collect());
        }
        let mut leading = Leading { by_function: BTreeMap::new() };
        // Each round knows of one more call on the way.
        loop {
            let mut is_new = false;
            for (&function, by_block) in &callees {
                let known = leading.blocks(program.body(function), by_block, aim.function);
                if leading.by_function.get(&function) != Some(&known) {
                    leading.by_function.insert(function, known);
                    is_new = true;
                }
            }
            if !is_new {
                return Some(leading);
            }
        }
    }

    /// From a block to the nearest call of the function.
    pub(crate) fn from(&self, function: FuncId, block: BlockId) -> u32 {
        let by_block = self.by_function.get(&function);
        by_block.and_then(|it| it.get(block.index()).copied()).unwrap_or(UNREACHABLE)
    }

    fn blocks(&self, body: &Body, callees: &[BTreeSet<FuncId>], goal: FuncId) -> Vec<u32> {
        let beyond = |callee: &FuncId| {
            if *callee == goal {
                return 1;
            }
            self.from(*callee, BlockId::new(Body::ENTRY)).saturating_add(1)
        };
        let nearest = |callees: &BTreeSet<FuncId>| callees.iter().map(beyond).min();
        let mut distances: Vec<u32> =
            callees.iter().map(|own| nearest(own).unwrap_or(UNREACHABLE)).collect();
        let mut predecessors = vec![Vec::new(); body.blocks.len()];
        for block in body.block_ids() {
            for target in body.block(block).terminator.targets() {
                predecessors[target.block.index()].push(block);
            }
        }
        let mut queue: VecDeque<BlockId> = body.block_ids().collect();
        while let Some(block) = queue.pop_front() {
            let next = distances[block.index()].saturating_add(1);
            for &before in &predecessors[block.index()] {
                if next < distances[before.index()] {
                    distances[before.index()] = next;
                    queue.push_back(before);
                }
            }
        }
        distances
    }
}

/// What a block may call.
fn called(
    program: &Program,
    body: &Body,
    block: BlockId,
    addressed: &BTreeSet<FuncId>,
) -> BTreeSet<FuncId> {
    let mut calls = Calls::default();
    calls.add_block(program, body, block);
    if calls.through_pointer || calls.from_outside {
        calls.direct.extend(addressed);
    }
    calls.direct
}
