//! Bit-vector operators on values.

use glassbox_values::Bits;

use crate::op::Op;
use crate::value::Value;

/// `op`, a bit-vector operator, on bit-vector arguments.
pub(super) fn apply(op: Op, arg: impl Fn(usize) -> Bits) -> Value {
    if let Some(bits) = arithmetic(op, &arg) {
        return Value::Bv(bits);
    }
    let a = arg(0);
    let truth = match op {
        Op::BvUlt => a.ult(arg(1)),
        Op::BvUle => a.ule(arg(1)),
        Op::BvSlt => a.slt(arg(1)),
        Op::BvSle => a.sle(arg(1)),
        Op::BvAddOverflow(signedness) => a.add_overflows(arg(1), signedness),
        Op::BvSubOverflow(signedness) => a.sub_overflows(arg(1), signedness),
        Op::BvMulOverflow(signedness) => a.mul_overflows(arg(1), signedness),
        Op::BvNegOverflow => a.neg_overflows(),
        _ => unreachable!("{op:?} is not an operator on bit-vectors"),
    };
    Value::Bool(truth)
}

fn arithmetic(op: Op, arg: &impl Fn(usize) -> Bits) -> Option<Bits> {
    let a = arg(0);
    let bits = match op {
        Op::BvNeg => a.neg(),
        Op::BvNot => a.not(),
        Op::BvAdd => a.add(arg(1)),
        Op::BvSub => a.sub(arg(1)),
        Op::BvMul => a.mul(arg(1)),
        Op::BvUdiv => a.udiv(arg(1)),
        Op::BvUrem => a.urem(arg(1)),
        Op::BvSdiv => a.sdiv(arg(1)),
        Op::BvSrem => a.srem(arg(1)),
        Op::BvSmod => a.smod(arg(1)),
        Op::BvAnd => a.and(arg(1)),
        Op::BvOr => a.or(arg(1)),
        Op::BvXor => a.xor(arg(1)),
        Op::BvShl => a.shl(arg(1)),
        Op::BvLshr => a.lshr(arg(1)),
        Op::BvAshr => a.ashr(arg(1)),
        Op::BvConcat => a.concat(arg(1)),
        Op::BvExtract { hi, lo } => a.extract(hi, lo),
        Op::BvZeroExtend { width } => a.zero_extend(width),
        Op::BvSignExtend { width } => a.sign_extend(width),
        _ => return None,
    };
    Some(bits)
}
