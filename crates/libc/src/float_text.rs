//! Floats as `printf` writes them: `%f`, `%e`, `%g`, `%a`, digit for digit as glibc.
//!
//! Decimal digits come from the host's exact formatting, which rounds to nearest even on the exact
//! value as glibc does.

use crate::printf::{Spec, pad_into, sign_text};

/// Digits behind which every `double` has only zeros; the host's formatting takes no larger precision.
const ALL_DIGITS: usize = 1100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Notation {
    Fixed,
    Scientific,
    Shorter,
    Hexadecimal,
}

/// How to write a float.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FloatStyle {
    notation: Notation,
    is_upper: bool,
}

impl FloatStyle {
    pub(crate) fn of(conversion: u8) -> FloatStyle {
        let notation = match conversion.to_ascii_lowercase() {
            b'f' => Notation::Fixed,
            b'e' => Notation::Scientific,
            b'g' => Notation::Shorter,
            _ => Notation::Hexadecimal,
        };
        FloatStyle { notation, is_upper: conversion.is_ascii_uppercase() }
    }
}

/// The whole field.
pub(crate) fn float_field(value: f64, style: FloatStyle, spec: &Spec) -> Vec<u8> {
    let sign = sign_text(value.is_sign_negative(), spec);
    let magnitude = value.abs();
    let (prefix, mut body) = match style.notation {
        _ if value.is_nan() => ("", "nan".to_owned()),
        _ if value.is_infinite() => ("", "inf".to_owned()),
        Notation::Fixed => ("", fixed(magnitude, spec.precision.unwrap_or(6), spec.is_alternate)),
        Notation::Scientific => {
            ("", scientific(magnitude, spec.precision.unwrap_or(6), spec.is_alternate))
        }
        Notation::Shorter => {
            ("", shorter(magnitude, spec.precision.unwrap_or(6), spec.is_alternate))
        }
        Notation::Hexadecimal => ("0x", hexadecimal(magnitude, spec.precision, spec.is_alternate)),
    };
    let mut head = format!("{sign}{prefix}");
    if style.is_upper {
        body.make_ascii_uppercase();
        head.make_ascii_uppercase();
    }
    let mut text = head.into_bytes();
    if spec.pads_zeros && !spec.is_left && value.is_finite() {
        let n_zeros = spec.width.saturating_sub(text.len() + body.len());
        text.resize(text.len() + n_zeros, b'0');
    }
    text.extend_from_slice(body.as_bytes());
    let mut field = Vec::new();
    pad_into(&mut field, spec, &text);
    field
}

fn fixed(magnitude: f64, precision: usize, shows_point: bool) -> String {
    let shown = precision.min(ALL_DIGITS);
    let mut text = format!("{magnitude:.shown$}");
    if precision == 0 && shows_point {
        text.push('.');
    }
    text.extend(std::iter::repeat_n('0', precision - shown));
    text
}

/// Digits with their point, and the decimal exponent.
fn scientific_parts(magnitude: f64, precision: usize) -> (String, i32) {
    let shown = precision.min(ALL_DIGITS);
    let text = format!("{magnitude:.shown$e}");
    let (digits, exponent) = text.split_once('e').expect("scientific notation has an exponent");
    let mut digits = digits.to_owned();
    digits.extend(std::iter::repeat_n('0', precision - shown));
    (digits, exponent.parse().expect("the exponent is a number"))
}

fn exponent_text(exponent: i32) -> String {
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("e{sign}{:02}", exponent.unsigned_abs())
}

fn scientific(magnitude: f64, precision: usize, shows_point: bool) -> String {
    let (mut digits, exponent) = scientific_parts(magnitude, precision);
    if precision == 0 && shows_point {
        digits.push('.');
    }
    digits + &exponent_text(exponent)
}

/// `%g`: fixed or scientific by the exponent, without trailing zeros unless asked for.
fn shorter(magnitude: f64, precision: usize, keeps_zeros: bool) -> String {
    let precision = precision.max(1);
    let (digits, exponent) = scientific_parts(magnitude, precision - 1);
    let is_fixed = exponent >= -4 && i64::from(exponent) < precision as i64;
    if is_fixed {
        let behind = (precision as i64 - 1 - i64::from(exponent)) as usize;
        let text = fixed(magnitude, behind, keeps_zeros);
        return if keeps_zeros { text } else { without_zeros(text) };
    }
    let mut digits = if keeps_zeros { digits } else { without_zeros(digits) };
    if keeps_zeros && precision == 1 {
        digits.push('.');
    }
    digits + &exponent_text(exponent)
}

fn without_zeros(text: String) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// `%a` without its `0x`; a rounded leading digit may become 2, as in glibc.
fn hexadecimal(magnitude: f64, precision: Option<usize>, shows_point: bool) -> String {
    const FRACTION: u32 = 52;
    let bits = magnitude.to_bits();
    let biased = (bits >> FRACTION) as i32;
    let mut fraction = bits & ((1 << FRACTION) - 1);
    let mut lead = u64::from(biased != 0);
    let exponent = match (biased, fraction) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => biased - 1023,
    };
    let n_digits = match precision {
        Some(precision) if precision < 13 => {
            let dropped = FRACTION - 4 * precision as u32;
            let whole = lead << FRACTION | fraction;
            let half = 1u64 << (dropped - 1);
            let rest = whole & ((1u64 << dropped) - 1);
            let kept = whole >> dropped;
            let is_up = rest > half || rest == half && kept & 1 == 1;
            let rounded = (kept + u64::from(is_up)) << dropped;
            lead = rounded >> FRACTION;
            fraction = rounded & ((1 << FRACTION) - 1);
            precision
        }
        Some(precision) => precision,
        None => 13 - (fraction.trailing_zeros().min(FRACTION) / 4) as usize,
    };
    let mut digits = format!("{fraction:013x}");
    digits.truncate(n_digits);
    digits.extend(std::iter::repeat_n('0', n_digits - digits.len()));
    let point = if n_digits > 0 || shows_point { "." } else { "" };
    format!("{lead}{point}{digits}p{exponent:+}")
}
