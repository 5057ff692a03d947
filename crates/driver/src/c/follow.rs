//! What variables hold along the ways of tests: each test runs once more in the program whose locals are all in memory.
//!
//! That program was lowered from the same tree, so its functions, globals, types and decisions are those of the program
//! that was searched. Nothing rests on it: what it shows is shown only where it makes the choices that the test made.

use glassbox_explore::TestRunner;
use glassbox_explore::facts::ConditionEvent;
use glassbox_interp::Moment as Seen;
use glassbox_ir::{BlockId, Body, FuncId, Terminator};
use glassbox_report::suite_json::evidence::Moment;
use glassbox_testcase::Test;

use super::C;
use crate::function_report::FunctionReport;
use crate::language::Language;

/// Longer runs are not followed.
const MAX_STEPS: u64 = 1_000_000;

/// What a run chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Choice {
    Condition(ConditionEvent),
    /// The position of a switch's edge.
    Case(u32),
}

/// By test: what was seen of it.
pub(super) fn moments(c: &C, report: &FunctionReport) -> Vec<Vec<Moment>> {
    let Some(program) = &c.unpromoted else { return Vec::new() };
    let function = report.function();
    let is_same = |id: FuncId| {
        let (own, other) = (c.program.functions.get(id.index()), program.functions.get(id.index()));
        own.zip(other).is_some_and(|(own, other)| own.name == other.name)
    };
    if program.functions.len() != c.program.functions.len()
        || program.globals.len() != c.program.globals.len()
        || !is_same(function)
        || !is_same(report.entry)
        // Other activations may come first.
        || !report.starts.is_empty()
    {
        return Vec::new();
    }
    let mut runner = TestRunner::new(program, TestRunner::options(MAX_STEPS), c.library());
    let tests = report.suite.tests.iter().enumerate();
    let follow = |(index, test)| followed(c, report, &mut runner, index, test).unwrap_or_default();
    tests.map(follow).collect()
}

/// What is seen of one test, if it goes the same way.
fn followed(
    c: &C,
    report: &FunctionReport,
    runner: &mut TestRunner<'_>,
    index: usize,
    test: &Test,
) -> Option<Vec<Moment>> {
    let (function, unpromoted) = (report.function(), c.unpromoted.as_ref()?);
    let followed = runner.follow((report.entry, function), &test.input)?;
    let seen: Vec<(Option<Choice>, &Seen)> = followed
        .moments
        .iter()
        .filter_map(|moment| match moment.edge {
            None => Some((None, moment)),
            Some(edge) => Some((Some(choice(unpromoted.body(function), edge)?), moment)),
        })
        .collect();
    let taken = match report.evidence.facts.get(index).and_then(|facts| facts.activations.first()) {
        Some(edges) => {
            let body = c.program.body(function);
            let numbered = edges.iter().enumerate();
            numbered.filter_map(|(at, &edge)| Some((at, choice(body, edge)?))).collect()
        }
        None => conditions(report, runner, index)?,
    };
    // The end of the call has no choice; every other moment has to have the one that the test made.
    let same = seen.iter().filter_map(|(choice, _)| *choice).zip(&taken);
    let n_seen = seen.iter().filter(|(choice, _)| choice.is_some()).count();
    let is_whole = seen.last().is_some_and(|(choice, _)| choice.is_none());
    let is_as_long = if is_whole { n_seen == taken.len() } else { n_seen <= taken.len() };
    if !is_as_long || !same.clone().all(|(own, (_, other))| own == *other) {
        return None;
    }
    let mut positions = taken.iter().map(|(at, _)| *at);
    let moment = |(choice, seen): (Option<Choice>, &Seen)| Moment {
        at: choice.and_then(|_| positions.next()),
        variables: seen
            .variables
            .iter()
            .map(|own| (own.name.clone(), own.ty, own.value.clone()))
            .collect(),
        objects: seen.objects.clone(),
    };
    Some(seen.into_iter().map(moment).collect())
}

/// The conditions of a counter-example, whose edges are not known: only where the function was called once.
fn conditions(
    report: &FunctionReport,
    runner: &TestRunner<'_>,
    index: usize,
) -> Option<Vec<(usize, Choice)>> {
    let example = report.checked.counter_examples.get(index)?;
    let trace = &runner.coverage()?.trace;
    let mut calls = trace.iter().filter(|event| event.function == report.function());
    let first = calls.next()?.activation;
    if report.entry != report.function() || calls.any(|event| event.activation != first) {
        return None;
    }
    let events = example.violation.test.condition_trace.iter().copied();
    Some(events.map(Choice::Condition).enumerate().collect())
}

/// The choice of the source that an edge is, if it is one.
fn choice(body: &Body, (block, edge): (BlockId, u32)) -> Option<Choice> {
    match &body.block(block).terminator {
        Terminator::Branch { origin: Some(origin), .. } => {
            Some(Choice::Condition(ConditionEvent {
                decision: origin.decision,
                condition: origin.condition,
                value: (edge == 0) == origin.is_positive,
            }))
        }
        Terminator::Switch { .. } => Some(Choice::Case(edge)),
        Terminator::Branch { origin: None, .. }
        | Terminator::Jump(_)
        | Terminator::Return(_)
        | Terminator::Unreachable => None,
    }
}
