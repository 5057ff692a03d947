//! Operators: what an instruction of a family computes.

use glassbox_values::{RoundingMode, Signedness};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Neg,
    Not,
    /// Leading zeros; the width for zero.
    Clz,
    /// Trailing zeros; the width for zero.
    Ctz,
    Popcount,
    /// Reverses the bytes.
    Bswap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// The total meanings of `glassbox_values::Bits` where a check forbids the case.
    Udiv,
    Urem,
    Sdiv,
    Srem,
    And,
    Or,
    Xor,
    /// Amounts at or beyond the width shift everything out; the JVM's masking is an explicit `And`.
    Shl,
    Lshr,
    Ashr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OverflowOp {
    Add,
    Sub,
    Mul,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CastOp {
    /// To a narrower integer.
    Truncate,
    ZeroExtend,
    SignExtend,
    IntToFloat(Signedness),
    /// Toward zero. What does not fit gives zero; a check stands before where C forbids it.
    FloatToInt(Signedness),
    /// Toward zero, clamped to the type, NaN gives zero: the JVM's conversion.
    FloatToIntSaturating,
    FloatToFloat,
    /// Same bits, other kind: integer to float or back.
    Reinterpret,
    PtrToInt,
    IntToPtr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatUnaryOp {
    Neg,
    Abs,
    Sqrt,
    /// To an integral value, in this direction.
    Round(RoundingMode),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatBinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    /// C `fmod`, JVM `frem`.
    Fmod,
    /// C `remainder`.
    Remainder,
    /// C `fmin` and `fmax`: a NaN gives the other operand.
    Fmin,
    Fmax,
    /// JVM `Math.min` and `Math.max`: NaN wins, -0 < +0.
    JavaMin,
    JavaMax,
    CopySign,
}

/// IEEE comparisons: all but `Ne` are false on NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatCompareOp {
    Eq,
    Ne,
    Lt,
    Le,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatClassifyOp {
    IsNan,
    IsInfinite,
    IsFinite,
    IsNormal,
    IsSubnormal,
    IsZero,
    /// The sign bit, of NaN too.
    SignBit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeapFill {
    /// Indeterminate contents.
    Uninitialized,
    Zeros,
}
