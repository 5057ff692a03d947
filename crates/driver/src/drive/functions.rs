//! The work on the functions of one program: what is known, what is searched, how it is reviewed and kept.

use std::time::{Duration, Instant};

use glassbox_ir::{FuncId, Program};
use glassbox_report::suite_json::title::title;
use glassbox_testcase::UnknownReason;

use super::{Case, broken};
use crate::cache::Cache;
use crate::crew::Crew;
use crate::function_report::FunctionReport;
use crate::guard::guarded;
use crate::language::Grouping;
use crate::review;
use crate::stopwatch::Stopwatch;

/// A function that is worked on, and the name of its result where results are kept.
pub(super) struct Item {
    pub(super) function: FuncId,
    pub(super) key: Option<String>,
}

/// What is known of functions before the work.
pub(super) struct Known<'a> {
    cache: &'a Cache,
    items: Vec<Item>,
    reports: Vec<Option<FunctionReport>>,
}

impl<'a> Known<'a> {
    pub(super) fn of(case: &Case<'_>, cache: &'a Cache, items: Vec<Item>) -> Known<'a> {
        let known = |item: &Item| cache.get(case, item.function, item.key.as_deref()?);
        let mut reports: Vec<Option<FunctionReport>> = items.iter().map(known).collect();
        // What is built together is known together.
        if case.language.grouping() == Grouping::Together && reports.iter().any(Option::is_none) {
            reports.iter_mut().for_each(|report| *report = None);
        }
        Known { cache, items, reports }
    }

    /// The names of functions that nothing is known of.
    pub(super) fn missing(&self, program: &Program) -> Vec<String> {
        let all = self.items.iter().zip(&self.reports);
        let missing = all.filter(|(_, report)| report.is_none());
        missing.map(|(item, _)| title(program, item.function)).collect()
    }

    pub(super) fn n_known(&self) -> usize {
        self.reports.iter().filter(|report| report.is_some()).count()
    }
}

/// A report that is not ready yet.
#[derive(Debug)]
struct Found {
    position: usize,
    report: FunctionReport,
    /// It was searched now and is not reviewed yet.
    is_new: bool,
    /// The search was interrupted.
    is_cut: bool,
}

/// Does `work` on every function, side by side, and reviews what it finds. Work that breaks costs only the
/// verdicts of its function. All that is ready is offered to `show` whenever there is more of it, in order, and returned at
/// the end, with what could not be kept where it had to be.
pub(super) fn work_on(
    case: &Case<'_>,
    crew: &Crew,
    mut known: Known<'_>,
    work: impl Fn(FuncId, &Stopwatch<'_>) -> FunctionReport + Sync,
    mut show: impl FnMut(&mut [FunctionReport]),
) -> (Vec<FunctionReport>, Option<String>) {
    let Case { plan, listener, .. } = *case;
    let program = case.program();
    listener.starts(plan.task.counted(), known.items.len());
    let (mut ready, mut found, mut failure) = (Vec::new(), Vec::new(), None);
    let mut rhythm = Rhythm::start(case.language.grouping());
    let Known { cache, items, reports: before } = &mut known;
    let mut review = |found: &mut Vec<Found>, ready: &mut Vec<FunctionReport>| {
        let lost = review_and_keep(case, found, (*cache, &items[..]));
        failure = failure.take().or(lost);
        for Found { mut report, .. } in found.drain(..) {
            report.evidence.moments = case.language.follow(&report);
            // It is about what was there before, and not about the function: it is not kept.
            if let Some(beginning) = case.beginnings.get(&report.function()) {
                beginning.look_again(case, &mut report);
            }
            ready.push(report);
        }
        show(ready);
    };
    let is_known: Vec<bool> = before.iter().map(Option::is_some).collect();
    let positions: Vec<usize> = (0..items.len()).collect();
    let mut position = 0;
    crew.in_order(
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
                review(&mut found, &mut ready);
            } else if rhythm.is_due(n_new) {
                review(&mut found, &mut ready);
                rhythm.has_reviewed();
            }
        },
    );
    review(&mut found, &mut ready);
    (ready, failure)
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
        keep(position, &|key| cache.put(case.listener, key, report, is_cut));
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
