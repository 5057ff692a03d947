//! What a run leaves: suite.json, times, tests, reports. What can be written is written, whatever else fails.

use std::fs;
use std::path::{Path, PathBuf};

use glassbox_ir::Program;
use glassbox_report::data::{self, SuiteData};
use glassbox_report::sarif::{self, Finding, Step};
use glassbox_report::suite_json;
use glassbox_report::times::FunctionTimes;
use glassbox_testcase::Verdict;

use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::kept::Kept;
use crate::language::{Entry, Refusal, Written};
use crate::plan::{CheckFormat, Plan, Task};
use crate::report_files::{self, Format};
use crate::save::{save, save_digested};
use crate::test_sources;

/// What was left.
#[derive(Debug, Default)]
pub struct Left {
    /// What suite.json says.
    pub suite: SuiteData,
    /// The reports.
    pub reports: Vec<PathBuf>,
    /// A command that builds and runs the tests that were written.
    pub command: Option<String>,
    /// The first thing that could not be written, with the reason.
    pub failure: Option<String>,
    /// Tests that were changed and not replaced.
    pub notes: Vec<String>,
}

/// Which files are wanted.
struct Wanted {
    suite: bool,
    tests: bool,
    findings: bool,
    reports: Vec<Format>,
}

impl Wanted {
    fn of(plan: &Plan) -> Wanted {
        match &plan.task {
            Task::Generate(task) => {
                Wanted { suite: true, tests: true, findings: false, reports: task.formats.clone() }
            }
            Task::Check(task) => {
                let asks = |format: CheckFormat| task.formats.contains(&format);
                let report = |format: &CheckFormat| match format {
                    CheckFormat::Report(format) => Some(*format),
                    CheckFormat::Suite | CheckFormat::Tests | CheckFormat::Sarif => None,
                };
                Wanted {
                    suite: asks(CheckFormat::Suite),
                    tests: asks(CheckFormat::Tests),
                    findings: asks(CheckFormat::Sarif),
                    reports: task.formats.iter().filter_map(report).collect(),
                }
            }
        }
    }

    fn is_nothing(&self) -> bool {
        !self.suite && !self.tests && !self.findings && self.reports.is_empty()
    }
}

/// Keeps the first failure.
#[derive(Default)]
struct Failures(Option<String>);

impl Failures {
    fn keep<T: Default>(&mut self, result: Result<T, String>) -> T {
        result.unwrap_or_else(|message| {
            self.0.get_or_insert(message);
            T::default()
        })
    }
}

/// What there is to write about one program. It can be made while other programs are worked on.
#[derive(Debug)]
pub(crate) struct Piece {
    suite: SuiteData,
    /// Its tests, where some are wanted.
    written: Option<Written>,
    times: Vec<FunctionTimes>,
    failure: Option<String>,
}

impl Piece {
    pub(crate) fn of(case: &Case<'_>, reports: &[FunctionReport]) -> Piece {
        let plan = case.plan;
        let program = case.program();
        let wanted = Wanted::of(plan);
        let results: Vec<_> = reports.iter().map(FunctionReport::as_result).collect();
        let task = match plan.task {
            Task::Generate(_) => data::Task::Generate,
            Task::Check(_) => data::Task::Check,
        };
        let mut suite = suite_json::suite(program, task, &plan.environment.command, &results);
        case.language.describe(reports, &mut suite);
        let begun = reports.iter().filter(|_| matches!(plan.task, Task::Generate(_)));
        for (function, report) in suite.functions.iter_mut().zip(begun) {
            let Some(beginning) = case.beginnings.get(&report.function()) else { continue };
            function.depends.clone_from(&beginning.dependence.digest);
            function.seeds.clone_from(&beginning.seeds);
            let own = function.tests.iter().filter(|test| test.through.is_none());
            let own: Vec<_> = own.map(|test| &test.inputs).collect();
            let others = report.reruns.iter().filter(|run| !own.contains(&&run.inputs));
            function.earlier = others.cloned().collect();
        }
        let (mut written, mut failure) = (None, None);
        if wanted.tests {
            // Texts name their sources as seen from the folder, so it has to be there.
            failure = make_folder(&plan.tests_folder()).err();
            let tests = case.language.emit(plan, reports);
            test_sources::fill(&mut suite, &tests, &plan.tests_folder(), &plan.out);
            written = Some(tests);
        }
        let times = reports.iter().filter(|_| wanted.suite).map(|report| report.times.clone());
        Piece { suite, written, times: times.collect(), failure }
    }
}

/// What a run leaves, program by program; the tests of a program are written as soon as it is done.
pub(crate) struct Output<'a> {
    plan: &'a Plan,
    wanted: Wanted,
    suite: Option<SuiteData>,
    times: Vec<FunctionTimes>,
    log: sarif::Log,
    /// Of tests, below the folder of all tests.
    folders: Vec<String>,
    command: Option<String>,
    failures: Failures,
    /// Once there are tests to write.
    kept: Option<Kept>,
    /// Tests that are written at the end.
    held: Vec<Written>,
}

impl<'a> Output<'a> {
    /// Refused where nothing could be written in the end: that is better known before the work.
    pub(crate) fn new(plan: &'a Plan) -> Result<Output<'a>, Refusal> {
        let wanted = Wanted::of(plan);
        if !wanted.is_nothing() {
            can_write(&plan.out).map_err(|error| {
                Refusal::error(format!(
                    "{}: {error}\nhelp: `--out DIR` names a folder for what is found",
                    plan.out.display()
                ))
            })?;
        }
        Ok(Output {
            plan,
            wanted,
            suite: None,
            times: Vec::new(),
            log: sarif::Log::new(report_files::root_uri()),
            folders: Vec::new(),
            command: None,
            failures: Failures::default(),
            kept: None,
            held: Vec::new(),
        })
    }

    /// Takes what there is to write about a program, and what was found in it.
    pub(crate) fn add(&mut self, case: &Case<'_>, reports: &[FunctionReport], piece: Piece) {
        let Piece { suite, written, times, failure } = piece;
        self.failures.keep(failure.map_or(Ok(()), Err));
        if let Some(mut written) = written {
            self.command = self.command.take().or(written.command.take());
            self.folders.append(&mut written.folders);
            // Whether there is anything to write is known only when all parts were looked at.
            match self.plan.keeping.parts {
                Some(_) => self.held.push(written),
                None => self.put(&written),
            }
        }
        match &mut self.suite {
            None => self.suite = Some(suite),
            Some(all) => all.add(suite),
        }
        self.times.extend(times);
        if self.wanted.findings {
            let program = case.program();
            self.log.add(program, &findings(program, reports));
        }
    }

    /// Writes what is about all programs.
    pub(crate) fn finish(mut self, entry: &Entry) -> Left {
        let Plan { out, environment, .. } = self.plan;
        let suite = self.suite.take().unwrap_or_default();
        let mut left = Left { suite, command: self.command.take(), ..Left::default() };
        let mut digest = None;
        if self.wanted.suite {
            let write = |out: &mut dyn std::io::Write| left.suite.write_text(out);
            let saved = save_digested(&out.join("suite.json"), &write).map(Some);
            digest = self.failures.keep(saved);
            let digest = digest.get_or_insert_with(|| left.suite.digest());
            self.failures.keep(report_files::write_times(out, digest, &self.times, environment));
        }
        for written in std::mem::take(&mut self.held) {
            self.put(&written);
        }
        if self.folders.iter().any(|folder| !folder.is_empty()) {
            let joined = (entry.join)(self.plan, &self.folders);
            self.put(&joined);
            left.command = joined.command.or(left.command);
        }
        if let Some(mut kept) = self.kept.take() {
            self.failures.keep(kept.finish());
            left.notes = kept.notes;
        }
        if self.wanted.findings {
            let log = self.log.finish();
            self.failures.keep(save(&out.join("glassbox.sarif"), &format!("{log:#}\n")));
        }
        let written =
            report_files::write(out, (&left.suite, digest), &self.wanted.reports, environment);
        left.reports = self.failures.keep(written);
        if self.wanted.findings {
            left.reports.push(out.join("glassbox.sarif"));
        }
        left.failure = self.failures.0;
        left
    }

    fn put(&mut self, written: &Written) {
        let plan = self.plan;
        let new = || Kept::new(&plan.tests_folder(), plan.replaces_tests);
        let kept = self.kept.get_or_insert_with(new);
        for file in &written.files {
            self.failures.keep(kept.put(file));
        }
        for file in &written.kept {
            let path = plan.tests_folder().join(&file.name);
            if !path.exists() {
                self.failures.keep(save(&path, &file.text));
            }
        }
    }
}

/// Makes the folder and a file in it that vanishes again.
fn can_write(folder: &Path) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    tempfile::tempfile_in(folder).map(drop)
}

fn make_folder(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

fn findings<'a>(program: &Program, reports: &'a [FunctionReport]) -> Vec<Finding<'a>> {
    let mut all = Vec::new();
    for report in reports {
        for result in report.properties() {
            let mut steps = Vec::new();
            if let Verdict::Violated { test } = result.verdict {
                steps = steps_to(program, report, *test);
            }
            let message = glassbox_report::check::sentence(program, &result);
            all.push(Finding {
                property: result.property,
                verdict: result.verdict,
                message,
                steps,
                dismissal: result.dismissal,
            });
        }
    }
    all
}

/// The conditions that the entry evaluated, the calls down to the error, the error.
pub(crate) fn steps_to(program: &Program, report: &FunctionReport, test: usize) -> Vec<Step> {
    let violation = &report.checked.counter_examples[test].violation;
    let body = program.body(report.entry);
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
