//! SMT-LIB spelling of symbols, sorts, constants and operators.

use std::fmt::Write;

use glassbox_values::{Bits, Float, Format, RoundingMode, Sign, Signedness};

use crate::op::Op;
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

/// The text before the arguments: the function and, for floats, the rounding mode.
pub(super) fn head(op: Op, result: Sort, first_arg: Option<Sort>) -> String {
    let by = |width: u8| match first_arg {
        Some(Sort::Bv(inner)) => width - inner,
        _ => unreachable!("widening applies to bit-vectors"),
    };
    let rounded = |name: &str, rounding| format!("{name} {}", rounding_name(rounding));
    match op {
        Op::BvExtract { hi, lo } => format!("(_ extract {hi} {lo})"),
        Op::BvZeroExtend { width } => format!("(_ zero_extend {})", by(width)),
        Op::BvSignExtend { width } => format!("(_ sign_extend {})", by(width)),
        Op::FpAdd(rounding) => rounded("fp.add", rounding),
        Op::FpSub(rounding) => rounded("fp.sub", rounding),
        Op::FpMul(rounding) => rounded("fp.mul", rounding),
        Op::FpDiv(rounding) => rounded("fp.div", rounding),
        Op::FpFma(rounding) => rounded("fp.fma", rounding),
        Op::FpSqrt(rounding) => rounded("fp.sqrt", rounding),
        Op::FpRoundToIntegral(rounding) => rounded("fp.roundToIntegral", rounding),
        Op::FpToFp { format, rounding } => rounded(&to_fp("to_fp", format), rounding),
        Op::FpFromBits(format) => to_fp("to_fp", format),
        Op::FpFromInt { format, rounding, signedness: Signedness::Signed } => {
            rounded(&to_fp("to_fp", format), rounding)
        }
        Op::FpFromInt { format, rounding, signedness: Signedness::Unsigned } => {
            rounded(&to_fp("to_fp_unsigned", format), rounding)
        }
        Op::FpToInt { width, rounding, signedness: Signedness::Signed } => {
            rounded(&format!("(_ fp.to_sbv {width})"), rounding)
        }
        Op::FpToInt { width, rounding, signedness: Signedness::Unsigned } => {
            rounded(&format!("(_ fp.to_ubv {width})"), rounding)
        }
        Op::ConstArray { .. } => format!("(as const {})", sort_to_smtlib(result)),
        _ => plain_name(op).to_owned(),
    }
}

fn to_fp(name: &str, format: Format) -> String {
    format!("(_ {name} {} {})", format.exponent, format.significand)
}

fn plain_name(op: Op) -> &'static str {
    match op {
        Op::True => "true",
        Op::False => "false",
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Xor => "xor",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::BvNeg => "bvneg",
        Op::BvNot => "bvnot",
        Op::BvAdd => "bvadd",
        Op::BvSub => "bvsub",
        Op::BvMul => "bvmul",
        Op::BvUdiv => "bvudiv",
        Op::BvUrem => "bvurem",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvSmod => "bvsmod",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvConcat => "concat",
        Op::BvUlt => "bvult",
        Op::BvUle => "bvule",
        Op::BvSlt => "bvslt",
        Op::BvSle => "bvsle",
        Op::BvAddOverflow(Signedness::Signed) => "bvsaddo",
        Op::BvAddOverflow(Signedness::Unsigned) => "bvuaddo",
        Op::BvSubOverflow(Signedness::Signed) => "bvssubo",
        Op::BvSubOverflow(Signedness::Unsigned) => "bvusubo",
        Op::BvMulOverflow(Signedness::Signed) => "bvsmulo",
        Op::BvMulOverflow(Signedness::Unsigned) => "bvumulo",
        Op::BvNegOverflow => "bvnego",
        Op::FpRem => "fp.rem",
        Op::FpFmod => "fp.fmod",
        Op::FpMin => "fp.min",
        Op::FpMax => "fp.max",
        Op::FpAbs => "fp.abs",
        Op::FpNeg => "fp.neg",
        Op::FpEq => "fp.eq",
        Op::FpLt => "fp.lt",
        Op::FpLe => "fp.leq",
        Op::FpIsNormal => "fp.isNormal",
        Op::FpIsSubnormal => "fp.isSubnormal",
        Op::FpIsZero => "fp.isZero",
        Op::FpIsInfinite => "fp.isInfinite",
        Op::FpIsNan => "fp.isNaN",
        Op::FpIsNegative => "fp.isNegative",
        Op::FpIsPositive => "fp.isPositive",
        Op::FpToBits => "fp.to_ieee_bv",
        Op::Select => "select",
        Op::Store => "store",
        Op::Var(_)
        | Op::BvConst(_)
        | Op::FloatConst(_)
        | Op::BvExtract { .. }
        | Op::BvZeroExtend { .. }
        | Op::BvSignExtend { .. }
        | Op::FpAdd(_)
        | Op::FpSub(_)
        | Op::FpMul(_)
        | Op::FpDiv(_)
        | Op::FpFma(_)
        | Op::FpSqrt(_)
        | Op::FpRoundToIntegral(_)
        | Op::FpToFp { .. }
        | Op::FpFromBits(_)
        | Op::FpFromInt { .. }
        | Op::FpToInt { .. }
        | Op::ConstArray { .. } => unreachable!("{op:?} is spelled with its parameters"),
    }
}
