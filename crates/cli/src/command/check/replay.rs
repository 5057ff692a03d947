//! Counter-examples in the compiled program.

use std::path::Path;

use glassbox_coverage::PropertyKind;
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
use crate::config::{checked_source, stub_requirements};
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
    let requirements = stub_requirements(program, subject.config.as_ref());
    TestFile { program, function, include, spec, requirements, tests: tests.collect() }
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
    let mut flags = absolute_flags(&arguments.cc_flags);
    let checked = checked_copy(subject, work, &source);
    let tested = match &checked {
        Some(text) => {
            let path = folder.path().join(CHECKED);
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            flags.extend(quote_flags(&source));
            path
        }
        None => source.clone(),
    };
    let compiler = Compiler { command: arguments.intake.cc.clone(), flags };
    let file = test_file(subject, work, String::new());
    confirm_violations(&Violations {
        compiler: &compiler,
        folder: folder.path(),
        file: &file,
        source: &tested,
        kinds: &kinds,
        is_wrapping: OverflowMode::from(arguments.overflow) == OverflowMode::Wrap,
    })
    .map_err(|error| error.to_string())
}

/// The file of a source in which functions check their contracts, in a folder of its own.
const CHECKED: &str = "checked.c";

/// The source with checks of contracts, when a counter-example is a call that breaks one.
pub(super) fn checked_copy(subject: &Subject, work: &EntryWork, source: &Path) -> Option<String> {
    let kind = PropertyKind::Check(CheckKind::Precondition);
    let is_about_calls =
        work.violations.iter().any(|violation| work.properties[violation.property].kind == kind);
    let config = subject.config.as_ref().filter(|_| is_about_calls)?;
    let text = std::fs::read_to_string(source).ok()?;
    checked_source(&subject.program, config, source, &text)
}

/// What a copy needs to include what its source does.
pub(super) fn quote_flags(source: &Path) -> Vec<String> {
    let parent = source.parent().map(|parent| parent.display().to_string());
    parent.into_iter().flat_map(|parent| ["-iquote".to_owned(), parent]).collect()
}
