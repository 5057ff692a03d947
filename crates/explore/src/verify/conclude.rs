//! From what was found and what was left open to verdicts.

use glassbox_coverage::scope::{not_understood, scope};
use glassbox_coverage::{Properties, Property, PropertyKind};
use glassbox_ir::{BlockId, CheckKind};
use glassbox_testcase::{Assumption, ProofMethod, Spent, UnknownReason, Verdict};

use super::places::Places;
use super::run::not_judged;
use super::{Cut, Stage, Verification, Violate, Why, is_failing_way};
use crate::proof::properties::is_judged_outside;
use crate::search::{PathSearch, Quest};
use crate::tree::WayState;

const ENDLESS: PropertyKind = PropertyKind::Check(CheckKind::Endless);

impl Violate {
    pub(super) fn conclude(&mut self, search: &PathSearch<'_>) -> Verification {
        let cuts = self.all_cuts(search);
        let mut places = Places::new(search.program, search.entry);
        let verdicts = self
            .properties
            .list()
            .iter()
            .enumerate()
            .map(|(index, property)| self.verdict(search, index, property, &cuts, &mut places))
            .collect();
        let blind_spot = if cuts.is_empty() {
            None
        } else {
            let (program, entry) = (search.program, search.entry);
            not_understood(program, &scope(program, entry, &[]))
        };
        Verification {
            blind_spot,
            is_complete: search.n_paths > 0 && cuts.is_empty() && !self.has_met,
            proofs: vec![None; self.properties.len()],
            is_after_finding: Vec::new(),
            properties: self.properties.clone(),
            endless: self.endless.take(),
            verdicts,
            violations: std::mem::take(&mut self.violations),
            n_paths: search.n_paths,
            n_runs: search.runner.n_runs(),
            n_divergences: search.n_divergences,
            statistics: search.statistics().clone(),
        }
    }

    /// Where paths ended too early, and every way that was not followed: nothing is known behind them.
    pub(super) fn all_cuts(&self, search: &PathSearch<'_>) -> Vec<Cut> {
        let mut cuts = self.cuts.clone();
        if search.n_paths == 0 {
            let entry_block = BlockId::new(glassbox_ir::Body::ENTRY);
            cuts.push(Cut { entry_block, turns: 0, why: Why::NotTried });
        }
        for id in search.tree.ids() {
            let node = search.tree.node(id);
            for (way, content) in node.ways.iter().enumerate() {
                let why = match content.state {
                    WayState::Open => Why::NotTried,
                    WayState::Unknown => Why::Solver,
                    WayState::Taken(_) | WayState::Infeasible | WayState::Failure => continue,
                };
                let is_settled = is_failing_way(&node.point, way)
                    && !self.wants_failure(search.program, &node.point);
                let entry_block = node.point.entry_block;
                let cut = Cut { entry_block, turns: node.turns, why };
                if !is_settled && !cuts.contains(&cut) {
                    cuts.push(cut);
                }
            }
        }
        cuts
    }

    /// What paths say about a property that is looked for.
    pub(super) fn verdict(
        &self,
        search: &PathSearch<'_>,
        index: usize,
        property: &Property,
        cuts: &[Cut],
        places: &mut Places<'_>,
    ) -> Verdict {
        let finding = &self.findings[index];
        if self.stage == Stage::Asked && !property.is_asked {
            // No run has been there yet.
            return Verdict::Unknown(UnknownReason::OnlyUndefined);
        }
        if let Some(test) = finding.violation {
            return Verdict::Violated { test };
        }
        if let Some(message) = &finding.disagreement {
            return Verdict::Unknown(UnknownReason::Disagreement(message.clone()));
        }
        // What is judged at the end of a run lies ahead of everything.
        let mut is_ahead = |cut: &Cut| {
            // What is not understood may call functions by ways that no path shows.
            let is_hidden =
                matches!(cut.why, Why::Unsupported(..)) && property.function != search.entry;
            property.kind.is_about_the_end()
                || is_hidden
                || places.lies_ahead(cut.entry_block, property)
        };
        let ahead: Vec<&Cut> = cuts.iter().filter(|cut| is_ahead(cut)).collect();
        let mut bounds = Assumption::listed(search.bounds.iter().copied());
        // A run behind a cut has gone round at least this often before.
        if let Some(nearest) = ahead.iter().min_by_key(|cut| cut.turns) {
            // Runs that go round less often than that all end, which says nothing about the others.
            if nearest.turns < 2 || property.kind == ENDLESS {
                return Verdict::Unknown(self.reason(search, &ahead));
            }
            let turns = nearest.turns - 1;
            bounds.push(Assumption::LoopTurns(turns));
        }
        let method = ProofMethod::PathEnumeration;
        let is_reached =
            self.is_reached(property, places) || is_judged_outside(search.program, property);
        if let Some(callee) = Properties::native_callee(search.program, property)
            && is_reached
        {
            let what = not_judged(search.program, callee);
            return Verdict::Unknown(UnknownReason::Unsupported { what, span: property.span });
        }
        match (is_reached, bounds.is_empty()) {
            (true, true) => Verdict::Holds(method),
            (true, false) => Verdict::HoldsWithin { bounds },
            (false, true) => Verdict::Infeasible(method),
            (false, false) => Verdict::InfeasibleWithin { bounds },
        }
    }

    fn reason(&self, search: &PathSearch<'_>, ahead: &[&Cut]) -> UnknownReason {
        let unsupported = ahead.iter().find_map(|cut| match &cut.why {
            Why::Unsupported(what, span) => {
                Some(UnknownReason::Unsupported { what: what.clone(), span: *span })
            }
            Why::NotTried | Why::Solver | Why::Steps | Why::Divergence => None,
        });
        let has = |why: &Why| ahead.iter().any(|cut| cut.why == *why && cut.turns < 2);
        let n_paths = search.n_paths;
        unsupported.unwrap_or_else(|| {
            if has(&Why::Divergence) {
                let message = "the interpreter went another way than the path";
                return UnknownReason::Disagreement(message.to_owned());
            }
            UnknownReason::Budget(if search.is_stopped() {
                Spent::Time { n_paths }
            } else if has(&Why::Solver) {
                Spent::QuestionOfSolver { n_paths }
            } else if has(&Why::Steps) {
                Spent::LengthOfPath { n_paths }
            } else {
                Spent::Paths { n_paths }
            })
        })
    }

    fn is_reached(&self, property: &Property, places: &Places<'_>) -> bool {
        if property.kind == ENDLESS {
            return true;
        }
        match places.guards(property) {
            Some(guards) => guards.iter().any(|guard| self.seen.left.contains(guard)),
            None => property
                .sites
                .iter()
                .any(|site| self.seen.sites.contains(&(property.function, site.block, site.instr))),
        }
    }
}
