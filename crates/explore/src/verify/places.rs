//! Where control can go from a block of the function under test, over calls too; and what has to be
//! passed on the way to a property.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_coverage::Property;
use glassbox_ir::{BlockId, Body, Callee, Check, FuncId, InstrKind, Operand, Program, Terminator};

/// Reachability over blocks of one function and over the call graph; coarse, never too small.
#[derive(Debug)]
pub(super) struct Places<'a> {
    program: &'a Program,
    entry: FuncId,
    by_block: BTreeMap<BlockId, Ahead>,
}

/// What lies ahead of a block.
#[derive(Debug, Clone, Default)]
struct Ahead {
    blocks: BTreeSet<BlockId>,
    functions: BTreeSet<FuncId>,
}

impl<'a> Places<'a> {
    pub(super) fn new(program: &'a Program, entry: FuncId) -> Places<'a> {
        Places { program, entry, by_block: BTreeMap::new() }
    }

    /// Whether a run that is at `from` can still come to the property.
    pub(super) fn lies_ahead(&mut self, from: BlockId, property: &Property) -> bool {
        let ahead = match self.by_block.get(&from) {
            Some(ahead) => ahead.clone(),
            None => {
                let ahead = self.ahead(from);
                let _ = self.by_block.insert(from, ahead.clone());
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
        let mut ahead = Ahead::default();
        let mut queue = vec![from];
        while let Some(block) = queue.pop() {
            if !ahead.blocks.insert(block) {
                continue;
            }
            self.calls(body, block, &mut ahead.functions);
            queue.extend(body.block(block).terminator.targets().iter().map(|t| t.block));
        }
        let mut queue: Vec<FuncId> = ahead.functions.iter().copied().collect();
        while let Some(function) = queue.pop() {
            let Some(body) = &self.program.function(function).body else { continue };
            let mut called = BTreeSet::new();
            for block in body.block_ids() {
                self.calls(body, block, &mut called);
            }
            queue.extend(called.into_iter().filter(|&callee| ahead.functions.insert(callee)));
        }
        ahead
    }

    fn calls(&self, body: &Body, block: BlockId, called: &mut BTreeSet<FuncId>) {
        let block = body.block(block);
        let mut add = |callee: Callee| match callee {
            Callee::Direct(function) => {
                let _ = called.insert(function);
            }
            Callee::Indirect(_) => called.extend(self.program.function_ids()),
        };
        for instr in &block.instrs {
            if let InstrKind::Call(call) = &instr.kind {
                add(call.callee);
            }
        }
    }

    /// Blocks whose end shows that a run came to the property, for checks that always fail: what counts
    /// there is the decision before. `None` when the instruction itself is what counts.
    pub(super) fn guards(&self, property: &Property) -> Option<BTreeSet<(FuncId, BlockId)>> {
        let body = self.program.body(property.function);
        let always_fails = |site: &glassbox_coverage::Site| {
            let instr = body.block(site.block).instrs.get(site.instr as usize);
            matches!(instr.map(|instr| &instr.kind),
                Some(InstrKind::Check(Check::Condition { condition: Operand::Int(bits), .. }))
                    if !bits.is_true())
        };
        if property.sites.is_empty() || !property.sites.iter().all(always_fails) {
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
                    _ => {
                        let _ = guards.insert((function, before));
                    }
                }
            }
        }
        if block.index() != Body::ENTRY {
            return;
        }
        for caller in self.program.function_ids() {
            let Some(body) = &self.program.function(caller).body else { continue };
            for at in body.block_ids() {
                let mut called = BTreeSet::new();
                self.calls(body, at, &mut called);
                if called.contains(&function) {
                    self.add_guards(caller, at, guards, seen);
                }
            }
        }
    }
}
