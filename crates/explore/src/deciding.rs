//! What calls have to return so that a goal is reached, and how far the blocks of their functions are from returning it.
//!
//! `if (s.equals("STOP"))` is decided inside of `equals`. To the graph of the function under test every way in there is as
//! good as any other; here it is known which of them lead to `return true`. Nothing rests on it but the order in which ways are
//! tried.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_coverage::{Goal, Target};
use glassbox_interp::pure::evaluate;
use glassbox_ir::instr::CompareOp;
use glassbox_ir::{
    BlockId, Body, BranchOrigin, Callee, FuncId, InstrKind, Operand, PointerOp, Program,
    Terminator, ValueId,
};

use crate::distance::{UNREACHABLE, backward, to_open_goals};
use crate::ranking::Place;

/// Calls in calls that are looked into.
const MAX_DEPTH: usize = 5;

/// The calls that decide about a goal.
#[derive(Debug, Default)]
pub(crate) struct Deciding {
    /// By block of the function under test, where control stands in it meanwhile: for functions that its calls come to, by block, edges to
    /// a wanted return.
    by_call: BTreeMap<BlockId, BTreeMap<FuncId, Vec<u32>>>,
}

impl Deciding {
    /// Nothing where no call decides.
    pub(crate) fn about(program: &Program, function: FuncId, goal: &Goal) -> Deciding {
        let body = program.body(function);
        let edges = edges_of(body, &goal.target);
        let targets =
            edges.iter().map(|&(block, edge)| body.block(block).terminator.targets()[edge].block);
        let distances = if edges.is_empty() {
            to_open_goals(body, std::iter::once(goal))
        } else {
            backward(body, targets)
        };
        let mut all = Deciding::default();
        let graph = Graph::of(program, function);
        for block in body.block_ids() {
            let own = edges.iter().find(|(at, _)| *at == block).map(|(_, edge)| *edge);
            let Some(wanted) = own.or_else(|| the_only_way(body, block, &distances)) else {
                continue;
            };
            let Some((call, callee, test)) = graph.decision(block, wanted) else { continue };
            let mut wish = Wish { program, found: BTreeMap::new(), callers: vec![function] };
            wish.look_into(callee, &test);
            if !wish.found.is_empty() {
                merge(all.by_call.entry(call).or_default(), wish.found);
            }
        }
        all
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_call.is_empty()
    }

    /// Edges from there to a wanted return.
    pub(crate) fn distance(&self, place: Place) -> u32 {
        let functions = self.by_call.get(&place.entry_block);
        let by_block = functions.and_then(|it| it.get(&place.function));
        by_block.and_then(|it| it.get(place.block.index()).copied()).unwrap_or(UNREACHABLE)
    }
}

/// The edges that are the goal; none where it is something else.
pub(crate) fn edges_of(body: &Body, target: &Target) -> Vec<(BlockId, usize)> {
    match target {
        Target::Edge { block, edge } => vec![(*block, *edge as usize)],
        Target::AnyEdge(edges) => {
            edges.iter().map(|&(block, edge)| (block, edge as usize)).collect()
        }
        &Target::Condition { decision, condition, value } => {
            let edge_of = |block: BlockId| {
                let Terminator::Branch { origin, .. } = &body.block(block).terminator else {
                    return None;
                };
                let is_it =
                    |it: &BranchOrigin| (it.decision, it.condition) == (decision, condition);
                let origin = origin.filter(is_it)?;
                Some((block, usize::from(origin.is_positive != value)))
            };
            body.block_ids().filter_map(edge_of).collect()
        }
        Target::Site(_)
        | Target::Outcome { .. }
        | Target::Independence { .. }
        | Target::DefUse { .. }
        | Target::Path(_)
        | Target::CheckFails(_)
        | Target::Killed { .. } => Vec::new(),
    }
}

/// One function may be called for several reasons.
fn merge(all: &mut BTreeMap<FuncId, Vec<u32>>, more: BTreeMap<FuncId, Vec<u32>>) {
    for (function, distances) in more {
        match all.get_mut(&function) {
            Some(known) => {
                known.iter_mut().zip(distances).for_each(|(known, new)| *known = new.min(*known));
            }
            None => {
                all.insert(function, distances);
            }
        }
    }
}

/// The edge of a branch from which alone there is a way on.
fn the_only_way(body: &Body, block: BlockId, distances: &[u32]) -> Option<usize> {
    let Terminator::Branch { if_true, if_false, .. } = &body.block(block).terminator else {
        return None;
    };
    let leads = |block: BlockId| distances[block.index()] != UNREACHABLE;
    match (leads(if_true.block), leads(if_false.block)) {
        (true, false) => Some(0),
        (false, true) => Some(1),
        (true, true) | (false, false) => None,
    }
}

/// What is known of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Number(u128),
    Null,
    /// A pointer to something.
    Something,
}

/// What a value is computed from by itself and constants.
#[derive(Debug, Clone, Copy)]
enum Source {
    Constant(Known),
    /// A parameter of this block.
    Param(BlockId, usize),
    Call(BlockId, FuncId),
    Other,
}

/// An instruction that has one value among its operands.
#[derive(Debug, Clone, Copy)]
struct Step<'p> {
    body: &'p Body,
    kind: &'p InstrKind,
}

/// What is computed of a result, first step first, and what has to come out: for a condition, whether it holds.
#[derive(Debug, Clone)]
struct Test<'p> {
    steps: Vec<Step<'p>>,
    wanted: bool,
}

impl Step<'_> {
    /// `None`: it depends.
    fn apply(&self, input: Known) -> Option<Known> {
        match (self.kind, input) {
            (InstrKind::Pure(op), Known::Number(number)) => {
                let read = |operand: Operand| {
                    let known =
                        if let Operand::Int(bits) = operand { bits.unsigned() } else { number };
                    (known, operand.ty(self.body))
                };
                Some(Known::Number(evaluate(op, read)))
            }
            (InstrKind::Pointer(PointerOp::Compare { op, .. }), Known::Null | Known::Something) => {
                let is_null = input == Known::Null;
                match op {
                    CompareOp::Eq => Some(Known::Number(u128::from(is_null))),
                    CompareOp::Ne => Some(Known::Number(u128::from(!is_null))),
                    CompareOp::Ult | CompareOp::Ule | CompareOp::Slt | CompareOp::Sle => None,
                }
            }
            _ => None,
        }
    }
}

impl<'p> Test<'p> {
    fn after(&self, first: Vec<Step<'p>>) -> Test<'p> {
        Test { steps: [first, self.steps.clone()].concat(), wanted: self.wanted }
    }

    /// Whether this value may be what is wanted.
    fn allows(&self, value: Known) -> bool {
        let result = self.steps.iter().try_fold(value, |value, step| step.apply(value));
        match result {
            Some(Known::Number(number)) => (number != 0) == self.wanted,
            Some(Known::Null | Known::Something) | None => true,
        }
    }
}

/// Where the values of a body come from.
struct Graph<'p> {
    body: &'p Body,
    has_objects: bool,
    /// The edges into each block: from where, and which.
    entries: Vec<Vec<(BlockId, usize)>>,
    definitions: BTreeMap<ValueId, Definition<'p>>,
}

#[derive(Debug, Clone, Copy)]
enum Definition<'p> {
    Param(BlockId, usize),
    Instr(BlockId, &'p InstrKind),
}

impl<'p> Graph<'p> {
    fn of(program: &'p Program, function: FuncId) -> Graph<'p> {
        let body = program.body(function);
        let mut entries = vec![Vec::new(); body.blocks.len()];
        let mut definitions = BTreeMap::new();
        for id in body.block_ids() {
            let block = body.block(id);
            for (edge, target) in block.terminator.targets().into_iter().enumerate() {
                entries[target.block.index()].push((id, edge));
            }
            for (position, &param) in block.params.iter().enumerate() {
                definitions.insert(param, Definition::Param(id, position));
            }
            for instr in &block.instrs {
                if let Some(result) = instr.result {
                    definitions.insert(result, Definition::Instr(id, &instr.kind));
                }
            }
        }
        let has_objects = program.language.has_objects();
        Graph { body, has_objects, entries, definitions }
    }

    /// The call whose result alone decides whether the branch of this block takes the edge.
    fn decision(&self, block: BlockId, edge: usize) -> Option<(BlockId, FuncId, Test<'p>)> {
        let Terminator::Branch { condition, .. } = &self.body.block(block).terminator else {
            return None;
        };
        let (steps, source) = self.trace(*condition);
        let Source::Call(call, callee) = source else { return None };
        Some((call, callee, Test { steps, wanted: edge == 0 }))
    }

    /// Where a value comes from, and what happens to it from there on.
    fn trace(&self, operand: Operand) -> (Vec<Step<'p>>, Source) {
        let mut steps = Vec::new();
        let mut at = operand;
        let source = loop {
            let value = match at {
                Operand::Int(bits) => break Source::Constant(Known::Number(bits.unsigned())),
                Operand::NullPtr => break Source::Constant(Known::Null),
                Operand::Global(_) | Operand::Func(_) => {
                    break Source::Constant(Known::Something);
                }
                Operand::Float(_) => break Source::Other,
                Operand::Value(value) => value,
            };
            let (block, kind) = match self.definitions.get(&value) {
                Some(&Definition::Param(block, position)) => {
                    break Source::Param(block, position);
                }
                Some(&Definition::Instr(block, kind)) => (block, kind),
                None => break Source::Other,
            };
            match kind {
                InstrKind::Call(call) => match call.callee {
                    Callee::Direct(function) => break Source::Call(block, function),
                    Callee::Indirect(_) => break Source::Other,
                },
                InstrKind::Pointer(PointerOp::LocalAddr(_)) => {
                    break Source::Constant(Known::Something);
                }
                InstrKind::Pure(_) => {}
                // Nearly every reference to an object is compared with null, and says little by that.
                InstrKind::Pointer(PointerOp::Compare { .. }) if !self.has_objects => {}
                InstrKind::Pointer(_)
                | InstrKind::Memory(_)
                | InstrKind::VarArgs(_)
                | InstrKind::Check(_)
                | InstrKind::Assume { .. }
                | InstrKind::Mark(_)
                | InstrKind::Unsupported { .. } => break Source::Other,
            }
            let Some(input) = only_value(kind) else { break Source::Other };
            steps.push(Step { body: self.body, kind });
            at = Operand::Value(input);
        };
        steps.reverse();
        (steps, source)
    }
}

/// The one value among the operands, where the others are numbers, or null for a comparison of pointers.
fn only_value(kind: &InstrKind) -> Option<ValueId> {
    let mut values = BTreeSet::new();
    let mut is_plain = true;
    let is_pure = matches!(kind, InstrKind::Pure(_));
    kind.for_each_operand(|operand| match operand {
        Operand::Value(value) => {
            values.insert(*value);
        }
        Operand::Int(_) => is_plain &= is_pure,
        Operand::NullPtr => is_plain &= !is_pure,
        Operand::Float(_) | Operand::Global(_) | Operand::Func(_) => is_plain = false,
    });
    values.pop_first().filter(|_| is_plain && values.is_empty())
}

/// What is wanted of one call, followed into the calls in it.
struct Wish<'p> {
    program: &'p Program,
    found: BTreeMap<FuncId, Vec<u32>>,
    callers: Vec<FuncId>,
}

/// Returns of a function, sorted by what is wanted.
#[derive(Default)]
struct Returns<'p> {
    /// Blocks from which a return is wanted, or may be.
    good: BTreeSet<BlockId>,
    /// Blocks that a branch leads to with a wanted value, and others with another one.
    arrivals: BTreeSet<BlockId>,
    is_any_bad: bool,
    /// Calls whose results are returned.
    passed_on: Vec<(FuncId, Test<'p>)>,
    seen: BTreeSet<(BlockId, usize)>,
}

impl<'p> Wish<'p> {
    fn look_into(&mut self, function: FuncId, test: &Test<'p>) {
        if self.callers.len() > MAX_DEPTH || self.callers.contains(&function) {
            return;
        }
        let program = self.program;
        let Some(body) = &program.function(function).body else { return };
        let graph = Graph::of(program, function);
        let mut returns = Returns::default();
        for block in body.block_ids() {
            if let Terminator::Return(Some(value)) = &body.block(block).terminator {
                returns.add(&graph, block, *value, test);
            }
        }
        self.callers.push(function);
        for (callee, test) in &returns.passed_on {
            self.look_into(*callee, test);
        }
        if returns.is_any_bad {
            let mut distances = backward(body, returns.good);
            for arrival in returns.arrivals {
                distances[arrival.index()] = 0;
            }
            for block in body.block_ids() {
                let Some(edge) = the_only_way(body, block, &distances) else { continue };
                if let Some((_, callee, test)) = graph.decision(block, edge) {
                    self.look_into(callee, &test);
                }
            }
            merge(&mut self.found, BTreeMap::from([(function, distances)]));
        }
        self.callers.pop();
    }
}

impl<'p> Returns<'p> {
    /// A value that leaves the function from this block.
    fn add(&mut self, graph: &Graph<'p>, block: BlockId, value: Operand, test: &Test<'p>) {
        let (steps, source) = graph.trace(value);
        let test = test.after(steps);
        match source {
            Source::Constant(known) => {
                self.is_any_bad |= !test.allows(known);
                if test.allows(known) {
                    self.good.insert(block);
                }
            }
            Source::Param(at, position) => {
                let entries = &graph.entries[at.index()];
                if entries.is_empty() {
                    // Of the function itself.
                    self.good.insert(block);
                    return;
                }
                if !self.seen.insert((at, position)) {
                    return;
                }
                for &(from, edge) in entries {
                    let terminator = &graph.body.block(from).terminator;
                    let targets = terminator.targets();
                    self.add(graph, from, targets[edge].args[position], &test);
                    if targets.len() > 1 && self.good.contains(&from) {
                        self.arrivals.insert(at);
                    }
                }
            }
            Source::Call(call, callee) => {
                self.good.insert(call);
                self.passed_on.push((callee, test));
            }
            Source::Other => {
                self.good.insert(block);
            }
        }
    }
}
