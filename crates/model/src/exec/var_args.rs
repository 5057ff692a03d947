//! Variable arguments: those of calls on the path, and those of the function under test, which are inputs.
//!
//! Nothing says how many arguments a caller of the function under test passes and of which types. To ask for one that was not
//! passed, or was passed as something else, is undefined; so there are as many as a path asks for, of the types that it asks for.

use glassbox_ir::{CheckKind, Operand, SourceTypeId, Ty};
use glassbox_testcase::{Assumption, UnmodeledInput};

use super::{Executor, Stop};
use crate::inputs::{ParamInput, ParamValue};
use crate::memory::ObjectKind;
use crate::memory::table::end_of;
use crate::value::{ObjectId, SymPtr, SymValue};

/// Bytes of an argument in memory, but for wide ones.
const SLOT: u64 = 8;

/// What `va_arg` is asked for.
pub(crate) struct Asked {
    pub(crate) ty: Ty,
    pub(crate) source_type: SourceTypeId,
    /// A record, whose address is given.
    pub(crate) is_indirect: bool,
}

impl Executor<'_> {
    /// Variable arguments lie in memory, 8 bytes each, 16 for wide ones.
    pub(crate) fn var_args_object(&mut self, args: &[(SymValue, Ty)]) -> Result<ObjectId, Stop> {
        let pointers = self.program.pointers;
        let slot = |ty: Ty| if ty.size(pointers) > SLOT { 2 * SLOT } else { SLOT };
        let size = args.iter().map(|(_, ty)| slot(*ty)).sum();
        let object = self.new_object(ObjectKind::VarArgs, "arguments", size);
        let mut offset = 0;
        for &(value, ty) in args {
            // Pointers are stored as what they are loaded as.
            let size = if ty == Ty::Ptr { pointers.bytes() } else { slot(ty) };
            self.store_at(object, offset, size, value)?;
            offset = end_of(offset, slot(ty));
        }
        Ok(object)
    }

    pub(crate) fn va_start(&mut self, list: Operand) -> Result<(), Stop> {
        let (list, offset) = self.target(list)?;
        let offset = self.fix_offset(offset)?;
        let Some(object) = self.frame().var_args else {
            return self.unsupported("va_start in a function without variable arguments");
        };
        let cursor = SymValue::Ptr(self.start_of(object));
        let size = self.program.pointers.bytes();
        let zero = self.terms.bv_u(0, 64);
        self.store_at(list, offset, 8, SymValue::Term(zero))?;
        self.store_at(list, offset, size, cursor)?;
        self.store_at(list, offset + 8, 8, SymValue::Term(zero))?;
        self.store_at(list, offset + 16, 8, SymValue::Term(zero))
    }

    pub(crate) fn va_arg(&mut self, list: Operand, asked: &Asked) -> Result<SymValue, Stop> {
        let ty = asked.ty;
        let (list, at) = self.target(list)?;
        let at = self.fix_offset(at)?;
        let cursor = self.load_at(Ty::Ptr, list, at)?;
        let SymValue::Ptr(SymPtr::Object { object, offset }) = cursor else {
            return self.failed(CheckKind::BadPointer);
        };
        let position = self.fix_offset(offset)?;
        if self.is_own(object) {
            self.make_argument(object, position, asked)?;
        }
        let value = self.load_at(ty, object, position)?;
        let is_wide = ty.size(self.program.pointers) > SLOT;
        let next = end_of(position, if is_wide { 2 * SLOT } else { SLOT });
        let next = self.terms.bv_s(next.into(), 64);
        let cursor = SymValue::Ptr(SymPtr::Object { object, offset: next });
        self.store_at(list, at, self.program.pointers.bytes(), cursor)?;
        Ok(value)
    }

    /// Whether the object has the variable arguments of the function under test.
    fn is_own(&self, object: ObjectId) -> bool {
        self.frames.first().is_some_and(|frame| frame.var_args == Some(object))
    }

    /// Whether the function under test has no variable argument at a place yet.
    pub(crate) fn is_missing(&self, object: ObjectId, position: i64) -> bool {
        let n_made = self.own_arguments.len();
        self.is_own(object) && usize::try_from(position / 8).is_ok_and(|index| index >= n_made)
    }

    /// Makes the argument of the function under test at a place an input, if there is none yet.
    fn make_argument(
        &mut self,
        object: ObjectId,
        position: i64,
        asked: &Asked,
    ) -> Result<(), Stop> {
        let &Asked { ty, source_type, is_indirect } = asked;
        let size = ty.size(self.program.pointers);
        if is_indirect || size > SLOT {
            return self.no_argument("a variable argument of the function under test of this type");
        }
        let index = usize::try_from(position / 8).unwrap_or(usize::MAX);
        if let Some(&known) = self.own_arguments.get(index) {
            if known == ty {
                return Ok(());
            }
            return self.no_argument("a variable argument that is asked for as two types");
        }
        let name = format!("arg{}", index + 1);
        let value = self.scalar_input(&name, source_type, ty);
        let end = end_of(position, SLOT);
        let new_size = self.terms.bv_s(end.into(), 64);
        let entry = self.memory.object_mut(object);
        entry.size = new_size;
        entry.max_size = u64::try_from(end).ok();
        self.own_arguments.push(ty);
        let input = ParamValue::Scalar(value);
        self.inputs.params.push(ParamInput { name, source_type, value: input });
        self.store_at(object, position, size, value)
    }

    /// A variable argument of the function under test that no test passes.
    pub(crate) fn no_argument<T>(&mut self, what: &str) -> Result<T, Stop> {
        self.inputs.note_bound(Assumption::UnmodeledInput(UnmodeledInput::VariableArguments));
        self.unsupported(what)
    }
}
