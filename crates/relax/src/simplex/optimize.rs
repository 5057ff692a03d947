//! Phase two: maximizing a linear objective from a feasible assignment.
//!
//! Bounded-variable primal simplex: a non-basic column with a useful reduced cost moves until it meets
//! its own other bound (a flip, no pivot) or drives a basic column to a bound (a pivot). At the optimum
//! every remaining reduced cost is pinned by a bound, and those bounds explain the value.

use super::{BLAND_AFTER, Certificate, Simplex, Steps};
use crate::linear::{LinearExpr, Var, merge_scaled};
use crate::rational::Rational;

/// What `maximize` found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Optimum {
    /// The largest value and the bounds that force it.
    Bounded {
        value: Rational,
        because: Certificate,
    },
    Unbounded,
    /// The budget ran out; the objective may be larger than its current value.
    Exhausted,
}

/// How far a move can go, and what stops it.
enum Stop {
    Flip(Rational),
    Pivot { row: usize, target: Rational },
    Never,
}

impl Simplex {
    /// Maximizes `objective` (its constant included) over the bounds in force. The current assignment
    /// must be feasible, that is `check` said so and no bound changed since.
    pub fn maximize(&mut self, objective: &LinearExpr, steps: &mut Steps) -> Optimum {
        let mut costs: Vec<(Var, Rational)> = Vec::new();
        for (var, coefficient) in objective.terms() {
            match self.columns[var.index()].place {
                super::Place::Basic(row) => {
                    merge_scaled(&mut costs, &self.rows[row].terms, coefficient);
                }
                super::Place::NonBasic => {
                    merge_scaled(&mut costs, &[(*var, Rational::ONE)], coefficient);
                }
                super::Place::Gone => unreachable!("a removed column should not be used"),
            }
        }
        let mut moves = 0_u64;
        loop {
            let Some((entering, cost)) = self.improving(&costs, moves >= BLAND_AFTER) else {
                let value = objective.eval(|var| self.value(var).clone());
                return Optimum::Bounded { value, because: Certificate::new(self.pinning(&costs)) };
            };
            if steps.is_spent() {
                return Optimum::Exhausted;
            }
            moves += 1;
            match self.ratio_test(entering, cost.is_positive()) {
                Stop::Never => return Optimum::Unbounded,
                Stop::Flip(target) => {
                    self.update(entering, &target);
                    steps.spend(1);
                }
                Stop::Pivot { row, target } => {
                    steps.spend(self.pivot_and_update(row, entering, &target));
                    let position = costs
                        .binary_search_by_key(&entering, |(v, _)| *v)
                        .expect("the entering column should have a cost");
                    costs.remove(position);
                    merge_scaled(&mut costs, &self.rows[row].terms, &cost);
                }
            }
        }
    }

    /// Like `maximize`, for the smallest value.
    pub fn minimize(&mut self, objective: &LinearExpr, steps: &mut Steps) -> Optimum {
        match self.maximize(&objective.scaled(&Rational::int(-1)), steps) {
            Optimum::Bounded { value, because } => Optimum::Bounded { value: -value, because },
            other @ (Optimum::Unbounded | Optimum::Exhausted) => other,
        }
    }

    /// A column whose move increases the objective: the steepest, or the smallest.
    fn improving(&self, costs: &[(Var, Rational)], bland: bool) -> Option<(Var, Rational)> {
        let mut best: Option<(Var, &Rational, Rational)> = None;
        for (var, cost) in costs {
            if !self.can_move(*var, cost.is_positive()) {
                continue;
            }
            if bland {
                return Some((*var, cost.clone()));
            }
            let slope = cost.abs();
            if best.as_ref().is_none_or(|(_, _, steepest)| slope > *steepest) {
                best = Some((*var, cost, slope));
            }
        }
        best.map(|(var, cost, _)| (var, cost.clone()))
    }

    fn ratio_test(&self, entering: Var, rise: bool) -> Stop {
        let column = &self.columns[entering.index()];
        let own = if rise { &column.upper } else { &column.lower };
        let mut stop = Stop::Never;
        let mut shortest: Option<Rational> = None;
        if let Some(bound) = own {
            shortest = Some((&bound.value - &column.value).abs());
            stop = Stop::Flip(bound.value.clone());
        }
        let mut leaving: Option<Var> = None;
        for (index, row) in self.rows.iter().enumerate() {
            let Some(coefficient) = row.coefficient(entering) else { continue };
            let basic = &self.columns[row.basic.index()];
            let basic_rises = rise == coefficient.is_positive();
            let limit = if basic_rises { &basic.upper } else { &basic.lower };
            let Some(limit) = limit else { continue };
            let distance = &(&limit.value - &basic.value).abs() / &coefficient.abs();
            let closer = shortest.as_ref().is_none_or(|shortest| {
                distance < *shortest
                    || (distance == *shortest && leaving.is_some_and(|var| row.basic < var))
            });
            if closer {
                shortest = Some(distance);
                leaving = Some(row.basic);
                stop = Stop::Pivot { row: index, target: limit.value.clone() };
            }
        }
        stop
    }
}
