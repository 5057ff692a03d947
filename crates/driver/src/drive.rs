//! The driver: reads a program, prepares it, works on every function, reviews, writes.

use std::time::{Duration, Instant};

use glassbox_coverage::Goal;
use glassbox_ir::{FuncId, Program};
use glassbox_report::suite_json::title::title;
use glassbox_testcase::UnknownReason;

use crate::cache::Cache;
use crate::dismiss::Dismisser;
use crate::function_report::FunctionReport;
use crate::guard::guarded;
use crate::in_order::in_order;
use crate::language::{self, Grouping, Language, Refusal, Selection};
use crate::listener::Listener;
use crate::output::{Left, Output};
use crate::plan::{Generate, Keeping, Plan, Task};
use crate::shard::Division;
use crate::stopwatch::Stopwatch;
use crate::{prepare, relation, review, search, since, verify};

/// What the work is about.
#[derive(Clone, Copy)]
pub struct Case<'a> {
    pub language: &'a dyn Language,
    pub plan: &'a Plan,
    /// Those that are worked on.
    pub functions: &'a [FuncId],
    pub listener: &'a dyn Listener,
}

impl std::fmt::Debug for Case<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Case").field("plan", self.plan).finish_non_exhaustive()
    }
}

impl<'a> Case<'a> {
    pub(crate) fn program(&self) -> &'a Program {
        self.language.program()
    }
}

/// One program, done.
#[derive(Debug)]
pub struct Done {
    /// What suite.json does not have is shown of properties alone; programs of tests are large, and gone.
    pub language: Option<Box<dyn Language>>,
    /// By function, in order.
    pub reports: Vec<FunctionReport>,
}

/// All is done.
#[derive(Debug)]
pub struct Finished {
    pub programs: Vec<Done>,
    pub left: Left,
    /// Files that could not be read; why was said.
    pub left_out: Vec<String>,
    /// Functions whose result was known before.
    pub n_known: usize,
}

impl Finished {
    /// Of all programs, in order.
    pub fn reports(&self) -> impl Iterator<Item = &FunctionReport> + Clone {
        self.programs.iter().flat_map(|done| &done.reports)
    }
}

/// Carries out a plan. What was found before an interrupt, and what could be written, is in the result.
pub fn drive(plan: &Plan, listener: &dyn Listener) -> Result<Finished, Refusal> {
    if plan.keeping.parts.is_some() {
        parts_are_whole(plan, listener)?;
    }
    drive_with(plan, listener, &Cache::of(plan), &|_, _, _| {})
}

/// The same, with something that is done with what the search in a function found before it is reviewed. Nothing is kept.
pub(crate) fn drive_further(
    plan: &Plan,
    listener: &dyn Listener,
    further: Further<'_>,
) -> Result<Finished, Refusal> {
    drive_with(plan, listener, &Cache::default(), further)
}

type Further<'a> = &'a (dyn Fn(&Case<'_>, &mut FunctionReport, &Stopwatch<'_>) + Sync);

/// Refused unless the results of all functions are there: that is better known before anything is written.
fn parts_are_whole(plan: &Plan, listener: &dyn Listener) -> Result<(), Refusal> {
    let cache = Cache::of(plan);
    let mut division = Division::new(None, None).map_err(Refusal::error)?;
    let (mut missing, mut left_out) = (Vec::new(), Vec::new());
    each_program(plan, listener, &mut left_out, |language, functions| {
        let case = Case { language: &*language, plan, functions: &functions, listener };
        let keys = cache.keys(&case).unwrap_or_default();
        for (&function, key) in functions.iter().zip(&keys) {
            division.note(case.program(), &[(function, key, false)]);
            if !cache.has(key) {
                missing.push(title(case.program(), function));
            }
        }
    })?;
    let project = plan.keeping.parts.as_ref().map(|parts| parts.project.as_str());
    if project != Some(division.project().as_str()) {
        return Err(Refusal::error(
            "the parts were made of other sources than those that are here, or by another compiler or build \
             of glassbox",
        ));
    }
    match missing.as_slice() {
        [] => Ok(()),
        [first, rest @ ..] => Err(Refusal::error(format!(
            "no part has a result of {first}{}",
            if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) }
        ))),
    }
}

fn drive_with(
    plan: &Plan,
    listener: &dyn Listener,
    cache: &Cache,
    further: Further<'_>,
) -> Result<Finished, Refusal> {
    let entry = language::of(&plan.intake)?;
    if let Some(why) = (entry.refuses)(plan) {
        return Err(Refusal::error(why));
    }
    let mut output = Output::new(plan)?;
    let mut dismisser = Dismisser::new(plan)?;
    let (mut programs, mut left_out) = (Vec::new(), Vec::new());
    let (mut n_known, mut failure) = (0, None);
    let Keeping { shard, shard_times, .. } = &plan.keeping;
    let mut division = Division::new(*shard, shard_times.as_deref()).map_err(Refusal::error)?;
    each_program(plan, listener, &mut left_out, |language, functions| {
        let case = Case { language: &*language, plan, functions: &functions, listener };
        let items = items(&case, cache, &mut division);
        if items.is_empty() {
            return;
        }
        let known = Known::of(&case, cache, items);
        n_known += known.n_known();
        let (reports, lost) = work_on(&case, known, &mut dismisser, |function, watch| {
            let mut report = work(&case, function, watch);
            further(&case, &mut report, watch);
            report
        });
        failure = failure.take().or(lost);
        output.add(&case, &reports);
        let language = matches!(plan.task, Task::Check(_)).then_some(language);
        programs.push(Done { language, reports });
    })?;
    let mut left = output.finish(entry);
    let written = dismisser.finish();
    let noted = division.write(&plan.out, &plan.environment.command);
    left.failure = left.failure.or(written.err()).or(failure).or(noted.err());
    Ok(Finished { programs, left, left_out, n_known })
}

/// The functions of a program that are worked on here.
fn items(case: &Case<'_>, cache: &Cache, division: &mut Division) -> Vec<Item> {
    let program = case.program();
    let keys = cache.keys(case);
    let is_ours = division.share(program, case.functions);
    let mut items = Vec::new();
    for (position, (&function, is_ours)) in case.functions.iter().zip(is_ours).enumerate() {
        let key = keys.as_ref().map(|keys| keys[position].clone());
        division.note(program, &[(function, key.as_deref().unwrap_or_default(), is_ours)]);
        if is_ours {
            items.push(Item { function, key });
        }
    }
    items
}

/// Searches as `drive` does, and hands over what each search found: nothing is compiled, reviewed or written.
pub fn search_only(
    plan: &Plan,
    listener: &dyn Listener,
    mut look: impl FnMut(&Program, &FunctionReport),
) -> Result<(), Refusal> {
    each_program(plan, listener, &mut Vec::new(), |language, functions| {
        let case = Case { language: &*language, plan, functions: &functions, listener };
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
    let is_partial = parts.len() > 1;
    let (mut n_read, mut n_functions) = (0, 0);
    for (position, part) in parts.iter().enumerate() {
        if is_partial {
            listener.reads(&part.name, position, parts.len());
            if listener.is_interrupted() {
                break;
            }
        }
        let mut language = match (part.read)(plan.task.purpose(), listener) {
            Ok(language) => language,
            Err(refusal) if is_partial => {
                listener.diagnostic(&refusal.0);
                left_out.push(part.name.clone());
                continue;
            }
            Err(refusal) => return Err(refusal),
        };
        n_read += 1;
        left_out.extend_from_slice(language.left_out());
        prepare::prepare(&mut *language, plan);
        let selection = Selection { names: &plan.functions, place: &part.name, is_partial };
        let mut functions = language::select(&*language, selection)?;
        if let Some(only) = &plan.only {
            let program = language.program();
            functions.retain(|&function| only.contains(&since::named(program, function)));
        }
        if let Task::Check(task) = &plan.task {
            functions = relation::with_relations(language.program(), functions, &task.scope.asked);
        }
        if functions.is_empty() {
            continue;
        }
        prepare::mark_goals(&mut *language, plan, &functions);
        if let Some(task) = restricted(plan) {
            let program = language.program();
            functions.retain(|&function| !search::goals(program, task, function).is_empty());
        }
        n_functions += functions.len();
        if functions.is_empty() {
            continue;
        }
        hand_over(language, functions);
    }
    if n_read == 0 && !listener.is_interrupted() {
        return Err(Refusal::error(format!("none of {} files could be read", parts.len())));
    }
    if let Some(task) = restricted(plan).filter(|_| n_functions == 0 && !listener.is_interrupted())
    {
        return Err(Refusal::error(task.wanted.nothing()));
    }
    if n_functions == 0 && is_partial && !listener.is_interrupted() {
        let what = match plan.functions.as_slice() {
            [] => "no function is defined here".to_owned(),
            names => format!("no function is defined here with the name {}", names.join(" or ")),
        };
        return Err(Refusal::error(what));
    }
    Ok(())
}

/// The task, where not all goals of the criteria are asked for.
fn restricted(plan: &Plan) -> Option<&Generate> {
    match &plan.task {
        Task::Generate(task) if !task.wanted.is_everything() => Some(task),
        Task::Generate(_) | Task::Check(_) => None,
    }
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
        Task::Generate(task) => search::search(case, task, function, watch),
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

/// A function that is worked on, and the name of its result where results are kept.
struct Item {
    function: FuncId,
    key: Option<String>,
}

/// What is known of functions before the work.
struct Known<'a> {
    cache: &'a Cache,
    items: Vec<Item>,
    reports: Vec<Option<FunctionReport>>,
}

impl<'a> Known<'a> {
    fn of(case: &Case<'_>, cache: &'a Cache, items: Vec<Item>) -> Known<'a> {
        let known = |item: &Item| cache.get(case, item.function, item.key.as_deref()?);
        let mut reports: Vec<Option<FunctionReport>> = items.iter().map(known).collect();
        // What is built together is known together.
        if case.language.grouping() == Grouping::Together && reports.iter().any(Option::is_none) {
            reports.iter_mut().for_each(|report| *report = None);
        }
        Known { cache, items, reports }
    }

    fn n_known(&self) -> usize {
        self.reports.iter().filter(|report| report.is_some()).count()
    }
}

/// A report that is not shown yet.
struct Found {
    position: usize,
    report: FunctionReport,
    /// It was searched now and is not reviewed yet.
    is_new: bool,
    /// The search was interrupted.
    is_cut: bool,
}

/// Does `work` on every function, side by side, and reviews what it finds. Work that breaks costs only the
/// verdicts of its function. What is known is only shown. With the reports comes what could not be kept, where it had to be.
fn work_on(
    case: &Case<'_>,
    mut known: Known<'_>,
    dismisser: &mut Dismisser<'_>,
    work: impl Fn(FuncId, &Stopwatch<'_>) -> FunctionReport + Sync,
) -> (Vec<FunctionReport>, Option<String>) {
    let Case { plan, listener, .. } = *case;
    let program = case.program();
    listener.starts(plan.task.counted(), known.items.len());
    let (mut reports, mut found, mut failure) = (Vec::new(), Vec::new(), None);
    let mut rhythm = Rhythm::start(case.language.grouping());
    let mut comments = dismisser.begin(program, plan, listener);
    let Known { cache, items, reports: before } = &mut known;
    let mut show = |found: &mut Vec<Found>, reports: &mut Vec<FunctionReport>| {
        let lost = review_and_keep(case, found, (*cache, &items[..]));
        failure = failure.take().or(lost);
        for Found { mut report, .. } in found.drain(..) {
            dismisser.look(program, &mut comments, &mut report);
            report.evidence.moments = case.language.follow(&report);
            listener.report(program, &report);
            reports.push(report);
        }
    };
    let is_known: Vec<bool> = before.iter().map(Option::is_some).collect();
    let positions: Vec<usize> = (0..items.len()).collect();
    let mut position = 0;
    in_order(
        plan.budget.jobs,
        &positions,
        |&position| {
            let function = items[position].function;
            (!is_known[position]).then(|| {
                let name = title(program, function);
                let watch = Stopwatch::start(listener, &name);
                let report = guarded(|| work(function, &watch));
                let mut report = report.unwrap_or_else(|message| broken(case, function, &message));
                watch.all_ended(&mut report.times);
                listener.ends(&name, &report);
                (report, listener.is_interrupted())
            })
        },
        |searched| {
            let is_new = searched.is_some();
            let next = searched.or_else(|| Some((before[position].take()?, false)));
            if let Some((report, is_cut)) = next {
                if !is_new {
                    let name = title(program, report.function());
                    listener.begins(&name);
                    listener.ends(&name, &report);
                }
                found.push(Found { position, report, is_new, is_cut });
            }
            position += 1;
            let n_new = found.iter().filter(|found| found.is_new).count();
            if n_new == 0 {
                show(&mut found, &mut reports);
            } else if rhythm.is_due(n_new) {
                show(&mut found, &mut reports);
                rhythm.has_reviewed();
            }
        },
    );
    listener.all_ended();
    show(&mut found, &mut reports);
    (reports, failure)
}

/// Reviews what is new, and keeps it; what could not be kept, where it had to be.
fn review_and_keep(
    case: &Case<'_>,
    found: &mut Vec<Found>,
    (cache, items): (&Cache, &[Item]),
) -> Option<String> {
    let (mut new, old): (Vec<Found>, Vec<Found>) = found.drain(..).partition(|it| it.is_new);
    let mut reports = Vec::new();
    let mut places = Vec::new();
    for Found { position, report, is_cut, .. } in new.drain(..) {
        reports.push(report);
        places.push((position, is_cut));
    }
    if !reports.is_empty() {
        review_together(case, &mut reports);
    }
    let mut failure = None;
    let mut keep = |position: usize, kept: &dyn Fn(&str) -> Result<(), String>| {
        if let Some(Err(lost)) = items[position].key.as_deref().map(kept) {
            failure.get_or_insert(lost);
        }
    };
    for old in &old {
        keep(old.position, &|key| cache.pass_on(key, &old.report));
    }
    for (report, &(position, is_cut)) in reports.iter().zip(&places) {
        keep(position, &|key| cache.put(key, report, is_cut));
    }
    found.extend(old);
    let is_new = true;
    found.extend(reports.into_iter().zip(places).map(|(report, (position, is_cut))| Found {
        position,
        report,
        is_new,
        is_cut,
    }));
    found.sort_by_key(|found| found.position);
    failure
}

/// When what was found is reviewed. Compiling the tests of many functions costs hardly more than those of one, so what
/// reviews cost is a small part of what searches cost; and yet the first function should be shown before the last is done.
struct Rhythm {
    grouping: Grouping,
    /// The last review began here, and took so long.
    since: Instant,
    cost: Duration,
}

impl Rhythm {
    /// No review comes sooner after another.
    const SHORTEST: Duration = Duration::from_secs(2);
    /// So many times as long as a review is searched.
    const SHARE: u32 = 10;
    /// A program with the tests of more functions is as quickly made as two.
    const MOST: usize = 64;

    fn start(grouping: Grouping) -> Rhythm {
        Rhythm { grouping, since: Instant::now(), cost: Duration::ZERO }
    }

    fn is_due(&mut self, n_found: usize) -> bool {
        let rest = Self::SHORTEST.max(self.cost * Self::SHARE);
        let is_due = match self.grouping {
            Grouping::Some => n_found >= Self::MOST || self.since.elapsed() >= rest,
            Grouping::Together => false,
        };
        if is_due {
            self.since = Instant::now();
        }
        is_due
    }

    fn has_reviewed(&mut self) {
        self.cost = self.since.elapsed();
        self.since = Instant::now();
    }
}

/// Reviews functions at once; a review that breaks costs what it would have confirmed.
pub(crate) fn review_together(case: &Case<'_>, reports: &mut [FunctionReport]) {
    let begun = Instant::now();
    let outcome = guarded(|| {
        case.language.name_tests(reports);
        review::review(case, reports);
    });
    if let Err(message) = outcome {
        for report in reports.iter_mut() {
            report.take_back(None, &UnknownReason::Internal(message.clone()));
            report.breaks(&message);
        }
    }
    share(begun.elapsed(), reports);
}

/// What was done for all functions together cost each of them as much as it has tests.
fn share(time: Duration, reports: &mut [FunctionReport]) {
    let total: usize = reports.iter().map(|report| report.suite.tests.len()).sum();
    for report in reports.iter_mut().filter(|report| !report.suite.tests.is_empty()) {
        let own = report.suite.tests.len() as f64 / total as f64;
        report.times.replay += time.mul_f64(own);
    }
}

#[cfg(test)]
mod tests;
