//! Decimal text: reading it exactly in every format and direction, writing the shortest that reads back.

use super::natural::Natural;
use super::number::Number;
use super::{Float, Format, RoundingMode, Sign, hex};

/// Why a text is not a float.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseFloatError {
    /// No digit in the number.
    NoDigits,
    /// The exponent mark has no digits behind it, or a hexadecimal number lacks it.
    NoExponent,
    /// A character that does not belong there, at this byte.
    Unexpected { at: usize },
    /// The denominator of a ratio is zero.
    ZeroDenominator,
}

impl std::fmt::Display for ParseFloatError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ParseFloatError::NoDigits => write!(f, "a number needs at least one digit"),
            ParseFloatError::NoExponent => write!(f, "the exponent is missing"),
            ParseFloatError::Unexpected { at } => {
                write!(f, "a character that no number has, at byte {at} of it")
            }
            ParseFloatError::ZeroDenominator => write!(f, "the denominator is zero"),
        }
    }
}

impl std::error::Error for ParseFloatError {}

/// `± 0.digits · 10^point`; no digits: zero. Neither the first nor the last digit is 0.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Decimal {
    sign: Sign,
    digits: Vec<u8>,
    point: i64,
}

/// More digits than the longest number halfway between two binary64 floats has (768), so a digit 1
/// behind that many is on the same side of every float and every midpoint as anything not zero.
const MAX_DIGITS: usize = 800;

/// Significant bits of the x87's extended format.
const EXTENDED_BITS: u32 = 64;

/// Powers of ten beyond which every format has overflowed or vanished.
const MAX_POINT: i64 = 400;

impl Float {
    /// Reads `[sign]digits[.digits][e[sign]digits]` (digits on one side of the point are enough),
    /// a C99 hexadecimal float, or `[sign]inf` or `nan`, rounded correctly.
    pub fn parse(
        text: &str,
        format: Format,
        rounding: RoundingMode,
    ) -> Result<Float, ParseFloatError> {
        assert!(
            format.is_supported(),
            "format should have 2..=11 exponent and 2..=53 significand bits"
        );
        let (sign, body) = split_sign(text);
        match body {
            "inf" => return Ok(Float::infinity(sign, format)),
            "nan" => return Ok(Float::nan(format)),
            _ => {}
        }
        if body.starts_with("0x") || body.starts_with("0X") {
            let number = hex::parse_number(sign, &text[text.len() - body.len() + 2..])
                .map_err(|error| error.moved_by(text.len() - body.len() + 2))?;
            return Ok(number.map_or(Float::zero(sign, format), |n| n.round(format, rounding)));
        }
        let decimal = Decimal::parse(text, MAX_DIGITS)?;
        // The text is valid; the host reads it correctly rounded to nearest even.
        if rounding == RoundingMode::NearestEven && format == Format::F64 {
            return Ok(Float::from_f64(
                text.parse().expect("a checked number should be one to the host"),
            ));
        }
        if rounding == RoundingMode::NearestEven && format == Format::F32 {
            return Ok(Float::from_f32(
                text.parse().expect("a checked number should be one to the host"),
            ));
        }
        Ok(decimal.round(format, rounding))
    }

    /// Reads a number as the x87's extended format does, with 64 significant bits, and rounds that to the format: what C
    /// means by `(double)1.1L` on x86-64.
    pub fn parse_extended(text: &str, format: Format) -> Result<Float, ParseFloatError> {
        assert!(
            format.is_supported(),
            "format should have 2..=11 exponent and 2..=53 significand bits"
        );
        let (sign, body) = split_sign(text);
        let number = if body.starts_with("0x") || body.starts_with("0X") {
            hex::parse_number(sign, &text[text.len() - body.len() + 2..])
                .map_err(|error| error.moved_by(text.len() - body.len() + 2))?
        } else {
            Decimal::parse(text, usize::MAX)?.number()
        };
        let rounding = RoundingMode::NearestEven;
        let rounded = |number: Number| number.cut(EXTENDED_BITS, rounding).round(format, rounding);
        Ok(number.map_or(Float::zero(sign, format), rounded))
    }

    /// `parse` of a decimal number by the exact core, whatever the host could do.
    pub fn soft_parse_decimal(
        text: &str,
        format: Format,
        rounding: RoundingMode,
    ) -> Result<Float, ParseFloatError> {
        Ok(Decimal::parse(text, MAX_DIGITS)?.round(format, rounding))
    }

    /// The quotient of two decimal numbers, rounded once; a zero quotient is +0, as SMT-LIB reals have
    /// one zero only.
    pub fn parse_ratio(
        numerator: &str,
        denominator: &str,
        format: Format,
        rounding: RoundingMode,
    ) -> Result<Float, ParseFloatError> {
        assert!(
            format.is_supported(),
            "format should have 2..=11 exponent and 2..=53 significand bits"
        );
        let numerator = Decimal::parse(numerator, usize::MAX)?;
        let denominator = Decimal::parse(denominator, usize::MAX)?;
        if denominator.digits.is_empty() {
            return Err(ParseFloatError::ZeroDenominator);
        }
        if numerator.digits.is_empty() {
            return Ok(Float::zero(Sign::Positive, format));
        }
        let sign = numerator.sign.times(denominator.sign);
        let power = numerator.power() - denominator.power();
        let point = numerator.point - denominator.point;
        Ok(scaled_quotient(sign, &numerator.digits, &denominator.digits, power, point)
            .round(format, rounding))
    }

    /// The fewest decimal digits that read back as this float to nearest even: `0.1`, `1e300`, `inf`,
    /// `-inf`, `nan`. Finite numbers always show a point or an exponent.
    ///
    /// Outside binary32 and binary64, "fewest" is among the correctly rounded decimals.
    pub fn to_decimal(self) -> String {
        if self.is_nan() {
            return "nan".to_owned();
        }
        if self.is_infinite() {
            return if self.is_negative() { "-inf".to_owned() } else { "inf".to_owned() };
        }
        if self.format == Format::F32 {
            return format!("{:?}", self.to_f32());
        }
        let wide = self.to_f64();
        if self.format == Format::F64 {
            return format!("{wide:?}");
        }
        for precision in 0..=17 {
            let text = format!("{wide:.precision$e}");
            let read = Float::soft_parse_decimal(&text, self.format, RoundingMode::NearestEven);
            if read == Ok(self) {
                let short: f64 = text.parse().expect("the host should read what it wrote");
                return format!("{short:?}");
            }
        }
        // 17 digits tell any two binary64 numbers apart, and this one is exact in binary64.
        format!("{wide:?}")
    }
}

impl ParseFloatError {
    /// The same error about a text that starts `by` bytes earlier.
    fn moved_by(self, by: usize) -> ParseFloatError {
        match self {
            ParseFloatError::Unexpected { at } => ParseFloatError::Unexpected { at: at + by },
            ParseFloatError::NoDigits
            | ParseFloatError::NoExponent
            | ParseFloatError::ZeroDenominator => self,
        }
    }
}

/// The sign, `+` if none is written, and the rest.
fn split_sign(text: &str) -> (Sign, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (Sign::Negative, rest),
        None => (Sign::Positive, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// Reads `[sign]digits` from `at` to the end of the text, held at ±10^15 if larger.
pub(super) fn parse_exponent(text: &[u8], mut at: usize) -> Result<i64, ParseFloatError> {
    let negative = text.get(at) == Some(&b'-');
    if negative || text.get(at) == Some(&b'+') {
        at += 1;
    }
    if at >= text.len() {
        return Err(ParseFloatError::NoExponent);
    }
    let mut exponent = 0i64;
    for (offset, byte) in text[at..].iter().enumerate() {
        if !byte.is_ascii_digit() {
            return Err(ParseFloatError::Unexpected { at: at + offset });
        }
        exponent = (exponent * 10 + i64::from(byte - b'0')).min(10i64.pow(15));
    }
    Ok(if negative { -exponent } else { exponent })
}

impl Decimal {
    /// Keeps at most `max_digits`; what is not zero beyond them becomes one last digit 1.
    fn parse(text: &str, max_digits: usize) -> Result<Decimal, ParseFloatError> {
        let (sign, body) = split_sign(text);
        let bytes = text.as_bytes();
        let mut digits = Vec::new();
        let mut point = 0i64;
        let mut seen_point = false;
        let mut seen_digit = false;
        let mut at = text.len() - body.len();
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'0'..=b'9' => {
                    seen_digit = true;
                    let leading_zero = byte == b'0' && digits.is_empty();
                    // The point moves right with every digit before it, left with zeros behind it.
                    point += i64::from(!seen_point && !leading_zero);
                    point -= i64::from(seen_point && leading_zero);
                    if !leading_zero && digits.len() < max_digits {
                        digits.push(byte);
                    } else if digits.len() == max_digits && byte != b'0' {
                        digits.push(b'1');
                    }
                }
                b'.' if !seen_point => seen_point = true,
                b'e' | b'E' if seen_digit => {
                    point += parse_exponent(bytes, at + 1)?;
                    break;
                }
                _ => return Err(ParseFloatError::Unexpected { at }),
            }
            at += 1;
        }
        if !seen_digit {
            return Err(ParseFloatError::NoDigits);
        }
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        Ok(Decimal { sign, digits, point })
    }

    /// The power of ten behind the digits read as a whole number.
    fn power(&self) -> i64 {
        self.point - self.digits.len() as i64
    }

    /// `None` for zero.
    fn number(&self) -> Option<Number> {
        let number = || scaled_quotient(self.sign, &self.digits, b"1", self.power(), self.point);
        (!self.digits.is_empty()).then(number)
    }

    fn round(&self, format: Format, rounding: RoundingMode) -> Float {
        let rounded = |number: Number| number.round(format, rounding);
        self.number().map_or(Float::zero(self.sign, format), rounded)
    }
}

/// `± numerator / denominator · 10^power`, which is about `10^point`.
fn scaled_quotient(
    sign: Sign,
    numerator: &[u8],
    denominator: &[u8],
    power: i64,
    point: i64,
) -> Number {
    if point.abs() > MAX_POINT {
        // The magnitude alone decides, whatever the digits.
        let exponent = if point > 0 { 8192 } else { -8192 };
        return Number { sign, exponent, significand: 1, sticky: false };
    }
    let numerator = Natural::from_decimal_digits(numerator);
    let denominator = Natural::from_decimal_digits(denominator);
    let size = u32::try_from(power.unsigned_abs()).expect("powers should be bounded by the point");
    if power >= 0 {
        Natural::quotient(sign, &numerator.times_power_of_ten(size), &denominator)
    } else {
        Natural::quotient(sign, &numerator, &denominator.times_power_of_ten(size))
    }
}
