//! `b = (x + y does not fit)` and `b = (x - y does not fit)`, unsigned and signed; with the sum as a
//! fourth argument where it is at hand.
//!
//! Strength: bounds in the reading of the signedness, both ways: no overflow makes the sum exact, so
//! its bounds and those of x and y tighten each other; overflow is the join of the cases "too large"
//! and "too small". This is the quotient variable K of a modular sum, case by case (docs/papers/loops.md, rule 1B.9).
//! Not pruned: holes; x and y related.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{BitsDomain, Conflict, Premises, Priority, Status, Store, VarIdx};
use glassbox_values::Signedness;

use super::natural::{Range, hull, meet};
use super::reading::fitting;
use crate::relation::Relation;

/// Which operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Add,
    Sub,
}

fn negated(range: Range) -> Range {
    (-range.1, -range.0)
}

/// `x + y = s` with `s` in `sum`, all exact: the tightened x, y and s.
fn tighten(x: Range, y: Range, sum: Range) -> Option<(Range, Range, Range)> {
    let sum = meet(sum, (x.0 + y.0, x.1 + y.1))?;
    let x = meet(x, (sum.0 - y.1, sum.1 - y.0))?;
    let y = meet(y, (sum.0 - x.1, sum.1 - x.0))?;
    Some((x, y, sum))
}

/// Arguments `[b, x, y]`, and the sum or difference where it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AddOverflow {
    pub direction: Direction,
    pub signedness: Signedness,
}

impl Relation for AddOverflow {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let AddOverflow { direction, signedness } = *self;
        let [b, x, y] = [args[0], args[1], args[2]];
        let (mask, width) = (store.bits(x).mask(), store.bits(x).width());
        let fits = fitting(mask, signedness);
        let turn = i128::from(mask) + 1;
        let rx = store.bits(x).range(signedness);
        let plain = store.bits(y).range(signedness);
        let ry = if direction == Direction::Sub { negated(plain) } else { plain };
        let all = (rx.0 + ry.0, rx.1 + ry.1);
        // The sum lies in `fits`, or a turn above or below it; a known result cuts each case.
        let result = args.get(3).map(|&z| store.bits(z).range(signedness));
        let exact =
            result.map_or(Some(fits), |z| meet(fits, z)).and_then(|sum| tighten(rx, ry, sum));
        let shifted = |by: i128| {
            let case = meet(all, (fits.0 + by, fits.1 + by))?;
            let case = match result {
                None => case,
                Some(z) => meet(case, (z.0 + by, z.1 + by))?,
            };
            let (x, y, sum) = tighten(rx, ry, case)?;
            Some((x, y, (sum.0 - by, sum.1 - by)))
        };
        let (above, below) = (shifted(turn), shifted(-turn));
        let overflow_possible = above.is_some() || below.is_some();
        let truth = store.truth(b).value();
        if !overflow_possible || exact.is_none() {
            let known = if args.len() > 3 { Premises::ALL } else { Premises::at(1).and(2) };
            if !overflow_possible && exact.is_none() {
                return Err(store.fail(known));
            }
            store.set_truth(b, overflow_possible, known)?;
        }
        let truth = truth.or(store.truth(b).value());
        let cases = match truth {
            Some(false) => [exact, None, None],
            Some(true) => [None, above, below],
            None => [exact, above, below],
        };
        let mut joined: Option<(Range, Range, Option<BitsDomain>)> = None;
        for (x, y, sum) in cases.into_iter().flatten() {
            let arc = BitsDomain::from_interval(Clockwise::from_integers(sum.0, sum.1, width));
            joined = Some(match joined {
                None => (x, y, Some(arc)),
                Some((jx, jy, jsum)) => (
                    hull(Some(jx), Some(x)).unwrap_or(x),
                    hull(Some(jy), Some(y)).unwrap_or(y),
                    jsum.map(|sum| sum.join(&arc)),
                ),
            });
        }
        let Some((nx, ny, nz)) = joined else {
            return Err(store.fail(Premises::ALL));
        };
        let ny = if direction == Direction::Sub { negated(ny) } else { ny };
        store.narrow_interval(x, Clockwise::from_integers(nx.0, nx.1, width), Premises::ALL)?;
        store.narrow_interval(y, Clockwise::from_integers(ny.0, ny.1, width), Premises::ALL)?;
        if let (Some(&z), Some(domain)) = (args.get(3), nz) {
            store.narrow_bits(z, &domain, Premises::ALL)?;
        }
        let fixed = store.truth(b).value().is_some() && store.is_fixed(x) && store.is_fixed(y);
        let done = fixed && args.get(3).is_none_or(|&z| store.is_fixed(z));
        Ok(if done { Status::Entailed } else { Status::Stay })
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}
