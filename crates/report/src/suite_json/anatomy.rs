//! Where goals sit in the control-flow graph, what tests did there, and which refutations close a goal.

use std::collections::BTreeSet;

use glassbox_coverage::{Covered, Facts, Goal, Target};
use glassbox_ir::{BlockId, Body, Call, Callee, DecisionId, InstrKind, Program, Span, Terminator};
use glassbox_testcase::Verdict;
use serde_json::{Map, Value, json};

use super::FunctionResult;
use super::evidence::{Elsewhere, LayerCount, RefutedWay, ReplayState};

/// Edges kept of the way a test takes; longer ones are cut.
const MAX_TRACE: usize = 300;

/// Adds what is known about goal number `index` beyond its verdict.
pub(super) fn goal(
    program: &Program,
    result: &FunctionResult<'_>,
    index: usize,
    object: &mut Map<String, Value>,
) {
    let mut add = |key: &str, value: Value| {
        let _ = object.insert(key.to_owned(), value);
    };
    let (goal, verdict) = (&result.goals[index], &result.suite.goals[index].verdict);
    add("end_line", json!(goal.span.end_line));
    add("end_column", json!(goal.span.end_column));
    add("at", anchor(&goal.target));
    if let Some(Some(Covered::ByPair(first, second))) = result.evidence.covered.get(index)
        && matches!(verdict, Verdict::Covered { .. })
    {
        let name = |test: &usize| result.suite.tests.get(*test).map(|test| &test.name);
        add("pair", json!([name(first), name(second)]));
    }
    if let Some(Some(runs)) = result.evidence.reached_after.get(index) {
        add("reached_after", json!(runs));
    }
    if matches!(verdict, Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. }) {
        let body = program.body(goal.function);
        let closing = closing(body, goal, &result.evidence.refutations);
        if !closing.is_empty() {
            add("refutations", json!(closing));
        }
    }
}

/// The part of the graph that a goal is about.
fn anchor(target: &Target) -> Value {
    let edges = |edges: &[(BlockId, u32)]| -> Vec<Value> {
        edges.iter().map(|(block, edge)| json!([block.index(), edge])).collect()
    };
    match target {
        Target::Site(site) | Target::CheckFails(site) => json!({ "block": site.block.index() }),
        Target::Edge { block, edge } => json!({ "edges": [[block.index(), edge]] }),
        Target::AnyEdge(list) | Target::Path(list) => json!({ "edges": edges(list) }),
        Target::Outcome { decision, outcome } => {
            json!({ "decision": decision.index(), "value": outcome })
        }
        Target::Condition { decision, condition, value } => {
            json!({ "decision": decision.index(), "condition": condition, "value": value })
        }
        Target::Independence { decision, condition, flavor } => json!({
            "decision": decision.index(),
            "condition": condition,
            "flavor": flavor.name(),
        }),
        Target::DefUse { def, use_site, .. } => {
            json!({ "block": use_site.block.index(), "definition": def.block.index() })
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
    let mut before: BTreeSet<BlockId> = goals.collect();
    loop {
        let leads = |block: &BlockId| {
            let targets = body.block(*block).terminator.targets();
            targets.iter().any(|target| before.contains(&target.block))
        };
        let new: Vec<BlockId> =
            body.block_ids().filter(|block| !before.contains(block) && leads(block)).collect();
        if new.is_empty() {
            return before;
        }
        before.extend(new);
    }
}

/// Adds what the run of test number `index` did.
pub(super) fn test(
    results: &[FunctionResult<'_>],
    result: &FunctionResult<'_>,
    index: usize,
    object: &mut Map<String, Value>,
) {
    let mut add = |key: &str, value: Value| {
        let _ = object.insert(key.to_owned(), value);
    };
    if let Some(facts) = result.evidence.facts.get(index) {
        add("blocks", json!(facts.blocks.iter().map(|block| block.index()).collect::<Vec<_>>()));
        add("edges", json!(pairs(facts.edges.iter())));
        add("trace", json!(trace(facts)));
    }
    if let Some(places) = result.evidence.elsewhere.get(index) {
        let known: Vec<Value> =
            places.iter().filter_map(|place| elsewhere(results, place)).collect();
        if !known.is_empty() {
            add("elsewhere", json!(known));
        }
    }
    let (state, story) = match result.evidence.replays.get(index) {
        None | Some(ReplayState::NotRun) => ("not-run", None),
        Some(ReplayState::Confirmed) => ("confirmed", None),
        Some(ReplayState::Failed(story)) => ("failed", Some(story)),
    };
    add("replay", json!({ "state": state, "story": story }));
}

/// What a run did in another function of the suite; others are nobody's business here.
fn elsewhere(results: &[FunctionResult<'_>], place: &Elsewhere) -> Option<Value> {
    let position = results.iter().position(|result| result.suite.function == place.function)?;
    let blocks: Vec<usize> = place.blocks.iter().map(|block| block.index()).collect();
    Some(json!({ "function": position, "blocks": blocks, "edges": pairs(place.edges.iter()) }))
}

/// The edges of the first activation, in order.
fn trace(facts: &Facts) -> Vec<Value> {
    let first = facts.activations.first().map_or(&[][..], Vec::as_slice);
    pairs(first.iter().take(MAX_TRACE))
}

fn pairs<'a>(edges: impl Iterator<Item = &'a (BlockId, u32)>) -> Vec<Value> {
    edges.map(|(block, edge)| json!([block.index(), edge])).collect()
}

pub(super) fn refutations(ways: &[RefutedWay]) -> Vec<Value> {
    let condition = |(text, span): &(String, Option<Span>)| {
        let line = span.filter(|span| !span.is_nowhere()).map(|span| span.line);
        json!({ "text": text, "line": line })
    };
    let way = |way: &RefutedWay| {
        json!({
            "edge": [way.block.index(), way.edge],
            "core": way.core.iter().map(condition).collect::<Vec<_>>(),
        })
    };
    ways.iter().map(way).collect()
}

pub(super) fn invariants(lines: &[(u32, String)]) -> Vec<Value> {
    lines.iter().map(|(line, text)| json!({ "line": line, "text": text })).collect()
}

pub(super) fn layers(layers: &[LayerCount]) -> Vec<Value> {
    let layer = |layer: &LayerCount| {
        json!({
            "name": layer.name,
            "asked": layer.asked,
            "sat": layer.sat,
            "unsat": layer.unsat,
            "steps": layer.steps,
        })
    };
    layers.iter().map(layer).collect()
}

/// The text of every file that a function or a goal is in, so that reports need nothing else.
pub(super) fn sources(program: &Program, results: &[FunctionResult<'_>]) -> Vec<Value> {
    let spans = results.iter().flat_map(|result| {
        let own = program.function(result.suite.function).span;
        result.goals.iter().map(|goal| goal.span).chain([own])
    });
    let files: BTreeSet<usize> =
        spans.filter(|span| !span.is_nowhere()).map(|span| span.file.index()).collect();
    let source = |file: usize| {
        let file = program.files.get(file)?;
        Some(json!({ "path": file.path, "text": file.text.as_deref() }))
    };
    files.into_iter().filter_map(source).collect()
}

/// Where functions without a body are called directly: the place of the closing parenthesis.
pub(super) fn stub_sites(program: &Program) -> Vec<Value> {
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
                sites.push(json!({
                    "function": program.function(*callee).name,
                    "file": file.path,
                    "line": instr.span.end_line,
                    "column": instr.span.end_column.saturating_sub(1),
                }));
            }
        }
    }
    sites
}
