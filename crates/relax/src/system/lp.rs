//! The linear program of a system: feeding the simplex, shaving ranges by optimization, the GCD test.

use super::{ColumnState, Conflict, LinearRow, System};
use crate::envelope::Relation;
use crate::fact::FactId;
use crate::linear::{LinearExpr, Var};
use crate::range::{Range, Ranges};
use crate::rational::{Rational, gcd};
use crate::simplex::{Certificate, Feasibility, Optimum, Side, Steps};

/// What a linear program over the current ranges says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum LpOutcome {
    Feasible,
    Infeasible(Conflict),
    Exhausted,
}

impl System {
    /// Checks the linear program over the current ranges and rows.
    pub(crate) fn check_lp(&mut self, steps: &mut Steps) -> LpOutcome {
        if let Err(certificate) = self.sync_rows().and_then(|()| self.sync_ranges()) {
            return LpOutcome::Infeasible(self.conflict_of(&certificate));
        }
        match self.simplex.check(steps) {
            Feasibility::Feasible => {}
            Feasibility::Infeasible(certificate) => {
                return LpOutcome::Infeasible(self.conflict_of(&certificate));
            }
            Feasibility::Exhausted => return LpOutcome::Exhausted,
        }
        match self.gcd_test() {
            Some(conflict) => LpOutcome::Infeasible(conflict),
            None => LpOutcome::Feasible,
        }
    }

    /// The largest value of an expression. The linear program must be feasible and in step.
    pub(crate) fn maximize(&mut self, objective: &LinearExpr, steps: &mut Steps) -> Optimum {
        self.simplex.maximize(objective, steps)
    }

    pub(super) fn conflict_of(&self, certificate: &Certificate) -> Conflict {
        Conflict(certificate.reasons().into_iter().map(FactId::from).collect())
    }

    /// Gives the simplex the rows that the ranges do not imply.
    fn sync_rows(&mut self) -> Result<(), Certificate> {
        let made = self.definitions.iter_mut().flat_map(|state| &mut state.rows);
        for row in self.rows.iter_mut().chain(made) {
            // A row of one column became its range.
            let is_range = row.expr.terms().len() < 2 && row.integers.is_some();
            if row.slack.is_some() || is_range || is_implied(row, &self.columns) {
                continue;
            }
            let slack = self.simplex.define(&row.expr);
            row.slack = Some(slack);
            let limit = -row.expr.constant_part();
            self.simplex.assert_upper(slack, &limit, row.fact.into())?;
            if row.relation == Relation::IsZero {
                self.simplex.assert_lower(slack, &limit, row.fact.into())?;
            }
        }
        self.columns.resize(self.simplex.n_columns(), None);
        Ok(())
    }

    fn sync_ranges(&mut self) -> Result<(), Certificate> {
        for index in 0..self.columns.len() {
            let Some(column) = &self.columns[index] else { continue };
            if column.changed_at <= self.synced_at {
                continue;
            }
            let (range, lower, upper) = (column.range, column.lower_fact, column.upper_fact);
            let var = Var::new(index);
            self.simplex.assert_lower(var, &Rational::int(range.lo), lower.into())?;
            self.simplex.assert_upper(var, &Rational::int(range.hi), upper.into())?;
        }
        self.synced_at = self.clock;
        Ok(())
    }

    /// Shaves the ranges of `targets` by optimization, rounded to integers. The linear program must be
    /// feasible and in step with the ranges. `Ok(true)` when a range changed.
    pub(crate) fn shave(&mut self, targets: &[Var], steps: &mut Steps) -> Result<bool, Conflict> {
        let mut changed = false;
        // No single column may eat the budget.
        let share = steps.left() / 12;
        for &var in targets {
            for side in [Side::Upper, Side::Lower] {
                let range = self.range(var);
                // A vertex that attains the end of the range shows there is nothing to shave.
                if range.is_point() || *self.simplex.value(var) == Rational::int(range.end(side)) {
                    continue;
                }
                let objective = LinearExpr::var(var);
                let mut own = steps.part(share.max(1));
                let before = own.left();
                let optimum = match side {
                    Side::Upper => self.simplex.maximize(&objective, &mut own),
                    Side::Lower => self.simplex.minimize(&objective, &mut own),
                };
                steps.spend(before - own.left());
                match optimum {
                    Optimum::Bounded { value, because } => {
                        changed |= self.apply_optimum(var, side, &value, &because)?;
                    }
                    Optimum::Unbounded => unreachable!("a column should have a finite range"),
                    Optimum::Exhausted if steps.is_spent() => return Ok(changed),
                    Optimum::Exhausted => {}
                }
            }
        }
        Ok(changed)
    }

    fn apply_optimum(
        &mut self,
        var: Var,
        side: Side,
        value: &Rational,
        because: &Certificate,
    ) -> Result<bool, Conflict> {
        let range = self.range(var);
        let rounded = match side {
            Side::Upper => value.floor_i128(),
            Side::Lower => value.ceil_i128(),
        };
        let sharper = match side {
            Side::Upper => rounded < range.hi,
            Side::Lower => rounded > range.lo,
        };
        if !sharper {
            return Ok(false);
        }
        let fact = self.facts.derived_by(because);
        self.tighten(var, side, rounded, fact)
    }

    /// Looks for a tableau row that no integers can satisfy: the fixed part is not a multiple of the
    /// greatest common divisor of the other coefficients. Structural columns are integers, and so are
    /// slacks of rows with integer coefficients.
    fn gcd_test(&self) -> Option<Conflict> {
        let mut is_integer: Vec<bool> = self.columns.iter().map(Option::is_some).collect();
        let made = self.definitions.iter().flat_map(|state| &state.rows);
        for row in self.rows.iter().chain(made) {
            if let (Some(slack), Some(_)) = (row.slack, &row.integers) {
                is_integer[slack.index()] = true;
            }
        }
        self.simplex.tableau().find_map(|(basic, terms)| {
            let all = || terms.iter().map(|(var, _)| *var).chain(std::iter::once(basic));
            if all().any(|var| !is_integer[var.index()]) {
                return None;
            }
            self.gcd_conflict(basic, terms)
        })
    }

    /// The test for one row of integer columns; `None` also when the numbers are too big to try.
    fn gcd_conflict(&self, basic: Var, terms: &[(Var, Rational)]) -> Option<Conflict> {
        let mut scale: i128 = 1;
        for (_, c) in terms {
            let (_, denominator) = c.small_parts()?;
            let common =
                i128::try_from(gcd(scale.unsigned_abs(), denominator.unsigned_abs())).ok()?;
            scale = scale.checked_mul(denominator / common)?;
        }
        let scale = Rational::int(scale);
        let mut divisor = 0_u128;
        let mut fixed = Rational::ZERO;
        let mut facts = Vec::new();
        let scaled = terms.iter().map(|(var, c)| (*var, &scale * c));
        for (var, c) in scaled.chain(std::iter::once((basic, -&scale))) {
            match (self.simplex.lower(var), self.simplex.upper(var)) {
                (Some(lower), Some(upper)) if lower == upper => {
                    fixed += &(&c * lower);
                    let reason = |side| self.simplex.reason(var, side).map(FactId::from);
                    facts.extend(reason(Side::Lower));
                    facts.extend(reason(Side::Upper));
                }
                _ => divisor = gcd(divisor, c.to_i128()?.unsigned_abs()),
            }
            if divisor == 1 {
                return None;
            }
        }
        let impossible = if divisor == 0 {
            !fixed.is_zero()
        } else {
            !(&fixed / &Rational::int(i128::try_from(divisor).ok()?)).is_integer()
        };
        impossible.then_some(Conflict(facts))
    }

    /// The range an expression has, or `None` when it is too wide.
    pub(crate) fn range_of(&self, expr: &LinearExpr) -> Option<Range> {
        crate::range::range_of(expr, self)
    }
}

/// Whether the ranges alone make an inequality true.
fn is_implied(row: &LinearRow, columns: &[Option<ColumnState>]) -> bool {
    let (Relation::AtMostZero, Some((terms, constant))) = (row.relation, &row.integers) else {
        return false;
    };
    let largest = terms.iter().try_fold(*constant, |sum, (var, c)| {
        let range = columns[var.index()].as_ref()?.range;
        sum.checked_add(c.checked_mul(if *c > 0 { range.hi } else { range.lo })?)
    });
    largest.is_some_and(|largest| largest <= 0)
}
