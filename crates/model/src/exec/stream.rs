//! Streams as inputs: what comes next on one, and how much there is.
//!
//! A stream is a list of items. A byte that the program reads as such is an item; so is a whole
//! number that a formatted read converts (see `scanf`), because its value is a better input than its
//! digits. `StreamInput::length` counts items: item `i` is there if `i < length`. Standard input is the first stream;
//! which others there are, and how a path moves about in them, is in `file`.

use glassbox_library::Reads;
use glassbox_terms::{Sort, TermId};
use glassbox_testcase::{Assumption, UnmodeledInput};

use super::step::way;
use super::{Executor, Stop};
use crate::guide::ChoiceKind;
use crate::stream_input::{ByteSet, ItemText, PendingByte, Position, StreamItem, Word};
use crate::value::SymValue;

/// Items that a stream has at most. A refutation that needs this bound says so.
const MAX_ITEMS: u64 = 32;

/// White space.
pub(crate) const SPACES: [(u8, u8); 2] = [(b'\t', b'\r'), (b' ', b' ')];

impl Executor<'_> {
    /// How many items the stream has that is being read.
    pub(crate) fn stream_length(&mut self) -> Result<TermId, Stop> {
        let stream = self.inputs.stream_mut();
        if let Some(length) = stream.length {
            return Ok(length);
        }
        let name = format!("length({})", stream.name);
        let length = self.inputs.variable(self.terms, &name, Sort::Bv(64));
        self.inputs.stream_mut().length = Some(length);
        let most = self.terms.bv_u(MAX_ITEMS.into(), 64);
        let at_most = self.terms.bv_ule(length, most);
        // Longer memory elsewhere makes no stream longer.
        let bound = Assumption::MemoryLength { at_most: Some(MAX_ITEMS) };
        self.inputs.note_bound_fact(at_most, bound, None);
        self.assume(at_most)?;
        Ok(length)
    }

    /// Whether item `index` is there.
    pub(crate) fn is_there(&mut self, index: usize) -> Result<TermId, Stop> {
        let length = self.stream_length()?;
        let index = self.terms.bv_u(index as u128, 64);
        Ok(self.terms.bv_ult(index, length))
    }

    /// Whether there is anything where the stream is.
    pub(crate) fn is_next_there(&mut self) -> Result<TermId, Stop> {
        match self.inputs.stream_mut().position {
            Position::Item(index) => self.is_there(index),
            Position::Behind(_) => Ok(self.terms.bool_const(false)),
        }
    }

    /// The number of the next item, which was not read yet.
    pub(crate) fn next_item(&mut self) -> Result<usize, Stop> {
        let stream = self.inputs.stream_mut();
        let n_items = stream.items.len();
        match stream.position {
            Position::Item(index) if index < n_items => {
                self.unsupported("formatted input of what was read before")
            }
            Position::Item(_) | Position::Behind(_) => Ok(n_items),
        }
    }

    /// What the byte or number at this place of the stream is called.
    pub(crate) fn item_name(&self, index: usize) -> String {
        format!("{}[{index}]", self.inputs.stream().map_or("stdin", |stream| &stream.name))
    }

    /// The byte where the stream is, whether or not it is there, and on to the next one.
    fn new_byte(&mut self) -> Result<TermId, Stop> {
        let stream = self.inputs.stream_mut();
        let n_items = stream.items.len();
        match stream.position {
            Position::Item(index) if index < n_items => match stream.items[index] {
                StreamItem { text: ItemText::Byte(byte), separator: None } => {
                    stream.position = Position::Item(index + 1);
                    Ok(byte)
                }
                StreamItem { .. } => self.unsupported("digits of a number that was read"),
            },
            Position::Item(_) | Position::Behind(_) => {
                let name = self.item_name(n_items);
                let byte = self.inputs.variable(self.terms, &name, Sort::Bv(8));
                self.push_item(ItemText::Byte(byte), None);
                self.assume_ends_word(byte)?;
                Ok(byte)
            }
        }
    }

    /// One more item behind what was read so far; the stream is behind it then.
    pub(crate) fn push_item(&mut self, text: ItemText, separator: Option<u8>) {
        let stream = self.inputs.stream_mut();
        stream.items.push(StreamItem { text, separator });
        stream.position = Position::Item(stream.items.len());
    }

    /// Assumes that a byte right after a number or a word is none of its characters.
    pub(crate) fn assume_ends_word(&mut self, byte: TermId) -> Result<(), Stop> {
        let Some(word) = self.inputs.stream_mut().last_word.take() else { return Ok(()) };
        let goes_on = match &word {
            Word::Text => {
                let is_space = self.is_space(byte);
                self.terms.not(is_space)
            }
            Word::Integer => self.in_ranges(byte, &[(b'0', b'9')]),
            Word::Other => {
                let ranges = [(b'0', b'9'), (b'a', b'z'), (b'A', b'Z'), (b'.', b'.')];
                self.in_ranges(byte, &ranges)
            }
            Word::Set(set) => self.belongs(byte, set),
        };
        let fact = self.terms.not(goes_on);
        self.assume(fact)
    }

    /// The result of reading one byte: the byte, or -1 at the end of the stream.
    pub(crate) fn read_byte(&mut self) -> Result<TermId, Stop> {
        if let Some(pending) = self.inputs.stream_mut().pending.take() {
            return Ok(self.terms.bv_zero_extend(32, pending.byte));
        }
        let is_there = self.is_next_there()?;
        self.note_end(is_there);
        let end = self.terms.bv_s(-1, 32);
        if self.terms.as_bool_const(is_there) == Some(false) {
            return Ok(end);
        }
        let byte = self.new_byte()?;
        let wide = self.terms.bv_zero_extend(32, byte);
        Ok(self.terms.ite(is_there, wide, end))
    }

    /// A read found something, or the end.
    pub(crate) fn note_end(&mut self, is_there: TermId) {
        let is_end = self.terms.not(is_there);
        let before = self.inputs.stream_mut().at_end;
        self.inputs.stream_mut().at_end = Some(match before {
            Some(before) => self.terms.or2(before, is_end),
            None => is_end,
        });
    }

    /// Reads a byte on a path that knows whether there is one; `None` at the end.
    pub(crate) fn next_byte(&mut self) -> Result<Option<TermId>, Stop> {
        if let Some(pending) = self.inputs.stream_mut().pending.take() {
            return Ok(Some(pending.byte));
        }
        let is_there = self.is_next_there()?;
        self.note_end(is_there);
        let is_end = self.terms.not(is_there);
        if self.choose(ChoiceKind::Read, &[way(is_there), way(is_end)])? == 1 {
            return Ok(None);
        }
        Ok(Some(self.new_byte()?))
    }

    pub(crate) fn in_ranges(&mut self, byte: TermId, ranges: &[(u8, u8)]) -> TermId {
        let mut any = self.terms.bool_const(false);
        for &(low, high) in ranges {
            let (low, high) = (self.terms.bv_u(low.into(), 8), self.terms.bv_u(high.into(), 8));
            let (is_above, is_below) =
                (self.terms.bv_ule(low, byte), self.terms.bv_ule(byte, high));
            let inside = self.terms.and2(is_above, is_below);
            any = self.terms.or2(any, inside);
        }
        any
    }

    pub(crate) fn belongs(&mut self, byte: TermId, set: &ByteSet) -> TermId {
        let is_in = self.in_ranges(byte, &set.ranges);
        if set.is_negated { self.terms.not(is_in) } else { is_in }
    }

    pub(crate) fn is_space(&mut self, byte: TermId) -> TermId {
        self.in_ranges(byte, &SPACES)
    }

    fn ungetc(&mut self, args: &[SymValue]) -> Result<SymValue, Stop> {
        let Some(&SymValue::Term(byte)) = args.first() else {
            return self.unsupported("`ungetc` of this value");
        };
        let end = self.terms.bv_s(-1, 32);
        let is_end = self.terms.eq(byte, end);
        let is_byte = self.terms.not(is_end);
        if self.choose(ChoiceKind::Read, &[way(is_byte), way(is_end)])? == 1 {
            return Ok(SymValue::Term(end));
        }
        if self.inputs.stream_mut().pending.is_some() {
            return self.unsupported("`ungetc` of more than one byte");
        }
        let low = self.terms.bv_extract(7, 0, byte);
        self.inputs.stream_mut().pending = Some(PendingByte { byte: low, is_foreign: false });
        self.inputs.stream_mut().at_end = None;
        Ok(SymValue::Term(self.terms.bv_zero_extend(32, low)))
    }

    /// Functions that read a stream; `None` if the function is none of them.
    pub(crate) fn call_reader(
        &mut self,
        known: &glassbox_library::Function,
        args: &[SymValue],
    ) -> Result<Option<SymValue>, Stop> {
        let plain = known.name.as_str();
        let stream = match known.row.reads {
            Reads::Nothing => return Ok(None),
            Reads::StandardInput => None,
            Reads::Stream(argument) => args.get(usize::from(argument)).copied(),
            Reads::Other => return self.unsupported(format!("input through `{plain}`")),
        };
        self.read_from(stream)?;
        if crate::library::errno(self.program).is_some() {
            self.inputs.note_bound(Assumption::UnmodeledInput(UnmodeledInput::PartialReads));
        }
        let asks_only = matches!(plain, "feof" | "ferror");
        if !asks_only {
            self.require_readable(plain)?;
        }
        Ok(Some(match plain {
            "scanf" => self.scanf(args.first().copied(), args.get(1..).unwrap_or(&[]))?,
            "fscanf" => self.scanf(args.get(1).copied(), args.get(2..).unwrap_or(&[]))?,
            "ungetc" => self.ungetc(args)?,
            "fgets" => self.fgets(args)?,
            "gets" => self.gets(args)?,
            "getline" => self.getline(args)?,
            "fread" => self.fread(args)?,
            "read" => self.read_descriptor(args)?,
            "feof" => {
                // What ends before its end had an error, and callers may have come to the end before.
                self.inputs.note_bound(Assumption::UnmodeledInput(UnmodeledInput::PartialReads));
                let is_end = match self.inputs.stream_mut().at_end {
                    Some(is_end) => is_end,
                    None => self.terms.bool_const(false),
                };
                SymValue::Term(self.terms.bv_from_bool(is_end, 32))
            }
            "ferror" => {
                self.inputs.note_bound(Assumption::UnmodeledInput(UnmodeledInput::PartialReads));
                SymValue::Term(self.terms.bv_u(0, 32))
            }
            _ => SymValue::Term(self.read_byte()?),
        }))
    }
}
