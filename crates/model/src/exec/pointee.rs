//! What casts say about input memory: `void *` that the program takes for a pointer to a structure, and a structure
//! around what a pointer points to (`container_of`).
//!
//! Only the shape of inputs changes here. What a path does with the memory is checked as before.

use glassbox_ir::{Operand, Shape, SourceType, SourceTypeId};
use glassbox_memory::layout::any_part;
use glassbox_testcase::Assumption;
use glassbox_testcase::image::size_of;

use super::{Executor, Stop};
use crate::leaf::{LeafKind, leaf_at};
use crate::memory::table::end_of;
use crate::memory::{CellValue, Contents, Front, ObjectKind};
use crate::value::{ObjectId, SymPtr};

/// Types of more bytes are not compared member by member.
const MAX_COMPARED: u64 = 1024;

impl Executor<'_> {
    /// The program takes a pointer for one to `target`.
    pub(crate) fn take_pointee(&mut self, ptr: Operand, target: SourceTypeId) -> Result<(), Stop> {
        let ptr = match self.pointer(ptr) {
            SymPtr::Input(id) => {
                let input = &self.inputs.pointers[id.0 as usize];
                let Some(resolution) = input.resolution else {
                    if self.says_more(input.target, target) {
                        self.inputs.pointers[id.0 as usize].target = target;
                    }
                    return Ok(());
                };
                resolution
            }
            other @ (SymPtr::Object { .. } | SymPtr::Func(_) | SymPtr::Number(_)) => other,
        };
        let SymPtr::Object { object, offset } = ptr else { return Ok(()) };
        let ObjectKind::Input { element, .. } = self.memory.object(object).kind else {
            return Ok(());
        };
        match self.known_offset(offset) {
            Some(0) if self.says_more(element, target) => {
                self.reshape(object, target);
                Ok(())
            }
            Some(below) if below < 0 => self.surround(object, below, target),
            Some(_) | None => Ok(()),
        }
    }

    /// Whether memory of type `new` is known better than memory of type `old` and can be in its place.
    fn says_more(&self, old: SourceTypeId, new: SourceTypeId) -> bool {
        let program = self.program;
        let old = program.resolve_source_type(old);
        let has_pointer =
            || any_part(program, new, &|part| matches!(program.shape(part), Shape::Pointer { .. }));
        // Bytes do well for anything but pointers, and text stays text.
        if matches!(program.source_type(old), SourceType::Int { width: 8, .. }) {
            return has_pointer();
        }
        match program.shape(old) {
            Shape::Void | Shape::Opaque { .. } | Shape::Record { fields: None, .. } => true,
            Shape::Record { .. } => self.begins_with(new, old),
            Shape::Number(_)
            | Shape::Pointer { .. }
            | Shape::Array { .. }
            | Shape::Function
            | Shape::Reference => false,
        }
    }

    /// Whether a larger record begins with the scalars of a smaller one, as derived structures do.
    fn begins_with(&self, large: SourceTypeId, small: SourceTypeId) -> bool {
        let (size, n_bytes) = (size_of(self.program, large), size_of(self.program, small));
        if size <= n_bytes || n_bytes > MAX_COMPARED {
            return false;
        }
        let unions = crate::leaf::ActiveMembers::new();
        let mut at = 0;
        while at < n_bytes {
            let [old, new] = [small, large].map(|ty| leaf_at(self.program, ty, at, 0, &unions));
            let is_padding = old.kind == LeafKind::Raw;
            let is_same = old.offset == new.offset
                && old.size == new.size
                && is_pointer(old.kind) == is_pointer(new.kind);
            if !is_padding && !is_same {
                return false;
            }
            at = old.offset + old.size;
        }
        true
    }

    /// Gives the elements of an input object another type, if what the path knows of it stays true.
    fn reshape(&mut self, object: ObjectId, target: SourceTypeId) {
        let entry = self.memory.object(object);
        let ObjectKind::Input { length, .. } = entry.kind else { return };
        if entry.front.is_some() || !self.fits_cells(object, target, 0) {
            return;
        }
        let element_size = size_of(self.program, target).max(1);
        let unit = self.terms.bv_u(element_size.into(), 64);
        let size = self.terms.bv_mul(length, unit);
        let entry = self.memory.object_mut(object);
        entry.kind = ObjectKind::Input { element: target, length };
        entry.contents = Contents::Input(target);
        entry.size = size;
        entry.max_size = Some(element_size.saturating_mul(self.config.max_length));
    }

    /// Makes an input object a part of one `target` that begins `below` (a negative offset).
    fn surround(&mut self, object: ObjectId, below: i64, target: SourceTypeId) -> Result<(), Stop> {
        let program = self.program;
        let ObjectKind::Input { element, .. } = self.memory.object(object).kind else {
            return Ok(());
        };
        let end = end_of(below, size_of(program, target));
        let is_around = end >= size_of(program, element).max(1).cast_signed();
        if !is_around
            || self.memory.object(object).address.is_some()
            || program.is_same_type(element, target)
            || !self.fits_cells(object, target, below)
        {
            return Ok(());
        }
        // One such object; an array of them was not tried.
        self.inputs.note_bound(Assumption::PointersToStarts);
        let front = self.make_front(object)?;
        let (room, size) = (below.unsigned_abs(), end.unsigned_abs());
        let (room_term, size_term) =
            (self.terms.bv_u(room.into(), 64), self.terms.bv_u(size.into(), 64));
        let has_room = self.terms.bv_ule(room_term, front.size);
        self.assume(has_room)?;
        let old_size = self.memory.object(object).size;
        let is_inside = self.terms.bv_ule(old_size, size_term);
        self.assume(is_inside)?;
        let one = self.terms.bv_u(1, 64);
        let entry = self.memory.object_mut(object);
        entry.kind = ObjectKind::Input { element: target, length: one };
        entry.contents = Contents::Input(target);
        entry.origin = below;
        entry.size = size_term;
        entry.max_size = Some(size);
        entry.front = Some(Front { length: front.length, size: room_term, max_size: room });
        Ok(())
    }

    /// Whether all that was read or written of an object is scalars of a `target` that begins at `origin`.
    fn fits_cells(&self, object: ObjectId, target: SourceTypeId, origin: i64) -> bool {
        let entry = self.memory.object(object);
        let size = size_of(self.program, target).max(1);
        entry.cells.iter().chain(&entry.initial).all(|(&start, cell)| {
            let Some(at) = start.checked_sub(origin).and_then(|at| u64::try_from(at).ok()) else {
                return false;
            };
            let leaf = leaf_at(self.program, target, at % size, 0, &entry.active);
            leaf.offset == at % size
                && leaf.size == cell.size
                && is_pointer(leaf.kind) == matches!(cell.value, CellValue::Ptr(_))
        })
    }
}

fn is_pointer(kind: LeafKind) -> bool {
    matches!(kind, LeafKind::Pointer(_))
}
