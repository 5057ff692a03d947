//! `sprintf`, `snprintf` and the ones that take a `va_list`: text in which letters are those of the format and of its
//! arguments, and digits are open.
//!
//! What a path says about digits is more than the library gives, never less: a refutation holds, and a model that the
//! library does not keep shows when the interpreter runs it (`Inputs::is_loose`). The length is fixed on each path, so
//! that memory is written exactly as far as the text goes.

use glassbox_ir::{CheckKind, Ty};
use glassbox_library::Function;
use glassbox_terms::{Sort, TermId};
use glassbox_values::Bits;

use super::print_format::{Conversion, Kind, MOST, conversion};
use super::step::way;
use super::{Executor, Stop};
use crate::guide::ChoiceKind;
use crate::memory::table::end_of;
use crate::value::{ObjectId, SymPtr, SymValue};

/// Where the arguments of a format are.
enum Arguments<'a> {
    Given(std::slice::Iter<'a, SymValue>),
    /// A `va_list` that nothing has been taken from.
    List(Option<SymValue>),
    /// The next one of a `va_list`.
    At(ObjectId, i64),
}

impl Executor<'_> {
    /// Functions that write formatted text into memory; `None` if the function is none of them.
    pub(crate) fn call_formatter(
        &mut self,
        known: &Function,
        args: &[SymValue],
    ) -> Result<Option<SymValue>, Stop> {
        let (format_at, room_at, takes_list) = match known.name.as_str() {
            "sprintf" => (1, None, false),
            "snprintf" => (2, Some(1), false),
            "vsprintf" => (1, None, true),
            "vsnprintf" => (2, Some(1), true),
            _ => return Ok(None),
        };
        let (Some(&to), Some(&format)) = (args.first(), args.get(format_at)) else {
            return Ok(None);
        };
        let mut arguments = if takes_list {
            Arguments::List(args.get(format_at + 1).copied())
        } else {
            Arguments::Given(args.get(format_at + 1..).unwrap_or_default().iter())
        };
        let room = match room_at.and_then(|at: usize| args.get(at)) {
            Some(SymValue::Term(room)) => Some(self.fix_value(*room)?),
            Some(SymValue::Ptr(_)) => return Ok(None),
            None => None,
        };
        let text = self.formatted(format, &mut arguments, &known.name)?;
        let length = text.len() as u64;
        let n_written = room.map_or(length, |room| length.min(room.saturating_sub(1)));
        if room != Some(0) {
            for (at, byte) in (0..n_written).zip(text) {
                self.write_after(to, at, 1, SymValue::Term(byte))?;
            }
            let zero = self.terms.bv_u(0, 8);
            self.write_after(to, n_written, 1, SymValue::Term(zero))?;
        }
        Ok(Some(SymValue::Term(self.terms.bv_u(length.into(), 32))))
    }

    /// The text that a format gives, which may itself be an input as long as it converts nothing.
    fn formatted(
        &mut self,
        format: SymValue,
        arguments: &mut Arguments<'_>,
        name: &str,
    ) -> Result<Vec<TermId>, Stop> {
        let mut text = Vec::new();
        let mut at = 0;
        loop {
            let byte = self.byte_after(format, at)?;
            at += 1;
            let (zero, percent) = (self.terms.bv_u(0, 8), self.terms.bv_u(b'%'.into(), 8));
            let (is_end, is_conversion) = (self.terms.eq(byte, zero), self.terms.eq(byte, percent));
            let is_special = self.terms.or2(is_end, is_conversion);
            let is_letter = self.terms.not(is_special);
            match self
                .choose(ChoiceKind::Value, &[way(is_letter), way(is_end), way(is_conversion)])?
            {
                0 => text.push(byte),
                1 => return Ok(text),
                _ => at = self.print_conversion(format, at, arguments, &mut text)?,
            }
            if text.len() as u64 > MOST {
                return self.unsupported(format!("`{name}` of more than {MOST} characters"));
            }
        }
    }

    /// Adds what the conversion behind a `%` gives; where the format goes on.
    fn print_conversion(
        &mut self,
        format: SymValue,
        start: u64,
        arguments: &mut Arguments<'_>,
        text: &mut Vec<TermId>,
    ) -> Result<u64, Stop> {
        let mut spec = Vec::new();
        let mut at = start;
        let letter = loop {
            let byte = self.byte_after(format, at)?;
            at += 1;
            let Some(byte) = self.known(byte).and_then(|byte| u8::try_from(byte).ok()) else {
                return self.unsupported("a conversion in a format that is an input");
            };
            match byte {
                b'*' => self.given_number(arguments, &mut spec)?,
                byte if b"0123456789-+ #.hlzjt".contains(&byte) => spec.push(byte),
                byte => break byte,
            }
        };
        if letter == b'%' && spec.is_empty() {
            text.push(self.terms.bv_u(letter.into(), 8));
            return Ok(at);
        }
        let Some(conversion) = conversion(&spec, letter) else {
            let spec = String::from_utf8_lossy(&spec).into_owned();
            let what = format!("the conversion `%{spec}{}` of a format", char::from(letter));
            return self.unsupported(what);
        };
        let own = self.converted(conversion.kind, arguments)?;
        self.pad(&conversion, own, text);
        Ok(at)
    }

    /// Puts the value of an argument where `*` stands.
    fn given_number(
        &mut self,
        arguments: &mut Arguments<'_>,
        spec: &mut Vec<u8>,
    ) -> Result<(), Stop> {
        let SymValue::Term(number) = self.argument(arguments, Ty::Int(32))? else {
            return self.unsupported("a pointer as the width of a conversion");
        };
        let number = self.fix_value(number)?;
        let number = Bits::new(number.into(), 32).signed();
        let is_precision = spec.last() == Some(&b'.');
        if is_precision && number < 0 {
            // As if there were none.
            spec.pop();
        } else {
            let sign = if number < 0 { "-" } else { "" };
            spec.extend(format!("{sign}{}", number.unsigned_abs()).bytes());
        }
        Ok(())
    }

    fn pad(&mut self, conversion: &Conversion, own: Vec<TermId>, text: &mut Vec<TermId>) {
        let n_blanks = conversion.width.saturating_sub(own.len() as u64);
        let blank = self.terms.bv_u(b' '.into(), 8);
        let blanks = (0..n_blanks).map(|_| blank);
        if conversion.is_left {
            text.extend(own.into_iter().chain(blanks));
        } else {
            text.extend(blanks.chain(own));
        }
    }

    /// What a conversion makes of its argument, without blanks around it.
    fn converted(
        &mut self,
        kind: Kind,
        arguments: &mut Arguments<'_>,
    ) -> Result<Vec<TermId>, Stop> {
        match kind {
            Kind::Character => match self.argument(arguments, Ty::Int(32))? {
                SymValue::Term(letter) => Ok(vec![self.terms.bv_extract(7, 0, letter)]),
                SymValue::Ptr(_) => self.unsupported("a pointer as a character"),
            },
            Kind::Text(precision) => {
                let from = self.argument(arguments, Ty::Ptr)?;
                self.text_of(from, precision)
            }
            Kind::Number { least, most, ty, is_plain } => {
                let given = self.argument(arguments, ty)?;
                match given {
                    SymValue::Term(number) if is_plain && self.known(number) == Some(0) => {
                        Ok(vec![self.terms.bv_u(b'0'.into(), 8)])
                    }
                    SymValue::Term(_) | SymValue::Ptr(_) => self.open_digits(least, most),
                }
            }
        }
    }

    /// Characters up to the zero at their end.
    fn text_of(&mut self, from: SymValue, precision: Option<u64>) -> Result<Vec<TermId>, Stop> {
        let mut text = Vec::new();
        for at in 0..precision.unwrap_or(u64::MAX) {
            if at > MOST {
                return self.unsupported(format!("`%s` of more than {MOST} characters"));
            }
            let byte = self.byte_after(from, at)?;
            let zero = self.terms.bv_u(0, 8);
            let is_end = self.terms.eq(byte, zero);
            let goes_on = self.terms.not(is_end);
            if self.choose(ChoiceKind::Value, &[way(is_end), way(goes_on)])? == 0 {
                break;
            }
            text.push(byte);
        }
        Ok(text)
    }

    /// A number of which only bounds of its length are known.
    fn open_digits(&mut self, least: u64, most: u64) -> Result<Vec<TermId>, Stop> {
        self.inputs.is_loose = true;
        let mut length = least;
        if least != most {
            let open = self.inputs.variable(self.terms, "length of the text", Sort::Bv(32));
            let (least, most) =
                (self.terms.bv_u(least.into(), 32), self.terms.bv_u(most.into(), 32));
            let (is_enough, is_few) =
                (self.terms.bv_ule(least, open), self.terms.bv_ule(open, most));
            let fact = self.terms.and2(is_enough, is_few);
            self.assume(fact)?;
            length = self.fix_value(open)?;
        }
        let mut text = Vec::new();
        for _ in 0..length {
            let byte = self.inputs.variable(self.terms, "text", Sort::Bv(8));
            let zero = self.terms.bv_u(0, 8);
            let is_end = self.terms.eq(byte, zero);
            let goes_on = self.terms.not(is_end);
            self.assume(goes_on)?;
            text.push(byte);
        }
        Ok(text)
    }

    /// The next argument of a format.
    fn argument(&mut self, arguments: &mut Arguments<'_>, ty: Ty) -> Result<SymValue, Stop> {
        let (object, at) = match arguments {
            Arguments::Given(rest) => {
                return match rest.next() {
                    Some(value) => Ok(*value),
                    None => self.unsupported("a format with more conversions than arguments"),
                };
            }
            Arguments::List(list) => self.first_of_list(*list)?,
            Arguments::At(object, at) => (*object, *at),
        };
        if self.is_missing(object, at) {
            return self.no_argument("a variable argument of the function under test");
        }
        *arguments = Arguments::At(object, end_of(at, 8));
        self.load_at(ty, object, at)
    }

    fn first_of_list(&mut self, list: Option<SymValue>) -> Result<(ObjectId, i64), Stop> {
        let Some(SymValue::Ptr(list)) = list else {
            return self.unsupported("a `va_list` that is a number");
        };
        let (list, at) = self.target_of(list)?;
        let at = self.fix_offset(at)?;
        match self.load_at(Ty::Ptr, list, at)? {
            SymValue::Ptr(SymPtr::Object { object, offset }) => {
                Ok((object, self.fix_offset(offset)?))
            }
            SymValue::Ptr(_) | SymValue::Term(_) => {
                self.unsupported("a `va_list` of the function's caller")
            }
        }
    }

    /// The byte `distance` after where a pointer points.
    fn byte_after(&mut self, pointer: SymValue, distance: u64) -> Result<TermId, Stop> {
        let SymValue::Ptr(pointer) = pointer else {
            return self.unsupported("a number as a pointer");
        };
        let (object, offset) = self.target_of(pointer)?;
        let distance = self.terms.bv_u(distance.into(), 64);
        let place = self.terms.bv_add(offset, distance);
        let one = self.terms.bv_u(1, 64);
        let inside = self.in_bounds(object, place, one);
        self.require(inside, CheckKind::OutOfBounds)?;
        let place = self.fix_offset(place)?;
        match self.load_at(Ty::Int(8), object, place)? {
            SymValue::Term(byte) => Ok(byte),
            SymValue::Ptr(_) => self.unsupported("the bytes of an address as text"),
        }
    }
}
