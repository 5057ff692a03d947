//! Counter-examples in the compiled program, and as files: a test passes when the error shows.

use std::path::Path;

use glassbox_contract::{checked_source, stub_requirements};
use glassbox_coverage::{Property, PropertyKind};
use glassbox_emit::c_obstacle::obstacle;
use glassbox_emit::c_test::{TestFile, TestText};
use glassbox_emit::framework::TextFile;
use glassbox_emit::plain;
use glassbox_ir::{CheckKind, OverflowMode};
use glassbox_replay::violation::{Assertion, Wanted, allocation_flags, sanitizer_flags};
use glassbox_replay::{Evidence as Sighting, Violations, confirm_violations};

use glassbox_testcase::Ending;

use super::test_files::{
    Programs, by_unit, names_of, relation_text, relative, source_path, tests_folder,
};
use super::{C, objects};
use crate::contract;
use crate::forbid::is_forbidden;
use crate::function_report::{CounterExample, FunctionReport};
use crate::language::{Language, Written};
use crate::plan::Plan;
use crate::save::temporary_folder;

/// The counter-examples as a test file.
fn test_file<'a>(c: &'a C, report: &'a FunctionReport, include: String) -> TestFile<'a> {
    let examples = &report.checked.counter_examples;
    let tests = report.suite.tests.iter().zip(examples).map(|(test, example)| {
        let property = &report.checked.properties[example.violation.property];
        let (line, column) = (property.span.line, property.span.column);
        TestText {
            name: test.name.clone(),
            input: &test.input,
            expected: &test.expected,
            covers: vec![format!("{line}:{column}: {}: {}", property.kind.name(), property.text)],
            constraints: test.constraints.clone(),
        }
    });
    let function = report.function();
    TestFile {
        program: &c.program,
        function,
        include,
        names: names_of(c, function),
        shares_process: false,
        spec: contract::spec(c, function),
        requirements: stub_requirements(&c.program, c.config.as_ref()),
        relation: relation_text(c, function),
        tests: tests.collect(),
    }
}

/// Builds and runs the counter-examples of one function.
pub(super) fn replay(c: &C, plan: &Plan, report: &FunctionReport) -> Result<Vec<Sighting>, String> {
    let function = report.function();
    if let Some(why) = obstacle(&c.program, function) {
        return Err(format!("no test can be written: {why}"));
    }
    let source =
        source_path(&c.program, function).ok_or("the source file cannot be found again")?;
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
    // Our words stand for an assertion without a text of its own, and for what must not be called.
    let has_text = kind == CheckKind::Assertion
        && !asked.text.ends_with("is not reached")
        && !is_forbidden(c.program.function(asked.function));
    let assertion = has_text.then(|| Assertion {
        text: asked.text.clone(),
        twins: properties.iter().filter(is_twin).map(|twin| twin.span.line).collect(),
    });
    Wanted { kind, assertion }
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
    let is_about_calls = checked
        .counter_examples
        .iter()
        .any(|example| checked.properties[example.violation.property].kind == kind);
    let config = c.config.as_ref().filter(|_| is_about_calls)?;
    let text = std::fs::read_to_string(source).ok()?;
    checked_source(&c.program, config, source, &text)
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
        let mut allocation: Vec<String> = Vec::new();
        let mut quoted: Vec<String> = Vec::new();
        for report in reports {
            let Some(source) = source_path(&c.program, report.function()) else { continue };
            let name = format!("violation_{}", c.program.function(report.function()).name);
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
            // Nobody waits for a test that never ends.
            file.tests.retain(|test| !is_endless(test));
            if file.tests.is_empty() {
                continue;
            }
            if allocation.is_empty() {
                allocation = allocation_flags(&file);
            }
            programs.add(&file, name);
        }
        let sanitizers = sanitizer_flags(c.overflow(plan) == OverflowMode::Wrap);
        let objects = objects::linked(c, unit, &folder, &sanitizers);
        let flags = [sanitizers, allocation, quoted].concat();
        programs.written(flags, &objects)
    })
}
