//! The work on all programs: side by side, dropped when they are done, and shown in order.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use glassbox_ir::FuncId;
use glassbox_report::data::test::Inputs;

use super::functions::{Item, Known, work_on};
use super::reading::{self, Tally};
use super::turns::Turns;
use super::{Case, Further, work};
use crate::cache::Cache;
use crate::crew::{Crew, STACK_SIZE};
use crate::dismiss::{Dismisser, OfProgram};
use crate::earlier::{Beginnings, Earlier};
use crate::function_report::FunctionReport;
use crate::language::{Grouping, Part, Refusal};
use crate::listener::Listener;
use crate::output::{Output, Piece};
use crate::plan::{Plan, Task};
use crate::shard::Division;

/// What there is to work on, and how.
pub(super) struct Programs<'a> {
    pub(super) plan: &'a Plan,
    pub(super) listener: &'a dyn Listener,
    pub(super) cache: &'a Cache,
    /// What is done with what each search found.
    pub(super) further: Option<Further<'a>>,
    pub(super) parts: &'a [Part],
    /// The suite that is there already.
    pub(super) earlier: &'a Earlier,
}

/// What was shown, in order.
pub(super) struct Shown<'a> {
    pub(super) output: Output<'a>,
    pub(super) dismisser: Dismisser<'a>,
    pub(super) tally: Tally,
    pub(super) reports: Vec<FunctionReport>,
    pub(super) n_known: usize,
    /// What had to be kept and could not be.
    pub(super) failure: Option<String>,
    /// Why nothing is done.
    pub(super) refusal: Option<Refusal>,
    /// Functions of which no part has a result, where parts are put together.
    pub(super) missing: Vec<String>,
}

/// How far one program is shown.
#[derive(Default)]
struct SoFar {
    comments: Option<OfProgram>,
    n_reports: usize,
}

impl<'a> Shown<'a> {
    /// Refused where something that the plan names cannot be read or written.
    pub(super) fn new(plan: &'a Plan) -> Result<Shown<'a>, Refusal> {
        Ok(Shown {
            output: Output::new(plan)?,
            dismisser: Dismisser::new(plan)?,
            tally: Tally::default(),
            reports: Vec::new(),
            n_known: 0,
            failure: None,
            refusal: None,
            missing: Vec::new(),
        })
    }

    /// Shows what is ready and was not shown before.
    fn show(&mut self, case: &Case<'_>, so_far: &mut SoFar, ready: &mut [FunctionReport]) {
        let program = case.program();
        let dismisser = &mut self.dismisser;
        let before = so_far.comments.take();
        let mut comments =
            before.unwrap_or_else(|| dismisser.begin(program, case.plan, case.listener));
        for report in &mut ready[so_far.n_reports..] {
            dismisser.look(program, &mut comments, report);
            case.listener.report(program, report);
        }
        so_far.n_reports = ready.len();
        so_far.comments = Some(comments);
    }
}

/// Work that breaks is a bug of ours, which ends everything: the other threads should not wait for it.
struct Closing<'t, 'a>(&'t Turns<'a, Shown<'a>>);

impl Drop for Closing<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.close();
        }
    }
}

impl<'a> Programs<'a> {
    /// Works on all of them.
    pub(super) fn work(&self, shown: Shown<'a>, division: Division) -> (Shown<'a>, Division) {
        let crew = Crew::new(self.plan.budget.jobs);
        // Parts of a run are shared out in order, and what is done further has its order from there.
        let is_in_order = self.plan.keeping.shard.is_some() || self.further.is_some();
        // While one program is read or reviewed, others keep the threads at work.
        let n_at_once = match crew.n_threads() {
            1 => 1,
            _ if is_in_order => 1,
            n_threads => self.parts.len().min(n_threads + 1),
        };
        let sizes = self.parts.iter().map(Part::size).collect();
        let turns = Turns::new(sizes, n_at_once, shown);
        let division = Mutex::new(division);
        let work_on_next = || {
            let _closing = Closing(&turns);
            while let Some(position) = turns.begin() {
                if self.parts.len() > 1 && self.listener.is_interrupted() {
                    turns.close();
                    break;
                }
                self.work_on_one(position, (&crew, &division), &turns);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..n_at_once {
                let thread = std::thread::Builder::new().stack_size(STACK_SIZE);
                // Where there is no further thread, those that are there do everything.
                drop(thread.spawn_scoped(scope, work_on_next));
            }
            work_on_next();
        });
        self.listener.all_ended();
        (turns.end(), division.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn work_on_one(
        &self,
        position: usize,
        (crew, division): (&Crew, &Mutex<Division>),
        turns: &Turns<'a, Shown<'a>>,
    ) {
        let &Programs { plan, cache, .. } = self;
        let division = || division.lock().unwrap_or_else(PoisonError::into_inner);
        if !division().has_of(position) {
            return turns.finish(position, Box::new(|shown| shown.tally.skip()));
        }
        let ear = turns.ear(position, self.listener);
        let mut read = match reading::read(plan, &ear, self.parts, position) {
            Ok(read) => read,
            Err(refusal) => {
                let note = move |shown: &mut Shown<'a>| {
                    ear.release();
                    shown.refusal.get_or_insert(refusal);
                };
                return turns.finish(position, Box::new(note));
            }
        };
        let Some((language, functions)) = read.program.take() else {
            let note = move |shown: &mut Shown<'a>| {
                ear.release();
                shown.tally.add(&read);
            };
            return turns.finish(position, Box::new(note));
        };
        let n_functions = functions.len();
        let mut beginnings = self.earlier.beginnings(&*language, &functions);
        let case = Case::new(&*language, plan, &functions, &ear);
        prefer_known(&case, cache, &mut beginnings);
        let case = Case { beginnings: &beginnings, ..case };
        let items = items(&case, cache, (&mut division(), position));
        let known = Known::of(&case, cache, items);
        let missing = known.missing(case.program());
        if plan.keeping.parts.is_some() && !missing.is_empty() {
            let note = move |shown: &mut Shown<'a>| {
                ear.release();
                shown.missing.extend(missing);
            };
            return turns.finish(position, Box::new(note));
        }
        let n_known = known.n_known();
        let mut so_far = SoFar::default();
        let (mut ready, lost) = work_on(
            &case,
            crew,
            known,
            |function, watch| {
                let mut report = work(&case, function, watch);
                if let Some(further) = self.further {
                    further(&case, &mut report, watch);
                }
                report
            },
            |ready| turns.show_now(position, |shown| shown.show(&case, &mut so_far, ready)),
        );
        // What `gen` writes depends on nothing that is known only when the turn has come.
        let mut piece = match plan.task {
            Task::Generate(_) => Some(Piece::of(&case, &ready)),
            Task::Check(_) => None,
        };
        let rest = move |shown: &mut Shown<'a>| {
            ear.release();
            let case = Case::new(&*language, plan, &functions, &ear);
            let case = Case { beginnings: &beginnings, ..case };
            shown.show(&case, &mut so_far, &mut ready);
            shown.tally.add(&read);
            shown.tally.n_functions += n_functions;
            shown.n_known += n_known;
            shown.failure = shown.failure.take().or(lost);
            if !ready.is_empty() {
                let piece = piece.take().unwrap_or_else(|| Piece::of(&case, &ready));
                shown.output.add(&case, &ready, piece);
                ready.iter_mut().for_each(FunctionReport::shed);
                shown.reports.append(&mut ready);
            }
        };
        turns.finish(position, Box::new(rest));
    }
}

/// A function that was as it is now before it changed and changed back begins with nothing where its result is still known.
fn prefer_known(case: &Case<'_>, cache: &Cache, beginnings: &mut Beginnings) {
    let mut seeds: BTreeMap<FuncId, Vec<Inputs>> = BTreeMap::new();
    for (&function, beginning) in beginnings.iter_mut().filter(|(_, it)| it.has_changed()) {
        seeds.insert(function, std::mem::take(&mut beginning.seeds));
    }
    if seeds.is_empty() {
        return;
    }
    let keys = cache.keys(&Case { beginnings, ..*case }).unwrap_or_default();
    let known: BTreeSet<FuncId> = case
        .functions
        .iter()
        .zip(&keys)
        .filter(|(_, key)| cache.has(key))
        .map(|(&function, _)| function)
        .collect();
    // What is built together is known together.
    let is_together = case.language.grouping() == Grouping::Together;
    let is_nothing = is_together && known.len() < case.functions.len();
    let is_known = |function: &FuncId| !is_nothing && known.contains(function);
    for (function, seeds) in seeds.into_iter().filter(|(function, _)| !is_known(function)) {
        if let Some(beginning) = beginnings.get_mut(&function) {
            beginning.seeds = seeds;
        }
    }
}

/// The functions of a program that are worked on here.
fn items(
    case: &Case<'_>,
    cache: &Cache,
    (division, position): (&mut Division, usize),
) -> Vec<Item> {
    let program = case.program();
    let keys = cache.keys(case);
    let is_ours = division.share(position, program, case.functions);
    let mut items = Vec::new();
    for (position, (&function, is_ours)) in case.functions.iter().zip(is_ours).enumerate() {
        if is_ours {
            let key = keys.as_ref().map(|keys| keys[position].clone());
            division.note(program, function, key.as_deref().unwrap_or_default());
            items.push(Item { function, key });
        }
    }
    items
}
