//! Largest values of sums of terms under assertions, bounds and known linear facts.
//!
//! **Relation**: for every assignment that satisfies the assertions, the bounds and the facts, each sum is at
//! most its reported value. Sums are exact integer sums of machine integers read with a signedness, so that
//! nothing wraps around in them; what wraps inside the terms is the translation's business.
//! **Strength**: that of the linear relaxation, rounded down to integers.
//! **Use**: loop invariants by abstract interpretation, where the facts are the invariant so far and the sums
//! are its slopes after one more turn.

use glassbox_terms::{TermId, Terms};
use glassbox_values::Signedness;

use crate::bounds::Bounds;
use crate::envelope::Relation;
use crate::fact::Facts;
use crate::linear::LinearExpr;
use crate::rational::Rational;
use crate::relaxation::{Limits, Statistics, Work, relax_rounds};
use crate::simplex::{Optimum, Steps};
use crate::system::{LpOutcome, System};
use crate::translate::Translator;

/// `sum of coefficient * term`, each term read with its signedness.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct TermSum {
    pub terms: Vec<(TermId, Signedness, i128)>,
    pub constant: i128,
}

/// What optimization found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Maxima {
    /// Nothing satisfies the assertions within bounds and facts.
    Infeasible,
    /// One for each sum; `None` where nothing is known.
    Values(Vec<Option<i128>>),
}

/// What is known about the variables of a maximum.
#[derive(Debug, Clone, Copy)]
pub struct Knowledge<'a> {
    pub assertions: &'a [TermId],
    /// Sums that are at most zero.
    pub facts: &'a [TermSum],
}

/// The largest value of each sum. The work, at most `limits.steps`, is taken off `steps`.
pub fn maximize(
    terms: &Terms,
    bounds: &dyn Bounds,
    known: Knowledge<'_>,
    sums: &[TermSum],
    limits: &Limits,
    steps: &mut Steps,
) -> Maxima {
    let own = steps.part(limits.steps);
    let mut work = Work { steps: own, statistics: Statistics::default() };
    let found = maximize_within(terms, bounds, known, sums, limits, &mut work);
    steps.spend(own.left() - work.steps.left());
    found
}

fn maximize_within(
    terms: &Terms,
    bounds: &dyn Bounds,
    known: Knowledge<'_>,
    sums: &[TermSum],
    limits: &Limits,
    work: &mut Work,
) -> Maxima {
    let Knowledge { assertions, facts } = known;
    let mut system = System::default();
    let mut asserted = Vec::with_capacity(assertions.len());
    for (position, term) in assertions.iter().enumerate() {
        asserted.push((*term, system.facts.assertion(position)));
    }
    let mut translator = Translator::new(terms, bounds, &mut system);
    translator.assert_all_with(&asserted, facts);
    let objectives: Vec<Option<LinearExpr>> = sums.iter().map(|sum| translator.sum(sum)).collect();
    let leaves = std::mem::take(&mut translator.reported);
    if system.broken.is_some() || relax_rounds(&mut system, &leaves, limits, work).is_err() {
        return Maxima::Infeasible;
    }
    let nothing = || Maxima::Values(vec![None; sums.len()]);
    if system.propagate().is_err() {
        return Maxima::Infeasible;
    }
    match system.check_lp(&mut work.steps) {
        LpOutcome::Feasible => {}
        LpOutcome::Infeasible(_) => return Maxima::Infeasible,
        LpOutcome::Exhausted => return nothing(),
    }
    let share = work.steps.left() / 8;
    let values = objectives.iter().map(|objective| {
        let objective = objective.as_ref()?;
        let mut own = work.steps.part(share.max(1));
        let before = own.left();
        let optimum = system.maximize(objective, &mut own);
        work.steps.spend(before - own.left());
        match optimum {
            Optimum::Bounded { value, .. } => value.floor().to_i128(),
            Optimum::Unbounded | Optimum::Exhausted => None,
        }
    });
    Maxima::Values(values.collect())
}

impl Translator<'_> {
    /// A sum as an expression over columns; `None` when a term has no integer reading.
    pub(crate) fn sum(&mut self, sum: &TermSum) -> Option<LinearExpr> {
        let mut expr = LinearExpr::int(sum.constant);
        for &(term, signedness, coefficient) in &sum.terms {
            // The system holds every fact the views rest on, so what they rest on need not be kept.
            let view = self.view(term, signedness)?;
            expr.add_scaled(&view.expr, &Rational::int(coefficient));
        }
        Some(expr)
    }

    /// Adds known facts, `sum <= 0` each.
    pub(crate) fn assume_sums(&mut self, facts: &[TermSum]) {
        for fact in facts {
            let Some(expr) = self.sum(fact) else { continue };
            self.remember_at_most(&expr);
            self.system.add_row(expr, Relation::AtMostZero, Facts::AXIOM);
        }
    }
}
