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

use glassbox_terms::{FpOp, Op, Value};
use glassbox_values::Float;

use exact::{Reading, read};

/// Whether `result = op(operands)` for an operator with floats among operands or result; `None` when it
/// is none of these, or the sorts do not fit.
pub fn holds(op: Op, operands: &[Value], result: &Value) -> Option<bool> {
    match (operands, result) {
        ([Value::Float(x)], Value::Float(z)) => unary_holds(op, *x, *z),
        ([Value::Float(x), Value::Float(y)], Value::Float(z)) => {
            arithmetic::binary_holds(op, *x, *y, *z)
        }
        ([Value::Float(x), Value::Float(y), Value::Float(c)], Value::Float(z)) => match op {
            Op::Fp(FpOp::Fma(mode)) => Some(arithmetic::fma_holds([*x, *y, *c], *z, mode)),
            _ => None,
        },
        ([Value::Float(x), Value::Float(y)], Value::Bool(truth)) => {
            Some(comparison(op, *x, *y)? == *truth)
        }
        ([Value::Float(x)], Value::Bool(truth)) => Some(classification(op, *x)? == *truth),
        ([Value::Float(x)], Value::Bv(z)) => conversion::to_bits_holds(op, *x, *z),
        ([Value::Bv(x)], Value::Float(z)) => conversion::from_bits_holds(op, *x, *z),
        _ => None,
    }
}

fn unary_holds(op: Op, x: Float, z: Float) -> Option<bool> {
    let sign_bit = 1_u64 << (x.format().width() - 1);
    let is_nan = matches!(read(x), Reading::Nan);
    match op {
        Op::Fp(FpOp::Abs) => {
            Some(if is_nan { is_same(x, z) } else { z.to_bits() == x.to_bits() & !sign_bit })
        }
        Op::Fp(FpOp::Neg) => {
            Some(if is_nan { is_same(x, z) } else { z.to_bits() == x.to_bits() ^ sign_bit })
        }
        Op::Fp(FpOp::Sqrt(mode)) => Some(arithmetic::sqrt_holds(x, z, mode)),
        Op::Fp(FpOp::RoundToIntegral(mode)) => Some(conversion::integral_holds(x, z, mode)),
        Op::Fp(FpOp::ToFp { format, rounding }) if format == z.format() => {
            Some(conversion::convert_holds(x, z, rounding))
        }
        _ => None,
    }
}

/// The same float: all NaNs are one, the zeros are two.
fn is_same(x: Float, y: Float) -> bool {
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

fn comparison(op: Op, x: Float, y: Float) -> Option<bool> {
    let order = compare(x, y);
    match op {
        Op::Eq => Some(is_same(x, y)),
        Op::Fp(FpOp::Eq) => Some(order == Some(Ordering::Equal)),
        Op::Fp(FpOp::Lt) => Some(order == Some(Ordering::Less)),
        Op::Fp(FpOp::Le) => Some(matches!(order, Some(Ordering::Less | Ordering::Equal))),
        _ => None,
    }
}

fn classification(op: Op, x: Float) -> Option<bool> {
    let format = x.format();
    let negative = x.to_bits() >> (format.width() - 1) & 1 == 1;
    let field = x.to_bits() >> (format.significand - 1) & ((1 << format.exponent) - 1);
    let (is_nan, is_infinite, is_zero) = match read(x) {
        Reading::Nan => (true, false, false),
        Reading::Infinite { .. } => (false, true, false),
        Reading::Finite(number) => (false, false, number.is_zero()),
    };
    let is_finite = !is_nan && !is_infinite;
    match op {
        Op::Fp(FpOp::IsNan) => Some(is_nan),
        Op::Fp(FpOp::IsInfinite) => Some(is_infinite),
        Op::Fp(FpOp::IsZero) => Some(is_zero),
        Op::Fp(FpOp::IsNormal) => Some(is_finite && field != 0),
        Op::Fp(FpOp::IsSubnormal) => Some(is_finite && field == 0 && !is_zero),
        Op::Fp(FpOp::IsNegative) => Some(!is_nan && negative),
        Op::Fp(FpOp::IsPositive) => Some(!is_nan && !negative),
        _ => None,
    }
}
