//! Tableau steps: moving a non-basic column, and exchanging a basic with a non-basic one.

use super::{Place, Simplex};
use crate::linear::{Var, merge_scaled};
use crate::rational::Rational;

impl Simplex {
    /// Gives a non-basic column a new value and carries the change to the basic columns.
    pub(super) fn update(&mut self, var: Var, value: &Rational) {
        let change = value - &self.columns[var.index()].value;
        self.columns[var.index()].value = value.clone();
        for row in &self.rows {
            if let Some(coefficient) = row.coefficient(var) {
                self.columns[row.basic.index()].value += &(coefficient * &change);
            }
        }
    }

    /// Exchanges the basic column of `row` with the non-basic `entering`, which occurs in it. No value
    /// changes. Gives the work done, counted in operations on inline numbers.
    pub(super) fn pivot(&mut self, row: usize, entering: Var) -> u64 {
        self.pivots += 1;
        let leaving = self.rows[row].basic;
        let mut terms = std::mem::take(&mut self.rows[row].terms);
        let position = terms
            .binary_search_by_key(&entering, |(v, _)| *v)
            .expect("the entering column should occur in the row");
        let (_, coefficient) = terms.remove(position);
        // leaving = coefficient * entering + rest, so entering = leaving / coefficient - rest / coefficient.
        let inverse = coefficient.recip();
        let negated = -&inverse;
        for (_, c) in &mut terms {
            *c = &*c * &negated;
        }
        let at = terms.partition_point(|(v, _)| *v < leaving);
        terms.insert(at, (leaving, inverse));
        self.rows[row].basic = entering;
        self.columns[entering.index()].place = Place::Basic(row);
        self.columns[leaving.index()].place = Place::NonBasic;
        let size: u64 = terms.iter().map(|(_, c)| c.cost()).sum();
        let mut work = size;
        for (index, other) in self.rows.iter_mut().enumerate() {
            if index == row {
                continue;
            }
            if let Ok(position) = other.terms.binary_search_by_key(&entering, |(v, _)| *v) {
                let (_, factor) = other.terms.remove(position);
                work += size + terms.len() as u64 * factor.cost();
                merge_scaled(&mut other.terms, &terms, &factor);
            }
        }
        self.rows[row].terms = terms;
        work
    }

    /// Pivots and moves the leaving column to `target`. Gives the work done.
    pub(super) fn pivot_and_update(&mut self, row: usize, entering: Var, target: &Rational) -> u64 {
        let leaving = self.rows[row].basic;
        let work = self.pivot(row, entering);
        self.update(leaving, target);
        work
    }
}
