//! `glassbox check`: whether assertions can fail and run-time errors can happen.

mod output;
mod prove;
mod replay;
mod work;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use glassbox_coverage::property::is_library;
use glassbox_ir::{Check, CheckKind, FuncId, InstrKind, Program, overflow};

use super::generate::Overflow;
use crate::Status;
use crate::in_order::in_order;
use crate::intake::{Intake, Wrapping, read_subject_with, select_functions};
use crate::progress::{self, Progress};
use crate::stopwatch::Stopwatch;

/// Decide whether assertions can fail and run-time errors can happen
///
/// One line per property, then VERDICT: true (exit code 0), false (3) or unknown (1).
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) intake: Intake,
    /// Start here (repeatable); default: every function defined in the files, or only `main` when the
    /// program reads its inputs from `__VERIFIER_nondet_...()`
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
    /// Only assertions, not run-time errors
    #[arg(long)]
    pub(crate) assertions_only: bool,
    /// What holds within the printed bounds counts as true
    #[arg(long)]
    pub(crate) accept_bounds: bool,
    /// No proofs beyond the exploration of paths
    #[arg(long)]
    pub(crate) no_proofs: bool,
    /// Seconds for the search in one function: the emergency stop
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
    overflow::apply(&mut subject.program, arguments.overflow.into());
    let subject = subject;
    let program = &subject.program;
    let functions = match functions(program, arguments) {
        Ok(functions) => functions,
        Err(message) => {
            eprintln!("error: {message}");
            return Status::BadInput;
        }
    };
    let progress = Progress::start(progress::Subject::Properties, functions.len());
    let results = in_order(
        arguments.jobs,
        &functions,
        |&function| {
            let name = &program.function(function).name;
            let watch = Stopwatch::start(&progress, name);
            let mut work = work::work(&subject, function, &functions, arguments, &watch);
            watch.all_ended(&mut work.times);
            progress.end(name, work.verdicts.iter(), work.violations.len());
            work
        },
        |work| progress.aside(|| output::lines(program, work, arguments)),
    );
    drop(progress);
    if let Err(message) = output::write(&subject, &results, arguments) {
        eprintln!("error: {message}");
        return Status::BadInput;
    }
    output::closing(program, &results, arguments)
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

/// `main`, when the program is written for verification: its inputs come from nondeterministic calls.
fn main_of_task(program: &Program) -> Option<FuncId> {
    let main = program.function_named("main")?;
    let _ = program.function(main).body.as_ref()?;
    let is_task = program
        .functions
        .iter()
        .any(|f| f.body.is_none() && f.name.starts_with("__VERIFIER_nondet_"));
    is_task.then_some(main)
}
