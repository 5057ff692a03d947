//! Vectors bit by bit.

use glassbox_values::Bits;

use crate::bit_at;

/// All positions of `z` satisfy the predicate on (position, bit).
pub(crate) fn every_bit(z: Bits, holds: impl Fn(u8, bool) -> bool) -> bool {
    (0..z.width()).all(|position| holds(position, bit_at(z, position)))
}

pub(crate) fn shifted_left(x: Bits, amount: Bits, z: Bits) -> bool {
    every_bit(z, |position, bit| {
        let source = u128::from(position).checked_sub(amount.unsigned());
        bit == source.is_some_and(|source| x.unsigned() >> source & 1 == 1)
    })
}

/// Shifted to the right; `outside` comes in at the top.
pub(crate) fn shifted_right(x: Bits, amount: Bits, z: Bits, outside: bool) -> bool {
    every_bit(z, |position, bit| match u128::from(position).checked_add(amount.unsigned()) {
        Some(source) if source < u128::from(x.width()) => bit == (x.unsigned() >> source & 1 == 1),
        Some(_) | None => bit == outside,
    })
}
