//! Allocation and release, copies of memory: objects that exist at most once are followed like locals.

use glassbox_ir::Ty;
use glassbox_ir::instr::HeapFill;
use glassbox_terms::{Sort, TermId};

use super::body::Activation;
use super::build::{Builder, CellKind};
use super::join::kind_of;
use super::memory::{Content, Object, Ptr, Shape, State, Val};
use crate::question::Place;

impl Builder<'_> {
    /// Null or a new object. Where control may come back to the allocation, the new object would have the name
    /// of the old one, so that nobody follows it; its address is a number.
    pub(super) fn allocate(
        &mut self,
        activation: &Activation<'_>,
        place: Place,
        size: TermId,
        fill: HeapFill,
    ) -> Option<Val> {
        let frame = activation.frame;
        if !frame.is_once || activation.repeated[place.block.index()] {
            return None;
        }
        let object = Object::Alloc(frame.activation, place.block, place.instr);
        let content = match fill {
            HeapFill::Uninitialized => Content::Uninitialized,
            HeapFill::Zeros => Content::Zeros,
        };
        let _ = self.size_terms.insert(object, size);
        let _ = self.memory.objects.insert(object, State::new(content));
        let is_null = self.opaque(Sort::Bool);
        let offset = self.terms().bv_u(0, 64);
        Some(Val::Ptr(Ptr::Fresh { object, offset, is_null }))
    }

    /// The end of an object: nothing is known of it any more, and whoever uses it fails.
    pub(super) fn free(&mut self, ptr: Ptr) {
        match ptr {
            Ptr::Object { object: object @ Object::Alloc(..), .. } | Ptr::Fresh { object, .. } => {
                self.forget_target(ptr);
                let _ = self.memory.objects.remove(&object);
            }
            Ptr::Object { .. } | Ptr::Number(_) | Ptr::Func(_) => self.forget_target(ptr),
        }
    }

    /// Copies of a scalar carry its value, larger ones leave something unknown.
    pub(super) fn mem_copy(&mut self, dst: Ptr, src: Ptr, len: TermId) {
        // Pointers in the source are in the target too.
        if let Ptr::Object { object, .. } | Ptr::Fresh { object, .. } = src {
            self.expose(object);
        }
        let size = match self.constant(len) {
            Some(size @ (1 | 2 | 4 | 8)) => size,
            Some(_) | None => return self.forget_target(dst),
        };
        // An array is not given up for a copy in another size.
        if self.has_other_size(src, size) || self.has_other_size(dst, size) {
            return self.forget_target(dst);
        }
        let (ty, is_written) = self.scalar_at(src, size);
        let value = self.load(src, ty);
        self.store(dst, value, ty);
        if !is_written {
            // What was never set may be copied, and is as little set as before.
            self.unset(dst, size);
        }
    }

    fn has_other_size(&self, ptr: Ptr, size: u64) -> bool {
        match ptr {
            Ptr::Object { object, .. } | Ptr::Fresh { object, .. } => {
                match self.lessons.shape(object) {
                    Shape::Array { size: element, .. } => element != size,
                    Shape::Cells | Shape::Opaque => false,
                }
            }
            Ptr::Number(_) | Ptr::Func(_) => false,
        }
    }

    /// The type in which a scalar is kept, and whether it has surely been set.
    fn scalar_at(&mut self, ptr: Ptr, size: u64) -> (Ty, bool) {
        let int = Ty::Int(u8::try_from(size * 8).expect("scalars are at most 8 bytes"));
        let float = |is_float: bool| match (is_float, size) {
            (true, 4) => Ty::Float(glassbox_values::Format::F32),
            (true, 8) => Ty::Float(glassbox_values::Format::F64),
            _ => int,
        };
        let Some((object, offset)) = self.target(ptr, size) else { return (int, false) };
        let Some(state) = self.state(object) else { return (int, false) };
        let is_whole = matches!(state.content, Content::Initial | Content::Zeros)
            && !matches!(object, Object::Beyond(_));
        match self.lessons.shape(object) {
            Shape::Array { is_float, .. } => (float(is_float), is_whole),
            Shape::Opaque => (int, is_whole),
            Shape::Cells => {
                let Some(at) = self.constant(offset) else { return (int, is_whole) };
                let ty = match state.cells.get(&at) {
                    Some(cell) if cell.size == size => {
                        match kind_of(&self.graph.terms, cell.value) {
                            CellKind::Pointer => Ty::Ptr,
                            CellKind::Float => float(true),
                            CellKind::Int => int,
                        }
                    }
                    Some(_) | None => int,
                };
                (ty, state.is_written(at, size))
            }
        }
    }

    /// The bytes count as not set.
    fn unset(&mut self, ptr: Ptr, size: u64) {
        let Some((object, offset)) = self.target(ptr, size) else { return };
        let Some(mut state) = self.state(object) else { return };
        if matches!(state.content, Content::Initial | Content::Zeros) {
            state.content = Content::Unknown;
        }
        if let Some(cell) = self.constant(offset).and_then(|at| state.cells.get_mut(&at)) {
            cell.is_written = false;
        }
        let _ = self.memory.objects.insert(object, state);
    }
}
