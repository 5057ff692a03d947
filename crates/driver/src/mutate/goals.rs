//! Mutants as goals of `gen`: killed by a test is covered, proved equivalent is infeasible.
//!
//! The search over paths does not see them, since no run of the function alone shows what a mutant does. They are judged
//! after it, as `glassbox mutate` judges them, with the tests that it found.

use std::time::Duration;

use glassbox_coverage::{Covered, Goal, Target};
use glassbox_ir::FuncId;
use glassbox_report::mutation::Fate;
use glassbox_testcase::{GoalResult, UnknownReason, Verdict};

use super::{Options, Work};
use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::stopwatch::Stopwatch;

/// For the question about one mutant, unless the function has less time.
const TIME: Duration = Duration::from_secs(5);

/// The mutant that a goal is about.
fn mutant(goal: &Goal) -> Option<FuncId> {
    if let Target::Killed { mutant } = goal.target { Some(mutant) } else { None }
}

/// Goals that the search over paths is asked about.
pub(crate) fn without_mutants(goals: &[Goal]) -> Vec<Goal> {
    goals.iter().filter(|goal| mutant(goal).is_none()).cloned().collect()
}

/// Puts goals about mutants among those that were searched, in the order of `goals`, and judges them.
pub(crate) fn judge(
    case: &Case<'_>,
    report: &mut FunctionReport,
    goals: &[Goal],
    watch: &Stopwatch<'_>,
) {
    let wanted: Vec<FuncId> = goals.iter().filter_map(mutant).collect();
    if wanted.is_empty() {
        return;
    }
    let options = Options { time: TIME.min(case.plan.budget.time), asks: true, given: None };
    let mut variants = case.language.variants(report.function());
    variants.retain(|variant| variant.function.is_some_and(|id| wanted.contains(&id)));
    let (judged, notes) = {
        let mut work = Work::new(case, report, (&options, None), watch);
        let judged = work.judge(&variants);
        (judged, std::mem::take(&mut work.notes))
    };
    report.notes.extend(notes);
    insert(report, goals);
    for (variant, fate) in variants.iter().zip(judged.fates) {
        let position = goals.iter().position(|goal| mutant(goal) == variant.function);
        let Some(position) = position else { continue };
        let verdict = match fate {
            Fate::Killed { by, .. } | Fate::TimedOut { by } => {
                match report.suite.tests.iter().position(|test| test.name == by) {
                    Some(test) => {
                        report.suite.tests[test].covers.push(goals[position].id.clone());
                        report.evidence.covered[position] = Some(Covered::By(test));
                        Verdict::Covered { test }
                    }
                    None => {
                        unknown(goals, position, format!("the test {by} is not there any more"))
                    }
                }
            }
            Fate::Equivalent { method } => Verdict::Infeasible(method),
            Fate::EquivalentWithin { bounds } => {
                let what = format!("equivalent within bounds ({})", bounds.join(", "));
                unknown(goals, position, what)
            }
            Fate::NotCompiled => unknown(goals, position, "it makes no program".to_owned()),
            Fate::Unknown { reason } => unknown(goals, position, reason),
        };
        report.suite.goals[position].verdict = verdict;
    }
}

fn unknown(goals: &[Goal], position: usize, what: String) -> Verdict {
    Verdict::Unknown(UnknownReason::Unsupported { what, span: goals[position].span })
}

/// Makes room: what was found out about the others stays theirs.
fn insert(report: &mut FunctionReport, goals: &[Goal]) {
    let places: Vec<usize> =
        (0..goals.len()).filter(|&position| mutant(&goals[position]).is_none()).collect();
    let found = std::mem::take(&mut report.suite.goals);
    report.suite.goals = goals
        .iter()
        .map(|goal| GoalResult {
            goal: goal.id.clone(),
            verdict: Verdict::Unknown(UnknownReason::Internal("it was not judged".to_owned())),
        })
        .collect();
    let mut covered = vec![None; goals.len()];
    let mut reached_after = vec![None; goals.len()];
    for (position, (from, result)) in places.iter().zip(found.into_iter().enumerate()) {
        report.suite.goals[*position] = result;
        covered[*position] = report.evidence.covered.get(from).copied().flatten();
        reached_after[*position] = report.evidence.reached_after.get(from).copied().flatten();
    }
    (report.evidence.covered, report.evidence.reached_after) = (covered, reached_after);
    for step in &mut report.history {
        step.goal = places.get(step.goal).copied().unwrap_or(step.goal);
    }
    report.goals = goals.to_vec();
}
