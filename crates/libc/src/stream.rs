//! Streams: standard input and output, and files that exist only in memory.
//!
//! A file exists when the run has made it or its input says so; opening another one to read fails as if it were not
//! there.

use std::collections::{BTreeMap, VecDeque};
use std::io::{Read, Write};

use glassbox_interp::{Address, ExternalResult, Memory, ObjectKind, ObjectState};
use glassbox_ir::Span;

use crate::env::undefined;

/// Indices of the streams that every program has.
pub(crate) const STDIN: usize = 0;
pub(crate) const STDOUT: usize = 1;
pub(crate) const STDERR: usize = 2;

/// What glibc's `FILE` takes; programs only pass its address around.
const FILE_SIZE: u64 = 216;

/// Bytes that are kept, or passed on to a writer.
#[derive(Default)]
pub(crate) struct Sink {
    kept: Vec<u8>,
    writer: Option<Box<dyn Write>>,
}

impl std::fmt::Debug for Sink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sink").field("kept", &self.kept.len()).finish_non_exhaustive()
    }
}

impl Sink {
    pub(crate) fn set_writer(&mut self, writer: Box<dyn Write>) {
        self.writer = Some(writer);
    }

    pub(crate) fn kept(&self) -> &[u8] {
        &self.kept
    }

    /// Whether the bytes could be written.
    fn write(&mut self, bytes: &[u8]) -> bool {
        match &mut self.writer {
            Some(writer) => writer.write_all(bytes).is_ok(),
            None => {
                self.kept.extend_from_slice(bytes);
                true
            }
        }
    }

    fn flush(&mut self) {
        if let Some(writer) = &mut self.writer {
            let _ = writer.flush();
        }
    }
}

/// The standard streams: one input, two outputs.
#[derive(Default)]
pub(crate) struct Console {
    input: Vec<u8>,
    reader: Option<Box<dyn Read>>,
    pub(crate) output: Sink,
    pub(crate) errors: Sink,
}

impl std::fmt::Debug for Console {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = f.debug_struct("Console");
        out.field("input", &self.input.len()).field("output", &self.output);
        out.field("errors", &self.errors).finish_non_exhaustive()
    }
}

impl Console {
    pub(crate) fn set_input(&mut self, bytes: Vec<u8>) {
        self.input = bytes;
    }

    pub(crate) fn set_reader(&mut self, reader: Box<dyn Read>) {
        self.reader = Some(reader);
    }

    pub(crate) fn flush(&mut self) {
        self.output.flush();
        self.errors.flush();
    }

    /// The input byte at this position, asking the reader for more when needed.
    fn byte(&mut self, position: usize) -> Option<u8> {
        while position >= self.input.len() {
            let reader = self.reader.as_mut()?;
            // A person at a terminal sees what was printed before being asked.
            self.output.flush();
            let mut chunk = [0; 4096];
            match reader.read(&mut chunk) {
                Ok(0) => return None,
                Ok(n_bytes) => self.input.extend_from_slice(&chunk[..n_bytes]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
        Some(self.input[position])
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
/// Where the bytes of a stream come from or go to.
enum Device {
    Input,
    Output,
    Errors,
    /// Index of a file.
    File(usize),
}

/// How a stream was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mode {
    pub(crate) can_read: bool,
    pub(crate) can_write: bool,
    /// Writes go to the end, wherever the position is.
    pub(crate) appends: bool,
}

const READ: Mode = Mode { can_read: true, can_write: false, appends: false };
const WRITE: Mode = Mode { can_read: false, can_write: true, appends: false };

#[derive(Debug)]
pub(crate) struct Stream {
    target: Device,
    mode: Mode,
    position: usize,
    /// Bytes that `ungetc` gave back, the next one last.
    pushed_back: Vec<u8>,
    pub(crate) at_end: bool,
    pub(crate) has_error: bool,
    address: Address,
}

impl Stream {
    fn new(target: Device, mode: Mode, address: Address) -> Stream {
        Stream {
            target,
            mode,
            position: 0,
            pushed_back: Vec::new(),
            at_end: false,
            has_error: false,
            address,
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Streams {
    pub(crate) console: Console,
    streams: Vec<Stream>,
    names: BTreeMap<Vec<u8>, usize>,
    files: Vec<Vec<u8>>,
    n_temporary: usize,
    /// What calls that open files find, the next one first.
    given: VecDeque<Option<Vec<u8>>>,
}

impl Streams {
    pub(crate) fn make_standard(&mut self, memory: &mut Memory) {
        self.streams.clear();
        for (target, mode) in
            [(Device::Input, READ), (Device::Output, WRITE), (Device::Errors, WRITE)]
        {
            let address = new_file_object(memory, Span::nowhere()).unwrap_or(0);
            self.streams.push(Stream::new(target, mode, address));
        }
    }

    /// Back to the standard streams; kept output and files are gone.
    pub(crate) fn reset(&mut self) {
        let standard = [(Device::Input, READ), (Device::Output, WRITE), (Device::Errors, WRITE)];
        self.streams.truncate(standard.len());
        for (stream, (target, mode)) in self.streams.iter_mut().zip(standard) {
            *stream = Stream::new(target, mode, stream.address);
        }
        self.names.clear();
        self.files.clear();
        self.n_temporary = 0;
        self.given.clear();
        self.console.output.kept.clear();
        self.console.errors.kept.clear();
    }

    pub(crate) fn address(&self, stream: usize) -> Address {
        self.streams[stream].address
    }

    pub(crate) fn stream(&mut self, stream: usize) -> &mut Stream {
        &mut self.streams[stream]
    }

    /// The stream that a `FILE *` is.
    pub(crate) fn find(&self, memory: &Memory, file: Address) -> Result<usize, ExternalResult> {
        memory.locate(file, 1)?;
        match self.streams.iter().position(|stream| stream.address == file) {
            Some(index) => Ok(index),
            // What a caller passes is a stream, though not one that a test can make.
            None if is_input(memory, file) => {
                Err(ExternalResult::Unsupported("a stream that is an input".to_owned()))
            }
            None => undefined("the pointer is not a stream"),
        }
    }

    pub(crate) fn has_file(&self, name: &[u8]) -> bool {
        self.names.contains_key(name)
    }

    /// The names that the run has given to files, for `remove` and `rename`.
    pub(crate) fn take_name(&mut self, name: &[u8]) -> Option<usize> {
        self.names.remove(name)
    }

    pub(crate) fn give_name(&mut self, name: Vec<u8>, file: usize) {
        self.names.insert(name, file);
    }

    /// A file that is there or is made now; `truncate` empties it.
    pub(crate) fn file(&mut self, name: Option<Vec<u8>>, truncate: bool) -> usize {
        let known = name.as_ref().and_then(|name| self.names.get(name)).copied();
        match known {
            Some(file) => {
                if truncate {
                    self.files[file].clear();
                }
                file
            }
            None => {
                self.files.push(Vec::new());
                let file = self.files.len() - 1;
                if let Some(name) = name {
                    self.give_name(name, file);
                }
                file
            }
        }
    }

    /// The next calls that open files find these.
    pub(crate) fn set_given(&mut self, files: &[Option<Vec<u8>>]) {
        self.given = files.iter().cloned().collect();
    }

    /// What the call that opens a file now finds, if the input says so.
    pub(crate) fn next_given(&mut self) -> Option<Option<Vec<u8>>> {
        self.given.pop_front()
    }

    /// A file with these contents, which takes the place of another one of its name.
    pub(crate) fn put_file(&mut self, name: Option<Vec<u8>>, contents: Vec<u8>) -> usize {
        let file = self.file(name, true);
        self.files[file] = contents;
        file
    }

    /// A stream that is there before the program starts.
    pub(crate) fn add_input(&mut self, memory: &mut Memory, contents: Vec<u8>) -> Option<Address> {
        let file = self.put_file(None, contents);
        let mode = Mode { can_read: true, can_write: true, appends: false };
        self.open(memory, file, mode, Span::nowhere())
    }

    /// A new stream on a file; `None` when memory is exhausted.
    pub(crate) fn open(
        &mut self,
        memory: &mut Memory,
        file: usize,
        mode: Mode,
        span: Span,
    ) -> Option<Address> {
        let address = new_file_object(memory, span)?;
        let mut stream = Stream::new(Device::File(file), mode, address);
        if mode.appends {
            stream.position = self.files[file].len();
        }
        self.streams.push(stream);
        Some(address)
    }

    /// Sends an open stream to a file (`freopen`).
    pub(crate) fn redirect(&mut self, stream: usize, file: usize, mode: Mode) {
        let address = self.streams[stream].address;
        self.streams[stream] = Stream::new(Device::File(file), mode, address);
    }

    pub(crate) fn close(&mut self, memory: &mut Memory, stream: usize, span: Span) {
        self.console.flush();
        let closed = &mut self.streams[stream];
        if let Some((id, _)) = memory.resolve(closed.address) {
            memory.release(id, ObjectState::Freed(span));
        }
        closed.mode = Mode { can_read: false, can_write: false, appends: false };
    }

    pub(crate) fn next_temporary_name(&mut self) -> Vec<u8> {
        self.n_temporary += 1;
        format!("/tmp/file{:06}", self.n_temporary).into_bytes()
    }

    /// The next byte, or `None` at the end of the stream, which is then remembered.
    pub(crate) fn read_byte(&mut self, stream: usize) -> Option<u8> {
        let source = &mut self.streams[stream];
        if !source.mode.can_read {
            source.has_error = true;
            return None;
        }
        if let Some(byte) = source.pushed_back.pop() {
            return Some(byte);
        }
        let byte = match source.target {
            Device::Input => self.console.byte(source.position),
            Device::File(file) => self.files[file].get(source.position).copied(),
            Device::Output | Device::Errors => None,
        };
        match byte {
            Some(_) => source.position += 1,
            None => source.at_end = true,
        }
        byte
    }

    pub(crate) fn push_back(&mut self, stream: usize, byte: u8) {
        let stream = &mut self.streams[stream];
        stream.pushed_back.push(byte);
        stream.at_end = false;
    }

    pub(crate) fn can_read(&self, stream: usize) -> bool {
        self.streams[stream].mode.can_read
    }

    /// Whether the bytes could be written.
    pub(crate) fn write(&mut self, stream: usize, bytes: &[u8]) -> bool {
        let sink = &mut self.streams[stream];
        if !sink.mode.can_write {
            sink.has_error = true;
            return false;
        }
        let is_written = match sink.target {
            Device::Output => self.console.output.write(bytes),
            Device::Errors => {
                self.console.output.flush();
                self.console.errors.write(bytes)
            }
            Device::File(file) => {
                let content = &mut self.files[file];
                if sink.mode.appends {
                    sink.position = content.len();
                }
                let end = sink.position + bytes.len();
                if content.len() < end {
                    content.resize(end, 0);
                }
                content[sink.position..end].copy_from_slice(bytes);
                sink.position = end;
                true
            }
            Device::Input => false,
        };
        sink.has_error |= !is_written;
        is_written
    }

    /// The position in a file; `None` for streams that have none.
    pub(crate) fn tell(&self, stream: usize) -> Option<usize> {
        let stream = &self.streams[stream];
        match stream.target {
            Device::File(_) | Device::Input => {
                Some(stream.position.saturating_sub(stream.pushed_back.len()))
            }
            Device::Output | Device::Errors => None,
        }
    }

    /// The length of the stream's file.
    pub(crate) fn length(&self, stream: usize) -> Option<usize> {
        match self.streams[stream].target {
            Device::File(file) => Some(self.files[file].len()),
            Device::Input | Device::Output | Device::Errors => None,
        }
    }

    pub(crate) fn seek(&mut self, stream: usize, position: usize) {
        let stream = &mut self.streams[stream];
        stream.position = position;
        stream.pushed_back.clear();
        stream.at_end = false;
    }
}

fn new_file_object(memory: &mut Memory, span: Span) -> Option<Address> {
    let id = memory.allocate(ObjectKind::Library, FILE_SIZE, span)?;
    memory.mark_initialized(id);
    Some(memory.address_of(id, 0))
}

fn is_input(memory: &Memory, address: Address) -> bool {
    let object = memory.resolve(address);
    object.is_some_and(|(id, _)| memory.object(id).kind == ObjectKind::Input)
}
