//! The `glassbox` command: arguments in, exit code out. The only room that prints.

#![allow(
    clippy::disallowed_methods,
    reason = "the command looks at the clock and writes what users ask for"
)]

#[macro_use]
mod print;

mod choice;
mod command;
mod defaults;
mod intake;
mod interrupt;
mod planning;
mod progress;
mod screen;
mod since;
mod terminal;
mod version;
mod watch;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use glassbox_contract::complaint::{Colored, Complaint};
use glassbox_driver::guard::guarded;

/// Tests for every goal of a coverage criterion, or a proof that there is none.
#[derive(Debug, Parser)]
#[command(name = "glassbox", version = version::VERSION, max_term_width = 100)]
struct Arguments {
    /// Colors
    #[arg(long, value_enum, global = true, value_name = "WHEN", default_value = "auto")]
    color: terminal::ColorChoice,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Gen(command::generate::Arguments),
    Check(command::check::Arguments),
    Equiv(command::equiv::Arguments),
    Mutate(command::mutate::Arguments),
    Quality(command::quality::Arguments),
    Audit(command::audit::Arguments),
    Merge(command::merge::Arguments),
    Cache(command::cache::Arguments),
    Diff(command::diff::Arguments),
    Run(command::run::Arguments),
    Dump(command::dump::Arguments),
    Solve(command::solve::Arguments),
    List(command::list::Arguments),
    Lsp(command::lsp::Arguments),
    Report(command::report::Arguments),
    Explain(command::explain::Arguments),
    Init(command::init::Arguments),
    Doctor(command::doctor::Arguments),
    Completions(command::completions::Arguments),
    Man(command::completions::ManArguments),
}

/// A command that works by a plan.
pub(crate) enum Planned<'a> {
    Gen(&'a command::generate::Arguments),
    Check(&'a command::check::Arguments),
}

impl Command {
    pub(crate) fn planned(&self) -> Option<Planned<'_>> {
        match self {
            Command::Gen(arguments) => Some(Planned::Gen(arguments)),
            Command::Check(arguments) => Some(Planned::Check(arguments)),
            Command::Equiv(_)
            | Command::Mutate(_)
            | Command::Quality(_)
            | Command::Audit(_)
            | Command::Merge(_)
            | Command::Cache(_)
            | Command::Diff(_)
            | Command::Run(_)
            | Command::Dump(_)
            | Command::Solve(_)
            | Command::List(_)
            | Command::Lsp(_)
            | Command::Report(_)
            | Command::Explain(_)
            | Command::Init(_)
            | Command::Doctor(_)
            | Command::Completions(_)
            | Command::Man(_) => None,
        }
    }
}

impl Planned<'_> {
    fn intake(&self) -> &intake::Intake {
        match self {
            Planned::Gen(arguments) => &arguments.planning.intake,
            Planned::Check(arguments) => &arguments.planning.intake,
        }
    }

    pub(crate) fn plan(&self) -> Result<glassbox_driver::Plan, String> {
        match self {
            Planned::Gen(arguments) => arguments.plan(),
            Planned::Check(arguments) => arguments.plan(),
        }
    }
}

/// How a command ended. Scripts rely on the exit codes: they do not change.
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
    /// A bug of ours.
    InternalError,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Decided => 0,
            Status::Unknown => 1,
            Status::BadInput => 2,
            Status::Violated => 3,
            Status::InternalError => 4,
            Status::Program(code) => code,
        })
    }
}

#[allow(clippy::disallowed_methods, reason = "the command line is read here")]
fn main() -> ExitCode {
    let arguments = match try_arguments(std::env::args_os().collect()) {
        Ok(arguments) => arguments,
        Err(Wrong::Usage(error)) => error.exit(),
        Err(Wrong::Defaults(complaints)) => {
            for complaint in &complaints {
                if terminal::is_colored() {
                    eprint!("{}", Colored(complaint));
                } else {
                    eprint!("{complaint}");
                }
            }
            return Status::BadInput.into();
        }
    };
    reported_as_bug(|| perform(arguments.command)).into()
}

/// Runs `work`; what breaks inside is our bug, and is reported as one.
fn reported_as_bug(work: impl FnOnce() -> Status) -> Status {
    guarded(work).unwrap_or_else(|_| {
        ask_for_report();
        Status::InternalError
    })
}

/// Says what is wrong with the arguments or the input.
pub(crate) fn bad_input(message: &str) -> Status {
    eprintln!("error: {message}");
    Status::BadInput
}

/// Asks for a report of a bug.
pub(crate) fn ask_for_report() {
    eprintln!(
        "internal error: this is a bug of glassbox. Please report the message above with the input; \
         files that were written are kept."
    );
}

fn perform(command: Command) -> Status {
    match command {
        Command::Gen(arguments) => command::generate::run(&arguments),
        Command::Check(arguments) => command::check::run(&arguments),
        Command::Equiv(arguments) => command::equiv::run(&arguments),
        Command::Mutate(arguments) => command::mutate::run(&arguments),
        Command::Quality(arguments) => command::quality::run(&arguments),
        Command::Audit(arguments) => command::audit::run(&arguments),
        Command::Merge(arguments) => command::merge::run(&arguments),
        Command::Cache(arguments) => command::cache::run(&arguments),
        Command::Diff(arguments) => command::diff::run(&arguments),
        Command::Run(arguments) => command::run::run(&arguments),
        Command::Dump(arguments) => command::dump::run(&arguments),
        Command::Solve(arguments) => command::solve::run(&arguments),
        Command::List(arguments) => command::list::run(&arguments),
        Command::Lsp(arguments) => command::lsp::run(&arguments),
        Command::Report(arguments) => command::report::run(&arguments),
        Command::Explain(arguments) => command::explain::run(&arguments),
        Command::Init(arguments) => command::init::run(&arguments),
        Command::Doctor(arguments) => command::doctor::run(&arguments),
        Command::Completions(arguments) => {
            command::completions::run(&arguments, Arguments::command())
        }
        Command::Man(arguments) => command::completions::manual(&arguments, Arguments::command()),
    }
}

/// Why arguments cannot be used.
pub(crate) enum Wrong {
    /// What was typed; also where help is asked for.
    Usage(clap::Error),
    /// What a configuration file says.
    Defaults(Vec<Complaint>),
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Wrong::Usage(error) => write!(f, "{error}"),
            Wrong::Defaults(complaints) => complaints.iter().try_for_each(|it| write!(f, "{it}")),
        }
    }
}

/// What was typed, with the defaults of a configuration file.
pub(crate) fn try_arguments(typed: Vec<OsString>) -> Result<Arguments, Wrong> {
    let definition = Arguments::command();
    let matches = definition.clone().try_get_matches_from(&typed).map_err(Wrong::Usage)?;
    let parsed = Arguments::from_arg_matches(&matches).map_err(Wrong::Usage)?;
    terminal::choose(parsed.color);
    let Some(planned) = parsed.command.planned() else { return Ok(parsed) };
    let intake = planned.intake();
    let config = glassbox_contract::load(intake.config.as_deref(), intake.near());
    let config = config.map_err(|complaint| Wrong::Defaults(vec![*complaint]))?;
    let Some(config) = config else { return Ok(parsed) };
    let Some((command, given)) = matches.subcommand() else { return Ok(parsed) };
    let Some(own) = definition.find_subcommand(command) else { return Ok(parsed) };
    let all = defaults::insert(&config, own, command, given, typed).map_err(Wrong::Defaults)?;
    Arguments::try_parse_from(all).map_err(Wrong::Usage)
}

#[cfg(test)]
mod tests {
    use super::{Status, reported_as_bug};

    #[test]
    fn a_bug_of_ours_is_reported_as_one() {
        assert_eq!(reported_as_bug(|| Status::Decided), Status::Decided);
        let broken = Vec::<Status>::new();
        assert_eq!(reported_as_bug(|| broken[0]), Status::InternalError);
    }
}
