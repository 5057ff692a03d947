//! Proofs for goals that runs do not reach: invariants early in the search, everything later.
//!
//! Goals that the invariants of the function exclude are not searched for any more; goals that many paths did
//! not reach are asked again with all methods of the prover.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use glassbox_coverage::{Goal, Tracker};
use glassbox_ir::{FuncId, Instr, InstrKind, Program};
use glassbox_model::Config;
use glassbox_prove::{Answer, Method, Options, Proof, Prover, Question};
use glassbox_solver::StopFlag;
use glassbox_testcase::{ProofMethod, UnknownReason, Verdict};

/// Work of the linear programs behind the invariants of one function: about a fifth of a second.
const LINEAR_WORK: u64 = 6_000_000;

/// Blocks of a function, its expanded calls included, beyond which proofs are not tried.
const MAX_BLOCKS: usize = 200;

/// Conflicts of the SAT solver in one question.
const CONFLICTS: u64 = 10_000;

/// Paths after which goals that are still open are asked of the invariants, and with all methods: most goals are
/// reached by then, and each question costs more than a path.
const PATHS_BEFORE: [usize; 2] = [16, 64];

/// The same for programs over objects, where each question costs a hundred times as much: calls, null and bounds
/// are in every line.
const PATHS_BEFORE_OVER_OBJECTS: [usize; 2] = [256, 512];

/// The prover of one function and where its runs start.
#[derive(Debug)]
pub(crate) struct Proofs<'a> {
    program: &'a Program,
    function: FuncId,
    prover: Prover<'a>,
    /// By goal.
    proved: BTreeMap<usize, Verdict>,
    /// Every open goal was asked of the invariants.
    is_begun: bool,
    /// Every open goal was asked with all methods.
    is_asked: bool,
    /// What was asked, with all methods or with invariants alone: many goals come to the same question.
    known: BTreeMap<(bool, Question), Option<Verdict>>,
}

impl<'a> Proofs<'a> {
    pub(crate) fn new(
        program: &'a Program,
        function: FuncId,
        entry: FuncId,
        config: &Config,
        stop: &StopFlag,
    ) -> Proofs<'a> {
        let options = Options {
            model: *config,
            linear_work: LINEAR_WORK,
            max_blocks: MAX_BLOCKS,
            conflicts: CONFLICTS,
            stop: stop.clone(),
            ..Options::default()
        };
        let prover = Prover::new(program, entry, options);
        Proofs {
            program,
            function,
            prover,
            proved: BTreeMap::new(),
            is_begun: false,
            is_asked: false,
            known: BTreeMap::new(),
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

    /// Between paths: goals that a few paths did not reach are asked of the invariants, goals that many did
    /// not reach of all methods, each once, before more paths are followed.
    pub(crate) fn during_search(
        &mut self,
        n_paths: usize,
        tracker: &mut Tracker<'_>,
        stop: &AtomicBool,
    ) {
        let is_over_objects = self.program.object_layout.is_some();
        let [before_invariants, before_all] =
            if is_over_objects { PATHS_BEFORE_OVER_OBJECTS } else { PATHS_BEFORE };
        if n_paths >= before_invariants && !std::mem::replace(&mut self.is_begun, true) {
            self.dismiss(tracker, stop, Proofs::at_once);
        }
        if n_paths >= before_all && !std::mem::replace(&mut self.is_asked, true) {
            self.dismiss(tracker, stop, |proofs, goal| {
                proofs.in_the_end(goal).filter(|v| matches!(v, Verdict::Infeasible(_)))
            });
        }
    }

    /// Keeps the verdicts that `ask` has for open goals; nobody looks for those any more.
    fn dismiss(
        &mut self,
        tracker: &mut Tracker<'_>,
        stop: &AtomicBool,
        ask: impl Fn(&mut Self, &Goal) -> Option<Verdict>,
    ) {
        for (index, goal) in tracker.goals().iter().enumerate() {
            if tracker.is_open(index)
                && !stop.load(Ordering::Relaxed)
                && let Some(verdict) = ask(self, goal)
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
        questions.iter().find_map(|question| self.ask(false, question))
    }

    /// A verdict by whatever method.
    fn in_the_end(&mut self, goal: &Goal) -> Option<Verdict> {
        let questions = self.questions(goal);
        questions.iter().find_map(|question| self.ask(true, question))
    }

    fn ask(&mut self, with_all: bool, question: &Question) -> Option<Verdict> {
        let key = (with_all, question.clone());
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let proof = if with_all {
            match self.prover.decide(question) {
                Answer::Impossible(proof) => Some(proof),
                Answer::Possible(_) | Answer::Unknown(_) => None,
            }
        } else {
            self.prover.exclude_by_invariants(question)
        };
        let verdict = proof.map(|proof| verdict(&proof));
        let _ = self.known.insert(key, verdict.clone());
        verdict
    }

    /// What the goal needs: one of these impossible, and so is the goal.
    fn questions(&self, goal: &Goal) -> Vec<Question> {
        let body = self.program.body(self.function);
        let mut questions = Question::needed_by(self.function, body, &goal.target);
        for question in &mut questions {
            if let Question::Reached(place) = question {
                place.instr = first_alike(&body.block(place.block).instrs, place.instr);
            }
        }
        questions
    }
}

fn verdict(proof: &Proof) -> Verdict {
    if !proof.bounds.is_empty() {
        return Verdict::InfeasibleWithin { bounds: proof.bounds.clone() };
    }
    Verdict::Infeasible(match proof.method {
        Method::ControlFlow => ProofMethod::ControlFlow,
        Method::Ranges | Method::LinearInvariants => ProofMethod::LoopSummary,
        Method::Induction { .. } => ProofMethod::Induction,
        Method::Covering => ProofMethod::Covering,
        Method::CallSummaries => ProofMethod::CallSummaries,
        Method::WholeFunction | Method::Unfolding { .. } => ProofMethod::WholeFunction,
    })
}

/// The first instruction of a block from which the one at `instr` is reached without a check or a call
/// between.
fn first_alike(instrs: &[Instr], instr: u32) -> u32 {
    let is_plain = |instr: &&Instr| {
        !matches!(
            instr.kind,
            InstrKind::Check(_)
                | InstrKind::Assume { .. }
                | InstrKind::Call(_)
                | InstrKind::Unsupported { .. }
        )
    };
    let alike = instrs.iter().take(instr as usize).rev().take_while(is_plain);
    instr - u32::try_from(alike.count()).unwrap_or(0)
}
