//! `glassbox check`: whether assertions can fail and run-time errors can happen.

mod output;
mod prove;
mod replay;
mod work;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use glassbox_coverage::property::is_library;
use glassbox_ir::stand_in::add_stand_ins;
use glassbox_ir::{Check, CheckKind, FuncId, InstrKind, Program, forbid, overflow};

use super::generate::Overflow;
use crate::Status;
use crate::config::callee::check_requirements;
use crate::guard::{ask_for_report, guarded};
use crate::in_order::in_order;
use crate::intake::{Intake, Subject, Wrapping, read_subject_with, select_functions};
use crate::progress::{self, Progress};
use crate::stopwatch::Stopwatch;
use work::EntryWork;

/// Decide whether assertions can fail and run-time errors can happen
///
/// One line per property, then VERDICT: true (exit code 0), false (3) or unknown (1).
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) intake: Intake,
    /// Start here (repeatable); default: every function defined in the files, or only `main` when the
    /// program has functions named `__VERIFIER_...` or `reach_error`
    #[arg(long, value_name = "F")]
    function: Vec<String>,
    /// Where suite.json, tests/ and other formats go
    #[arg(long, value_name = "DIR", default_value = "glassbox-out")]
    pub(crate) out: PathBuf,
    /// What to write into DIR
    #[arg(long, value_enum, value_delimiter = ',', default_value = "suite,tests,html")]
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
    /// Turns of a loop, and activations of a recursive function, on one path
    #[arg(long, value_name = "K", default_value_t = 32)]
    pub(crate) unwind: u32,
    /// Signed overflow: wrap around, reject such runs, or report an error
    #[arg(long, value_enum, default_value = "report")]
    pub(crate) overflow: Overflow,
    /// Report unsigned arithmetic that wraps around, too
    #[arg(long)]
    pub(crate) unsigned_wrap: bool,
    /// Report memory that is allocated and neither freed nor reachable when the run ends, too
    #[arg(long)]
    pub(crate) leak: bool,
    /// Let malloc and the like return null
    #[arg(long)]
    pub(crate) malloc_may_fail: bool,
    /// Only assertions, not run-time errors
    #[arg(long)]
    pub(crate) assertions_only: bool,
    /// What holds within the printed bounds counts as true
    #[arg(long)]
    pub(crate) accept_bounds: bool,
    /// No proofs beyond the exploration of paths
    #[arg(long)]
    pub(crate) no_proofs: bool,
    /// Seconds for search and proofs in one function: the emergency stop
    #[arg(long, value_name = "SECS", default_value_t = 60)]
    pub(crate) timeout: u64,
    /// Functions to work on at the same time; default: one per processor
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Do not run the compiler on counter-examples: only the interpreter confirms them
    #[arg(long)]
    pub(crate) no_exec: bool,
    /// One machine-readable summary on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// Flags for the C compiler
    #[arg(last = true, value_name = "CC_FLAGS")]
    pub(crate) cc_flags: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// DIR/suite.json
    Suite,
    /// DIR/tests: counter-examples as tests
    Tests,
    /// DIR/glassbox.sarif
    Sarif,
    /// DIR/report/index.html: a self-contained page
    Html,
    /// DIR/report/witness-N.yml: SV-COMP witnesses of violations, for programs that start in main
    Witness,
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let wrapping = if arguments.unsigned_wrap { Wrapping::Checked } else { Wrapping::Allowed };
    let read = read_subject_with(&arguments.intake, &arguments.cc_flags, wrapping);
    let Some(mut subject) = read else { return Status::BadInput };
    if arguments.unsigned_wrap {
        allow_in_library(&mut subject.program);
    }
    check_requirements(&mut subject.program, subject.config.as_ref());
    overflow::apply(&mut subject.program, arguments.overflow.into());
    add_stand_ins(&mut subject.program);
    forbid::apply(&mut subject.program);
    let subject = subject;
    let program = &subject.program;
    let functions = match functions(program, arguments) {
        Ok(functions) => functions,
        Err(message) => {
            eprintln!("error: {message}");
            return Status::BadInput;
        }
    };
    let results = work_on(&subject, &functions, arguments, |function, watch| {
        work::work(&subject, function, &functions, arguments, watch)
    });
    if let Err(message) = output::write(&subject, &results, arguments) {
        eprintln!("error: {message}");
        return Status::BadInput;
    }
    let status = output::closing(program, &results, arguments);
    if results.iter().any(|work| work.is_broken) {
        ask_for_report();
        return Status::InternalError;
    }
    status
}

/// Does `work` on every function, side by side, and shows each result. Work that breaks costs only the
/// properties of its function.
fn work_on(
    subject: &Subject,
    functions: &[FuncId],
    arguments: &Arguments,
    work: impl Fn(FuncId, &Stopwatch<'_>) -> EntryWork + Sync,
) -> Vec<EntryWork> {
    let program = &subject.program;
    let progress = Progress::start(progress::Subject::Properties, functions.len());
    in_order(
        arguments.jobs,
        functions,
        |&function| {
            let name = &program.function(function).name;
            let watch = Stopwatch::start(&progress, name);
            let mut work = guarded(|| work(function, &watch)).unwrap_or_else(|message| {
                work::broken(subject, function, functions, arguments, &message)
            });
            watch.all_ended(&mut work.times);
            progress.end(name, work.verdicts.iter(), work.violations.len());
            work
        },
        |work| progress.aside(|| output::lines(program, work, arguments)),
    )
}

/// Models of the library wrap around on purpose.
fn allow_in_library(program: &mut Program) {
    let library: Vec<FuncId> =
        program.function_ids().filter(|&function| is_library(program, function)).collect();
    for function in library {
        let Some(body) = &mut program.functions[function.index()].body else { continue };
        for block in &mut body.blocks {
            block.instrs.retain(|instr| {
                let kind = CheckKind::UnsignedWrap;
                !matches!(&instr.kind,
                    InstrKind::Check(Check::Condition { kind: found, .. }) if *found == kind)
            });
        }
    }
}

/// The functions to check.
fn functions(program: &Program, arguments: &Arguments) -> Result<Vec<FuncId>, String> {
    if arguments.function.is_empty()
        && let Some(main) = main_of_task(program)
    {
        return Ok(vec![main]);
    }
    select_functions(program, &arguments.intake, &arguments.function)
}

/// `main`, when the program is written for verification: it has the names that verification tasks use. There
/// `reach_error` is a function like any other, and it always fails, so only runs from `main` count.
fn main_of_task(program: &Program) -> Option<FuncId> {
    let main = program.function_named("main")?;
    let _ = program.function(main).body.as_ref()?;
    let is_task = program
        .functions
        .iter()
        .any(|function| function.name == "reach_error" || function.name.starts_with("__VERIFIER_"));
    is_task.then_some(main)
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
        let file = folder.path().join("two.c");
        let source = "int bad(int x) { return 8 / x; }\nint good(int x) { return 8 % x; }\n";
        std::fs::write(&file, source).expect("writable");
        let path = file.display().to_string();
        let words = ["check", &path, "--no-exec", "--json", "--jobs", "2"];
        let arguments = Line::parse_from(words).arguments;
        let subject = crate::intake::read_subject(&arguments.intake, &[]).expect("a program");
        let functions = functions(&subject.program, &arguments).expect("two functions");
        let results = work_on(&subject, &functions, &arguments, |function, watch| {
            let name = subject.program.function(function).name.as_str();
            assert!(name != "bad", "{name} should be good");
            work::work(&subject, function, &functions, &arguments, watch)
        });
        let is_unknown = |verdict: &Verdict| {
            matches!(verdict, Verdict::Unknown(UnknownReason::Internal(message))
                if message == "bad should be good")
        };
        assert!(results[0].is_broken && results[0].verdicts.iter().all(is_unknown));
        assert!(!results[0].verdicts.is_empty());
        assert!(!results[1].is_broken && !results[1].violations.is_empty());
    }
}
