//! Relations over floats, from the definitions of IEEE-754 on exact numbers.
//!
//! No float is ever computed here: a candidate result is judged by whether the exact result lies in
//! its part of the line. Encodings are taken apart by hand, so that nothing is shared with the
//! arithmetic of `values`.

mod arithmetic;
mod conversion;
mod exact;
mod natural;
mod rounding;

use std::cmp::Ordering;

use glassbox_terms::{FpOp, Value};
use glassbox_values::{Float, RoundingMode};

use arithmetic::{
    extremum_holds, fma_holds, opposite, product_holds, quotient_holds, remainder_holds,
    sqrt_holds, sum_holds,
};
use conversion::{
    convert_holds, decoding_holds, encoding_holds, from_integer_holds, integral_holds,
    to_integer_holds,
};
use exact::{Reading, read};

/// Whether `result = op(operands)`; `None` when the sorts do not fit.
pub(crate) fn holds(op: FpOp, operands: &[Value], result: &Value) -> Option<bool> {
    let float = |position: usize| operands.get(position)?.as_float();
    let (x, y) = (|| float(0), || float(1));
    let (z, truth) = (|| result.as_float(), || result.as_bool());
    let holds = match op {
        FpOp::Add(mode) => sum_holds(&read(x()?), &read(y()?), z()?, mode),
        FpOp::Sub(mode) => sum_holds(&read(x()?), &opposite(read(y()?)), z()?, mode),
        FpOp::Mul(mode) => product_holds(&read(x()?), &read(y()?), z()?, mode),
        FpOp::Div(mode) => quotient_holds(&read(x()?), &read(y()?), z()?, mode),
        FpOp::Fma(mode) => fma_holds([x()?, y()?, float(2)?], z()?, mode),
        FpOp::Sqrt(mode) => sqrt_holds(x()?, z()?, mode),
        FpOp::Rem => remainder_holds(x()?, y()?, z()?, RoundingMode::NearestEven),
        FpOp::Fmod => remainder_holds(x()?, y()?, z()?, RoundingMode::TowardZero),
        FpOp::RoundToIntegral(mode) => integral_holds(x()?, z()?, mode),
        FpOp::Min => extremum_holds(Ordering::Less, x()?, y()?, z()?),
        FpOp::Max => extremum_holds(Ordering::Greater, x()?, y()?, z()?),
        FpOp::Abs | FpOp::Neg if is_nan(x()?) => is_nan(z()?),
        FpOp::Abs => z()?.to_bits() == x()?.to_bits() & !sign_bit(x()?),
        FpOp::Neg => z()?.to_bits() == x()?.to_bits() ^ sign_bit(x()?),
        FpOp::Eq => truth()? == (compare(x()?, y()?) == Some(Ordering::Equal)),
        FpOp::Lt => truth()? == (compare(x()?, y()?) == Some(Ordering::Less)),
        FpOp::Le => truth()? == compare(x()?, y()?).is_some_and(Ordering::is_le),
        FpOp::IsNan => truth()? == is_nan(x()?),
        FpOp::IsInfinite => truth()? == matches!(read(x()?), Reading::Infinite { .. }),
        FpOp::IsZero => truth()? == is_zero(x()?),
        FpOp::IsNormal => truth()? == (is_finite(x()?) && exponent_field(x()?) != 0),
        FpOp::IsSubnormal => {
            truth()? == (is_finite(x()?) && exponent_field(x()?) == 0 && !is_zero(x()?))
        }
        FpOp::IsNegative => truth()? == (!is_nan(x()?) && x()?.to_bits() & sign_bit(x()?) != 0),
        FpOp::IsPositive => truth()? == (!is_nan(x()?) && x()?.to_bits() & sign_bit(x()?) == 0),
        FpOp::ToFp { format, .. } | FpOp::FromBits(format) | FpOp::FromInt { format, .. }
            if format != z()?.format() =>
        {
            return None;
        }
        FpOp::ToFp { rounding, .. } => convert_holds(x()?, z()?, rounding),
        FpOp::FromBits(_) => decoding_holds(operands.first()?.as_bits()?, z()?),
        FpOp::FromInt { rounding, signedness, .. } => {
            from_integer_holds(operands.first()?.as_bits()?, z()?, rounding, signedness)
        }
        FpOp::ToInt { rounding, signedness, .. } => {
            to_integer_holds(x()?, result.as_bits()?, rounding, signedness)
        }
        FpOp::ToBits => encoding_holds(x()?, result.as_bits()?),
    };
    Some(holds)
}

fn sign_bit(x: Float) -> u64 {
    1 << (x.format().width() - 1)
}

fn exponent_field(x: Float) -> u64 {
    x.to_bits() >> (x.format().significand - 1) & ((1 << x.format().exponent) - 1)
}

fn is_nan(x: Float) -> bool {
    matches!(read(x), Reading::Nan)
}

fn is_finite(x: Float) -> bool {
    matches!(read(x), Reading::Finite(_))
}

fn is_zero(x: Float) -> bool {
    matches!(read(x), Reading::Finite(number) if number.is_zero())
}

/// The same float: all NaNs are one, the zeros are two.
pub(crate) fn is_same(x: Float, y: Float) -> bool {
    match (read(x), read(y)) {
        (Reading::Nan, Reading::Nan) => true,
        (Reading::Nan, _) | (_, Reading::Nan) => false,
        (Reading::Infinite { .. } | Reading::Finite(_), _) => x.to_bits() == y.to_bits(),
    }
}

/// How two numbers compare; `None` when one is NaN.
fn compare(x: Float, y: Float) -> Option<Ordering> {
    // Infinities lie outside all finite numbers.
    let side = |reading: &Reading| match reading {
        Reading::Infinite { negative: true } => -1,
        Reading::Infinite { negative: false } => 1,
        Reading::Finite(_) | Reading::Nan => 0,
    };
    match (read(x), read(y)) {
        (Reading::Nan, _) | (_, Reading::Nan) => None,
        (Reading::Finite(a), Reading::Finite(b)) => Some(a.compare(&b)),
        (a, b) => Some(side(&a).cmp(&side(&b))),
    }
}
