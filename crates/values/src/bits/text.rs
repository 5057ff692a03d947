//! Numbers as text: decimal with and without sign, hexadecimal, binary.

use super::{Bits, Signedness};

/// Why a text is not a number of the wanted width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseBitsError {
    /// No digit where one is needed.
    Empty,
    /// A character that is no digit of the radix, at this byte.
    BadDigit { at: usize },
    /// The number is outside the range of the width and signedness.
    OutOfRange,
}

impl std::fmt::Display for ParseBitsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParseBitsError::Empty => write!(f, "a number needs at least one digit"),
            ParseBitsError::BadDigit { at } => write!(f, "not a digit at byte {at} of the number"),
            ParseBitsError::OutOfRange => write!(f, "the number does not fit its width"),
        }
    }
}

impl std::error::Error for ParseBitsError {}

impl Bits {
    /// The number in decimal, with `-` where the reading is negative.
    pub fn to_decimal(self, signedness: Signedness) -> String {
        match signedness {
            Signedness::Signed => self.signed().to_string(),
            Signedness::Unsigned => self.value.to_string(),
        }
    }

    /// `0x` and as many digits as needed.
    pub fn to_hex(self) -> String {
        format!("{:#x}", self.value)
    }

    /// Reads `[-]digits`, `[-]0xdigits` or `[-]0bdigits` as a number of the range that the width and
    /// signedness give. Reads back whatever `to_decimal` and `to_hex` wrote (`to_hex` as unsigned).
    pub fn parse(text: &str, signedness: Signedness, width: u8) -> Result<Bits, ParseBitsError> {
        let (negative, body) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (radix, digits) = if let Some(rest) = body.strip_prefix("0x") {
            (16, rest)
        } else if let Some(rest) = body.strip_prefix("0b") {
            (2, rest)
        } else {
            (10, body)
        };
        let shift = text.len() - digits.len();
        let magnitude = Bits::parse_magnitude(digits, radix).map_err(|error| match error {
            ParseBitsError::BadDigit { at } => ParseBitsError::BadDigit { at: at + shift },
            ParseBitsError::Empty | ParseBitsError::OutOfRange => error,
        })?;
        let bits = match signedness {
            Signedness::Unsigned if negative && magnitude != 0 => None,
            Signedness::Unsigned => Bits::try_from_unsigned(magnitude, width),
            Signedness::Signed if negative => {
                let number = 0i128.checked_sub_unsigned(magnitude);
                number.and_then(|number| Bits::try_from_signed(number, width))
            }
            Signedness::Signed => {
                let number = i128::try_from(magnitude).ok();
                number.and_then(|number| Bits::try_from_signed(number, width))
            }
        };
        bits.ok_or(ParseBitsError::OutOfRange)
    }

    /// Plain digits of a radix (2 to 36), no sign, as a number below 2^128.
    pub fn parse_magnitude(digits: &str, radix: u32) -> Result<u128, ParseBitsError> {
        if digits.is_empty() {
            return Err(ParseBitsError::Empty);
        }
        let mut number = 0u128;
        let mut fits = true;
        for (at, character) in digits.char_indices() {
            let digit = character.to_digit(radix).ok_or(ParseBitsError::BadDigit { at })?;
            let next = number
                .checked_mul(u128::from(radix))
                .and_then(|scaled| scaled.checked_add(u128::from(digit)));
            // A bad digit further on is the better message, so reading continues.
            fits &= next.is_some();
            number = next.unwrap_or(0);
        }
        if fits { Ok(number) } else { Err(ParseBitsError::OutOfRange) }
    }
}
