//! Reading and writing memory that is followed.

use glassbox_ir::{PointerSize, Ty};
use glassbox_memory::layout::touches_padding;
use glassbox_model::meaning::integer;
use glassbox_terms::{Sort, TermId};
use glassbox_values::Bits;

use super::Event;
use super::build::Builder;
use super::join::{array_sort, cell_sort, kind_of};
use super::lessons::CellKind;
use super::memory::{Cell, Content, MemoryMap, Object, Ptr, Scalar, Shape, State, Target, Val};
use super::typed::Pointee;

impl Builder<'_> {
    /// A value as a term. A pointer into an object becomes a number that is not followed: the object may be
    /// reached through it from anywhere.
    pub(super) fn number(&mut self, value: Val) -> TermId {
        match value {
            Val::Term(term) | Val::Ptr(Ptr::Number(term)) => term,
            Val::Ptr(Ptr::Object { object, offset }) => {
                self.lessons.learn_escape(object);
                self.address_of(object, offset)
            }
            Val::Ptr(Ptr::Fresh { object, offset, is_null }) => {
                self.lessons.learn_escape(object);
                let address = self.address_of(object, offset);
                self.terms().ite(is_null, offset, address)
            }
            Val::Ptr(Ptr::OneOf { targets, which, address, offset }) => {
                let mut number = address;
                let targets = self.targets(targets);
                for target in targets.iter() {
                    let Target::Object(object, at) = target else { continue };
                    self.lessons.learn_escape(object);
                    let at = self.terms().bv_u(at.unwrap_or(0).into(), 64);
                    let at = self.terms().bv_add(at, offset);
                    let address = self.address_of(object, at);
                    let code = self.code(targets.code(target));
                    let is_it = self.terms().eq(which, code);
                    number = self.terms().ite(is_it, address, number);
                }
                number
            }
            Val::Ptr(Ptr::Func(_)) => self.address(),
        }
    }

    /// The objects that a value points into may be reached from anywhere.
    pub(super) fn escape(&mut self, value: Val) {
        match value {
            Val::Ptr(Ptr::Object { object, .. } | Ptr::Fresh { object, .. }) => {
                self.lessons.learn_escape(object);
            }
            Val::Ptr(Ptr::OneOf { targets, .. }) => {
                for object in self.targets(targets).objects() {
                    self.lessons.learn_escape(object);
                }
            }
            Val::Ptr(Ptr::Number(_) | Ptr::Func(_)) | Val::Term(_) => {}
        }
    }

    /// The address of a place in an object.
    fn address_of(&mut self, object: Object, offset: TermId) -> TermId {
        let address = self.address();
        if let (Some(ty), Some(offset)) = (self.kept_type(object), self.constant(offset))
            && offset < self.program.size_of_source_type(ty)
        {
            self.note_pointee(address, Pointee { offset, ..Pointee::start_of(ty, false) });
        }
        address
    }

    /// The address of something: not null.
    pub(super) fn address(&mut self) -> TermId {
        let term = self.opaque(Sort::Bv(64));
        let is_set = self.terms().bv_is_nonzero(term);
        self.event(Event::Assume(is_set));
        term
    }

    pub(super) fn object_name(&self, object: Object) -> String {
        match object {
            Object::Global(global) => self.program.global(global).name.clone(),
            Object::Local(_, local) => match self.declared.get(&object) {
                Some(declared) => declared.name.clone(),
                None => format!("local{}", local.index()),
            },
            Object::Record(position) => format!("record{position}"),
            Object::Alloc(..) => "allocated".to_owned(),
            Object::Beyond(map) => self.map_name(map),
        }
    }

    pub(super) fn scalar_name(&self, object: Object, offset: u64) -> String {
        let name = self.object_name(object);
        if offset == 0 { name } else { format!("{name}+{offset}") }
    }

    /// What a scalar is in a state.
    pub(super) fn cell_of(&mut self, scalar: Scalar, state: Option<&State>) -> Val {
        let Scalar { object, offset, size, kind } = scalar;
        let Some(state) = state else { return self.unknown_cell(size, kind) };
        if let Some(cell) = state.cells.get(&offset)
            && cell.size == size
            && kind_of(&self.graph.terms, cell.value) == kind
        {
            return cell.value;
        }
        if state.overlaps(offset, size) {
            return self.unknown_cell(size, kind);
        }
        if let (Content::Unknown, CellKind::Pointer, Object::Global(global)) =
            (state.content, kind, object)
        {
            // What wrote it has kept to its type.
            let value = self.unknown_cell(size, kind);
            let keeps = !self.lessons.known.has_bytes && !self.lessons.known.is_untyped;
            if let (Val::Ptr(Ptr::Number(number)), true) = (value, keeps) {
                self.note_declared(number, self.program.global(global).source_type, offset);
            }
            return value;
        }
        match (state.content, kind) {
            (Content::Initial, _) => self.initial_cell(scalar),
            (Content::Zeros, CellKind::Int) => {
                let width = u8::try_from(size * 8).expect("scalars are at most 16 bytes");
                Val::Term(self.terms().bv_u(0, width))
            }
            (Content::Zeros, CellKind::Pointer) => Val::Ptr(Ptr::Number(self.terms().bv_u(0, 64))),
            (Content::Zeros, CellKind::Float) => match cell_sort(size, kind) {
                Sort::Float(format) => {
                    let zero = glassbox_values::Float::from_bits(0, format);
                    Val::Term(self.terms().float_const(zero))
                }
                Sort::Bool | Sort::Bv(_) | Sort::Array { .. } => self.unknown_cell(size, kind),
            },
            (Content::Uninitialized | Content::Unknown, _) => self.unknown_cell(size, kind),
        }
    }

    fn unknown_cell(&mut self, size: u64, kind: CellKind) -> Val {
        let term = self.opaque(cell_sort(size, kind));
        if kind == CellKind::Pointer { Val::Ptr(Ptr::Number(term)) } else { Val::Term(term) }
    }

    /// The array term of an object in a state.
    pub(super) fn array_of(&mut self, object: Object, state: Option<&State>) -> TermId {
        let size = match self.lessons.known.shape(object) {
            Shape::Array { size, .. } => size,
            Shape::Cells | Shape::Opaque => 8,
        };
        let Some(state) = state else { return self.opaque(array_sort(size)) };
        if let Some(array) = state.array {
            return array;
        }
        match state.content {
            Content::Initial => self.initial_array(object, size),
            Content::Zeros => {
                let width = u8::try_from(size * 8).expect("scalars are at most 16 bytes");
                let zero = self.terms().bv_u(0, width);
                self.terms().const_array(64, zero)
            }
            Content::Uninitialized | Content::Unknown => self.opaque(array_sort(size)),
        }
    }

    /// The array term of a state, where it is not new: what an object held at the beginning has one name,
    /// whether or not it was looked at.
    pub(super) fn present_array(&mut self, object: Object, state: &State) -> Option<TermId> {
        match (state.array, self.lessons.known.shape(object), state.content) {
            (Some(array), _, _) => Some(array),
            (None, Shape::Array { size, .. }, Content::Initial) => {
                Some(self.initial_array(object, size))
            }
            (None, _, _) => None,
        }
    }

    pub(super) fn object_size(&self, object: Object) -> Option<u64> {
        match object {
            Object::Global(global) => {
                let declared = self.program.global(global);
                // A tentative or foreign declaration may be smaller than the object.
                declared.initializer.as_ref().map(|_| declared.size)
            }
            Object::Local(..) | Object::Record(_) => self.declared.get(&object)?.size,
            Object::Alloc(..) => {
                let size = self.graph.terms.as_bv_const(self.allocated.get(&object)?.size)?;
                u64::try_from(size.unsigned()).ok()
            }
            Object::Beyond(_) => None,
        }
    }

    /// The size of an object, where it is known.
    pub(super) fn size_term(&mut self, object: Object) -> Option<TermId> {
        if let Some(allocated) = self.allocated.get(&object) {
            return Some(allocated.size);
        }
        let size = self.object_size(object)?;
        Some(self.terms().bv_u(size.into(), 64))
    }

    pub(super) fn is_on_stack(&self, object: Object) -> bool {
        self.allocated.get(&object).is_some_and(|allocated| allocated.is_on_stack)
    }

    /// The present state of an object that is alive. Constants are what they always were.
    pub(super) fn state(&self, object: Object) -> Option<State> {
        match object {
            Object::Global(global)
                if self.program.global(global).is_const
                    && !self.memory.objects.contains_key(&object) =>
            {
                Some(State::new(Content::Initial))
            }
            Object::Global(_)
            | Object::Local(..)
            | Object::Record(_)
            | Object::Alloc(..)
            | Object::Beyond(_) => self.memory.state(object),
        }
    }

    /// Reads where there is one way to go.
    /// Whether bytes lie between members: a store into a member may change them.
    fn is_padding(&mut self, object: Object, offset: TermId, size: u64) -> bool {
        let ty = match object {
            Object::Global(global) => Some(self.program.global(global).source_type),
            Object::Local(..) | Object::Record(_) => {
                self.declared.get(&object).map(|declared| declared.ty)
            }
            Object::Alloc(..) | Object::Beyond(_) => None,
        };
        let at = self.constant(offset);
        ty.zip(at).is_some_and(|(ty, at)| touches_padding(self.program, ty, at, size))
    }

    pub(super) fn load_from(&mut self, ptr: Ptr, ty: Ty) -> Val {
        if self.is_unfollowed(ty) {
            return self.opaque_of(ty);
        }
        let Some((object, offset)) = self.target(ptr, ty) else {
            let value = self.opaque_of(ty);
            if let (Ptr::Number(address), Val::Ptr(Ptr::Number(number))) = (ptr, value)
                && self.is_pending(address, 8)
            {
                self.pending.insert(number);
            }
            return value;
        };
        let Some(mut state) = self.state(object) else { return self.opaque_of(ty) };
        if self.is_padding(object, offset, ty.size(self.program.pointers)) {
            return self.opaque_of(ty);
        }
        let (size, kind) = (ty.size(self.program.pointers), CellKind::of(ty));
        match self.lessons.known.shape(object) {
            Shape::Opaque => self.opaque_of(ty),
            Shape::Array { .. } => {
                if !self.fits_array(object, offset, ty) {
                    return self.opaque_of(ty);
                }
                let array = self.array_of(object, Some(&state));
                if state.array.is_none() {
                    state.array = Some(array);
                    self.memory.objects.insert(object, state);
                }
                let element = self.terms().select(array, offset);
                if let (
                    Object::Beyond(MemoryMap::Class(_) | MemoryMap::Member(..)),
                    Ty::Ptr,
                    Ptr::Number(address),
                ) = (object, ty, ptr)
                {
                    self.note_loaded(object, offset, address, element);
                }
                self.value_from(element, ty)
            }
            Shape::Cells => {
                let Some(at) = self.constant(offset) else {
                    self.become_array(object, offset, ty);
                    return self.opaque_of(ty);
                };
                let value = self.cell_of(Scalar { object, offset: at, size, kind }, Some(&state));
                if !state.overlaps(at, size) {
                    let is_written = state.is_written(at, size);
                    state.cells.insert(at, Cell { size, value, is_written });
                    self.memory.objects.insert(object, state);
                }
                match value {
                    Val::Term(term) if kind == CellKind::Int => self.value_from(term, ty),
                    Val::Term(_) | Val::Ptr(_) => value,
                }
            }
        }
    }

    /// Stored bits as a value of a type.
    fn value_from(&mut self, term: TermId, ty: Ty) -> Val {
        match ty {
            Ty::Int(width) => {
                let stored = self.terms().width(term);
                let term =
                    if width < stored { self.terms().bv_extract(width - 1, 0, term) } else { term };
                Val::Term(integer::normal(self.terms(), term))
            }
            Ty::Float(format) => Val::Term(self.terms().fp_from_bits(format, term)),
            Ty::Ptr => Val::Ptr(Ptr::Number(term)),
        }
    }

    /// Pointers are numbers of 64 bits here; those that memory holds in fewer are not followed through it.
    fn is_unfollowed(&self, ty: Ty) -> bool {
        ty == Ty::Ptr && self.program.pointers == PointerSize::Four
    }

    /// Writes where there is one way to go.
    pub(super) fn store_to(&mut self, ptr: Ptr, value: Val, ty: Ty) {
        let size = ty.size(self.program.pointers);
        self.publish_value(value);
        if self.is_unfollowed(ty) {
            self.number(value);
            return self.forget_target(ptr);
        }
        if let Ptr::Number(address) = ptr {
            self.note_set(address);
        }
        let Some((object, offset)) = self.target(ptr, ty) else {
            self.number(value);
            self.forget_reachable();
            return;
        };
        let before = self.state(object);
        match object {
            Object::Beyond(map) => {
                if map.class().is_some_and(|class| class.kind == CellKind::Pointer)
                    && let Ptr::Number(address) = ptr
                {
                    let target = self.pointee_at(address);
                    if !target.is_some_and(|target| self.is_pointer_to(value, target)) {
                        self.lessons.learn_untyped();
                    }
                }
                // Whatever else such a pointer may point to.
                self.forget_overlapping(map);
            }
            Object::Global(_) | Object::Local(..) | Object::Record(_) | Object::Alloc(..) => {
                if self.lessons.known.is_untyped {
                    self.touch(object);
                } else if self.is_reachable(object) {
                    self.touch_typed(object, offset, value, ty);
                }
            }
        }
        self.note_reach(object, value);
        let Some(mut state) = before else { return };
        let kind = CellKind::of(ty);
        let stored = self.stored_form(value, size, kind);
        match self.lessons.known.shape(object) {
            Shape::Opaque => {
                self.number(stored);
                return;
            }
            Shape::Array { .. } => {
                if !self.fits_array(object, offset, ty) {
                    return;
                }
                let is_beyond = matches!(object, Object::Beyond(_));
                let array = self.array_of(object, Some(&state));
                let term = self.number(stored);
                let term = match self.terms().sort(term) {
                    Sort::Float(format) if is_beyond => self.machine_bits(term, format),
                    Sort::Float(_) => self.terms().fp_to_bits(term),
                    Sort::Bool | Sort::Bv(_) | Sort::Array { .. } => term,
                };
                state.array = Some(self.terms().store(array, offset, term));
            }
            Shape::Cells => {
                let Some(at) = self.constant(offset) else {
                    self.become_array(object, offset, ty);
                    return;
                };
                if state.forget(at, size) && state.content != Content::Unknown {
                    // A cell of the same place was overwritten whole, or a part of another is left over.
                    let exact = self
                        .memory
                        .state(object)
                        .and_then(|old| old.cells.get(&at).map(|cell| cell.size == size));
                    if exact != Some(true) {
                        state.content = Content::Unknown;
                    }
                }
                state.cells.insert(at, Cell { size, value: stored, is_written: true });
            }
        }
        self.memory.objects.insert(object, state);
    }

    /// The bits of a float where integers may look at them: terms have one NaN, the machine many.
    fn machine_bits(&mut self, float: TermId, format: glassbox_values::Format) -> TermId {
        if let Some(float) = self.terms().as_float_const(float)
            && !float.is_nan()
        {
            return self.terms().bv_const(Bits::new(float.to_bits().into(), format.width()));
        }
        let bits = self.opaque(Sort::Bv(format.width()));
        let value = self.terms().fp_from_bits(format, bits);
        let is_it = self.terms().eq(value, float);
        self.event(Event::Assume(is_it));
        bits
    }

    /// What a reachable object points to is reachable.
    fn note_reach(&mut self, object: Object, value: Val) {
        let is_reachable = matches!(object, Object::Global(_) | Object::Beyond(_))
            || self.lessons.known.escaped.contains(&object);
        if is_reachable {
            self.escape(value);
        }
    }

    /// Integers are stored as whole bytes.
    fn stored_form(&mut self, value: Val, size: u64, kind: CellKind) -> Val {
        match (value, kind) {
            (Val::Term(term), CellKind::Int) => {
                let term = integer::bits(self.terms(), term);
                let width = u8::try_from(size * 8).expect("scalars are at most 16 bytes");
                if self.terms().width(term) < width {
                    Val::Term(self.terms().bv_zero_extend(width, term))
                } else {
                    Val::Term(term)
                }
            }
            (Val::Ptr(_) | Val::Term(_), _) => value,
        }
    }

    /// An access to an object of cells at a place that is not constant.
    fn become_array(&mut self, object: Object, offset: TermId, ty: Ty) {
        let shape = if ty == Ty::Ptr || !self.is_multiple(offset, ty.size(self.program.pointers)) {
            Shape::Opaque
        } else {
            Shape::Array {
                size: ty.size(self.program.pointers),
                is_float: matches!(ty, Ty::Float(_)),
            }
        };
        self.lessons.learn_shape(object, shape);
    }

    /// Whether an access fits the elements of an array; otherwise the array is not followed any more.
    fn fits_array(&mut self, object: Object, offset: TermId, ty: Ty) -> bool {
        let Shape::Array { size, is_float } = self.lessons.known.shape(object) else {
            return false;
        };
        let fits = size == ty.size(self.program.pointers)
            && (matches!(object, Object::Beyond(_))
                || matches!(ty, Ty::Float(_)) == is_float
                    && ty != Ty::Ptr
                    && self.is_multiple(offset, size));
        if !fits {
            self.lessons.learn_shape(object, Shape::Opaque);
        }
        fits
    }

    pub(super) fn constant(&mut self, term: TermId) -> Option<u64> {
        u64::try_from(self.terms().as_bv_const(term)?.unsigned()).ok()
    }

    /// The offset is surely a multiple of the size (modulo 2^64; sizes are powers of two).
    pub(super) fn is_multiple(&mut self, offset: TermId, size: u64) -> bool {
        size.is_power_of_two() && self.n_low_zeros(offset, 12) >= size.trailing_zeros()
    }

    /// A number of low bits that are surely zero.
    pub(super) fn n_low_zeros(&mut self, term: TermId, depth: u32) -> u32 {
        use glassbox_terms::{BvOp, Op};
        if depth == 0 {
            return 0;
        }
        let args: Vec<TermId> = self.graph.terms.args(term).to_vec();
        if let Some(&n_zeros) = self.aligned.get(&term) {
            return n_zeros;
        }
        match self.graph.terms.op(term) {
            Op::BvConst(bits) => bits.unsigned().trailing_zeros().min(64),
            Op::Bv(BvOp::Add | BvOp::Sub | BvOp::Or | BvOp::Xor) => {
                self.n_low_zeros(args[0], depth - 1).min(self.n_low_zeros(args[1], depth - 1))
            }
            Op::Bv(BvOp::Mul) => (self.n_low_zeros(args[0], depth - 1)
                + self.n_low_zeros(args[1], depth - 1))
            .min(64),
            Op::Bv(BvOp::And) => {
                self.n_low_zeros(args[0], depth - 1).max(self.n_low_zeros(args[1], depth - 1))
            }
            Op::Bv(BvOp::Shl) => match self.graph.terms.as_bv_const(args[1]) {
                Some(by) => {
                    let by = u32::try_from(by.unsigned().min(64)).unwrap_or(64);
                    (self.n_low_zeros(args[0], depth - 1) + by).min(64)
                }
                None => self.n_low_zeros(args[0], depth - 1),
            },
            Op::Bv(BvOp::Concat) => {
                let width = u32::from(self.graph.terms.width(args[1]));
                let low = self.n_low_zeros(args[1], depth - 1);
                if low >= width { width + self.n_low_zeros(args[0], depth - 1) } else { low }
            }
            Op::Ite => {
                self.n_low_zeros(args[1], depth - 1).min(self.n_low_zeros(args[2], depth - 1))
            }
            Op::Bv(BvOp::SignExtend { .. } | BvOp::ZeroExtend { .. } | BvOp::Neg) => {
                self.n_low_zeros(args[0], depth - 1)
            }
            Op::Var(_)
            | Op::True
            | Op::False
            | Op::FloatConst(_)
            | Op::Bool(_)
            | Op::Eq
            | Op::Bv(_)
            | Op::Fp(_)
            | Op::Array(_) => 0,
        }
    }

    /// The object, and the place in it, that an access of this type goes to; `None` when it is not followed. An
    /// access through a pointer that may be null has passed the check that it is not.
    pub(super) fn target(&mut self, ptr: Ptr, ty: Ty) -> Option<(Object, TermId)> {
        let size = ty.size(self.program.pointers);
        if let Ptr::Object { object: Object::Global(global), .. } = ptr {
            self.lessons.learn_global(global);
        }
        match ptr {
            Ptr::Object { object, offset } | Ptr::Fresh { object, offset, .. } => {
                Some((object, offset))
            }
            Ptr::Number(address) if !self.lessons.known.is_untyped => {
                let found = self.typed_map(address, ty);
                if found.is_none() && !self.is_pending(address, 8) {
                    self.lessons.learn_untyped();
                }
                found.map(|(map, index)| (Object::Beyond(map), index))
            }
            Ptr::Number(address) if size <= 8 && self.is_multiple(address, size) => {
                Some((Object::Beyond(MemoryMap::Size(size)), address))
            }
            Ptr::Number(_) | Ptr::Func(_) | Ptr::OneOf { .. } => None,
        }
    }
}
