//! `glassbox lsp`: verdicts in editors, by the Language Server Protocol on standard input and output.

use std::ffi::OsString;
use std::io::{BufReader, stdin, stdout};
use std::path::Path;
use std::sync::Arc;

use clap::Args;
use glassbox_driver::Plan;
use glassbox_lsp::{Ending, Planner, serve};

use crate::{Status, try_arguments};

/// Serve editors: diagnostics, lenses, value ranges and verdicts while you write (Language Server Protocol)
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Accepted because editors give it: standard input and output are the only way
    #[arg(long)]
    stdio: bool,
}

pub(crate) fn run(_: &Arguments) -> Status {
    match serve(BufReader::new(stdin()), stdout(), Arc::new(CommandLine)) {
        Ending::Orderly => Status::Decided,
        Ending::Abrupt => Status::Unknown,
    }
}

/// What the command line would do, with the defaults of the configuration file near the source.
struct CommandLine;

impl Planner for CommandLine {
    fn generate(&self, file: &Path) -> Result<Plan, String> {
        plan("gen", file)
    }

    fn check(&self, file: &Path) -> Result<Plan, String> {
        plan("check", file)
    }
}

fn plan(command: &str, file: &Path) -> Result<Plan, String> {
    let typed: Vec<OsString> = vec!["glassbox".into(), command.into(), file.into()];
    let arguments = try_arguments(typed).map_err(|wrong| wrong.to_string())?;
    let planned = arguments.command.planned();
    planned.ok_or_else(|| format!("`{command}` has no plan"))?.plan()
}
