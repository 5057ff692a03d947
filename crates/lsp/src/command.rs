//! Commands that lenses carry: tests for a function, and why something in it is unreachable.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use glassbox_driver::{Finished, Refusal, drive};
use glassbox_report::data::{Goal, Outcome};
use glassbox_report::explain;
use serde_json::{Value, json};

use crate::Planner;
use crate::analysis::{Ear, adapt};
use crate::uri;
use crate::view::Page;
use crate::wire::code;

pub(crate) const GENERATE: &str = "glassbox.generateTests";
pub(crate) const WHY: &str = "glassbox.whyUnreachable";
pub(crate) const ALL: [&str; 2] = [GENERATE, WHY];

/// What a command leaves.
#[derive(Debug)]
pub(crate) struct Done {
    /// For the client.
    pub(crate) result: Value,
    /// For people.
    pub(crate) message: String,
    /// To be shown.
    pub(crate) document: Option<PathBuf>,
}

/// Why a command did nothing.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: i64,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn of(message: impl Into<String>) -> Failure {
        Failure { code: code::REQUEST_FAILED, message: message.into() }
    }
}

/// Generates tests as `glassbox gen FILE --function F` does, from the saved file.
pub(crate) fn generate(
    planner: &dyn Planner,
    path: &Path,
    function: Option<&str>,
    stop: &Arc<AtomicBool>,
    progress: Sender<(usize, usize)>,
) -> Result<Done, Failure> {
    let mut plan = planner.generate(path).map_err(Failure::of)?;
    adapt(&mut plan, path);
    plan.functions = function.map(str::to_owned).into_iter().collect();
    let ear = Ear::new(Arc::clone(stop)).with_progress(progress);
    let finished = drive(&plan, &ear)
        .map_err(|Refusal(text)| Failure::of(format!("{}{text}", ear.words()).trim().to_owned()))?;
    if stop.load(Ordering::Relaxed) {
        let message = "cancelled: what was found until then is kept".to_owned();
        return Err(Failure { code: code::CANCELLED, message });
    }
    if let Some(failure) = &finished.left.failure {
        return Err(Failure::of(failure.clone()));
    }
    Ok(summary(&finished, &plan.out))
}

fn summary(finished: &Finished, out: &Path) -> Done {
    let suite = &finished.left.suite;
    let counts = suite.counts();
    let unreachable = counts.infeasible + counts.infeasible_within;
    let names: Vec<&str> = suite.functions.iter().map(|function| function.title()).collect();
    let mut message = format!(
        "{}: {} goals: {} covered by {} tests, {unreachable} unreachable, {} unknown",
        names.join(", "),
        counts.goals,
        counts.covered,
        counts.tests,
        counts.unknown,
    );
    if let Some(command) = &finished.left.command {
        let _ = write!(message, "; run them with: {command}");
    }
    let tests = suite.functions.iter().flat_map(|function| &function.tests);
    let file =
        tests.filter_map(|test| test.source.as_ref()).map(|source| out.join(&source.file)).next();
    let reports: Vec<String> =
        finished.left.reports.iter().map(|path| uri::of_path(path)).collect();
    let result = json!({
        "goals": counts.goals,
        "covered": counts.covered,
        "infeasible": counts.infeasible,
        "infeasibleWithin": counts.infeasible_within,
        "unknown": counts.unknown,
        "tests": counts.tests,
        "suite": uri::of_path(&out.join("suite.json")),
        "file": file.as_deref().map(uri::of_path),
        "reports": reports,
        "command": finished.left.command,
        "message": message,
    });
    Done { result, message, document: file }
}

/// Why goals of a function are unreachable, with the lines that contradict each other.
pub(crate) fn why(page: &Page<'_>, function: &str) -> Result<Done, Failure> {
    let is_it = |name: &str| name == function;
    let mut results = page.analysis.goals.results();
    let looked = results.find(|looked| looked.suite.functions.iter().any(|it| is_it(&it.name)));
    let looked =
        looked.ok_or_else(|| Failure::of(format!("nothing is known about `{function}` yet")))?;
    let suite = &looked.suite;
    let mut text = String::new();
    for own in suite.functions.iter().filter(|it| is_it(&it.name)) {
        for goal in own.goals.iter().filter(|goal| is_unreachable(goal)) {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(&explain::explain(suite, own, goal));
        }
        if !text.is_empty() {
            text.push_str(&explain::granted(own));
        }
    }
    if text.is_empty() {
        text = format!("every goal of `{function}` is reached or not decided\n");
    }
    let result = json!({ "function": function, "text": text });
    Ok(Done { result, message: text, document: None })
}

fn is_unreachable(goal: &Goal) -> bool {
    match &goal.outcome {
        Outcome::Infeasible { .. } | Outcome::InfeasibleWithin { .. } => true,
        Outcome::Covered { .. }
        | Outcome::Unknown { .. }
        | Outcome::Violated { .. }
        | Outcome::Holds { .. }
        | Outcome::HoldsWithin { .. } => false,
    }
}
