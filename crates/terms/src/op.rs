//! The operators of terms, in families. Arity and sorts are in each comment; `typing` enforces them.
//!
//! An engine looks at the family first and then lists the operators of the families it knows; a new
//! operator shows up where its family is listed and nowhere else.
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

    Bool(BoolOp),

    // Operators on every sort.
    /// Two arguments of one sort, any sort. On floats it is SMT-LIB `=`: NaN = NaN, +0 ≠ -0.
    Eq,
    /// Condition, then, else; branches of one sort, any sort.
    Ite,

    Bv(BvOp),
    Fp(FpOp),
    Array(ArrayOp),
}

/// From booleans to a boolean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BoolOp {
    Not,
    /// Two or more arguments.
    And,
    /// Two or more arguments.
    Or,
    Xor,
}

/// On bit-vectors; all arguments and the result of one width unless said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum BvOp {
    Neg,
    Not,
    Add,
    Sub,
    Mul,
    /// Division by zero gives all ones, as SMT-LIB.
    Udiv,
    /// Remainder by zero gives the dividend.
    Urem,
    /// Truncating; by zero gives 1 for a negative dividend and -1 otherwise; MIN / -1 = MIN.
    Sdiv,
    /// Sign follows the dividend; by zero gives the dividend.
    Srem,
    /// Sign follows the divisor; by zero gives the dividend.
    Smod,
    And,
    Or,
    Xor,
    /// Amounts at or beyond the width shift everything out.
    Shl,
    Lshr,
    Ashr,
    /// High part first.
    Concat,
    /// Bits `hi` down to `lo` inclusive.
    Extract {
        hi: u8,
        lo: u8,
    },
    /// Widens to `width`.
    ZeroExtend {
        width: u8,
    },
    SignExtend {
        width: u8,
    },
    /// Bool results.
    Ult,
    Ule,
    Slt,
    Sle,
    /// Bool: the exact sum does not fit.
    AddOverflow(Signedness),
    SubOverflow(Signedness),
    MulOverflow(Signedness),
    /// Bool, one argument: signed negation does not fit (the argument is MIN).
    NegOverflow,
}

impl BvOp {
    /// How an overflow predicate reads its operands; `None` for every other operator.
    pub fn overflow_signedness(self) -> Option<Signedness> {
        if let BvOp::AddOverflow(it) | BvOp::SubOverflow(it) | BvOp::MulOverflow(it) = self {
            return Some(it);
        }
        (self == BvOp::NegOverflow).then_some(Signedness::Signed)
    }
}

/// On floats, and between floats and bit-vectors; all floats of one format unless said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FpOp {
    Add(RoundingMode),
    Sub(RoundingMode),
    Mul(RoundingMode),
    Div(RoundingMode),
    /// x*y + z, rounded once.
    Fma(RoundingMode),
    Sqrt(RoundingMode),
    /// IEEE remainder (quotient rounded to nearest even).
    Rem,
    /// C `fmod` and the JVM's `frem`/`drem` (quotient truncated).
    Fmod,
    RoundToIntegral(RoundingMode),
    /// min(+0,-0) and max(+0,-0) give the second argument; one NaN gives the other argument.
    Min,
    Max,
    Abs,
    Neg,
    /// Bool results. IEEE comparisons: false on NaN, -0 == +0.
    Eq,
    Lt,
    Le,
    /// Bool results, one argument.
    IsNormal,
    IsSubnormal,
    IsZero,
    IsInfinite,
    IsNan,
    /// False on NaN; true on -0.
    IsNegative,
    IsPositive,
    /// Float to float.
    ToFp {
        format: Format,
        rounding: RoundingMode,
    },
    /// Reinterprets the encoding; width must be the format's.
    FromBits(Format),
    /// Bit-vector, read with the signedness, to float.
    FromInt {
        format: Format,
        rounding: RoundingMode,
        signedness: Signedness,
    },
    /// Float to bit-vector; NaN, infinities and out-of-range give the value `eval` documents (zero),
    /// so producers guard it.
    ToInt {
        width: u8,
        rounding: RoundingMode,
        signedness: Signedness,
    },
    /// The encoding (canonical NaN) as a bit-vector.
    ToBits,
}

/// On arrays from bit-vectors to scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArrayOp {
    /// Array, index.
    Select,
    /// Array, index, element.
    Store,
    /// Element for every index.
    Const { index: u8, element: Scalar },
}

impl From<BoolOp> for Op {
    fn from(op: BoolOp) -> Op {
        Op::Bool(op)
    }
}

impl From<BvOp> for Op {
    fn from(op: BvOp) -> Op {
        Op::Bv(op)
    }
}

impl From<FpOp> for Op {
    fn from(op: FpOp) -> Op {
        Op::Fp(op)
    }
}

impl From<ArrayOp> for Op {
    fn from(op: ArrayOp) -> Op {
        Op::Array(op)
    }
}
