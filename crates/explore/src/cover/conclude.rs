//! What can be said in the end: the suite without tests that add nothing, and verdicts of goals that no test reaches.

use std::collections::BTreeSet;

use glassbox_coverage::scope::may_be_called_from_outside;
use glassbox_coverage::{Covered, Facts, Goal, Target, reach};
use glassbox_ir::cfg::Cfg;
use glassbox_ir::{BlockId, Body, Span};
use glassbox_model::inputs::LENGTH_BOUND;
use glassbox_testcase::{Assumption, ProofMethod, Spent, UnknownReason, Verdict};

use super::history::forks;
use super::minimize::minimize;
use super::{CampaignResult, Cover};
use crate::aim::Aim;
use crate::proof::always_fails;
use crate::runner::FoundTest;
use crate::search::PathSearch;

/// What stands between a search and certainty.
#[derive(Debug, Default)]
pub(crate) struct Obstacles {
    pub(crate) unsupported: Option<(String, Span)>,
    pub(crate) is_cut: bool,
    /// Edges of paths that ended in a run-time error.
    pub(crate) failing_edges: BTreeSet<(BlockId, u32)>,
    pub(crate) n_failing: usize,
}

impl Cover<'_> {
    /// Every way was followed or refuted.
    pub(super) fn is_complete(&self, search: &PathSearch<'_>) -> bool {
        search.is_exhausted() && !self.obstacles.is_cut
    }

    pub(super) fn finish(mut self, search: &mut PathSearch<'_>) -> CampaignResult {
        let goals = self.tracker.goals();
        let is_complete = self.is_complete(search);
        let reached_by = |test: &FoundTest| {
            let is_reached = |&goal: &usize| reach::is_reached_by(&goals[goal].target, &test.facts);
            (0..goals.len()).filter(is_reached).collect()
        };
        let reaches: Vec<Vec<usize>> = self.tests.iter().map(reached_by).collect();
        let how = self.tracker.covered().to_vec();
        let pairs: Vec<(usize, Covered)> = how
            .iter()
            .enumerate()
            .filter_map(|(goal, how)| match how {
                Some(how @ Covered::ByPair(..)) => Some((goal, *how)),
                Some(Covered::By(_)) | None => None,
            })
            .collect();
        let kept = minimize(goals.len(), &reaches, &pairs);
        let position = |test: usize| kept.iter().position(|&kept| kept == test);
        let covered: Vec<Option<Covered>> = how
            .iter()
            .enumerate()
            .map(|(goal, how)| match how {
                None => None,
                Some(Covered::ByPair(first, second)) => position(*first)
                    .zip(position(*second))
                    .map(|(first, second)| Covered::ByPair(first, second)),
                Some(Covered::By(_)) => {
                    let test = kept.iter().position(|&test| reaches[test].contains(&goal));
                    test.map(Covered::By)
                }
            })
            .collect();
        let mut tests: Vec<Option<FoundTest>> =
            std::mem::take(&mut self.tests).into_iter().map(Some).collect();
        let mut tests: Vec<FoundTest> =
            kept.iter().filter_map(|&test| tests[test].take()).collect();
        self.simplify(search, &mut tests, &covered, |test| kept[test] < self.n_given);
        let facts: Vec<Facts> = tests.iter().map(|test| test.facts.clone()).collect();
        let body = search.program.body(search.function);
        let cfg = Cfg::new(body);
        let mut verdicts = Vec::new();
        for (goal, how) in covered.iter().enumerate() {
            verdicts.push(match how {
                Some(how) if !reach::is_shown(body, &goals[goal].target, *how, &facts) => {
                    let message = "the tests that are kept do not show it".to_owned();
                    Verdict::Unknown(UnknownReason::Internal(message))
                }
                Some(Covered::By(test) | Covered::ByPair(test, _)) => {
                    Verdict::Covered { test: *test }
                }
                None => self.verdict(search, goal, is_complete, &cfg),
            });
        }
        CampaignResult {
            verdicts,
            tests,
            covered,
            n_paths: search.n_paths,
            n_runs: search.runner.n_runs(),
            n_divergences: search.n_divergences,
            is_complete: is_complete || self.shallow_verdicts.is_some(),
            max_length: search.config.max_length,
            statistics: search.statistics().clone(),
            history: self.history,
            forks: forks(&search.tree),
            refutations: self.refutations.finish(),
            violations: self.violations,
        }
    }

    /// The verdict of a goal that no test reaches.
    fn verdict(
        &mut self,
        search: &mut PathSearch<'_>,
        index: usize,
        is_complete: bool,
        cfg: &Cfg,
    ) -> Verdict {
        let goal = &self.tracker.goals()[index];
        let found = match &self.shallow_verdicts {
            Some(known) if !is_complete => known[index].clone(),
            _ => self.open_verdict(search, goal, is_complete, cfg),
        };
        let endless = self.endless.verdict(index, search.budget.run_steps);
        let verdict = endless.filter(|_| found.is_out_of_budget()).unwrap_or(found);
        let verdict = self.proofs.after_search(search, index, goal, verdict);
        let is_excluded =
            matches!(verdict, Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. });
        if is_excluded && self.is_open_to_others(search) {
            let what = "a function that code outside of the program may call".to_owned();
            let span = search.program.function(search.function).span;
            return Verdict::Unknown(UnknownReason::Unsupported { what, span });
        }
        verdict
    }

    /// Whether runs may come to the function by ways that no path shows.
    fn is_open_to_others(&self, search: &PathSearch<'_>) -> bool {
        let Aim { function, entry } = search.aim();
        !search.aim().starts_with_function(search.program)
            && may_be_called_from_outside(search.program, entry, function)
    }

    /// What the search says about a goal that no test reaches.
    pub(super) fn open_verdict(
        &self,
        search: &PathSearch<'_>,
        goal: &Goal,
        is_complete: bool,
        cfg: &Cfg,
    ) -> Verdict {
        let body = search.program.body(search.function);
        // Paths avoid checks that can hold, so not having seen one fail proves nothing; a check that
        // always fails is a place like others.
        if let Target::CheckFails(site) = &goal.target
            && !always_fails(body, *site)
        {
            return Verdict::Unknown(UnknownReason::Budget(Spent::AvoidingFailures));
        }
        // No run of the function alone shows it, so that none did proves nothing.
        if let Target::Killed { .. } = &goal.target {
            return Verdict::Unknown(UnknownReason::Internal("it was not asked about".to_owned()));
        }
        let is_dead = match &goal.target {
            Target::Site(site) => !cfg.is_reachable(site.block),
            Target::Edge { block, .. } => !cfg.is_reachable(*block),
            Target::AnyEdge(_)
            | Target::Outcome { .. }
            | Target::Condition { .. }
            | Target::Independence { .. }
            | Target::DefUse { .. }
            | Target::Path(_)
            | Target::CheckFails(_)
            | Target::Killed { .. } => false,
        };
        if is_dead {
            return Verdict::Infeasible(ProofMethod::ControlFlow);
        }
        let is_touched = match &goal.target {
            Target::Edge { block, edge } => self.obstacles.failing_edges.contains(&(*block, *edge)),
            // No edge leads to where a run begins.
            Target::Site(site) if site.block.index() == Body::ENTRY => self.obstacles.n_failing > 0,
            Target::Site(site) => self.obstacles.failing_edges.iter().any(|&(block, edge)| {
                let targets = body.block(block).terminator.targets();
                targets.get(edge as usize).is_some_and(|target| target.block == site.block)
            }),
            Target::CheckFails(_) => false,
            // Not followed on failing paths: be careful.
            Target::AnyEdge(_)
            | Target::Outcome { .. }
            | Target::Condition { .. }
            | Target::Independence { .. }
            | Target::DefUse { .. }
            | Target::Path(_)
            | Target::Killed { .. } => self.obstacles.n_failing > 0,
        };
        if is_complete && is_touched {
            return Verdict::Unknown(UnknownReason::OnlyUndefined);
        }
        let errors = self.errors.before(body, &goal.target);
        if is_complete && search.bounds.is_empty() && errors.is_empty() {
            return Verdict::Infeasible(ProofMethod::PathEnumeration);
        }
        if is_complete {
            let at_most = Some(search.config.max_length);
            let with_length = |&bound: &Assumption| {
                if bound == LENGTH_BOUND { Assumption::MemoryLength { at_most } } else { bound }
            };
            let bounds = search.bounds.iter().map(with_length);
            let bounds = Assumption::listed(bounds.chain(errors));
            return Verdict::InfeasibleWithin { bounds };
        }
        if let Some((what, span)) = &self.obstacles.unsupported {
            let what = what.clone();
            return Verdict::Unknown(UnknownReason::Unsupported { what, span: *span });
        }
        let n_paths = search.n_paths;
        Verdict::Unknown(UnknownReason::Budget(if search.is_stopped() {
            Spent::Time { n_paths }
        } else {
            Spent::Paths { n_paths }
        }))
    }
}
