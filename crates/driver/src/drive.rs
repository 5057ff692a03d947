//! The driver: reads programs, prepares them, works on every function, reviews, writes.

mod functions;
mod programs;
mod reading;
mod turns;

use glassbox_coverage::Goal;
use glassbox_ir::{FuncId, Program};
use glassbox_report::suite_json::title::title;

use crate::cache::Cache;
use crate::earlier::{Beginnings, Earlier};
use crate::function_report::FunctionReport;
use crate::language::{self, Language, Refusal};
use crate::listener::Listener;
use crate::output::Left;
use crate::plan::{Keeping, Plan, Task};
use crate::shard::{self, Division};
use crate::stopwatch::Stopwatch;
use crate::{search, through, verify};
pub(crate) use functions::review_together;
use programs::{Programs, Shown};
use reading::Tally;

/// What the work is about.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    pub language: &'a dyn Language,
    pub plan: &'a Plan,
    /// Those that are worked on.
    pub functions: &'a [FuncId],
    pub listener: &'a dyn Listener,
    /// How the work on them begins, where that is known.
    pub(crate) beginnings: &'a Beginnings,
}

/// Nothing is known from earlier.
static NO_BEGINNINGS: Beginnings = Beginnings::new();

impl std::fmt::Debug for Case<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Case").field("plan", self.plan).finish_non_exhaustive()
    }
}

impl<'a> Case<'a> {
    pub(crate) fn new(
        language: &'a dyn Language,
        plan: &'a Plan,
        functions: &'a [FuncId],
        listener: &'a dyn Listener,
    ) -> Case<'a> {
        Case { language, plan, functions, listener, beginnings: &NO_BEGINNINGS }
    }

    pub(crate) fn program(&self) -> &'a Program {
        self.language.program()
    }
}

/// All is done.
#[derive(Debug)]
pub struct Finished {
    /// By program and function, in order. The programs are gone: there may be many.
    pub reports: Vec<FunctionReport>,
    pub left: Left,
    /// Files that could not be read; why was said.
    pub left_out: Vec<String>,
    /// Functions whose result was known before.
    pub n_known: usize,
}

impl Finished {
    /// Of all programs, in order.
    pub fn reports(&self) -> impl Iterator<Item = &FunctionReport> + Clone {
        self.reports.iter()
    }
}

/// Carries out a plan. What was found before an interrupt, and what could be written, is in the result.
pub fn drive(plan: &Plan, listener: &dyn Listener) -> Result<Finished, Refusal> {
    drive_with(plan, listener, &Cache::of(plan), None)
}

/// The same, with something that is done with what the search in a function found before it is reviewed. Nothing is kept.
pub(crate) fn drive_further(
    plan: &Plan,
    listener: &dyn Listener,
    further: Further<'_>,
) -> Result<Finished, Refusal> {
    drive_with(plan, listener, &Cache::default(), Some(further))
}

type Further<'a> = &'a (dyn Fn(&Case<'_>, &mut FunctionReport, &Stopwatch<'_>) + Sync);

/// Whatever is done with what the searches found.
fn drive_with(
    plan: &Plan,
    listener: &dyn Listener,
    cache: &Cache,
    further: Option<Further<'_>>,
) -> Result<Finished, Refusal> {
    let entry = language::of(&plan.intake)?;
    if let Some(why) = (entry.refuses)(plan) {
        return Err(Refusal::error(why));
    }
    let shown = Shown::new(plan)?;
    let parts = language::parts(&plan.intake, plan.task.purpose(), listener)?;
    let Keeping { shard, shard_times, .. } = &plan.keeping;
    if let Some(merged) = &plan.keeping.parts
        && merged.project != shard::project(&parts)
    {
        return Err(Refusal::error(
            "the parts were made of other sources than those that are here",
        ));
    }
    let division = Division::new(*shard, shard_times.as_deref(), &parts).map_err(Refusal::error)?;
    let earlier = Earlier::of(plan, listener);
    let programs = Programs { plan, listener, cache, further, parts: &parts, earlier: &earlier };
    let (shown, division) = programs.work(shown, division);
    let Shown { output, dismisser, tally, reports, n_known, failure, refusal, missing } = shown;
    refusal.map_or(Ok(()), Err)?;
    if let [first, more @ ..] = missing.as_slice() {
        let more =
            if more.is_empty() { String::new() } else { format!(" and {} more", more.len()) };
        return Err(Refusal::error(format!(
            "no part has a result of {first}{more} as it is here: headers, the compiler or the build of glassbox may \
             be others"
        )));
    }
    tally.judge(plan, parts.len(), listener)?;
    let mut left = output.finish(entry);
    let written = dismisser.finish();
    let noted = division.write(&plan.out, &plan.environment.command);
    let begun = earlier.leave(plan, &division);
    let failures = [written.err(), failure, noted.err(), begun.err()];
    left.failure = left.failure.or(failures.into_iter().flatten().next());
    Ok(Finished { reports, left, left_out: tally.left_out, n_known })
}

/// Searches as `drive` does, and hands over what each search found: nothing is compiled, reviewed or written.
pub fn search_only(
    plan: &Plan,
    listener: &dyn Listener,
    mut look: impl FnMut(&Program, &FunctionReport),
) -> Result<(), Refusal> {
    each_program(plan, listener, &mut Vec::new(), |language, functions| {
        let case = Case::new(&*language, plan, &functions, listener);
        for &function in &functions {
            let watch = Stopwatch::start(listener, &title(case.program(), function));
            look(case.program(), &work(&case, function, &watch));
        }
    })
}

/// Reads one program after the other, prepares it and hands it over with its functions. What cannot be read is reported
/// and costs no other program; it is an error where nothing can be read.
pub(crate) fn each_program(
    plan: &Plan,
    listener: &dyn Listener,
    left_out: &mut Vec<String>,
    mut hand_over: impl FnMut(Box<dyn Language>, Vec<FuncId>),
) -> Result<(), Refusal> {
    let parts = language::parts(&plan.intake, plan.task.purpose(), listener)?;
    let mut tally = Tally::default();
    for position in 0..parts.len() {
        if parts.len() > 1 && listener.is_interrupted() {
            break;
        }
        let read = reading::read(plan, listener, &parts, position)?;
        tally.add(&read);
        if let Some((language, functions)) = read.program {
            hand_over(language, functions);
        }
    }
    left_out.extend_from_slice(&tally.left_out);
    tally.judge(plan, parts.len(), listener)
}

/// What is asked about a function, as goals.
pub(crate) fn goals(case: &Case<'_>, function: FuncId) -> Vec<Goal> {
    match &case.plan.task {
        Task::Generate(task) => search::goals(case.program(), task, function),
        Task::Check(task) => verify::goals(case, task, function),
    }
}

/// Searches in one function.
pub(crate) fn work(case: &Case<'_>, function: FuncId, watch: &Stopwatch<'_>) -> FunctionReport {
    match &case.plan.task {
        Task::Generate(task) => {
            let starts = case.language.starts(task.scope, function).unwrap_or_default();
            if starts.is_empty() {
                return search::search(case, task, function, watch);
            }
            through::search(case, task, (function, &starts), watch)
        }
        Task::Check(task) => verify::verify(case, task, function, watch),
    }
}

/// What is left of a function on which the work broke: everything unknown, and the others are not touched
/// by it.
pub(crate) fn broken(case: &Case<'_>, function: FuncId, message: &str) -> FunctionReport {
    match &case.plan.task {
        Task::Generate(task) => search::broken(case, task, function, message),
        Task::Check(task) => verify::broken(case, task, function, message),
    }
}

#[cfg(test)]
mod tests;
