//! The operators of terms. Arity and sorts are in each comment; `intern::sort_of` enforces them.
//!
//! Derived SMT-LIB operators (bvnand, bvcomp, rotate, repeat, bvuge, distinct, =>, fp.gt, …) have no
//! operator here: the builders write them with these.

use glassbox_values::{Bits, Float, Format, RoundingMode, Signedness};

use crate::intern::VarId;
use crate::sort::Scalar;

/// What a term does to its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    // Leaves.
    Var(VarId),
    True,
    False,
    BvConst(Bits),
    FloatConst(Float),

    // Booleans.
    Not,
    /// Two or more arguments.
    And,
    /// Two or more arguments.
    Or,
    Xor,
    /// Two arguments of one sort, any sort. On floats it is SMT-LIB `=`: NaN = NaN, +0 ≠ -0.
    Eq,
    /// Condition, then, else; branches of one sort, any sort.
    Ite,

    // Bit-vectors; both arguments and result of one width unless said.
    BvNeg,
    BvNot,
    BvAdd,
    BvSub,
    BvMul,
    /// Division by zero gives all ones, as SMT-LIB.
    BvUdiv,
    /// Remainder by zero gives the dividend.
    BvUrem,
    /// Truncating; by zero gives 1 for a negative dividend and -1 otherwise; MIN / -1 = MIN.
    BvSdiv,
    /// Sign follows the dividend; by zero gives the dividend.
    BvSrem,
    /// Sign follows the divisor; by zero gives the dividend.
    BvSmod,
    BvAnd,
    BvOr,
    BvXor,
    /// Amounts at or beyond the width shift everything out.
    BvShl,
    BvLshr,
    BvAshr,
    /// High part first.
    BvConcat,
    /// Bits `hi` down to `lo` inclusive.
    BvExtract {
        hi: u8,
        lo: u8,
    },
    /// Widens to `width`.
    BvZeroExtend {
        width: u8,
    },
    BvSignExtend {
        width: u8,
    },
    /// Bool results.
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    /// Bool: the exact sum does not fit.
    BvAddOverflow(Signedness),
    BvSubOverflow(Signedness),
    BvMulOverflow(Signedness),
    /// Bool, one argument: signed negation does not fit (the argument is MIN).
    BvNegOverflow,

    // Floats.
    FpAdd(RoundingMode),
    FpSub(RoundingMode),
    FpMul(RoundingMode),
    FpDiv(RoundingMode),
    /// x*y + z, rounded once.
    FpFma(RoundingMode),
    FpSqrt(RoundingMode),
    /// IEEE remainder (quotient rounded to nearest even).
    FpRem,
    /// C `fmod` and the JVM's `frem`/`drem` (quotient truncated).
    FpFmod,
    FpRoundToIntegral(RoundingMode),
    /// min(+0,-0) and max(+0,-0) give the second argument; one NaN gives the other argument.
    FpMin,
    FpMax,
    FpAbs,
    FpNeg,
    /// Bool results. IEEE comparisons: false on NaN, -0 == +0.
    FpEq,
    FpLt,
    FpLe,
    /// Bool results, one argument.
    FpIsNormal,
    FpIsSubnormal,
    FpIsZero,
    FpIsInfinite,
    FpIsNan,
    /// False on NaN; true on -0.
    FpIsNegative,
    FpIsPositive,
    /// Float to float.
    FpToFp {
        format: Format,
        rounding: RoundingMode,
    },
    /// Reinterprets the encoding; width must be the format's.
    FpFromBits(Format),
    /// Bit-vector, read with the signedness, to float.
    FpFromInt {
        format: Format,
        rounding: RoundingMode,
        signedness: Signedness,
    },
    /// Float to bit-vector; NaN, infinities and out-of-range give the value `eval` documents (zero),
    /// so producers guard it.
    FpToInt {
        width: u8,
        rounding: RoundingMode,
        signedness: Signedness,
    },
    /// The encoding (canonical NaN) as a bit-vector.
    FpToBits,

    // Arrays.
    /// Array, index.
    Select,
    /// Array, index, element.
    Store,
    /// Element for every index.
    ConstArray {
        index: u8,
        element: Scalar,
    },
}
