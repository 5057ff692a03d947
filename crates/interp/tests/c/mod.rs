//! C programs in the interpreter and as gcc's programs, for comparisons.

#![allow(dead_code, reason = "each test and example uses its part")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use glassbox_c_front::compile::compile;
use glassbox_c_front::diagnostics::{Diagnostic, render};
use glassbox_c_front::flags::meaning;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_c_front::preprocess::{Preprocessor, read_original};
use glassbox_interp::{Externals, Machine, Options, Outcome};
use glassbox_ir::Program;
use glassbox_libc::{Libc, run_main};
use glassbox_testkit::gcc::run_limited;

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum End {
    Exited(i32),
    /// Killed by a signal, or `abort`.
    Aborted,
    TimedOut,
    Other(String),
}

/// What a program did.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    pub(crate) stdout: Vec<u8>,
    pub(crate) end: End,
    /// IR instructions; zero for gcc's program.
    pub(crate) steps: u64,
}

/// The IR of C files, or the diagnostics as text.
pub(crate) fn compile_files(paths: &[PathBuf], flags: &[&str]) -> Result<Program, String> {
    let mut front = Front::new();
    let preprocessor = Preprocessor {
        flags: flags.iter().map(|&flag| flag.to_owned()).collect(),
        ..Preprocessor::default()
    };
    front.set_meaning(meaning(&preprocessor.flags));
    for path in paths {
        match preprocessor.run(path) {
            Ok(text) => {
                let name = path.display().to_string();
                front.add_unit(&name, text, &mut |name| read_original(None, name));
            }
            Err(diagnostics) => diagnostics.into_iter().for_each(|d| front.add_diagnostic(d)),
        }
    }
    let compiled = compile(front, Promotion::Promote);
    let errors: String = compiled
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .map(|diagnostic: &Diagnostic| {
            render::render(diagnostic, &compiled.sources, render::Color::Plain)
        })
        .collect();
    compiled.program.ok_or(errors)
}

/// Runs `main` of a program in the interpreter.
pub(crate) fn interpret(program: &Program, stdin: &[u8], args: &[&str], max_steps: u64) -> Run {
    let libc = Libc::new();
    libc.set_stdin(stdin.to_vec());
    let options = Options { max_steps, ..Options::default() };
    let main = program.function_named("main").expect("the program has a main");
    let mut machine =
        Machine::new(program, options, Box::new(libc.clone())).expect("globals fit into memory");
    let args: Vec<Vec<u8>> = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    let outcome = run_main(&mut machine, &libc, main, &args).expect("arguments fit into memory");
    let end = match outcome {
        Outcome::Exited(status) => End::Exited(status & 0xff),
        Outcome::Aborted => End::Aborted,
        Outcome::OutOfSteps => End::TimedOut,
        Outcome::Undefined(report) => {
            let place = place(program, report.span);
            End::Other(format!(
                "{place}: {} {:?} {:?} {:?}",
                report.kind.name(),
                report.values,
                report.message,
                report.memory
            ))
        }
        Outcome::Unsupported { what, span } => {
            End::Other(format!("{}: unsupported: {what}", place(program, span)))
        }
        Outcome::MissingFunction { name, span } => {
            End::Other(format!("{}: missing function `{name}`", place(program, span)))
        }
        other @ (Outcome::Returned(_) | Outcome::AssumptionFailed(_) | Outcome::OutOfMemory) => {
            End::Other(format!("{other:?}"))
        }
    };
    Run { stdout: libc.stdout(), end, steps: machine.steps() }
}

fn place(program: &Program, span: glassbox_ir::Span) -> String {
    let file = program.files.get(span.file.index()).map_or("", |file| file.path.as_str());
    format!("{file}:{}:{}", span.line, span.column)
}

/// Runs a real program; it is stopped after the time given.
pub(crate) fn execute(program: &Path, stdin: &[u8], args: &[&str], limit: Duration) -> Run {
    let ended = run_limited(program, stdin, args, limit);
    let end = match ended.status {
        Some(status) => status.code().map_or(End::Aborted, End::Exited),
        None => End::TimedOut,
    };
    Run { stdout: ended.stdout, end, steps: 0 }
}
