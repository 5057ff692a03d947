//! `glassbox run`: executes a program in the interpreter and stops on undefined behavior.

mod coverage;
mod excerpt;
mod flags;
mod undefined;

use clap::Args;
use glassbox_driver::language::{self, Purpose};
use glassbox_driver::run::{Ending, Execution};
use glassbox_interp::{Options, Outcome};
use glassbox_ir::{Program, Span};

use crate::intake::Intake;
use crate::screen::{reading, refused};
use crate::{Status, bad_input};
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
    let flags = match compiler_flags(arguments) {
        Ok(flags) => flags,
        Err(message) => return bad_input(&message),
    };
    let options = Options {
        max_steps: arguments.max_steps.unwrap_or(u64::MAX),
        coverage: arguments.coverage,
        ..Options::default()
    };
    let execution = Execution {
        arguments: arguments.args.clone(),
        options,
        input: Box::new(std::io::stdin()),
        output: Box::new(std::io::stdout()),
        errors: Box::new(std::io::stderr()),
    };
    let intake = arguments.intake.plan(&flags);
    let ran = language::read(&intake, Purpose::Run, &reading()).and_then(|language| {
        let ran = language.run(execution)?;
        Ok((language, ran))
    });
    let (language, ran) = match ran {
        Ok(ran) => ran,
        Err(refusal) => return refused(&refusal),
    };
    let program = language.program();
    let status = match ran.ending {
        Ending::Returned(value) => {
            if !value.is_empty() {
                println!("{value}");
            }
            Status::Program(0)
        }
        Ending::Thrown { class, message } => {
            match message {
                Some(message) => eprintln!("exception {class}: {message}"),
                None => eprintln!("exception {class}"),
            }
            Status::Program(1)
        }
        Ending::TooLarge { what } => {
            let limit = options.max_bytes;
            eprintln!("error: the program's {what} need more than {limit} bytes of memory");
            return Status::Unknown;
        }
        Ending::Other(outcome) => report_ending(program, options, outcome),
    };
    if arguments.coverage {
        eprint!("{}", coverage::report(program, &ran.coverage));
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

/// Says how the run ended, unless it ended normally.
fn report_ending(program: &Program, options: Options, outcome: Outcome) -> Status {
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
            "leave this construct out, or run the real program",
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
