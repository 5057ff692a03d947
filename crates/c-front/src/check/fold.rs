//! Operators on constants, exactly as the machine computes them.

use std::cmp::Ordering;

use glassbox_values::{Bits, Float, RoundingMode, Signedness};

use crate::tree::{BinaryOp, CompareOp, CountBits};

/// Why an operation on constants has no constant result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FoldError {
    DivisionByZero,
    /// Undefined: a bad shift, an overflowing division.
    Undefined,
}

/// `left op right` on integers of one width; for shifts the right one may have another. Signed
/// overflow wraps, as gcc folds it.
pub(crate) fn fold_int(
    op: BinaryOp,
    left: Bits,
    right: Bits,
    signedness: Signedness,
) -> Result<Bits, FoldError> {
    let signed = signedness == Signedness::Signed;
    Ok(match op {
        BinaryOp::Add => left.add(right),
        BinaryOp::Sub => left.sub(right),
        BinaryOp::Mul => left.mul(right),
        BinaryOp::Div | BinaryOp::Rem if right.is_zero() => return Err(FoldError::DivisionByZero),
        BinaryOp::Div if signed => left.checked_sdiv(right).ok_or(FoldError::Undefined)?,
        BinaryOp::Div => left.udiv(right),
        BinaryOp::Rem if signed => left.checked_srem(right).ok_or(FoldError::Undefined)?,
        BinaryOp::Rem => left.urem(right),
        BinaryOp::And => left.and(right),
        BinaryOp::Or => left.or(right),
        BinaryOp::Xor => left.xor(right),
        BinaryOp::Shl | BinaryOp::Shr => {
            if right.unsigned() >= u128::from(left.width()) {
                return Err(FoldError::Undefined);
            }
            // The amount is below 128, so it fits any width that can hold it as a shift amount.
            let amount = Bits::new(right.unsigned(), left.width());
            match (op, signed) {
                (BinaryOp::Shl, _) => left.shl(amount),
                (_, true) => left.ashr(amount),
                (_, false) => left.lshr(amount),
            }
        }
    })
}

/// `left op right` on floats of one format; `None` where C has no such operator.
pub(crate) fn fold_float(op: BinaryOp, left: Float, right: Float) -> Option<Float> {
    let rounding = RoundingMode::NearestEven;
    Some(match op {
        BinaryOp::Add => left.add(right, rounding),
        BinaryOp::Sub => left.sub(right, rounding),
        BinaryOp::Mul => left.mul(right, rounding),
        BinaryOp::Div => left.div(right, rounding),
        BinaryOp::Rem
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Shl
        | BinaryOp::Shr => return None,
    })
}

/// The truth of a comparison given how the operands stand; `None` is unordered.
pub(crate) fn fold_compare(op: CompareOp, ordering: Option<Ordering>) -> bool {
    match op {
        CompareOp::Equal => ordering == Some(Ordering::Equal),
        CompareOp::NotEqual => ordering != Some(Ordering::Equal),
        CompareOp::Less => ordering == Some(Ordering::Less),
        CompareOp::LessEqual => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        CompareOp::Greater => ordering == Some(Ordering::Greater),
        CompareOp::GreaterEqual => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// A counting builtin; `None` where it is undefined.
pub(crate) fn fold_count(count: CountBits, value: Bits) -> Option<i32> {
    let number = match count {
        CountBits::LeadingZeros | CountBits::TrailingZeros if value.is_zero() => return None,
        CountBits::LeadingZeros => value.leading_zeros(),
        CountBits::TrailingZeros => value.trailing_zeros(),
        CountBits::PopCount => value.count_ones(),
        CountBits::FindFirstSet if value.is_zero() => 0,
        CountBits::FindFirstSet => value.trailing_zeros() + 1,
        CountBits::Parity => u8::from(value.parity()),
        CountBits::RedundantSignBits => value.redundant_sign_bits(),
    };
    Some(i32::from(number))
}
