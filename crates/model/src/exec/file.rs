//! Streams beside standard input: those that pointers of the input lead to, and files that the program opens.
//!
//! What such a stream holds is an input like standard input (see `stream`). Here is which stream a pointer is, how files
//! are opened and closed, and how a path moves about in them.
//!
//! Not here: what a program writes. It is not kept, and a stream that was written to cannot be read or moved about in
//! on paths; the interpreter does both.

use glassbox_ir::{FuncId, PointerSize};
use glassbox_library::Function;
use glassbox_terms::{Sort, TermId};
use glassbox_testcase::{Assumption, EnvironmentFact, UnmodeledInput};

use super::step::way;
use super::{Executor, Stop};
use crate::guide::ChoiceKind;
use crate::memory::{Contents, ObjectKind, ObjectState};
use crate::stream_input::{Access, ItemText, Position, StreamInput};
use crate::value::{ObjectId, SymPtr, SymValue};

/// Bytes that an object behind a `FILE *` has; programs only pass its address around.
const FILE_SIZE: u64 = 216;

/// How a file is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// As it is, from its start on.
    Read { updates: bool },
    /// Emptied or made.
    Write { updates: bool },
    /// At its end, or made.
    Append,
}

/// The mode that a text says; `None` for what is not modeled.
fn parse_mode(text: &[u8]) -> Option<Mode> {
    let (first, rest) = text.split_first()?;
    let updates = rest.contains(&b'+');
    let is_known = rest.iter().all(|letter| b"+b".contains(letter));
    match first {
        _ if !is_known => None,
        b'r' => Some(Mode::Read { updates }),
        b'w' => Some(Mode::Write { updates }),
        b'a' if !updates => Some(Mode::Append),
        _ => None,
    }
}

/// The number that a standard stream has, if the pointer is one.
fn standard(executor: &Executor<'_>, stream: SymValue) -> Option<usize> {
    let SymValue::Ptr(SymPtr::Input(id)) = stream else { return None };
    glassbox_library::standard_stream(&executor.inputs.pointers[id.0 as usize].name)
}

impl Executor<'_> {
    /// From now on the stream behind this pointer is read; `None` is standard input.
    pub(crate) fn read_from(&mut self, stream: Option<SymValue>) -> Result<(), Stop> {
        // It comes first among the streams.
        self.inputs.current_stream = 0;
        self.inputs.stream_mut();
        let Some(stream) = stream else { return Ok(()) };
        match standard(self, stream) {
            Some(0) => Ok(()),
            Some(_) => self.unsupported("a standard stream of output as one of input"),
            None => {
                self.inputs.current_stream = self.stream_behind(stream)?;
                Ok(())
            }
        }
    }

    /// The number of the stream that a pointer leads to, which is no standard one.
    fn stream_behind(&mut self, stream: SymValue) -> Result<usize, Stop> {
        let pointer = match stream {
            SymValue::Ptr(pointer) => pointer,
            SymValue::Term(term) => SymPtr::Number(term),
        };
        let (object, offset) = self.target_of(pointer)?;
        if let Some(known) = self.inputs.stream_of(object) {
            return Ok(known);
        }
        let entry = self.memory.object(object);
        let is_input = matches!(entry.kind, ObjectKind::Input { .. });
        let is_untouched = entry.cells.is_empty() && entry.initial.is_empty();
        if !is_input || !is_untouched || entry.front.is_some() || self.known(offset) != Some(0) {
            return self.unsupported("memory of the program as a stream");
        }
        let name = format!("contents({})", entry.name);
        Ok(self.add_stream(&name, object, Access { reads: true, writes: true }))
    }

    fn add_stream(&mut self, name: &str, object: ObjectId, access: Access) -> usize {
        if self.inputs.streams.is_empty() {
            self.inputs.streams.push(StreamInput::standard());
        }
        for unmodeled in [UnmodeledInput::StreamStates, UnmodeledInput::PartialReads] {
            self.inputs.note_bound(Assumption::UnmodeledInput(unmodeled));
        }
        self.inputs.streams.push(StreamInput::new(name, Some(object), access));
        self.inputs.streams.len() - 1
    }

    /// Stops where what the stream has next is not known to the path.
    pub(crate) fn require_readable(&mut self, function: &str) -> Result<(), Stop> {
        let stream = self.inputs.stream_mut();
        if !stream.access.reads {
            return self.unsupported(format!("`{function}` on a stream that is not open for it"));
        }
        if stream.is_written {
            return self.unsupported(format!("`{function}` on a stream that was written to"));
        }
        Ok(())
    }

    /// The program writes to a stream, if that is what this argument is.
    pub(crate) fn write_to(&mut self, known: &Function, args: &[SymValue]) -> Result<(), Stop> {
        let is_stream = |param: &String| param.starts_with("FILE *");
        let at = known.signature.params.iter().position(is_stream);
        let Some(&stream) = at.and_then(|at| args.get(at)) else { return Ok(()) };
        if standard(self, stream).is_some() {
            return Ok(());
        }
        if known.row.takes_all_streams {
            let null = self.null();
            let pointer =
                if let SymValue::Ptr(pointer) = stream { self.resolve(pointer)? } else { null };
            if pointer == null {
                return Ok(());
            }
        }
        let stream = self.stream_behind(stream)?;
        let stream = &mut self.inputs.streams[stream];
        if !stream.access.writes {
            return self.unsupported("output to a stream that is open for input");
        }
        if !known.row.takes_all_streams {
            stream.is_written = true;
        }
        // Whether it succeeds is open here; in runs it does.
        self.inputs.is_loose = true;
        Ok(())
    }

    /// Functions that open and close files and move about in them; `None` if the function is none of them.
    pub(crate) fn call_file_function(
        &mut self,
        known: &Function,
        function: FuncId,
        args: &[SymValue],
    ) -> Result<Option<SymValue>, Stop> {
        let plain = known.name.as_str();
        Ok(Some(match (plain, args) {
            ("fopen", &[name, mode]) => {
                let (SymValue::Ptr(name), SymValue::Ptr(_)) = (name, mode) else {
                    return self.unsupported("a number as the name of a file");
                };
                self.target_of(name)?;
                let mode = self.mode(mode)?;
                self.open(mode, function)?
            }
            ("fdopen", &[_, mode]) => {
                let mode = self.mode(mode)?;
                self.open(mode, function)?
            }
            ("tmpfile", []) => self.open(Mode::Write { updates: true }, function)?,
            ("fclose", &[stream]) => {
                if standard(self, stream).is_some() {
                    return self.unsupported("closing a standard stream");
                }
                let stream = self.stream_behind(stream)?;
                if let Some(object) = self.inputs.streams[stream].object {
                    self.memory.release(object, ObjectState::Freed);
                }
                let succeeds = Assumption::Environment(EnvironmentFact::OutputSucceeds);
                self.inputs.note_bound(succeeds);
                SymValue::Term(self.terms.bv_u(0, 32))
            }
            ("clearerr", &[stream]) => {
                self.read_from(Some(stream))?;
                self.inputs.stream_mut().at_end = None;
                SymValue::Term(self.terms.bv_u(0, 32))
            }
            ("fseek", &[stream, offset, whence]) => {
                self.move_from(stream, plain)?;
                self.seek(offset, whence)?
            }
            ("ftell", &[stream]) => {
                self.move_from(stream, plain)?;
                SymValue::Term(self.place()?)
            }
            ("rewind", &[stream]) => {
                self.move_from(stream, plain)?;
                self.move_to(Position::Item(0));
                SymValue::Term(self.terms.bv_u(0, 32))
            }
            _ => return Ok(None),
        }))
    }

    fn mode(&mut self, mode: SymValue) -> Result<Mode, Stop> {
        match self.known_text(Some(mode))?.as_deref().map(parse_mode) {
            Some(Some(mode)) => Ok(mode),
            Some(None) => self.unsupported("this mode of a file"),
            None => self.unsupported("a mode of a file that is not written in the call"),
        }
    }

    /// A stream on a file, or null where there is none; `function` gives it.
    fn open(&mut self, mode: Mode, function: FuncId) -> Result<SymValue, Stop> {
        let is_after_output = self.inputs.opened.iter().flatten().any(|&stream| {
            let access = self.inputs.streams[stream].access;
            access.writes
        });
        if is_after_output && matches!(mode, Mode::Read { .. }) {
            return self.unsupported("opening a file after one that may have been written");
        }
        if self.choose_freely(ChoiceKind::Pointer, 2)? == 1 {
            self.inputs.opened.push(None);
            self.set_errno()?;
            let null = self.null();
            return Ok(SymValue::Ptr(null));
        }
        let number = self.inputs.opened.len() + 1;
        let object = self.new_object(ObjectKind::Stream, "stream", FILE_SIZE);
        // What is in it is up to the library.
        let result = self.program.function(function).result_source_type;
        if let Some(file) = self.program.pointee(result) {
            self.memory.object_mut(object).contents = Contents::Input(file);
        }
        let access = match mode {
            Mode::Read { updates } => Access { reads: true, writes: updates },
            Mode::Write { updates } => Access { reads: updates, writes: true },
            Mode::Append => Access { reads: false, writes: true },
        };
        let stream = self.add_stream(&format!("file({number})"), object, access);
        if !matches!(mode, Mode::Read { .. }) {
            self.inputs.streams[stream].length = Some(self.terms.bv_u(0, 64));
        }
        self.inputs.opened.push(Some(stream));
        Ok(SymValue::Ptr(self.start_of(object)))
    }

    /// Why there is no file is up to the surroundings.
    fn set_errno(&mut self) -> Result<(), Stop> {
        let Some(global) = crate::library::errno(self.program) else { return Ok(()) };
        self.inputs.is_loose = true;
        let reason = self.inputs.variable(self.terms, "reason", Sort::Bv(32));
        let zero = self.terms.bv_u(0, 32);
        let is_none = self.terms.eq(reason, zero);
        let is_some = self.terms.not(is_none);
        self.assume(is_some)?;
        let place = self.global_pointer(global);
        self.write_after(SymValue::Ptr(place), 0, 4, SymValue::Term(reason))
    }

    /// From now on this stream is read, after the program has moved in it.
    fn move_from(&mut self, stream: SymValue, function: &str) -> Result<(), Stop> {
        self.read_from(Some(stream))?;
        if self.inputs.current_stream == 0 {
            return self.unsupported(format!("`{function}` on a standard stream"));
        }
        if self.program.pointers == PointerSize::Four {
            return self.unsupported(format!("`{function}` where `long` has four bytes"));
        }
        if self.inputs.stream_mut().is_written {
            return self.unsupported(format!("`{function}` on a stream that was written to"));
        }
        if !self.inputs.stream_mut().is_bytes() {
            return self.unsupported(format!("`{function}` behind formatted input"));
        }
        Ok(())
    }

    /// How many bytes are before the next one.
    fn place(&mut self) -> Result<TermId, Stop> {
        if self.inputs.stream_mut().pending.is_some() {
            return self.unsupported("the place of a byte that was given back");
        }
        match self.inputs.stream_mut().position {
            Position::Item(0) => Ok(self.terms.bv_u(0, 64)),
            Position::Item(index) => {
                let length = self.stream_length()?;
                let index = self.terms.bv_u(index as u128, 64);
                let is_inside = self.terms.bv_ule(index, length);
                Ok(self.terms.ite(is_inside, index, length))
            }
            Position::Behind(place) => Ok(place),
        }
    }

    fn move_to(&mut self, position: Position) {
        let stream = self.inputs.stream_mut();
        stream.position = position;
        stream.pending = None;
        stream.last_word = None;
        stream.at_end = None;
    }

    fn seek(&mut self, offset: SymValue, whence: SymValue) -> Result<SymValue, Stop> {
        let (SymValue::Term(offset), SymValue::Term(whence)) = (offset, whence) else {
            return self.unsupported("a pointer as a place in a file");
        };
        let success = self.terms.bv_u(0, 32);
        let from = match self.fix_value(whence)? {
            0 => self.terms.bv_u(0, 64),
            1 => self.place()?,
            2 if self.known(offset) == Some(0) => {
                let length = self.stream_length()?;
                self.move_to(Position::Behind(length));
                return Ok(SymValue::Term(success));
            }
            2 => self.stream_length()?,
            _ => return self.unsupported("this kind of place in a file"),
        };
        let target = self.terms.bv_add(from, offset);
        let zero = self.terms.bv_u(0, 64);
        let is_before = self.terms.bv_slt(target, zero);
        let is_after = self.terms.not(is_before);
        if self.choose(ChoiceKind::Read, &[way(is_after), way(is_before)])? == 1 {
            self.set_errno()?;
            return Ok(SymValue::Term(self.terms.bv_s(-1, 32)));
        }
        let length = self.stream_length()?;
        let is_inside = self.terms.bv_ule(target, length);
        let is_behind = self.terms.not(is_inside);
        if self.choose(ChoiceKind::Read, &[way(is_inside), way(is_behind)])? == 1 {
            self.move_to(Position::Behind(target));
            return Ok(SymValue::Term(success));
        }
        let target = usize::try_from(self.fix_value(target)?).unwrap_or(usize::MAX);
        // What is passed over is there, and an input that was not read yet.
        for index in self.inputs.stream_mut().items.len()..target {
            let name = self.item_name(index);
            let byte = self.inputs.variable(self.terms, &name, Sort::Bv(8));
            self.push_item(ItemText::Byte(byte), None);
        }
        self.move_to(Position::Item(target));
        Ok(SymValue::Term(success))
    }
}

#[cfg(test)]
mod tests {
    use super::{Mode, parse_mode};

    #[test]
    fn modes_are_those_of_c() {
        assert_eq!(parse_mode(b"r"), Some(Mode::Read { updates: false }));
        assert_eq!(parse_mode(b"rb+"), Some(Mode::Read { updates: true }));
        assert_eq!(parse_mode(b"w+b"), Some(Mode::Write { updates: true }));
        assert_eq!(parse_mode(b"a"), Some(Mode::Append));
        for other in [&b""[..], b"a+", b"rt", b"wx", b"re", b"R"] {
            assert_eq!(parse_mode(other), None, "{other:?}");
        }
    }
}
