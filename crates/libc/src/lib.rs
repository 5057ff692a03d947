//! The C library that programs call: native models on interpreted memory.
//!
//! Input and output, mathematics, time, and the end of the process are here; strings, sorting,
//! allocation and the like are models in C that the front-end adds to the program. No model has outside
//! effects: standard input is bytes (or a reader that the caller gives), output is kept (or goes to a
//! writer that the caller gives), files live in memory and only those exist that the run itself made,
//! the clock is a counter.
//!
//! To add a function: its row in the catalogue (`glassbox-library`), and here `fn name(env: &mut Env<'_>) -> Answer`
//! beside similar ones, named in the list at the top of that file. What has no body ends the run as a missing
//! function.
//!
//! The room stands above `interp`: `Externals` is the trait by which a machine calls whatever library it is given.

mod arguments;
mod catalog;
mod entry;
mod env;
mod errors;
mod files;
mod float_text;
mod formatted;
mod host_math;
mod input;
mod java;
mod math;
mod math_errors;
mod number;
mod output;
mod printf;
mod process;
mod random;
mod scanf;
mod stream;
mod time;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::rc::Rc;

use glassbox_ir::{GlobalId, GlobalKind, Program};

use catalog::Model;
use env::Env;
use glassbox_interp::{Address, ExternalCall, ExternalResult, Externals, Memory, ObjectKind};
use stream::Streams;

pub use entry::run_main;
pub use java::JavaLibrary;

/// A library for one machine. Clones are handles on the same library, so that the code that set up the run can
/// read its output.
#[derive(Debug, Clone, Default)]
pub struct Libc {
    state: Rc<RefCell<State>>,
}

/// What a `static` object of the library is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Keepsake {
    /// The result of `localtime` and `gmtime`.
    Calendar,
    /// The result of `asctime` and `ctime`.
    CalendarText,
    ErrorText(i32),
    Locale,
}

#[derive(Debug, Default)]
struct State {
    streams: Streams,
    /// Handlers of `atexit`, oldest first.
    at_exit: Vec<Address>,
    /// Milliseconds since the start, advanced whenever the clock is read.
    clock: u64,
    /// Of random numbers, once it was used.
    generator: Option<random::Generator>,
    /// Where the program keeps `errno`, if it uses it.
    errno: Option<Address>,
    keepsakes: BTreeMap<Keepsake, Address>,
    /// By function of the program, found when first called.
    models: Vec<Option<Option<Model>>>,
}

impl Libc {
    /// No input; output is kept.
    pub fn new() -> Libc {
        Libc::default()
    }

    /// The bytes of standard input.
    pub fn set_stdin(&self, bytes: Vec<u8>) {
        self.state.borrow_mut().streams.console.set_input(bytes);
    }

    /// Where standard input goes on after the bytes given, read as needed.
    pub fn set_stdin_reader(&self, reader: Box<dyn Read>) {
        self.state.borrow_mut().streams.console.set_reader(reader);
    }

    /// Sends standard output here instead of keeping it.
    pub fn set_stdout_writer(&self, writer: Box<dyn Write>) {
        self.state.borrow_mut().streams.console.output.set_writer(writer);
    }

    /// Sends standard error here instead of keeping it.
    pub fn set_stderr_writer(&self, writer: Box<dyn Write>) {
        self.state.borrow_mut().streams.console.errors.set_writer(writer);
    }

    /// What was written to standard error and kept.
    pub fn stderr(&self) -> Vec<u8> {
        self.state.borrow().streams.console.errors.kept().to_vec()
    }

    /// Writes through what is still buffered.
    pub fn flush(&self) {
        self.state.borrow_mut().streams.console.flush();
    }
}

impl Externals for Libc {
    fn prepare(
        &mut self,
        program: &Program,
        memory: &mut Memory,
        global_address: &dyn Fn(GlobalId) -> Address,
    ) {
        let state = &mut *self.state.borrow_mut();
        state.models = vec![None; program.functions.len()];
        state.streams.make_standard(memory);
        for id in program.global_ids() {
            let global = program.global(id);
            let address = global_address(id);
            if global.name == glassbox_library::ERRNO_OBJECT
                && global.kind == GlobalKind::LibraryState
            {
                state.errno = Some(address);
            }
            let Some(stream) = glassbox_library::standard_stream(&global.name) else { continue };
            if global.initializer.is_none() && global.size == memory.pointers().bytes() {
                let file = state.streams.address(stream).to_le_bytes();
                let size = memory.pointers().bytes() as usize;
                let _ = memory.write_unchecked_const(address, &file[..size]);
            }
        }
    }

    fn set_stdin(&mut self, bytes: &[u8]) {
        Libc::set_stdin(self, bytes.to_vec());
    }

    fn set_files(&mut self, files: &[Option<Vec<u8>>]) {
        self.state.borrow_mut().streams.set_given(files);
    }

    fn add_stream(&mut self, memory: &mut Memory, contents: &[u8]) -> Option<Address> {
        self.state.borrow_mut().streams.add_input(memory, contents.to_vec())
    }

    fn reset(&mut self) {
        let mut state = self.state.borrow_mut();
        state.streams.reset();
        state.at_exit.clear();
        state.clock = 0;
        state.generator = None;
        state.keepsakes.clear();
    }

    fn stdout(&self) -> Vec<u8> {
        self.state.borrow().streams.console.output.kept().to_vec()
    }

    fn call(&mut self, memory: &mut Memory, call: &ExternalCall<'_>) -> ExternalResult {
        let state = &mut *self.state.borrow_mut();
        let Some(model) = state.model(call) else { return ExternalResult::Unknown };
        match model(&mut Env { state, memory, call }) {
            Ok(word) => ExternalResult::Returned(word),
            Err(stop) => stop,
        }
    }
}

impl State {
    fn model(&mut self, call: &ExternalCall<'_>) -> Option<Model> {
        let index = call.function.index();
        let find = || {
            let declared = call.program.function(call.function);
            let known = glassbox_library::function_of(declared);
            known.and_then(|known| catalog::body_of(known, call.program.pointers))
        };
        match self.models.get_mut(index) {
            Some(known) => *known.get_or_insert_with(find),
            None => find(),
        }
    }

    /// The library's object for this purpose, made when first needed.
    fn keepsake(
        &mut self,
        memory: &mut Memory,
        keepsake: Keepsake,
        bytes: Vec<u8>,
    ) -> Option<Address> {
        if let Some(&address) = self.keepsakes.get(&keepsake) {
            memory.write(address, &bytes).ok()?;
            return Some(address);
        }
        let id = memory.allocate_bytes(ObjectKind::Library, bytes, glassbox_ir::Span::nowhere())?;
        let address = memory.address_of(id, 0);
        self.keepsakes.insert(keepsake, address);
        Some(address)
    }
}
