//! C programs in the interpreter and as gcc's programs, for comparisons.

#![allow(dead_code, reason = "each test and example uses its part")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use glassbox_c_front::compile::compile;
use glassbox_c_front::diagnostics::{Diagnostic, render};
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_c_front::preprocess::{Preprocessor, read_original};
use glassbox_interp::{Externals, Libc, Machine, Options, Outcome, run_main};
use glassbox_ir::Program;

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
        other => End::Other(format!("{other:?}")),
    };
    Run { stdout: libc.stdout(), end, steps: machine.steps() }
}

fn place(program: &Program, span: glassbox_ir::Span) -> String {
    let file = program.files.get(span.file.index()).map_or("", |file| file.path.as_str());
    format!("{file}:{}:{}", span.line, span.column)
}

/// Compiles with gcc to `out`; what gcc says when it cannot.
pub(crate) fn gcc(paths: &[PathBuf], flags: &[&str], out: &Path) -> Result<(), String> {
    let output = Command::new("gcc")
        .args(["-w", "-std=gnu11", "-ffp-contract=off"])
        .args(flags)
        .args(paths)
        .arg("-o")
        .arg(out)
        .arg("-lm")
        .output()
        .map_err(|error| format!("gcc: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Runs a real program; it is stopped after the time given.
pub(crate) fn execute(program: &Path, stdin: &[u8], args: &[&str], limit: Duration) -> Run {
    use std::io::{Read as _, Write as _};
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("piped");
    let mut from = child.stdout.take().expect("piped");
    let input = stdin.to_vec();
    let writer = std::thread::spawn(move || {
        let _ = pipe.write_all(&input);
    });
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        bytes
    });
    let start = Instant::now();
    let end = loop {
        if let Some(status) = child.try_wait().expect("the child is ours") {
            break status.code().map_or(End::Aborted, End::Exited);
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            break End::TimedOut;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let _ = writer.join();
    let stdout = reader.join().unwrap_or_default();
    Run { stdout, end, steps: 0 }
}
