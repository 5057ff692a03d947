//! What objects held when the function under test began: inputs, or what initializers say.

use glassbox_ir::{GlobalId, Initializer, RelocationTarget, Ty};
use glassbox_terms::TermId;
use glassbox_values::{Bits, Format};

use super::build::Builder;
use super::join::{array_sort, cell_sort};
use super::lessons::CellKind;
use super::memory::{Object, Ptr, Scalar, Val};

/// Elements of an initializer that become an array term; longer ones are unknown.
const MAX_WRITTEN: u64 = 256;

impl Builder<'_> {
    /// What the cell held when the function under test began; the same variable every time.
    pub(super) fn initial_cell(&mut self, scalar: Scalar) -> Val {
        let Scalar { object, offset, size, kind } = scalar;
        if let Object::Global(global) = object
            && self.starts_as_written(global)
            && let Some(value) = self.written_cell(global, scalar)
        {
            return value;
        }
        let sort = cell_sort(size, kind);
        let term = match self.initial.get(&(object, offset, sort)) {
            Some(&term) => term,
            None => {
                let name = self.scalar_name(object, offset);
                let term = self.new_var(&name, sort, 0);
                self.graph.inputs.push(term);
                self.initial.insert((object, offset, sort), term);
                term
            }
        };
        if kind != CellKind::Pointer {
            return Val::Term(term);
        }
        if let Some(ty) = self.type_of(object) {
            self.note_declared(term, ty, offset);
        }
        Val::Ptr(Ptr::Number(term))
    }

    /// What an initializer puts into a cell.
    fn written_cell(
        &mut self,
        global: GlobalId,
        Scalar { offset, size, kind, .. }: Scalar,
    ) -> Option<Val> {
        let declared = self.program.global(global);
        let initializer = declared.initializer.as_ref()?;
        if offset.saturating_add(size) > declared.size {
            return None;
        }
        let mut pointers = initializer.relocations.iter().filter(|r| {
            r.offset < offset + size
                && offset < r.offset.saturating_add(self.program.pointers.bytes())
        });
        if let Some(relocation) = pointers.next() {
            if kind != CellKind::Pointer || relocation.offset != offset {
                return None;
            }
            return match relocation.target {
                RelocationTarget::Func(function) => {
                    (relocation.addend == 0).then_some(Val::Ptr(Ptr::Func(function)))
                }
                RelocationTarget::Global(target) => {
                    self.lessons.learn_global(target);
                    let bits = Bits::from_signed(relocation.addend.into(), 64);
                    let offset = self.terms().bv_const(bits);
                    Some(Val::Ptr(Ptr::Object { object: Object::Global(target), offset }))
                }
            };
        }
        let bytes = bytes_at(initializer, offset, size);
        let bits = Bits::from_le_bytes(&bytes);
        let ty = match (kind, size) {
            (CellKind::Int, _) => Ty::Int(bits.width()),
            (CellKind::Pointer, _) => Ty::Ptr,
            (CellKind::Float, 4) => Ty::Float(Format::F32),
            (CellKind::Float, 8) => Ty::Float(Format::F64),
            (CellKind::Float, _) => return None,
        };
        Some(self.value_of_bits(bits, ty))
    }

    pub(super) fn initial_array(&mut self, object: Object, size: u64) -> TermId {
        if let Some(&array) = self.initial_arrays.get(&(object, size)) {
            return array;
        }
        let array = match object {
            Object::Global(global) if self.starts_as_written(global) => {
                self.written_array(global, size)
            }
            Object::Global(_)
            | Object::Local(..)
            | Object::Record(_)
            | Object::Alloc(..)
            | Object::Beyond(_) => None,
        };
        let array = array.unwrap_or_else(|| {
            let name = self.object_name(object);
            let array = self.new_var(&name, array_sort(size), 0);
            self.graph.is_exact = false;
            array
        });
        self.initial_arrays.insert((object, size), array);
        array
    }

    fn written_array(&mut self, global: GlobalId, size: u64) -> Option<TermId> {
        let declared = self.program.global(global);
        let initializer = declared.initializer.as_ref()?;
        let n_bytes = initializer.bytes.len() as u64;
        if !initializer.relocations.is_empty() || n_bytes / size > MAX_WRITTEN {
            return None;
        }
        let width = u8::try_from(size * 8).ok()?;
        let zero = self.terms().bv_u(0, width);
        let mut array = self.terms().const_array(64, zero);
        for offset in (0..n_bytes).step_by(usize::try_from(size).ok()?) {
            let bytes = bytes_at(initializer, offset, size);
            if bytes.iter().any(|&byte| byte != 0) {
                let element = self.terms().bv_const(Bits::from_le_bytes(&bytes));
                let index = self.terms().bv_u(offset.into(), 64);
                array = self.terms().store(array, index, element);
            }
        }
        Some(array)
    }
}

/// Bytes of an initializer; the rest of an object is zero.
fn bytes_at(initializer: &Initializer, offset: u64, size: u64) -> Vec<u8> {
    let byte = |at: u64| {
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        initializer.bytes.get(at).copied().unwrap_or(0)
    };
    (offset..offset + size).map(byte).collect()
}
