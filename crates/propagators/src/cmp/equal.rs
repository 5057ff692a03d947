//! `b = (x == y)` over vectors of any width.
//!
//! Strength: holds: both domains become their meet. Fails: a fixed side is removed from the other,
//! at a bound or as a hole. Undecided: decided when the domains miss each other or are the same
//! point. Not pruned: `x != y` with both open; a third hole.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{Conflict, Domain, Premises, Status, Store, VarIdx};

use crate::boolean::ite::misses;
use crate::relation::{Difference, Relation};

/// Arguments `[b, x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Equal;

impl Relation for Equal {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let [b, x, y] = [args[0], args[1], args[2]];
        if x == y {
            store.set_truth(b, true, Premises::NONE)?;
            return Ok(Status::Entailed);
        }
        match store.truth(b).value() {
            Some(true) => {
                if let (Domain::Bits(_), Some(value)) = (store.domain(x), fixed(store, y)) {
                    store.set_bits(x, value, Premises::at(0).and(2))?;
                    return Ok(Status::Entailed);
                }
                let domain = *store.domain(y);
                store.narrow(x, &domain, Premises::at(0).and(2))?;
                let domain = *store.domain(x);
                store.narrow(y, &domain, Premises::at(0).and(1))?;
                Ok(if domain.is_fixed() { Status::Entailed } else { Status::Stay })
            }
            Some(false) => {
                let why_x = Premises::at(0).and(2);
                let why_y = Premises::at(0).and(1);
                if store.is_fixed(y) {
                    return remove(store, x, y, why_x);
                }
                if store.is_fixed(x) {
                    return remove(store, y, x, why_y);
                }
                Ok(if misses(store, x, y) { Status::Entailed } else { Status::Stay })
            }
            None => {
                if misses(store, x, y) {
                    store.set_truth(b, false, Premises::at(1).and(2))?;
                    return Ok(Status::Entailed);
                }
                if store.is_fixed(x) && store.is_fixed(y) {
                    store.set_truth(b, true, Premises::at(1).and(2))?;
                    return Ok(Status::Entailed);
                }
                Ok(Status::Stay)
            }
        }
    }

    fn difference(&self) -> Difference {
        Difference::Equal
    }
}

fn fixed(store: &Store, var: VarIdx) -> Option<u64> {
    match store.domain(var) {
        Domain::Bits(bits) => bits.value(),
        Domain::Bool(_) | Domain::Wide(_) | Domain::Float(_) | Domain::Opaque => None,
    }
}

/// Takes the value of `point` out of `from`.
fn remove(
    store: &mut Store,
    from: VarIdx,
    point: VarIdx,
    why: Premises,
) -> Result<Status, Conflict> {
    match (*store.domain(from), *store.domain(point)) {
        (Domain::Bits(domain), Domain::Bits(point)) => {
            let hole = Clockwise::point(point.interval().lo(), domain.width());
            if let Some(rest) = hole.complement() {
                store.narrow_interval(from, rest, why)?;
            }
            let gone = !store.bits(from).contains(hole.lo());
            Ok(if gone { Status::Entailed } else { Status::Stay })
        }
        (Domain::Wide(domain), Domain::Wide(point)) => {
            let value = point.lo();
            if domain.value() == Some(value) {
                return Err(store.fail(Premises::ALL));
            }
            let (mut lo, mut hi) = (domain.lo(), domain.hi());
            lo += u128::from(lo == value);
            hi -= u128::from(hi == value);
            match glassbox_kernel::WideBits::range(lo, hi, domain.width()) {
                Some(rest) => store.narrow_wide(from, &rest, why)?,
                None => return Err(store.fail(Premises::ALL)),
            };
            let gone = !store.wide(from).contains(value);
            Ok(if gone { Status::Entailed } else { Status::Stay })
        }
        _ => Ok(Status::Stay),
    }
}
