//! What `gen` leaves: files and a summary.

use std::fs;
use std::path::{Component, Path, PathBuf};

use glassbox_emit::{Framework, makefile};
use glassbox_ir::Program;
use glassbox_report::suite_json::title::title;
use glassbox_report::suite_json::{self, FunctionResult};
use glassbox_report::{summary, verdict_text};
use glassbox_testcase::Verdict;

use super::Arguments;
use super::work::{FunctionWork, absolute_flags, source_path, test_file};
use crate::intake::Subject;
use crate::report_files;
use crate::save::save;
use crate::terminal::{self, paint, tone};

/// Writes `suite.json` and `tests/`.
pub(crate) fn write(
    subject: &Subject,
    results: &[FunctionWork],
    arguments: &Arguments,
) -> Result<(), String> {
    let program = &subject.program;
    let tests = arguments.out.join("tests");
    fs::create_dir_all(&tests).map_err(|error| format!("{}: {error}", tests.display()))?;
    let command: Vec<String> = std::env::args().collect();
    let function_results: Vec<FunctionResult<'_>> = results
        .iter()
        .map(|work| FunctionResult {
            suite: &work.suite,
            goals: &work.goals,
            n_paths: work.n_paths,
            n_runs: work.n_runs,
            evidence: &work.evidence,
        })
        .collect();
    let suite = suite_json::suite(program, &command, &function_results);
    let text = serde_json::to_string_pretty(&suite).map_err(|error| error.to_string())?;
    let saved = save(&arguments.out.join("suite.json"), &format!("{text}\n"));
    if arguments.json {
        println!("{text}");
    }
    let folder = fs::canonicalize(&tests).unwrap_or(tests);
    // What can be written is written, whatever else fails.
    let mut outcome = saved;
    let mut keep_first = |result: Result<(), String>| {
        if outcome.is_ok() {
            outcome = result;
        }
    };
    let framework = Framework::from(arguments.framework.unwrap_or(super::FrameworkName::Plain));
    let mut programs = Vec::new();
    for work in results.iter().filter(|work| !work.suite.tests.is_empty()) {
        let Some(source) = source_path(program, work.suite.function) else { continue };
        let name = format!("test_{}", program.function(work.suite.function).name);
        let include = relative(&folder, &source).display().to_string();
        let file = test_file(subject, work, include);
        for text_file in framework.test_files(&file, &name) {
            keep_first(save(&folder.join(text_file.name), &text_file.text));
        }
        programs.push(name);
    }
    for text_file in framework.runtime_files() {
        keep_first(save(&folder.join(text_file.name), &text_file.text));
    }
    let flags = absolute_flags(&arguments.cc_flags);
    let makefile = makefile::makefile(&framework.build(), &programs, &flags);
    keep_first(save(&folder.join("Makefile"), &makefile));
    let times: Vec<_> = results.iter().map(|work| work.times.clone()).collect();
    keep_first(report_files::write_times(&arguments.out, &suite, &times));
    let written = report_files::write(&arguments.out, &suite, &arguments.format);
    let (written, reported) = match written {
        Ok(written) => (written, Ok(())),
        Err(message) => (Vec::new(), Err(message)),
    };
    keep_first(reported);
    if !arguments.json && results.len() > 1 {
        print!("{}", summary_table(&suite));
    }
    for path in written.iter().filter(|_| !arguments.json) {
        println!("report: {}", path.display());
    }
    outcome
}

pub(super) fn summary_table(suite: &serde_json::Value) -> String {
    let data = glassbox_report::data::from_value(suite);
    data.map_or(String::new(), |data| summary::table(&data, terminal::width()))
}

/// `to` as seen from the folder `from`; both absolute.
pub(crate) fn relative(from: &Path, to: &Path) -> PathBuf {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (from.components().collect(), to.components().collect());
    let n_shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[n_shared..].iter().map(|_| Component::ParentDir);
    up.chain(to[n_shared..].iter().copied()).collect()
}

/// One function's result in a few lines, as soon as it is there.
pub(crate) fn function_summary(program: &Program, work: &FunctionWork, arguments: &Arguments) {
    if arguments.json {
        return;
    }
    let count = |name: &str| {
        let verdicts = work.suite.goals.iter().map(|goal| verdict_text::name(&goal.verdict));
        verdicts.filter(|verdict| *verdict == name).count()
    };
    // Only what is there gets a color: zeros should not shout.
    let part = |verdict: &str, words: &str| {
        let text = format!("{} {words}", count(verdict));
        if count(verdict) > 0 { paint(tone(verdict), &text) } else { text }
    };
    println!(
        "{}: {} goal{}: {} by {} test{}, {}, {}, {}",
        title(program, work.suite.function),
        work.goals.len(),
        plural(work.goals.len()),
        part("covered", "covered"),
        work.suite.tests.len(),
        plural(work.suite.tests.len()),
        part("infeasible", "infeasible"),
        part("infeasible-within", "infeasible within bounds"),
        part("unknown", "unknown"),
    );
    for (goal, result) in work.goals.iter().zip(&work.suite.goals) {
        if !matches!(result.verdict, Verdict::Covered { .. }) {
            let place = verdict_text::place(program, goal.span);
            let name = verdict_text::name(&result.verdict);
            let verdict = verdict_text::sentence(program, &result.verdict);
            let verdict = match verdict.split_once(':') {
                Some((word, rest)) => format!("{}:{rest}", paint(tone(name), word)),
                None => paint(tone(name), &verdict),
            };
            println!("  {place}: {}: {verdict}{}", goal.text, because(work, &goal.id));
        }
    }
    if let Some(list) = &work.suite.solutions {
        for (goal, solutions) in work.goals.iter().zip(&list.goals) {
            let place = verdict_text::place(program, goal.span);
            let count = solutions.count;
            let more = if solutions.is_complete { "" } else { " or more" };
            let noun = if count == 1 && more.is_empty() { "input" } else { "inputs" };
            println!("  {place}: {}: {count}{more} {noun}", goal.text);
        }
    }
    for violation in &work.violations {
        println!("  {violation}");
    }
    for note in &work.notes {
        println!("  note: {note}");
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// Which clauses of the contract remove a goal.
fn because(work: &FunctionWork, goal: &str) -> String {
    let removing =
        work.suite.contract.iter().filter(|clause| clause.removes.iter().any(|id| id == goal));
    let named: Vec<String> =
        removing.map(|clause| format!("{}: {}", clause.place, clause.text)).collect();
    if named.is_empty() {
        String::new()
    } else {
        format!("; removed by the contract ({})", named.join(", "))
    }
}

pub(crate) fn closing_line(arguments: &Arguments) {
    if !arguments.json {
        let folder = arguments.out.join("tests").display().to_string();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
        // What a shell would not read as one word is quoted.
        let folder = if folder.chars().all(is_plain) {
            folder
        } else {
            format!("'{}'", folder.replace('\'', "'\\''"))
        };
        println!("run the tests with: make -C {folder}");
    }
}
