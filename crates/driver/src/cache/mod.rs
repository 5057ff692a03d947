//! Results of functions that are kept: what was found once is not searched again while nothing that it depends on changes.
//!
//! An entry is one file, named by its key (`key`), with the function's report in it (`report`). Entries appear whole or
//! not at all, so that several processes may share a folder; one that is damaged is not used, and said to be. Preprocessed
//! texts are kept beside them (`texts`).

mod build;
pub(crate) mod compiler;
mod digest;
mod folder;
mod key;
mod report;
mod stored;
mod texts;

pub(crate) use digest::Digest;
pub use folder::{Folder, Removed, Size};
pub(crate) use key::keys;
pub(crate) use texts::Texts;

use std::sync::atomic::{AtomicBool, Ordering};

use glassbox_ir::FuncId;
use glassbox_replay::Evidence as Sighting;
use glassbox_testcase::{Spent, UnknownReason, Verdict};

use crate::drive::{self, Case};
use crate::function_report::FunctionReport;
use crate::listener::Listener;
use crate::plan::{Plan, Task};
use crate::verify;
use folder::Kind;
use stored::Input;

/// Where results of one run come from and go to.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    /// What is looked at, in this order.
    from: Vec<Folder>,
    /// The user's, where what is found is kept for later runs.
    own: Option<Folder>,
    /// Where everything that was found is put, whatever it is.
    all: Option<Folder>,
    build: String,
    /// It was said that results cannot be kept for later runs.
    is_told: AtomicBool,
}

impl Cache {
    pub(crate) fn of(plan: &Plan) -> Cache {
        let keeping = &plan.keeping;
        let own = keeping.folder.as_deref().map(Folder::new);
        let all = keeping.shard.as_ref().map(|_| Folder::new(&crate::shard::entries(&plan.out)));
        let from: Vec<Folder> = match &keeping.parts {
            Some(parts) => parts.folders.iter().map(|folder| Folder::new(folder)).collect(),
            None => own.iter().cloned().collect(),
        };
        if from.is_empty() && all.is_none() {
            return Cache::default();
        }
        let build = build::build();
        Cache { from, own, all, build, is_told: AtomicBool::new(false) }
    }

    /// The keys of the functions of a program; none where nothing is kept.
    pub(crate) fn keys(&self, case: &Case<'_>) -> Option<Vec<String>> {
        let is_used = !self.from.is_empty() || self.all.is_some();
        if is_used && !self.build.is_empty() { keys(case, &self.build) } else { None }
    }

    /// What is known of a function. Damaged entries are reported.
    pub(crate) fn get(
        &self,
        case: &Case<'_>,
        function: FuncId,
        key: &str,
    ) -> Option<FunctionReport> {
        self.from.iter().find_map(|folder| {
            let bytes = match folder.read(Kind::Result, key) {
                Ok(bytes) => bytes?,
                Err(damage) => {
                    case.listener.diagnostic(&format!("warning: {damage}: it is not used\n"));
                    return None;
                }
            };
            let found = restored(case, function, &bytes);
            if found.is_none() {
                let path = folder.path(Kind::Result, key);
                let what = "it does not say what its name says: it is not used";
                case.listener.diagnostic(&format!("warning: {}: {what}\n", path.display()));
            }
            found
        })
    }

    /// Whether there is an entry, whatever is in it.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.from.iter().any(|folder| folder.path(Kind::Result, key).exists())
    }

    /// Keeps what was found. That it cannot be kept costs nothing but the time to find it again, except where others wait
    /// for it; it is said once.
    pub(crate) fn put(
        &self,
        listener: &dyn Listener,
        key: &str,
        report: &FunctionReport,
        is_cut: bool,
    ) -> Result<(), String> {
        let mut bytes = Vec::new();
        report::put(report, &mut bytes);
        if let Some(own) = self.own.as_ref().filter(|_| !is_cut && is_lasting(report))
            && let Err(why) = own.write(Kind::Result, key, &bytes)
            && !self.is_told.swap(true, Ordering::Relaxed)
        {
            listener.diagnostic(&format!("warning: results are not kept: {why}\n"));
        }
        match &self.all {
            Some(all) => all.write(Kind::Result, key, &bytes),
            None => Ok(()),
        }
    }

    /// The same for what was known before.
    pub(crate) fn pass_on(&self, key: &str, report: &FunctionReport) -> Result<(), String> {
        let Some(all) = &self.all else { return Ok(()) };
        let mut bytes = Vec::new();
        report::put(report, &mut bytes);
        all.write(Kind::Result, key, &bytes)
    }
}

/// The report in an entry, with the goals of the function as it is now.
fn restored(case: &Case<'_>, function: FuncId, bytes: &[u8]) -> Option<FunctionReport> {
    let mut input = Input::new(bytes);
    let mut report = report::get(&mut input).filter(|_| input.is_empty())?;
    report.goals = match &case.plan.task {
        Task::Generate(_) => drive::goals(case, function),
        Task::Check(_) => report.checked.properties.iter().map(verify::goal).collect(),
    };
    let is_same = report.goals.len() == report.suite.goals.len()
        && report
            .goals
            .iter()
            .zip(&report.suite.goals)
            .all(|(goal, result)| goal.id == result.goal);
    (report.suite.function == function && is_same).then_some(report)
}

/// Whether the next run would find the same: not where a bug of ours or the machine got in the way.
fn is_lasting(report: &FunctionReport) -> bool {
    let is_passing = |verdict: &Verdict| match verdict {
        Verdict::Unknown(reason) => match reason {
            UnknownReason::Disagreement(_)
            | UnknownReason::Unconfirmed(_)
            | UnknownReason::Internal(_)
            // Its neighbors had some of it.
            | UnknownReason::Budget(Spent::Memory { .. }) => true,
            UnknownReason::Budget(
                Spent::Paths { .. }
                | Spent::Time { .. }
                | Spent::QuestionOfSolver { .. }
                | Spent::LengthOfPath { .. }
                | Spent::AvoidingFailures
                | Spent::StepsOfEndlessRuns { .. },
            )
            | UnknownReason::Unsupported { .. }
            | UnknownReason::OnlyUndefined => false,
        },
        Verdict::Covered { .. }
        | Verdict::Infeasible(_)
        | Verdict::InfeasibleWithin { .. }
        | Verdict::Violated { .. }
        | Verdict::Holds(_)
        | Verdict::HoldsWithin { .. } => false,
    };
    let is_unseen = |sighting: &Option<Sighting>| matches!(sighting, Some(Sighting::NotRun(_)));
    let mut examples = report.checked.counter_examples.iter();
    !report.is_broken
        && !report.verdicts().any(is_passing)
        && !examples.any(|example| is_unseen(&example.sighting))
}
