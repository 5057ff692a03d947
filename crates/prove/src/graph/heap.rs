//! Allocation and release: objects that exist at most once are followed like locals.

use glassbox_ir::instr::HeapFill;
use glassbox_terms::{Sort, TermId};

use super::body::Activation;
use super::build::Builder;
use super::memory::{Content, Object, Ptr, Shape, State, Targets, Val};
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

    /// The end of an object: nothing is known of it any more, and whoever uses it fails. Where the pointer has
    /// several targets, each of them may have ended.
    pub(super) fn free(&mut self, ptr: Ptr) {
        self.forget_target(ptr);
        let objects: Vec<Object> =
            self.targets_of(ptr).into_iter().flat_map(Targets::objects).collect();
        for object in objects {
            if let Object::Alloc(..) = object {
                let _ = self.memory.objects.remove(&object);
            }
        }
    }

    /// Whether a scalar has surely been set.
    pub(super) fn is_set(&mut self, ptr: Ptr, size: u64) -> bool {
        let Some((object, offset)) = self.target(ptr, size) else { return true };
        if let Object::Beyond(_) = object {
            return true;
        }
        let Some(state) = self.state(object) else { return true };
        match (self.lessons.shape(object), self.constant(offset)) {
            (Shape::Cells, Some(at)) => state.is_written(at, size),
            (Shape::Cells | Shape::Array { .. } | Shape::Opaque, _) => {
                matches!(state.content, Content::Initial | Content::Zeros)
            }
        }
    }

    /// The bytes count as not set.
    pub(super) fn unset(&mut self, ptr: Ptr, size: u64) {
        let Some((object, offset)) = self.target(ptr, size) else { return };
        if let Object::Beyond(_) = object {
            return;
        }
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
