//! Bit-vector operators on values.

use glassbox_values::Bits;

use crate::op::BvOp;
use crate::value::Value;

/// The value of an operator on bit-vectors.
pub(super) fn apply(op: BvOp, arg: impl Fn(usize) -> Bits) -> Value {
    let a = arg(0);
    match op {
        BvOp::Neg => Value::Bv(a.neg()),
        BvOp::Not => Value::Bv(a.not()),
        BvOp::Add => Value::Bv(a.add(arg(1))),
        BvOp::Sub => Value::Bv(a.sub(arg(1))),
        BvOp::Mul => Value::Bv(a.mul(arg(1))),
        BvOp::Udiv => Value::Bv(a.udiv(arg(1))),
        BvOp::Urem => Value::Bv(a.urem(arg(1))),
        BvOp::Sdiv => Value::Bv(a.sdiv(arg(1))),
        BvOp::Srem => Value::Bv(a.srem(arg(1))),
        BvOp::Smod => Value::Bv(a.smod(arg(1))),
        BvOp::And => Value::Bv(a.and(arg(1))),
        BvOp::Or => Value::Bv(a.or(arg(1))),
        BvOp::Xor => Value::Bv(a.xor(arg(1))),
        BvOp::Shl => Value::Bv(a.shl(arg(1))),
        BvOp::Lshr => Value::Bv(a.lshr(arg(1))),
        BvOp::Ashr => Value::Bv(a.ashr(arg(1))),
        BvOp::Concat => Value::Bv(a.concat(arg(1))),
        BvOp::Extract { hi, lo } => Value::Bv(a.extract(hi, lo)),
        BvOp::ZeroExtend { width } => Value::Bv(a.zero_extend(width)),
        BvOp::SignExtend { width } => Value::Bv(a.sign_extend(width)),
        BvOp::Ult => Value::Bool(a.ult(arg(1))),
        BvOp::Ule => Value::Bool(a.ule(arg(1))),
        BvOp::Slt => Value::Bool(a.slt(arg(1))),
        BvOp::Sle => Value::Bool(a.sle(arg(1))),
        BvOp::AddOverflow(signedness) => Value::Bool(a.add_overflows(arg(1), signedness)),
        BvOp::SubOverflow(signedness) => Value::Bool(a.sub_overflows(arg(1), signedness)),
        BvOp::MulOverflow(signedness) => Value::Bool(a.mul_overflows(arg(1), signedness)),
        BvOp::NegOverflow => Value::Bool(a.neg_overflows()),
    }
}
