//! Formatted reads from streams.
//!
//! A number that a conversion reads is an input of its own: the test writes it in the conversion's base into
//! the bytes of the stream, and the real `scanf` reads it back. Words (`%s`, `%[…]`) are bytes, their
//! length is split by value. At each conversion the input may also end, or hold something else. Text that
//! people would not write (leading zeros, several spaces, signs without need) is not looked at, so that
//! nothing is proved beyond it: the bound says so.
//!
//! Not here: `%n`, `%p`, `%m`, wide characters, `long double`, widths of floats.

use glassbox_ir::{PointerSize, Ty};
use glassbox_terms::{Sort, TermId};
use glassbox_testcase::{Assumption, UnmodeledInput};
use glassbox_values::{Format, Signedness};

use super::step::way;
use super::{Executor, Stop};
use crate::exec::stream::SPACES;
use crate::guide::ChoiceKind;
use crate::memory::table::end_of;
use crate::stream_input::{ByteSet, ItemText, PendingByte, Word};
use crate::value::{SymPtr, SymValue};

/// One part of a format.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Directive {
    Space,
    Literal(u8),
    Conversion(Conversion),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Conversion {
    is_suppressed: bool,
    width: Option<u64>,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    Integer(IntegerForm),
    Float(Format),
    Bytes,
    Word,
    /// `%[…]`.
    Set(ByteSet),
}

/// How an integer is written and kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct IntegerForm {
    width: u8,
    signedness: Signedness,
    base: u32,
}

/// How a directive ended.
enum Step {
    Assigned,
    Done,
    Mismatch,
    End,
}

/// The parts of a format, or what is not known of it.
fn parse(format: &[u8]) -> Result<Vec<Directive>, String> {
    let mut directives = Vec::new();
    let mut rest = format;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte.is_ascii_whitespace() || byte == 0x0b {
            directives.push(Directive::Space);
        } else if byte != b'%' {
            directives.push(Directive::Literal(byte));
        } else if let Some(after) = rest.strip_prefix(b"%") {
            rest = after;
            directives.extend([Directive::Space, Directive::Literal(b'%')]);
        } else {
            directives.push(Directive::Conversion(parse_conversion(&mut rest)?));
        }
    }
    Ok(directives)
}

fn parse_conversion(rest: &mut &[u8]) -> Result<Conversion, String> {
    let start = *rest;
    let is_suppressed = take(rest, b"*");
    let n_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let width = std::str::from_utf8(&rest[..n_digits]).ok().and_then(|digits| digits.parse().ok());
    *rest = &rest[n_digits..];
    let (bits, is_long_double) = if take(rest, b"hh") {
        (8, false)
    } else if take(rest, b"h") {
        (16, false)
    } else if take(rest, b"ll") || [b"l", b"j", b"z", b"t", b"q"].iter().any(|m| take(rest, *m)) {
        (64, false)
    } else {
        let is_long_double = take(rest, b"L");
        (32, is_long_double)
    };
    let unknown = || {
        let length = (start.len() - rest.len() + 1).min(start.len());
        format!("the conversion `%{}`", String::from_utf8_lossy(&start[..length]))
    };
    let Some((&letter, after)) = rest.split_first() else { return Err(unknown()) };
    let integer = |signedness, base| Kind::Integer(IntegerForm { width: bits, signedness, base });
    let kind = match letter {
        b'd' | b'i' => integer(Signedness::Signed, 10),
        b'u' => integer(Signedness::Unsigned, 10),
        b'x' | b'X' => integer(Signedness::Unsigned, 16),
        b'o' => integer(Signedness::Unsigned, 8),
        b'f' | b'e' | b'g' | b'E' | b'G' if !is_long_double && width.is_none() => {
            Kind::Float(if bits == 64 { Format::F64 } else { Format::F32 })
        }
        b'c' if bits == 32 => Kind::Bytes,
        b's' if bits == 32 => Kind::Word,
        b'[' if bits == 32 => {
            *rest = after;
            return Ok(Conversion { is_suppressed, width, kind: Kind::Set(parse_set(rest)) });
        }
        _ => return Err(unknown()),
    };
    *rest = after;
    Ok(Conversion { is_suppressed, width, kind })
}

fn take(rest: &mut &[u8], wanted: &[u8]) -> bool {
    let after = rest.strip_prefix(wanted);
    *rest = after.unwrap_or(rest);
    after.is_some()
}

/// The set after `%[`, up to its bracket.
fn parse_set(rest: &mut &[u8]) -> ByteSet {
    let is_negated = take(rest, b"^");
    let mut ranges = Vec::new();
    // A bracket that comes first belongs to the set.
    if take(rest, b"]") {
        ranges.push((b']', b']'));
    }
    while let Some((&byte, after)) = rest.split_first() {
        *rest = after;
        if byte == b']' {
            break;
        }
        match after {
            [b'-', last, ..] if *last != b']' => {
                ranges.push((byte, *last));
                *rest = &after[2..];
            }
            _ => ranges.push((byte, byte)),
        }
    }
    ByteSet { ranges, is_negated }
}

impl Executor<'_> {
    /// Reads as the format says; the number of values assigned, or -1.
    pub(crate) fn scanf(
        &mut self,
        format: Option<SymValue>,
        args: &[SymValue],
    ) -> Result<SymValue, Stop> {
        let format = self.literal_text(format)?;
        if self.program.pointers == PointerSize::Four {
            return self.unsupported("formatted input where `long` has four bytes");
        }
        let directives = match parse(&format) {
            Ok(directives) => directives,
            Err(what) => return self.unsupported(format!("{what} of `scanf`")),
        };
        self.inputs
            .note_bound(Assumption::UnmodeledInput(UnmodeledInput::OddlyWrittenStandardInput));
        let mut args = args.iter().copied();
        let mut n_assigned = 0;
        let mut skips = false;
        for directive in &directives {
            let step = match directive {
                Directive::Space => {
                    skips = true;
                    continue;
                }
                Directive::Literal(byte) => self.scan_literal(*byte, skips)?,
                Directive::Conversion(conversion) => {
                    let to = if conversion.is_suppressed { None } else { args.next() };
                    if to.is_none() && !conversion.is_suppressed {
                        return self.unsupported("`scanf` with too few arguments");
                    }
                    self.convert(conversion, to, skips)?
                }
            };
            skips = false;
            match step {
                Step::Assigned => n_assigned += 1,
                Step::Done => {}
                Step::Mismatch => break,
                Step::End => {
                    if n_assigned == 0 {
                        n_assigned = -1;
                    }
                    break;
                }
            }
        }
        Ok(SymValue::Term(self.terms.bv_s(n_assigned, 32)))
    }

    /// The bytes of a string literal.
    fn literal_text(&mut self, text: Option<SymValue>) -> Result<Vec<u8>, Stop> {
        match self.known_text(text)? {
            Some(text) => Ok(text),
            None => self.unsupported("a format that is not written in the call"),
        }
    }

    /// The bytes of a constant string; `None` if they are not known.
    pub(crate) fn known_text(&mut self, text: Option<SymValue>) -> Result<Option<Vec<u8>>, Stop> {
        let Some(SymValue::Ptr(SymPtr::Object { object, offset })) = text else { return Ok(None) };
        let Some(start) = self.known_offset(offset).filter(|_| self.memory.object(object).is_const)
        else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        loop {
            let at = end_of(start, bytes.len() as u64);
            let SymValue::Term(byte) = self.load_at(Ty::Int(8), object, at)? else {
                return Ok(None);
            };
            match self.known(byte).and_then(|byte| u8::try_from(byte).ok()) {
                Some(0) => return Ok(Some(bytes)),
                Some(byte) => bytes.push(byte),
                None => return Ok(None),
            }
        }
    }

    /// Whether the next item is there, is as wanted (`Some(true)`), something else, or the input ends.
    fn choose_next(&mut self, wanted: TermId) -> Result<Option<bool>, Stop> {
        let is_there = self.is_next_there()?;
        self.note_end(is_there);
        let is_other = self.terms.not(wanted);
        let ways = [
            way(self.terms.and2(is_there, wanted)),
            way(self.terms.and2(is_there, is_other)),
            way(self.terms.not(is_there)),
        ];
        Ok(match self.choose(ChoiceKind::Read, &ways)? {
            0 => Some(true),
            1 => Some(false),
            _ => None,
        })
    }

    /// A byte that no conversion wants: it stays on the input.
    fn leave_foreign(&mut self, byte: TermId) -> Result<(), Stop> {
        let ranges = [(0, b' '), (b'0', b'9'), (b'+', b'+'), (b'-', b'.')];
        let is_native = self.in_ranges(byte, &ranges);
        let is_foreign = self.terms.not(is_native);
        self.assume(is_foreign)?;
        let letters =
            self.in_ranges(byte, &[(b'a', b'f'), (b'A', b'F'), (b'i', b'i'), (b'I', b'I')]);
        let is_no_digit = self.terms.not(letters);
        self.assume(is_no_digit)?;
        let ranges = [(b'n', b'n'), (b'N', b'N')];
        let is_name = self.in_ranges(byte, &ranges);
        let is_no_name = self.terms.not(is_name);
        self.assume(is_no_name)?;
        self.inputs.stream_mut().pending = Some(PendingByte { byte, is_foreign: true });
        Ok(())
    }

    fn scan_literal(&mut self, wanted: u8, skips: bool) -> Result<Step, Stop> {
        let wanted = self.terms.bv_u(wanted.into(), 8);
        if let Some(pending) = self.inputs.stream_mut().pending {
            if skips && !pending.is_foreign {
                return self.unsupported("`scanf` after `ungetc`");
            }
            let is_same = self.terms.eq(pending.byte, wanted);
            let is_other = self.terms.not(is_same);
            if self.choose(ChoiceKind::Read, &[way(is_same), way(is_other)])? == 1 {
                return Ok(Step::Mismatch);
            }
            self.inputs.stream_mut().pending = None;
            return Ok(Step::Done);
        }
        let position = self.next_item()?;
        let name = self.item_name(position);
        let byte = self.inputs.variable(self.terms, &name, Sort::Bv(8));
        let is_same = self.terms.eq(byte, wanted);
        let next = self.choose_next(is_same)?;
        if next.is_some() {
            self.push_byte(byte, skips)?;
        }
        match next {
            Some(true) => Ok(Step::Done),
            Some(false) => {
                self.leave_foreign(byte)?;
                Ok(Step::Mismatch)
            }
            None => Ok(Step::End),
        }
    }

    fn convert(
        &mut self,
        conversion: &Conversion,
        to: Option<SymValue>,
        skips: bool,
    ) -> Result<Step, Stop> {
        match &conversion.kind {
            Kind::Bytes => self.scan_bytes(conversion.width.unwrap_or(1), to, skips),
            Kind::Word => {
                let no_space = ByteSet { ranges: SPACES.to_vec(), is_negated: true };
                self.scan_word(&no_space, conversion.width, to, true)
            }
            Kind::Set(set) => self.scan_word(set, conversion.width, to, skips),
            Kind::Integer(_) | Kind::Float(_) => self.scan_number(conversion, to),
        }
    }

    fn scan_number(&mut self, conversion: &Conversion, to: Option<SymValue>) -> Result<Step, Stop> {
        match self.inputs.stream_mut().pending {
            Some(PendingByte { is_foreign: true, .. }) => return Ok(Step::Mismatch),
            Some(_) => return self.unsupported("`scanf` after `ungetc`"),
            None => {}
        }
        let position = self.next_item()?;
        let name = format!("is_number({})", self.item_name(position));
        let is_number = self.inputs.variable(self.terms, &name, Sort::Bool);
        match self.choose_next(is_number)? {
            Some(true) => {}
            Some(false) => {
                let separator = self.take_separator();
                let name = self.item_name(position);
                let byte = self.inputs.variable(self.terms, &name, Sort::Bv(8));
                self.push_item(ItemText::Byte(byte), separator);
                self.leave_foreign(byte)?;
                return Ok(Step::Mismatch);
            }
            None => return Ok(Step::End),
        }
        let separator = self.take_separator();
        let name = format!("number({})", self.item_name(position));
        let (value, size, text, word) = match conversion.kind {
            Kind::Integer(form @ IntegerForm { width, signedness, base }) => {
                let value = self.inputs.variable(self.terms, &name, Sort::Bv(width));
                self.assume_width(value, form, conversion.width)?;
                let word = if base == 10 { Word::Integer } else { Word::Other };
                let text = ItemText::Integer { value, signedness, base };
                (value, u64::from(width) / 8, text, word)
            }
            Kind::Float(format) => {
                let value = self.inputs.variable(self.terms, &name, Sort::Float(format));
                let is_nan = self.terms.fp_is_nan(value);
                let is_number = self.terms.not(is_nan);
                self.assume(is_number)?;
                (value, u64::from(format.width()) / 8, ItemText::Float(value), Word::Other)
            }
            Kind::Bytes | Kind::Word | Kind::Set(_) => {
                return self.unsupported("this conversion");
            }
        };
        self.push_item(text, separator);
        self.end_word(word)?;
        match to {
            Some(to) => {
                self.write_after(to, 0, size, SymValue::Term(value))?;
                Ok(Step::Assigned)
            }
            None => Ok(Step::Done),
        }
    }

    /// A byte of the input, after white space if the format skips it, otherwise right behind the last word.
    fn push_byte(&mut self, byte: TermId, skips: bool) -> Result<(), Stop> {
        let separator = if skips { self.take_separator() } else { None };
        self.push_item(ItemText::Byte(byte), separator);
        if skips { Ok(()) } else { self.assume_ends_word(byte) }
    }

    /// What is between the last word and the next one.
    fn take_separator(&mut self) -> Option<u8> {
        let word = self.inputs.stream_mut().last_word.take()?;
        [b' ', b'\n', b'\t'].into_iter().find(|&byte| !word.has(byte))
    }

    /// After a word the reader has looked at what follows.
    fn end_word(&mut self, word: Word) -> Result<(), Stop> {
        self.inputs.stream_mut().last_word = Some(word);
        let has_more = self.is_next_there()?;
        self.note_end(has_more);
        Ok(())
    }

    /// A number of at most so many characters.
    fn assume_width(
        &mut self,
        value: TermId,
        form: IntegerForm,
        width: Option<u64>,
    ) -> Result<(), Stop> {
        let IntegerForm { width: bits, signedness, base } = form;
        let Some(width) = width.and_then(|width| u32::try_from(width).ok()) else { return Ok(()) };
        let most = u128::from(base).checked_pow(width).map_or(u128::MAX, |power| power - 1);
        let limit = match signedness {
            Signedness::Signed => (1u128 << (bits - 1)) - 1,
            Signedness::Unsigned => u128::MAX >> (128 - u32::from(bits)),
        };
        if most < limit {
            let most = self.terms.bv_u(most, bits);
            let is_short = match signedness {
                Signedness::Signed => self.terms.bv_sle(value, most),
                Signedness::Unsigned => self.terms.bv_ule(value, most),
            };
            self.assume(is_short)?;
        }
        let least =
            10i128.checked_pow(width.saturating_sub(1)).map_or(i128::MAX, |power| power - 1);
        if signedness == Signedness::Signed && least.unsigned_abs() < limit {
            let least = self.terms.bv_s(-least, bits);
            let is_short = self.terms.bv_sle(least, value);
            self.assume(is_short)?;
        }
        Ok(())
    }

    /// `%c`: bytes as they come.
    fn scan_bytes(&mut self, count: u64, to: Option<SymValue>, skips: bool) -> Result<Step, Stop> {
        if skips {
            self.next_item()?;
        }
        for at in 0..count {
            let separator = if skips && at == 0 { self.take_separator() } else { None };
            let Some(byte) = self.next_byte()? else { return Ok(Step::End) };
            if skips && at == 0 {
                if let Some(item) = self.inputs.stream_mut().items.last_mut() {
                    item.separator = separator;
                }
                let is_space = self.is_space(byte);
                let is_visible = self.terms.not(is_space);
                self.assume(is_visible)?;
            }
            if let Some(to) = to {
                self.write_after(to, at, 1, SymValue::Term(byte))?;
            }
        }
        Ok(if to.is_some() { Step::Assigned } else { Step::Done })
    }

    /// Bytes that belong to a set, at least one.
    fn scan_word(
        &mut self,
        set: &ByteSet,
        width: Option<u64>,
        to: Option<SymValue>,
        skips: bool,
    ) -> Result<Step, Stop> {
        if self.inputs.stream_mut().pending.is_some() {
            return self.unsupported("a word after a byte that was given back");
        }
        let position = self.next_item()?;
        let name = self.item_name(position);
        let mut byte = self.inputs.variable(self.terms, &name, Sort::Bv(8));
        let belongs = self.belongs(byte, set);
        // White space is skipped before a word, so that what comes then always belongs.
        let is_any = skips && set.is_negated && set.ranges.contains(&SPACES[0]);
        let wanted = if is_any { self.terms.bool_const(true) } else { belongs };
        match self.choose_next(wanted)? {
            Some(is_wanted) => {
                self.push_byte(byte, skips)?;
                if !is_wanted {
                    self.leave_foreign(byte)?;
                    return Ok(Step::Mismatch);
                }
                self.assume(belongs)?;
            }
            None => return Ok(Step::End),
        }
        let limit = width.unwrap_or(u64::MAX).min(self.config.max_length);
        let mut n_bytes = 0;
        loop {
            if let Some(to) = to {
                self.write_after(to, n_bytes, 1, SymValue::Term(byte))?;
            }
            n_bytes += 1;
            if n_bytes >= limit {
                break;
            }
            let position = self.next_item()?;
            let name = format!("goes_on({})", self.item_name(position));
            let goes_on = self.inputs.variable(self.terms, &name, Sort::Bool);
            let is_there = self.is_there(position)?;
            let has_more = self.terms.and2(is_there, goes_on);
            let is_over = self.terms.not(has_more);
            if self.choose(ChoiceKind::Read, &[way(is_over), way(has_more)])? == 0 {
                break;
            }
            byte = self.inputs.variable(self.terms, &self.item_name(position), Sort::Bv(8));
            let belongs = self.belongs(byte, set);
            self.assume(belongs)?;
            self.push_item(ItemText::Byte(byte), None);
        }
        if let Some(to) = to {
            let zero = self.terms.bv_u(0, 8);
            self.write_after(to, n_bytes, 1, SymValue::Term(zero))?;
        }
        let word = if is_any { Word::Text } else { Word::Set(set.clone()) };
        // Bytes that the width ended have been followed by nothing that was looked at.
        if width == Some(n_bytes) {
            self.inputs.stream_mut().last_word = is_any.then_some(word);
        } else {
            self.end_word(word)?;
        }
        Ok(if to.is_some() { Step::Assigned } else { Step::Done })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_cut_into_their_parts() {
        let integer =
            |width, signedness, base| Kind::Integer(IntegerForm { width, signedness, base });
        let part =
            |kind| Directive::Conversion(Conversion { is_suppressed: false, width: None, kind });
        assert_eq!(
            parse(b"%d %lx,%%"),
            Ok(vec![
                part(integer(32, Signedness::Signed, 10)),
                Directive::Space,
                part(integer(64, Signedness::Unsigned, 16)),
                Directive::Literal(b','),
                Directive::Space,
                Directive::Literal(b'%'),
            ])
        );
        let width = |width, kind| {
            Directive::Conversion(Conversion { is_suppressed: true, width: Some(width), kind })
        };
        assert_eq!(parse(b"%*3c%*7s"), Ok(vec![width(3, Kind::Bytes), width(7, Kind::Word)]));
        let set = Kind::Set(ByteSet { ranges: vec![(b']', b']'), (b'a', b'f')], is_negated: true });
        assert_eq!(parse(b"%[^]a-f]"), Ok(vec![part(set)]));
        assert_eq!(
            parse(b"%lf%f"),
            Ok(vec![part(Kind::Float(Format::F64)), part(Kind::Float(Format::F32))])
        );
        assert_eq!(parse(b"%n"), Err("the conversion `%n`".to_owned()));
        assert_eq!(parse(b"%Lf"), Err("the conversion `%Lf`".to_owned()));
    }
}
