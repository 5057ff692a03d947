//! From what the interpreter recorded to the facts that goals are about.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_coverage::{Evaluation, Facts, Site};
use glassbox_interp::{Coverage, Outcome, StackEntry};
use glassbox_ir::{
    Access, BlockId, Body, DecisionId, FuncId, InstrKind, Mark, Program, Terminator,
};

/// Activations longer than this are cut for path goals: enough for every path of a few edges.
const MAX_ACTIVATION: usize = 100_000;

/// A condition of a decision was evaluated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConditionEvent {
    pub decision: DecisionId,
    pub condition: u16,
    pub value: bool,
}

/// The conditions that `function` evaluated in one run, in order; the first so many of a long run.
pub fn condition_trace(
    program: &Program,
    function: FuncId,
    coverage: &Coverage,
) -> Vec<ConditionEvent> {
    let body = program.body(function);
    let events = coverage.trace.iter().filter(|event| event.function == function);
    let conditions = events.filter_map(|event| {
        let terminator = &body.block(event.block).terminator;
        let Terminator::Branch { origin: Some(origin), .. } = terminator else { return None };
        Some(ConditionEvent {
            decision: origin.decision,
            condition: origin.condition,
            value: (event.edge == 0) == origin.is_positive,
        })
    });
    conditions.take(MAX_ACTIVATION).collect()
}

/// The facts about `function` in one run.
pub fn facts_of(
    program: &Program,
    function: FuncId,
    coverage: &Coverage,
    outcome: &Outcome,
) -> Facts {
    let mut facts = Facts::default();
    let Some(counts) = coverage.functions.get(&function) else { return facts };
    let body = program.body(function);
    let entered = body.block_ids().zip(&counts.blocks).filter(|(_, count)| **count > 0);
    facts.blocks = entered.map(|(block, _)| block).collect();
    facts.edges = counts.edges.keys().copied().collect();
    facts.ended_in = ended_in(body, function, &counts.blocks, stack_at_end(coverage, outcome));
    for (&decision, evaluations) in &counts.decisions {
        let seen = evaluations.iter().map(|evaluation| Evaluation {
            conditions: evaluation.conditions.clone(),
            outcome: evaluation.outcome,
        });
        facts.evaluations.insert(decision, seen.collect());
    }
    let mut activations: BTreeMap<u32, Vec<(BlockId, u32)>> = BTreeMap::new();
    for event in coverage.trace.iter().filter(|event| event.function == function) {
        let edges = activations.entry(event.activation).or_default();
        if edges.len() < MAX_ACTIVATION {
            edges.push((event.block, event.edge));
        }
    }
    for edges in activations.values() {
        follow_definitions(body, edges, &mut facts);
    }
    if activations.is_empty() {
        follow_definitions(body, &[], &mut facts);
    }
    facts.activations = activations.into_values().collect();
    if let Outcome::Undefined(report) = outcome
        && report.stack.last().is_some_and(|entry| entry.function == function)
    {
        facts.failed_check = facts
            .blocks
            .iter()
            .flat_map(|&block| sites(body, block))
            .find(|&site| is_check_at(body, site, report.span));
    }
    facts
}

/// Where functions stood when a run did not end by returning.
fn stack_at_end<'a>(coverage: &'a Coverage, outcome: &'a Outcome) -> &'a [StackEntry] {
    match outcome {
        Outcome::Undefined(report) => &report.stack,
        Outcome::Exited(_)
        | Outcome::Aborted
        | Outcome::Unsupported { .. }
        | Outcome::MissingFunction { .. } => &coverage.ended_in,
        Outcome::Returned(_)
        | Outcome::AssumptionFailed(_)
        | Outcome::OutOfSteps
        | Outcome::OutOfMemory => &[],
    }
}

/// The blocks that were entered no more often than runs ended in them.
fn ended_in(
    body: &Body,
    function: FuncId,
    counts: &[u64],
    stack: &[StackEntry],
) -> BTreeMap<BlockId, u32> {
    let mut ended: BTreeMap<BlockId, (u64, u32)> = BTreeMap::new();
    for entry in stack.iter().filter(|entry| entry.function == function) {
        let entered = body.block_ids().zip(counts).filter(|(_, count)| **count > 0);
        for (block, _) in entered {
            let at = sites(body, block).find(|site| {
                let instr = &body.block(block).instrs[site.instr as usize];
                let may_end = matches!(instr.kind, InstrKind::Call(_) | InstrKind::Check(_));
                may_end && instr.span == entry.span
            });
            if let Some(site) = at {
                let (times, first) = ended.entry(block).or_insert((0, site.instr));
                *times += 1;
                *first = site.instr.min(*first);
            }
        }
    }
    let is_whole =
        |block: BlockId, times: u64| counts.get(block.index()).is_some_and(|&count| count > times);
    let ended = ended.into_iter().filter(|&(block, (times, _))| !is_whole(block, times));
    ended.map(|(block, (_, first))| (block, first)).collect()
}

/// Blocks entered and edges taken in one function.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places {
    pub blocks: BTreeSet<BlockId>,
    pub edges: BTreeSet<(BlockId, u32)>,
}

/// What the run did in functions other than `function`: no goal is about it, coverage reports are.
pub fn elsewhere(
    program: &Program,
    function: FuncId,
    coverage: &Coverage,
) -> BTreeMap<FuncId, Places> {
    let others = coverage.functions.iter().filter(|(other, _)| **other != function);
    let places = others.map(|(&other, counts)| {
        let blocks = program.body(other).block_ids().zip(&counts.blocks);
        let blocks = blocks.filter(|(_, count)| **count > 0).map(|(block, _)| block).collect();
        (other, Places { blocks, edges: counts.edges.keys().copied().collect() })
    });
    places.collect()
}

fn sites(body: &Body, block: BlockId) -> impl Iterator<Item = Site> + use<> {
    let n_instrs = u32::try_from(body.block(block).instrs.len()).unwrap_or(u32::MAX);
    (0..n_instrs).map(move |instr| Site { block, instr })
}

fn is_check_at(body: &Body, site: Site, span: glassbox_ir::Span) -> bool {
    let instr = &body.block(site.block).instrs[site.instr as usize];
    instr.span == span && matches!(instr.kind, InstrKind::Check(_))
}

/// Walks the blocks of one activation and pairs each use with the definition that reaches it.
fn follow_definitions(body: &Body, edges: &[(BlockId, u32)], facts: &mut Facts) {
    // Definitions that no later one covers, oldest first.
    let mut alive: Vec<(Access, Site)> = Vec::new();
    let first = edges.first().map_or(BlockId::new(Body::ENTRY), |&(block, _)| block);
    let targets = edges.iter().filter_map(|&(block, edge)| {
        body.block(block).terminator.targets().get(edge as usize).map(|target| target.block)
    });
    for block in [first].into_iter().chain(targets) {
        let last = facts.ended_in.get(&block).copied().unwrap_or(u32::MAX);
        for site in sites(body, block).take_while(|site| site.instr <= last) {
            let InstrKind::Mark(mark) = body.block(block).instrs[site.instr as usize].kind else {
                continue;
            };
            match mark {
                Mark::Def(access) => {
                    // The same place again is the same definition, newer.
                    alive.retain(|(earlier, at)| !access.replaces(earlier) && *at != site);
                    alive.push((access, site));
                }
                Mark::Use(access, _) => {
                    // The newest one that covers what is used hides older ones.
                    for (def, at) in alive.iter().rev() {
                        if def.overlaps(&access) {
                            facts.def_uses.insert((access.var, *at, site));
                        }
                        if def.replaces(&access) {
                            break;
                        }
                    }
                }
                Mark::Statement
                | Mark::Instruction
                | Mark::Unsigned
                | Mark::Pointee { .. }
                | Mark::Opened { .. }
                | Mark::Presumes(_)
                | Mark::Promised => {}
            }
        }
    }
}
