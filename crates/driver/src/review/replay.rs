//! Tests in the real program: what it does not confirm is not covered, and an assertion that does not stop it
//! is no violation.

use glassbox_coverage::scope::{Calls, scope};
use glassbox_ir::{CheckKind, FuncId, Program};
use glassbox_replay::{Confirmation, Evidence as Sighting};
use glassbox_report::data::Replay as Seen;
use glassbox_testcase::{UnknownReason, Verdict};

use super::Reviewer;
use crate::drive::Case;
use crate::forbid::is_forbidden;
use crate::function_report::{FunctionReport, Replayed, first_line};
use crate::plan::Task;

pub(super) struct Replay;

impl Reviewer for Replay {
    fn review(&self, case: &Case<'_>, reports: &mut [FunctionReport]) {
        match &case.plan.task {
            Task::Generate(_) if case.plan.executes => confirm(case, reports),
            Task::Generate(_) => {
                for report in reports.iter_mut().filter(|report| !report.suite.tests.is_empty()) {
                    let note = "tests were not run (--no-exec): nothing is confirmed";
                    report.notes.push(note.to_owned());
                }
            }
            Task::Check(_) if case.plan.executes => {
                if reports.iter().all(|report| report.suite.tests.is_empty()) {
                    return;
                }
                let outcomes = case.language.replay_violations(case.plan, reports);
                for (report, outcome) in reports.iter_mut().zip(outcomes) {
                    if !report.suite.tests.is_empty() {
                        confirm_violations(case, report, outcome);
                    }
                }
            }
            Task::Check(_) => {}
        }
    }
}

fn confirm(case: &Case<'_>, reports: &mut [FunctionReport]) {
    let outcomes = case.language.replay(case.plan, reports);
    for (report, outcome) in reports.iter_mut().zip(outcomes) {
        match outcome {
            Ok(replayed) => judge(report, replayed),
            Err(why) => report.unconfirm(None, &why, UnknownReason::Unconfirmed(why.clone())),
        }
    }
}

/// Takes back what the real program does not confirm.
fn judge(report: &mut FunctionReport, replayed: Replayed) {
    let state =
        |confirmation: &Option<Confirmation>| confirmation.as_ref().map(seen).unwrap_or_default();
    report.evidence.replays = replayed.confirmations.iter().map(state).collect();
    let is_rejected = |confirmation: &&Option<Confirmation>| {
        matches!(confirmation, Some(Confirmation::Rejected(_)))
    };
    let n_rejected = replayed.confirmations.iter().filter(is_rejected).count();
    // What is wrong with all of them is said once.
    let first = replayed.confirmations.first().filter(|_| n_rejected == report.suite.tests.len());
    if let Some(Some(Confirmation::Rejected(why))) = first {
        report.unconfirm(None, why, UnknownReason::Unconfirmed(why.clone()));
        return;
    }
    for (test, confirmation) in replayed.confirmations.iter().enumerate() {
        match confirmation {
            Some(Confirmation::Confirmed) | None => {}
            Some(Confirmation::Failed(seen) | Confirmation::Diverged(seen)) => {
                report.contradict(test, seen);
            }
            Some(Confirmation::Flaky) => report.contradict(test, FLAKY),
            Some(Confirmation::Unfinished(why) | Confirmation::Rejected(why)) => {
                report.unconfirm(Some(test), why, UnknownReason::Unconfirmed(why.clone()));
            }
        }
    }
    for (relation, test, why) in &replayed.failed_follow_ups {
        let follow_ups = &mut report.suite.tests[*test].follow_ups;
        follow_ups.retain(|known| known != relation);
        let name = &report.suite.tests[*test].name;
        let note = format!("no relation is tested with the input of {name}: {}", first_line(why));
        report.notes.push(note);
    }
    report.replayed = Some(replayed);
}

const FLAKY: &str = "passes and fails alternately";

fn seen(confirmation: &Confirmation) -> Seen {
    match confirmation {
        Confirmation::Confirmed => Seen::confirmed(),
        Confirmation::Failed(message)
        | Confirmation::Diverged(message)
        | Confirmation::Unfinished(message)
        | Confirmation::Rejected(message) => Seen::failed(message),
        Confirmation::Flaky => Seen::failed(FLAKY),
    }
}

/// Judges what counter-examples did; an assertion that does not stop the compiled program is no violation but our
/// bug, and so is any error that the language defines.
fn confirm_violations(
    case: &Case<'_>,
    report: &mut FunctionReport,
    outcome: Result<Vec<Sighting>, String>,
) {
    let found = outcome.unwrap_or_else(|why| {
        report.notes.push(format!("counter-examples were not run: {}", first_line(&why)));
        vec![Sighting::NotRun(why); report.checked.counter_examples.len()]
    });
    let properties = &report.checked.properties;
    let reads_unset = reads_unset(case.program(), report.entry);
    for (example, sighting) in report.checked.counter_examples.iter_mut().zip(found) {
        let property = example.violation.property;
        let place = case.program().function(properties[property].function);
        let name = &place.name;
        let sighting = if !matches!(sighting, Sighting::NotSeen(_)) {
            sighting
        } else if is_forbidden(place) {
            Sighting::NotRun(format!(
                "the program's own `{name}` does not stop the compiled program"
            ))
        } else if reads_unset {
            let why =
                "it rests on a value that was never set, and the compiled program may have another";
            Sighting::NotRun(why.to_owned())
        } else {
            sighting
        };
        let is_assertion = example.violation.report.kind == CheckKind::Assertion;
        if (is_assertion || case.language.defines_errors())
            && let Sighting::NotSeen(instead) = &sighting
        {
            let seen = if is_assertion {
                format!("the assertion does not fail: {instead}")
            } else {
                format!("the error does not show: {instead}")
            };
            report.contradiction = Some(seen.clone());
            let reason = UnknownReason::Disagreement(seen);
            report.suite.goals[property].verdict = Verdict::Unknown(reason);
        }
        example.sighting = Some(sighting);
    }
    let examples = report.checked.counter_examples.iter();
    report.evidence.replays =
        examples.map(|example| seen_violation(example.sighting.as_ref())).collect();
}

/// Whether runs may read variables that were never set: no test can say what they hold.
fn reads_unset(program: &Program, entry: FuncId) -> bool {
    let mut calls = Calls::default();
    for function in scope(program, entry, &[]) {
        calls.add_function(program, function);
    }
    calls.direct.iter().any(|&callee| glassbox_library::is_unset(&program.function(callee).name))
}

fn seen_violation(sighting: Option<&Sighting>) -> Seen {
    match sighting {
        None | Some(Sighting::NotRun(_) | Sighting::NotWritten(_)) => Seen::default(),
        Some(
            Sighting::Aborted
            | Sighting::Sanitizer(_)
            | Sighting::Signal(_)
            | Sighting::Thrown(_)
            | Sighting::Specified(_),
        ) => Seen::confirmed(),
        Some(Sighting::NotSeen(instead)) => Seen::failed(instead),
    }
}
