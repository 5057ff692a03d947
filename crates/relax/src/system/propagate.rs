//! Interval propagation over the rows and definitions of a system.
//!
//! Bounds consistency of single rows, rounded to integers; run to a fixpoint or `PASSES` passes,
//! whichever comes first (slow convergence is the linear program's job).

use super::{Conflict, LinearRow, MadeRow, System, make_row};
use crate::envelope::Relation;
use crate::fact::FactId;
use crate::linear::Var;
use crate::range::Range;
use crate::simplex::Side;

/// Passes over all rows in one call, at most.
const PASSES: usize = 12;

/// A bound found by looking at one row, before it is applied.
struct Found {
    var: Var,
    side: Side,
    value: i128,
}

impl System {
    /// Propagates ranges through rows and definitions, remaking the rows of definitions whose inputs
    /// changed.
    pub(crate) fn propagate(&mut self) -> Result<(), Conflict> {
        if let Some(conflict) = &self.broken {
            return Err(conflict.clone());
        }
        for _ in 0..PASSES {
            let before = self.clock;
            self.refresh_definitions();
            for index in 0..self.rows.len() {
                let row = std::mem::replace(&mut self.rows[index], LinearRow::hole());
                let (row, result) = self.propagate_row(row);
                self.rows[index] = row;
                result?;
            }
            for index in 0..self.definitions.len() {
                self.propagate_definition(index)?;
            }
            if self.clock == before {
                break;
            }
        }
        self.refresh_definitions();
        match &self.broken {
            Some(conflict) => Err(conflict.clone()),
            None => Ok(()),
        }
    }

    /// Makes the rows of every definition again whose inputs shrank.
    fn refresh_definitions(&mut self) {
        for index in 0..self.definitions.len() {
            let state = &self.definitions[index];
            let ranges: Vec<Range> =
                state.inputs.iter().map(|var| self.column(*var).range).collect();
            if ranges == state.made_from && !state.made_from.is_empty() {
                continue;
            }
            let rows = state.definition.rows(self);
            let premise = state.premise;
            let old = std::mem::take(&mut self.definitions[index].rows);
            for slack in old.into_iter().filter_map(|row| row.slack) {
                self.simplex.remove_defined(slack);
            }
            let mut made = Vec::new();
            for row in rows {
                let fact = self.derive(row.uses.iter().copied(), premise);
                match make_row(row.expr, row.relation, fact) {
                    MadeRow::Trivial => {}
                    MadeRow::Impossible => self.broken = Some(Conflict(vec![fact])),
                    MadeRow::Row(row) => made.push(row),
                }
            }
            self.definitions[index].rows = made;
            self.definitions[index].made_from = ranges;
        }
    }

    fn propagate_definition(&mut self, index: usize) -> Result<(), Conflict> {
        let mut rows = std::mem::take(&mut self.definitions[index].rows);
        let mut result = Ok(());
        for slot in &mut rows {
            let row = std::mem::replace(slot, LinearRow::hole());
            let (row, outcome) = self.propagate_row(row);
            *slot = row;
            if outcome.is_err() {
                result = outcome;
                break;
            }
        }
        self.definitions[index].rows = rows;
        result?;
        if self.clock == self.definitions[index].seen_at {
            return Ok(());
        }
        let premise = self.definitions[index].premise;
        for deduction in self.definitions[index].definition.bounds(self) {
            let range = self.column(deduction.var).range;
            let sharper = match deduction.side {
                Side::Lower => deduction.value > range.lo,
                Side::Upper => deduction.value < range.hi,
            };
            if sharper {
                let fact = self.derive(deduction.uses.iter().copied(), premise);
                self.tighten(deduction.var, deduction.side, deduction.value, fact)?;
            }
        }
        self.definitions[index].seen_at = self.clock;
        Ok(())
    }

    /// Propagates one row unless nothing it mentions changed. The row is handed back.
    fn propagate_row(&mut self, mut row: LinearRow) -> (LinearRow, Result<(), Conflict>) {
        let Some((terms, constant)) = &row.integers else { return (row, Ok(())) };
        let newest = terms.iter().map(|(var, _)| self.column(*var).changed_at).max().unwrap_or(0);
        if newest <= row.seen_at {
            return (row, Ok(()));
        }
        row.seen_at = self.clock;
        let result =
            self.bound_by_row(terms, *constant, 1, row.fact).and_then(|()| match row.relation {
                Relation::AtMostZero => Ok(()),
                Relation::IsZero => self.bound_by_row(terms, *constant, -1, row.fact),
            });
        (row, result)
    }

    /// `sign * (sum + constant) <= 0`: each column is bounded by the smallest values of the others.
    fn bound_by_row(
        &mut self,
        terms: &[(Var, i128)],
        constant: i128,
        sign: i128,
        fact: FactId,
    ) -> Result<(), Conflict> {
        // The sum of the smallest values; a sum beyond machine integers is left to the simplex.
        let Some(smallest) = terms.iter().try_fold(sign * constant, |sum, (var, c)| {
            sum.checked_add(least(sign * c, self.column(*var).range)?)
        }) else {
            return Ok(());
        };
        let mut found: Vec<Found> = Vec::new();
        for (var, c) in terms {
            let c = sign * c;
            let range = self.column(*var).range;
            // c * x <= least(c * x) - smallest.
            let room = least(c, range).and_then(|own| own.checked_sub(smallest));
            let Some(room) = room else { continue };
            if c > 0 {
                let value = floor_div(room, c);
                if value < range.hi {
                    found.push(Found { var: *var, side: Side::Upper, value });
                }
            } else {
                // c * x <= room with c < 0: x >= room / c, rounded up.
                let value = -floor_div(room, -c);
                if value > range.lo {
                    found.push(Found { var: *var, side: Side::Lower, value });
                }
            }
        }
        for Found { var, side, value } in found {
            let uses: Vec<(Var, Side)> = terms
                .iter()
                .filter(|(other, _)| *other != var)
                .map(|(other, c)| (*other, if sign * c > 0 { Side::Lower } else { Side::Upper }))
                .collect();
            let because = self.derive(uses, fact);
            self.tighten(var, side, value, because)?;
        }
        Ok(())
    }
}

/// Division rounding down by a positive number; 128-bit division is a slow library call.
fn floor_div(a: i128, b: i128) -> i128 {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => i128::from(a.div_euclid(b)),
        _ => a.div_euclid(b),
    }
}

/// The smallest value of `c * x`.
fn least(c: i128, range: Range) -> Option<i128> {
    c.checked_mul(if c > 0 { range.lo } else { range.hi })
}

impl LinearRow {
    /// Stands in while the real row is out of its place.
    fn hole() -> LinearRow {
        LinearRow {
            expr: crate::linear::LinearExpr::zero(),
            relation: Relation::AtMostZero,
            fact: crate::fact::Facts::AXIOM,
            integers: None,
            seen_at: 0,
            slack: None,
        }
    }
}
