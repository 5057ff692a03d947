//! `sprintf` and `snprintf`: text whose length is between two bounds and whose bytes are open.
//!
//! What a path says about such text is more than the library gives, never less: a refutation holds, and a model that the
//! library does not keep shows when the interpreter runs it (`Inputs::is_loose`). The length is fixed on each path, so
//! that memory is written exactly as far as the text goes.

use glassbox_library::Function;
use glassbox_terms::{Sort, TermId};

use super::{Executor, Stop};
use crate::value::SymValue;

/// Longer text is not followed.
const MOST: u64 = 80;

/// What is known of the text that a format gives.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shape {
    /// What comes before the first conversion.
    prefix: Vec<u8>,
    least: u64,
    most: u64,
    /// Single characters, which may be zero.
    has_characters: bool,
}

impl Shape {
    /// `None` where the arguments decide about more than numbers: `%s`, `%*d`, `%n`.
    fn of(format: &[u8]) -> Option<Shape> {
        let mut shape = Shape { prefix: Vec::new(), least: 0, most: 0, has_characters: false };
        let mut rest = format.iter().copied().peekable();
        let mut is_prefix = true;
        while let Some(byte) = rest.next() {
            if byte != b'%' {
                shape.add(1, 1);
                if is_prefix {
                    shape.prefix.push(byte);
                }
                continue;
            }
            let mut spec = Vec::new();
            while let Some(part) = rest.next_if(|byte| b"0123456789-+ #.hlzjt".contains(byte)) {
                spec.push(part);
            }
            let conversion = rest.next()?;
            if conversion == b'%' && spec.is_empty() {
                shape.add(1, 1);
                if is_prefix {
                    shape.prefix.push(byte);
                }
                continue;
            }
            is_prefix = false;
            shape.has_characters |= conversion == b'c';
            let (least, most) = bounds(&spec, conversion)?;
            shape.add(least, most);
        }
        (shape.most <= MOST).then_some(shape)
    }

    fn add(&mut self, least: u64, most: u64) {
        self.least += least;
        self.most += most;
    }
}

/// Characters that a conversion gives at least and at most.
fn bounds(spec: &[u8], conversion: u8) -> Option<(u64, u64)> {
    let text = std::str::from_utf8(spec).ok()?;
    let rest = text.trim_start_matches(['-', '+', ' ', '#', '0']);
    let n_flags = text.len() - rest.len();
    let numbers = rest.trim_end_matches(['h', 'l', 'z', 'j', 't']);
    let length = &rest[numbers.len()..];
    let number = |text: &str| if text.is_empty() { Some(0) } else { text.parse::<u64>().ok() };
    let (width, precision) = match numbers.split_once('.') {
        Some((width, precision)) => (number(width)?, Some(number(precision)?)),
        None => (number(numbers)?, None),
    };
    if width > MOST || precision.is_some_and(|precision| precision > MOST) {
        return None;
    }
    let digits = match (length, conversion) {
        (_, b'c') => {
            return (length.is_empty() && precision.is_none())
                .then_some((width.max(1), width.max(1)));
        }
        // Sign, digits, point and exponent, or zeros behind the point; `inf` and `nan` have three letters.
        (_, b'e' | b'E' | b'g' | b'G') => precision.unwrap_or(6) + 10,
        ("hh" | "h" | "", b'o') => 11,
        ("hh" | "h" | "", b'd' | b'i' | b'u' | b'x' | b'X') => 10,
        ("l" | "ll" | "z" | "j" | "t", b'd' | b'i' | b'u' | b'x' | b'X' | b'o') => 22,
        _ => return None,
    };
    let is_number = !b"eEgG".contains(&conversion);
    let least = if is_number { precision.unwrap_or(1) } else { 1 };
    let signs = 1 + if n_flags > 0 { 2 } else { 0 };
    let most = digits.max(if is_number { precision.unwrap_or(0) } else { 0 }) + signs;
    Some((least.max(width), most.max(width)))
}

impl Executor<'_> {
    /// Functions that write formatted text into memory; `None` if the function is none of them, or if too little is
    /// known of the text.
    pub(crate) fn call_formatter(
        &mut self,
        known: &Function,
        args: &[SymValue],
    ) -> Result<Option<SymValue>, Stop> {
        let (format_at, room_at) = match known.name.as_str() {
            "sprintf" => (1, None),
            "snprintf" => (2, Some(1)),
            _ => return Ok(None),
        };
        let Some(&to) = args.first() else { return Ok(None) };
        let Some(format) = self.known_text(args.get(format_at).copied())? else { return Ok(None) };
        let Some(shape) = Shape::of(&format) else { return Ok(None) };
        let room = match room_at.and_then(|at: usize| args.get(at)) {
            Some(SymValue::Term(room)) => Some(self.fix_value(*room)?),
            Some(SymValue::Ptr(_)) => return Ok(None),
            None => None,
        };
        self.inputs.is_loose = true;
        let length = self.length_of(&shape)?;
        let n_written = room.map_or(length, |room| length.min(room.saturating_sub(1)));
        if room != Some(0) {
            for at in 0..n_written {
                let byte = self.byte_of(&shape, at)?;
                self.write_after(to, at, 1, SymValue::Term(byte))?;
            }
            let zero = self.terms.bv_u(0, 8);
            self.write_after(to, n_written, 1, SymValue::Term(zero))?;
        }
        Ok(Some(SymValue::Term(self.terms.bv_u(length.into(), 32))))
    }

    fn length_of(&mut self, shape: &Shape) -> Result<u64, Stop> {
        if shape.least == shape.most {
            return Ok(shape.least);
        }
        let length = self.inputs.variable(self.terms, "length of the text", Sort::Bv(32));
        let (least, most) =
            (self.terms.bv_u(shape.least.into(), 32), self.terms.bv_u(shape.most.into(), 32));
        let (is_enough, is_few) =
            (self.terms.bv_ule(least, length), self.terms.bv_ule(length, most));
        let fact = self.terms.and2(is_enough, is_few);
        self.assume(fact)?;
        self.fix_value(length)
    }

    fn byte_of(&mut self, shape: &Shape, at: u64) -> Result<TermId, Stop> {
        let literal = usize::try_from(at).ok().and_then(|at| shape.prefix.get(at));
        if let Some(&byte) = literal {
            return Ok(self.terms.bv_u(byte.into(), 8));
        }
        let byte = self.inputs.variable(self.terms, "text", Sort::Bv(8));
        if !shape.has_characters {
            let zero = self.terms.bv_u(0, 8);
            let is_end = self.terms.eq(byte, zero);
            let goes_on = self.terms.not(is_end);
            self.assume(goes_on)?;
        }
        Ok(byte)
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;

    fn lengths(format: &str) -> Option<(u64, u64)> {
        Shape::of(format.as_bytes()).map(|shape| (shape.least, shape.most))
    }

    #[test]
    fn bounds_contain_what_the_library_gives() {
        // (format, shortest and longest text that glibc gives)
        let known = [
            ("%d", 1, 11),
            ("%u", 1, 10),
            ("%x", 1, 8),
            ("u%04x", 5, 9),
            ("%#o", 1, 12),
            ("%+5d", 5, 11),
            ("%ld", 1, 20),
            ("%llo", 1, 22),
            ("%1.15g", 1, 22),
            ("%.17e", 3, 25),
            ("%c%%", 2, 2),
            ("%.0d", 0, 11),
            ("%.12d", 12, 13),
            ("plain", 5, 5),
        ];
        for (format, shortest, longest) in known {
            let (least, most) = lengths(format).expect("known");
            assert!(least <= shortest && longest <= most, "{format}: {least} to {most}");
        }
        assert_eq!(lengths("plain"), Some((5, 5)));
        for format in ["%s", "%*d", "%n", "%", "%f", "%500d", "%Lg", "%p"] {
            assert_eq!(lengths(format), None, "{format}");
        }
    }
}
