//! Tests in a JVM, with probes in the classes under test.

use glassbox_emit::java_framework::{self, JavaFile, java_file};
use glassbox_emit::java_test::JavaTestClass;
use glassbox_ir::{FuncId, Program};
use glassbox_replay::Confirmation;
use glassbox_replay::java::{JavaReplay, ProbedClass, confirm_java};
use glassbox_testcase::Verdict;

use super::Jvm;
use super::probes::Probes;
use super::tests::test_classes;
use crate::function_report::{FunctionReport, Replayed, Seen};
use crate::save::temporary_folder;

/// By method and name of the test.
type Replays = Vec<((FuncId, String), JavaReplay)>;

/// Runs the tests of all methods.
pub(super) fn replay(jvm: &Jvm, reports: &[FunctionReport]) -> Vec<Result<Replayed, String>> {
    let mut probes = Probes::new(&jvm.java, reports);
    let mut outcome = run(jvm, reports, &probes.classes);
    let is_refused = |replay: &JavaReplay| match &replay.confirmation {
        Confirmation::Failed(seen) => {
            ["VerifyError", "ClassFormatError", "glassbox_probe"].iter().any(|e| seen.contains(e))
        }
        Confirmation::Confirmed
        | Confirmation::Diverged(_)
        | Confirmation::Flaky
        | Confirmation::Unfinished(_)
        | Confirmation::Rejected(_) => false,
    };
    // Where the JVM refuses a class with probes, results are still worth knowing.
    if outcome.as_ref().is_ok_and(|all| all.iter().any(|(_, replay)| is_refused(replay))) {
        probes = Probes::default();
        outcome = run(jvm, reports, &[]);
    }
    let of_report = |report: &FunctionReport| match &outcome {
        Ok(replays) => Ok(replayed(&jvm.java.program, report, replays, &probes)),
        Err(why) => Err(why.clone()),
    };
    reports.iter().map(of_report).collect()
}

fn run(jvm: &Jvm, reports: &[FunctionReport], probed: &[ProbedClass]) -> Result<Replays, String> {
    let jdk = jvm.jdk.as_ref().ok_or("no JDK is found")?;
    let test_classes = test_classes(&jvm.java, reports);
    if test_classes.is_empty() {
        return Ok(Vec::new());
    }
    let files: Vec<JavaFile> =
        test_classes.iter().map(|class| java_file(class, &java_framework::REPLAY)).collect();
    let names = |class: &JavaTestClass<'_>| {
        class.tests.iter().map(|test| test.name.clone()).collect::<Vec<String>>()
    };
    let pairs: Vec<(&JavaFile, Vec<String>)> =
        files.iter().zip(&test_classes).map(|(file, class)| (file, names(class))).collect();
    let folder = temporary_folder()?;
    let class_path = &jvm.classes.class_path;
    let confirmed = confirm_java(jdk, folder.path(), &pairs, class_path, probed, jvm.assertions)
        .map_err(|error| error.to_string())?;
    let tests = test_classes.iter().zip(confirmed).flat_map(|(class, replays)| {
        let tests = class.tests.iter().map(|test| (test.function, test.name.clone()));
        tests.zip(replays).collect::<Vec<_>>()
    });
    Ok(tests.collect())
}

/// What the JVM did with the tests of one method.
fn replayed(
    program: &Program,
    report: &FunctionReport,
    replays: &Replays,
    probes: &Probes,
) -> Replayed {
    let function = report.function();
    let own: Vec<Option<&JavaReplay>> = report
        .suite
        .tests
        .iter()
        .map(|test| {
            let found = replays.iter().find(|((f, n), _)| *f == function && *n == test.name);
            found.map(|(_, replay)| replay)
        })
        .collect();
    let confirmations = own
        .iter()
        .enumerate()
        .map(|(test, replay)| replay.map(|replay| followed(program, report, test, replay, probes)))
        .collect();
    let seen = probes.is_watched(function).then(|| {
        let pairs = report.goals.iter().zip(report.verdicts());
        pairs
            .map(|(goal, verdict)| {
                let Verdict::Covered { test } = *verdict else { return Seen::Unseen };
                let replay = own.get(test).copied().flatten();
                let Some(trace) = replay.and_then(|replay| replay.trace.as_ref()) else {
                    return Seen::Unseen;
                };
                let seen = probes.see(program, goal, trace);
                // No probe shows this goal, but all steps of the run came in the expected order.
                let is_followed = seen == Seen::Unseen && is_ordered(report, test);
                if is_followed { Seen::Reached } else { seen }
            })
            .collect()
    });
    Replayed { confirmations, line_counts: None, seen }
}

/// What the JVM did with a test, its way included.
fn followed(
    program: &Program,
    report: &FunctionReport,
    test: usize,
    replay: &JavaReplay,
    probes: &Probes,
) -> Confirmation {
    let function = report.function();
    let is_compared = replay.confirmation == Confirmation::Confirmed && probes.is_watched(function);
    let facts = report.evidence.facts.get(test);
    match (facts, &replay.trace) {
        (Some(facts), Some(trace)) if is_compared => {
            match probes.compare(program, function, facts, trace) {
                Ok(()) => Confirmation::Confirmed,
                Err(difference) => Confirmation::Diverged(difference),
            }
        }
        _ => replay.confirmation.clone(),
    }
}

/// Whether the steps of a test's run were compared in their order.
fn is_ordered(report: &FunctionReport, test: usize) -> bool {
    report.evidence.facts.get(test).is_some_and(|facts| facts.activations.len() == 1)
}
