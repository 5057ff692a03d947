//! Functions that the program calls and does not define.

use glassbox_ir::{FuncId, GlobalId, Program, Span};

use crate::memory::{Address, Memory, MemoryError};

/// One call of an external function.
#[derive(Debug)]
pub struct ExternalCall<'a> {
    pub program: &'a Program,
    pub function: FuncId,
    /// Raw bits of the arguments, zero-extended; variable arguments follow the fixed ones.
    pub args: &'a [u128],
    /// Types of all arguments, for formats that need them.
    pub arg_types: &'a [glassbox_ir::Ty],
    pub n_fixed_args: usize,
    pub span: Span,
}

/// What an external function did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExternalResult {
    /// Returned; the bits of the result, ignored for void.
    Returned(u128),
    Exited(i32),
    Aborted,
    /// It used memory in a way that is undefined.
    Memory(MemoryError),
    /// Undefined for another reason, given in words.
    Undefined(String),
    /// No model for this function.
    Unknown,
    /// A model, but not for this use.
    Unsupported(String),
}

impl From<MemoryError> for ExternalResult {
    fn from(error: MemoryError) -> ExternalResult {
        ExternalResult::Memory(error)
    }
}

/// A provider of external functions.
pub trait Externals: std::fmt::Debug {
    /// Makes what the program expects to find in memory, such as the object behind `stdout`. Called once,
    /// after the globals have their initial values.
    fn prepare(
        &mut self,
        _program: &Program,
        _memory: &mut Memory,
        _global_address: &dyn Fn(GlobalId) -> Address,
    ) {
    }

    /// Forgets everything since `prepare`: the machine starts again from its first memory.
    fn reset(&mut self) {}

    /// Gives the program this standard input.
    fn set_stdin(&mut self, _bytes: &[u8]) {}

    /// What the next calls that open files find: contents, or no file.
    fn set_files(&mut self, _files: &[Option<Vec<u8>>]) {}

    /// A stream with these contents, open from its start on; `None` where there are no streams or no memory is left.
    fn add_stream(&mut self, _memory: &mut Memory, _contents: &[u8]) -> Option<Address> {
        None
    }

    /// What the program has written to its standard output.
    fn stdout(&self) -> Vec<u8> {
        Vec::new()
    }

    fn call(&mut self, memory: &mut Memory, call: &ExternalCall<'_>) -> ExternalResult;
}

/// Knows no function.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoExternals;

impl Externals for NoExternals {
    fn call(&mut self, _memory: &mut Memory, _call: &ExternalCall<'_>) -> ExternalResult {
        ExternalResult::Unknown
    }
}

impl Externals for Box<dyn Externals + '_> {
    fn prepare(
        &mut self,
        program: &Program,
        memory: &mut Memory,
        global_address: &dyn Fn(GlobalId) -> Address,
    ) {
        (**self).prepare(program, memory, global_address);
    }

    fn reset(&mut self) {
        (**self).reset();
    }

    fn set_stdin(&mut self, bytes: &[u8]) {
        (**self).set_stdin(bytes);
    }

    fn set_files(&mut self, files: &[Option<Vec<u8>>]) {
        (**self).set_files(files);
    }

    fn add_stream(&mut self, memory: &mut Memory, contents: &[u8]) -> Option<Address> {
        (**self).add_stream(memory, contents)
    }

    fn stdout(&self) -> Vec<u8> {
        (**self).stdout()
    }

    fn call(&mut self, memory: &mut Memory, call: &ExternalCall<'_>) -> ExternalResult {
        (**self).call(memory, call)
    }
}
