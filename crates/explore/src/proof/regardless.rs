//! Proofs that do not rest on errors that do not happen.
//!
//! A prover for runs that go on after errors needs to know which values an error may change. That is itself a question to such a
//! prover: at first no value is in doubt; whatever may then go wrong puts values in doubt, and with these more may go
//! wrong, until nothing new does. Then a first error that was not foreseen would be one that the prover excludes, so
//! there is none.

use std::collections::BTreeMap;
use std::sync::Arc;

use glassbox_coverage::Property;
use glassbox_ir::FuncId;
use glassbox_prove::{AfterErrors, Answer, Options, Proof, Prover, Question};

use super::Proofs;
use super::doubt::{Harm, Spread, harm_at};
use super::errors::{MayEnd, comes_to_question};
use super::properties::{failures, needed};

/// Rounds after which nothing is proved regardless of errors.
const MAX_ROUNDS: usize = 5;

/// A prover for runs that go on after errors.
#[derive(Debug)]
pub(super) struct Regardless<'a> {
    /// `None` where too much may go wrong.
    prover: Option<Prover<'a>>,
    known: BTreeMap<Question, Option<Proof>>,
    /// By error that may end runs: it may happen, and then nothing is as it was.
    is_wild: Vec<bool>,
}

impl<'a> Proofs<'a> {
    /// A proof that nothing does what one of the questions says, even if runs go on after errors.
    pub(crate) fn exclude_regardless(&mut self, questions: &[Question]) -> Option<Proof> {
        if self.is_too_large {
            return None;
        }
        let errors = self.take_errors();
        let mut regardless = match self.regardless.take() {
            Some(known) => known,
            None => self.regardless(&errors),
        };
        let wild = || errors.iter().zip(&regardless.is_wild).filter(|(_, is_wild)| **is_wild);
        let is_lost = |question: &Question| {
            wild().any(|(error, _)| comes_to_question(&error.after, question))
        };
        let questions: Vec<&Question> =
            questions.iter().filter(|question| !is_lost(question)).collect();
        self.errors = Some(errors);
        let mut found = None;
        if let Some(prover) = &mut regardless.prover {
            found = questions.into_iter().find_map(|question| {
                if let Some(known) = regardless.known.get(question) {
                    return known.clone();
                }
                let proof = proof_of(prover, question);
                if proof.is_some() || !self.is_stopped() {
                    regardless.known.insert(question.clone(), proof.clone());
                }
                proof
            });
        }
        // What was stopped may be found the next time.
        self.regardless = (!self.is_stopped()).then_some(regardless);
        found
    }

    /// Whether a property holds even if runs go on after errors; if none comes to it, whether that is so even then.
    pub(crate) fn holds_regardless(&mut self, property: &Property, is_reached: bool) -> bool {
        let questions = needed(self.program, property, is_reached);
        !questions.is_empty()
            && questions.into_iter().all(|question| {
                let proof = self.exclude_regardless(&[question]);
                proof.is_some_and(|proof| proof.bounds.is_empty())
            })
    }

    fn regardless(&self, errors: &[MayEnd]) -> Regardless<'a> {
        let mut may_happen: Vec<bool> = errors.iter().map(|error| error.is_sure).collect();
        for _ in 0..MAX_ROUNDS {
            let mut spread = Spread::default();
            let happening = errors.iter().zip(&may_happen).filter(|(_, may_happen)| **may_happen);
            let harms = happening.flat_map(|(error, _)| self.harms(error));
            harms.for_each(|(function, harm)| spread.add(function, &harm));
            let doubts = Arc::new(spread.closed(self.program, self.entry));
            let after_errors = AfterErrors::GoOn(doubts);
            let options = Options { after_errors, ..self.options.clone() };
            let mut prover = Prover::new(self.program, self.entry, options);
            let mut is_new = false;
            for (error, may_happen) in errors.iter().zip(&mut may_happen) {
                if *may_happen || self.is_stopped() {
                    continue;
                }
                *may_happen = !self.never_happens(&mut prover, error);
                is_new |= *may_happen;
            }
            if !is_new && !self.is_stopped() {
                let is_wild =
                    |error: &MayEnd| self.harms(error).iter().any(|(_, harm)| *harm == Harm::Wild);
                let pairs = errors.iter().zip(&may_happen);
                let is_wild = pairs.map(|(error, may_happen)| *may_happen && is_wild(error));
                let is_wild = is_wild.collect();
                return Regardless { prover: Some(prover), known: BTreeMap::new(), is_wild };
            }
        }
        Regardless { prover: None, known: BTreeMap::new(), is_wild: Vec::new() }
    }

    fn harms(&self, error: &MayEnd) -> Vec<(FuncId, Harm)> {
        let property = &error.property;
        if property.sites.is_empty() {
            return vec![(property.function, Harm::Wild)];
        }
        let at = |&site| (property.function, harm_at(self.program, property, site));
        property.sites.iter().map(at).collect()
    }

    fn never_happens(&self, prover: &mut Prover<'_>, error: &MayEnd) -> bool {
        let Some(questions) = failures(self.program, &error.property) else { return false };
        let mut questions = questions.iter();
        questions.all(|question| {
            let proof = prover.exclude_by_invariants(question);
            !self.is_stopped() && proof.is_some_and(|proof| proof.bounds.is_empty())
        })
    }
}

fn proof_of(prover: &mut Prover<'_>, question: &Question) -> Option<Proof> {
    match prover.decide(question) {
        Answer::Impossible(proof) => Some(proof),
        Answer::Possible(_) | Answer::Unknown(_) => None,
    }
}
