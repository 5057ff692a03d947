//! Differences between versions as tests: they assert what the older version does, so that they pass with it and fail with the
//! newer one.

use glassbox_ir::{FuncId, Origin};
use glassbox_jvm_front::JavaProgram;
use glassbox_replay::{Confirmation, Evidence as Sighting};
use glassbox_testcase::NotCompared;
use glassbox_testcase::java::{JavaEnding, JavaObservation};

use super::Jvm;
use super::confirm::Replays;
use super::search::{asserts_more, is_guessed, seen};
use super::statics::Watched;
use super::surroundings::depends_on_start;
use crate::function_report::FunctionReport;
use crate::relation::subject;

/// What such a test is about.
pub(super) const WORDS: &str = "as in the older version";

/// The copy of the older version, where a function compares a method with it.
pub(super) fn older(java: &JavaProgram, comparison: FuncId) -> Option<FuncId> {
    let mut all = java.mutants.iter().flatten();
    let found = all.find(|mutant| mutant.comparison == Some(comparison))?;
    let origin = java.program.function(found.copy).origin;
    (!matches!(origin, Origin::Variant { .. })).then_some(found.copy)
}

/// What tests assert is what the older version does, and not what the comparison does.
pub(super) fn look(java: &JavaProgram, report: &mut FunctionReport) {
    let Some(older) = older(java, report.function()) else { return };
    let watched = Watched::of_versions(java, older, subject(&java.program, report.function()));
    for (object, test) in report.objects.iter_mut().zip(&report.suite.tests) {
        object.observed =
            seen(java, older, &test.input, &watched).unwrap_or_else(|| JavaObservation {
                ending: JavaEnding::Other("the older version does not return".to_owned()),
                after: Vec::new(),
                made: Vec::new(),
                statics: Vec::new(),
            });
    }
}

/// What JVMs with both versions did with the tests of a comparison. A test that is not confirmed is not written.
pub(super) fn sightings(
    jvm: &Jvm,
    report: &FunctionReport,
    older: FuncId,
    [with_older, with_newer]: &[Replays; 2],
) -> Vec<Sighting> {
    let of = |replays: &Replays, test: usize| {
        let key = (report.function(), report.suite.tests[test].name.clone());
        let found = replays.iter().find(|(known, _)| *known == key);
        found.map(|(_, replay)| replay.confirmation.clone())
    };
    let tests = 0..report.checked.counter_examples.len();
    tests
        .map(|test| match (of(with_older, test), of(with_newer, test)) {
            (Some(older_run), Some(newer_run)) => {
                sighting(jvm, report, test, older, (older_run, newer_run))
            }
            _ => Sighting::NotWritten("no test can be written".to_owned()),
        })
        .collect()
}

fn sighting(
    jvm: &Jvm,
    report: &FunctionReport,
    test: usize,
    older: FuncId,
    runs: (Confirmation, Confirmation),
) -> Sighting {
    let newer = subject(&jvm.java.program, report.function());
    if [newer, older].iter().any(|&function| depends_on_start(jvm, function)) {
        let why = "a test would depend on what the JDK draws when a JVM starts";
        return Sighting::NotWritten(why.to_owned());
    }
    match runs {
        (Confirmation::Confirmed, Confirmation::Failed(_)) => Sighting::Aborted,
        (Confirmation::Confirmed, Confirmation::Confirmed) => {
            let what = "a test of it passes with both versions";
            match is_shown(&jvm.java, report, test, [older, newer]) {
                true => Sighting::NotSeen(what.to_owned()),
                false => Sighting::NotWritten(format!("{what}: tests do not show what differs")),
            }
        }
        (Confirmation::Failed(seen) | Confirmation::Diverged(seen), _) => {
            // Tests make objects as the newer version does.
            let differs = [NotCompared::Constructors, NotCompared::Initializers];
            let is_made_otherwise = jvm.older_left_out.iter().any(|what| differs.contains(what));
            let what = format!("a test of it fails with the older version: {seen}");
            match is_made_otherwise || is_guessed(&jvm.java, report, test) {
                true => Sighting::NotWritten(what),
                false => Sighting::NotSeen(what),
            }
        }
        (Confirmation::Flaky, _) | (_, Confirmation::Flaky) => {
            Sighting::NotWritten("a test of it ends in another way when it is run again".to_owned())
        }
        (Confirmation::Rejected(why) | Confirmation::Unfinished(why), _)
        | (
            Confirmation::Confirmed,
            Confirmation::Rejected(why)
            | Confirmation::Unfinished(why)
            | Confirmation::Diverged(why),
        ) => Sighting::NotWritten(why),
    }
}

/// Whether a test of the older version has to fail with the newer one. Exceptions of a class are those below it, too.
fn is_shown(
    java: &JavaProgram,
    report: &FunctionReport,
    test: usize,
    [older, newer]: [FuncId; 2],
) -> bool {
    let input = &report.suite.tests[test].input;
    let watched = Watched::of_versions(java, older, newer);
    let Some(other) = seen(java, newer, input, &watched) else { return false };
    let own = &report.objects[test].observed;
    let both_throw =
        matches!((&own.ending, &other.ending), (JavaEnding::Thrown(_), JavaEnding::Thrown(_)));
    !both_throw && asserts_more(java, newer, input, [own, &other], true)
}
