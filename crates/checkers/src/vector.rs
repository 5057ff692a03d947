//! Relations over vectors, one line per operator.

use glassbox_terms::{BvOp, Value};

use crate::bit::{every_bit, shifted_left, shifted_right};
use crate::int::{self, add, flip};
use crate::{bit_at, overflow};

/// Whether `result = op(operands)`; `None` when the sorts do not fit.
pub(crate) fn holds(op: BvOp, operands: &[Value], result: &Value) -> Option<bool> {
    let x = operands.first()?.as_bits()?;
    let sign = bit_at(x, x.width() - 1);
    let y = || operands.get(1)?.as_bits();
    let (z, truth) = (|| result.as_bits(), || result.as_bool());
    let holds = match op {
        BvOp::Not => every_bit(z()?, |p, bit| bit != bit_at(x, p)),
        BvOp::Neg => int::is_negation(x, z()?),
        BvOp::Add => z()? == add(x, y()?, false),
        BvOp::Sub => z()? == add(x, flip(y()?), true),
        BvOp::Mul => z()? == int::multiply(x, y()?),
        BvOp::Udiv => z()? == int::unsigned_quotient(x, y()?),
        BvOp::Urem => z()? == int::unsigned_remainder(x, y()?),
        BvOp::Sdiv => z()? == int::signed_quotient(x, y()?),
        BvOp::Srem => z()? == int::signed_remainder(x, y()?),
        BvOp::Smod => z()? == int::signed_modulus(x, y()?),
        BvOp::And => {
            let y = y()?;
            every_bit(z()?, |p, bit| bit == (bit_at(x, p) && bit_at(y, p)))
        }
        BvOp::Or => {
            let y = y()?;
            every_bit(z()?, |p, bit| bit == (bit_at(x, p) || bit_at(y, p)))
        }
        BvOp::Xor => {
            let y = y()?;
            every_bit(z()?, |p, bit| bit == (bit_at(x, p) != bit_at(y, p)))
        }
        BvOp::Shl => shifted_left(x, y()?, z()?),
        BvOp::Lshr => shifted_right(x, y()?, z()?, false),
        BvOp::Ashr => shifted_right(x, y()?, z()?, sign),
        BvOp::Concat => {
            let low = y()?;
            let border = low.width();
            every_bit(z()?, |p, bit| {
                bit == if p < border { bit_at(low, p) } else { bit_at(x, p - border) }
            })
        }
        BvOp::Extract { lo, .. } => every_bit(z()?, |p, bit| bit == bit_at(x, p + lo)),
        BvOp::ZeroExtend { .. } => every_bit(z()?, |p, bit| bit == (p < x.width() && bit_at(x, p))),
        BvOp::SignExtend { .. } => {
            every_bit(z()?, |p, bit| bit == if p < x.width() { bit_at(x, p) } else { sign })
        }
        BvOp::Ult => truth()? == (x.unsigned() < y()?.unsigned()),
        BvOp::Ule => truth()? == (x.unsigned() <= y()?.unsigned()),
        BvOp::Slt => truth()? == (x.signed() < y()?.signed()),
        BvOp::Sle => truth()? == (x.signed() <= y()?.signed()),
        BvOp::AddOverflow(signedness) => truth()? == overflow::of_sum(signedness, x, y()?),
        BvOp::SubOverflow(signedness) => truth()? == overflow::of_difference(signedness, x, y()?),
        BvOp::MulOverflow(signedness) => truth()? == overflow::of_product(signedness, x, y()?),
        BvOp::NegOverflow => truth()? == (x.unsigned() == 1 << (x.width() - 1)),
    };
    Some(holds)
}
