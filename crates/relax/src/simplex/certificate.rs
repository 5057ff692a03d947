//! Certificates: bounds with multipliers that add up to a contradiction or to an optimum.

use std::collections::BTreeMap;

use super::{Reason, Side};
use crate::linear::{LinearExpr, Var};
use crate::rational::Rational;

/// A bound in force, with the weight it has in a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundRef {
    pub var: Var,
    pub side: Side,
    pub value: Rational,
    pub reason: Reason,
    /// Positive.
    pub multiplier: Rational,
}

/// Bounds that together prove something, each multiplied as an inequality `... <= ...`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    lines: Vec<BoundRef>,
}

impl Certificate {
    pub(super) fn new(lines: Vec<BoundRef>) -> Certificate {
        Certificate { lines }
    }

    /// `low <= var` against `var <= high` with `high < low`.
    pub(super) fn clash(
        var: Var,
        low: &Rational,
        low_reason: Reason,
        high: &Rational,
        high_reason: Reason,
    ) -> Certificate {
        let line = |side, value: &Rational, reason| BoundRef {
            var,
            side,
            value: value.clone(),
            reason,
            multiplier: Rational::ONE,
        };
        let lower = line(Side::Lower, low, low_reason);
        Certificate { lines: vec![lower, line(Side::Upper, high, high_reason)] }
    }

    pub fn lines(&self) -> &[BoundRef] {
        &self.lines
    }

    /// The reasons, sorted, each once.
    pub fn reasons(&self) -> Vec<Reason> {
        let mut reasons: Vec<Reason> = self.lines.iter().map(|line| line.reason).collect();
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }

    /// The weighted sum of the bounds, written `expression <= number`, where each defined column is
    /// replaced by its definition.
    fn sum(&self, definitions: &BTreeMap<Var, LinearExpr>) -> Option<(LinearExpr, Rational)> {
        let mut expression = LinearExpr::zero();
        let mut number = Rational::ZERO;
        for line in &self.lines {
            if !line.multiplier.is_positive() {
                return None;
            }
            let weight = match line.side {
                Side::Upper => line.multiplier.clone(),
                Side::Lower => -&line.multiplier,
            };
            number += &(&weight * &line.value);
            let own = LinearExpr::var(line.var);
            let meaning = definitions.get(&line.var).unwrap_or(&own).without_constant();
            expression.add_scaled(&meaning, &weight);
        }
        Some((expression, number))
    }

    /// True when the bounds contradict each other whatever the columns are. This does not use the
    /// tableau: it is the check that a refutation is right.
    pub fn refutes(&self, definitions: &BTreeMap<Var, LinearExpr>) -> bool {
        self.sum(definitions)
            .is_some_and(|(expression, number)| expression.is_constant() && number.is_negative())
    }

    /// True when the bounds imply `objective <= value`.
    pub fn proves_at_most(
        &self,
        objective: &LinearExpr,
        value: &Rational,
        definitions: &BTreeMap<Var, LinearExpr>,
    ) -> bool {
        let mut meaning = LinearExpr::constant(objective.constant_part().clone());
        for (var, coefficient) in objective.terms() {
            let own = LinearExpr::var(*var);
            let defined = definitions.get(var).unwrap_or(&own).without_constant();
            meaning.add_scaled(&defined, coefficient);
        }
        self.sum(definitions).is_some_and(|(expression, number)| {
            let rest = meaning.minus(&expression);
            rest.is_constant() && &number + rest.constant_part() <= *value
        })
    }
}
