//! Incremental bounded simplex over exact rationals.
//!
//! **Relation**: a conjunction of definitions `slack = linear expression` and bounds
//! `low <= variable <= high` on any column. `check` decides it over the rationals; `maximize`
//! optimizes a linear objective over it. Every refutation and every optimum comes with a certificate:
//! the bounds used and their multipliers (Farkas), which `certificate.rs` can check again.
//!
//! **Incrementality**: definitions stay until removed; bounds live on a trail (`push`, `pop`).
//! Popping only loosens bounds, so the basis and the values of non-basic columns stay usable.
//!
//! **Determinism**: no hashing, no clock. The leaving column is the one violated most while that makes
//! progress, and the smallest index (Bland) after `BLAND_AFTER` pivots of one call, which ends cycles.
//! Work is counted in operations against a `Steps` budget.
//!
//! **Source**: Dutertre and de Moura, "A fast linear-arithmetic solver for DPLL(T)", CAV 2006.
//! Deviations: no strict bounds (the callers' columns are integers, so `<` is `<= -1`), a phase-two
//! `maximize` with bound flips, and explicit removal of definitions, which rows made from bounds need.

mod certificate;
mod feasible;
mod optimize;
mod pivot;

pub use certificate::{BoundRef, Certificate};
pub use feasible::Feasibility;
pub use optimize::Optimum;

use crate::linear::{LinearExpr, Var, merge_scaled};
use crate::rational::Rational;

/// Pivots of one call after which only Bland's rule is used.
const BLAND_AFTER: u64 = 64;

/// What the caller calls a bound; certificates name bounds by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reason(pub u32);

/// Which end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    Lower,
    Upper,
}

/// A budget of work. The unit is one operation on inline integers; fractions and big numbers cost more,
/// so that a budget means about the same time whatever the numbers are (a microsecond is about 30 units).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    left: u64,
}

impl Steps {
    pub fn new(steps: u64) -> Steps {
        Steps { left: steps }
    }

    pub fn left(&self) -> u64 {
        self.left
    }

    pub fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Takes work off the budget; more than is left ends it.
    pub fn spend(&mut self, work: u64) {
        self.left = self.left.saturating_sub(work);
    }

    /// A part of the budget, at most what is left.
    #[must_use]
    pub fn part(&self, steps: u64) -> Steps {
        Steps { left: self.left.min(steps) }
    }
}

#[derive(Debug, Clone)]
struct Bound {
    value: Rational,
    reason: Reason,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Basic(usize),
    NonBasic,
    /// A removed slack; its index is not used again until `define` recycles it.
    Gone,
}

#[derive(Debug, Clone)]
struct Column {
    value: Rational,
    lower: Option<Bound>,
    upper: Option<Bound>,
    place: Place,
}

/// `basic = sum of coefficient * non-basic`.
#[derive(Debug, Clone)]
struct Row {
    basic: Var,
    // Invariant: sorted, no zeros, non-basic columns only.
    terms: Vec<(Var, Rational)>,
}

impl Row {
    fn coefficient(&self, var: Var) -> Option<&Rational> {
        let position = self.terms.binary_search_by_key(&var, |(v, _)| *v).ok()?;
        Some(&self.terms[position].1)
    }
}

/// A linear program that changes.
#[derive(Debug, Clone, Default)]
pub struct Simplex {
    columns: Vec<Column>,
    rows: Vec<Row>,
    gone: Vec<Var>,
    trail: Vec<(Var, Side, Option<Bound>)>,
    levels: Vec<usize>,
    pivots: u64,
}

impl Simplex {
    pub fn new() -> Simplex {
        Simplex::default()
    }

    pub fn n_columns(&self) -> usize {
        self.columns.len()
    }

    /// Pivots done so far, for statistics.
    pub fn n_pivots(&self) -> u64 {
        self.pivots
    }

    /// A new column without bounds.
    pub fn new_var(&mut self) -> Var {
        let var = Var::new(self.columns.len());
        self.columns.push(Column {
            value: Rational::ZERO,
            lower: None,
            upper: None,
            place: Place::NonBasic,
        });
        var
    }

    /// A column that always equals `expr` without its constant (bounds on it carry the constant).
    pub fn define(&mut self, expr: &LinearExpr) -> Var {
        let mut terms: Vec<(Var, Rational)> = Vec::new();
        let mut value = Rational::ZERO;
        for (var, coefficient) in expr.terms() {
            value += &(coefficient * &self.columns[var.index()].value);
            match self.columns[var.index()].place {
                Place::Basic(row) => merge_scaled(&mut terms, &self.rows[row].terms, coefficient),
                Place::NonBasic => {
                    merge_scaled(&mut terms, &[(*var, Rational::ONE)], coefficient);
                }
                Place::Gone => unreachable!("a removed column should not be used"),
            }
        }
        let slack = self.gone.pop().unwrap_or_else(|| self.new_var());
        let column = &mut self.columns[slack.index()];
        column.value = value;
        column.place = Place::Basic(self.rows.len());
        self.rows.push(Row { basic: slack, terms });
        slack
    }

    /// Forgets a defined column and its bounds, at every level. It must come from `define`, and no
    /// later definition may mention it.
    pub fn remove_defined(&mut self, slack: Var) {
        self.columns[slack.index()].lower = None;
        self.columns[slack.index()].upper = None;
        self.trail.iter_mut().filter(|(var, ..)| *var == slack).for_each(|entry| entry.2 = None);
        let row = match self.columns[slack.index()].place {
            Place::Basic(row) => row,
            Place::NonBasic => {
                // The slack depends on the other columns, so some row mentions it.
                let row = (0..self.rows.len())
                    .find(|&row| self.rows[row].coefficient(slack).is_some())
                    .expect("a non-basic slack should occur in a row");
                let leaving = self.rows[row].basic;
                self.pivot(row, slack);
                self.clamp_nonbasic(leaving);
                row
            }
            Place::Gone => unreachable!("a slack should be removed once"),
        };
        self.rows.swap_remove(row);
        if let Some(moved) = self.rows.get(row) {
            self.columns[moved.basic.index()].place = Place::Basic(row);
        }
        self.columns[slack.index()].place = Place::Gone;
        self.gone.push(slack);
    }

    /// A column that left the basis while it violated a bound goes to that bound.
    fn clamp_nonbasic(&mut self, var: Var) {
        let column = &self.columns[var.index()];
        let target = match (&column.lower, &column.upper) {
            (Some(lower), _) if column.value < lower.value => lower.value.clone(),
            (_, Some(upper)) if column.value > upper.value => upper.value.clone(),
            _ => return,
        };
        self.update(var, &target);
    }

    /// Starts a level: bounds set from here on are undone by `pop`.
    pub fn push(&mut self) {
        self.levels.push(self.trail.len());
    }

    /// Ends the latest level; without one, does nothing.
    pub fn pop(&mut self) {
        let Some(mark) = self.levels.pop() else { return };
        while self.trail.len() > mark {
            let (var, side, old) = self.trail.pop().expect("the trail should be longer than mark");
            let column = &mut self.columns[var.index()];
            if column.place == Place::Gone {
                continue;
            }
            match side {
                Side::Lower => column.lower = old,
                Side::Upper => column.upper = old,
            }
        }
    }

    /// Adds `var >= value`. A clash with the upper bound is a certificate, found at once.
    pub fn assert_lower(
        &mut self,
        var: Var,
        value: &Rational,
        reason: Reason,
    ) -> Result<(), Certificate> {
        let column = &self.columns[var.index()];
        if column.lower.as_ref().is_some_and(|bound| *value <= bound.value) {
            return Ok(());
        }
        let clash = column.upper.as_ref().filter(|upper| upper.value < *value).cloned();
        self.set_bound(var, Side::Lower, Bound { value: value.clone(), reason });
        if let Some(upper) = clash {
            return Err(Certificate::clash(var, value, reason, &upper.value, upper.reason));
        }
        if self.is_nonbasic(var) && self.columns[var.index()].value < *value {
            self.update(var, value);
        }
        Ok(())
    }

    /// Adds `var <= value`. A clash with the lower bound is a certificate, found at once.
    pub fn assert_upper(
        &mut self,
        var: Var,
        value: &Rational,
        reason: Reason,
    ) -> Result<(), Certificate> {
        let column = &self.columns[var.index()];
        if column.upper.as_ref().is_some_and(|bound| *value >= bound.value) {
            return Ok(());
        }
        let clash = column.lower.as_ref().filter(|lower| lower.value > *value).cloned();
        self.set_bound(var, Side::Upper, Bound { value: value.clone(), reason });
        if let Some(lower) = clash {
            return Err(Certificate::clash(var, &lower.value, lower.reason, value, reason));
        }
        if self.is_nonbasic(var) && self.columns[var.index()].value > *value {
            self.update(var, value);
        }
        Ok(())
    }

    fn set_bound(&mut self, var: Var, side: Side, bound: Bound) {
        let column = &mut self.columns[var.index()];
        let old = match side {
            Side::Lower => column.lower.replace(bound),
            Side::Upper => column.upper.replace(bound),
        };
        if !self.levels.is_empty() {
            self.trail.push((var, side, old));
        }
    }

    /// The value of a column in the current assignment: feasible after `check` said so.
    pub fn value(&self, var: Var) -> &Rational {
        &self.columns[var.index()].value
    }

    pub fn lower(&self, var: Var) -> Option<&Rational> {
        self.columns[var.index()].lower.as_ref().map(|bound| &bound.value)
    }

    pub fn upper(&self, var: Var) -> Option<&Rational> {
        self.columns[var.index()].upper.as_ref().map(|bound| &bound.value)
    }

    /// The reason of the bound in force.
    pub fn reason(&self, var: Var, side: Side) -> Option<Reason> {
        self.bound(var, side).map(|bound| bound.reason)
    }

    fn bound(&self, var: Var, side: Side) -> Option<&Bound> {
        let column = &self.columns[var.index()];
        match side {
            Side::Lower => column.lower.as_ref(),
            Side::Upper => column.upper.as_ref(),
        }
    }

    fn is_nonbasic(&self, var: Var) -> bool {
        self.columns[var.index()].place == Place::NonBasic
    }

    /// The rows of the tableau: each says `basic = sum of coefficient * column`.
    pub fn tableau(&self) -> impl Iterator<Item = (Var, &[(Var, Rational)])> {
        self.rows.iter().map(|row| (row.basic, row.terms.as_slice()))
    }

    /// `coefficient` times the bound of `var` on `side`, as a certificate line.
    fn premise(&self, var: Var, side: Side, multiplier: Rational) -> BoundRef {
        let bound = self.bound(var, side).expect("a premise should be a bound in force");
        BoundRef { var, side, value: bound.value.clone(), reason: bound.reason, multiplier }
    }
}
