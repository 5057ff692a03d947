//! Proofs for goals that runs do not reach: invariants before the search, everything after it.
//!
//! Goals that the invariants of the function exclude are not searched for; goals that many paths did not reach
//! are asked again with all methods of the prover.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use glassbox_coverage::{Goal, Tracker};
use glassbox_ir::{FuncId, Program};
use glassbox_model::Config;
use glassbox_prove::{Answer, Method, Options, Proof, Prover, Question};
use glassbox_testcase::{ProofMethod, UnknownReason, Verdict};

/// Work of the linear programs behind the invariants of one function: about a fifth of a second.
const LINEAR_WORK: u64 = 6_000_000;

/// Blocks of a function, its expanded calls included, beyond which proofs are not tried.
const MAX_BLOCKS: usize = 200;

/// Conflicts of the SAT solver in one question.
const CONFLICTS: u64 = 10_000;

/// Paths after which goals that are still open are asked of the prover.
const PATHS_BEFORE_PROOFS: usize = 64;

/// The prover of one function and where its runs start.
#[derive(Debug)]
pub(crate) struct Proofs<'a> {
    program: &'a Program,
    function: FuncId,
    prover: Prover<'a>,
    /// By goal.
    proved: BTreeMap<usize, Verdict>,
    /// Every open goal was asked with all methods.
    is_asked: bool,
}

impl<'a> Proofs<'a> {
    pub(crate) fn new(
        program: &'a Program,
        function: FuncId,
        entry: FuncId,
        config: &Config,
    ) -> Proofs<'a> {
        let options = Options {
            model: *config,
            linear_work: LINEAR_WORK,
            max_blocks: MAX_BLOCKS,
            conflicts: CONFLICTS,
            ..Options::default()
        };
        let prover = Prover::new(program, entry, options);
        Proofs { program, function, prover, proved: BTreeMap::new(), is_asked: false }
    }

    /// Goals that invariants exclude need no search.
    pub(crate) fn before_search(&mut self, tracker: &mut Tracker<'_>, stop: &AtomicBool) {
        for (index, goal) in tracker.goals().iter().enumerate() {
            if tracker.is_open(index)
                && !stop.load(Ordering::Relaxed)
                && let Some(verdict) = self.at_once(goal)
            {
                let _ = self.proved.insert(index, verdict);
                tracker.dismiss(index);
            }
        }
    }

    /// Goals that runs over boxes of float inputs exclude: tried before paths through chains of float
    /// operations, which cost more.
    pub(crate) fn by_covering(&mut self, tracker: &mut Tracker<'_>, stop: &AtomicBool) {
        let mut known: BTreeMap<Question, bool> = BTreeMap::new();
        for (index, goal) in tracker.goals().iter().enumerate() {
            if !tracker.is_open(index) || stop.load(Ordering::Relaxed) {
                continue;
            }
            let prover = &self.prover;
            let is_excluded = self.questions(goal).into_iter().any(|question| {
                let ask = |question: &Question| prover.exclude_by_covering(question).is_some();
                match known.get(&question) {
                    Some(answer) => *answer,
                    None => {
                        let answer = ask(&question);
                        let _ = known.insert(question, answer);
                        answer
                    }
                }
            });
            if is_excluded {
                let _ = self.proved.insert(index, Verdict::Infeasible(ProofMethod::Covering));
                tracker.dismiss(index);
            }
        }
    }

    /// Goals that many paths did not reach are asked with all methods, once, before more paths are followed.
    pub(crate) fn during_search(
        &mut self,
        n_paths: usize,
        tracker: &mut Tracker<'_>,
        stop: &AtomicBool,
    ) {
        if n_paths < PATHS_BEFORE_PROOFS || std::mem::replace(&mut self.is_asked, true) {
            return;
        }
        for (index, goal) in tracker.goals().iter().enumerate() {
            if tracker.is_open(index)
                && !stop.load(Ordering::Relaxed)
                && let Some(verdict @ Verdict::Infeasible(_)) = self.in_the_end(goal)
            {
                let _ = self.proved.insert(index, verdict);
                tracker.dismiss(index);
            }
        }
    }

    /// The verdict of a goal that no test reaches, given what the search says of it.
    pub(crate) fn after_search(
        &mut self,
        index: usize,
        goal: &Goal,
        verdict: Verdict,
        stop: &AtomicBool,
    ) -> Verdict {
        if let Some(proved) = self.proved.remove(&index) {
            return proved;
        }
        let is_open = match &verdict {
            Verdict::Unknown(UnknownReason::Disagreement(_)) => false,
            Verdict::Unknown(_) | Verdict::InfeasibleWithin { .. } => true,
            Verdict::Covered { .. }
            | Verdict::Infeasible(_)
            | Verdict::Violated { .. }
            | Verdict::Holds(_)
            | Verdict::HoldsWithin { .. } => false,
        };
        if !is_open || self.is_asked || stop.load(Ordering::Relaxed) {
            return verdict;
        }
        match self.in_the_end(goal) {
            // Bounds against bounds: the search's own are better known.
            Some(Verdict::InfeasibleWithin { .. }) | None => verdict,
            Some(proved) => proved,
        }
    }

    /// A verdict from invariants alone.
    fn at_once(&mut self, goal: &Goal) -> Option<Verdict> {
        let questions = self.questions(goal);
        let mut proofs = questions.iter().filter_map(|it| self.prover.exclude_by_invariants(it));
        proofs.next().map(|proof| verdict(&proof))
    }

    /// A verdict by whatever method.
    fn in_the_end(&mut self, goal: &Goal) -> Option<Verdict> {
        self.questions(goal).iter().find_map(|question| match self.prover.decide(question) {
            Answer::Impossible(proof) => Some(verdict(&proof)),
            Answer::Possible(_) | Answer::Unknown(_) => None,
        })
    }

    /// What the goal needs: one of these impossible, and so is the goal.
    fn questions(&self, goal: &Goal) -> Vec<Question> {
        Question::needed_by(self.function, self.program.body(self.function), &goal.target)
    }
}

fn verdict(proof: &Proof) -> Verdict {
    if !proof.bounds.is_empty() {
        return Verdict::InfeasibleWithin {
            bounds: proof.bounds.iter().map(ToString::to_string).collect(),
        };
    }
    Verdict::Infeasible(match proof.method {
        Method::ControlFlow => ProofMethod::ControlFlow,
        Method::Ranges | Method::LinearInvariants => ProofMethod::LoopSummary,
        Method::Induction { .. } => ProofMethod::Induction,
        Method::Covering => ProofMethod::Covering,
        Method::WholeFunction | Method::Unfolding { .. } => ProofMethod::WholeFunction,
    })
}
