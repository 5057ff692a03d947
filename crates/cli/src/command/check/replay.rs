//! Counter-examples in the compiled program.

use glassbox_emit::c_test::{TestFile, TestText, obstacle};
use glassbox_ir::forbid::is_forbidden;
use glassbox_ir::{CheckKind, OverflowMode};
use glassbox_replay::compiler::Compiler;
use glassbox_replay::{Evidence, Violations, confirm_violations};
use glassbox_testcase::{UnknownReason, Verdict};

use super::Arguments;
use super::work::EntryWork;
use crate::command::generate::contract;
use crate::command::generate::work::{absolute_flags, source_path};
use crate::intake::Subject;

/// The counter-examples as a test file.
pub(super) fn test_file<'a>(
    subject: &'a Subject,
    work: &'a EntryWork,
    include: String,
) -> TestFile<'a> {
    let spec = contract::spec(subject, work.function);
    let tests = work.suite.tests.iter().zip(&work.violations).map(|(test, violation)| {
        let property = &work.properties[violation.property];
        let (line, column) = (property.span.line, property.span.column);
        TestText {
            name: test.name.clone(),
            input: &test.input,
            expected: &test.expected,
            covers: vec![format!("{line}:{column}: {}: {}", property.kind.name(), property.text)],
            constraints: test.constraints.clone(),
        }
    });
    let (program, function) = (&subject.program, work.function);
    TestFile { program, function, include, spec, tests: tests.collect() }
}

/// Runs them; an assertion that does not stop the compiled program is no violation but our bug.
pub(super) fn replay(subject: &Subject, work: &mut EntryWork, arguments: &Arguments) {
    let found = match run(subject, work, arguments) {
        Ok(found) => found,
        Err(why) => {
            let first = why.lines().next().unwrap_or_default();
            work.notes.push(format!("counter-examples were not run: {first}"));
            vec![Evidence::NotRun(why); work.violations.len()]
        }
    };
    for (position, evidence) in found.into_iter().enumerate() {
        let violation = &work.violations[position];
        let place = subject.program.function(work.properties[violation.property].function);
        let evidence = match evidence {
            Evidence::NotSeen(_) if is_forbidden(place) => Evidence::NotRun(format!(
                "the program's own `{}` does not stop the compiled program",
                place.name
            )),
            other => other,
        };
        if violation.report.kind == CheckKind::Assertion
            && let Evidence::NotSeen(story) = &evidence
        {
            let verdict = Verdict::Unknown(UnknownReason::Disagreement(format!(
                "no assertion fails: {story}"
            )));
            work.suite.goals[violation.property].verdict = verdict.clone();
            work.verdicts[violation.property] = verdict;
        }
        work.evidence[position] = Some(evidence);
    }
}

fn run(
    subject: &Subject,
    work: &EntryWork,
    arguments: &Arguments,
) -> Result<Vec<Evidence>, String> {
    let program = &subject.program;
    if let Some(why) = obstacle(program, work.function) {
        return Err(format!("no test can be written: {why}"));
    }
    let source =
        source_path(program, work.function).ok_or("the source file cannot be found again")?;
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary folder: {error}"))?;
    let kinds: Vec<CheckKind> =
        work.violations.iter().map(|violation| violation.report.kind).collect();
    let compiler = Compiler {
        command: arguments.intake.cc.clone(),
        flags: absolute_flags(&arguments.cc_flags),
    };
    let file = test_file(subject, work, String::new());
    confirm_violations(&Violations {
        compiler: &compiler,
        folder: folder.path(),
        file: &file,
        source: &source,
        kinds: &kinds,
        is_wrapping: OverflowMode::from(arguments.overflow) == OverflowMode::Wrap,
    })
    .map_err(|error| error.to_string())
}
