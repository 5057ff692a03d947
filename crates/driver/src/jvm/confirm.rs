//! Tests in a JVM, with probes in the classes under test.

use glassbox_emit::java_framework::{self, JavaFile, java_file};
use glassbox_emit::java_test::{JavaTest, JavaTestClass};
use glassbox_ir::{FuncId, Program};
use glassbox_jvm_front::JavaProgram;
use glassbox_replay::java::{JavaReplay, Jdk, ProbedClass, Sharing, Surroundings, confirm_java};
use glassbox_replay::{Confirmation, ReplayError};
use glassbox_testcase::Verdict;

use super::Jvm;
use super::overridden::runs_another;
use super::probes::Probes;
use super::search::is_guessed;
use super::surroundings::{depends_on_start, depends_on_statics, stands_aside};
use super::tests::test_classes;
use super::{relation_tests, version_tests};
use crate::function_report::{FunctionReport, Replayed, Seen};
use crate::save::temporary_folder;

/// By method and name of the test.
pub(super) type Replays = Vec<((FuncId, String), JavaReplay)>;

/// Runs the tests of all methods.
pub(super) fn replay(jvm: &Jvm, reports: &[FunctionReport]) -> Vec<Result<Replayed, String>> {
    let mut probes = Probes::new(&jvm.java, reports);
    // A test of two versions fails with one of them.
    let is_asked = |test: &JavaTest<'_>| version_tests::older(&jvm.java, test.function).is_none();
    let own = Tested::given(jvm, &probes.classes);
    let mut outcome = run(jvm, reports, own, Sharing::Together, is_asked);
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
        outcome = run(jvm, reports, Tested::given(jvm, &[]), Sharing::Together, is_asked);
    }
    if let Ok(replays) = &mut outcome {
        run_in_other_jvms(jvm, reports, &probes.classes, replays);
        run_alone(jvm, reports, &probes, replays);
    }
    let of_report = |report: &FunctionReport| match &outcome {
        Ok(replays) => Ok(replayed(jvm, report, replays, &probes)),
        Err(why) => Err(why.clone()),
    };
    reports.iter().map(of_report).collect()
}

/// JVMs in which tests are run again that may depend on when a JVM was started.
const OTHER_JVMS: usize = 3;

/// Where a JVM draws numbers from clocks when it starts, a test has to end in the same way in several of them.
fn run_in_other_jvms(
    jvm: &Jvm,
    reports: &[FunctionReport],
    probed: &[ProbedClass],
    replays: &mut Replays,
) {
    let functions = reports.iter().map(FunctionReport::function);
    let concerned: Vec<FuncId> =
        functions.filter(|&function| depends_on_start(jvm, function)).collect();
    for _ in 0..OTHER_JVMS {
        let is_concerned = |((function, _), replay): &((FuncId, String), JavaReplay)| {
            concerned.contains(function) && replay.confirmation == Confirmation::Confirmed
        };
        if !replays.iter().any(is_concerned) {
            return;
        }
        let is_asked = |test: &JavaTest<'_>| concerned.contains(&test.function);
        let tested = Tested::given(jvm, probed);
        let Ok(again) = run(jvm, reports, tested, Sharing::Together, is_asked) else { return };
        for (key, replay) in replays.iter_mut() {
            let other = again.iter().find(|(other, _)| other == key).map(|(_, other)| other);
            let is_same = |other: &JavaReplay| {
                other.confirmation == replay.confirmation && other.trace == replay.trace
            };
            if replay.confirmation == Confirmation::Confirmed
                && other.is_some_and(|other| !is_same(other))
            {
                replay.confirmation = Confirmation::Flaky;
            }
        }
    }
}

/// A test that other tests make fail, or that depends on what a JVM draws when it starts, says nothing about the method:
/// it is no test for people, and no disagreement either.
fn run_alone(jvm: &Jvm, reports: &[FunctionReport], probes: &Probes, replays: &mut Replays) {
    let program = &jvm.java.program;
    let differs = |key: &(FuncId, String), replay: &JavaReplay| {
        let report = reports.iter().find(|report| report.function() == key.0);
        let test =
            report.and_then(|one| one.suite.tests.iter().position(|test| test.name == key.1));
        let seen =
            report.zip(test).map(|(report, test)| followed(program, report, test, replay, probes));
        match seen {
            Some(Confirmation::Failed(seen) | Confirmation::Diverged(seen)) => Some(seen),
            Some(Confirmation::Flaky) => Some("passes and fails alternately".to_owned()),
            Some(
                Confirmation::Confirmed | Confirmation::Unfinished(_) | Confirmation::Rejected(_),
            )
            | None => None,
        }
    };
    // What makes the objects of a test may do so, too.
    let is_beside = |reports: &[FunctionReport], (function, name): &(FuncId, String)| {
        let report = reports.iter().find(|report| report.function() == *function);
        let test = report.and_then(|one| one.suite.tests.iter().position(|it| it.name == *name));
        if report.zip(test).is_some_and(|(report, test)| runs_own(&jvm.java, report, test)) {
            return false;
        }
        let object = report.zip(test).and_then(|(report, test)| report.objects.get(test));
        let harness = object.and_then(|object| jvm.java.recipes.harnesses.get(object.harness?));
        let through = object.and_then(|object| object.through);
        let run = [Some(*function), harness.map(|harness| harness.function), through];
        run.into_iter().flatten().any(|function| stands_aside(jvm, function))
    };
    let mut open: Vec<(FuncId, String)> = Vec::new();
    for (key, replay) in replays.iter_mut() {
        let Some(seen) = differs(key, replay) else { continue };
        if depends_on_start(jvm, key.0) {
            let why = format!("it depends on what the JDK draws when a JVM starts: {seen}");
            replay.confirmation = Confirmation::Rejected(why);
        } else if is_beside(reports, key) {
            let why = format!(
                "a user interface, a logger or a class loader does more than stand aside: {seen}"
            );
            replay.confirmation = Confirmation::Rejected(why);
        } else if open.len() < MAX_ALONE && depends_on_statics(jvm, key.0) {
            open.push(key.clone());
        }
    }
    if open.is_empty() {
        return;
    }
    let is_asked = |test: &JavaTest<'_>| {
        open.iter().any(|(function, name)| *function == test.function && *name == test.name)
    };
    let tested = Tested::given(jvm, &probes.classes);
    let Ok(alone) = run(jvm, reports, tested, Sharing::Alone, is_asked) else { return };
    for (key, replay) in replays.iter_mut().filter(|(key, _)| open.contains(key)) {
        let other = alone.iter().find(|(other, _)| other == key).map(|(_, other)| other);
        if other.is_some_and(|other| other.confirmation == Confirmation::Confirmed) {
            let why = "it passes in a JVM of its own only: other tests change static fields";
            replay.confirmation = Confirmation::Rejected(why.to_owned());
        }
    }
}

/// Tests that get a JVM of their own, at most.
const MAX_ALONE: usize = 40;

/// The classes that tests run with.
#[derive(Debug, Clone, Copy)]
struct Tested<'a> {
    class_path: &'a str,
    probed: &'a [ProbedClass],
}

impl<'a> Tested<'a> {
    /// Those that are worked on.
    fn given(jvm: &'a Jvm, probed: &'a [ProbedClass]) -> Tested<'a> {
        Tested { class_path: &jvm.classes.class_path, probed }
    }
}

/// What tests of two versions do with the older and with the newer one.
pub(super) fn in_both_versions(
    jvm: &Jvm,
    reports: &[FunctionReport],
) -> Result<[Replays; 2], String> {
    let Some(older) = &jvm.older else { return Ok([Vec::new(), Vec::new()]) };
    let is_asked = |test: &JavaTest<'_>| version_tests::older(&jvm.java, test.function).is_some();
    let with = |tested| run(jvm, reports, tested, Sharing::Together, is_asked);
    let older = Tested { class_path: &older.class_path, probed: &[] };
    Ok([with(older)?, with(Tested::given(jvm, &[]))?])
}

fn run(
    jvm: &Jvm,
    reports: &[FunctionReport],
    tested: Tested<'_>,
    sharing: Sharing,
    is_asked: impl Fn(&JavaTest<'_>) -> bool,
) -> Result<Replays, String> {
    let jdk = jvm.jdk.as_ref().ok_or("no JDK is found")?;
    let mut rejected: Replays = Vec::new();
    loop {
        let is_written = |test: &JavaTest<'_>| {
            is_asked(test)
                && !rejected
                    .iter()
                    .any(|((of, name), _)| *of == test.function && *name == test.name)
        };
        let mut test_classes = test_classes(jvm, reports);
        for class in &mut test_classes {
            class.tests.retain(is_written);
        }
        test_classes.retain(|class| !class.tests.is_empty());
        match run_classes(jvm, jdk, &test_classes, tested, sharing)? {
            Attempt::Ran(replays) => return Ok(rejected.into_iter().chain(replays).collect()),
            Attempt::Refused(tests) => rejected.extend(tests),
        }
    }
}

/// What came of compiling and running test classes.
enum Attempt {
    Ran(Replays),
    /// The compiler refuses these tests: the others can do without them.
    Refused(Replays),
}

fn run_classes(
    jvm: &Jvm,
    jdk: &Jdk,
    test_classes: &[JavaTestClass<'_>],
    Tested { class_path, probed }: Tested<'_>,
    sharing: Sharing,
) -> Result<Attempt, String> {
    if test_classes.is_empty() {
        return Ok(Attempt::Ran(Vec::new()));
    }
    let files: Vec<JavaFile> =
        test_classes.iter().map(|class| java_file(class, &java_framework::REPLAY)).collect();
    let names = |class: &JavaTestClass<'_>| {
        class.tests.iter().map(|test| test.name.clone()).collect::<Vec<String>>()
    };
    let pairs: Vec<(&JavaFile, Vec<String>)> =
        files.iter().zip(test_classes).map(|(file, class)| (file, names(class))).collect();
    let folder = temporary_folder()?;
    let surroundings = Surroundings { class_path, probed, assertions: jvm.assertions, sharing };
    let confirmed = confirm_java(jdk, folder.path(), &pairs, surroundings);
    let confirmed = match confirmed {
        Ok(confirmed) => confirmed,
        Err(ReplayError::DoesNotCompile(output)) => {
            let refused = refused(&output, &files, test_classes);
            let is_told = !refused.is_empty();
            let error = ReplayError::DoesNotCompile(output).to_string();
            return if is_told { Ok(Attempt::Refused(refused)) } else { Err(error) };
        }
        Err(error @ ReplayError::Io(..)) => return Err(error.to_string()),
    };
    let tests = test_classes.iter().zip(confirmed).flat_map(|(class, replays)| {
        let tests = class.tests.iter().map(|test| (test.function, test.name.clone()));
        tests.zip(replays).collect::<Vec<_>>()
    });
    Ok(Attempt::Ran(tests.collect()))
}

/// The tests in which a compiler found errors, `…/PathTest.java:12: error: …`, with its words.
fn refused(output: &str, files: &[JavaFile], classes: &[JavaTestClass<'_>]) -> Replays {
    let mut found: Replays = Vec::new();
    for line in output.lines() {
        let Some((place, message)) = line.split_once(": error: ") else { continue };
        let Some((path, number)) = place.rsplit_once(':') else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        let mut pairs = files.iter().zip(classes);
        let Some((file, class)) = pairs.find(|(file, _)| path.ends_with(&file.path)) else {
            continue;
        };
        let lines: Vec<&str> = file.text.lines().take(number).collect();
        let mut before = lines.iter().rev().take_while(|line| **line != "    }");
        let test = before.find_map(|line| {
            class.tests.iter().find(|test| line.contains(&format!(" void {}() ", test.name)))
        });
        let Some(test) = test else { continue };
        let key = (test.function, test.name.clone());
        if !found.iter().any(|(known, _)| *known == key) {
            let confirmation = Confirmation::Rejected(format!("it does not compile: {message}"));
            found.push((key, JavaReplay { confirmation, trace: None }));
        }
    }
    found
}

/// What the JVM did with the tests of one method.
fn replayed(jvm: &Jvm, report: &FunctionReport, replays: &Replays, probes: &Probes) -> Replayed {
    let java = &jvm.java;
    let program = &java.program;
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
        .map(|(test, replay)| {
            let confirmation = followed(program, report, test, (*replay)?, probes);
            Some(as_made(java, report, test, confirmation))
        })
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
    let failed_follow_ups = failed_follow_ups(jvm, report, replays);
    Replayed { confirmations, line_counts: None, seen, failed_follow_ups }
}

/// Tests of relations that the JVM does not confirm: which relation, with the input of which test, and why.
fn failed_follow_ups(
    jvm: &Jvm,
    report: &FunctionReport,
    replays: &Replays,
) -> Vec<(FuncId, usize, String)> {
    let mut failed = Vec::new();
    for (position, test) in report.suite.tests.iter().enumerate() {
        for &relation in &test.follow_ups {
            let name = relation_tests::name(jvm, relation, &test.name);
            let key = (report.function(), name);
            let replay = replays.iter().find(|(known, _)| *known == key).map(|(_, replay)| replay);
            let why = match replay.map(|replay| &replay.confirmation) {
                Some(Confirmation::Confirmed) => continue,
                Some(
                    Confirmation::Failed(why)
                    | Confirmation::Diverged(why)
                    | Confirmation::Unfinished(why)
                    | Confirmation::Rejected(why),
                ) => why.clone(),
                Some(Confirmation::Flaky) => "passes and fails alternately".to_owned(),
                None => "no test was written".to_owned(),
            };
            failed.push((relation, position, why));
        }
    }
    failed
}

/// Whether the object of a test runs a method of its own in the place of the one that is tested.
fn runs_own(java: &JavaProgram, report: &FunctionReport, test: usize) -> bool {
    let object = report.objects.get(test);
    let is_direct = object.is_none_or(|it| it.harness.is_none() && it.through.is_none());
    let input = &report.suite.tests[test].input;
    is_direct && runs_another(&java.program, report.function(), input)
}

/// A constructor that does not make the object of a test refutes the object, not the method.
fn as_made(
    java: &JavaProgram,
    report: &FunctionReport,
    test: usize,
    confirmation: Confirmation,
) -> Confirmation {
    match confirmation {
        Confirmation::Failed(seen) | Confirmation::Diverged(seen)
            if runs_own(java, report, test) =>
        {
            let what = "the object runs a method of its own in the place of this one";
            Confirmation::Rejected(format!("{what}: {seen}"))
        }
        Confirmation::Failed(seen) | Confirmation::Diverged(seen)
            if is_guessed(java, report, test) =>
        {
            let what = "the constructor of a record does not make the object";
            Confirmation::Rejected(format!("{what}: {seen}"))
        }
        Confirmation::Failed(_)
        | Confirmation::Diverged(_)
        | Confirmation::Confirmed
        | Confirmation::Flaky
        | Confirmation::Unfinished(_)
        | Confirmation::Rejected(_) => confirmation,
    }
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
