//! `glassbox equiv`: whether a function does the same in two versions of a file.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use glassbox_coverage::Asked;
use glassbox_driver::plan::{Check, CheckFormat, CheckScope, Entries};
use glassbox_driver::report_files::Format;
use glassbox_driver::{FunctionReport, Task, drive, equiv};
use glassbox_emit::Framework;
use glassbox_ir::{Program, UninitializedMode};

use super::check::{Lines, verdict};
use crate::choice::one_of;
use crate::planning::{Planning, close, seconds, unless_broken};
use crate::screen::{Screen, refused};
use crate::terminal::{Tone, hanging, paint, tone};
use crate::{Status, bad_input};
use glassbox_report::check::sentence;
use glassbox_testcase::Verdict;

/// Decide whether a function does the same in two versions of a C file, or a method in two of Java: `glassbox equiv OLD.c NEW.c --function F`
///
/// A file of a git revision is named as git does, `REV:FILE`; with `--rev A..B` one file is compared with itself.
/// Results, memory behind pointers, global variables and fields are compared. VERDICT: true (exit code 0), false (3) with an input
/// that shows a difference, or unknown (1).
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) planning: Planning,
    /// The function to compare
    #[arg(long, value_name = "F")]
    function: String,
    /// Compare one file in two git revisions, `A..B`; with `A` alone, or nothing behind the dots, the newer one is the file as
    /// it is now
    #[arg(long, value_name = "A..B")]
    rev: Option<String>,
    /// What a test of a difference is written for [default: plain; for Java, junit5 if it is found, else junit4]
    #[arg(long, value_parser = one_of::<Framework>())]
    framework: Option<Framework>,
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
        entries: Entries::All,
        baseline: None,
        framework: arguments.framework,
    };
    let planning = &arguments.planning;
    let shown = Lines::new(planning);
    let show = |program: &Program, report: &FunctionReport| {
        if planning.json {
            shown.show(program, report);
        } else {
            compared(program, report, &arguments.function);
        }
    };
    let screen = Screen::new(&show);
    let mut plan = planning.plan(&[], arguments.timeout, Task::Check(task));
    if let Some(revisions) = &arguments.rev {
        let [file] = plan.intake.paths.as_slice() else {
            return bad_input("--rev compares one file in two revisions");
        };
        let (old, new) = revisions.split_once("..").unwrap_or((revisions, ""));
        let in_revision = |revision: &str| PathBuf::from(format!("{revision}:{}", file.display()));
        let newer = if new.is_empty() { file.clone() } else { in_revision(new) };
        plan.intake.paths = vec![in_revision(old), newer];
    }
    // The files of revisions live until all is done.
    let revisions = equiv::Revisions::of(&mut plan);
    let finished = revisions.and_then(|revisions| {
        let plan = equiv::compare(plan, &arguments.function, &screen)?;
        let finished = drive(&plan, &screen);
        drop(revisions);
        finished
    });
    let finished = match finished {
        Ok(finished) => finished,
        Err(refusal) => return refused(&refusal),
    };
    match close(&finished, planning) {
        Some(status) => status,
        None => {
            let nothing = || "the function cannot be compared";
            let status = verdict(&finished, shown, arguments.accept_bounds, &nothing);
            unless_broken(&finished, status)
        }
    }
}

/// What was found out, in the words of whoever asked: the question became a property of a function that is in no file.
fn compared(program: &Program, report: &FunctionReport, function: &str) {
    for result in &report.properties() {
        let sentence = sentence(program, result);
        // What is true provided that something else is says so instead of a reason.
        let (said, why) = sentence
            .split_once(": ")
            .or_else(|| sentence.split_once(' '))
            .unwrap_or((sentence.as_str(), ""));
        let (words, link) = match result.verdict {
            Verdict::Violated { .. } => ("does something else", " with "),
            Verdict::Holds(_) | Verdict::Infeasible(_) => ("does the same in both versions", ": "),
            Verdict::HoldsWithin { .. } | Verdict::InfeasibleWithin { .. } => {
                ("does the same in both versions within bounds", ": ")
            }
            Verdict::Unknown(_) | Verdict::Covered { .. } => (said, ": "),
        };
        let words = paint(tone(result.verdict), words);
        println!("{}", hanging(&format!("{function}: {words}{link}{why}")));
    }
    for warning in &report.warnings {
        println!("{}", hanging(&format!("{} {warning}", paint(Tone::Bad, "warning:"))));
    }
    for note in &report.notes {
        println!("{}", hanging(&format!("note: {note}")));
    }
}
