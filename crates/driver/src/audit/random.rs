//! Random inputs, in the interpreter and in the compiled program: none may reach what is proved to be
//! out of reach, and both must do the same.

use glassbox_coverage::{PropertyKind, Tracker};
use glassbox_emit::naming::test_names;
use glassbox_explore::runner::{FoundTest, ends_well};
use glassbox_explore::{Aim, TestRunner, seeds};
use glassbox_interp::{Outcome, TestRun};
use glassbox_replay::Confirmation;
use glassbox_report::input_text;
use glassbox_testcase::{Spent, Test, TestInput, UnknownReason, Verdict};

use super::{Audited, Contradiction, Inspected};
use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::language::Unwritable;
use crate::plan::Task;
use crate::{contract, verify};

/// Instructions of one run.
const RUN_STEPS: u64 = 1_000_000;

/// Inputs of the compiled program at a time: their tests are one source file.
const BATCH: usize = 100;

pub(super) fn run(
    case: &Case<'_>,
    inspected: &Inspected<'_>,
    n_inputs: usize,
    audited: &mut Audited,
) {
    let program = case.program();
    let aim = contract::aim(case, inspected.function);
    let options = glassbox_interp::Options {
        watch: Some(inspected.function),
        ..TestRunner::options(RUN_STEPS)
    };
    let mut runner = TestRunner::new(program, options, case.language.library());
    let mut tracker = Tracker::new(program.body(inspected.function), &inspected.goals);
    let mut tests: Vec<FoundTest> = Vec::new();
    for input in inputs(case, aim, n_inputs) {
        let Ok(run) = runner.run(aim.entry, &input) else { continue };
        let mut facts = runner.facts(inspected.function, &run);
        if !ends_well(&run) {
            failed(case, inspected, &run, &input, audited);
            facts = glassbox_coverage::Facts {
                failed_check: facts.failed_check,
                ..glassbox_coverage::Facts::default()
            };
        }
        let gain = tracker.add(tests.len(), &facts);
        for &goal in &gain.reached {
            let id = &inspected.goals[goal].id;
            if matches!(case.plan.task, Task::Generate(_)) && inspected.is_proved(id) {
                audited.contradictions.push(reached(case, id, &input));
            }
        }
        if ends_well(&run) {
            tests.push(runner.found_test(inspected.function, input, run, facts, Vec::new()));
        }
    }
    if case.plan.executes {
        for batch in tests.chunks(BATCH) {
            confirm(case, inspected, aim, batch, audited);
        }
    }
}

/// Boundaries and constants of the program first.
fn inputs(case: &Case<'_>, aim: Aim, count: usize) -> Vec<TestInput> {
    // Not the seed of the search: those inputs have been tried.
    let seed = case.plan.budget.seed ^ 0x00a1_1d17;
    let mut all = seeds::inputs_from_constants(case.program(), aim.entry, seed);
    all.truncate(count / 2);
    let left = count - all.len();
    all.extend(seeds::inputs(case.program(), aim, seed, left));
    all
}

fn reached(case: &Case<'_>, id: &str, input: &TestInput) -> Contradiction {
    let seen = format!("reached with {}", input_text::line(case.program(), input));
    Contradiction { said: format!("nothing reaches {id}"), seen }
}

/// A run that fails contradicts the property that it fails.
fn failed(
    case: &Case<'_>,
    inspected: &Inspected<'_>,
    run: &TestRun,
    input: &TestInput,
    audited: &mut Audited,
) {
    let (Task::Check(task), Outcome::Undefined(report)) = (&case.plan.task, &run.outcome) else {
        return;
    };
    let place = report.stack.last().map(|entry| entry.function);
    let (_, properties) = verify::properties_of(case, task, inspected.function);
    for property in properties.list() {
        let is_it = Some(property.function) == place
            && property.span == report.span
            && property.kind == PropertyKind::Check(report.kind);
        if is_it && inspected.is_proved(&property.id) {
            let seen = format!("fails with {}", input_text::line(case.program(), input));
            let said = format!("{} holds", property.id);
            let contradiction = Contradiction { said, seen };
            if !audited.contradictions.contains(&contradiction) {
                audited.contradictions.push(contradiction);
            }
        }
    }
}

/// Runs inputs in the compiled program, with probes: it must do what the interpreter did.
fn confirm(
    case: &Case<'_>,
    inspected: &Inspected<'_>,
    aim: Aim,
    found: &[FoundTest],
    audited: &mut Audited,
) {
    let program = case.program();
    let open = Verdict::Unknown(UnknownReason::Budget(Spent::Paths { n_paths: 0 }));
    let verdicts = vec![open; inspected.goals.len()];
    let goals = inspected.goals.clone();
    let mut report = FunctionReport::new(inspected.function, aim.entry, goals, &verdicts);
    let names = test_names(&program.function(inspected.function).name, &vec![None; found.len()]);
    let tests = found.iter().zip(names).map(|(found, name)| Test {
        name,
        input: found.input.clone(),
        expected: found.observation.clone(),
        covers: Vec::new(),
        path: Vec::new(),
        constraints: Vec::new(),
        through: None,
        follow_ups: Vec::new(),
    });
    report.suite.tests = tests.collect();
    report.condition_traces = found.iter().map(|found| found.condition_trace.clone()).collect();
    report.evidence.facts = found.iter().map(|found| found.facts.clone()).collect();
    case.language.look(&mut report);
    case.language.name_tests(std::slice::from_mut(&mut report));
    for obstacle in case.language.unwritable(case.plan, &report) {
        if let Unwritable::All(why) = obstacle {
            return audited.notes.push(format!("no inputs in the compiled program: {why}"));
        }
    }
    let outcome = case.language.replay(case.plan, std::slice::from_ref(&report)).pop();
    let replayed = match outcome {
        Some(Ok(replayed)) => replayed,
        Some(Err(why)) => {
            let first = why.lines().next().unwrap_or_default();
            return audited.notes.push(format!("no inputs in the compiled program: {first}"));
        }
        None => return,
    };
    for (test, confirmation) in report.suite.tests.iter().zip(&replayed.confirmations) {
        match confirmation {
            Some(Confirmation::Confirmed) => audited.n_inputs += 1,
            Some(Confirmation::Failed(message) | Confirmation::Diverged(message)) => {
                let message = message.trim().lines().collect::<Vec<_>>().join("; ");
                let with = input_text::line(program, &test.input);
                let said = "the interpreter does what the compiled program does".to_owned();
                let seen = format!("with {with}: {message}");
                audited.contradictions.push(Contradiction { said, seen });
            }
            Some(Confirmation::Flaky | Confirmation::Unfinished(_) | Confirmation::Rejected(_))
            | None => {}
        }
    }
}
