//! Where control can go from a block of the function under test, over calls too; and what has to be
//! passed on the way to a property.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_coverage::Property;
use glassbox_coverage::running::Running;
use glassbox_coverage::scope::{Calls, addressed};
use glassbox_ir::{BlockId, Body, DecisionId, FuncId, Program, Terminator};

use crate::proof::always_fails;

/// Reachability over blocks of one function and over the call graph; coarse, never too small.
#[derive(Debug)]
pub(super) struct Places<'a> {
    program: &'a Program,
    entry: FuncId,
    by_block: BTreeMap<BlockId, Ahead>,
    /// Functions whose address is taken anywhere.
    addressed: BTreeSet<FuncId>,
    /// Those that may run.
    running: BTreeSet<FuncId>,
}

/// What lies ahead of a block.
#[derive(Debug, Clone, Default)]
struct Ahead {
    blocks: BTreeSet<BlockId>,
    functions: BTreeSet<FuncId>,
}

impl<'a> Places<'a> {
    pub(super) fn new(program: &'a Program, entry: FuncId) -> Places<'a> {
        let running = Running::of(program).on_behalf_of(entry);
        let addressed = addressed(program);
        Places { program, entry, by_block: BTreeMap::new(), addressed, running }
    }

    /// Whether a run that is at `from` can still come to the property.
    pub(super) fn lies_ahead(&mut self, from: BlockId, property: &Property) -> bool {
        let ahead = match self.by_block.get(&from) {
            Some(ahead) => ahead.clone(),
            None => {
                let ahead = self.ahead(from);
                self.by_block.insert(from, ahead.clone());
                ahead
            }
        };
        // Recursion leads back to any block.
        let is_called_again = ahead.functions.contains(&self.entry);
        if property.function != self.entry {
            return ahead.functions.contains(&property.function);
        }
        // A property that only a run showed has no sites.
        is_called_again
            || property.sites.is_empty()
            || property.sites.iter().any(|site| ahead.blocks.contains(&site.block))
    }

    fn ahead(&self, from: BlockId) -> Ahead {
        let body = self.program.body(self.entry);
        let (mut ahead, mut calls) = (Ahead::default(), Calls::default());
        let mut queue = vec![from];
        while let Some(block) = queue.pop() {
            if !ahead.blocks.insert(block) {
                continue;
            }
            calls.add_block(self.program, body, block);
            queue.extend(body.block(block).terminator.targets().iter().map(|t| t.block));
        }
        loop {
            let new: Vec<FuncId> =
                self.callees(&calls).difference(&ahead.functions).copied().collect();
            if new.is_empty() {
                return ahead;
            }
            for &function in &new {
                calls.add_function(self.program, function);
            }
            ahead.functions.extend(new);
        }
    }

    /// Blocks whose end shows that a run came to the property, for checks that always fail: what counts
    /// there is the decision before. `None` when the instruction itself is what counts.
    pub(super) fn guards(&self, property: &Property) -> Option<BTreeSet<(FuncId, BlockId)>> {
        let body = self.program.body(property.function);
        if property.sites.is_empty() || !property.sites.iter().all(|&site| always_fails(body, site))
        {
            return None;
        }
        let mut guards = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for site in &property.sites {
            self.add_guards(property.function, site.block, &mut guards, &mut seen);
        }
        Some(guards)
    }

    fn add_guards(
        &self,
        function: FuncId,
        block: BlockId,
        guards: &mut BTreeSet<(FuncId, BlockId)>,
        seen: &mut BTreeSet<(FuncId, BlockId)>,
    ) {
        if !seen.insert((function, block)) {
            return;
        }
        let body = self.program.body(function);
        for before in body.block_ids() {
            let terminator = &body.block(before).terminator;
            if terminator.targets().iter().any(|target| target.block == block) {
                match terminator {
                    // A jump decides nothing: look further back.
                    Terminator::Jump(_) => self.add_guards(function, before, guards, seen),
                    Terminator::Branch { origin: Some(origin), .. } => {
                        // `a || b` decides as soon as one operand does.
                        guards.insert((function, before));
                        guards.extend(
                            of_decision(body, origin.decision).map(|block| (function, block)),
                        );
                    }
                    Terminator::Branch { origin: None, .. }
                    | Terminator::Switch { .. }
                    | Terminator::Return(_)
                    | Terminator::Unreachable => {
                        guards.insert((function, before));
                    }
                }
            }
        }
        if block.index() != Body::ENTRY {
            return;
        }
        for &caller in &self.running {
            let Some(body) = &self.program.function(caller).body else { continue };
            for at in body.block_ids() {
                let mut calls = Calls::default();
                calls.add_block(self.program, body, at);
                if calls.through_pointer || calls.direct.contains(&function) {
                    self.add_guards(caller, at, guards, seen);
                }
            }
        }
    }

    /// What may be called; through a pointer that is an input, anything.
    fn callees(&self, calls: &Calls) -> BTreeSet<FuncId> {
        let mut callees = calls.direct.clone();
        if calls.through_pointer {
            callees.extend(self.program.function_ids());
        } else if calls.from_outside {
            callees.extend(&self.addressed);
        }
        callees
    }
}

/// The blocks that evaluate operands of a decision.
fn of_decision(body: &Body, decision: DecisionId) -> impl Iterator<Item = BlockId> + '_ {
    body.block_ids().filter(move |&block| {
        matches!(&body.block(block).terminator, Terminator::Branch { origin: Some(origin), .. }
            if origin.decision == decision)
    })
}
