//! `glassbox run`: executes a program in the interpreter and stops on undefined behavior.

mod coverage;
mod excerpt;
mod flags;
mod java;
mod undefined;

use clap::Args;
use glassbox_interp::{Libc, Machine, Options, Outcome, run_main};
use glassbox_ir::{Program, Span};

use crate::Status;
use crate::intake::{Intake, read_program};
use excerpt::excerpt;

/// Execute `main` in the interpreter, stopping at undefined behavior
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    intake: Intake,
    /// Define a macro for the preprocessor (repeatable)
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Look for headers here too (repeatable)
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<String>,
    /// Further flags for the C compiler, separated by spaces; quotes keep spaces
    #[arg(long, value_name = "FLAGS", allow_hyphen_values = true)]
    cflags: Vec<String>,
    /// Stop after this many IR instructions
    #[arg(long, value_name = "N")]
    max_steps: Option<u64>,
    /// Print which blocks, branches and conditions ran, per function, on standard error
    #[arg(long)]
    coverage: bool,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<String>,
}

/// What a shell reports for a program that `abort` ended.
const ABORTED: u8 = 128 + 6;

pub(crate) fn run(arguments: &Arguments) -> Status {
    if crate::java::is_java(&arguments.intake.paths) {
        return java::run(arguments);
    }
    let flags = match compiler_flags(arguments) {
        Ok(flags) => flags,
        Err(message) => {
            eprintln!("error: {message}");
            return Status::BadInput;
        }
    };
    let Some(program) = read_program(&arguments.intake, &flags) else { return Status::BadInput };
    let main = program.function_named("main").filter(|&id| program.function(id).body.is_some());
    let Some(main) = main else {
        eprintln!("{}", no_main(&program, arguments));
        return Status::BadInput;
    };
    let libc = Libc::new();
    libc.set_stdin_reader(Box::new(std::io::stdin()));
    libc.set_stdout_writer(Box::new(std::io::stdout()));
    libc.set_stderr_writer(Box::new(std::io::stderr()));
    let options = Options {
        max_steps: arguments.max_steps.unwrap_or(u64::MAX),
        coverage: arguments.coverage,
        ..Options::default()
    };
    let Some(mut machine) = Machine::new(&program, options, Box::new(libc.clone())) else {
        eprintln!(
            "error: the program's globals need more than {} bytes of memory",
            options.max_bytes
        );
        return Status::Unknown;
    };
    let name = arguments.intake.paths[0].display().to_string();
    let words = std::iter::once(&name).chain(&arguments.args);
    let words: Vec<Vec<u8>> = words.map(|word| word.clone().into_bytes()).collect();
    let outcome = run_main(&mut machine, &libc, main, &words);
    libc.flush();
    let status = tell(&program, options, outcome.unwrap_or(Outcome::OutOfMemory));
    if arguments.coverage {
        eprint!("{}", coverage::report(&program, machine.coverage()));
    }
    status
}

fn compiler_flags(arguments: &Arguments) -> Result<Vec<String>, String> {
    let mut all: Vec<String> = Vec::new();
    all.extend(arguments.define.iter().map(|define| format!("-D{define}")));
    all.extend(arguments.include.iter().map(|include| format!("-I{include}")));
    for text in &arguments.cflags {
        all.extend(flags::split(text)?);
    }
    Ok(all)
}

fn no_main(program: &Program, arguments: &Arguments) -> String {
    let path = arguments.intake.paths[0].display();
    let own: Vec<&str> = program
        .functions
        .iter()
        .filter(|function| function.body.is_some())
        .filter(|function| !excerpt::is_library(program, function.span))
        .map(|function| function.name.as_str())
        .collect();
    if own.is_empty() {
        return format!(
            "{path}: error: no function is defined here\n  = help: `run` needs a `main`"
        );
    }
    format!(
        "{path}: error: no function `main` is defined here; there are: {}\n  \
         = help: name the file with `main` too, or use `gen` for single functions",
        own.join(", ")
    )
}

/// Says how the run ended, unless it ended normally.
fn tell(program: &Program, options: Options, outcome: Outcome) -> Status {
    let limit = |span: Span, what: &str, help: &str| {
        eprint!("{}", excerpt(program, span, &format!("error: {what}")));
        eprintln!("  = this is a limit of glassbox, not an error in the program");
        eprintln!("  = help: {help}");
        Status::Unknown
    };
    match outcome {
        Outcome::Exited(status) => Status::Program((status & 0xff) as u8),
        Outcome::Returned(_) => Status::Program(0),
        Outcome::Aborted => {
            eprintln!("aborted");
            Status::Program(ABORTED)
        }
        Outcome::Undefined(report) => {
            eprint!("{}", undefined::report(program, &report));
            Status::Violated
        }
        Outcome::Unsupported { what, span } => limit(
            span,
            &format!("not supported: {what}"),
            "leave this construct out, or run the program as gcc compiles it",
        ),
        Outcome::MissingFunction { name, span } => limit(
            span,
            &format!("the function `{name}` is called, and neither defined nor modeled"),
            &format!("name the file that defines `{name}` too"),
        ),
        Outcome::AssumptionFailed(span) => {
            eprint!(
                "{}",
                excerpt(program, span, "note: an assumption does not hold: the run ends")
            );
            Status::Unknown
        }
        Outcome::OutOfSteps => {
            eprintln!("error: stopped after {} steps, as --max-steps says", options.max_steps);
            Status::Unknown
        }
        Outcome::OutOfMemory => {
            eprintln!(
                "error: the program uses more than {} bytes of memory or {} nested calls\n  \
                 = this is a limit of glassbox; is a recursion endless?",
                options.max_bytes, options.max_depth
            );
            Status::Unknown
        }
    }
}
