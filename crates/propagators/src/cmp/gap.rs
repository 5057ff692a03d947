//! `b = (x < y)` or `b = (x <= y)` where `gap = y - x` modulo 2^n is a simpler expression of its own.
//!
//! Used when both sides share parts, as in `x + y < x` or `a + 6 * b < a + 8 * b`: the bounds of the
//! sides alone say little, their difference says all. On keys (see `order`) either `x + gap = y`
//! exactly, and x <= y, or the sum passes the end of the circle, and y < x. Strength: constructive
//! disjunction of these cases on bounds. Not pruned: holes.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{BitsDomain, Conflict, Premises, Status, Store, VarIdx};
use glassbox_values::Signedness;

use super::order::{Strictness, key_bounds};
use crate::int::natural::{Range, hull, meet};
use crate::relation::{Difference, Relation};

type Case = [Range; 3];

/// `x + gap = y` over the integers.
fn tighten([x, y, gap]: Case) -> Option<Case> {
    let y = meet(y, (x.0 + gap.0, x.1 + gap.1))?;
    let x = meet(x, (y.0 - gap.1, y.1 - gap.0))?;
    let gap = meet(gap, (y.0 - x.1, y.1 - x.0))?;
    Some([x, y, gap])
}

fn join(a: Option<Case>, b: Option<Case>) -> Option<Case> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let pair = |i: usize| hull(Some(a[i]), Some(b[i])).unwrap_or(a[i]);
            Some([pair(0), pair(1), pair(2)])
        }
        (one, None) | (None, one) => one,
    }
}

/// Arguments `[b, x, y, y - x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    pub signedness: Signedness,
    pub strictness: Strictness,
}

impl Relation for Gap {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let Gap { signedness, strictness } = *self;
        let [b, x, y, gap] = [args[0], args[1], args[2], args[3]];
        let mask = store.bits(x).mask();
        let turn = i128::from(mask) + 1;
        let range = |domain: &BitsDomain, signedness| {
            let (lo, hi) = key_bounds(domain, signedness);
            (i128::from(lo), i128::from(hi))
        };
        let rx = range(store.bits(x), signedness);
        let ry = range(store.bits(y), signedness);
        let rg = range(store.bits(gap), Signedness::Unsigned);
        let wrapped = tighten([rx, (ry.0 + turn, ry.1 + turn), rg])
            .map(|[x, y, gap]| [x, (y.0 - turn, y.1 - turn), gap]);
        let apart = meet(rg, (1, turn)).and_then(|gap| tighten([rx, ry, gap]));
        let equal = meet(rg, (0, 0)).and_then(|gap| tighten([rx, ry, gap]));
        let (holds, fails) = match strictness {
            Strictness::Strict => (apart, join(wrapped, equal)),
            Strictness::OrEqual => (join(apart, equal), wrapped),
        };
        match (holds, fails) {
            (None, None) => return Err(store.fail(Premises::ALL)),
            (None, Some(_)) => store.set_truth(b, false, Premises::ALL)?,
            (Some(_), None) => store.set_truth(b, true, Premises::ALL)?,
            (Some(_), Some(_)) => false,
        };
        let left = match store.truth(b).value() {
            Some(true) => holds,
            Some(false) => fails,
            None => join(holds, fails),
        };
        let Some([nx, ny, ng]) = left else {
            return Err(store.fail(Premises::ALL));
        };
        let shift = match signedness {
            Signedness::Unsigned => 0,
            Signedness::Signed => turn / 2,
        };
        let width = store.bits(x).width();
        let arc =
            |(lo, hi): Range, shift: i128| Clockwise::from_integers(lo - shift, hi - shift, width);
        store.narrow_interval(x, arc(nx, shift), Premises::ALL)?;
        store.narrow_interval(y, arc(ny, shift), Premises::ALL)?;
        store.narrow_interval(gap, arc(ng, 0), Premises::ALL)?;
        let done = args.iter().all(|&arg| store.is_fixed(arg));
        Ok(if done { Status::Entailed } else { Status::Stay })
    }

    fn difference(&self) -> Difference {
        Difference::Order(self.signedness, self.strictness)
    }
}
