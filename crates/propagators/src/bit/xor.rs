//! `z = x ^ y` bit by bit.
//!
//! Strength: complete on known bits, in all three directions; bounds only through known bits, except
//! that a fixed operand with only its top bit set, or with all bits set, moves arcs exactly. Not
//! pruned: other bounds.

use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};

use crate::relation::Relation;

/// Arguments `[z, x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Xor;

impl Relation for Xor {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let [z, x, y] = [args[0], args[1], args[2]];
        if x == y {
            store.set_bits(z, 0, Premises::NONE)?;
            return Ok(Status::Entailed);
        }
        for (target, (a, a_position), (b, b_position)) in
            [(z, (x, 1), (y, 2)), (x, (z, 0), (y, 2)), (y, (z, 0), (x, 1))]
        {
            let (da, db) = (store.bits(a), store.bits(b));
            let mask = da.mask();
            let known = da.known().xor(db.known());
            let why = Premises::at(a_position).and(b_position);
            let (arc_a, arc_b) = (da.interval(), db.interval());
            let moved = match (da.value(), db.value()) {
                (_, Some(value)) => arc_moved(arc_a, value, mask),
                (Some(value), _) => arc_moved(arc_b, value, mask),
                (None, None) => None,
            };
            store.narrow_known(target, known.ones, known.zeros, why)?;
            if let Some(arc) = moved {
                store.narrow_interval(target, arc, why)?;
            }
        }
        let done = args.iter().all(|&arg| store.is_fixed(arg));
        Ok(if done { Status::Entailed } else { Status::Stay })
    }
}

/// The image of an arc under `^ value` where that is a rotation or a reflection of the circle.
fn arc_moved(
    arc: glassbox_kernel::domain::Clockwise,
    value: u64,
    mask: u64,
) -> Option<glassbox_kernel::domain::Clockwise> {
    let top = (mask >> 1) + 1;
    if value == top {
        return Some(arc.shift_by(top));
    }
    // !x = -x - 1, and flipping the top bit as well adds 2^(n-1).
    let reflected = || arc.negate().shift_by(mask);
    if value == mask {
        return Some(reflected());
    }
    (value == mask >> 1).then(|| reflected().shift_by(top))
}
