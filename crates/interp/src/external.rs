//! Functions that the program calls and does not define.

use glassbox_ir::{FuncId, Program, Span};

use crate::memory::{Memory, MemoryError};

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
    /// Undefined for another reason, told in words.
    Undefined(String),
    /// No model for this function.
    Unknown,
    /// A model, but not for this use.
    Unsupported(String),
}

/// A provider of external functions.
pub trait Externals: std::fmt::Debug {
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

impl Externals for Box<dyn Externals> {
    fn call(&mut self, memory: &mut Memory, call: &ExternalCall<'_>) -> ExternalResult {
        (**self).call(memory, call)
    }
}
