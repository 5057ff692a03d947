//! `b = (x < y)` and `b = (x <= y)`, unsigned and signed, over vectors of at most 64 bits.
//!
//! Strength: bounds, both ways, holding and failing; equal to the hull when the domains are plain
//! intervals that do not wrap in the order compared. Not pruned: a relation between x and y beyond
//! their bounds.
//!
//! Both orders are handled as unsigned order on keys: a signed number's key has its sign bit flipped
//! (docs/papers/loops.md, rule 1B.6: cut the circle at -2^(n-1)).

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{BitsDomain, Conflict, Premises, Status, Store, VarIdx};
use glassbox_values::Signedness;

use crate::relation::{Difference, Relation};

/// Whether equal operands satisfy the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    Strict,
    OrEqual,
}

/// Arguments `[b, x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    pub signedness: Signedness,
    pub strictness: Strictness,
}

impl Relation for Order {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let Order { signedness, strictness } = *self;
        let [b, x, y] = [args[0], args[1], args[2]];
        let strict = strictness == Strictness::Strict;
        if x == y {
            store.set_truth(b, !strict, Premises::NONE)?;
            return Ok(Status::Entailed);
        }
        match store.truth(b).value() {
            Some(true) => order(store, args, signedness, strict, 1, 2),
            // not (x < y) is y <= x.
            Some(false) => order(store, args, signedness, !strict, 2, 1),
            None => {
                let (x_min, x_max) = key_bounds(store.bits(x), signedness);
                let (y_min, y_max) = key_bounds(store.bits(y), signedness);
                let surely = if strict { x_max < y_min } else { x_max <= y_min };
                let never = if strict { y_max <= x_min } else { y_max < x_min };
                if surely || never {
                    store.set_truth(b, surely, Premises::at(1).and(2))?;
                    return Ok(Status::Entailed);
                }
                Ok(Status::Stay)
            }
        }
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn difference(&self) -> Difference {
        Difference::Order(self.signedness, self.strictness)
    }
}

#[inline]
fn sign_bit(domain: &BitsDomain, signedness: Signedness) -> u64 {
    match signedness {
        Signedness::Signed => (domain.mask() >> 1) + 1,
        Signedness::Unsigned => 0,
    }
}

/// The least and the greatest key.
#[inline]
pub(crate) fn key_bounds(domain: &BitsDomain, signedness: Signedness) -> (u64, u64) {
    match signedness {
        Signedness::Unsigned => (domain.unsigned_min(), domain.unsigned_max()),
        Signedness::Signed => {
            let flip = sign_bit(domain, signedness);
            let key = |value: i64| (value.cast_unsigned() & domain.mask()) ^ flip;
            (key(domain.signed_min()), key(domain.signed_max()))
        }
    }
}

/// Enforces `low < high` or `low <= high` for the arguments at these positions.
#[inline]
fn order(
    store: &mut Store,
    args: &[VarIdx],
    signedness: Signedness,
    strict: bool,
    low_position: usize,
    high_position: usize,
) -> Result<Status, Conflict> {
    let (low, high) = (args[low_position], args[high_position]);
    let domain = store.bits(high);
    let (width, mask) = (domain.width(), domain.mask());
    let flip = sign_bit(domain, signedness);
    let step = u64::from(strict);
    let why_low = Premises::at(0).and(high_position);
    let why_high = Premises::at(0).and(low_position);
    let (_, mut high_max) = key_bounds(domain, signedness);
    loop {
        let Some(limit) = high_max.checked_sub(step) else {
            return Err(store.fail(why_low));
        };
        store.narrow_interval(low, Clockwise::new(flip, limit ^ flip, width), why_low)?;
        let (low_min, low_max) = key_bounds(store.bits(low), signedness);
        if low_min > mask - step {
            return Err(store.fail(why_high));
        }
        let limit = low_min + step;
        store.narrow_interval(high, Clockwise::new(limit ^ flip, mask ^ flip, width), why_high)?;
        let (high_min, new_high_max) = key_bounds(store.bits(high), signedness);
        if new_high_max == high_max {
            let surely = low_max.checked_add(step).is_some_and(|low_max| low_max <= high_min);
            return Ok(if surely { Status::Entailed } else { Status::Stay });
        }
        high_max = new_high_max;
    }
}
