//! Where goals sit in the control-flow graph, what tests did there, and which refutations close a goal.

use std::collections::BTreeSet;

use glassbox_coverage::{Covered, Facts, Goal, Target};
use glassbox_ir::{BlockId, Body, Call, Callee, DecisionId, InstrKind, Program, Span, Terminator};
use glassbox_testcase::{Known, LineFacts, Verdict};

use super::FunctionResult;
use super::evidence::{self, RefutedWay};
use crate::data::goal::{Anchor, EdgeOf};
use crate::data::graph::{CoreCondition, Invariant, Refutation};
use crate::data::test::{Elsewhere, Test};
use crate::data::{self, Source, StubSite};

/// Edges kept of the way a test takes; longer ones are cut.
const MAX_TRACE: usize = 300;

/// The two tests that show a goal together.
pub(super) fn pair(
    result: &FunctionResult<'_>,
    index: usize,
) -> Option<(Option<String>, Option<String>)> {
    let is_covered = matches!(result.suite.goals[index].verdict, Verdict::Covered { .. });
    match result.evidence.covered.get(index) {
        Some(Some(Covered::ByPair(first, second))) if is_covered => {
            let name = |test: &usize| result.suite.tests.get(*test).map(|test| test.name.clone());
            Some((name(first), name(second)))
        }
        Some(Some(Covered::ByPair(..) | Covered::By(_)) | None) | None => None,
    }
}

/// The numbers of the refutations that close a goal that nothing reaches.
pub(super) fn closing_refutations(
    program: &Program,
    result: &FunctionResult<'_>,
    index: usize,
) -> Vec<usize> {
    let goal = &result.goals[index];
    match result.suite.goals[index].verdict {
        Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. } => {
            closing(program.body(goal.function), goal, &result.evidence.refutations)
        }
        Verdict::Covered { .. }
        | Verdict::Unknown(_)
        | Verdict::Violated { .. }
        | Verdict::Holds(_)
        | Verdict::HoldsWithin { .. } => Vec::new(),
    }
}

/// The part of the graph that a goal is about.
pub(super) fn anchor(target: &Target) -> Anchor {
    let of_decision = |decision: &DecisionId, condition, value, flavor| Anchor::Decision {
        decision: decision.index(),
        condition,
        value,
        flavor,
    };
    match target {
        Target::Site(site) | Target::CheckFails(site) => {
            Anchor::Block { block: site.block.index(), definition: None }
        }
        // The whole function.
        Target::Killed { .. } => Anchor::Block { block: Body::ENTRY, definition: None },
        Target::Edge { block, edge } => Anchor::Edges { edges: vec![(block.index(), *edge)] },
        Target::AnyEdge(list) | Target::Path(list) => Anchor::Edges { edges: pairs(list.iter()) },
        Target::Outcome { decision, outcome } => of_decision(decision, None, Some(*outcome), None),
        Target::Condition { decision, condition, value } => {
            of_decision(decision, Some(*condition), Some(*value), None)
        }
        Target::Independence { decision, condition, flavor } => {
            of_decision(decision, Some(*condition), None, Some((*flavor).into()))
        }
        Target::DefUse { def, use_site, .. } => {
            Anchor::Block { block: use_site.block.index(), definition: Some(def.block.index()) }
        }
    }
}

/// The numbers of the refutations that stand between the entry and a goal.
fn closing(body: &Body, goal: &Goal, refutations: &[RefutedWay]) -> Vec<usize> {
    let of_decision = |block: BlockId, decision: DecisionId| match &body.block(block).terminator {
        Terminator::Branch { origin: Some(origin), .. } => origin.decision == decision,
        Terminator::Branch { origin: None, .. }
        | Terminator::Jump(_)
        | Terminator::Switch { .. }
        | Terminator::Return(_)
        | Terminator::Unreachable => false,
    };
    let wanted: Vec<(BlockId, Option<u32>)> = match &goal.target {
        Target::Site(site) | Target::CheckFails(site) => vec![(site.block, None)],
        Target::DefUse { def, use_site, .. } => vec![(def.block, None), (use_site.block, None)],
        Target::Killed { .. } => Vec::new(),
        Target::Edge { block, edge } => vec![(*block, Some(*edge))],
        Target::AnyEdge(edges) | Target::Path(edges) => {
            edges.iter().map(|&(block, edge)| (block, Some(edge))).collect()
        }
        Target::Outcome { decision, .. }
        | Target::Condition { decision, .. }
        | Target::Independence { decision, .. } => {
            let blocks = body.block_ids().filter(|&block| of_decision(block, *decision));
            blocks.map(|block| (block, None)).collect()
        }
    };
    let is_exact = |way: &RefutedWay| {
        wanted.iter().any(|&(block, edge)| way.block == block && edge == Some(way.edge))
    };
    let exact: Vec<usize> = positions(refutations, is_exact);
    if !exact.is_empty() {
        return exact;
    }
    let before = blocks_before(body, wanted.iter().map(|&(block, _)| block));
    positions(refutations, |way| {
        let targets = body.block(way.block).terminator.targets();
        targets.get(way.edge as usize).is_some_and(|target| before.contains(&target.block))
            || wanted.iter().any(|&(block, edge)| edge.is_none() && block == way.block)
    })
}

fn positions(ways: &[RefutedWay], wanted: impl Fn(&RefutedWay) -> bool) -> Vec<usize> {
    let numbered = ways.iter().enumerate();
    numbered.filter(|(_, way)| wanted(way)).map(|(index, _)| index).collect()
}

/// Blocks from which one of `goals` can be reached, themselves included.
fn blocks_before(body: &Body, goals: impl Iterator<Item = BlockId>) -> BTreeSet<BlockId> {
    let mut leading: Vec<Vec<BlockId>> = vec![Vec::new(); body.blocks.len()];
    for block in body.block_ids() {
        for target in body.block(block).terminator.targets() {
            leading[target.block.index()].push(block);
        }
    }
    let mut before = BTreeSet::new();
    let mut new: Vec<BlockId> = goals.collect();
    while let Some(block) = new.pop() {
        if before.insert(block) {
            new.extend(&leading[block.index()]);
        }
    }
    before
}

/// A test with what its run did.
pub(super) fn with_run(
    results: &[FunctionResult<'_>],
    result: &FunctionResult<'_>,
    index: usize,
    test: Test,
) -> Test {
    let facts = result.evidence.facts.get(index);
    let places = result.evidence.elsewhere.get(index).map_or(&[][..], Vec::as_slice);
    Test {
        blocks: facts.map(|facts| facts.blocks.iter().map(|block| block.index()).collect()),
        edges: facts.map(|facts| pairs(facts.edges.iter())),
        trace: facts.map(trace),
        elsewhere: places.iter().filter_map(|place| elsewhere(results, place)).collect(),
        replay: result.evidence.replays.get(index).cloned().unwrap_or_default(),
        ..test
    }
}

/// What a run did in another function of the suite; others are left out.
fn elsewhere(results: &[FunctionResult<'_>], place: &evidence::Elsewhere) -> Option<Elsewhere> {
    let function = results.iter().position(|result| result.suite.function == place.function)?;
    let blocks = place.blocks.iter().map(|block| block.index()).collect();
    Some(Elsewhere { function, blocks, edges: pairs(place.edges.iter()) })
}

/// The edges of the first activation, in order.
fn trace(facts: &Facts) -> Vec<EdgeOf> {
    let first = facts.activations.first().map_or(&[][..], Vec::as_slice);
    pairs(first.iter().take(MAX_TRACE))
}

fn pairs<'a>(edges: impl Iterator<Item = &'a (BlockId, u32)>) -> Vec<EdgeOf> {
    edges.map(|(block, edge)| (block.index(), *edge)).collect()
}

pub(super) fn refutations(ways: &[RefutedWay]) -> Vec<Refutation> {
    let condition = |(text, span): &(String, Option<Span>)| CoreCondition {
        text: text.clone(),
        line: span.filter(|span| !span.is_nowhere()).map(|span| span.line),
    };
    let way = |way: &RefutedWay| Refutation {
        edge: (way.block.index(), way.edge),
        core: way.core.iter().map(condition).collect(),
    };
    ways.iter().map(way).collect()
}

pub(super) fn invariants(lines: &[LineFacts]) -> Vec<Invariant> {
    let known = |known: &Known| match known {
        Known::Dead => data::Known::Dead,
        Known::Facts(facts) => data::Known::Facts(facts.clone()),
    };
    lines.iter().map(|line| Invariant { line: line.line, known: known(&line.known) }).collect()
}

/// The text of every file that a function or a goal is in, so that reports need nothing else.
pub(super) fn sources(program: &Program, results: &[FunctionResult<'_>]) -> Vec<Source> {
    let spans = results.iter().flat_map(|result| {
        let own = program.function(result.suite.function).span;
        result.goals.iter().map(|goal| goal.span).chain([own])
    });
    let files: BTreeSet<usize> =
        spans.filter(|span| !span.is_nowhere()).map(|span| span.file.index()).collect();
    let source = |file: usize| {
        let file = program.files.get(file)?;
        Some(Source { path: file.path.clone(), text: file.text.as_deref().map(str::to_owned) })
    };
    files.into_iter().filter_map(source).collect()
}

/// Where functions without a body are called directly: the place of the closing parenthesis.
pub(super) fn stub_sites(program: &Program) -> Vec<StubSite> {
    let mut sites = Vec::new();
    for id in program.function_ids() {
        if program.function(id).body.is_none() {
            continue;
        }
        let body = program.body(id);
        for instr in body.block_ids().flat_map(|block| &body.block(block).instrs) {
            let InstrKind::Call(Call { callee: Callee::Direct(callee), .. }) = &instr.kind else {
                continue;
            };
            let is_stub = program.function(*callee).body.is_none();
            let Some(file) = program.files.get(instr.span.file.index()) else { continue };
            if is_stub && !instr.span.is_nowhere() && !program.is_in_model(instr.span) {
                sites.push(StubSite {
                    function: program.function(*callee).name.clone(),
                    file: file.path.clone(),
                    line: instr.span.end_line,
                    column: instr.span.end_column.saturating_sub(1),
                });
            }
        }
    }
    sites
}
