//! What `check` tells: a line per property, files, the verdict.

use std::fs;
use std::path::Path;

use glassbox_coverage::PropertyKind;
use glassbox_emit::{Framework, makefile};
use glassbox_ir::{CheckKind, OverflowMode, Program};
use glassbox_replay::Evidence;
use glassbox_replay::violation::{allocation_flags, sanitizer_flags};
use glassbox_report::check::{Overall, PropertyResult, entry_json, line, overall};
use glassbox_report::sarif::{self, Finding, Step};
use glassbox_report::suite_json::evidence::ReplayState;
use glassbox_report::suite_json::{self, FunctionResult};
use glassbox_report::verdict_text;
use glassbox_testcase::Verdict;
use serde_json::json;

use super::replay::{checked_copy, quote_flags, test_file};
use super::work::EntryWork;
use super::{Arguments, Format};
use crate::Status;
use crate::command::generate::output::relative;
use crate::command::generate::work::evidence::layer_counts;
use crate::command::generate::work::{absolute_flags, source_path};
use crate::intake::Subject;
use crate::report_files;
use crate::save::save;
use crate::terminal::{paint, tone};

/// The lines of one entry, as soon as they are there.
pub(super) fn lines(program: &Program, work: &EntryWork, arguments: &Arguments) {
    if arguments.json {
        return;
    }
    for result in results(work) {
        let name = verdict_text::name(result.verdict);
        let mark = format!(": {name}");
        let text = line(program, &result);
        // The verdict is the last word of this name after the property's text.
        let shown = match text.rfind(&mark) {
            Some(at) => {
                let (before, after) = (&text[..at + 2], &text[at + mark.len()..]);
                format!("{before}{}{after}", paint(tone(name), name))
            }
            None => text,
        };
        println!("{shown}");
    }
    for note in &work.notes {
        println!("note: {}: {note}", program.function(work.function).name);
    }
}

/// One property after the other, with everything known about it.
fn results(work: &EntryWork) -> Vec<PropertyResult<'_>> {
    let pairs = work.properties.iter().zip(&work.verdicts).zip(&work.proofs);
    pairs
        .map(|((property, verdict), proof)| {
            let violation = match verdict {
                Verdict::Violated { test } => Some(*test),
                _ => None,
            };
            PropertyResult {
                entry: work.function,
                property,
                verdict,
                proof: proof.as_deref(),
                input: violation.map(|test| &work.violations[test].test.input),
                kind: violation.map(|test| work.violations[test].report.kind),
                test: violation.map(|test| work.suite.tests[test].name.as_str()),
                confirmed: violation.map(|test| {
                    let is_promise = property.function == work.entry && work.entry != work.function;
                    let is_call = property.kind == PropertyKind::Check(CheckKind::Precondition);
                    let broken = match (is_promise, is_call) {
                        (true, _) => Some("breaks the promise"),
                        (false, true) => Some("makes the call"),
                        (false, false) => None,
                    };
                    confirmed(work.evidence[test].as_ref(), broken)
                }),
            }
        })
        .collect()
}

/// What confirmed a counter-example.
fn confirmed(evidence: Option<&Evidence>, broken: Option<&str>) -> String {
    match evidence {
        None => "confirmed by the interpreter only (--no-exec)".to_owned(),
        Some(Evidence::Aborted) => {
            format!("confirmed: the compiled program {}", broken.unwrap_or("aborts"))
        }
        Some(Evidence::Sanitizer(words)) => format!("confirmed by gcc's sanitizer: {words}"),
        Some(Evidence::Signal(_)) => "confirmed: the compiled program crashes".to_owned(),
        Some(Evidence::NotSeen(story)) => {
            format!("confirmed by the interpreter only: with sanitizers {story}")
        }
        Some(Evidence::NotRun(why)) => {
            let first = why.lines().next().unwrap_or_default();
            format!("confirmed by the interpreter only: {first}")
        }
    }
}

/// Writes what `--format` asks for.
pub(super) fn write(
    subject: &Subject,
    works: &[EntryWork],
    arguments: &Arguments,
) -> Result<(), String> {
    let program = &subject.program;
    let out = &arguments.out;
    let asks = |format: Format| arguments.format.contains(&format);
    if arguments.format.is_empty() {
        return Ok(());
    }
    fs::create_dir_all(out).map_err(|error| format!("{}: {error}", out.display()))?;
    let command: Vec<String> = std::env::args().collect();
    let accounts: Vec<suite_json::Evidence> = works.iter().map(account).collect();
    let function_results: Vec<FunctionResult<'_>> = works
        .iter()
        .zip(&accounts)
        .map(|(work, evidence)| FunctionResult {
            evidence,
            suite: &work.suite,
            goals: &work.goals,
            n_paths: work.n_paths,
            n_runs: work.n_runs,
        })
        .collect();
    let suite = suite_json::suite(program, &command, &function_results);
    if asks(Format::Suite) {
        let text = serde_json::to_string_pretty(&suite).map_err(|error| error.to_string())?;
        save(&out.join("suite.json"), &format!("{text}\n"))?;
        let times: Vec<_> = works.iter().map(|work| work.times.clone()).collect();
        report_files::write_times(out, &suite, &times)?;
    }
    if asks(Format::Tests) {
        write_tests(subject, works, arguments)?;
    }
    if asks(Format::Sarif) {
        let log = sarif::log(program, &report_files::root_uri(), &findings(program, works));
        let text = serde_json::to_string_pretty(&log).map_err(|error| error.to_string())?;
        save(&out.join("glassbox.sarif"), &format!("{text}\n"))?;
    }
    let reports = [
        (Format::Html, report_files::Format::Html),
        (Format::Witness, report_files::Format::Witness),
    ];
    let wanted: Vec<report_files::Format> =
        reports.iter().filter(|(format, _)| asks(*format)).map(|(_, report)| *report).collect();
    let written = report_files::write(out, &suite, &wanted)?;
    for path in written.iter().filter(|_| !arguments.json) {
        println!("report: {}", path.display());
    }
    Ok(())
}

/// What the real program did with the counter-examples.
fn account(work: &EntryWork) -> suite_json::Evidence {
    let state = |evidence: &Option<Evidence>| match evidence {
        None | Some(Evidence::NotRun(_)) => ReplayState::NotRun,
        Some(Evidence::Aborted | Evidence::Sanitizer(_) | Evidence::Signal(_)) => {
            ReplayState::Confirmed
        }
        Some(Evidence::NotSeen(story)) => ReplayState::Failed(story.clone()),
    };
    let replays = work.evidence.iter().map(state).collect();
    let layers = layer_counts(&work.statistics);
    suite_json::Evidence { replays, layers, ..suite_json::Evidence::default() }
}

/// Counter-examples as plain tests, built with sanitizers: a test passes when the error shows.
fn write_tests(
    subject: &Subject,
    works: &[EntryWork],
    arguments: &Arguments,
) -> Result<(), String> {
    let program = &subject.program;
    let tests = arguments.out.join("tests");
    fs::create_dir_all(&tests).map_err(|error| format!("{}: {error}", tests.display()))?;
    let folder = fs::canonicalize(&tests).unwrap_or(tests);
    let mut programs = Vec::new();
    let mut allocation: Vec<String> = Vec::new();
    let mut quoted: Vec<String> = Vec::new();
    for work in works.iter().filter(|work| !work.violations.is_empty()) {
        let Some(source) = source_path(program, work.function) else { continue };
        let name = format!("violation_{}", program.function(work.function).name);
        let mut include = relative(&folder, &source).display().to_string();
        if let Some(text) = checked_copy(subject, work, &source) {
            include = format!("{name}_checked.c");
            save(&folder.join(&include), &text)?;
            let flags = quote_flags(&source);
            if !flags.iter().all(|flag| quoted.contains(flag)) {
                quoted.extend(flags);
            }
        }
        let file = test_file(subject, work, include);
        if allocation.is_empty() {
            allocation = allocation_flags(&file);
        }
        for text_file in Framework::Plain.test_files(&file, &name) {
            save(&folder.join(text_file.name), &text_file.text)?;
        }
        programs.push(name);
    }
    for text_file in Framework::Plain.runtime_files() {
        save(&folder.join(text_file.name), &text_file.text)?;
    }
    let is_wrapping = OverflowMode::from(arguments.overflow) == OverflowMode::Wrap;
    let mut flags = absolute_flags(&arguments.cc_flags);
    flags.extend(sanitizer_flags(is_wrapping));
    flags.extend(allocation);
    flags.extend(quoted);
    let text = makefile::makefile(&Framework::Plain.build(), &programs, &flags);
    save(&folder.join("Makefile"), &text)
}

fn findings<'a>(program: &Program, works: &'a [EntryWork]) -> Vec<Finding<'a>> {
    let mut all = Vec::new();
    for work in works {
        for result in results(work) {
            let steps = match result.verdict {
                Verdict::Violated { test } => steps(program, work, *test),
                _ => Vec::new(),
            };
            let message = glassbox_report::check::sentence(program, &result);
            all.push(Finding {
                property: result.property,
                verdict: result.verdict,
                message,
                steps,
            });
        }
    }
    all
}

/// The conditions that the entry evaluated, the calls down to the error, the error.
fn steps(program: &Program, work: &EntryWork, test: usize) -> Vec<Step> {
    let violation = &work.violations[test];
    let body = program.body(work.entry);
    let mut steps: Vec<Step> = Vec::new();
    for event in violation.test.condition_trace.iter().take(900) {
        let decision = &body.decisions[event.decision.index()];
        let condition = &decision.conditions[usize::from(event.condition)];
        let text = format!("`{}` is {}", condition.text, event.value);
        steps.push(Step { span: condition.span, text, depth: 0 });
    }
    let stack = &violation.report.stack;
    for (depth, entry) in stack.iter().enumerate().take(stack.len().saturating_sub(1)) {
        let callee = &program.function(stack[depth + 1].function).name;
        steps.push(Step { span: entry.span, text: format!("calls `{callee}`"), depth });
    }
    let kind = violation.report.kind.name();
    let depth = stack.len().saturating_sub(1);
    steps.push(Step { span: violation.report.span, text: kind.to_owned(), depth });
    steps
}

/// Assumptions, the JSON summary, the verdict.
pub(super) fn closing(program: &Program, works: &[EntryWork], arguments: &Arguments) -> Status {
    let verdicts = works.iter().flat_map(|work| &work.verdicts);
    let is_broken = works.iter().any(|work| work.is_broken);
    let overall = match overall(verdicts, arguments.accept_bounds) {
        Overall::True if is_broken => Overall::Unknown,
        overall => overall,
    };
    let mut assumptions: Vec<&String> =
        works.iter().flat_map(|work| &work.suite.assumptions).collect();
    assumptions.sort_unstable();
    assumptions.dedup();
    if arguments.json {
        let functions: Vec<serde_json::Value> =
            works.iter().map(|work| entry_json(program, work.function, &results(work))).collect();
        let summary = json!({
            "tool": { "name": "glassbox", "version": env!("CARGO_PKG_VERSION") },
            "verdict": overall.name(),
            "assumptions": assumptions,
            "functions": functions,
        });
        println!("{summary:#}");
    } else {
        for assumption in assumptions {
            println!("assumes: {assumption}");
        }
        tell_tests(works, &arguments.out);
        if works.iter().all(|work| work.properties.is_empty()) {
            println!("note: there is nothing to check: {}", nothing_to_check(arguments));
        }
        println!("VERDICT: {}", paint(tone(overall.name()), overall.name()));
    }
    match overall {
        Overall::True => Status::Decided,
        Overall::False => Status::Violated,
        Overall::Unknown => Status::Unknown,
    }
}

/// Why no property was found.
fn nothing_to_check(arguments: &Arguments) -> &'static str {
    if arguments.assertions_only {
        "no assertion in the functions and what they call"
    } else {
        "no assertion, and no operation that could fail"
    }
}

fn tell_tests(works: &[EntryWork], out: &Path) {
    if works.iter().any(|work| !work.violations.is_empty()) {
        println!("counter-examples as tests: make -C {}", out.join("tests").display());
    }
}
