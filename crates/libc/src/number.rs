//! Numbers in text: what `strtod` and `scanf` take for one.

use glassbox_values::{Float, Format, RoundingMode};

use crate::catalog::Model;
use crate::env::{Answer, Env, unsupported};
use crate::errors;

/// The functions of the catalogue that this file has bodies for.
pub(crate) const NATIVES: &[(&str, Model)] = &[
    ("__glassbox_strtod", strtod),
    ("__glassbox_strtof", strtof),
    ("__glassbox_scan_float", scan_float),
    ("strtold", strtold),
];

/// Reads one number byte by byte, deciding at each byte whether it still belongs to the number. It takes
/// the longest prefix that can begin a number, as `scanf` must with one byte of push-back.
#[derive(Debug, Default)]
pub(crate) struct FloatScanner {
    text: Vec<u8>,
    has_digit: bool,
    has_point: bool,
    is_hex: bool,
    has_exponent: bool,
    has_exponent_digit: bool,
    word: Option<&'static [u8]>,
    /// Bytes of `inf`, `infinity` or `nan` seen.
    n_word: usize,
}

impl FloatScanner {
    pub(crate) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Takes the byte if it can go on the number.
    pub(crate) fn push(&mut self, byte: u8) -> bool {
        let is_taken = self.takes(byte);
        if is_taken {
            self.text.push(byte);
        }
        is_taken
    }

    fn takes(&mut self, byte: u8) -> bool {
        let lower = byte.to_ascii_lowercase();
        if let Some(word) = self.word {
            let goes_on = word.get(self.n_word) == Some(&lower);
            self.n_word += usize::from(goes_on);
            return goes_on;
        }
        let n_signs = usize::from(matches!(self.text.first(), Some(b'+' | b'-')));
        let is_start = self.text.len() == n_signs;
        match lower {
            b'+' | b'-' => {
                self.text.is_empty()
                    || (self.has_exponent
                        && matches!(self.text.last(), Some(b'e' | b'E' | b'p' | b'P')))
            }
            b'i' | b'n' if is_start => {
                self.word = Some(if lower == b'i' { b"infinity" } else { b"nan" });
                self.n_word = 1;
                true
            }
            b'x' if self.text.len() == n_signs + 1 && self.text.ends_with(b"0") => {
                self.is_hex = true;
                self.has_digit = false;
                true
            }
            b'.' if !self.has_point && !self.has_exponent => {
                self.has_point = true;
                true
            }
            b'e' if !self.is_hex && self.has_digit && !self.has_exponent => {
                self.has_exponent = true;
                true
            }
            b'p' if self.is_hex && self.has_digit && !self.has_exponent => {
                self.has_exponent = true;
                true
            }
            b'0'..=b'9' => {
                if self.has_exponent {
                    self.has_exponent_digit = true;
                } else {
                    self.has_digit = true;
                }
                true
            }
            b'a'..=b'f' if self.is_hex && !self.has_exponent => {
                self.has_digit = true;
                true
            }
            _ => false,
        }
    }

    /// Whether what was taken is enough for `scanf`, which lets an exponent go without digits.
    pub(crate) fn is_enough(&self) -> bool {
        if self.word.is_some() { self.is_complete() } else { self.has_digit }
    }

    /// Whether what was taken is a whole number, not just the beginning of one.
    pub(crate) fn is_complete(&self) -> bool {
        match self.word {
            Some(word) => self.n_word == 3 || self.n_word == word.len(),
            None => self.has_digit && (!self.has_exponent || self.has_exponent_digit),
        }
    }
}

/// A number at the start of `text` and how many bytes it takes; `None` if there is none.
pub(crate) fn leading_float(text: &[u8], format: Format) -> Option<(Float, usize)> {
    let mut scanner = FloatScanner::default();
    // The longest prefix that is a number by itself.
    let mut best = 0;
    for (at, &byte) in text.iter().enumerate() {
        if !scanner.push(byte) {
            break;
        }
        if scanner.is_complete() {
            best = at + 1;
        } else if scanner.is_hex && !scanner.has_digit && !scanner.has_point {
            // `0x` without digits is the number 0.
            best = at;
        }
    }
    if best == 0 {
        return None;
    }
    let mut value = parse(&text[..best], format)?;
    if value.is_nan() && text.get(best) == Some(&b'(') {
        best += nan_payload(&text[best..]);
    }
    if value.is_nan() && text[0] == b'-' {
        value = value.neg();
    }
    Some((value, best))
}

/// The length of `(characters)`, or 0 if it is not closed.
fn nan_payload(text: &[u8]) -> usize {
    let inside = text[1..].iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
    if text.get(inside + 1) == Some(&b')') { inside + 2 } else { 0 }
}

/// The value of a complete number.
fn parse(text: &[u8], format: Format) -> Option<Float> {
    parse_rounded(text, format, RoundingMode::NearestEven)
}

fn parse_rounded(text: &[u8], format: Format, mode: RoundingMode) -> Option<Float> {
    let mut lower = String::from_utf8(text.to_ascii_lowercase()).ok()?;
    if lower.ends_with("infinity") {
        lower.truncate(lower.len() - 5);
    }
    let is_hex = lower.contains('x');
    if is_hex && !lower.contains('p') {
        lower.push_str("p0");
    }
    Float::parse(&lower, format, mode).ok()
}

/// What a number is that `errno` is set for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    Fits,
    /// Overflow to infinity, or loss of digits near zero.
    OutOfRange,
    /// Rounded up to the smallest number of full precision, where we have no format to tell whether that is a loss.
    Border,
}

fn fit(value: Float, text: &[u8], format: Format) -> Fit {
    let is_word = text.iter().any(|c| matches!(c, b'n' | b'N'));
    if is_word {
        return Fit::Fits;
    }
    if value.is_infinite() {
        return Fit::OutOfRange;
    }
    let rounded = |mode| parse_rounded(text, format, mode);
    let toward_zero = rounded(RoundingMode::TowardZero);
    let is_exact = toward_zero == rounded(RoundingMode::TowardPositive)
        && toward_zero == rounded(RoundingMode::TowardNegative);
    let was_tiny = toward_zero.is_some_and(|it| it.is_subnormal() || it.is_zero());
    match (is_exact, was_tiny) {
        (true, _) | (false, false) => Fit::Fits,
        (false, true) if value.is_subnormal() || value.is_zero() => Fit::OutOfRange,
        // Machines that look after rounding ask whether a smaller exponent would have kept the digits.
        (false, true) => match Format::new(Format::F64.exponent, format.significand) {
            Some(wide) if wide != format => {
                let is_kept =
                    parse(text, wide) == Some(value.convert(wide, RoundingMode::NearestEven));
                if is_kept { Fit::Fits } else { Fit::OutOfRange }
            }
            Some(_) | None => Fit::Border,
        },
    }
}

fn string_to_float(
    env: &mut Env<'_>,
    format: Format,
) -> Result<Float, glassbox_interp::ExternalResult> {
    let (from, end_at) = (env.pointer(0)?, env.pointer(1)?);
    let text = env.memory.read_c_string(from)?;
    let n_spaces = text.iter().take_while(|c| is_space(**c)).count();
    let (value, n_bytes) = match leading_float(&text[n_spaces..], format) {
        Some((value, length)) => {
            match fit(value, &text[n_spaces..n_spaces + length], format) {
                Fit::Fits => {}
                Fit::OutOfRange => env.set_errno(errors::ERANGE),
                Fit::Border => {
                    return unsupported("a number just below the smallest of full precision");
                }
            }
            (value, n_spaces + length)
        }
        None => (Float::zero(glassbox_values::Sign::Positive, format), 0),
    };
    if end_at != 0 {
        env.memory.store_pointer(end_at, from.wrapping_add(n_bytes as u64))?;
    }
    Ok(value)
}

pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

fn strtod(env: &mut Env<'_>) -> Answer {
    let value = string_to_float(env, Format::F64)?;
    env.double_result(f64::from_bits(value.to_bits()))
}

fn strtof(env: &mut Env<'_>) -> Answer {
    let value = string_to_float(env, Format::F32)?;
    env.float_result(f32::from_bits(value.to_bits() as u32))
}

/// A float as `sscanf` takes it, with a width or 0, stored where the last argument points; how long it is, 0 where the
/// text is none.
fn scan_float(env: &mut Env<'_>) -> Answer {
    let (text, width) = (env.string(0)?, env.size(1)?);
    let (size, to) = (env.size(2)?, env.pointer(3)?);
    let limit = if width == 0 { usize::MAX } else { usize::try_from(width).unwrap_or(usize::MAX) };
    let mut number = FloatScanner::default();
    for &byte in text.iter().take(limit) {
        if !number.push(byte) {
            break;
        }
    }
    let (format, n_bytes) = if size == 8 { (Format::F64, 8) } else { (Format::F32, 4) };
    let value = if number.is_enough() { leading_float(number.text(), format) } else { None };
    let Some((value, _)) = value else { return Ok(0) };
    if to != 0 {
        env.memory.store(to, n_bytes, value.to_bits())?;
    }
    Ok(number.text().len() as u128)
}

fn strtold(_env: &mut Env<'_>) -> Answer {
    unsupported("`long double` is not modeled")
}
