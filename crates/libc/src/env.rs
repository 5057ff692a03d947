//! What a model sees of its call: arguments by type, memory, the library's state.

use glassbox_interp::{Address, ExternalCall, ExternalResult, Memory, ObjectKind};
use glassbox_ir::{ResultPassing, Ty};
use glassbox_values::Bits;

use crate::State;
use crate::arguments::Arguments;

/// The result's bits, or why there is none.
pub(crate) type Answer = Result<u128, ExternalResult>;

pub(crate) struct Env<'a> {
    pub(crate) state: &'a mut State,
    pub(crate) memory: &'a mut Memory,
    pub(crate) call: &'a ExternalCall<'a>,
}

pub(crate) fn undefined<T>(message: impl Into<String>) -> Result<T, ExternalResult> {
    Err(ExternalResult::Undefined(message.into()))
}

pub(crate) fn unsupported<T>(message: impl Into<String>) -> Result<T, ExternalResult> {
    Err(ExternalResult::Unsupported(message.into()))
}

/// An `int` as the bits of a result.
pub(crate) fn int(value: i32) -> u128 {
    u128::from(value.cast_unsigned())
}

/// A `long` as the bits of a result.
pub(crate) fn long(value: i64) -> u128 {
    u128::from(value.cast_unsigned())
}

/// `EOF`.
pub(crate) const END: i32 = -1;

impl Env<'_> {
    fn name(&self) -> &str {
        &self.call.program.function(self.call.function).name
    }

    /// An argument with its type; programs that declare functions without parameters may leave some out.
    fn argument(&self, index: usize) -> Result<(u128, Ty), ExternalResult> {
        match (self.call.args.get(index), self.call.arg_types.get(index)) {
            (Some(&word), Some(&ty)) => Ok((word, ty)),
            _ => undefined(format!("`{}` is called with too few arguments", self.name())),
        }
    }

    fn wrong_type<T>(&self, index: usize, wanted: &str) -> Result<T, ExternalResult> {
        undefined(format!("argument {} of `{}` should be {wanted}", index + 1, self.name()))
    }

    /// An integer argument of any width, its sign extended.
    pub(crate) fn long(&self, index: usize) -> Result<i64, ExternalResult> {
        match self.argument(index)? {
            (word, Ty::Int(width)) => Ok(Bits::new(word, width).signed() as i64),
            _ => self.wrong_type(index, "an integer"),
        }
    }

    pub(crate) fn int(&self, index: usize) -> Result<i32, ExternalResult> {
        Ok(self.long(index)? as i32)
    }

    /// A size: never negative.
    pub(crate) fn size(&self, index: usize) -> Result<u64, ExternalResult> {
        Ok(self.long(index)?.cast_unsigned())
    }

    pub(crate) fn pointer(&self, index: usize) -> Result<Address, ExternalResult> {
        match self.argument(index)? {
            (word, Ty::Ptr) => Ok(word as u64),
            // A literal 0 where no prototype asks for a pointer.
            (0, Ty::Int(_)) => Ok(0),
            _ => self.wrong_type(index, "a pointer"),
        }
    }

    pub(crate) fn double(&self, index: usize) -> Result<f64, ExternalResult> {
        match self.argument(index)? {
            (word, ty) if ty == Ty::F64 => Ok(f64::from_bits(word as u64)),
            _ => self.wrong_type(index, "a double"),
        }
    }

    pub(crate) fn float(&self, index: usize) -> Result<f32, ExternalResult> {
        match self.argument(index)? {
            (word, ty) if ty == Ty::F32 => Ok(f32::from_bits(word as u32)),
            _ => self.wrong_type(index, "a float"),
        }
    }

    /// The arguments from this one on, as a format consumes them.
    pub(crate) fn arguments_from(&self, index: usize) -> Arguments {
        let given = self.call.args.iter().copied().zip(self.call.arg_types.iter().copied());
        Arguments::Given(given.skip(index).collect::<Vec<_>>().into_iter())
    }

    /// The arguments of a `va_list`.
    pub(crate) fn list(&self, index: usize) -> Result<Arguments, ExternalResult> {
        Ok(Arguments::List(self.pointer(index)?))
    }

    /// A result of this type must be what the program declares.
    fn check_result(&self, ty: Ty) -> Result<(), ExternalResult> {
        if self.call.program.function(self.call.function).result == ResultPassing::Direct(ty) {
            return Ok(());
        }
        undefined(format!("`{}` is declared with a wrong result type", self.name()))
    }

    pub(crate) fn double_result(&self, value: f64) -> Answer {
        self.check_result(Ty::F64)?;
        Ok(value.to_bits().into())
    }

    pub(crate) fn float_result(&self, value: f32) -> Answer {
        self.check_result(Ty::F32)?;
        Ok(value.to_bits().into())
    }

    pub(crate) fn string(&self, index: usize) -> Result<Vec<u8>, ExternalResult> {
        Ok(self.memory.read_c_string(self.pointer(index)?)?)
    }

    /// Bytes to be written out: padding among them may be indeterminate.
    pub(crate) fn raw_bytes(&self, address: Address, len: u64) -> Result<Vec<u8>, ExternalResult> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let (index, offset) = self.memory.locate(address, len)?;
        let object = self.memory.object(self.memory.id_at(index));
        Ok(object.bytes()[offset..offset + len as usize].to_vec())
    }

    pub(crate) fn set_errno(&mut self, code: i32) {
        if let Some(address) = self.state.errno {
            let _ = self.memory.write(address, &code.to_le_bytes());
        }
    }

    /// Zero where the program does not use it.
    pub(crate) fn errno(&self) -> i32 {
        let word = self.state.errno.and_then(|address| self.memory.load(address, 4).ok());
        word.unwrap_or(0) as i32
    }

    /// A block as `malloc` gives it.
    pub(crate) fn allocate(&mut self, bytes: Vec<u8>) -> Result<Address, ExternalResult> {
        match self.memory.allocate_bytes(ObjectKind::Heap, bytes, self.call.span) {
            Some(id) => Ok(self.memory.address_of(id, 0)),
            None => unsupported("memory is exhausted"),
        }
    }
}
