//! Allocation and release: objects that exist at most once are followed like locals.

use glassbox_ir::instr::HeapFill;
use glassbox_ir::{InstrKind, Mark, Part, SourceTypeId, VarRef};
use glassbox_memory::layout::scalars;
use glassbox_terms::{Sort, TermId};
use glassbox_values::Bits;

use super::Event;
use super::body::Activation;
use super::build::{Allocated, Builder};
use super::memory::{Content, Object, Ptr, Shape, State, Targets, Val};
use super::place::Place;
use super::typed::Pointee;

/// The object that an allocation gives, and whether control may come back to it.
fn allocated_at(activation: &Activation<'_>, place: Place) -> (Object, bool) {
    let frame = activation.frame;
    let is_repeated = !frame.is_once || activation.repeated[place.block.index()];
    (Object::Alloc(frame.activation, place.block, place.instr), is_repeated)
}

impl Builder<'_> {
    /// Null or a new object. Where control may come back to the allocation, the new object would have the name
    /// of the old one, so that it is not followed; its address is a number.
    pub(super) fn allocate(
        &mut self,
        activation: &Activation<'_>,
        place: Place,
        size: TermId,
        fill: HeapFill,
    ) -> Option<Val> {
        let (object, is_repeated) = allocated_at(activation, place);
        if is_repeated || self.lessons.known.escaped.contains(&object) {
            let found = self.allocate_typed(activation, place, size, fill);
            if is_repeated || found.is_some() {
                return found;
            }
        }
        let content = match fill {
            HeapFill::Uninitialized => Content::Uninitialized,
            HeapFill::Zeros => Content::Zeros,
        };
        self.allocated.insert(object, Allocated { size, is_on_stack: false });
        self.memory.objects.insert(object, State::new(content));
        let is_null = self.opaque(Sort::Bool);
        let offset = self.terms().bv_u(0, 64);
        Some(Val::Ptr(Ptr::Fresh { object, offset, is_null }))
    }

    /// An object that ends with its function: an array of variable length.
    pub(super) fn allocate_on_stack(
        &mut self,
        activation: &Activation<'_>,
        place: Place,
        size: TermId,
    ) -> Val {
        let (object, is_repeated) = allocated_at(activation, place);
        if is_repeated {
            return Val::Ptr(Ptr::Number(self.address()));
        }
        self.allocated.insert(object, Allocated { size, is_on_stack: true });
        self.memory.objects.insert(object, State::new(Content::Uninitialized));
        let offset = self.terms().bv_u(0, 64);
        Val::Ptr(Ptr::Object { object, offset })
    }

    /// The end of an object: nothing is known of it any more, and using it fails. Where the pointer has
    /// several targets, each of them may have ended.
    pub(super) fn free(&mut self, ptr: Ptr) {
        self.lessons.learn_frees();
        for choice in self.choices(ptr) {
            match choice.ptr {
                _ if choice.is_null => {}
                // What is read there afterwards is an error whatever it is.
                Ptr::Number(_) if !self.lessons.known.is_untyped => self.end_escaped(),
                Ptr::Number(_) | Ptr::Func(_) | Ptr::OneOf { .. } => self.forget_reachable(),
                Ptr::Object { object, .. } | Ptr::Fresh { object, .. } => {
                    if self.lessons.known.is_untyped {
                        self.touch(object);
                    }
                    self.forget_object(object);
                }
            }
        }
        let objects: Vec<Object> =
            self.targets_of(ptr).into_iter().flat_map(Targets::objects).collect();
        for object in objects {
            if let Object::Alloc(..) = object {
                self.memory.objects.remove(&object);
            }
        }
    }

    /// Allocated objects that pointers may reach may be no more.
    fn end_escaped(&mut self) {
        let escaped = &self.lessons.known.escaped;
        self.memory
            .objects
            .retain(|object, _| !matches!(object, Object::Alloc(..)) || !escaped.contains(object));
    }

    /// Null or a new object in memory behind pointers: its address is none that control has seen. `None` when the
    /// type of the object is not known.
    fn allocate_typed(
        &mut self,
        activation: &Activation<'_>,
        place: Place,
        size: TermId,
        fill: HeapFill,
    ) -> Option<Val> {
        if self.lessons.known.is_untyped {
            return None;
        }
        let object = Object::Alloc(activation.frame.activation, place.block, place.instr);
        let known = self.lessons.known.alloc_types.get(&object).copied();
        let ty = known.or_else(|| self.allocated_type(activation, place))?;
        self.lessons.learn_alloc_type(object, ty);
        let total = self.program.size_of_source_type(ty);
        let length = self.constant(size);
        let is_sure = self.is_record(ty) && length.is_some_and(|length| length >= total);
        let seen: Vec<TermId> = self.memory.bases.iter().copied().collect();
        let address = self.opaque(Sort::Bv(64));
        self.aligned.insert(address, 4);
        if !self.lessons.known.has_frees {
            for other in seen {
                self.assume_new(address, other);
            }
        }
        self.note_pointee(address, Pointee::start_of(ty, is_sure));
        self.memory.fresh.insert(address);
        match (fill, length) {
            (HeapFill::Zeros, Some(length)) if length == total => {
                for (offset, scalar) in scalars(self.program, ty, 64).unwrap_or_default() {
                    let bytes =
                        vec![0; usize::try_from(scalar.size(self.program.pointers)).unwrap_or(0)];
                    let zero = self.value_of_bits(Bits::from_le_bytes(&bytes), scalar);
                    let at = self.terms().bv_u(offset.into(), 64);
                    let at = self.terms().bv_add(address, at);
                    self.store_to(Ptr::Number(at), zero, scalar);
                }
            }
            (HeapFill::Zeros, _) => {}
            (HeapFill::Uninitialized, Some(length)) if length == total => {
                self.begin_unset(address, ty);
            }
            (HeapFill::Uninitialized, _) => self.lessons.learn_unset(),
        }
        Some(Val::Ptr(Ptr::Number(address)))
    }

    /// A new object is none of those that were there before.
    pub(super) fn assume_new(&mut self, new: TermId, other: TermId) {
        let is_set = self.terms().bv_is_nonzero(new);
        let same = self.terms().eq(new, other);
        let differ = self.terms().not(same);
        let fact = self.terms().implies(is_set, differ);
        self.event(Event::Assume(fact));
    }

    /// The type of what the variable points to that the allocation is assigned to.
    fn allocated_type(&self, activation: &Activation<'_>, place: Place) -> Option<SourceTypeId> {
        let body = activation.body;
        let from = usize::try_from(place.instr).ok()? + 1;
        let instrs = body.block(place.block).instrs.get(from..)?;
        // Up to the next call, which may allocate for something else.
        let before_call = instrs.iter().take_while(|i| !matches!(i.kind, InstrKind::Call(_)));
        let access = before_call.into_iter().find_map(|instr| {
            let InstrKind::Mark(Mark::Def(access)) = &instr.kind else { return None };
            Some(access)
        })?;
        if access.is_behind || access.part != Part::Whole {
            return None;
        }
        let ty = match access.var {
            VarRef::Local(var) => body.var(var).source_type,
            VarRef::Global(global) => self.program.global(global).source_type,
        };
        self.program.pointee(ty)
    }

    /// Whether a scalar has surely been set.
    pub(super) fn is_set(&mut self, ptr: Ptr, size: u64) -> bool {
        let Ptr::Object { object, offset } = ptr else { return true };
        let Some(state) = self.state(object) else { return true };
        match (self.lessons.known.shape(object), self.constant(offset)) {
            (Shape::Cells, Some(at)) => state.is_written(at, size),
            (Shape::Cells | Shape::Array { .. } | Shape::Opaque, _) => {
                matches!(state.content, Content::Initial | Content::Zeros)
            }
        }
    }

    /// The bytes count as not set.
    pub(super) fn unset(&mut self, ptr: Ptr) {
        let (Ptr::Object { object, offset } | Ptr::Fresh { object, offset, .. }) = ptr else {
            self.lessons.learn_unset();
            return;
        };
        if self.is_reachable(object) {
            self.lessons.learn_unset();
        }
        let Some(mut state) = self.state(object) else { return };
        if matches!(state.content, Content::Initial | Content::Zeros) {
            state.content = Content::Unknown;
        }
        if let Some(cell) = self.constant(offset).and_then(|at| state.cells.get_mut(&at)) {
            cell.is_written = false;
        }
        self.memory.objects.insert(object, state);
    }
}
