//! Options that `gen` and `check` share, the plan they become, and what both say at the end.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use glassbox_driver::plan::{self, Budget, Environment};
use glassbox_driver::{Finished, Plan, Task, language};
use glassbox_ir::OverflowMode;

use crate::choice::one_of;
use crate::intake::Intake;
use crate::screen::report_left_out;
use crate::{Status, ask_for_report, bad_input, interrupt};

#[derive(Debug, Args)]
pub(crate) struct Planning {
    #[command(flatten)]
    pub(crate) intake: Intake,
    /// Where suite.json, tests/ and reports go
    #[arg(long, value_name = "DIR", default_value = "glassbox-out")]
    out: PathBuf,
    /// Seed of the concrete inputs
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Symbolic paths to follow for one function
    #[arg(long, value_name = "N", default_value_t = 2000)]
    max_paths: usize,
    /// Elements of memory behind a pointer input
    #[arg(long, value_name = "N", default_value_t = 8)]
    max_length: u64,
    /// Signed overflow: wrap around, reject such runs, or report an error [default: report; for Java, wrap]
    #[arg(long, value_parser = one_of::<OverflowMode>())]
    overflow: Option<OverflowMode>,
    /// Functions to work on at the same time; default: one per processor
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Do not compile and run tests: only the interpreter confirms them
    #[arg(long)]
    no_exec: bool,
    /// One machine-readable summary on standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// Replace tests of an earlier run even if they were changed; else new ones go beside them
    #[arg(long)]
    force: bool,
    /// Print only what is violated or not decided
    #[arg(long, short, conflicts_with = "verbose")]
    quiet: bool,
    /// Print every goal, also where a test reaches it
    #[arg(long, short)]
    verbose: bool,
    /// Flags for the C compiler
    #[arg(last = true, value_name = "CC_FLAGS")]
    cc_flags: Vec<String>,
}

/// A time in seconds, whole or not.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "a number of seconds is wanted, such as 20 or 0.5".to_owned();
    let seconds: f64 = text.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// How much is printed about each function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    Problems,
    Usual,
    Everything,
}

impl Planning {
    pub(crate) fn detail(&self) -> Detail {
        match (self.quiet, self.verbose) {
            (true, _) => Detail::Problems,
            (false, true) => Detail::Everything,
            (false, false) => Detail::Usual,
        }
    }

    /// The whole plan.
    pub(crate) fn plan(&self, functions: &[String], timeout: Duration, task: Task) -> Plan {
        let mut intake = self.intake.plan(&self.cc_flags);
        // Counter-examples are about what is undefined.
        if let Task::Generate(_) = task {
            intake.own_stubs = Some(self.out.join("tests"));
        }
        let usual = language::of(&intake).map_or(OverflowMode::Report, |it| it.overflow);
        Plan {
            intake,
            functions: functions.to_vec(),
            replaces_tests: self.force,
            out: self.out.clone(),
            budget: Budget {
                seed: self.seed,
                paths: self.max_paths,
                length: self.max_length,
                time: timeout,
                jobs: self.jobs,
            },
            overflow: self.overflow.unwrap_or(usual),
            executes: !self.no_exec,
            task,
            environment: environment(),
            second_opinion: None,
        }
    }
}

/// A plan of a search without files.
pub(crate) fn usual(
    intake: plan::Intake,
    functions: &[String],
    timeout: Duration,
    task: Task,
) -> Plan {
    let overflow = language::of(&intake).map_or(OverflowMode::Report, |it| it.overflow);
    Plan {
        intake,
        functions: functions.to_vec(),
        replaces_tests: false,
        out: PathBuf::new(),
        budget: Budget { seed: 0, paths: 2000, length: 8, time: timeout, jobs: None },
        overflow,
        executes: false,
        task,
        environment: environment(),
        second_opinion: None,
    }
}

/// As this process was started.
#[allow(clippy::disallowed_methods, reason = "the command line and the environment are read here")]
pub(crate) fn environment() -> Environment {
    Environment {
        command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
        source_date: std::env::var("SOURCE_DATE_EPOCH").ok(),
    }
}

/// Says what was written and what could not be; the exit status where that decides it.
pub(crate) fn close(finished: &Finished, planning: &Planning) -> Option<Status> {
    let left = &finished.left;
    let is_reported = !planning.json && planning.detail() != Detail::Problems;
    for path in left.reports.iter().filter(|_| is_reported) {
        println!("report: {}", path.display());
    }
    for note in &left.notes {
        eprintln!("note: {note}");
    }
    report_left_out(&finished.left_out);
    if let Some(message) = &left.failure {
        return Some(bad_input(message));
    }
    if interrupt::is_interrupted() {
        eprintln!("interrupted: what was found until then is kept");
    }
    None
}

/// The status of a command whose results are good as far as they go: a bug of ours counts more.
pub(crate) fn unless_broken(finished: &Finished, status: Status) -> Status {
    if finished.reports().any(|report| report.is_broken) {
        ask_for_report();
        return Status::InternalError;
    }
    status
}
