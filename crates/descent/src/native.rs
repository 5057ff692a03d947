//! The instructions of a tape and their execution on the host.
//!
//! Registers are 64 bits: truth values 0 and 1, bit-vectors of at most 64 bits zero-extended, floats
//! as their encoding with one canonical NaN. Instructions exist for what programs compute most, with
//! binary32 and binary64 rounded to nearest even on the host's own floats; everything else is left to
//! `terms::eval::apply`, so that there is no second definition of the rare operators.

/// What an instruction does with its argument registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    And,
    Or,
    Not,
    Xor,
    /// Condition, then, else.
    Ite,
    /// The registers are equal: SMT-LIB equality of any narrow sort.
    Same,

    // Bit-vectors; `width` is that of the arguments.
    Add,
    Sub,
    Mul,
    Neg,
    BitNot,
    BitAnd,
    BitOr,
    BitXor,
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
    UnsignedDiv,
    UnsignedRem,
    SignedDiv,
    SignedRem,
    UnsignedLess,
    UnsignedLessOrEqual,
    SignedLess,
    SignedLessOrEqual,
    /// `low_width` bits of the second argument below the first.
    Concat {
        low_width: u8,
    },
    /// `width` bits from `low` up.
    Extract {
        low: u8,
    },
    ZeroExtend,
    SignExtend {
        from: u8,
    },

    // binary64.
    DoubleAdd,
    DoubleSub,
    DoubleMul,
    DoubleDiv,
    DoubleSqrt,
    DoubleEqual,
    DoubleLess,
    DoubleLessOrEqual,

    // binary32.
    SingleAdd,
    SingleSub,
    SingleMul,
    SingleDiv,
    SingleSqrt,
    SingleEqual,
    SingleLess,
    SingleLessOrEqual,

    // Any format of `width` bits.
    FloatNeg {
        infinity: u64,
    },
    FloatAbs {
        infinity: u64,
    },

    // Conversions, to nearest even.
    SingleToDouble,
    DoubleToSingle,
    SignedToDouble,
    UnsignedToDouble,
    SignedToSingle,
    UnsignedToSingle,
    /// Toward zero; what does not fit gives zero.
    DoubleToSigned,
    SingleToSigned,

    /// The operator of this subterm, by `terms::eval::apply`.
    General,
}

/// One step of a tape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instruction {
    pub(crate) code: Code,
    /// Bits of the result, or of the arguments where the result is a truth value.
    pub(crate) width: u8,
    pub(crate) target: u32,
    pub(crate) args: [u32; 3],
}

const DOUBLE_NAN: u64 = 0x7ff8_0000_0000_0000;
const SINGLE_NAN: u64 = 0x7fc0_0000;

#[inline]
fn double(register: u64) -> f64 {
    f64::from_bits(register)
}

#[inline]
fn single(register: u64) -> f32 {
    // The register holds 32 bits.
    f32::from_bits(register as u32)
}

#[inline]
fn from_double(value: f64) -> u64 {
    if value.is_nan() { DOUBLE_NAN } else { value.to_bits() }
}

#[inline]
fn from_single(value: f32) -> u64 {
    if value.is_nan() { SINGLE_NAN } else { u64::from(value.to_bits()) }
}

/// The `width` low bits.
#[inline]
pub(crate) fn mask(width: u8) -> u64 {
    u64::MAX >> (64 - width)
}

/// The register read in two's complement.
#[inline]
pub(crate) fn signed(register: u64, width: u8) -> i64 {
    let unused = 64 - width;
    (register << unused).cast_signed() >> unused
}

/// Runs an instruction other than `General` on its argument registers.
#[inline]
pub(crate) fn run(code: Code, width: u8, [a, b, c]: [u64; 3]) -> u64 {
    match code {
        Code::And => a & b,
        Code::Or => a | b,
        Code::Not => a ^ 1,
        Code::Xor => a ^ b,
        Code::Ite => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Code::Same => u64::from(a == b),
        Code::Add => a.wrapping_add(b) & mask(width),
        Code::Sub => a.wrapping_sub(b) & mask(width),
        Code::Mul => a.wrapping_mul(b) & mask(width),
        Code::Neg => a.wrapping_neg() & mask(width),
        Code::BitNot => !a & mask(width),
        Code::BitAnd => a & b,
        Code::BitOr => a | b,
        Code::BitXor => a ^ b,
        Code::ShiftLeft if b < u64::from(width) => a << b & mask(width),
        Code::ShiftRight if b < u64::from(width) => a >> b,
        Code::ShiftLeft | Code::ShiftRight => 0,
        Code::ShiftRightSigned => {
            let amount = b.min(u64::from(width) - 1);
            (signed(a, width) >> amount).cast_unsigned() & mask(width)
        }
        Code::UnsignedDiv => a.checked_div(b).unwrap_or(mask(width)),
        Code::UnsignedRem => a.checked_rem(b).unwrap_or(a),
        Code::SignedDiv => signed_quotient(signed(a, width), signed(b, width)) & mask(width),
        Code::SignedRem if b == 0 => a,
        Code::SignedRem => {
            signed(a, width).wrapping_rem(signed(b, width)).cast_unsigned() & mask(width)
        }
        Code::UnsignedLess => u64::from(a < b),
        Code::UnsignedLessOrEqual => u64::from(a <= b),
        Code::SignedLess => u64::from(signed(a, width) < signed(b, width)),
        Code::SignedLessOrEqual => u64::from(signed(a, width) <= signed(b, width)),
        Code::Concat { low_width } => a << low_width | b,
        Code::Extract { low } => a >> low & mask(width),
        Code::ZeroExtend => a,
        Code::SignExtend { from } => signed(a, from).cast_unsigned() & mask(width),
        Code::DoubleAdd => from_double(double(a) + double(b)),
        Code::DoubleSub => from_double(double(a) - double(b)),
        Code::DoubleMul => from_double(double(a) * double(b)),
        Code::DoubleDiv => from_double(double(a) / double(b)),
        Code::DoubleSqrt => from_double(double(a).sqrt()),
        Code::DoubleEqual => u64::from(double(a) == double(b)),
        Code::DoubleLess => u64::from(double(a) < double(b)),
        Code::DoubleLessOrEqual => u64::from(double(a) <= double(b)),
        Code::SingleAdd => from_single(single(a) + single(b)),
        Code::SingleSub => from_single(single(a) - single(b)),
        Code::SingleMul => from_single(single(a) * single(b)),
        Code::SingleDiv => from_single(single(a) / single(b)),
        Code::SingleSqrt => from_single(single(a).sqrt()),
        Code::SingleEqual => u64::from(single(a) == single(b)),
        Code::SingleLess => u64::from(single(a) < single(b)),
        Code::SingleLessOrEqual => u64::from(single(a) <= single(b)),
        Code::FloatNeg { infinity } => {
            let sign = 1 << (width - 1);
            // NaN has no sign to change.
            if a & !sign > infinity { a } else { a ^ sign }
        }
        Code::FloatAbs { infinity } => {
            let sign = 1 << (width - 1);
            if a & !sign > infinity { a } else { a & !sign }
        }
        Code::SingleToDouble => from_double(f64::from(single(a))),
        Code::DoubleToSingle => from_single(double(a) as f32),
        Code::SignedToDouble => from_double(signed(a, width) as f64),
        Code::UnsignedToDouble => from_double(a as f64),
        Code::SignedToSingle => from_single(signed(a, width) as f32),
        Code::UnsignedToSingle => from_single(a as f32),
        Code::DoubleToSigned => to_signed(double(a), width),
        Code::SingleToSigned => to_signed(f64::from(single(a)), width),
        Code::General => unreachable!("general instructions are run by the tape"),
    }
}

fn signed_quotient(a: i64, b: i64) -> u64 {
    let quotient = match b {
        0 if a < 0 => 1,
        0 => -1,
        _ => a.wrapping_div(b),
    };
    quotient.cast_unsigned()
}

/// Toward zero, and zero for what a signed integer of `width` bits cannot hold.
fn to_signed(value: f64, width: u8) -> u64 {
    let whole = value.trunc();
    // 2^(width - 1), by its exponent field.
    let limit = f64::from_bits((1022 + u64::from(width)) << 52);
    if -limit <= whole && whole < limit { (whole as i64).cast_unsigned() & mask(width) } else { 0 }
}
