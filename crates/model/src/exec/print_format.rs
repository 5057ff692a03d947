//! Conversions of `printf`: how many characters each gives at least and at most.

use glassbox_ir::Ty;
use glassbox_values::Format;

/// Longer text is not followed.
pub(super) const MOST: u64 = 160;

/// What a conversion makes of its argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Character,
    /// Characters up to a zero, at most so many.
    Text(Option<u64>),
    /// A number whose digits are left open. `is_plain`: in decimal, without flags.
    Number {
        least: u64,
        most: u64,
        ty: Ty,
        is_plain: bool,
    },
}

/// One conversion, which takes one argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Conversion {
    pub(super) kind: Kind,
    pub(super) width: u64,
    /// Blanks stand behind the text.
    pub(super) is_left: bool,
}

/// The conversion that `letter` is, behind its flags, width, precision and length; `None` where it is not followed.
pub(super) fn conversion(spec: &[u8], letter: u8) -> Option<Conversion> {
    let text = std::str::from_utf8(spec).ok()?;
    let rest = text.trim_start_matches(['-', '+', ' ', '#', '0']);
    let flags = &text[..text.len() - rest.len()];
    let numbers = rest.trim_end_matches(['h', 'l', 'z', 'j', 't']);
    let length = &rest[numbers.len()..];
    let number = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<u64>().ok() };
    let (width, precision) = match numbers.split_once('.') {
        Some((width, precision)) => (number(width)?, Some(number(precision)?)),
        None => (number(numbers)?, None),
    };
    if width > MOST {
        return None;
    }
    let kind = match letter {
        b'c' if length.is_empty() && precision.is_none() => Kind::Character,
        b's' if length.is_empty() => Kind::Text(precision),
        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'e' | b'E' | b'g' | b'G'
            if precision.is_none_or(|precision| precision <= MOST) =>
        {
            let number = digits(flags, precision, length, letter)?;
            return Some(Conversion { kind: wider(number, width), width: 0, is_left: false });
        }
        _ => return None,
    };
    Some(Conversion { kind, width, is_left: flags.contains('-') })
}

/// A number in a field: it may be filled with zeros, so that what fills it is as open as the digits.
fn wider(number: Kind, width: u64) -> Kind {
    match number {
        Kind::Number { least, most, ty, is_plain } => Kind::Number {
            least: least.max(width),
            most: most.max(width),
            ty,
            is_plain: is_plain && width == 0,
        },
        Kind::Character | Kind::Text(_) => number,
    }
}

fn digits(flags: &str, precision: Option<u64>, length: &str, letter: u8) -> Option<Kind> {
    let (digits, ty) = match (length, letter) {
        // Sign, digits, point and exponent, or zeros behind the point; `inf` and `nan` have three letters.
        (_, b'e' | b'E' | b'g' | b'G') => (precision.unwrap_or(6) + 10, Ty::Float(Format::F64)),
        ("hh" | "h" | "", b'o') => (11, Ty::Int(32)),
        ("hh" | "h" | "", b'd' | b'i' | b'u' | b'x' | b'X') => (10, Ty::Int(32)),
        ("l" | "ll" | "z" | "j" | "t", b'd' | b'i' | b'u' | b'x' | b'X' | b'o') => {
            (22, Ty::Int(64))
        }
        _ => return None,
    };
    let is_number = ty != Ty::Float(Format::F64);
    let least = if is_number { precision.unwrap_or(1) } else { 1 };
    let signs = 1 + if flags.is_empty() { 0 } else { 2 };
    let most = digits.max(if is_number { precision.unwrap_or(0) } else { 0 }) + signs;
    let is_decimal = matches!((length, letter), ("" | "l" | "ll" | "z", b'd' | b'i' | b'u'));
    let is_plain = is_decimal && flags.is_empty() && precision.is_none();
    Some(Kind::Number { least, most, ty, is_plain })
}

#[cfg(test)]
mod tests {
    use super::{Kind, conversion};

    /// Bounds of the text, blanks included.
    fn lengths(spec: &str) -> Option<(u64, u64)> {
        let (letter, spec) = spec.as_bytes().split_last()?;
        let found = conversion(spec, *letter)?;
        let (least, most) = match found.kind {
            Kind::Character => (1, 1),
            Kind::Text(precision) => (0, precision.unwrap_or(u64::MAX)),
            Kind::Number { least, most, .. } => (least, most),
        };
        Some((least.max(found.width), most.max(found.width)))
    }

    #[test]
    fn bounds_contain_what_the_library_gives() {
        // (conversion, shortest and longest text that glibc gives)
        let known = [
            ("d", 1, 11),
            ("u", 1, 10),
            ("x", 1, 8),
            ("04x", 4, 8),
            ("#o", 1, 12),
            ("+5d", 5, 11),
            ("ld", 1, 20),
            ("llo", 1, 22),
            ("1.15g", 1, 22),
            (".17e", 3, 25),
            ("c", 1, 1),
            ("7c", 7, 7),
            (".0d", 0, 11),
            (".12d", 12, 13),
            ("-12.3s", 12, 12),
        ];
        for (spec, shortest, longest) in known {
            let (least, most) = lengths(spec).expect("known");
            assert!(least <= shortest && longest <= most, "{spec}: {least} to {most}");
        }
        for spec in ["n", "f", "500d", ".500d", "Lg", "p", "ls", "lc", "m"] {
            assert_eq!(lengths(spec), None, "{spec}");
        }
    }
}
