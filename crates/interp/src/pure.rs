//! Instructions without memory or control: one plain function from operands to a result.
//!
//! Words are raw bits, zero-extended. This is the slow, obvious path; `step` has fast twins for the
//! common cases, and tests compare the two. Floats use the host's IEEE arithmetic, which is exact for
//! binary32 and binary64 (and keeps the payload of a NaN as the target machine does).

use glassbox_ir::instr::{
    BinaryOp, CastOp, CompareOp, FloatBinaryOp, FloatClassifyOp, FloatCompareOp, FloatUnaryOp,
    OverflowOp, UnaryOp,
};
use glassbox_ir::{Operand, PureOp, Ty};
use glassbox_values::{Bits, Format, RoundingMode, Signedness};

/// What an operation computes. `read` gives an operand's bits and type.
pub fn evaluate(op: &PureOp, read: impl Fn(Operand) -> (u128, Ty)) -> u128 {
    let bits = |operand| {
        let (value, ty) = read(operand);
        match ty {
            Ty::Int(width) => Bits::new(value, width),
            Ty::Float(format) => Bits::new(value, format.width()),
            Ty::Ptr => Bits::new(value, 64),
        }
    };
    let float = |operand| {
        let (value, ty) = read(operand);
        Host::new(value, ty)
    };
    match *op {
        PureOp::Unary { op, arg } => unary(op, bits(arg)).unsigned(),
        PureOp::Binary { op, lhs, rhs } => binary(op, bits(lhs), bits(rhs)).unsigned(),
        PureOp::Compare { op, lhs, rhs } => u128::from(compare(op, bits(lhs), bits(rhs))),
        PureOp::Overflows { op, signedness, lhs, rhs } => {
            u128::from(overflows(op, signedness, bits(lhs), bits(rhs)))
        }
        PureOp::Select { condition, if_true, if_false } => {
            read(if bits(condition).is_true() { if_true } else { if_false }).0
        }
        PureOp::Cast { op, arg, to } => {
            let (value, from) = read(arg);
            cast(op, value, from, to)
        }
        PureOp::FloatUnary { op, arg } => float_unary(op, float(arg)).bits(),
        PureOp::FloatBinary { op, lhs, rhs } => float_binary(op, float(lhs), float(rhs)).bits(),
        PureOp::FloatFma { x, y, z } => match (float(x), float(y), float(z)) {
            (Host::F32(x), Host::F32(y), Host::F32(z)) => Host::F32(x.mul_add(y, z)).bits(),
            (x, y, z) => Host::F64(x.to_f64().mul_add(y.to_f64(), z.to_f64())).bits(),
        },
        PureOp::FloatCompare { op, lhs, rhs } => {
            let (lhs, rhs) = (float(lhs).to_f64(), float(rhs).to_f64());
            u128::from(match op {
                FloatCompareOp::Eq => lhs == rhs,
                FloatCompareOp::Ne => lhs != rhs,
                FloatCompareOp::Lt => lhs < rhs,
                FloatCompareOp::Le => lhs <= rhs,
            })
        }
        PureOp::FloatClassify { op, arg } => u128::from(classify(op, float(arg))),
    }
}

/// A float in the host's own form.
#[derive(Debug, Clone, Copy)]
enum Host {
    F32(f32),
    F64(f64),
}

impl Host {
    fn new(bits: u128, ty: Ty) -> Host {
        if ty == Ty::Float(Format::F32) {
            Host::F32(f32::from_bits(bits as u32))
        } else {
            Host::F64(f64::from_bits(bits as u64))
        }
    }

    fn bits(self) -> u128 {
        match self {
            Host::F32(value) => u128::from(value.to_bits()),
            Host::F64(value) => u128::from(value.to_bits()),
        }
    }

    /// Exact for both.
    fn to_f64(self) -> f64 {
        match self {
            Host::F32(value) => f64::from(value),
            Host::F64(value) => value,
        }
    }
}

fn unary(op: UnaryOp, arg: Bits) -> Bits {
    let width = arg.width();
    let count = |n: u32| Bits::new(u128::from(n), width);
    match op {
        UnaryOp::Neg => arg.neg(),
        UnaryOp::Not => arg.not(),
        UnaryOp::Clz => count((arg.unsigned().leading_zeros()) - u32::from(128 - width)),
        UnaryOp::Ctz => count(arg.unsigned().trailing_zeros().min(u32::from(width))),
        UnaryOp::Popcount => count(arg.unsigned().count_ones()),
        UnaryOp::Bswap => Bits::new(arg.unsigned().swap_bytes() >> (128 - width), width),
    }
}

fn binary(op: BinaryOp, lhs: Bits, rhs: Bits) -> Bits {
    match op {
        BinaryOp::Add => lhs.add(rhs),
        BinaryOp::Sub => lhs.sub(rhs),
        BinaryOp::Mul => lhs.mul(rhs),
        BinaryOp::Udiv => lhs.udiv(rhs),
        BinaryOp::Urem => lhs.urem(rhs),
        BinaryOp::Sdiv => lhs.sdiv(rhs),
        BinaryOp::Srem => lhs.srem(rhs),
        BinaryOp::And => lhs.and(rhs),
        BinaryOp::Or => lhs.or(rhs),
        BinaryOp::Xor => lhs.xor(rhs),
        BinaryOp::Shl => lhs.shl(rhs),
        BinaryOp::Lshr => lhs.lshr(rhs),
        BinaryOp::Ashr => lhs.ashr(rhs),
    }
}

pub(crate) fn compare(op: CompareOp, lhs: Bits, rhs: Bits) -> bool {
    match op {
        CompareOp::Eq => lhs == rhs,
        CompareOp::Ne => lhs != rhs,
        CompareOp::Ult => lhs.unsigned() < rhs.unsigned(),
        CompareOp::Ule => lhs.unsigned() <= rhs.unsigned(),
        CompareOp::Slt => lhs.signed() < rhs.signed(),
        CompareOp::Sle => lhs.signed() <= rhs.signed(),
    }
}

fn overflows(op: OverflowOp, signedness: Signedness, lhs: Bits, rhs: Bits) -> bool {
    match op {
        OverflowOp::Add => lhs.add_overflows(rhs, signedness),
        OverflowOp::Sub => lhs.sub_overflows(rhs, signedness),
        OverflowOp::Mul => lhs.mul_overflows(rhs, signedness),
    }
}

fn cast(op: CastOp, value: u128, from: Ty, to: Ty) -> u128 {
    let to_width = match to {
        Ty::Int(width) => width,
        Ty::Float(format) => format.width(),
        Ty::Ptr => 64,
    };
    let signed = |width| Bits::new(value, width).signed();
    match (op, from) {
        (CastOp::SignExtend, Ty::Int(width)) => {
            Bits::from_signed(signed(width), to_width).unsigned()
        }
        (CastOp::IntToFloat(signedness), Ty::Int(width)) => {
            let is_f32 = to == Ty::Float(Format::F32);
            match (signedness, is_f32) {
                (Signedness::Signed, true) => Host::F32(signed(width) as f32).bits(),
                (Signedness::Signed, false) => Host::F64(signed(width) as f64).bits(),
                (Signedness::Unsigned, true) => Host::F32(value as f32).bits(),
                (Signedness::Unsigned, false) => Host::F64(value as f64).bits(),
            }
        }
        (CastOp::FloatToInt(signedness), _) => {
            float_to_int(Host::new(value, from).to_f64(), signedness, to_width)
        }
        (CastOp::FloatToIntSaturating, _) => {
            let value = Host::new(value, from).to_f64();
            let (low, high) = (Bits::min_signed(to_width), Bits::max_signed(to_width));
            // `as` truncates, clamps and sends NaN to zero; i128 holds every narrower bound.
            Bits::from_signed((value as i128).clamp(low.signed(), high.signed()), to_width)
                .unsigned()
        }
        (CastOp::FloatToFloat, _) => match (Host::new(value, from), to) {
            (Host::F64(value), Ty::Float(Format::F32)) => Host::F32(value as f32).bits(),
            (Host::F32(value), Ty::Float(Format::F64)) => Host::F64(f64::from(value)).bits(),
            (same, _) => same.bits(),
        },
        (
            CastOp::Truncate
            | CastOp::ZeroExtend
            | CastOp::Reinterpret
            | CastOp::PtrToInt
            | CastOp::IntToPtr,
            _,
        )
        | (CastOp::SignExtend | CastOp::IntToFloat(_), Ty::Float(_) | Ty::Ptr) => {
            Bits::new(value, to_width).unsigned()
        }
    }
}

/// Toward zero; what does not fit gives zero, as `CastOp::FloatToInt` is defined.
fn float_to_int(value: f64, signedness: Signedness, width: u8) -> u128 {
    let truncated = value.trunc();
    let exponent = match signedness {
        Signedness::Signed => i32::from(width) - 1,
        Signedness::Unsigned => i32::from(width),
    };
    let limit = 2f64.powi(exponent);
    let is_low_enough = truncated < limit;
    let is_high_enough = match signedness {
        Signedness::Signed => truncated >= -limit,
        Signedness::Unsigned => truncated > -1.0,
    };
    if !(is_low_enough && is_high_enough) {
        return 0;
    }
    match signedness {
        Signedness::Signed => Bits::from_signed(truncated as i128, width).unsigned(),
        Signedness::Unsigned => truncated as u128,
    }
}

fn float_unary(op: FloatUnaryOp, arg: Host) -> Host {
    match arg {
        Host::F32(value) => Host::F32(match op {
            FloatUnaryOp::Neg => -value,
            FloatUnaryOp::Abs => value.abs(),
            FloatUnaryOp::Sqrt => value.sqrt(),
            // Rounding to an integral value is exact in the wider format.
            FloatUnaryOp::Round(mode) => round(f64::from(value), mode) as f32,
        }),
        Host::F64(value) => Host::F64(match op {
            FloatUnaryOp::Neg => -value,
            FloatUnaryOp::Abs => value.abs(),
            FloatUnaryOp::Sqrt => value.sqrt(),
            FloatUnaryOp::Round(mode) => round(value, mode),
        }),
    }
}

fn round(value: f64, mode: RoundingMode) -> f64 {
    match mode {
        RoundingMode::NearestEven => value.round_ties_even(),
        RoundingMode::NearestAway => value.round(),
        RoundingMode::TowardPositive => value.ceil(),
        RoundingMode::TowardNegative => value.floor(),
        RoundingMode::TowardZero => value.trunc(),
    }
}

fn float_binary(op: FloatBinaryOp, lhs: Host, rhs: Host) -> Host {
    match (lhs, rhs) {
        (Host::F32(x), Host::F32(y)) => Host::F32(match op {
            FloatBinaryOp::Add => x + y,
            FloatBinaryOp::Sub => x - y,
            FloatBinaryOp::Mul => x * y,
            FloatBinaryOp::Div => x / y,
            // These are exact: no rounding happens on the way back.
            FloatBinaryOp::Fmod => x % y,
            FloatBinaryOp::Remainder
            | FloatBinaryOp::Fmin
            | FloatBinaryOp::Fmax
            | FloatBinaryOp::JavaMin
            | FloatBinaryOp::JavaMax
            | FloatBinaryOp::CopySign => float_binary_f64(op, f64::from(x), f64::from(y)) as f32,
        }),
        (x, y) => Host::F64(float_binary_f64(op, x.to_f64(), y.to_f64())),
    }
}

fn float_binary_f64(op: FloatBinaryOp, x: f64, y: f64) -> f64 {
    match op {
        FloatBinaryOp::Add => x + y,
        FloatBinaryOp::Sub => x - y,
        FloatBinaryOp::Mul => x * y,
        FloatBinaryOp::Div => x / y,
        FloatBinaryOp::Fmod => x % y,
        FloatBinaryOp::Remainder => ieee_remainder(x, y),
        FloatBinaryOp::Fmin => x.min(y),
        FloatBinaryOp::Fmax => x.max(y),
        FloatBinaryOp::JavaMin => java_min(x, y),
        FloatBinaryOp::JavaMax => -java_min(-x, -y),
        FloatBinaryOp::CopySign => x.copysign(y),
    }
}

fn java_min(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        f64::NAN
    } else if x == y {
        // Equal, or zeros of different sign: the negative zero is the smaller.
        if x.is_sign_negative() { x } else { y }
    } else {
        x.min(y)
    }
}

/// `x - n*y` with n the integer nearest to x/y, ties to even. Every step is exact.
fn ieee_remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let y = y.abs();
    // Reducing by 2y first keeps the parity of the quotient.
    let reduced = if y <= f64::MAX / 2.0 { x % (y * 2.0) } else { x };
    let mut rest = reduced.abs();
    if y < f64::MIN_POSITIVE * 2.0 {
        if rest + rest > y {
            rest -= y;
            if rest + rest >= y {
                rest -= y;
            }
        }
    } else {
        let half = y * 0.5;
        if rest > half {
            rest -= y;
            if rest >= half {
                rest -= y;
            }
        }
    }
    if x.is_sign_negative() { -rest } else { rest }
}

fn classify(op: FloatClassifyOp, arg: Host) -> bool {
    let is_normal = match arg {
        Host::F32(value) => value.is_normal(),
        Host::F64(value) => value.is_normal(),
    };
    let value = arg.to_f64();
    match op {
        FloatClassifyOp::IsNan => value.is_nan(),
        FloatClassifyOp::IsInfinite => value.is_infinite(),
        FloatClassifyOp::IsFinite => value.is_finite(),
        FloatClassifyOp::IsNormal => is_normal,
        FloatClassifyOp::IsSubnormal => value.is_finite() && value != 0.0 && !is_normal,
        FloatClassifyOp::IsZero => value == 0.0,
        FloatClassifyOp::SignBit => match arg {
            Host::F32(value) => value.is_sign_negative(),
            Host::F64(value) => value.is_sign_negative(),
        },
    }
}
