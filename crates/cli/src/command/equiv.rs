//! `glassbox equiv`: whether a function does the same in two versions of a file.

use std::time::Duration;

use clap::Args;
use glassbox_coverage::Asked;
use glassbox_driver::plan::{Check, CheckFormat, CheckScope};
use glassbox_driver::report_files::Format;
use glassbox_driver::{FunctionReport, Task, drive, equiv};
use glassbox_ir::{Program, UninitializedMode};

use super::check::{lines, verdict};
use crate::Status;
use crate::planning::{Planning, close, seconds, unless_broken};
use crate::screen::{Screen, refused};

/// Decide whether a function does the same in two versions of a C file: `glassbox equiv OLD.c NEW.c --function F`
///
/// Results, memory behind pointers and global variables are compared. VERDICT: true (exit code 0), false (3) with an
/// input that shows a difference, or unknown (1).
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) planning: Planning,
    /// The function to compare
    #[arg(long, value_name = "F")]
    function: String,
    /// Turns of a loop, and activations of a recursive function, on one path
    #[arg(long, value_name = "K", default_value_t = 32)]
    unwind: u32,
    /// What holds within the printed bounds counts as true
    #[arg(long)]
    accept_bounds: bool,
    /// Seconds for search and proofs: the emergency stop
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "60")]
    timeout: Duration,
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    let task = Check {
        formats: vec![CheckFormat::Suite, CheckFormat::Tests, CheckFormat::Report(Format::Html)],
        unwind: arguments.unwind,
        scope: CheckScope { asked: Asked::Relations, ..CheckScope::default() },
        allocation_may_fail: false,
        uninitialized: UninitializedMode::Error,
        proves: true,
    };
    let planning = &arguments.planning;
    let show = |program: &Program, report: &FunctionReport| {
        if !planning.json {
            lines(program, report, planning.detail());
        }
    };
    let screen = Screen::new(&show);
    let plan = planning.plan(&[], arguments.timeout, Task::Check(task));
    let finished =
        equiv::compare(plan, &arguments.function, &screen).and_then(|plan| drive(&plan, &screen));
    let finished = match finished {
        Ok(finished) => finished,
        Err(refusal) => return refused(&refusal),
    };
    match close(&finished, planning) {
        Some(status) => status,
        None => {
            let nothing = || "the function cannot be compared";
            let status = verdict(&finished, planning, arguments.accept_bounds, &nothing);
            unless_broken(&finished, status)
        }
    }
}
