//! Options that `gen` and `check` share, the plan they become, and what both say at the end.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use glassbox_driver::plan::{
    self, Budget, Clock, Environment, Keeping, MemoryLimits, Scope, TextKeeping,
};
use glassbox_driver::shard::{self, Parts, Shard};
use glassbox_driver::{Finished, Plan, Task, language};
use glassbox_ir::OverflowMode;

use crate::choice::one_of;
use crate::intake::Intake;
use crate::screen::report_left_out;
use crate::{Status, ask_for_report, bad_input, interrupt, since};

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
    /// Functions to work on at the same time [default: $GLASSBOX_JOBS, else one per processor]
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
    /// Seconds of the processor for the search in one function, in the place of --timeout: 10cpu. A machine that has other
    /// things to do gives the same results, as far as possible
    #[arg(long, value_name = "SECScpu", value_parser = processor_seconds)]
    budget: Option<Duration>,
    /// Memory for the search in one function: 500M, 2G. A function that needs more keeps what it has found, and the others
    /// go on
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    memory: Option<u64>,
    /// Memory for the whole run: when it is used up, the function that has most of it ends
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    memory_total: Option<u64>,
    /// Where results are kept, so that only what has changed is done again [default: $XDG_CACHE_HOME/glassbox, else
    /// ~/.cache/glassbox]
    #[arg(long, value_name = "DIR", conflicts_with = "no_cache")]
    cache: Option<PathBuf>,
    /// Neither use results of earlier runs nor keep new ones (so does GLASSBOX_NO_CACHE=1)
    #[arg(long)]
    no_cache: bool,
    /// Only part I of N, the same functions on every machine; `glassbox merge` puts the folders of all parts together
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// times.json of an earlier run, so that all parts take equally long; the same file for every part
    #[arg(long, value_name = "FILE", requires = "shard")]
    shard_times: Option<PathBuf>,
    /// Only functions that have changed since this revision of git, or depend on something that has
    #[arg(long, value_name = "REV")]
    since: Option<String>,
    /// Do it again whenever a file is saved, until Ctrl-C
    #[arg(long, conflicts_with_all = ["shard", "json"])]
    pub(crate) watch: bool,
    /// Parts that are put together, and what they were asked to do.
    #[arg(skip)]
    pub(crate) merged: Option<Merged>,
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

/// Parts of a run that become one, as if there had been none.
#[derive(Debug, Clone)]
pub(crate) struct Merged {
    pub(crate) parts: Parts,
    pub(crate) command: Vec<String>,
}

/// A time in seconds, whole or not.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let wrong = || "a number of seconds is wanted, such as 20 or 0.5".to_owned();
    let seconds: f64 = text.parse().map_err(|_| wrong())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| wrong())
}

/// Seconds of the processor: `10cpu`.
fn processor_seconds(text: &str) -> Result<Duration, String> {
    let number = text
        .strip_suffix("cpu")
        .ok_or("seconds of the processor are wanted, such as 10cpu or 0.5cpu")?;
    seconds(number)
}

/// A size of memory: a number and a unit.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || "a number with K, M or G is wanted, such as 500M or 2G".to_owned();
    let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let shift = match &text[digits.len()..] {
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        _ => return Err(wrong()),
    };
    number.checked_mul(1 << shift).filter(|&size| size > 0).ok_or_else(wrong)
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

    /// Preprocessed texts are kept for later runs; those of parts are left for whoever puts them together.
    fn text_keeping(&self) -> Option<TextKeeping> {
        let own: Vec<PathBuf> = self.cache_folder().into_iter().collect();
        let (mut from, mut into) = (own.clone(), own);
        into.extend(self.shard.iter().map(|_| shard::entries(&self.out)));
        from.extend(self.merged.iter().flat_map(|merged| merged.parts.folders.iter().cloned()));
        let is_used = !from.is_empty() || !into.is_empty();
        is_used.then(|| TextKeeping { from, into, variables: variables() })
    }

    /// The whole plan.
    pub(crate) fn plan(&self, functions: &[String], timeout: Duration, task: Task) -> Plan {
        let mut intake = self.intake.plan(&self.cc_flags);
        // Counter-examples are about what is undefined.
        if let Task::Generate(_) = task {
            intake.own_stubs = Some(self.out.join("tests"));
        }
        intake.texts = self.text_keeping();
        let usual = language::of(&intake).map_or(OverflowMode::Report, |it| it.overflow);
        Plan {
            intake,
            functions: functions.to_vec(),
            only: None,
            replaces_tests: self.force,
            out: self.out.clone(),
            budget: Budget {
                seed: self.seed,
                paths: self.max_paths,
                length: self.max_length,
                time: self.budget.unwrap_or(timeout),
                clock: if self.budget.is_some() { Clock::Processor } else { Clock::Wall },
                memory: MemoryLimits { function: self.memory, total: self.memory_total },
                jobs: self.jobs.or_else(usual_jobs),
            },
            overflow: self.overflow.unwrap_or(usual),
            executes: !self.no_exec,
            task,
            environment: match &self.merged {
                Some(merged) => Environment { command: merged.command.clone(), ..environment() },
                None => environment(),
            },
            second_opinion: None,
            keeping: Keeping {
                folder: self.cache_folder(),
                shard: self.shard,
                shard_times: self.shard_times.clone(),
                shard_earlier: None,
                parts: self.merged.as_ref().map(|merged| merged.parts.clone()),
            },
        }
    }

    /// Leaves only what has changed, where that is asked for. `Some` where nothing has, or it cannot be said.
    pub(crate) fn narrow(&self, plan: &mut Plan) -> Option<Status> {
        let revision = self.since.as_deref()?;
        // Callers that have changed would matter, too.
        if let Task::Generate(task) = &plan.task
            && task.scope != Scope::Unit
        {
            return Some(bad_input(
                "--since looks at functions by themselves: it goes with --scope unit",
            ));
        }
        match since::changed(revision, plan) {
            Err(message) => Some(bad_input(&message)),
            Ok(changed) if changed.is_empty() => {
                println!("nothing has changed since {revision}");
                Some(Status::Decided)
            }
            Ok(changed) => {
                plan.only = Some(changed);
                None
            }
        }
    }

    #[allow(clippy::disallowed_methods, reason = "the environment is read here")]
    fn cache_folder(&self) -> Option<PathBuf> {
        let is_off =
            std::env::var_os("GLASSBOX_NO_CACHE").is_some_and(|it| !it.is_empty() && it != "0");
        match &self.cache {
            Some(folder) => Some(folder.clone()),
            None if self.no_cache || is_off => None,
            None => usual_cache(),
        }
    }
}

/// How many functions schedulers of a cluster let us work on at the same time. It is no part of the command, which a suite
/// records, so that a part of a run leaves what the whole would.
#[allow(clippy::disallowed_methods, reason = "the environment is read here")]
fn usual_jobs() -> Option<NonZeroUsize> {
    std::env::var("GLASSBOX_JOBS").ok()?.trim().parse().ok()
}

/// Where results are kept where nothing else is said.
#[allow(clippy::disallowed_methods, reason = "the environment is read here")]
pub(crate) fn usual_cache() -> Option<PathBuf> {
    // Relative ones do not count, says the specification of these folders.
    let folder = |name: &str| {
        std::env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute())
    };
    let caches = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")))?;
    Some(caches.join("glassbox"))
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
        only: None,
        replaces_tests: false,
        out: PathBuf::new(),
        budget: Budget {
            seed: 0,
            paths: 2000,
            length: 8,
            time: timeout,
            clock: Clock::Wall,
            memory: MemoryLimits::default(),
            jobs: None,
        },
        overflow,
        executes: false,
        task,
        environment: environment(),
        second_opinion: None,
        keeping: Keeping::default(),
    }
}

/// As this process was started.
#[allow(clippy::disallowed_methods, reason = "the command line and the environment are read here")]
pub(crate) fn environment() -> Environment {
    Environment {
        command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
        source_date: std::env::var("SOURCE_DATE_EPOCH").ok(),
        variables: variables(),
    }
}

/// What compilers, compiled programs and JVMs look at, by the beginning of the name.
const LOOKED_AT: &[&str] = &[
    "ASAN_",
    "CCC_",
    "CLANG_",
    "CLASSPATH",
    "COMPILER_PATH",
    "CPATH",
    "C_INCLUDE_PATH",
    "DEPENDENCIES_OUTPUT",
    "GCC_",
    "GLIBC_",
    "JAVA_",
    "JDK_",
    "LANG",
    "LC_",
    "LD_",
    "LIBRARY_PATH",
    "LSAN_",
    "MALLOC_",
    "NIX_",
    "SUNPRO_",
    "TZ",
    "UBSAN_",
    "_JAVA_",
];

/// Those that are set, in order.
#[allow(clippy::disallowed_methods, reason = "the environment is read here")]
fn variables() -> Vec<(String, String)> {
    let text = |word: std::ffi::OsString| word.to_string_lossy().into_owned();
    let all = std::env::vars_os().map(|(name, value)| (text(name), text(value)));
    let is_looked_at = |name: &str| LOOKED_AT.iter().any(|start| name.starts_with(start));
    let mut found: Vec<(String, String)> = all.filter(|(name, _)| is_looked_at(name)).collect();
    found.sort();
    found
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
    if finished.n_known > 0 && planning.merged.is_none() && planning.detail() != Detail::Problems {
        let (n_known, all) = (finished.n_known, finished.reports().count());
        eprintln!("glassbox: {n_known} of {all} functions were known from earlier runs");
    }
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
