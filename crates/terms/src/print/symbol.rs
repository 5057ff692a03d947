//! SMT-LIB spelling of symbols, sorts, constants and operators.

use std::fmt::Write;

use glassbox_values::{Bits, Float, Format, RoundingMode, Sign, Signedness};

use crate::op::{ArrayOp, BoolOp, BvOp, FpOp, Op};
use crate::sort::Sort;
use crate::value::Value;

const RESERVED: [&str; 17] = [
    "let",
    "forall",
    "exists",
    "match",
    "par",
    "as",
    "_",
    "!",
    "true",
    "false",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "assert",
    "not",
];

/// The symbol as SMT-LIB text, in bars where needed. The two characters that bars cannot hold
/// become underscores.
pub fn quote_symbol(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts_well = name.chars().next().is_some_and(|c| !c.is_ascii_digit());
    if starts_well && name.chars().all(is_plain) && !RESERVED.contains(&name) {
        return name.to_owned();
    }
    let inside: String =
        name.chars().map(|c| if c == '|' || c == '\\' { '_' } else { c }).collect();
    format!("|{inside}|")
}

/// The sort as SMT-LIB text.
pub fn sort_to_smtlib(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Bv(width) => format!("(_ BitVec {width})"),
        Sort::Float(Format { exponent, significand }) => {
            format!("(_ FloatingPoint {exponent} {significand})")
        }
        Sort::Array { index, element } => {
            format!("(Array (_ BitVec {index}) {})", sort_to_smtlib(element.into()))
        }
    }
}

/// The value as an SMT-LIB term.
pub fn value_to_smtlib(value: &Value) -> String {
    match value {
        Value::Bool(truth) => truth.to_string(),
        Value::Bv(bits) => bits_to_smtlib(*bits),
        Value::Float(float) => float_to_smtlib(*float),
        Value::Array(array) => {
            let sort = sort_to_smtlib(value.sort());
            let mut text = format!("((as const {sort}) {})", value_to_smtlib(&array.default));
            for (index, element) in array.entries() {
                text = format!(
                    "(store {text} {} {})",
                    bits_to_smtlib(index),
                    value_to_smtlib(element)
                );
            }
            text
        }
    }
}

pub(super) fn bits_to_smtlib(bits: Bits) -> String {
    let (value, width) = (bits.unsigned(), usize::from(bits.width()));
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = width / 4)
    } else {
        format!("#b{value:0width$b}")
    }
}

pub(super) fn float_to_smtlib(float: Float) -> String {
    let Format { exponent, significand } = float.format();
    if float.is_nan() {
        return format!("(_ NaN {exponent} {significand})");
    }
    let sign = if float.sign() == Sign::Negative { '-' } else { '+' };
    if float.is_infinite() {
        return format!("(_ {sign}oo {exponent} {significand})");
    }
    if float.is_zero() {
        return format!("(_ {sign}zero {exponent} {significand})");
    }
    let bits = float.to_bits();
    let stored = significand - 1;
    let exponent_bits = (bits >> stored) & ((1 << exponent) - 1);
    let fraction = bits & ((1 << stored) - 1);
    let mut text = String::new();
    let _ = write!(
        text,
        "(fp #b{} #b{exponent_bits:0e$b} #b{fraction:0s$b})",
        u8::from(sign == '-'),
        e = usize::from(exponent),
        s = usize::from(stored),
    );
    text
}

pub(super) fn rounding_name(rounding: RoundingMode) -> &'static str {
    match rounding {
        RoundingMode::NearestEven => "RNE",
        RoundingMode::NearestAway => "RNA",
        RoundingMode::TowardPositive => "RTP",
        RoundingMode::TowardNegative => "RTN",
        RoundingMode::TowardZero => "RTZ",
    }
}

/// The text before the arguments: the function and, for floats, the rounding mode. Variables and numbers
/// have a text of their own.
pub(super) fn head(op: Op, result: Sort, first_arg: Option<Sort>) -> String {
    match op {
        Op::True => "true".to_owned(),
        Op::False => "false".to_owned(),
        Op::Bool(op) => bool_head(op).to_owned(),
        Op::Eq => "=".to_owned(),
        Op::Ite => "ite".to_owned(),
        Op::Bv(op) => bv_head(op, first_arg),
        Op::Fp(op) => fp_head(op),
        Op::Array(ArrayOp::Select) => "select".to_owned(),
        Op::Array(ArrayOp::Store) => "store".to_owned(),
        Op::Array(ArrayOp::Const { .. }) => format!("(as const {})", sort_to_smtlib(result)),
        Op::Var(_) | Op::BvConst(_) | Op::FloatConst(_) => {
            unreachable!("{op:?} is not applied to anything")
        }
    }
}

fn bool_head(op: BoolOp) -> &'static str {
    match op {
        BoolOp::Not => "not",
        BoolOp::And => "and",
        BoolOp::Or => "or",
        BoolOp::Xor => "xor",
    }
}

fn bv_head(op: BvOp, first_arg: Option<Sort>) -> String {
    let by = |width: u8| match first_arg {
        Some(Sort::Bv(inner)) => width - inner,
        Some(Sort::Bool | Sort::Float(_) | Sort::Array { .. }) | None => {
            unreachable!("widening applies to bit-vectors")
        }
    };
    let name = match op {
        BvOp::Extract { hi, lo } => return format!("(_ extract {hi} {lo})"),
        BvOp::ZeroExtend { width } => return format!("(_ zero_extend {})", by(width)),
        BvOp::SignExtend { width } => return format!("(_ sign_extend {})", by(width)),
        BvOp::Neg => "bvneg",
        BvOp::Not => "bvnot",
        BvOp::Add => "bvadd",
        BvOp::Sub => "bvsub",
        BvOp::Mul => "bvmul",
        BvOp::Udiv => "bvudiv",
        BvOp::Urem => "bvurem",
        BvOp::Sdiv => "bvsdiv",
        BvOp::Srem => "bvsrem",
        BvOp::Smod => "bvsmod",
        BvOp::And => "bvand",
        BvOp::Or => "bvor",
        BvOp::Xor => "bvxor",
        BvOp::Shl => "bvshl",
        BvOp::Lshr => "bvlshr",
        BvOp::Ashr => "bvashr",
        BvOp::Concat => "concat",
        BvOp::Ult => "bvult",
        BvOp::Ule => "bvule",
        BvOp::Slt => "bvslt",
        BvOp::Sle => "bvsle",
        BvOp::AddOverflow(Signedness::Signed) => "bvsaddo",
        BvOp::AddOverflow(Signedness::Unsigned) => "bvuaddo",
        BvOp::SubOverflow(Signedness::Signed) => "bvssubo",
        BvOp::SubOverflow(Signedness::Unsigned) => "bvusubo",
        BvOp::MulOverflow(Signedness::Signed) => "bvsmulo",
        BvOp::MulOverflow(Signedness::Unsigned) => "bvumulo",
        BvOp::NegOverflow => "bvnego",
    };
    name.to_owned()
}

fn fp_head(op: FpOp) -> String {
    let rounded = |name: &str, rounding| format!("{name} {}", rounding_name(rounding));
    let name = match op {
        FpOp::Add(rounding) => return rounded("fp.add", rounding),
        FpOp::Sub(rounding) => return rounded("fp.sub", rounding),
        FpOp::Mul(rounding) => return rounded("fp.mul", rounding),
        FpOp::Div(rounding) => return rounded("fp.div", rounding),
        FpOp::Fma(rounding) => return rounded("fp.fma", rounding),
        FpOp::Sqrt(rounding) => return rounded("fp.sqrt", rounding),
        FpOp::RoundToIntegral(rounding) => return rounded("fp.roundToIntegral", rounding),
        FpOp::ToFp { format, rounding } => return rounded(&to_fp("to_fp", format), rounding),
        FpOp::FromBits(format) => return to_fp("to_fp", format),
        FpOp::FromInt { format, rounding, signedness } => {
            let name = match signedness {
                Signedness::Signed => "to_fp",
                Signedness::Unsigned => "to_fp_unsigned",
            };
            return rounded(&to_fp(name, format), rounding);
        }
        FpOp::ToInt { width, rounding, signedness } => {
            let name = match signedness {
                Signedness::Signed => "fp.to_sbv",
                Signedness::Unsigned => "fp.to_ubv",
            };
            return rounded(&format!("(_ {name} {width})"), rounding);
        }
        FpOp::Rem => "fp.rem",
        FpOp::Fmod => "fp.fmod",
        FpOp::Min => "fp.min",
        FpOp::Max => "fp.max",
        FpOp::Abs => "fp.abs",
        FpOp::Neg => "fp.neg",
        FpOp::Eq => "fp.eq",
        FpOp::Lt => "fp.lt",
        FpOp::Le => "fp.leq",
        FpOp::IsNormal => "fp.isNormal",
        FpOp::IsSubnormal => "fp.isSubnormal",
        FpOp::IsZero => "fp.isZero",
        FpOp::IsInfinite => "fp.isInfinite",
        FpOp::IsNan => "fp.isNaN",
        FpOp::IsNegative => "fp.isNegative",
        FpOp::IsPositive => "fp.isPositive",
        FpOp::ToBits => "fp.to_ieee_bv",
    };
    name.to_owned()
}

fn to_fp(name: &str, format: Format) -> String {
    format!("(_ {name} {} {})", format.exponent, format.significand)
}
