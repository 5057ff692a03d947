//! Values as Java source writes them, exactly.

use glassbox_ir::{Program, SourceType, SourceTypeId};
use glassbox_values::{Bits, Float, Format, Signedness};

/// A boolean, integer or character of a type.
pub fn integer(program: &Program, ty: SourceTypeId, bits: Bits) -> String {
    let ty = program.source_type(ty);
    if let SourceType::Bool = ty {
        return (bits.unsigned() & 1 != 0).to_string();
    }
    let SourceType::Int { name, signedness, is_char, .. } = ty else {
        return bits.to_decimal(Signedness::Signed);
    };
    match (name.as_str(), is_char) {
        (_, true) => character(u16::try_from(bits.unsigned() & 0xffff).unwrap_or(0)),
        ("long", _) => format!("{}L", bits.to_decimal(*signedness)),
        ("byte" | "short", _) => format!("({name}) {}", bits.to_decimal(*signedness)),
        _ => bits.to_decimal(*signedness),
    }
}

/// A float or double: the shortest decimal that means this very number.
pub fn float(value: Float) -> String {
    let is_single = value.format() == Format::F32;
    let class = if is_single { "Float" } else { "Double" };
    if value.is_nan() {
        return format!("{class}.NaN");
    }
    let single = f32::from_bits(u32::try_from(value.to_bits()).unwrap_or(0));
    let double = f64::from_bits(value.to_bits());
    let (is_infinite, is_negative) = if is_single {
        (single.is_infinite(), single.is_sign_negative())
    } else {
        (double.is_infinite(), double.is_sign_negative())
    };
    match (is_infinite, is_negative) {
        (true, false) => format!("{class}.POSITIVE_INFINITY"),
        (true, true) => format!("{class}.NEGATIVE_INFINITY"),
        (false, _) if is_single => format!("{single:?}f"),
        (false, _) => format!("{double:?}"),
    }
}

/// A string literal of UTF-16 units.
pub fn string(units: &[u16]) -> String {
    let text: String = units.iter().map(|&unit| escaped(unit, '"')).collect();
    format!("\"{text}\"")
}

pub fn character(unit: u16) -> String {
    format!("'{}'", escaped(unit, '\''))
}

fn escaped(unit: u16, quote: char) -> String {
    match u8::try_from(unit).map(char::from) {
        Ok('\n') => "\\n".to_owned(),
        Ok('\t') => "\\t".to_owned(),
        Ok('\\') => "\\\\".to_owned(),
        Ok(letter) if letter == quote => format!("\\{letter}"),
        Ok(letter) if (' '..='~').contains(&letter) => letter.to_string(),
        // Three octal digits: `\u000a` would be read as the end of the line.
        Ok(_) => format!("\\{unit:03o}"),
        Err(_) => format!("\\u{unit:04x}"),
    }
}

/// The class of a parameter, by a method's descriptor, as source code names it. `None` for others.
pub fn param_type(descriptor: &str, position: usize) -> Option<String> {
    let mut rest = descriptor.strip_prefix('(')?;
    for at in 0.. {
        let n_dimensions = rest.len() - rest.trim_start_matches('[').len();
        let element = &rest[n_dimensions..];
        let len = if element.starts_with('L') { element.find(';')? + 1 } else { 1 };
        let ty = element.get(..len).filter(|ty| *ty != ")")?;
        if at == position {
            let class = ty.strip_prefix('L').and_then(|ty| ty.strip_suffix(';'));
            let class = class.filter(|_| n_dimensions == 0)?;
            return Some(class.replace(['/', '$'], "."));
        }
        rest = &element[len..];
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_exact() {
        assert_eq!(float(Float::from_f64(0.1)), "0.1");
        assert_eq!(float(Float::from_f64(-0.0)), "-0.0");
        assert_eq!(float(Float::from_f64(f64::INFINITY)), "Double.POSITIVE_INFINITY");
        assert_eq!(float(Float::from_f64(5e-324)), "5e-324");
    }

    #[test]
    fn parameters_are_counted() {
        let descriptor = "(I[JLjava/util/Map$Entry;[Ljava/lang/String;D)V";
        assert_eq!(param_type(descriptor, 2), Some("java.util.Map.Entry".to_owned()));
        assert_eq!(param_type(descriptor, 3), None);
        assert_eq!(param_type(descriptor, 9), None);
    }

    #[test]
    fn strings_have_no_line_ends() {
        let units: Vec<u16> = "a\"\n\u{7}é\u{20ac}".encode_utf16().collect();
        assert_eq!(string(&units), "\"a\\\"\\n\\007\\351\\u20ac\"");
    }
}
