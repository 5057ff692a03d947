//! Overflow predicates: whether the exact result fits, compared without ever leaving 128 bits.

use glassbox_terms::{BvOp, Op};
use glassbox_values::{Bits, Signedness};

/// Whether `b` says that negation of `x` does not fit.
pub fn unary_holds(op: Op, x: Bits, b: bool) -> Option<bool> {
    match op {
        Op::Bv(BvOp::NegOverflow) => Some(b == (x.unsigned() == 1 << (x.width() - 1))),
        _ => None,
    }
}

/// Whether `b` says that the exact result of the operation does not fit.
pub fn binary_holds(op: Op, x: Bits, y: Bits, b: bool) -> Option<bool> {
    let overflows = match op {
        Op::Bv(BvOp::AddOverflow(Signedness::Unsigned)) => {
            y.unsigned() > greatest_unsigned(x) - x.unsigned()
        }
        Op::Bv(BvOp::SubOverflow(Signedness::Unsigned)) => x.unsigned() < y.unsigned(),
        Op::Bv(BvOp::MulOverflow(Signedness::Unsigned)) => {
            y.unsigned() != 0 && x.unsigned() > greatest_unsigned(x) / y.unsigned()
        }
        Op::Bv(BvOp::AddOverflow(Signedness::Signed)) => {
            let (least, greatest) = signed_bounds(x);
            if y.signed() >= 0 {
                x.signed() > greatest - y.signed()
            } else {
                x.signed() < least - y.signed()
            }
        }
        Op::Bv(BvOp::SubOverflow(Signedness::Signed)) => {
            let (least, greatest) = signed_bounds(x);
            if y.signed() >= 0 {
                x.signed() < least + y.signed()
            } else {
                x.signed() > greatest + y.signed()
            }
        }
        Op::Bv(BvOp::MulOverflow(Signedness::Signed)) => {
            let room = if (x.signed() < 0) == (y.signed() < 0) {
                signed_bounds(x).1.unsigned_abs()
            } else {
                signed_bounds(x).0.unsigned_abs()
            };
            let (x, y) = (x.signed().unsigned_abs(), y.signed().unsigned_abs());
            y != 0 && x > room / y
        }
        _ => return None,
    };
    Some(b == overflows)
}

fn greatest_unsigned(x: Bits) -> u128 {
    u128::MAX >> (128 - x.width())
}

fn signed_bounds(x: Bits) -> (i128, i128) {
    let greatest = i128::MAX >> (128 - x.width());
    (-greatest - 1, greatest)
}
