//! Bit operations, bit by bit.

use glassbox_terms::{BvOp, Op};
use glassbox_values::Bits;

use crate::bit_at;

/// All positions of `z` satisfy the predicate on (position, bit).
fn every_bit(z: Bits, holds: impl Fn(u8, bool) -> bool) -> bool {
    (0..z.width()).all(|position| holds(position, bit_at(z, position)))
}

/// Whether `z = op(x)`.
pub fn unary_holds(op: Op, x: Bits, z: Bits) -> Option<bool> {
    let sign = bit_at(x, x.width() - 1);
    let holds = match op {
        Op::Bv(BvOp::Not) => every_bit(z, |position, bit| bit != bit_at(x, position)),
        // x + z is zero or 2^n.
        Op::Bv(BvOp::Neg) => {
            let turn_minus_one = u128::MAX >> (128 - x.width());
            if x.unsigned() == 0 {
                z.unsigned() == 0
            } else {
                z.unsigned() == turn_minus_one - x.unsigned() + 1
            }
        }
        Op::Bv(BvOp::Extract { lo, .. }) => {
            every_bit(z, |position, bit| bit == bit_at(x, position + lo))
        }
        Op::Bv(BvOp::ZeroExtend { .. }) => {
            every_bit(z, |position, bit| bit == (position < x.width() && bit_at(x, position)))
        }
        Op::Bv(BvOp::SignExtend { .. }) => every_bit(z, |position, bit| {
            bit == if position < x.width() { bit_at(x, position) } else { sign }
        }),
        _ => return None,
    };
    Some(holds)
}

/// Whether `z = op(x, y)`.
pub fn binary_holds(op: Op, x: Bits, y: Bits, z: Bits) -> Option<bool> {
    let width = x.width();
    let amount = y.unsigned();
    // The bit `offset` places above or below, `outside` where there is none.
    let from_below = |position: u8| {
        u128::from(position) >= amount
            && bit_at(x, position - u8::try_from(amount).unwrap_or(u8::MAX))
    };
    let from_above = |position: u8, outside: bool| match u128::from(position).checked_add(amount) {
        Some(source) if source < u128::from(width) => {
            bit_at(x, u8::try_from(source).unwrap_or(u8::MAX))
        }
        Some(_) | None => outside,
    };
    let sign = bit_at(x, width - 1);
    let holds = match op {
        Op::Bv(BvOp::And) => every_bit(z, |p, bit| bit == (bit_at(x, p) && bit_at(y, p))),
        Op::Bv(BvOp::Or) => every_bit(z, |p, bit| bit == (bit_at(x, p) || bit_at(y, p))),
        Op::Bv(BvOp::Xor) => every_bit(z, |p, bit| bit == (bit_at(x, p) != bit_at(y, p))),
        Op::Bv(BvOp::Shl) => every_bit(z, |p, bit| bit == from_below(p)),
        Op::Bv(BvOp::Lshr) => every_bit(z, |p, bit| bit == from_above(p, false)),
        Op::Bv(BvOp::Ashr) => every_bit(z, |p, bit| bit == from_above(p, sign)),
        Op::Bv(BvOp::Concat) => every_bit(z, |p, bit| {
            bit == if p < y.width() { bit_at(y, p) } else { bit_at(x, p - y.width()) }
        }),
        _ => return None,
    };
    Some(holds)
}
