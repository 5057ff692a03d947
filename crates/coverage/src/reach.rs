//! Which goals facts reach. Most need one run; independence needs two.

use std::collections::BTreeMap;

use glassbox_ir::{Body, DecisionId};

use crate::facts::{Evaluation, Facts};
use crate::goal::{Goal, Target};
use crate::mcdc::{is_independence_pair, may_be_half};

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

/// What a run adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gain {
    /// Goals that are newly reached.
    pub reached: Vec<usize>,
    /// It shows something that may become half of a pair with a later run: without this run there is no pair.
    pub is_half: bool,
}

impl Gain {
    /// Whether something rests on the run.
    pub fn is_needed(&self) -> bool {
        self.is_half || !self.reached.is_empty()
    }
}

/// Follows the goals of one function over many runs.
#[derive(Debug)]
pub struct Tracker<'a> {
    body: &'a Body,
    goals: &'a [Goal],
    covered: Vec<Option<Covered>>,
    // Distinct evaluations that can be half of a pair, each with the first run that had it.
    evaluations: BTreeMap<DecisionId, Vec<(usize, Evaluation)>>,
    n_open: usize,
    // Goals that are not looked for any more.
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

    /// The goal is looked for again.
    pub fn reopen(&mut self, goal: usize) {
        if self.is_dismissed[goal] {
            self.is_dismissed[goal] = false;
            self.n_open += usize::from(self.covered[goal].is_none());
        }
    }

    /// The evaluations of a decision seen so far.
    pub fn evaluations(&self, decision: DecisionId) -> &[(usize, Evaluation)] {
        self.evaluations.get(&decision).map_or(&[], Vec::as_slice)
    }

    /// Takes in the facts of run `run`. A run that is needed has to be kept under this number.
    pub fn add(&mut self, run: usize, facts: &Facts) -> Gain {
        let halves = self.halves(facts);
        let is_half = !halves.is_empty();
        for (decision, evaluation) in halves {
            self.evaluations.entry(decision).or_default().push((run, evaluation));
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
        Gain { reached, is_half }
    }

    /// Whether a run with these facts would be needed.
    pub fn gains(&self, facts: &Facts) -> bool {
        let goals = self.goals.iter().enumerate();
        let mut open = goals.filter(|(index, _)| self.covered[*index].is_none());
        open.any(|(_, goal)| is_reached_by(&goal.target, facts)) || !self.halves(facts).is_empty()
    }

    /// Evaluations that no run has shown and that can be half of a pair for a goal that is not reached.
    fn halves(&self, facts: &Facts) -> Vec<(DecisionId, Evaluation)> {
        let mut halves = Vec::new();
        for (index, goal) in self.goals.iter().enumerate() {
            let Target::Independence { decision, condition, flavor } = &goal.target else {
                continue;
            };
            if self.covered[index].is_some() {
                continue;
            }
            let formula = &self.body.decisions[decision.index()].formula;
            let known = self.evaluations(*decision);
            for evaluation in facts.evaluations.get(decision).into_iter().flatten() {
                let half = (*decision, evaluation.clone());
                if may_be_half(formula, *condition, *flavor, evaluation)
                    && !known.iter().any(|(_, seen)| seen == evaluation)
                    && !halves.contains(&half)
                {
                    halves.push(half);
                }
            }
        }
        halves
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

/// Whether the runs that a goal is said to be reached by show it; `facts` by run.
pub fn is_shown(body: &Body, target: &Target, how: Covered, facts: &[Facts]) -> bool {
    let (first, second) = match how {
        Covered::By(run) => (run, run),
        Covered::ByPair(first, second) => (first, second),
    };
    let (Some(first), Some(second)) = (facts.get(first), facts.get(second)) else { return false };
    if let Target::Killed { .. } = target {
        return true;
    }
    let Target::Independence { decision, condition, flavor } = target else {
        return is_reached_by(target, first);
    };
    let formula = &body.decisions[decision.index()].formula;
    let of = |facts: &'_ Facts| facts.evaluations.get(decision).cloned().unwrap_or_default();
    let (firsts, seconds) = (of(first), of(second));
    firsts.iter().any(|first| {
        let is_pair = |second| is_independence_pair(formula, *condition, *flavor, first, second);
        seconds.iter().any(is_pair)
    })
}

/// Whether one run's facts reach the target by themselves.
pub fn is_reached_by(target: &Target, facts: &Facts) -> bool {
    match target {
        Target::Site(site) => facts.has_reached(*site),
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
        Target::Killed { .. } => false,
    }
}
