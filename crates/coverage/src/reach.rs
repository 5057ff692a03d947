//! Which goals facts reach. Most need one run; independence needs two.

use std::collections::BTreeMap;

use glassbox_ir::{Body, DecisionId};

use crate::facts::{Evaluation, Facts};
use crate::goal::{Goal, Target};
use crate::mcdc::is_independence_pair;

/// How a goal was reached, by run number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Covered {
    By(usize),
    /// Both runs are needed.
    ByPair(usize, usize),
}

impl Covered {
    /// The runs that have to be kept.
    pub fn runs(self) -> Vec<usize> {
        match self {
            Covered::By(run) => vec![run],
            Covered::ByPair(first, second) if first == second => vec![first],
            Covered::ByPair(first, second) => vec![first, second],
        }
    }
}

/// Follows the goals of one function over many runs.
#[derive(Debug)]
pub struct Tracker<'a> {
    body: &'a Body,
    goals: &'a [Goal],
    covered: Vec<Option<Covered>>,
    // Distinct evaluations seen, each with the first run that had it.
    evaluations: BTreeMap<DecisionId, Vec<(usize, Evaluation)>>,
    n_open: usize,
    // Goals that nobody looks for any more.
    is_dismissed: Vec<bool>,
}

impl<'a> Tracker<'a> {
    pub fn new(body: &'a Body, goals: &'a [Goal]) -> Tracker<'a> {
        Tracker {
            body,
            goals,
            covered: vec![None; goals.len()],
            evaluations: BTreeMap::new(),
            n_open: goals.len(),
            is_dismissed: vec![false; goals.len()],
        }
    }

    pub fn goals(&self) -> &'a [Goal] {
        self.goals
    }

    /// By goal: how it was reached first.
    pub fn covered(&self) -> &[Option<Covered>] {
        &self.covered
    }

    pub fn n_open(&self) -> usize {
        self.n_open
    }

    pub fn is_covered(&self, goal: usize) -> bool {
        self.covered[goal].is_some()
    }

    /// Neither reached nor dismissed.
    pub fn is_open(&self, goal: usize) -> bool {
        self.covered[goal].is_none() && !self.is_dismissed[goal]
    }

    /// The goal is not looked for any more. Runs that reach it all the same are noticed.
    pub fn dismiss(&mut self, goal: usize) {
        if self.is_open(goal) {
            self.is_dismissed[goal] = true;
            self.n_open -= 1;
        }
    }

    /// The evaluations of a decision seen so far.
    pub fn evaluations(&self, decision: DecisionId) -> &[(usize, Evaluation)] {
        self.evaluations.get(&decision).map_or(&[], Vec::as_slice)
    }

    /// Takes in the facts of run `run`; the goals that are newly reached.
    pub fn add(&mut self, run: usize, facts: &Facts) -> Vec<usize> {
        for (&decision, evaluations) in &facts.evaluations {
            let known = self.evaluations.entry(decision).or_default();
            for evaluation in evaluations {
                if !known.iter().any(|(_, seen)| seen == evaluation) {
                    known.push((run, evaluation.clone()));
                }
            }
        }
        let mut reached = Vec::new();
        for (index, goal) in self.goals.iter().enumerate() {
            if self.covered[index].is_some() {
                continue;
            }
            if let Some(how) = self.reached(goal, run, facts) {
                self.covered[index] = Some(how);
                if !self.is_dismissed[index] {
                    self.n_open -= 1;
                }
                reached.push(index);
            }
        }
        reached
    }

    fn reached(&self, goal: &Goal, run: usize, facts: &Facts) -> Option<Covered> {
        if let Target::Independence { decision, condition, flavor } = &goal.target {
            if !facts.evaluations.contains_key(decision) {
                return None;
            }
            let formula = &self.body.decisions[decision.index()].formula;
            let known = self.evaluations(*decision);
            for (position, (first_run, first)) in known.iter().enumerate() {
                for (second_run, second) in &known[..position] {
                    if is_independence_pair(formula, *condition, *flavor, first, second) {
                        return Some(Covered::ByPair(*second_run, *first_run));
                    }
                }
            }
            return None;
        }
        is_reached_by(&goal.target, facts).then_some(Covered::By(run))
    }
}

/// Whether one run's facts reach the target by themselves.
pub fn is_reached_by(target: &Target, facts: &Facts) -> bool {
    match target {
        Target::Site(site) => facts.blocks.contains(&site.block),
        Target::Edge { block, edge } => facts.edges.contains(&(*block, *edge)),
        Target::AnyEdge(edges) => edges.iter().any(|edge| facts.edges.contains(edge)),
        Target::Outcome { decision, outcome } => facts
            .evaluations
            .get(decision)
            .is_some_and(|seen| seen.iter().any(|evaluation| evaluation.outcome == *outcome)),
        Target::Condition { decision, condition, value } => {
            facts.evaluations.get(decision).is_some_and(|seen| {
                let at = usize::from(*condition);
                seen.iter().any(|evaluation| evaluation.conditions.get(at) == Some(&Some(*value)))
            })
        }
        Target::Independence { .. } => false,
        Target::DefUse { var, def, use_site } => facts.def_uses.contains(&(*var, *def, *use_site)),
        Target::Path(edges) => facts
            .activations
            .iter()
            .any(|taken| taken.windows(edges.len()).any(|window| window == edges.as_slice())),
        Target::CheckFails(site) => facts.failed_check == Some(*site),
    }
}
