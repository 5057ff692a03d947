//! The `glassbox` command: arguments in, exit code out. The only room that prints.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]

mod command;
mod in_order;
mod intake;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Tests for every goal of a coverage criterion, or a proof that there is none.
#[derive(Debug, Parser)]
#[command(name = "glassbox", version, about, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Gen(command::generate::Arguments),
    Run(command::run::Arguments),
    Dump(command::dump::Arguments),
    Solve(command::solve::Arguments),
}

/// How a command ended (the exit codes are a contract).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// Every goal decided and no violation.
    Decided,
    /// Something unknown.
    Unknown,
    /// Bad usage or input; a diagnostic was printed.
    BadInput,
    /// What the interpreted program itself returned.
    Program(u8),
    /// A violation was found.
    Violated,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Decided => 0,
            Status::Unknown => 1,
            Status::BadInput => 2,
            Status::Violated => 3,
            Status::Program(code) => code,
        })
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let status = match arguments.command {
        Command::Gen(arguments) => command::generate::run(&arguments),
        Command::Run(arguments) => command::run::run(&arguments),
        Command::Dump(arguments) => command::dump::run(&arguments),
        Command::Solve(arguments) => command::solve::run(&arguments),
    };
    status.into()
}
