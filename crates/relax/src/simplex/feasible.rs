//! Finding an assignment within all bounds, or a certificate that there is none.

use super::{BLAND_AFTER, BoundRef, Certificate, Side, Simplex, Steps};
use crate::linear::Var;
use crate::rational::Rational;

/// What `check` found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Feasibility {
    /// The current values satisfy every definition and bound.
    Feasible,
    Infeasible(Certificate),
    /// The budget ran out; nothing is known.
    Exhausted,
}

impl Simplex {
    /// Decides the bounds in force over the rationals.
    pub fn check(&mut self, steps: &mut Steps) -> Feasibility {
        if let Some(certificate) = self.clashing_column() {
            return Feasibility::Infeasible(certificate);
        }
        let mut pivots = 0_u64;
        loop {
            let Some((row, side)) = self.violated_row(pivots >= BLAND_AFTER) else {
                return Feasibility::Feasible;
            };
            let Some(entering) = self.entering_for(row, side, pivots >= BLAND_AFTER) else {
                return Feasibility::Infeasible(self.explain_row(row, side));
            };
            if steps.is_spent() {
                return Feasibility::Exhausted;
            }
            pivots += 1;
            let basic = self.rows[row].basic;
            let target = self.bound(basic, side).expect("a violated bound should exist");
            let target = target.value.clone();
            steps.spend(self.pivot_and_update(row, entering, &target));
        }
    }

    /// A column whose lower bound passed its upper bound: `assert_*` reported it, and it stays a
    /// refutation until popped.
    fn clashing_column(&self) -> Option<Certificate> {
        self.columns.iter().enumerate().find_map(|(index, column)| {
            let (lower, upper) = (column.lower.as_ref()?, column.upper.as_ref()?);
            (lower.value > upper.value).then(|| {
                Certificate::clash(
                    Var::new(index),
                    &lower.value,
                    lower.reason,
                    &upper.value,
                    upper.reason,
                )
            })
        })
    }

    /// A row whose basic column is outside its bounds, and on which side: the most violated one, or
    /// the one with the smallest basic column.
    fn violated_row(&self, bland: bool) -> Option<(usize, Side)> {
        let mut best: Option<(usize, Side, Rational)> = None;
        for (index, row) in self.rows.iter().enumerate() {
            let column = &self.columns[row.basic.index()];
            let (side, amount) = match (&column.lower, &column.upper) {
                (Some(lower), _) if column.value < lower.value => {
                    (Side::Lower, &lower.value - &column.value)
                }
                (_, Some(upper)) if column.value > upper.value => {
                    (Side::Upper, &column.value - &upper.value)
                }
                _ => continue,
            };
            let better = best.as_ref().is_none_or(|(chosen, _, most)| {
                let smaller = row.basic < self.rows[*chosen].basic;
                if bland { smaller } else { amount > *most || (amount == *most && smaller) }
            });
            if better {
                best = Some((index, side, amount));
            }
        }
        best.map(|(index, side, _)| (index, side))
    }

    /// A non-basic column that can move the basic column of `row` back toward its bound on `side`:
    /// the cheapest to pivot on, or the smallest.
    fn entering_for(&self, row: usize, side: Side, bland: bool) -> Option<Var> {
        let mut best: Option<(Var, (bool, usize))> = None;
        for (var, coefficient) in &self.rows[row].terms {
            let must_rise = (side == Side::Lower) == coefficient.is_positive();
            if !self.can_move(*var, must_rise) {
                continue;
            }
            if bland {
                return Some(*var);
            }
            let occurrences = self.rows.iter().filter(|r| r.coefficient(*var).is_some()).count();
            // A pivot on a unit keeps the numbers of the tableau small.
            let price = (coefficient.abs() != Rational::ONE, occurrences);
            if best.is_none_or(|(_, cheapest)| price < cheapest) {
                best = Some((*var, price));
            }
        }
        best.map(|(var, _)| var)
    }

    pub(super) fn can_move(&self, var: Var, rise: bool) -> bool {
        let column = &self.columns[var.index()];
        if rise {
            column.upper.as_ref().is_none_or(|upper| column.value < upper.value)
        } else {
            column.lower.as_ref().is_none_or(|lower| column.value > lower.value)
        }
    }

    /// Farkas: the violated bound of the basic column against the bounds that pin the others.
    fn explain_row(&self, row: usize, side: Side) -> Certificate {
        let basic = self.rows[row].basic;
        let mut lines = vec![self.premise(basic, side, Rational::ONE)];
        for (var, coefficient) in &self.rows[row].terms {
            let pinned_high = (side == Side::Lower) == coefficient.is_positive();
            let pinned = if pinned_high { Side::Upper } else { Side::Lower };
            lines.push(self.premise(*var, pinned, coefficient.abs()));
        }
        Certificate::new(lines)
    }

    /// The bounds that hold the columns of `terms` at an optimum: see `optimize.rs`.
    pub(super) fn pinning(&self, terms: &[(Var, Rational)]) -> Vec<BoundRef> {
        terms
            .iter()
            .map(|(var, cost)| {
                let side = if cost.is_positive() { Side::Upper } else { Side::Lower };
                self.premise(*var, side, cost.abs())
            })
            .collect()
    }
}
