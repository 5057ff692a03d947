//! Tests of a function that call others, which may come to it: the goals are the function's, runs start elsewhere.
//!
//! Where there are several of these, one search after the other looks for what is still open. So a goal is infeasible only
//! where no run from any of them comes to it.

use std::time::Duration;

use glassbox_coverage::{Covered, Goal};
use glassbox_explore::cover::history::Step;
use glassbox_explore::{Aim, CampaignResult};
use glassbox_ir::FuncId;
use glassbox_testcase::{Assumption, Premise, Verdict};

use crate::contract;
use crate::deadline::Timer;
use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::plan::Generate;
use crate::review::assumes;
use crate::search::{Turn, assemble_through, campaign_of, goals, limits};
use crate::stopwatch::Stopwatch;

/// Searches for tests of a function's goals that call one of `starts`, of which there is at least one.
pub(crate) fn search(
    case: &Case<'_>,
    task: &Generate,
    (function, starts): (FuncId, &[FuncId]),
    watch: &Stopwatch<'_>,
) -> FunctionReport {
    let program = case.program();
    let goals = goals(program, task, function);
    let begun = Timer::start(case.plan.budget.clock);
    let mut joined: Option<Joined> = None;
    for (position, &start) in starts.iter().enumerate() {
        let open = joined.as_ref().map_or((0..goals.len()).collect(), Joined::open);
        if joined.is_some() && open.is_empty() {
            break;
        }
        let n_left = u32::try_from(starts.len() - position).unwrap_or(u32::MAX);
        let time = case.plan.budget.time.saturating_sub(begun.elapsed()) / n_left.max(1);
        let asked: Vec<Goal> = open.iter().map(|&goal| goals[goal].clone()).collect();
        let aim = Aim { function, entry: contract::aim(case, start).entry };
        let found = campaign_of((aim, start), case, &asked, watch, Turn::of(time.max(SHORTEST)));
        match &mut joined {
            None => joined = Some(Joined { through: vec![start; found.tests.len()], all: found }),
            Some(joined) => joined.add(start, &open, found),
        }
    }
    let Some(Joined { all, through }) = joined else {
        return FunctionReport::new(function, function, goals, &[]);
    };
    let first = starts.first().copied().unwrap_or(function);
    let aim = Aim { function, entry: contract::aim(case, first).entry };
    let mut report = assemble_through(case, aim, &through, goals, &all);
    report.starts = starts.to_vec();
    let names = starts.iter().map(|&start| program.function(start).name.clone()).collect();
    report.suite.premises.push(Premise::RunsStartIn { names });
    starts.iter().for_each(|&start| rest_on_callers(case, start, &mut report));
    case.language.weaken(&mut report);
    case.language.look(&mut report);
    report.times = watch.search_ended(&all.statistics);
    report.suite.limits = limits(&case.language.inputs(case.plan, first), &all, case.plan);
    report
}

/// Less time than that shows nothing.
const SHORTEST: Duration = Duration::from_millis(100);

/// What is known after some searches.
struct Joined {
    all: CampaignResult,
    /// By test: what it calls.
    through: Vec<FuncId>,
}

impl Joined {
    /// Goals that no test reaches, by position.
    fn open(&self) -> Vec<usize> {
        let goals = self.all.covered.iter().enumerate();
        goals.filter(|(_, covered)| covered.is_none()).map(|(goal, _)| goal).collect()
    }

    /// Adds what a search from another function found about these goals.
    fn add(&mut self, start: FuncId, open: &[usize], found: CampaignResult) {
        let all = &mut self.all;
        let n_tests = all.tests.len();
        for ((&goal, verdict), covered) in open.iter().zip(found.verdicts).zip(&found.covered) {
            all.verdicts[goal] = joined(&all.verdicts[goal], verdict, n_tests);
            all.covered[goal] = covered.map(|covered| match covered {
                Covered::By(test) => Covered::By(n_tests + test),
                Covered::ByPair(one, other) => Covered::ByPair(n_tests + one, n_tests + other),
            });
        }
        self.through.extend(found.tests.iter().map(|_| start));
        all.tests.extend(found.tests);
        let later = found.history.into_iter().map(|step| Step {
            goal: open.get(step.goal).copied().unwrap_or(usize::MAX),
            runs: all.n_runs + step.runs,
            paths: all.n_paths + step.paths,
            ..step
        });
        all.history.extend(later);
        all.n_runs += found.n_runs;
        all.n_paths += found.n_paths;
        all.n_divergences += found.n_divergences;
        all.is_complete &= found.is_complete;
        all.max_length = all.max_length.max(found.max_length);
        all.statistics.add(&found.statistics);
        all.refutations.extend(found.refutations);
    }
}

/// What two searches say of a goal that the first did not reach; tests of the second have later numbers.
fn joined(known: &Verdict, other: Verdict, n_tests: usize) -> Verdict {
    match (known, other) {
        (_, Verdict::Covered { test }) => Verdict::Covered { test: n_tests + test },
        (Verdict::Infeasible(_), other) | (_, other @ Verdict::Unknown(_)) => other,
        (Verdict::InfeasibleWithin { bounds }, Verdict::InfeasibleWithin { bounds: more }) => {
            let all = bounds.iter().copied().chain(more);
            Verdict::InfeasibleWithin { bounds: Assumption::listed(all) }
        }
        (
            Verdict::InfeasibleWithin { .. }
            | Verdict::Unknown(_)
            | Verdict::Covered { .. }
            | Verdict::Violated { .. }
            | Verdict::Holds(_)
            | Verdict::HoldsWithin { .. },
            _,
        ) => known.clone(),
    }
}

/// What callers of the function that runs start in are believed to keep to.
fn rest_on_callers(case: &Case<'_>, start: FuncId, report: &mut FunctionReport) {
    let program = case.program();
    let entry = contract::aim(case, start).entry;
    if entry == start {
        return;
    }
    let mut rests = Vec::new();
    if case.language.keeps_apart(start) {
        rests.push(Assumption::RestrictApart);
    }
    let clauses = contract::clauses(case.language, start);
    let premises = &mut report.suite.premises;
    if program.function(start).name == "main" {
        premises.push(Premise::ArgumentsOfMain);
    } else if clauses.is_empty() && assumes(program, entry) {
        premises.push(Premise::DeclaredParameters);
        rests.push(Assumption::DeclaredParameters);
    }
    for clause in clauses.into_iter().filter(|clause| !clause.is_ensure) {
        premises.push(Premise::Annotation { place: clause.place, text: clause.text });
    }
    report.suite.goals.iter_mut().for_each(|goal| goal.verdict.rest_on(&rests));
}
