//! Memory behind pointers by the types that pointers have: what a store can change and what it cannot.
//!
//! **Relation**: an address that was made from a pointer to `T` by adding offsets is that of a scalar of `T`; the
//! memory behind all pointers is one map by address for each member of each structure, and one for each kind of
//! scalar that is reached without a structure. A store to one map leaves the others alone. Two pointers to the
//! same type may be the same, as addresses in one map.
//! **Assumed**: memory that is handed in is used as C's effective types demand: what a pointer to `T` points to is
//! a `T`, aligned, and nothing looks at the same bytes as another type, except through `char *`. Pointers to
//! structures are null or point to a whole one. This is what inputs of tests are.
//! **Checked**: the function itself must keep to the types. An access that does not fit the type of its pointer
//! (a cast, a union, bytes of a scalar), or a pointer of another type that is stored, is a lesson: the function is
//! built again with memory by address and size, where a store changes everything that pointers may reach.
//! **Source**: fields as maps after Burstall (1972) and Bornat (MPC 2000). Deviation: maps are by type only as long as
//! the accesses are, and scalars of one kind share a map where a plain pointer to such a scalar is used.

use glassbox_ir::{Number, PointerSize, RecordKind, Shape, SourceType, SourceTypeId, Ty};
use glassbox_memory::layout::{Kind, any_part, beginning_at, spot_at};
use glassbox_terms::{BvOp, Op, TermId};

use super::build::Builder;
use super::lessons::CellKind;
use super::memory::{Class, Member, MemoryMap, Object, Ptr, Val};

/// What a number points to, where it is a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pointee {
    pub(super) ty: SourceTypeId,
    /// Bytes behind the beginning of such an object.
    pub(super) offset: u64,
    /// It is null or a whole object is there.
    pub(super) is_sure: bool,
    /// What is there is surely of this type. False where a pointer has left its object by a constant: the next
    /// element of an array may be there, but as well another member of the structure around the object.
    pub(super) keeps_type: bool,
}

/// An address in an object of some type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Typed {
    /// The pointer that it was made from.
    pub(super) base: TermId,
    pub(super) ty: SourceTypeId,
    pub(super) offset: u64,
    /// In the very object that the pointer points to, not in one before or behind it.
    pub(super) is_plain: bool,
    pub(super) is_sure: bool,
    /// The pointer that it was made from keeps to its type.
    keeps_type: bool,
    /// A constant has led out of the object.
    has_left: bool,
    /// A multiple of the size was added: the object is in an array.
    is_element: bool,
}

impl Typed {
    /// What is there is surely of the type.
    pub(super) fn keeps_type(&self) -> bool {
        self.keeps_type && (!self.has_left || self.is_element)
    }
}

/// A scalar in an object of some type.
struct Place {
    class: Class,
    /// What it points to.
    pointee: Option<SourceTypeId>,
    /// The innermost structure that it is in, and the offset of its member there.
    member: Option<Member>,
}

impl Pointee {
    /// The beginning of something that is surely of this type.
    pub(super) fn start_of(ty: SourceTypeId, is_sure: bool) -> Pointee {
        Pointee { ty, offset: 0, is_sure, keeps_type: true }
    }
}

impl Class {
    pub(super) fn of(ty: Ty, pointers: PointerSize) -> Option<Class> {
        let size = ty.size(pointers);
        (size <= 8).then_some(Class { size, kind: CellKind::of(ty) })
    }

    /// `char`, which may be a part of anything.
    pub(super) const BYTE: Class = Class { size: 1, kind: CellKind::Int };
}

impl Builder<'_> {
    /// The class of a scalar type of the source, and what it points to.
    fn scalar_class(&self, ty: SourceTypeId) -> Option<(Class, Option<SourceTypeId>)> {
        match self.program.shape(ty) {
            Shape::Number(number) => {
                let kind = match number {
                    Number::Bool => CellKind::Int,
                    Number::Int { width, .. } if width <= 64 => CellKind::Int,
                    Number::Float(format) if matches!(format.width(), 32 | 64) => CellKind::Float,
                    Number::Int { .. } | Number::Float(_) => return None,
                };
                Some((Class { size: number.size(), kind }, None))
            }
            Shape::Pointer { target, .. } => {
                let size = self.program.pointers.bytes();
                Some((Class { size, kind: CellKind::Pointer }, Some(target)))
            }
            Shape::Void
            | Shape::Array { .. }
            | Shape::Record { .. }
            | Shape::Function
            | Shape::Reference
            | Shape::Opaque { .. } => None,
        }
    }

    /// One name for a structure that several files declare.
    fn canonical(&self, record: SourceTypeId) -> SourceTypeId {
        let SourceType::Record { name: Some(name), size, .. } = self.program.source_type(record)
        else {
            return record;
        };
        let is_it = |other: &SourceType| matches!(other, SourceType::Record { name: Some(n), size: s, .. } if n == name && s == size);
        let position = self.program.source_types().iter().position(is_it);
        position.map_or(record, SourceTypeId::new)
    }

    /// The scalar at an offset of a type.
    fn place_at(&self, ty: SourceTypeId, offset: u64) -> Option<Place> {
        let spot = spot_at(self.program, ty, offset);
        let Kind::Scalar(scalar) = spot.kind else { return None };
        let (class, pointee) = self.scalar_class(scalar)?;
        let member = spot.member.map(|(record, at)| (self.canonical(record), at));
        (spot.start == offset).then_some(Place { class, pointee, member })
    }

    /// The member of a structure that the scalar at an offset of a type is, or is in.
    pub(super) fn member_at(&self, ty: SourceTypeId, offset: u64) -> Option<Member> {
        self.place_at(ty, offset)?.member
    }

    pub(super) fn scalar_size(&self, ty: SourceTypeId, offset: u64) -> Option<u64> {
        Some(self.place_at(ty, offset)?.class.size)
    }

    /// The class of all scalars of a type that has no other bytes.
    fn uniform(&self, ty: SourceTypeId) -> Option<Class> {
        let size = self.program.size_of_source_type(ty);
        let first = self.place_at(ty, 0)?.class;
        let all = (0..size.min(256)).step_by(usize::try_from(first.size).ok()?);
        let same = size <= 256 || self.is_scalar_array(ty);
        let fits = same
            && size.is_multiple_of(first.size)
            && all.into_iter().all(|at| self.place_at(ty, at).is_some_and(|p| p.class == first));
        fits.then_some(first)
    }

    fn is_scalar_array(&self, ty: SourceTypeId) -> bool {
        let mut ty = self.program.resolve_source_type(ty);
        while let SourceType::Array { element, .. } = self.program.source_type(ty) {
            ty = self.program.resolve_source_type(*element);
        }
        self.scalar_class(ty).is_some()
    }

    /// Whether an object of this type has scalars of the class, or parts of unknown layout.
    fn may_hold(&self, ty: SourceTypeId, class: Class) -> bool {
        any_part(self.program, ty, &|part| {
            let ty = self.program.source_type(part);
            if let SourceType::Record { kind: RecordKind::Struct, fields: Some(fields), .. } = ty {
                return fields.iter().any(|field| field.bits.is_some());
            }
            let is_array = matches!(ty, SourceType::Array { .. });
            !is_array && self.scalar_class(part).is_none_or(|(own, _)| own == class)
        })
    }

    /// Types whose objects look the same.
    fn is_alike(&self, a: SourceTypeId, b: SourceTypeId) -> bool {
        let (a, b) = (self.program.resolve_source_type(a), self.program.resolve_source_type(b));
        if a == b || self.canonical(a) == self.canonical(b) {
            return true;
        }
        match (self.scalar_class(a), self.scalar_class(b)) {
            (Some((_, Some(a))), Some((_, Some(b)))) => self.is_alike(a, b),
            (Some((a, None)), Some((b, None))) => a == b,
            _ => false,
        }
    }

    /// Whether something of type `part` begins at this offset of a type.
    pub(super) fn has_part(&self, ty: SourceTypeId, offset: u64, part: SourceTypeId) -> bool {
        let found = beginning_at(self.program, ty, offset);
        found.into_iter().any(|found| self.is_alike(found, part))
    }

    /// The type of the largest thing that begins at an offset of a type.
    pub(super) fn part_at(&self, ty: SourceTypeId, offset: u64) -> Option<SourceTypeId> {
        beginning_at(self.program, ty, offset).first().copied()
    }

    /// What a pointer read from memory behind pointers is: of its type, and none of the new objects, if it was
    /// there from the beginning.
    pub(super) fn note_loaded(
        &mut self,
        object: Object,
        index: TermId,
        address: TermId,
        element: TermId,
    ) {
        if self.lessons.known.has_bytes {
            return;
        }
        let Some(target) = self.pointee_at(address) else { return };
        let is_sure = self.is_record(target) && !self.lessons.known.is_dangling;
        self.note_pointee(element, Pointee::start_of(target, is_sure));
        if self.lessons.known.has_frees || self.memory.fresh.is_empty() {
            return;
        }
        let initial = self.initial_array(object, 8);
        let there = self.terms().select(initial, index);
        for new in self.memory.fresh.clone() {
            self.assume_new(new, there);
        }
    }

    /// A name for people.
    pub(super) fn map_name(&self, map: MemoryMap) -> String {
        match map {
            MemoryMap::Size(size) => format!("memory{size}"),
            MemoryMap::Class(class) => match class.kind {
                CellKind::Int => format!("int{}", class.size * 8),
                CellKind::Float => format!("float{}", class.size * 8),
                CellKind::Pointer => "pointers".to_owned(),
            },
            MemoryMap::Member(record, offset, _) => {
                let SourceType::Record { name, fields, .. } = self.program.source_type(record)
                else {
                    return format!("member{offset}");
                };
                let field = fields.iter().flatten().find(|field| field.offset == offset);
                let field = field.and_then(|field| field.name.as_deref()).unwrap_or("?");
                format!("{}.{field}", name.as_deref().unwrap_or("struct"))
            }
        }
    }

    /// Whether pointers to this type say what is there.
    fn says_something(&self, ty: SourceTypeId) -> bool {
        match self.program.shape(ty) {
            Shape::Record { kind: RecordKind::Struct, fields, .. } => fields.is_some(),
            Shape::Array { element, .. } => self.says_something(element),
            Shape::Number(_) | Shape::Pointer { .. } => true,
            Shape::Record { kind: RecordKind::Union, .. }
            | Shape::Void
            | Shape::Function
            | Shape::Reference
            | Shape::Opaque { .. } => false,
        }
    }

    pub(super) fn is_record(&self, ty: SourceTypeId) -> bool {
        matches!(self.program.shape(ty), Shape::Record { .. })
    }

    /// Notes that a number is a pointer of this type.
    pub(super) fn note_pointee(&mut self, number: TermId, pointee: Pointee) {
        if self.graph.terms.as_bv_const(number).is_some() || !self.says_something(pointee.ty) {
            return;
        }
        self.pointees.entry(number).or_insert(pointee);
        if pointee.offset == 0 {
            let n_zeros = self.alignment_of(pointee.ty);
            let known = self.aligned.entry(number).or_insert(n_zeros);
            *known = n_zeros.max(*known);
        }
        if self.is_record(pointee.ty) {
            self.memory.bases.insert(number);
        }
    }

    /// Notes the pointer that a declared object holds at an offset.
    pub(super) fn note_declared(&mut self, number: TermId, ty: SourceTypeId, offset: u64) {
        if let Some(Place { pointee: Some(ty), .. }) = self.place_at(ty, offset) {
            let is_sure = self.is_record(ty) && !self.lessons.known.is_dangling;
            self.note_pointee(number, Pointee::start_of(ty, is_sure));
        }
    }

    /// The address is made of a pointer that was only ever null so far.
    pub(super) fn is_pending(&self, address: TermId, depth: u32) -> bool {
        if self.pending.contains(&address) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let (op, args) = (self.graph.terms.op(address), self.graph.terms.args(address));
        let is_const = |term: TermId| self.graph.terms.as_bv_const(term).is_some();
        let is_open = |term: TermId| is_const(term) || self.is_pending(term, depth - 1);
        op == Op::Bv(BvOp::Add) && args.iter().any(|&arg| self.is_pending(arg, depth - 1))
            || op == Op::Ite && is_open(args[1]) && is_open(args[2])
    }

    /// The object that an address is in, by the pointer it was made from.
    pub(super) fn typed(&mut self, address: TermId) -> Option<Typed> {
        self.typed_within(address, 8)
    }

    fn typed_within(&mut self, address: TermId, depth: u32) -> Option<Typed> {
        if let Some(&Pointee { ty, offset, is_sure, keeps_type }) = self.pointees.get(&address) {
            return Some(Typed {
                base: address,
                ty,
                offset,
                is_plain: true,
                is_sure,
                keeps_type,
                has_left: false,
                is_element: false,
            });
        }
        if depth == 0 {
            return None;
        }
        let args: Vec<TermId> = self.graph.terms.args(address).to_vec();
        let op = self.graph.terms.op(address);
        if op == Op::Bv(BvOp::Add) {
            let (found, added) = match self.typed_within(args[0], depth - 1) {
                Some(found) => (found, args[1]),
                None => (self.typed_within(args[1], depth - 1)?, args[0]),
            };
            return self.moved(found, added);
        }
        if op != Op::Ite {
            return None;
        }
        // Null plus the same offset: terms push sums into choices.
        for (position, other) in [(1, 2), (2, 1)] {
            let Some(offset) = self.constant(args[position]) else { continue };
            let found = self.typed_within(args[other], depth - 1)?;
            if !found.is_plain || found.offset != offset {
                return None;
            }
            let null = self.terms().bv_u(0, 64);
            let (yes, no) = if position == 1 { (null, found.base) } else { (found.base, null) };
            let base = self.terms().ite(args[0], yes, no);
            return Some(Typed { base, ..found });
        }
        let a = self.typed_within(args[1], depth - 1)?;
        let b = self.typed_within(args[2], depth - 1)?;
        if !self.is_alike(a.ty, b.ty) || a.offset != b.offset {
            return None;
        }
        let is_plain = a.is_plain && b.is_plain;
        let is_sure = a.is_sure && b.is_sure;
        let keeps_type = a.keeps_type() && b.keeps_type();
        let base = self.terms().ite(args[0], a.base, b.base);
        Some(Typed { base, is_plain, is_sure, keeps_type, ..a })
    }

    fn moved(&mut self, from: Typed, added: TermId) -> Option<Typed> {
        let size = self.program.size_of_source_type(from.ty).max(1);
        if let Some(bits) = self.graph.terms.as_bv_const(added) {
            let at = i128::from(from.offset) + bits.signed();
            let is_inside = 0 <= at && at < i128::from(size);
            let offset = u64::try_from(at.rem_euclid(i128::from(size))).ok()?;
            let is_plain = from.is_plain && is_inside;
            // A number beside a number is a number, whatever it is a part of.
            let leaves = !is_inside && !self.is_number(from.ty);
            return Some(Typed { offset, is_plain, has_left: from.has_left || leaves, ..from });
        }
        if self.is_stride(added, size, 8) {
            return Some(Typed { is_plain: false, is_element: true, ..from });
        }
        let class = self.uniform(from.ty)?;
        if !self.is_multiple(added, class.size) {
            return None;
        }
        // Some scalar of such an object; which one is not known.
        let keeps_type = from.keeps_type && !self.is_record(from.ty);
        Some(Typed { is_plain: false, keeps_type, ..from })
    }

    /// An integer or a float, or an array of them.
    fn is_number(&self, ty: SourceTypeId) -> bool {
        let mut ty = self.program.resolve_source_type(ty);
        while let SourceType::Array { element, .. } = self.program.source_type(ty) {
            ty = self.program.resolve_source_type(*element);
        }
        self.scalar_class(ty).is_some_and(|(_, pointee)| pointee.is_none())
    }

    /// The number is surely a multiple of the size.
    fn is_stride(&mut self, number: TermId, size: u64, depth: u32) -> bool {
        if size == 1 || size.is_power_of_two() && self.is_multiple(number, size) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let args: Vec<TermId> = self.graph.terms.args(number).to_vec();
        if let Op::BvConst(bits) = self.graph.terms.op(number) {
            return bits.unsigned().is_multiple_of(u128::from(size));
        }
        let Op::Bv(op) = self.graph.terms.op(number) else { return false };
        if matches!(op, BvOp::Add | BvOp::Sub | BvOp::Neg) {
            return args.iter().all(|&arg| self.is_stride(arg, size, depth - 1));
        }
        // A product that wraps around is no multiple any more.
        let is_factor = |builder: &mut Self, arg| {
            let factor = builder.constant(arg);
            factor.is_some_and(|factor| factor.is_multiple_of(size) && factor < 1 << 30)
        };
        op == BvOp::Mul
            && (is_factor(self, args[0]) && self.is_small(args[1])
                || is_factor(self, args[1]) && self.is_small(args[0]))
    }

    /// The number has at most 32 bits and a sign.
    fn is_small(&self, number: TermId) -> bool {
        let terms = &self.graph.terms;
        let is_extended =
            matches!(terms.op(number), Op::Bv(BvOp::SignExtend { .. } | BvOp::ZeroExtend { .. }));
        is_extended && terms.width(terms.arg(number, 0)) <= 32
    }

    /// The map that an access goes to, and the place in it: for members the address of the structure, so that
    /// places are the same when pointers are. `None` when the access does not keep to the types.
    pub(super) fn typed_map(&mut self, address: TermId, ty: Ty) -> Option<(MemoryMap, TermId)> {
        let typed = self.typed(address)?;
        let place = self.place_at(typed.ty, typed.offset)?;
        let class = Class::of(ty, self.program.pointers)?;
        if place.class != class {
            return None;
        }
        let is_apart = class == Class::BYTE || !self.lessons.known.merged.contains(&class);
        let map = match place.member {
            Some((record, offset))
                if typed.is_plain
                    && typed.keeps_type()
                    && is_apart
                    && !self.lessons.in_unions.contains(&record) =>
            {
                MemoryMap::Member(record, offset, class)
            }
            Some(_) | None => {
                self.lessons.merge(class);
                MemoryMap::Class(class)
            }
        };
        self.lessons.learn_map(map);
        let index = match map {
            MemoryMap::Member(_, offset, _) => {
                let offset = self.terms().bv_u(offset.into(), 64);
                self.terms().bv_sub(address, offset)
            }
            MemoryMap::Size(_) | MemoryMap::Class(_) => address,
        };
        Some((map, index))
    }

    /// What a pointer at this address points to, where that is known for sure.
    pub(super) fn pointee_at(&mut self, address: TermId) -> Option<SourceTypeId> {
        let typed = self.typed(address).filter(Typed::keeps_type)?;
        self.place_at(typed.ty, typed.offset)?.pointee
    }

    /// A store to a map changes what else may have the same bytes.
    pub(super) fn forget_overlapping(&mut self, map: MemoryMap) {
        let Some(class) = map.class() else { return self.forget_reachable() };
        if map == MemoryMap::Class(Class::BYTE) {
            self.lessons.learn_bytes();
            return self.forget_reachable();
        }
        let mut objects: Vec<Object> = self.memory.objects.keys().copied().collect();
        objects.extend(self.lessons.known.globals.iter().map(|&global| Object::Global(global)));
        objects.push(Object::Beyond(MemoryMap::Class(Class::BYTE)));
        for object in objects {
            let is_reached = match object {
                Object::Beyond(other) => other == MemoryMap::Class(Class::BYTE),
                Object::Global(_) | Object::Local(..) | Object::Record(_) | Object::Alloc(..) => {
                    self.is_reachable(object)
                        && self.kept_type(object).is_none_or(|ty| self.may_hold(ty, class))
                }
            };
            if is_reached {
                self.forget_object(object);
            }
        }
    }

    /// The type of an object, declared or, for what is allocated, taken on.
    pub(super) fn kept_type(&self, object: Object) -> Option<SourceTypeId> {
        self.type_of(object).or_else(|| self.lessons.known.alloc_types.get(&object).copied())
    }

    /// A store to an object that pointers may reach: it must fit the type of the object, and changes the maps of
    /// its class.
    pub(super) fn touch_typed(&mut self, object: Object, offset: TermId, value: Val, ty: Ty) {
        let class = Class::of(ty, self.program.pointers);
        let declared = self.kept_type(object);
        let at = self.constant(offset);
        let place = match (declared, at) {
            (Some(ty), Some(at)) => self.place_at(ty, at),
            (Some(ty), None) => self.uniform(ty).and_then(|_| self.place_at(ty, 0)),
            (None, _) => None,
        };
        let fits = place.is_some_and(|place| {
            Some(place.class) == class
                && place.pointee.is_none_or(|target| self.is_pointer_to(value, target))
        });
        let (true, Some(class)) = (fits, class) else {
            self.lessons.learn_untyped();
            return self.forget_beyond();
        };
        let maps: Vec<MemoryMap> = self.lessons.known.maps.iter().copied().collect();
        for map in maps {
            if map.class() == Some(class) || map.class() == Some(Class::BYTE) {
                self.forget_object(Object::Beyond(map));
            }
        }
    }

    /// Whether a value may be stored where pointers to this type are expected.
    pub(super) fn is_pointer_to(&mut self, value: Val, target: SourceTypeId) -> bool {
        if !self.says_something(target) {
            return true;
        }
        let ptr = match value {
            Val::Ptr(ptr) => ptr,
            Val::Term(term) => Ptr::Number(term),
        };
        for choice in self.choices(ptr) {
            let fits = match choice.ptr {
                _ if choice.is_null => true,
                Ptr::Number(number) => match self.typed(number) {
                    Some(typed) => {
                        if self.is_record(target) && !(typed.is_plain && typed.is_sure) {
                            self.lessons.learn_dangling();
                        }
                        typed.keeps_type() && self.has_part(typed.ty, typed.offset, target)
                    }
                    None => self.is_pending(number, 8),
                },
                Ptr::Object { object, offset } => {
                    if self.is_record(target) && !matches!(object, Object::Global(_)) {
                        // It may end before the pointer does.
                        self.lessons.learn_dangling();
                    }
                    self.is_object_of(object, offset, target)
                }
                Ptr::Func(_) | Ptr::Fresh { .. } | Ptr::OneOf { .. } => false,
            };
            if !fits {
                return false;
            }
        }
        true
    }

    fn is_object_of(&mut self, object: Object, offset: TermId, target: SourceTypeId) -> bool {
        let at = self.constant(offset);
        if let (Object::Alloc(..), None) = (object, self.kept_type(object)) {
            self.lessons.learn_alloc_type(object, target);
        }
        match (self.kept_type(object), at) {
            (Some(ty), Some(at)) => {
                // An allocated object may be an array of them.
                let size = self.program.size_of_source_type(ty);
                let is_allocated = matches!(object, Object::Alloc(..));
                let at = if is_allocated { at.checked_rem(size) } else { Some(at) };
                at.is_some_and(|at| self.has_part(ty, at, target))
            }
            (Some(ty), None) => {
                self.lessons.learn_dangling();
                self.uniform(ty).is_some() && self.has_part(ty, 0, target)
            }
            (None, _) => false,
        }
    }
}
