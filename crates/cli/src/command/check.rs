//! `glassbox check`: whether assertions can fail and run-time errors can happen.

mod lines;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use glassbox_coverage::Asked;
use glassbox_driver::plan::{Baseline, Check, CheckFormat, CheckScope, Entries};
use glassbox_driver::report_files::Format;
use glassbox_driver::{Finished, FunctionReport, Plan, Task, drive, specification};
use glassbox_ir::{Program, UninitializedMode};
use glassbox_report::check::{Overall, condition, entry_json, overall, provided, verdict_name};
use glassbox_testcase::{Assumption, Verdict};
use serde_json::json;

use self::lines::lines;
use crate::Status;
use crate::choice::{Choice, one_of};
use crate::planning::{Detail, Planning, bytes, close, seconds, unless_broken};
use crate::screen::{Screen, refused};
use crate::terminal::{Tone, hanging, paint, tone};
use crate::watch::watch;

/// Decide whether assertions can fail and run-time errors can happen
///
/// One line per property, those that fail or are open first, then VERDICT: true (exit code 0), false (3) or unknown (1). `unknown (true provided
/// that line N does not ...)` means that an error that is not asked about may hide the rest.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) planning: Planning,
    /// Start here (repeatable); default: every function defined in the files, or only `main` when the
    /// program has functions named `__VERIFIER_...` or `reach_error`
    #[arg(long, value_name = "F")]
    function: Vec<String>,
    /// Where runs start where no function is named. Other functions are looked at where they are called, with what
    /// their callers pass
    #[arg(long, value_name = "WHICH", value_parser = one_of::<Entries>(), default_value = "all")]
    entries: Entries,
    /// Do not report again what this file has
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write what is violated into the file of --baseline
    #[arg(long, requires = "baseline")]
    write_baseline: bool,
    /// What to write into DIR
    #[arg(
        long,
        value_parser = one_of::<CheckFormat>(),
        value_delimiter = ',',
        default_value = "suite,tests,html"
    )]
    format: Vec<CheckFormat>,
    /// Turns of a loop, and activations of a recursive function, on one path
    #[arg(long, value_name = "K", default_value_t = 32)]
    unwind: u32,
    /// Report unsigned arithmetic that wraps around, too
    #[arg(long)]
    unsigned_wrap: bool,
    /// Report implicit conversions that change the value and floating results out of the range of their type, too
    #[arg(long)]
    lossy_conversion: bool,
    /// Report calls through pointers to functions whose type is another, which work on most machines, too
    #[arg(long)]
    exact_calls: bool,
    /// Report allocations of more than this, too: 64K, 2G
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    heap: Option<u64>,
    /// Report memory that is allocated and neither freed nor reachable when the run ends, too
    #[arg(long)]
    leak: bool,
    /// Java: report exceptions of `throw` statements that leave a method whose `throws` does not name them, too
    #[arg(long)]
    uncaught: bool,
    /// Let malloc and the like return null
    #[arg(long)]
    malloc_may_fail: bool,
    /// Only assertions, not run-time errors; where an error may end a run before an assertion, the verdict says
    /// so and is not `true`
    #[arg(long)]
    assertions_only: bool,
    /// Only what this specification of SV-COMP demands (repeatable): unreach-call, no-overflow,
    /// valid-memsafety (or valid-deref, valid-free, valid-memtrack alone), valid-memcleanup, termination,
    /// or a file FILE.prp. Runs start in `main`
    #[arg(long, value_name = "P", conflicts_with_all = ["assertions_only", "leak", "unsigned_wrap", "lossy_conversion", "exact_calls", "heap"])]
    property: Vec<String>,
    /// Numbers that were never set: they have any value, or reading them is an error [default: error; any
    /// with --assertions-only and --property]
    #[arg(long, value_name = "MODE", value_parser = one_of::<UninitializedMode>())]
    uninitialized: Option<UninitializedMode>,
    /// What holds within the printed bounds counts as true
    #[arg(long)]
    accept_bounds: bool,
    /// No proofs beyond the exploration of paths
    #[arg(long)]
    no_proofs: bool,
    /// Seconds for search and proofs in one function: the emergency stop
    #[arg(long, value_name = "SECS", value_parser = seconds, default_value = "60")]
    timeout: Duration,
}

impl Choice for CheckFormat {
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)] = &[
        (CheckFormat::Suite, "suite", Some("DIR/suite.json")),
        (CheckFormat::Tests, "tests", Some("DIR/tests: counter-examples as tests")),
        (CheckFormat::Sarif, "sarif", Some("DIR/glassbox.sarif")),
        (
            CheckFormat::Report(Format::Html),
            "html",
            Some("DIR/report/index.html: a self-contained page"),
        ),
        (
            CheckFormat::Report(Format::Witness),
            "witness",
            Some(
                "DIR/report/witness-N.yml: SV-COMP witnesses of violations, for programs that start in \
                 main",
            ),
        ),
        (
            CheckFormat::Report(Format::Markdown),
            "markdown",
            Some(
                "DIR/report/summary.md: counts, violations and what is open, for the summary of a CI job",
            ),
        ),
    ];
}

impl Arguments {
    pub(crate) fn plan(&self) -> Result<Plan, String> {
        let specified = specification::Task::of(&self.property)?;
        let asked = match (self.assertions_only, self.property.is_empty()) {
            (true, _) => Asked::Assertions,
            (false, true) => Asked::Everything,
            (false, false) => specified.asked(),
        };
        let usual = match asked {
            Asked::Everything => UninitializedMode::Error,
            Asked::Assertions | Asked::Relations | Asked::Specified(_) => UninitializedMode::Any,
        };
        let mut functions = self.function.clone();
        functions.extend(specified.entry.filter(|_| self.function.is_empty()));
        let task = Check {
            formats: self.format.clone(),
            unwind: self.unwind,
            scope: CheckScope {
                unsigned_wrap: self.unsigned_wrap,
                conversions: self.lossy_conversion,
                exact_calls: self.exact_calls,
                heap: self.heap,
                leaks: self.leak,
                uncaught: self.uncaught,
                asked,
            },
            allocation_may_fail: self.malloc_may_fail,
            uninitialized: self.uninitialized.unwrap_or(usual),
            proves: !self.no_proofs,
            entries: self.entries,
            baseline: self
                .baseline
                .clone()
                .map(|path| Baseline { path, is_written: self.write_baseline }),
            framework: None,
        };
        Ok(self.planning.plan(&functions, self.timeout, Task::Check(task)))
    }
}

impl Choice for Entries {
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)] = &[
        (Entries::All, "all", Some("Every function")),
        (Entries::Public, "public", Some("Functions that other files can call")),
        (Entries::Roots, "roots", Some("Functions that no other calls")),
    ];
}

impl Choice for UninitializedMode {
    const VALUES: &'static [(Self, &'static str, Option<&'static str>)] = &[
        (UninitializedMode::Any, "any", Some("Variables that are numbers have any value")),
        (UninitializedMode::Error, "error", Some("Reading them is a run-time error")),
    ];
}

pub(crate) fn run(arguments: &Arguments) -> Status {
    if arguments.planning.watch {
        return watch(&arguments.planning.intake, || run_once(arguments));
    }
    run_once(arguments)
}

fn run_once(arguments: &Arguments) -> Status {
    let shown = Lines::new(&arguments.planning);
    let show = |program: &Program, report: &FunctionReport| shown.show(program, report);
    let mut plan = match arguments.plan() {
        Ok(plan) => plan,
        Err(message) => {
            eprintln!("error: {message}");
            return Status::BadInput;
        }
    };
    if let Some(status) = arguments.planning.narrow(&mut plan) {
        return status;
    }
    let finished = match drive(&plan, &Screen::new(&show)) {
        Ok(finished) => finished,
        Err(refusal) => return refused(&refusal),
    };
    match close(&finished, &arguments.planning) {
        Some(status) => status,
        None => {
            let nothing = || nothing_to_check(arguments);
            let status = verdict(&finished, shown, arguments.accept_bounds, &nothing);
            unless_broken(&finished, status)
        }
    }
}

/// What is printed of entries while they come: lines, or an object for each at the end.
pub(super) struct Lines<'a> {
    planning: &'a Planning,
    objects: Mutex<Vec<serde_json::Value>>,
}

impl<'a> Lines<'a> {
    pub(super) fn new(planning: &'a Planning) -> Lines<'a> {
        Lines { planning, objects: Mutex::new(Vec::new()) }
    }

    pub(super) fn show(&self, program: &Program, report: &FunctionReport) {
        if self.planning.json {
            let object = entry_json(program, report.function(), &report.properties());
            self.objects.lock().unwrap_or_else(PoisonError::into_inner).push(object);
        } else {
            lines(program, report, self.planning.detail());
        }
    }
}

/// Assumptions, the JSON summary, the verdict.
pub(super) fn verdict(
    finished: &Finished,
    shown: Lines<'_>,
    accept_bounds: bool,
    nothing: &dyn Fn() -> &'static str,
) -> Status {
    let Finished { reports: _, left, left_out, n_known: _ } = finished;
    let Lines { planning, objects } = shown;
    let verdicts = || finished.reports().flat_map(FunctionReport::counted_verdicts);
    // What was accepted by hand does not stand against the verdict, but is said with it.
    let accepted = finished.reports().flat_map(|report| report.checked.accepted.iter().copied());
    let accepted = Assumption::listed(accepted);
    let judged: Vec<Verdict> = verdicts().map(|verdict| verdict.without(&accepted)).collect();
    // What could not be read may fail.
    let is_broken = finished.reports().any(|report| report.is_broken) || !left_out.is_empty();
    let blind_spots = || finished.reports().filter_map(|report| report.checked.blind_spot.as_ref());
    let overall = match overall(judged.iter(), accept_bounds) {
        Overall::True if is_broken || blind_spots().next().is_some() => Overall::Unknown,
        overall @ (Overall::True | Overall::False | Overall::Unknown) => overall,
    };
    let condition = match overall {
        Overall::Unknown => condition(judged.iter(), accept_bounds),
        Overall::True | Overall::False => None,
    };
    let (tone, status) = match overall {
        Overall::True => (Tone::Good, Status::Decided),
        Overall::False => (Tone::Bad, Status::Violated),
        Overall::Unknown => (Tone::Doubt, Status::Unknown),
    };
    let premises = finished.reports().flat_map(|report| &report.suite.premises);
    let mut assumptions: Vec<String> = premises.map(ToString::to_string).collect();
    assumptions.sort_unstable();
    assumptions.dedup();
    if planning.json {
        let functions = objects.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut summary = json!({
            "tool": { "name": "glassbox", "version": env!("CARGO_PKG_VERSION") },
            "verdict": overall.name(),
            "assumptions": assumptions,
            "functions": functions,
        });
        let dismissed = dismissed(finished);
        if !dismissed.is_empty() {
            summary["dismissed"] = json!(dismissed);
        }
        if let Some(condition) = condition {
            summary["true_if"] = json!(condition);
        }
        println!("{summary:#}");
    } else {
        let is_reported = planning.detail() != Detail::Problems;
        for assumption in assumptions.iter().filter(|_| is_reported) {
            println!("{}", hanging(&format!("assumes: {assumption}")));
        }
        if let Some(command) = left.command.as_ref().filter(|_| is_reported) {
            println!("counter-examples as tests: {command}");
        }
        if finished.reports().all(|report| report.checked.properties.is_empty()) {
            println!("note: there is nothing to check: {}", nothing());
        }
        for blind_spot in blind_spots() {
            println!("note: not understood, so anything may happen there: {blind_spot}");
        }
        if let Some(counts) = counts(&verdicts().collect::<Vec<_>>()) {
            println!("{counts}");
        }
        let mut remarks: Vec<String> =
            condition.map(|words| format!("true {words}")).into_iter().collect();
        if overall == Overall::True && !accepted.is_empty() {
            remarks.push(provided(&accepted));
        }
        let dismissed = dismissed(finished);
        let of = |(name, n): (&&str, &usize)| format!("{n} {name}");
        let dismissed: Vec<String> = dismissed.iter().map(of).collect();
        if !dismissed.is_empty() {
            remarks.push(format!("not counted: {}", dismissed.join(", ")));
        }
        let remarks = match remarks.as_slice() {
            [] => String::new(),
            some => format!(" ({})", some.join("; ")),
        };
        println!("VERDICT: {}{remarks}", paint(tone, overall.name()));
    }
    status
}

/// How many findings do not count, by the reason.
fn dismissed(finished: &Finished) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for dismissal in
        finished.reports().flat_map(|report| report.checked.dismissals.iter().flatten())
    {
        *counts.entry(dismissal.name()).or_default() += 1;
    }
    counts
}

/// How often each verdict is given, the worst first; `None` where there is none.
fn counts(verdicts: &[&Verdict]) -> Option<String> {
    let n_all = verdicts.len();
    let mut names: Vec<(&str, Tone, usize)> = Vec::new();
    for verdict in verdicts {
        let name = verdict_name(verdict);
        match names.iter_mut().find(|(known, ..)| *known == name) {
            Some((.., count)) => *count += 1,
            None => names.push((name, tone(verdict), 1)),
        }
    }
    names.sort_by_key(|(name, tone, _)| (std::cmp::Reverse(*tone), *name));
    let parts = names.iter().map(|(name, tone, n)| paint(*tone, &format!("{n} {name}")));
    let parts: Vec<String> = parts.collect();
    let noun = if n_all == 1 { "property" } else { "properties" };
    (n_all > 0).then(|| format!("{n_all} {noun}: {}", parts.join(", ")))
}

/// Why no property was found.
fn nothing_to_check(arguments: &Arguments) -> &'static str {
    if !arguments.property.is_empty() {
        "nothing that the property speaks of"
    } else if arguments.assertions_only {
        "no assertion in the functions and what they call"
    } else {
        "no assertion, and no operation that could fail"
    }
}
