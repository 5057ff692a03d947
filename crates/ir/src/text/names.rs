//! Names of operators and kinds in the textual form: one table for printing and parsing.

use glassbox_values::{RoundingMode, Signedness};

use crate::check::CheckKind;
use crate::decision::DecisionKind;
use crate::instr::{
    BinaryOp, CompareOp, FloatBinaryOp, FloatClassifyOp, FloatCompareOp, HeapFill, OverflowOp,
    UnaryOp,
};
use crate::mark::UseKind;

/// An enum whose values have names in the textual form.
pub(super) trait Named: Sized + Copy + 'static {
    const ALL: &'static [Self];

    fn name(self) -> &'static str;

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|value| value.name() == name)
    }
}

macro_rules! named {
    ($($ty:ident { $($variant:ident $name:literal,)* })*) => {$(
        impl Named for $ty {
            const ALL: &'static [$ty] = &[$($ty::$variant,)*];

            fn name(self) -> &'static str {
                match self {
                    $($ty::$variant => $name,)*
                }
            }
        }
    )*};
}

named! {
    UnaryOp {
        Neg "neg", Not "not", Clz "clz", Ctz "ctz", Popcount "popcount", Bswap "bswap",
    }
    BinaryOp {
        Add "add", Sub "sub", Mul "mul", Udiv "udiv", Urem "urem", Sdiv "sdiv", Srem "srem",
        And "and", Or "or", Xor "xor", Shl "shl", Lshr "lshr", Ashr "ashr",
    }
    CompareOp {
        Eq "eq", Ne "ne", Ult "ult", Ule "ule", Slt "slt", Sle "sle",
    }
    OverflowOp {
        Add "add", Sub "sub", Mul "mul",
    }
    FloatBinaryOp {
        Add "fadd", Sub "fsub", Mul "fmul", Div "fdiv", Fmod "fmod", Remainder "fremainder",
        Fmin "fmin", Fmax "fmax", JavaMin "java_min", JavaMax "java_max", CopySign "copysign",
    }
    FloatCompareOp {
        Eq "eq", Ne "ne", Lt "lt", Le "le",
    }
    FloatClassifyOp {
        IsNan "nan", IsInfinite "infinite", IsFinite "finite", IsNormal "normal",
        IsSubnormal "subnormal", IsZero "zero", SignBit "sign",
    }
    HeapFill {
        Uninitialized "uninitialized", Zeros "zeros",
    }
    Signedness {
        Signed "signed", Unsigned "unsigned",
    }
    RoundingMode {
        NearestEven "nearest_even", NearestAway "nearest_away", TowardPositive "toward_positive",
        TowardNegative "toward_negative", TowardZero "toward_zero",
    }
    UseKind {
        Predicate "predicate", Computation "computation",
    }
    DecisionKind {
        If "if", While "while", DoWhile "do_while", For "for", Ternary "ternary", Value "value",
        Assertion "assertion", Throws "throws", Branch "branch",
    }
}

impl Named for CheckKind {
    const ALL: &'static [CheckKind] = CheckKind::ALL;

    fn name(self) -> &'static str {
        CheckKind::name(self)
    }
}
