//! `glassbox gen`: tests for every goal, proofs for the rest.

pub(crate) mod contract;
pub(crate) mod java;
pub(crate) mod output;
pub(crate) mod work;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use self::work::FunctionWork;
use clap::Args;
use glassbox_coverage::criterion::{self, Criterion};
use glassbox_emit::Framework;
use glassbox_ir::stand_in::add_stand_ins;
use glassbox_ir::{FuncId, OverflowMode, overflow};
use glassbox_model::config;

use crate::Status;
use crate::guard::{ask_for_report, guarded};
use crate::in_order::in_order;
use crate::intake::{Intake, Subject, read_subject, select_functions};
use crate::interrupt;
use crate::progress::{self, Progress};
use crate::report_files::Format;
use crate::stopwatch::Stopwatch;

/// Generate tests for every goal of a coverage criterion, and proofs where there is none
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) intake: Intake,
    /// Only this function (repeatable); default: every function defined in the files
    #[arg(long, value_name = "F")]
    function: Vec<String>,
    /// statement, branch, decision, condition, mcdc, mcdc:unique-cause, def-use, path:K, boundary,
    /// exception, instruction, assert (repeatable)
    #[arg(long, default_value = "branch")]
    criterion: Vec<String>,
    /// Where suite.json and tests/ go
    #[arg(long, value_name = "DIR", default_value = "glassbox-out")]
    pub(crate) out: PathBuf,
    /// What the tests in DIR/tests are written for [default: plain; for Java, junit5 if it is found, else
    /// junit4]
    #[arg(long, value_enum)]
    pub(crate) framework: Option<FrameworkName>,
    /// Reports to leave in DIR/report; suite.json and tests/ are always left
    #[arg(long, value_enum, value_delimiter = ',', default_value = "html")]
    pub(crate) format: Vec<Format>,
    /// Seed of the concrete inputs
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    /// Symbolic paths to follow for one function
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) max_paths: usize,
    /// Elements of memory behind a pointer input
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) max_length: u64,
    /// Signed overflow: wrap around, reject such runs, or report an error
    #[arg(long, value_enum, default_value = "report")]
    pub(crate) overflow: Overflow,
    /// What undefined functions change besides returning something
    #[arg(long, value_enum, value_name = "WHAT", default_value = "pointees")]
    pub(crate) stub_writes: StubWrites,
    /// Seconds for the search in one function: the emergency stop
    #[arg(long, value_name = "SECS", default_value_t = 20)]
    pub(crate) timeout: u64,
    /// Functions to work on at the same time; default: one per processor
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Enumerate up to N inputs of every goal, in suite.json
    #[arg(long, value_name = "N")]
    pub(crate) all: Option<usize>,
    /// Do not run the compiler on the tests: nothing is confirmed
    #[arg(long)]
    pub(crate) no_exec: bool,
    /// Java: no tests with reflection; what only they cover is unknown
    #[arg(long)]
    pub(crate) no_reflection: bool,
    /// One machine-readable summary on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// Flags for the C compiler
    #[arg(last = true, value_name = "CC_FLAGS")]
    pub(crate) cc_flags: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Overflow {
    Wrap,
    Reject,
    Report,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum StubWrites {
    /// No memory
    Nothing,
    /// What their arguments that are pointers to non-const point to
    Pointees,
}

impl From<StubWrites> for config::StubWrites {
    fn from(writes: StubWrites) -> config::StubWrites {
        match writes {
            StubWrites::Nothing => config::StubWrites::Nothing,
            StubWrites::Pointees => config::StubWrites::Pointees,
        }
    }
}

impl From<Overflow> for OverflowMode {
    fn from(overflow: Overflow) -> OverflowMode {
        match overflow {
            Overflow::Wrap => OverflowMode::Wrap,
            Overflow::Reject => OverflowMode::Reject,
            Overflow::Report => OverflowMode::Report,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum FrameworkName {
    /// Only a C compiler
    Plain,
    Cmocka,
    Check,
    /// With Unity's sources: make UNITY=FOLDER
    Unity,
    /// GoogleTest
    Gtest,
    /// For Java
    Junit4,
    /// For Java
    Junit5,
}

impl From<FrameworkName> for Framework {
    fn from(name: FrameworkName) -> Self {
        match name {
            // Frameworks for Java are refused before.
            FrameworkName::Plain | FrameworkName::Junit4 | FrameworkName::Junit5 => Self::Plain,
            FrameworkName::Cmocka => Self::Cmocka,
            FrameworkName::Check => Self::Check,
            FrameworkName::Unity => Self::Unity,
            FrameworkName::Gtest => Self::Gtest,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let mut criteria: Vec<Box<dyn Criterion>> = Vec::new();
    for name in &arguments.criterion {
        let Some(criterion) = criterion::by_name(name) else {
            let known = criterion::NAMES.join(", ");
            eprintln!("error: no criterion `{name}`; there are: {known}");
            return Status::BadInput;
        };
        criteria.push(criterion);
    }
    let names: Vec<&str> = criteria.iter().map(|criterion| criterion.name()).collect();
    if names.contains(&"path") && names.contains(&"boundary") {
        eprintln!(
            "error: the goals of boundary are branches too, which would count as steps of paths"
        );
        eprintln!("help: run `path:K` and `boundary` one after the other");
        return Status::BadInput;
    }
    if crate::java::is_java(&arguments.intake.paths) {
        return java::run(arguments, &criteria);
    }
    if matches!(arguments.framework, Some(FrameworkName::Junit4 | FrameworkName::Junit5)) {
        eprintln!(
            "error: JUnit tests are for Java: give class files, jars, folders or `.java` files"
        );
        return Status::BadInput;
    }
    let Some(mut subject) = read_subject(&arguments.intake, &arguments.cc_flags) else {
        return Status::BadInput;
    };
    overflow::apply(&mut subject.program, arguments.overflow.into());
    add_stand_ins(&mut subject.program);
    let functions = match select_functions(&subject.program, &arguments.intake, &arguments.function)
    {
        Ok(functions) => functions,
        Err(message) => {
            eprintln!("error: {message}");
            return Status::BadInput;
        }
    };
    for criterion in &criteria {
        for &function in &functions {
            criterion.prepare(&mut subject.program, function);
        }
    }
    interrupt::watch();
    let results = work_on(&subject, &functions, &criteria, arguments, |function, watch| {
        work::work(&subject, function, &criteria, arguments, watch)
    });
    match output::write(&subject, &results, arguments) {
        Ok(()) => {}
        Err(message) => {
            eprintln!("error: {message}");
            return Status::BadInput;
        }
    }
    if interrupt::is_interrupted() {
        eprintln!("interrupted: what was found until then is kept");
    }
    output::closing_line(arguments);
    if results.iter().any(|work| work.is_broken) {
        ask_for_report();
        return Status::InternalError;
    }
    if results.iter().any(|work| !work.violations.is_empty()) {
        return Status::Violated;
    }
    let is_decided = results.iter().all(work::FunctionWork::is_decided);
    if is_decided { Status::Decided } else { Status::Unknown }
}

/// Does `work` on every function, side by side, and shows each result. Work that breaks costs only the
/// verdicts of its function.
fn work_on(
    subject: &Subject,
    functions: &[FuncId],
    criteria: &[Box<dyn Criterion>],
    arguments: &Arguments,
    work: impl Fn(FuncId, &Stopwatch<'_>) -> FunctionWork + Sync,
) -> Vec<FunctionWork> {
    let program = &subject.program;
    let progress = Progress::start(progress::Subject::Goals, functions.len());
    in_order(
        arguments.jobs,
        functions,
        |&function| {
            let name = &program.function(function).name;
            let watch = Stopwatch::start(&progress, name);
            let mut work = guarded(|| work(function, &watch))
                .unwrap_or_else(|message| work::broken(program, function, criteria, &message));
            watch.all_ended(&mut work.times);
            let verdicts = work.suite.goals.iter().map(|goal| &goal.verdict);
            progress.end(name, verdicts, work.suite.tests.len());
            work
        },
        |work| progress.aside(|| output::function_summary(program, work, arguments)),
    )
}

#[cfg(test)]
mod tests {
    use clap::Parser;
    use glassbox_testcase::{UnknownReason, Verdict};

    use super::*;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    #[test]
    fn work_that_breaks_costs_only_its_function() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("three.c");
        let source = "int a(int x) { if (x) return 1; return 2; }
int bad(int x) { if (x) return 1; return 2; }
int c(int x) { if (x > 7) return 1; return 2; }
";
        std::fs::write(&file, source).expect("writable");
        for jobs in ["1", "2"] {
            let path = file.display().to_string();
            let words = ["gen", &path, "--no-exec", "--json", "--jobs", jobs];
            let arguments = Line::parse_from(words).arguments;
            let subject = read_subject(&arguments.intake, &[]).expect("a program");
            let criteria = vec![criterion::by_name("branch").expect("known")];
            let functions = select_functions(&subject.program, &arguments.intake, &[]);
            let functions = functions.expect("three functions");
            let results =
                work_on(&subject, &functions, &criteria, &arguments, |function, watch| {
                    let name = subject.program.function(function).name.as_str();
                    assert!(name != "bad", "{name} should be good");
                    work::work(&subject, function, &criteria, &arguments, watch)
                });
            let broken: Vec<bool> = results.iter().map(|work| work.is_broken).collect();
            assert_eq!(broken, [false, true, false], "{jobs} jobs");
            for (work, is_broken) in results.iter().zip(broken) {
                assert_eq!(work.suite.goals.len(), 2);
                for goal in &work.suite.goals {
                    match &goal.verdict {
                        Verdict::Unknown(UnknownReason::Internal(message)) => {
                            assert!(is_broken && message == "bad should be good", "{message}");
                        }
                        Verdict::Covered { .. } => assert!(!is_broken),
                        other => assert!(!is_broken, "{other:?}"),
                    }
                }
            }
        }
    }
}
