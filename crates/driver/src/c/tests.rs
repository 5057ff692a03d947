//! Tests of C functions as files, with a Makefile.

use std::fs;
use std::path::{Component, Path, PathBuf};

use glassbox_emit::c_obstacle::obstacle;
use glassbox_emit::c_test::{TestFile, TestText};
use glassbox_emit::framework::{CTests, TextFile};
use glassbox_emit::{Framework, makefile};
use glassbox_ir::{FuncId, Program};
use glassbox_report::data::Replay;

use super::C;
use crate::contract;
use crate::function_report::FunctionReport;
use crate::language::Written;
use crate::plan::{Generate, Plan};

/// The test file of a function, as data.
pub(super) fn test_file<'a>(c: &'a C, report: &'a FunctionReport, include: String) -> TestFile<'a> {
    let text_of = |id: &String| {
        report.goals.iter().find(|goal| goal.id == *id).map_or(id.clone(), |goal| {
            format!("{}:{}: {}", goal.span.line, goal.span.column, goal.text)
        })
    };
    let tests = report.suite.tests.iter().map(|test| TestText {
        name: test.name.clone(),
        input: &test.input,
        expected: &test.expected,
        covers: test.covers.iter().map(text_of).collect(),
        constraints: test.constraints.clone(),
    });
    let function = report.function();
    TestFile {
        program: &c.program,
        function,
        include,
        spec: contract::spec(c, function),
        requirements: Vec::new(),
        tests: tests.collect(),
    }
}

/// Test programs, one for each function, and the Makefile that builds them.
pub(super) struct Programs {
    tests: &'static CTests,
    pub(super) files: Vec<TextFile>,
    names: Vec<String>,
}

impl Programs {
    pub(super) fn new(tests: &'static CTests) -> Programs {
        Programs { tests, files: Vec::new(), names: Vec::new() }
    }

    pub(super) fn add(&mut self, file: &TestFile<'_>, name: String) {
        self.files.extend(self.tests.test_files(file, &name));
        self.names.push(name);
    }

    /// All files; `more` are compiler flags besides the user's.
    pub(super) fn written(mut self, plan: &Plan, more: Vec<String>) -> Written {
        self.files.extend(self.tests.runtime_files());
        let mut flags = absolute_flags(&plan.intake.compiler_flags);
        flags.extend(more);
        let text = makefile::makefile(&self.tests.build, &self.names, &flags);
        self.files.push(TextFile { name: "Makefile".to_owned(), text });
        Written { files: self.files, command: (!self.names.is_empty()).then(|| make(plan)) }
    }
}

/// The tests of all functions for the framework of the plan.
pub(super) fn emit(c: &C, plan: &Plan, task: &Generate, reports: &[FunctionReport]) -> Written {
    let program = &c.program;
    let folder = tests_folder(plan);
    let framework = task.framework.unwrap_or(Framework::Plain);
    let Some(tests) = framework.c() else { return Written::default() };
    let mut programs = Programs::new(tests);
    // One file that does not compile would keep make from running the others.
    let is_writable = |report: &&FunctionReport| obstacle(program, report.function()).is_none();
    let with_tests = reports.iter().filter(|report| !report.suite.tests.is_empty());
    for report in with_tests.filter(is_writable) {
        let Some(source) = source_path(program, report.function()) else { continue };
        let name = format!("test_{}", program.function(report.function()).name);
        let include = relative(&folder, &source).display().to_string();
        let mut file = test_file(c, report, include);
        // What the real program contradicts would fail for the user too.
        let mut replays = report.evidence.replays.iter();
        file.tests.retain(|_| !replays.next().is_some_and(Replay::is_failed));
        if file.tests.is_empty() {
            continue;
        }
        programs.add(&file, name);
    }
    Written { command: Some(make(plan)), ..programs.written(plan, Vec::new()) }
}

/// What builds and runs the tests.
fn make(plan: &Plan) -> String {
    let folder = plan.tests_folder().display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    // What a shell would not read as one word is quoted.
    let folder = if folder.chars().all(is_plain) {
        folder
    } else {
        format!("'{}'", folder.replace('\'', "'\\''"))
    };
    format!("make -C {folder}")
}

/// Where tests go, absolute; the folder is there when tests are written.
pub(super) fn tests_folder(plan: &Plan) -> PathBuf {
    let folder = plan.tests_folder();
    fs::canonicalize(&folder).unwrap_or(folder)
}

/// The source file of a function, absolute.
pub(super) fn source_path(program: &Program, function: FuncId) -> Option<PathBuf> {
    let span = program.function(function).span;
    let file = program.files.get(span.file.index())?;
    std::fs::canonicalize(Path::new(&file.path)).ok()
}

/// Include paths hold from wherever the compiler runs.
pub(super) fn absolute_flags(flags: &[String]) -> Vec<String> {
    let current = std::env::current_dir().unwrap_or_default();
    let absolute = |path: &str| current.join(path).display().to_string();
    let mut result = Vec::new();
    let mut is_path = false;
    for flag in flags {
        if is_path {
            result.push(absolute(flag));
            is_path = false;
            continue;
        }
        is_path = matches!(flag.as_str(), "-I" | "-include" | "-isystem" | "-iquote");
        match flag.strip_prefix("-I") {
            Some(path) if !path.is_empty() => result.push(format!("-I{}", absolute(path))),
            _ => result.push(flag.clone()),
        }
    }
    result
}

/// `to` as seen from the folder `from`; both absolute.
pub(super) fn relative(from: &Path, to: &Path) -> PathBuf {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (from.components().collect(), to.components().collect());
    let n_shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[n_shared..].iter().map(|_| Component::ParentDir);
    up.chain(to[n_shared..].iter().copied()).collect()
}
