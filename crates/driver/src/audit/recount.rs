//! Compares what is covered with what other tools counted.

use glassbox_coverage::mcdc::is_independence_pair;
use glassbox_coverage::{Evaluation, Goal, Target};
use glassbox_ir::{Body, DecisionId, Formula, Program, Span, Terminator};
use glassbox_replay::clang::Vector;
use glassbox_report::data;

use super::{Audited, Contradiction, Inspected};
use crate::language::Recount;
use crate::review::is_seen_by_lines;

/// Every covered goal that the tools can see must have been counted.
pub(super) fn compare(
    program: &Program,
    inspected: &Inspected<'_>,
    recount: &Recount,
    audited: &mut Audited,
) {
    audited.notes.extend(recount.notes.iter().cloned());
    audited.contradictions.extend(recount.failures.iter().map(|seen| Contradiction {
        said: "the written tests pass".to_owned(),
        seen: seen.clone(),
    }));
    let own_file = program.function(inspected.function).span.file;
    let (mut n_unseen, mut n_lost) = (0, 0);
    for known in inspected.data.goals.iter().filter(|goal| goal.is_covered()) {
        let found = inspected.goals.iter().find(|goal| goal.id == known.id);
        let Some(goal) = found.filter(|goal| goal.span.file == own_file) else {
            n_unseen += 1;
            continue;
        };
        match is_counted(program, goal, recount) {
            Some(true) => audited.n_counted += 1,
            Some(false) if ends_in_return(inspected.data, known) => {
                let tool = recount.tool.as_deref().unwrap_or("gcov");
                let seen = format!("{tool} counts nothing of it in the written tests");
                audited.contradictions.push(Contradiction { said: covered(known), seen });
            }
            // What a test counted that ends the program is lost with it.
            Some(false) => n_lost += 1,
            None => n_unseen += 1,
        }
    }
    let tool = recount.tool.as_deref().unwrap_or("gcov");
    let reasons = [
        (n_unseen, format!("of a kind that {tool} does not count here")),
        (n_lost, "those of tests that end the program, and the counts with it".to_owned()),
    ];
    for (n_goals, why) in reasons.into_iter().filter(|(n_goals, _)| *n_goals > 0) {
        audited.notes.push(format!("{n_goals} covered goals are {why}"));
    }
}

fn covered(goal: &data::Goal) -> String {
    format!("{} is covered", goal.id)
}

fn ends_in_return(function: &data::Function, goal: &data::Goal) -> bool {
    let mut tests = goal.tests().filter_map(|id| function.test(id));
    tests.all(|test| test.expected.ending == data::test::Ending::Returned)
}

/// Whether a tool counted what the goal asks for; `None` when no tool can see it.
fn is_counted(program: &Program, goal: &Goal, recount: &Recount) -> Option<bool> {
    let body = program.body(goal.function);
    if is_seen_by_lines(program, goal) {
        let count = recount.lines.as_ref()?.get(&goal.span.line)?;
        return Some(*count > 0);
    }
    match &goal.target {
        Target::Edge { block, edge } => match &body.block(*block).terminator {
            Terminator::Branch { origin: Some(origin), .. } => {
                let value = (*edge == 0) == origin.is_positive;
                had_value(body, (origin.decision, origin.condition), value, recount)
            }
            Terminator::Branch { origin: None, .. }
            | Terminator::Jump(_)
            | Terminator::Switch { .. }
            | Terminator::Return(_)
            | Terminator::Unreachable => None,
        },
        Target::Condition { decision, condition, value } => {
            had_value(body, (*decision, *condition), *value, recount)
        }
        Target::Independence { decision, condition, flavor } => {
            let declared = &body.decisions[decision.index()];
            if declared.conditions.len() == 1 {
                let place = (*decision, *condition);
                let sides = [true, false].map(|value| had_value(body, place, value, recount));
                return Some(sides[0]? && sides[1]?);
            }
            let seen = recount.conditions.as_ref()?.decisions.get(&at(declared.span))?;
            let evaluations: Vec<Evaluation> =
                seen.iter().map(|seen| evaluation(&declared.formula, seen)).collect();
            // With constants among its conditions the tool has fewer than we.
            let n_conditions = declared.conditions.len();
            if evaluations.iter().any(|seen| seen.conditions.len() != n_conditions) {
                return None;
            }
            let is_pair = |one: &Evaluation, other: &Evaluation| {
                is_independence_pair(&declared.formula, *condition, *flavor, one, other)
            };
            Some(evaluations.iter().any(|one| evaluations.iter().any(|other| is_pair(one, other))))
        }
        Target::Site(_)
        | Target::AnyEdge(_)
        | Target::Outcome { .. }
        | Target::DefUse { .. }
        | Target::Path(_)
        | Target::CheckFails(_)
        | Target::Killed { .. } => None,
    }
}

/// Whether a condition, by decision and position, was counted with this value. Constants are not counted at all.
fn had_value(
    body: &Body,
    place: (DecisionId, u16),
    value: bool,
    recount: &Recount,
) -> Option<bool> {
    let condition = &body.decisions[place.0.index()].conditions[usize::from(place.1)];
    let counts = recount.conditions.as_ref()?.conditions.get(&at(condition.span))?;
    match (value, *counts) {
        (_, (0, 0)) => None,
        (true, (count, _)) | (false, (_, count)) => Some(count > 0),
    }
}

/// For clang a negation right before a condition is part of it.
fn evaluation(formula: &Formula, seen: &Vector) -> Evaluation {
    let (values, outcome) = seen;
    let mut conditions = values.clone();
    negate_leaves(formula, false, &mut conditions);
    Evaluation { conditions, outcome: *outcome }
}

fn negate_leaves(formula: &Formula, is_negated: bool, conditions: &mut [Option<bool>]) {
    match formula {
        Formula::Condition(condition) => {
            if let Some(value) = conditions.get_mut(usize::from(*condition)) {
                *value = value.map(|value| value != is_negated);
            }
        }
        Formula::Not(inner) => negate_leaves(inner, !is_negated, conditions),
        Formula::And(left, right) | Formula::Or(left, right) => {
            negate_leaves(left, false, conditions);
            negate_leaves(right, false, conditions);
        }
    }
}

fn at(span: Span) -> (u32, u32) {
    (span.line, span.column)
}
