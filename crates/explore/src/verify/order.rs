//! What may run after an error: coarse, never too little.
//!
//! Control goes on from where a check stands: over edges, into whatever is called, and after a return behind every call
//! that may have led here.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_coverage::scope::{Calls, addressed};
use glassbox_coverage::{Property, Site};
use glassbox_ir::{BlockId, Body, Callee, FuncId, InstrKind, Program, Terminator};

use crate::proof::always_fails;

/// Control stands before this instruction.
type Point = (FuncId, BlockId, usize);

/// The calls of a program, as returns see them.
#[derive(Debug)]
pub(crate) struct Order<'a> {
    program: &'a Program,
    /// Behind calls by name.
    behind: BTreeMap<FuncId, Vec<Point>>,
    /// Behind calls that may lead to any function whose address is taken.
    behind_open: Vec<Point>,
    addressed: BTreeSet<FuncId>,
}

/// What may run after a property was checked.
#[derive(Debug)]
pub(crate) enum After {
    Anything,
    Points(BTreeSet<Point>),
}

impl<'a> Order<'a> {
    pub(crate) fn new(program: &'a Program) -> Order<'a> {
        let mut order = Order {
            program,
            behind: BTreeMap::new(),
            behind_open: Vec::new(),
            addressed: addressed(program),
        };
        for function in program.function_ids() {
            let Some(body) = &program.function(function).body else { continue };
            for block in body.block_ids() {
                order.add_calls(function, body, block);
            }
        }
        order
    }

    fn add_calls(&mut self, function: FuncId, body: &Body, block: BlockId) {
        for (position, instr) in body.block(block).instrs.iter().enumerate() {
            let point = (function, block, position + 1);
            match &instr.kind {
                InstrKind::Call(call) => match call.callee {
                    Callee::Direct(callee) => {
                        self.behind.entry(callee).or_default().push(point);
                        if self.program.function(callee).body.is_none() {
                            self.behind_open.push(point);
                        }
                    }
                    Callee::Indirect(_) => self.behind_open.push(point),
                },
                InstrKind::Unsupported { .. } => self.behind_open.push(point),
                InstrKind::Pure(_)
                | InstrKind::Pointer(_)
                | InstrKind::Memory(_)
                | InstrKind::VarArgs(_)
                | InstrKind::Check(_)
                | InstrKind::Assume { .. }
                | InstrKind::Mark(_) => {}
            }
        }
    }

    /// What may run after one of the property's instructions.
    pub(crate) fn after(&self, property: &Property) -> After {
        // What only a run showed has no instruction. No edge leads on from a check that always fails: real runs go
        // on somewhere.
        let is_open = |&site: &Site| always_fails(self.program.body(property.function), site);
        if property.sites.is_empty()
            || property.kind.is_about_the_end()
            || property.sites.iter().any(is_open)
        {
            return After::Anything;
        }
        let mut seen: BTreeSet<Point> = BTreeSet::new();
        let sites = property.sites.iter();
        let mut queue: Vec<Point> =
            sites.map(|site| (property.function, site.block, site.instr as usize + 1)).collect();
        while let Some(point) = queue.pop() {
            if seen.insert(point) {
                self.add_next(point, &mut queue);
            }
        }
        After::Points(seen)
    }

    fn add_next(&self, (function, block, from): Point, queue: &mut Vec<Point>) {
        let Some(body) = &self.program.function(function).body else { return };
        let mut calls = Calls::default();
        calls.add_rest_of_block(self.program, body, block, from);
        let start = |callee: FuncId| (callee, BlockId::new(Body::ENTRY), 0);
        queue.extend(calls.direct.iter().copied().map(start));
        if calls.through_pointer {
            queue.extend(self.program.function_ids().map(start));
        } else if calls.from_outside {
            queue.extend(self.addressed.iter().copied().map(start));
        }
        let terminator = &body.block(block).terminator;
        queue.extend(terminator.targets().iter().map(|target| (function, target.block, 0)));
        if let Terminator::Return(_) = terminator {
            queue.extend(self.behind.get(&function).into_iter().flatten());
            if self.addressed.contains(&function) {
                queue.extend(&self.behind_open);
            }
        }
    }
}

impl After {
    /// Whether control may come to an instruction then.
    pub(crate) fn comes_to(&self, function: FuncId, block: BlockId, instr: usize) -> bool {
        let After::Points(points) = self else { return true };
        points.range((function, block, 0)..=(function, block, instr)).next().is_some()
    }

    /// Whether the property may be judged then.
    pub(crate) fn contains(&self, property: &Property) -> bool {
        property.kind.is_about_the_end()
            || property.sites.is_empty()
            || property
                .sites
                .iter()
                .any(|site| self.comes_to(property.function, site.block, site.instr as usize))
    }
}
