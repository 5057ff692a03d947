//! `glassbox run`: executes a program in the interpreter and stops on undefined behavior.

use clap::Args;
use glassbox_interp::{Machine, NoExternals, Options, Outcome};

use crate::Status;
use crate::intake::{Intake, read_program};

/// Execute `main` in the interpreter, stopping at undefined behavior
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    intake: Intake,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    args: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let Some(program) = read_program(&arguments.intake, &[]) else { return Status::BadInput };
    let Some(main) = program.function_named("main") else {
        eprintln!("error: no function `main` is defined here");
        return Status::BadInput;
    };
    let machine = Machine::new(&program, Options::default(), Box::new(NoExternals));
    let Some(mut machine) = machine else {
        eprintln!("error: the program's globals do not fit into memory");
        return Status::BadInput;
    };
    let n_args = u128::try_from(arguments.args.len() + 1).unwrap_or(1);
    match machine.run(main, &[n_args, 0]) {
        Outcome::Returned(Some(code)) => Status::Program(u8::try_from(code & 0xff).unwrap_or(0)),
        outcome => {
            eprintln!("{outcome:?}");
            Status::Violated
        }
    }
}
