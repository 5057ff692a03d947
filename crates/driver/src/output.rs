//! What a run leaves: suite.json, times, tests, reports. What can be written is written, whatever else fails.

use std::fs;
use std::path::{Path, PathBuf};

use glassbox_ir::Program;
use glassbox_report::data::SuiteData;
use glassbox_report::sarif::{self, Finding, Step};
use glassbox_report::suite_json;
use glassbox_testcase::Verdict;

use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::plan::{CheckFormat, Plan, Task};
use crate::report_files::{self, Format};
use crate::save::save;

/// What was left.
#[derive(Debug)]
pub struct Left {
    /// What suite.json says.
    pub suite: SuiteData,
    /// The reports.
    pub reports: Vec<PathBuf>,
    /// A command that builds and runs the tests that were written.
    pub command: Option<String>,
    /// The first thing that could not be written, with the reason.
    pub failure: Option<String>,
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

/// Writes what the plan asks for.
pub(crate) fn write(case: &Case<'_>, reports: &[FunctionReport]) -> Left {
    let Case { plan, .. } = *case;
    let program = case.program();
    let wanted = Wanted::of(plan);
    let results: Vec<_> = reports.iter().map(FunctionReport::as_result).collect();
    let suite = suite_json::suite(program, &plan.environment.command, &results);
    let mut left = Left { suite, reports: Vec::new(), command: None, failure: None };
    if wanted.is_nothing() {
        return left;
    }
    if let Err(error) = fs::create_dir_all(&plan.out) {
        left.failure = Some(format!("{}: {error}", plan.out.display()));
        return left;
    }
    let mut failures = Failures::default();
    if wanted.suite {
        failures.keep(save(&plan.out.join("suite.json"), &left.suite.to_text()));
        let times: Vec<_> = reports.iter().map(|report| report.times.clone()).collect();
        let environment = &plan.environment;
        failures.keep(report_files::write_times(&plan.out, &left.suite, &times, environment));
    }
    if wanted.tests {
        left.command = write_tests(case, reports, &mut failures);
    }
    if wanted.findings {
        let log = sarif::log(program, &report_files::root_uri(), &findings(program, reports));
        failures.keep(save(&plan.out.join("glassbox.sarif"), &format!("{log:#}\n")));
    }
    let written = report_files::write(&plan.out, &left.suite, &wanted.reports, &plan.environment);
    left.reports = failures.keep(written);
    left.failure = failures.0;
    left
}

/// Writes the tests; what builds and runs them.
fn write_tests(
    case: &Case<'_>,
    reports: &[FunctionReport],
    failures: &mut Failures,
) -> Option<String> {
    let folder = case.plan.tests_folder();
    let make = |folder: &Path| {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
    };
    // Texts name their sources as seen from the folder, so it has to be there.
    failures.keep(make(&folder));
    let written = case.language.emit(case.plan, reports);
    for file in &written.files {
        let path = folder.join(&file.name);
        let own = path.parent().unwrap_or(&folder);
        failures.keep(make(own).and_then(|()| save(&path, &file.text)));
    }
    written.command
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
            });
        }
    }
    all
}

/// The conditions that the entry evaluated, the calls down to the error, the error.
fn steps_to(program: &Program, report: &FunctionReport, test: usize) -> Vec<Step> {
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
