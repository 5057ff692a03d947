//! Hexadecimal floats as C99 writes them: exact both ways.

use super::decimal::{ParseFloatError, parse_exponent};
use super::number::Number;
use super::{Float, FloatClass, Sign};

impl Float {
    /// The number as C's `%a` writes a `double`: `0x1.8p+1`, `-0x0.0000000000001p-1022`, `0x0p+0`; also
    /// `inf`, `-inf`, `nan`. The digits are those of this format.
    pub fn to_hex(self) -> String {
        let minus = if self.is_negative() { "-" } else { "" };
        let format = self.format;
        let fraction = self.bits & format.fraction_mask();
        let (lead, exponent) = match self.class() {
            FloatClass::Nan => return "nan".to_owned(),
            FloatClass::Infinite => return format!("{minus}inf"),
            FloatClass::Zero => (0, 0),
            FloatClass::Subnormal => (0, format.min_exponent()),
            FloatClass::Normal => {
                let biased = (self.magnitude_bits() >> format.fraction_width()) as i32;
                (1, biased - format.max_exponent())
            }
        };
        let n_digits = usize::from(format.fraction_width().div_ceil(4));
        let padding = n_digits * 4 - usize::from(format.fraction_width());
        let digits = format!("{:0n_digits$x}", fraction << padding);
        let digits = digits.trim_end_matches('0');
        let point = if digits.is_empty() { "" } else { "." };
        format!("{minus}0x{lead}{point}{digits}p{exponent:+}")
    }
}

/// Reads what follows `0x`: digits with an optional point, then `p` and an exponent; `None` for zero.
pub(super) fn parse_number(sign: Sign, text: &str) -> Result<Option<Number>, ParseFloatError> {
    let bytes = text.as_bytes();
    let (mut significand, mut sticky) = (0u128, false);
    // Four times the digits' distance to the point.
    let mut exponent = 0i64;
    let (mut seen_point, mut seen_digit) = (false, false);
    let mut power = None;
    for (at, &byte) in bytes.iter().enumerate() {
        match byte {
            b'.' if !seen_point => seen_point = true,
            b'p' | b'P' if seen_digit => {
                power = Some(parse_exponent(bytes, at + 1)?);
                break;
            }
            _ => {
                let digit = char::from(byte).to_digit(16);
                let digit = digit.ok_or(ParseFloatError::Unexpected { at })?;
                seen_digit = true;
                if significand >> 120 == 0 {
                    significand = significand << 4 | u128::from(digit);
                    exponent -= if seen_point { 4 } else { 0 };
                } else {
                    sticky |= digit != 0;
                    exponent += if seen_point { 0 } else { 4 };
                }
            }
        }
    }
    if !seen_digit {
        return Err(ParseFloatError::NoDigits);
    }
    let power = power.ok_or(ParseFloatError::NoExponent)?;
    if significand == 0 {
        return Ok(None);
    }
    // Beyond the bound every format has overflowed or vanished; the exponent of a very long number
    // can only be that far out together with its power.
    let exponent = (exponent + power).clamp(-8192, 8192) as i32;
    Ok(Some(Number { sign, exponent, significand, sticky }))
}
