//! Proofs for goals that runs do not reach: invariants early in the search, everything later.
//!
//! Goals that the invariants of the function exclude are not searched for any more; goals that many paths did
//! not reach are tried again with all methods of the prover.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_coverage::{Goal, Tracker};
use glassbox_ir::{Instr, InstrKind};
use glassbox_prove::Question;
use glassbox_testcase::{Assumption, ProofMethod, UnknownReason, Verdict};

use super::repeat::rests_on;
use super::turns::FIRST_LOOKS;
use crate::proof::constant::Constant;
use crate::proof::errors::{Needed, comes_to};
use crate::proof::{Effort, excluded};
use crate::search::PathSearch;
use crate::verify::order::After;

/// What the prover said about goals.
#[derive(Debug, Default)]
pub(super) struct GoalProofs {
    /// By goal.
    proved: BTreeMap<usize, Verdict>,
    /// By goal: what is proved if errors on the way do not happen. Paths may say more precisely which.
    provided: BTreeMap<usize, Verdict>,
    /// What every open goal was put to, within what was allowed.
    asked: Option<Effort>,
    /// Proofs within this dismiss no goal any more.
    kept_open: Option<Assumption>,
    /// Lines with checks that fail on some path; `None` before anyone asked.
    failing_lines: Option<BTreeSet<u32>>,
}

impl GoalProofs {
    /// Goals behind conditions that are constant: no search has to look for them. Where an error comes before, which could
    /// change what is constant, the search may say more precisely what has to be granted.
    pub(super) fn by_constants(&mut self, search: &mut PathSearch<'_>, tracker: &mut Tracker<'_>) {
        let (program, function) = (search.program, search.function);
        let body = program.body(function);
        let Some(constant) = Constant::of(program, body) else { return };
        let literal = Constant::literal(program, body);
        search.proofs.allow(FIRST_LOOKS);
        for (index, goal) in tracker.goals().iter().enumerate() {
            let needed = Question::needed_by(function, body, &goal.target);
            if !tracker.is_open(index) || !needed.iter().any(|it| constant.excludes(it)) {
                continue;
            }
            let comes = |after: &After| comes_to(program, after, function, &goal.target);
            let mut verdict = Verdict::Infeasible(ProofMethod::ControlFlow);
            let is_literal = |literal: &Constant| needed.iter().any(|it| literal.excludes(it));
            if !literal.as_ref().is_some_and(is_literal) {
                verdict.rest_on(&search.proofs.errors_before(function, &goal.target));
                let needed = Needed::Any(needed);
                verdict.rest_on(&search.proofs.presumed_before(&comes, &needed));
            }
            if matches!(verdict, Verdict::Infeasible(_)) {
                self.proved.insert(index, verdict);
                tracker.dismiss(index);
            } else {
                self.provided.insert(index, verdict);
            }
        }
        if search.proofs.is_spent() {
            search.proofs.forget();
        }
        search.proofs.allow(u64::MAX);
    }

    /// Goals that runs over boxes of float inputs exclude: tried before paths through chains of float
    /// operations, which cost more.
    pub(super) fn by_covering(&mut self, search: &mut PathSearch<'_>, tracker: &mut Tracker<'_>) {
        self.dismiss(search, tracker, Effort::Covering);
    }

    /// One turn of so many looks: goals that paths did not reach are put to the invariants; in a turn after
    /// these had an answer for every goal, to all methods. Whoever is interrupted begins anew in the next turn,
    /// which is longer.
    pub(super) fn take_turn(
        &mut self,
        search: &mut PathSearch<'_>,
        tracker: &mut Tracker<'_>,
        looks: u64,
    ) {
        let effort = match self.asked {
            None | Some(Effort::Covering) => Effort::Invariants,
            Some(Effort::Invariants) => Effort::All,
            Some(Effort::All) => return,
        };
        search.proofs.allow(looks);
        self.dismiss(search, tracker, effort);
        if search.proofs.is_spent() {
            search.proofs.forget();
        } else {
            self.asked = Some(effort);
        }
        search.proofs.allow(u64::MAX);
    }

    /// Whether a proof that dismissed a goal holds only within an assumption.
    pub(super) fn rest_on(&self, assumption: Assumption) -> bool {
        self.proved.values().any(|verdict| rests_on(verdict, assumption))
    }

    /// Goals whose proofs hold only within an assumption are looked for again.
    pub(super) fn reopen(&mut self, assumption: Assumption, tracker: &mut Tracker<'_>) {
        self.kept_open = Some(assumption);
        let resting = self.proved.iter().filter(|(_, verdict)| rests_on(verdict, assumption));
        resting.for_each(|(&goal, _)| tracker.reopen(goal));
    }

    /// Keeps the verdicts that proofs have for open goals: those are not looked for any more.
    fn dismiss(&mut self, search: &mut PathSearch<'_>, tracker: &mut Tracker<'_>, effort: Effort) {
        for (index, goal) in tracker.goals().iter().enumerate() {
            if !tracker.is_open(index) || search.is_stopped() || search.proofs.is_spent() {
                continue;
            }
            // A proof within bounds is no reason to stop looking once everything was tried.
            let verdict = ask(search, effort, goal).filter(|verdict| {
                effort != Effort::All
                    || matches!(verdict, Verdict::Infeasible(_))
                    || verdict.rests_on_errors()
            });
            match verdict {
                Some(verdict) if verdict.rests_on_errors() => {
                    self.provided.insert(index, verdict);
                }
                Some(verdict) => {
                    let is_open = self.kept_open.is_some_and(|known| rests_on(&verdict, known));
                    self.proved.insert(index, verdict);
                    if !is_open {
                        tracker.dismiss(index);
                    }
                }
                None => {}
            }
        }
    }

    /// What paths say of a goal, with the errors named that may happen on the way: a path shows what runs do that have
    /// none.
    fn despite_errors(
        &mut self,
        search: &mut PathSearch<'_>,
        goal: &Goal,
        verdict: Verdict,
    ) -> Verdict {
        let known = match &verdict {
            Verdict::Infeasible(method) if *method != ProofMethod::ControlFlow => Vec::new(),
            Verdict::InfeasibleWithin { bounds } => bounds.clone(),
            Verdict::Infeasible(_)
            | Verdict::Unknown(_)
            | Verdict::Covered { .. }
            | Verdict::Violated { .. }
            | Verdict::Holds(_)
            | Verdict::HoldsWithin { .. } => return verdict,
        };
        if !search.program.language.errors_are_undefined() {
            return verdict;
        }
        let lines = self.failing_lines.get_or_insert_with(|| search.lines_that_may_fail());
        let mut errors = search.proofs.errors_before(search.function, &goal.target);
        errors.retain(
            |error| matches!(error, Assumption::NoError { line, .. } if lines.contains(line)),
        );
        if errors.is_empty() {
            return verdict;
        }
        if matches!(verdict, Verdict::Infeasible(_)) {
            let questions = questions(search, goal);
            if let Some(proof) = search.proofs.exclude_regardless(&questions) {
                return excluded(&proof);
            }
        }
        let bounds = Assumption::listed(known.into_iter().chain(errors));
        Verdict::InfeasibleWithin { bounds }
    }

    /// The verdict of a goal that no test reaches, given what the search says of it.
    pub(super) fn after_search(
        &mut self,
        search: &mut PathSearch<'_>,
        index: usize,
        goal: &Goal,
        verdict: Verdict,
    ) -> Verdict {
        let mut verdict = self.decided(search, index, goal, verdict);
        if !matches!(verdict, Verdict::Unknown(_) | Verdict::Covered { .. }) {
            let (program, function) = (search.program, search.function);
            let comes = |after: &After| comes_to(program, after, function, &goal.target);
            let needed = Needed::Any(questions(search, goal));
            verdict.rest_on(&search.proofs.presumed_before(&comes, &needed));
        }
        verdict
    }

    fn decided(
        &mut self,
        search: &mut PathSearch<'_>,
        index: usize,
        goal: &Goal,
        verdict: Verdict,
    ) -> Verdict {
        if let Some(proved) = self.proved.remove(&index) {
            return proved;
        }
        let verdict = self.despite_errors(search, goal, verdict);
        let is_open = match &verdict {
            Verdict::Unknown(UnknownReason::Disagreement(_)) => false,
            Verdict::Unknown(_) | Verdict::InfeasibleWithin { .. } => true,
            Verdict::Covered { .. }
            | Verdict::Infeasible(_)
            | Verdict::Violated { .. }
            | Verdict::Holds(_)
            | Verdict::HoldsWithin { .. } => false,
        };
        let is_unknown = matches!(verdict, Verdict::Unknown(_));
        if !is_open || self.asked == Some(Effort::All) || search.is_stopped() {
            let provided = self.provided.remove(&index).filter(|_| is_open && is_unknown);
            return provided.unwrap_or(verdict);
        }
        match ask(search, Effort::All, goal) {
            Some(provided) if is_unknown && provided.rests_on_errors() => provided,
            // Bounds against bounds: the search's own are better known.
            Some(Verdict::InfeasibleWithin { .. }) | None => {
                self.provided.remove(&index).filter(|_| is_unknown).unwrap_or(verdict)
            }
            Some(proved) => proved,
        }
    }
}

/// A verdict on a goal: if one thing that it needs is impossible, so is the goal.
fn ask(search: &mut PathSearch<'_>, effort: Effort, goal: &Goal) -> Option<Verdict> {
    let questions = questions(search, goal);
    let proofs = &mut search.proofs;
    let proof = questions.iter().find_map(|question| proofs.exclude(effort, question))?;
    let errors = proofs.errors_before(search.function, &goal.target);
    if errors.is_empty() {
        return Some(excluded(&proof));
    }
    if let Some(proof) = proofs.exclude_regardless(&questions) {
        return Some(excluded(&proof));
    }
    let bounds = Assumption::listed(proof.bounds.into_iter().chain(errors));
    Some(Verdict::InfeasibleWithin { bounds })
}

/// What a goal needs: one thing that is impossible is enough.
fn questions(search: &mut PathSearch<'_>, goal: &Goal) -> Vec<Question> {
    // What is not understood may call the function by ways that no graph shows.
    if !search.aim().starts_with_function(search.program) && !search.proofs.is_understood() {
        return Vec::new();
    }
    let body = search.program.body(search.function);
    let mut questions = Question::needed_by(search.function, body, &goal.target);
    for question in &mut questions {
        if let Question::Reached(place) = question {
            place.instr = first_alike(&body.block(place.block).instrs, place.instr);
        }
    }
    questions
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
