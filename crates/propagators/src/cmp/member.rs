//! `b = (x in arc)` for a constant arc: comparisons of two sums that differ by a constant only.
//!
//! `x + c < x + d` modulo 2^n holds exactly on one arc of x, in either signedness, although it says
//! nothing about bounds of two independent operands: `x + 4 < x` only where the sum wraps. Strength:
//! complete on arcs, both ways. Generalizes the rule `x + c < x  <=>  x >= 2^n - c` of docs/papers/loops.md, rule 1B.7.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::domain::clockwise::Meet;
use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};
use glassbox_values::Signedness;

use crate::relation::Relation;

/// The x with `x < x + gap`, for a gap that is not zero: on keys, those that do not wrap.
pub(crate) fn less_than_itself_plus(gap: u64, signedness: Signedness, width: u8) -> Clockwise {
    let full = Clockwise::full(width);
    let first = match signedness {
        Signedness::Unsigned => 0,
        Signedness::Signed => (full.mask() >> 1) + 1,
    };
    Clockwise::new(first, first.wrapping_add(full.mask() - (gap & full.mask())), width)
}

/// `b = (x in arc)`; arguments `[b, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member(pub Clockwise);

impl Relation for Member {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let Member(arc) = *self;
        let [b, x] = [args[0], args[1]];
        let Some(outside) = arc.complement() else {
            store.set_truth(b, true, Premises::NONE)?;
            return Ok(Status::Entailed);
        };
        let domain = store.bits(x);
        let truth = match store.truth(b).value() {
            Some(truth) => truth,
            None if domain.meet_interval(arc).is_none() => false,
            None if domain.meet_interval(outside).is_none() => true,
            None => return Ok(Status::Stay),
        };
        store.set_truth(b, truth, Premises::at(1))?;
        let side = if truth { arc } else { outside };
        store.narrow_interval(x, side, Premises::at(0))?;
        // All of the domain lies inside unless there was no room for the hole.
        let done = match store.bits(x).interval().meet(side) {
            Meet::One(met) => met == store.bits(x).interval(),
            Meet::Two(..) | Meet::Empty => store.is_fixed(x),
        };
        Ok(if done { Status::Entailed } else { Status::Stay })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arc_is_right_for_every_gap_of_3_bits() {
        for gap in 1..8u64 {
            let unsigned = less_than_itself_plus(gap, Signedness::Unsigned, 3);
            let signed = less_than_itself_plus(gap, Signedness::Signed, 3);
            for x in 0..8u64 {
                let y = (x + gap) & 7;
                assert_eq!(unsigned.contains(x), x < y, "{x} < {x} + {gap}");
                let key = |v: u64| v ^ 4;
                assert_eq!(signed.contains(x), key(x) < key(y), "{x} < {x} + {gap}, signed");
            }
        }
    }
}
