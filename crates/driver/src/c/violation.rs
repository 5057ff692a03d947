//! Counter-examples in the compiled program, and as files: a test passes when the error shows.

use std::path::Path;

use glassbox_contract::{checked_source, stub_requirements};
use glassbox_coverage::{Property, PropertyKind};
use glassbox_emit::c_obstacle::obstacle;
use glassbox_emit::c_test::{TestFile, TestText};
use glassbox_emit::framework::TextFile;
use glassbox_emit::naming::file_name;
use glassbox_emit::plain;
use glassbox_emit::replaced;
use glassbox_ir::{CheckKind, Demand, OverflowMode};
use glassbox_replay::violation::{Assertion, Wanted, sanitizer_flags};
use glassbox_replay::{Evidence as Sighting, Violations, confirm_violations};

use glassbox_testcase::Ending;

use super::test_files::{
    Programs, by_unit, relation_text, relative, source_path, test_file_for, tests_folder,
};
use super::{C, objects};
use crate::forbid::is_forbidden;
use crate::function_report::{CounterExample, FunctionReport};
use crate::language::{Language, Written};
use crate::plan::Plan;
use crate::save::temporary_folder;

/// The counter-examples as a test file.
fn test_file<'a>(c: &'a C, report: &'a FunctionReport, include: String) -> TestFile<'a> {
    let purposes = report.checked.counter_examples.iter().map(|example| {
        let property = &report.checked.properties[example.violation.property];
        let (line, column) = (property.span.line, property.span.column);
        vec![format!("{line}:{column}: {}: {}", property.kind.name(), property.text)]
    });
    let requirements = stub_requirements(&c.program, c.config.as_ref());
    let relation = relation_text(c, report.function());
    TestFile {
        requirements,
        relation,
        ..test_file_for(c, (report, report.function()), include, purposes)
    }
}

/// Builds and runs the counter-examples of one function.
pub(super) fn replay(c: &C, plan: &Plan, report: &FunctionReport) -> Result<Vec<Sighting>, String> {
    let function = report.function();
    if let Some(why) = obstacle(&c.program, function) {
        return Err(format!("no test can be written: {why}"));
    }
    let source = source_path(c, function).ok_or("the source file cannot be found again")?;
    let folder = temporary_folder()?;
    let examples = report.checked.counter_examples.iter();
    let wanted: Vec<Wanted> = examples.map(|example| wanted(c, report, example)).collect();
    let mut compiler = objects::compiler(c, plan, function)?;
    let checked = checked_copy(c, report, &source);
    let tested = match &checked {
        Some(text) => {
            let path = folder.path().join(CHECKED);
            std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
            compiler.flags.unit.extend(quote_flags(&source));
            path
        }
        None => source.clone(),
    };
    let file = test_file(c, report, String::new());
    confirm_violations(&Violations {
        compiler: &compiler,
        folder: folder.path(),
        file: &file,
        source: &tested,
        wanted: &wanted,
        is_wrapping: c.overflow(plan) == OverflowMode::Wrap,
    })
    .map_err(|error| error.to_string())
}

/// What a counter-example should show: assertions say their text and line when they fail.
fn wanted(c: &C, report: &FunctionReport, example: &CounterExample) -> Wanted {
    let properties = &report.checked.properties;
    let asked = &properties[example.violation.property];
    let kind = example.violation.report.kind;
    let is_twin = |other: &&Property| {
        other.kind.is_assertion() && other.text == asked.text && other.span.line != asked.span.line
    };
    let has_text = kind == CheckKind::Assertion
        && matches!(asked.demand, Some(Demand::Words(_)))
        && !is_in_comment(c, asked)
        && !is_forbidden(c.program.function(asked.function));
    let assertion = has_text.then(|| Assertion {
        text: asked.text.clone(),
        twins: properties.iter().filter(is_twin).map(|twin| twin.span.line).collect(),
    });
    Wanted { kind, assertion }
}

/// Whether the compiled program showed the error, or was not asked.
fn is_shown(example: &CounterExample) -> bool {
    match &example.sighting {
        Some(Sighting::NotSeen(_) | Sighting::NotWritten(_)) => false,
        // Leaks cannot be looked for everywhere.
        Some(Sighting::NotRun(_)) => example.violation.report.kind == CheckKind::Leak,
        Some(
            Sighting::Aborted
            | Sighting::Sanitizer(_)
            | Sighting::Signal(_)
            | Sighting::Thrown(_)
            | Sighting::Specified(_),
        )
        | None => true,
    }
}

fn is_endless(test: &TestText<'_>) -> bool {
    matches!(test.expected.ending, Ending::Failed { kind: CheckKind::Endless, .. })
}

/// The file of a source in which functions check their contracts, in a folder of its own.
const CHECKED: &str = "checked.c";

/// The source with checks of contracts, when a counter-example is a call that breaks one.
fn checked_copy(c: &C, report: &FunctionReport, source: &Path) -> Option<String> {
    let kind = PropertyKind::Check(CheckKind::Precondition);
    let checked = &report.checked;
    let mut examples = checked.counter_examples.iter();
    let is_about_copy = examples.any(|example| {
        let property = &checked.properties[example.violation.property];
        property.kind == kind || is_in_comment(c, property)
    });
    if !is_about_copy {
        return None;
    }
    let text = std::fs::read_to_string(source).ok()?;
    checked_source(&c.program, c.config.as_ref(), &c.assertions, source, &text)
}

/// Whether a comment of the source asserts it.
fn is_in_comment(c: &C, property: &Property) -> bool {
    let file = c.program.files.get(property.span.file.index());
    c.assertions.iter().any(|it| {
        file.is_some_and(|file| file.path == it.place.path) && it.place.line == property.span.line
    })
}

/// What a copy needs to include what its source does.
fn quote_flags(source: &Path) -> Vec<String> {
    let parent = source.parent().map(|parent| parent.display().to_string());
    parent.into_iter().flat_map(|parent| ["-iquote".to_owned(), parent]).collect()
}

/// Counter-examples of all functions as plain tests, built with sanitizers.
pub(super) fn emit(c: &C, plan: &Plan, reports: &[FunctionReport]) -> Written {
    by_unit(c, plan, reports, |unit, reports| {
        let folder = tests_folder(plan, unit);
        let mut programs = Programs::new(&plain::TESTS, unit);
        let mut replaced: Vec<String> = Vec::new();
        let mut quoted: Vec<String> = Vec::new();
        for report in reports {
            let Some(source) = source_path(c, report.function()) else { continue };
            let name =
                format!("violation_{}", file_name(&c.program.function(report.function()).name));
            let mut include = relative(&folder, &source).display().to_string();
            if let Some(text) = checked_copy(c, report, &source) {
                include = format!("{name}_checked.c");
                programs.files.push(TextFile { name: include.clone(), text });
                let flags = quote_flags(&source);
                if !flags.iter().all(|flag| quoted.contains(flag)) {
                    quoted.extend(flags);
                }
            }
            let mut file = test_file(c, report, include);
            // A test that never ends is not run, and what only the interpreter shows would fail.
            let examples = &report.checked.counter_examples;
            let shown: Vec<bool> = examples.iter().map(is_shown).collect();
            let mut shown = shown.into_iter();
            file.tests.retain(|test| shown.next() != Some(false) && !is_endless(test));
            if file.tests.is_empty() {
                continue;
            }
            replaced::add_flags(&mut replaced, &file);
            programs.add(&file, name);
        }
        let sanitizers = sanitizer_flags(c.overflow(plan) == OverflowMode::Wrap);
        let objects = objects::linked(c, unit, &folder, &sanitizers);
        let flags = [sanitizers, replaced, quoted].concat();
        programs.written(flags, &objects)
    })
}
