//! Tests in a JVM: what it does not confirm is not covered.

use glassbox_emit::java_framework::{JavaFile, JavaFramework, java_file};
use glassbox_emit::java_test::JavaTestClass;
use glassbox_ir::{FuncId, Program};
use glassbox_jvm_front::JavaProgram;
use glassbox_replay::Confirmation;
use glassbox_replay::java::{JavaReplay, Jdk, ProbedClass, confirm_java};
use glassbox_report::suite_json::evidence::ReplayState;
use glassbox_testcase::java::JavaEnding;
use glassbox_testcase::{UnknownReason, Verdict};

use super::probes::{Probes, Seen};
use super::{Classes, MethodWork, test_classes};
use crate::command::generate::work::{self, disagree};

/// By method and name of the test.
type Replays = Vec<((FuncId, String), JavaReplay)>;

/// Runs the tests in a JVM, with probes in the classes under test.
pub(super) fn replay(jdk: &Jdk, java: &JavaProgram, classes: &Classes, results: &mut [MethodWork]) {
    let mut probes = Probes::new(java, results);
    let mut outcome = run(jdk, java, classes, results, &probes.classes);
    let is_refused = |replay: &JavaReplay| match &replay.confirmation {
        Confirmation::Failed(story) => {
            ["VerifyError", "ClassFormatError", "glassbox_probe"].iter().any(|e| story.contains(e))
        }
        _ => false,
    };
    // Where the JVM refuses a class with probes, results are still worth knowing.
    if outcome.as_ref().is_ok_and(|all| all.iter().any(|(_, replay)| is_refused(replay))) {
        probes = Probes::default();
        outcome = run(jdk, java, classes, results, &[]);
    }
    for method in results {
        match &outcome {
            Ok(replays) => judge(&java.program, method, replays, &probes),
            Err(story) => disagree(&mut method.work, None, story),
        }
    }
}

fn run(
    jdk: &Jdk,
    java: &JavaProgram,
    classes: &Classes,
    results: &[MethodWork],
    probed: &[ProbedClass],
) -> Result<Replays, String> {
    let test_classes = test_classes(java, results);
    if test_classes.is_empty() {
        return Ok(Vec::new());
    }
    let files: Vec<JavaFile> =
        test_classes.iter().map(|class| java_file(class, JavaFramework::Replay)).collect();
    let names = |class: &JavaTestClass<'_>| {
        class.tests.iter().map(|test| test.name.clone()).collect::<Vec<String>>()
    };
    let pairs: Vec<(&JavaFile, Vec<String>)> =
        files.iter().zip(&test_classes).map(|(file, class)| (file, names(class))).collect();
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let confirmed = confirm_java(jdk, folder.path(), &pairs, &classes.class_path, probed)
        .map_err(|error| error.to_string())?;
    let tests = test_classes.iter().zip(confirmed).flat_map(|(class, replays)| {
        let tests = class.tests.iter().map(|test| (test.function, test.name.clone()));
        tests.zip(replays).collect::<Vec<_>>()
    });
    Ok(tests.collect())
}

/// Takes back what the JVM does not confirm, and says how the rest was confirmed.
fn judge(program: &Program, method: &mut MethodWork, replays: &Replays, probes: &Probes) {
    let function = method.work.suite.function;
    let mut states = Vec::new();
    let mut own: Vec<Option<&JavaReplay>> = Vec::new();
    for test in 0..method.work.suite.tests.len() {
        let name = &method.work.suite.tests[test].name;
        let found = replays.iter().find(|((f, n), _)| *f == function && n == name);
        let replay = found.map(|(_, replay)| replay);
        let confirmation = replay.map(|replay| followed(program, method, test, replay, probes));
        states.push(confirmation.as_ref().map(work::evidence::replay_state).unwrap_or_default());
        match confirmation {
            Some(Confirmation::Confirmed) | None => {}
            Some(Confirmation::Failed(story) | Confirmation::Diverged(story)) => {
                disagree(&mut method.work, Some(test), &story);
            }
            Some(Confirmation::Flaky) => {
                disagree(&mut method.work, Some(test), "passes and fails by turns");
            }
        }
        own.push(replay);
    }
    method.work.evidence.replays = states;
    let how = check_goals(program, method, &own, probes);
    method.work.suite.assumptions.push(how);
    keep_confirmed(method);
}

/// What the JVM did with a test, its way included.
fn followed(
    program: &Program,
    method: &MethodWork,
    test: usize,
    replay: &JavaReplay,
    probes: &Probes,
) -> Confirmation {
    let function = method.work.suite.function;
    let is_compared = replay.confirmation == Confirmation::Confirmed && probes.is_watched(function);
    let facts = method.work.evidence.facts.get(test);
    match (facts, &replay.trace) {
        (Some(facts), Some(trace)) if is_compared => {
            match probes.compare(program, function, facts, trace) {
                Ok(()) => Confirmation::Confirmed,
                Err(story) => Confirmation::Diverged(story),
            }
        }
        _ => replay.confirmation.clone(),
    }
}

/// Goals one by one; in words, how what is left is confirmed.
fn check_goals(
    program: &Program,
    method: &mut MethodWork,
    replays: &[Option<&JavaReplay>],
    probes: &Probes,
) -> String {
    let work = &mut method.work;
    let is_watched = probes.is_watched(work.suite.function);
    let (mut n_seen, mut n_covered) = (0, 0);
    for (goal, result) in work.goals.iter().zip(&mut work.suite.goals) {
        let Verdict::Covered { test } = result.verdict else { continue };
        n_covered += 1;
        let trace = replays.get(test).copied().flatten().and_then(|replay| replay.trace.as_ref());
        let Some(trace) = trace.filter(|_| is_watched) else { continue };
        match probes.see(program, goal, trace) {
            Seen::Reached => n_seen += 1,
            // The order of its steps is the expected one.
            Seen::Unseen if is_ordered(&work.evidence.facts, test) => n_seen += 1,
            Seen::Unseen => {}
            Seen::NotReached => {
                let story = "probes in the class under test do not see it reached".to_owned();
                result.verdict = Verdict::Unknown(UnknownReason::Disagreement(story));
            }
        }
    }
    if n_seen == n_covered && is_watched {
        "confirmed: coverage (probes in the bytecode under test saw every covered goal reached; \
         results, exceptions and state on the JVM)"
            .to_owned()
    } else if is_watched {
        format!(
            "confirmed: coverage of {n_seen} goals (probes in the bytecode under test saw them \
             reached), result for {} (results, exceptions and state on the JVM; the way there is the \
             interpreter's word)",
            n_covered - n_seen
        )
    } else {
        "confirmed: result (results, exceptions and state on the JVM; which branches it took is the \
         interpreter's word)"
            .to_owned()
    }
}

/// Whether the steps of a test's run were compared in their order.
fn is_ordered(facts: &[glassbox_coverage::Facts], test: usize) -> bool {
    facts.get(test).is_some_and(|facts| facts.activations.len() == 1)
}

/// Only confirmed tests are written; the others stay in suite.json with their story.
fn keep_confirmed(method: &mut MethodWork) {
    for (observed, replay) in method.observed.iter_mut().zip(&method.work.evidence.replays) {
        if let ReplayState::Failed(story) = replay {
            observed.ending = JavaEnding::Other(story.clone());
        }
    }
}
