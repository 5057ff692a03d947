//! Counter-examples in the JVM: a test passes when the exception comes out of the method.

use glassbox_coverage::Property;
use glassbox_emit::java_test::obstacle;
use glassbox_ir::{CheckKind, OverflowMode};
use glassbox_jvm_front::JavaProgram;
use glassbox_replay::{Confirmation, Evidence as Sighting};
use glassbox_report::input_text;
use glassbox_testcase::java::JavaEnding;
use glassbox_testcase::{InputValue, TestInput};

use super::search::is_forced;
use super::{Jvm, confirm, version_tests};
use crate::function_report::{CounterExample, FunctionReport};
use crate::plan::Plan;

/// Runs the counter-examples of all methods.
pub(super) fn replay(
    jvm: &Jvm,
    plan: &Plan,
    reports: &[FunctionReport],
) -> Vec<Result<Vec<Sighting>, String>> {
    let replayed = confirm::replay(jvm, reports);
    let versions = confirm::in_both_versions(jvm, reports);
    let pairs = reports.iter().zip(replayed);
    pairs
        .map(|(report, replayed)| {
            if let Some(older) = version_tests::older(&jvm.java, report.function()) {
                let versions = versions.as_ref().map_err(Clone::clone)?;
                return Ok(version_tests::sightings(jvm, report, older, versions));
            }
            let confirmations = replayed?.confirmations;
            let examples = report.checked.counter_examples.iter().enumerate();
            let sightings = examples.map(|(test, example)| {
                let confirmation = confirmations.get(test).and_then(Option::as_ref);
                sighting(jvm, plan, report, test, example, confirmation)
            });
            Ok(sightings.collect())
        })
        .collect()
}

const UNCHECKED: &str = "the program does not check its contract";

/// Whether the property is a clause of a contract.
fn is_promise(jvm: &Jvm, property: &Property) -> bool {
    let Some(config) = jvm.contracts.as_ref().map(|contracts| &contracts.config) else {
        return false;
    };
    let span = property.span;
    let Some(file) = jvm.java.program.files.get(span.file.index()) else { return false };
    let clauses = config.contracts.iter().flat_map(|contract| &contract.clauses);
    let mut declared = clauses.filter_map(|clause| clause.declared.as_ref());
    file.path == config.path || declared.any(|one| one.is_at(&file.path, span.line, span.column))
}

fn sighting(
    jvm: &Jvm,
    plan: &Plan,
    report: &FunctionReport,
    test: usize,
    example: &CounterExample,
    confirmation: Option<&Confirmation>,
) -> Sighting {
    // Others of the same file could not be compiled or would stand beside one that fails.
    if let Some(Confirmation::Rejected(why)) = confirmation {
        return Sighting::NotWritten(why.clone());
    }
    let kind = example.violation.report.kind;
    if kind == CheckKind::Relation {
        return match confirmation {
            Some(Confirmation::Confirmed) => Sighting::Aborted,
            Some(Confirmation::Failed(seen) | Confirmation::Diverged(seen)) => {
                Sighting::NotSeen(seen.clone())
            }
            Some(Confirmation::Flaky) => {
                Sighting::NotRun("it ends in another way when it is run again".to_owned())
            }
            Some(Confirmation::Rejected(why) | Confirmation::Unfinished(why)) => {
                Sighting::NotRun(why.clone())
            }
            None => Sighting::NotRun("no test was written".to_owned()),
        };
    }
    if kind == CheckKind::SignedOverflow && plan.overflow == OverflowMode::Report {
        return Sighting::NotRun("the JVM wraps around without a word".to_owned());
    }
    if kind == CheckKind::Precondition {
        return Sighting::NotRun(UNCHECKED.to_owned());
    }
    let property = &report.checked.properties[example.violation.property];
    if kind == CheckKind::Assertion && !property.sites.is_empty() && is_promise(jvm, property) {
        return Sighting::NotRun(UNCHECKED.to_owned());
    }
    let Some(observed) = report.objects.get(test).map(|object| &object.observed) else {
        return Sighting::NotRun("it could not be run again".to_owned());
    };
    if let Some(why) = obstacle(observed) {
        return Sighting::NotRun(why);
    }
    let JavaEnding::Thrown(class) = &observed.ending else {
        return Sighting::NotSeen("no exception leaves the method".to_owned());
    };
    match confirmation {
        Some(Confirmation::Confirmed) => Sighting::Thrown(class.clone()),
        Some(Confirmation::Failed(seen) | Confirmation::Diverged(seen)) => {
            Sighting::NotSeen(seen.clone())
        }
        // A class is initialized once: a second run in the same JVM ends in another way.
        Some(Confirmation::Flaky) => {
            Sighting::NotRun("it ends in another way when it is run again".to_owned())
        }
        Some(Confirmation::Rejected(why)) => Sighting::NotWritten(why.clone()),
        Some(Confirmation::Unfinished(why)) => Sighting::NotRun(why.clone()),
        None => Sighting::NotRun("no test was written".to_owned()),
    }
}

/// Counter-examples of what only code out of sight calls: with which arguments is not known.
pub(super) fn doubtful_arguments(
    java: &JavaProgram,
    report: &FunctionReport,
) -> Vec<(usize, String)> {
    let tests = report.suite.tests.iter().enumerate();
    tests
        .map(|(test, content)| {
            let inputs = input_text::line(&java.program, &content.input);
            let why = "it fails if code out of sight runs it in this state";
            (test, format!("{why}: {inputs}"))
        })
        .collect()
}

/// Counter-examples whose objects have values that only reflection can give them.
pub(super) fn doubtful(java: &JavaProgram, report: &FunctionReport) -> Vec<(usize, String)> {
    let tests = report.suite.tests.iter().enumerate();
    let forced = tests.filter(|(test, _)| {
        let observed = report.objects.get(*test).map(|object| &object.observed);
        observed.is_some_and(|seen| obstacle(seen).is_none()) && is_forced(java, report, *test)
    });
    let mut found: Vec<(usize, String)> = forced
        .map(|(test, content)| {
            let inputs = input_text::line(&java.program, &content.input);
            let why = "it fails in a state that no known call leads to";
            (test, format!("{why}: {inputs}"))
        })
        .collect();
    // Type arguments are not known: `Supplier<String>` gives texts unless the compiler was tricked.
    for (test, content) in report.suite.tests.iter().enumerate() {
        let example = report.checked.counter_examples.get(test);
        let is_cast = example.is_some_and(|one| one.violation.report.kind == CheckKind::ClassCast);
        let is_known = found.iter().any(|(known, _)| *known == test);
        if is_cast && !is_known && has_stand_in(java, &content.input) {
            let inputs = input_text::line(&java.program, &content.input);
            let why = "it fails if an interface gives what its type arguments exclude";
            found.push((test, format!("{why}: {inputs}")));
        }
    }
    found
}

fn has_stand_in(java: &JavaProgram, input: &TestInput) -> bool {
    let layout = java.program.object_layout.as_ref();
    input.objects.iter().any(|object| {
        let Some(InputValue::Struct(values)) = object.elements.first() else { return false };
        let number = values.first().and_then(InputValue::as_int);
        let number = number.and_then(|bits| u32::try_from(bits.unsigned()).ok());
        let ty = layout.zip(number).and_then(|(layout, number)| layout.get(number));
        ty.is_some_and(|ty| ty.is_stand_in)
    })
}
