//! Loads, stores, block copies, heap and variable arguments.

use std::ops::Range;

use glassbox_ir::instr::HeapFill;
use glassbox_ir::source_type::BitRange;
use glassbox_ir::{CheckKind, FixedMemory, Operand, SourceTypeId, Ty};
use glassbox_memory::layout::touches_padding;
use glassbox_terms::{BvOp, Op, TermId};
use glassbox_testcase::Assumption;
use glassbox_testcase::image::size_of;
use glassbox_values::Signedness;

use super::front::is_never_below;
use super::{Executor, PathEnd, Stop, stop};
use crate::guide::ChoiceKind;
use crate::inputs::LENGTH_BOUND;
use crate::leaf::undecided_union;
use crate::memory::table::end_of;
use crate::memory::{CellValue, Contents, ObjectKind, ObjectState, ReadError, cells};
use crate::value::{KnownPlace, ObjectId, SymPtr, SymValue};

/// Bytes of an object that are looked at for padding where an offset is not known.
const MAX_PADDING_LOOKED_AT: u64 = 256;

impl Executor<'_> {
    /// The object and offset behind a pointer that is about to be used.
    pub(crate) fn target(&mut self, ptr: Operand) -> Result<(ObjectId, TermId), Stop> {
        let ptr = self.pointer(ptr);
        self.target_of(ptr)
    }

    pub(crate) fn target_of(&mut self, ptr: SymPtr) -> Result<(ObjectId, TermId), Stop> {
        match self.resolve(ptr)? {
            SymPtr::Object { object, offset } => match self.memory.object(object).state {
                ObjectState::Live => {
                    self.fill_declared(object);
                    self.note_outside_first_element(object, offset);
                    Ok((object, offset))
                }
                ObjectState::Freed => self.failed(CheckKind::UseAfterFree),
                ObjectState::OutOfScope => self.failed(CheckKind::UseAfterScope),
            },
            SymPtr::Number(term) => {
                if self.is_fixed(term) {
                    return self.unsupported(glassbox_ir::fixed_memory::NAME);
                }
                let is_null = self.is_null(term);
                let kind = if is_null { CheckKind::NullDereference } else { CheckKind::BadPointer };
                self.failed(kind)
            }
            SymPtr::Func(_) | SymPtr::Input(_) => self.failed(CheckKind::BadPointer),
        }
    }

    /// Whether a pointer that is a number is one that the program writes as such, with or without an offset.
    pub(crate) fn is_fixed(&self, number: TermId) -> bool {
        let fixed = || self.fixed.get_or_init(|| FixedMemory::of(self.program));
        if let Some(address) = self.known(number) {
            return address != 0 && fixed().may_contain(address);
        }
        let args = self.terms.args(number);
        self.terms.op(number) == Op::Bv(BvOp::Add)
            && args.iter().any(|&arg| self.known(arg).is_some_and(|at| fixed().contains(at)))
    }

    /// Whether an object is one that the program gives an address as a number.
    pub(crate) fn is_register(&self, object: ObjectId) -> bool {
        self.fixed_address(object).is_some()
    }

    pub(crate) fn fixed_address(&self, object: ObjectId) -> Option<u64> {
        let ObjectKind::Global(global) = self.memory.object(object).kind else { return None };
        self.program.global(global).kind.fixed_address()
    }

    /// Whether a pointer that is a number is null; any other number might be an address.
    fn is_null(&mut self, number: TermId) -> bool {
        let known = self.terms.as_bv_const(number);
        if known.is_none() {
            self.inputs.note_bound(Assumption::NumbersAreNotAddresses);
        }
        known.is_some_and(|bits| bits.is_zero())
    }

    /// A pointer into the middle of an array differs from one to its start only where more than the
    /// element it points to is looked at, and for scalars, whose pointers may be anywhere in an array, only
    /// before it.
    fn note_outside_first_element(&mut self, object: ObjectId, offset: TermId) {
        let ObjectKind::Input { element, .. } = self.memory.object(object).kind else { return };
        let is_first = self.known(offset).is_some_and(|at| at < size_of(self.program, element));
        let is_followed =
            self.memory.object(object).front.is_some() || is_never_below(self.terms, offset);
        if !(is_first || is_followed && self.is_scalar(element)) {
            self.inputs.note_bound(Assumption::PointersToStarts);
        }
    }

    pub(crate) fn known(&self, term: TermId) -> Option<u64> {
        self.terms.as_bv_const(term).and_then(|bits| bits.to_u64())
    }

    /// An offset in an object, if it is known.
    pub(crate) fn known_offset(&self, term: TermId) -> Option<i64> {
        self.known(term).map(u64::cast_signed)
    }

    /// The path is split until an offset is known.
    pub(crate) fn fix_offset(&mut self, term: TermId) -> Result<i64, Stop> {
        self.fix_value(term).map(u64::cast_signed)
    }

    pub(crate) fn read_failed<T>(&mut self, error: ReadError) -> Result<T, Stop> {
        match error {
            ReadError::Uninitialized => self.failed(CheckKind::Uninitialized),
            ReadError::PointerBytes => self.unsupported("bytes of a pointer as numbers"),
            ReadError::InputPointerBytes => {
                // The same bytes without a pointer among them are an input of their own.
                self.inputs.note_bound(Assumption::PointerBytesNotRead);
                stop(PathEnd::Rejected)
            }
        }
    }

    pub(crate) fn materialize(
        &mut self,
        object: ObjectId,
        offset: i64,
        size: u64,
    ) -> Result<(), Stop> {
        let bytes = offset..end_of(offset, size);
        self.fill_declared(object);
        self.decide_unions(object, &bytes)?;
        self.memory.materialize(self.program, self.terms, self.inputs, object, bytes);
        Ok(())
    }

    /// What the unions of an input hold: numbers, or a member that has pointers.
    fn decide_unions(&mut self, object: ObjectId, range: &Range<i64>) -> Result<(), Stop> {
        let Contents::Input(ty) = self.memory.object(object).contents else { return Ok(()) };
        loop {
            let entry = self.memory.object(object);
            let Some(found) = undecided_union(self.program, ty, entry.origin, range, &entry.active)
            else {
                return Ok(());
            };
            let mut bytes = found.offset..end_of(found.offset, found.size);
            let is_known = bytes.any(|byte| self.memory.is_known(object, byte));
            let member = if is_known {
                None
            } else {
                let taken = self.choose_freely(ChoiceKind::Pointer, found.members.len() + 1)?;
                taken.checked_sub(1).map(|position| found.members[position])
            };
            self.memory.object_mut(object).active.insert((found.offset, found.ty), member);
        }
    }

    /// Whether a known range can lie inside the object.
    pub(crate) fn fits(&mut self, object: ObjectId, offset: i64, size: u64) -> bool {
        let end = offset.checked_add_unsigned(size);
        let entry = self.memory.object(object);
        let max_size = entry.max_size.map(|max| i64::try_from(max).unwrap_or(i64::MAX));
        let is_early = max_size.is_none_or(|max| end.is_some_and(|end| end <= max));
        let room = entry.front.map_or(0, |front| front.max_size);
        let fits = is_early && (offset >= 0 || offset.unsigned_abs() <= room);
        if !fits {
            self.note_length_bound(object);
        }
        fits
    }

    /// The path depends on how long memory behind an input pointer may be.
    pub(crate) fn note_length_bound(&mut self, object: ObjectId) {
        let kind = self.memory.object(object).kind;
        if matches!(kind, ObjectKind::Instance { .. }) {
            self.inputs.note_bound(Assumption::ArrayLength);
        }
        if matches!(kind, ObjectKind::Input { .. }) {
            self.inputs.note_bound(LENGTH_BOUND);
        }
    }

    /// Devices, signals and threads change volatile objects, but no local that nothing outside knows of.
    pub(crate) fn note_volatile(&mut self, ptr: Operand) {
        let ptr = match self.pointer(ptr) {
            SymPtr::Input(id) => self.inputs.pointers[id.0 as usize].resolution,
            known @ (SymPtr::Object { .. } | SymPtr::Func(_) | SymPtr::Number(_)) => Some(known),
        };
        if !matches!(ptr, Some(SymPtr::Object { object, .. }) if !self.is_known_outside(object)) {
            self.inputs.note_bound(Assumption::VolatilesKeepValues);
        }
    }

    /// Whether something else than locals and memory that only they lead to has a pointer to the object, or is it.
    fn is_known_outside(&self, object: ObjectId) -> bool {
        let mut seen = vec![object];
        let mut at = 0;
        while let Some(&object) = seen.get(at) {
            at += 1;
            let is_own = match self.memory.object(object).kind {
                ObjectKind::Local(..)
                | ObjectKind::VarArgs
                | ObjectKind::Heap
                | ObjectKind::Stack => true,
                ObjectKind::Global(_)
                | ObjectKind::Input { .. }
                | ObjectKind::Instance { .. }
                | ObjectKind::Stream => false,
            };
            if !is_own || self.given_away.contains(&object) {
                return true;
            }
            let holds = |holder: &ObjectId| {
                self.memory.object(*holder).cells.values().any(|cell| {
                    matches!(cell.value, CellValue::Ptr(SymPtr::Object { object: to, .. })
                        if to == object)
                })
            };
            let holders: Vec<ObjectId> =
                self.memory.ids().filter(|id| !seen.contains(id)).filter(holds).collect();
            seen.extend(holders);
        }
        false
    }

    /// Bytes between members are what was put there only if no store into a member changed them; bytes of a union that
    /// lie beside the member that was stored last, only if that left them alone.
    fn note_padding(&mut self, object: ObjectId, offset: TermId, size: u64) {
        let at = self.known_offset(offset);
        if self.memory.is_open(object, at, size) {
            self.inputs.note_bound(Assumption::UnionBytesKept);
        }
        let Some(ty) = self.type_of_object(object) else { return };
        let is_there = match at.map(u64::try_from) {
            Some(Ok(offset)) => touches_padding(self.program, ty, offset, size),
            Some(Err(_)) => false,
            // Loads of members are wider than what lies between them, mostly.
            None => {
                let whole = self.program.size_of_source_type(ty);
                let mut bytes = 0..whole.min(MAX_PADDING_LOOKED_AT);
                size == 1 && bytes.any(|byte| touches_padding(self.program, ty, byte, 1))
            }
        };
        if is_there {
            self.inputs.note_bound(Assumption::PaddingKept);
        }
    }

    /// The type that an object, or each of its elements, is declared with.
    fn type_of_object(&self, object: ObjectId) -> Option<SourceTypeId> {
        match self.memory.object(object).kind {
            ObjectKind::Global(global) => Some(self.program.global(global).source_type),
            ObjectKind::Local(function, local) => {
                Some(self.program.body(function).local(local).source_type)
            }
            ObjectKind::Input { element, .. } => Some(element),
            ObjectKind::Stack
            | ObjectKind::Heap
            | ObjectKind::Instance { .. }
            | ObjectKind::VarArgs
            | ObjectKind::Stream => None,
        }
    }

    /// A copy of bytes between members to where a member or a variable lies makes them part of a value.
    fn note_copied_padding(&mut self, to: KnownPlace, from: KnownPlace, len: u64) {
        let (Some(target), Some(source)) =
            (self.type_of_object(to.object), self.type_of_object(from.object))
        else {
            return;
        };
        let is_hole = |ty: SourceTypeId, offset: i64, byte: u64| {
            u64::try_from(offset).is_ok_and(|at| touches_padding(self.program, ty, at + byte, 1))
        };
        let mut bytes = 0..len.min(MAX_PADDING_LOOKED_AT);
        let is_taken = bytes
            .any(|byte| is_hole(source, from.offset, byte) && !is_hole(target, to.offset, byte));
        if is_taken {
            self.inputs.note_bound(Assumption::PaddingKept);
        }
    }

    /// Whatever is read of these bytes rests on it that a store beside them left them alone.
    pub(super) fn open_bytes(&mut self, ptr: Operand, size: u64) {
        let SymPtr::Object { object, offset } = self.pointer(ptr) else { return };
        match self.known_offset(offset) {
            Some(offset) => {
                self.memory.object_mut(object).open.extend(offset..end_of(offset, size));
            }
            // Which union it is, is not known.
            None => self.inputs.note_bound(Assumption::UnionBytesKept),
        }
    }

    pub(crate) fn load(&mut self, ty: Ty, ptr: Operand) -> Result<SymValue, Stop> {
        let (object, offset) = self.target(ptr)?;
        self.note_padding(object, offset, ty.size(self.program.pointers));
        let value = match self.known_offset(offset) {
            Some(offset) => self.load_at(ty, object, offset)?,
            None => self.load_symbolic(ty, object, offset)?,
        };
        if matches!(ty, Ty::Int(_)) {
            self.note_bits_read(value);
        }
        Ok(value)
    }

    pub(crate) fn load_at(
        &mut self,
        ty: Ty,
        object: ObjectId,
        offset: i64,
    ) -> Result<SymValue, Stop> {
        let size = ty.size(self.program.pointers);
        if !self.fits(object, offset, size) {
            return self.failed(CheckKind::OutOfBounds);
        }
        self.materialize(object, offset, size)?;
        match self.memory.read(self.terms, object, offset, ty) {
            Ok(SymValue::Ptr(SymPtr::Number(term))) => {
                Ok(SymValue::Ptr(self.pointer_from_number(term)))
            }
            Ok(value) => Ok(value),
            Err(error) => self.read_failed(error),
        }
    }

    pub(crate) fn store(&mut self, ptr: Operand, value: Operand) -> Result<(), Stop> {
        let (object, offset) = self.target(ptr)?;
        let size = self.operand_size(value);
        let value = self.operand(value);
        match self.known_offset(offset) {
            Some(offset) => self.store_at(object, offset, size, value),
            None => self.store_symbolic(object, offset, size, value),
        }
    }

    fn operand_size(&self, operand: Operand) -> u64 {
        operand.ty(self.program.body(self.frame().function)).size(self.program.pointers)
    }

    pub(crate) fn store_at(
        &mut self,
        object: ObjectId,
        offset: i64,
        size: u64,
        value: SymValue,
    ) -> Result<(), Stop> {
        if !self.fits(object, offset, size) {
            return self.failed(CheckKind::OutOfBounds);
        }
        self.fill_declared(object);
        self.memory.write(self.terms, object, offset, size, value);
        Ok(())
    }

    /// The object, offset and number of the bytes that a bit-field lies in.
    fn field_place(
        &mut self,
        ptr: Operand,
        bits: BitRange,
    ) -> Result<(ObjectId, Range<i64>), Stop> {
        let (object, offset) = self.target(ptr)?;
        let offset = self.fix_offset(offset)?;
        let n_bytes = (u64::from(bits.start) + u64::from(bits.width)).div_ceil(8);
        if !self.fits(object, offset, n_bytes) {
            return self.failed(CheckKind::OutOfBounds);
        }
        Ok((object, offset..end_of(offset, n_bytes)))
    }

    /// The bytes of a bit-field, made known where they are still inputs or indeterminate.
    fn field_bytes(
        &mut self,
        object: ObjectId,
        bytes: Range<i64>,
    ) -> Result<Vec<Result<TermId, ReadError>>, Stop> {
        self.materialize(object, bytes.start, bytes.end.abs_diff(bytes.start))?;
        Ok(bytes.map(|byte| self.memory.read_byte(self.terms, object, byte)).collect())
    }

    pub(crate) fn load_bits(
        &mut self,
        ty: Ty,
        ptr: Operand,
        bits: BitRange,
        signedness: Signedness,
    ) -> Result<SymValue, Stop> {
        let (object, place) = self.field_place(ptr, bits)?;
        if self.memory.is_open(object, Some(place.start), place.end.abs_diff(place.start)) {
            self.inputs.note_bound(Assumption::UnionBytesKept);
        }
        let mut bytes = Vec::new();
        for byte in self.field_bytes(object, place)? {
            match byte {
                Ok(byte) => bytes.push(byte),
                Err(error) => return self.read_failed(error),
            }
        }
        let word = cells::join_bytes(self.terms, &bytes);
        let field = self.terms.bv_extract(bits.start + bits.width - 1, bits.start, word);
        self.note_bits_read(SymValue::Term(field));
        let Ty::Int(to) = ty else { return self.unsupported("a bit-field of this type") };
        let value = self.terms.bv_resize(to, signedness, field);
        Ok(SymValue::Term(if to == 1 { self.terms.bv_is_nonzero(value) } else { value }))
    }

    pub(crate) fn store_bits(
        &mut self,
        ptr: Operand,
        bits: BitRange,
        value: Operand,
    ) -> Result<(), Stop> {
        let (object, place) = self.field_place(ptr, bits)?;
        let value = self.bits(value)?;
        let field = self.terms.bv_resize(bits.width, Signedness::Unsigned, value);
        // Neighbors in bytes that nothing was written to yet count as zero.
        let zero = self.terms.bv_u(0, 8);
        let bytes = self.field_bytes(object, place.clone())?;
        let bytes: Vec<TermId> = bytes.into_iter().map(|byte| byte.unwrap_or(zero)).collect();
        let old = cells::join_bytes(self.terms, &bytes);
        let total = u8::try_from(bytes.len() * 8).expect("a bit-field spans at most 9 bytes");
        let mut word = field;
        if bits.start > 0 {
            let low = self.terms.bv_extract(bits.start - 1, 0, old);
            word = self.terms.bv_concat(word, low);
        }
        let end = bits.start + bits.width;
        if end < total {
            let high = self.terms.bv_extract(total - 1, end, old);
            word = self.terms.bv_concat(high, word);
        }
        for (index, at) in (0..).zip(place) {
            let byte = cells::byte_of(self.terms, word, index);
            self.store_at(object, at, 1, SymValue::Term(byte))?;
        }
        Ok(())
    }

    pub(crate) fn mem_copy(
        &mut self,
        dst: Operand,
        src: Operand,
        len: Operand,
    ) -> Result<(), Stop> {
        let len = self.bits(len)?;
        let len = self.fix_value(len)?;
        if len == 0 {
            return Ok(());
        }
        let (dst, dst_offset) = self.target(dst)?;
        let (src, src_offset) = self.target(src)?;
        let dst_offset = self.fix_offset(dst_offset)?;
        let src_offset = self.fix_offset(src_offset)?;
        if !self.fits(dst, dst_offset, len) || !self.fits(src, src_offset, len) {
            return self.failed(CheckKind::OutOfBounds);
        }
        self.count_bytes(len)?;
        self.materialize(src, src_offset, len)?;
        let to = KnownPlace { object: dst, offset: dst_offset };
        let from = KnownPlace { object: src, offset: src_offset };
        self.note_copied_padding(to, from, len);
        match self.memory.copy(self.terms, to, from, len) {
            Ok(()) => Ok(()),
            Err(error) => self.read_failed(error),
        }
    }

    pub(crate) fn mem_set(
        &mut self,
        dst: Operand,
        byte: Operand,
        len: Operand,
    ) -> Result<(), Stop> {
        let len = self.bits(len)?;
        let len = self.fix_value(len)?;
        if len == 0 {
            return Ok(());
        }
        let byte = self.bits(byte)?;
        let (dst, offset) = self.target(dst)?;
        let offset = self.fix_offset(offset)?;
        if !self.fits(dst, offset, len) {
            return self.failed(CheckKind::OutOfBounds);
        }
        self.count_bytes(len)?;
        for index in 0..len {
            self.look(index)?;
            self.store_at(dst, end_of(offset, index), 1, SymValue::Term(byte))?;
        }
        Ok(())
    }

    /// Allocation succeeds: that it may fail is among the suite's assumptions.
    pub(crate) fn heap_alloc(&mut self, size: Operand, fill: HeapFill) -> Result<SymValue, Stop> {
        self.note_site();
        if self.allocation_fails()? {
            return Ok(SymValue::Ptr(self.null()));
        }
        let size = self.bits(size)?;
        let object = self.sized_object(ObjectKind::Heap, "heap", size);
        self.note_allocation(object);
        if fill == HeapFill::Zeros {
            self.memory.object_mut(object).contents = Contents::Zeros;
        }
        Ok(SymValue::Ptr(self.start_of(object)))
    }

    pub(crate) fn heap_free(&mut self, ptr: Operand) -> Result<(), Stop> {
        self.check_freeable(ptr)?;
        let ptr = self.pointer(ptr);
        if let SymPtr::Object { object, .. } = self.resolve(ptr)? {
            self.memory.release(object, ObjectState::Freed);
        }
        Ok(())
    }

    /// Memory from `malloc`, and memory that a test would have to allocate, can be freed.
    pub(crate) fn check_freeable(&mut self, ptr: Operand) -> Result<(), Stop> {
        let ptr = self.pointer(ptr);
        match self.resolve(ptr)? {
            SymPtr::Number(term) if self.is_null(term) => Ok(()),
            SymPtr::Object { object, offset } => {
                let zero = self.terms.bv_u(0, 64);
                let offset = self.place_in(object, offset).offset;
                let at_start = self.terms.eq(offset, zero);
                self.require(at_start, CheckKind::BadFree)?;
                let entry = self.memory.object(object);
                let is_block = matches!(entry.kind, ObjectKind::Heap | ObjectKind::Input { .. });
                let state = entry.state;
                if !is_block || self.inputs.stream_of(object).is_some() {
                    return self.failed(CheckKind::BadFree);
                }
                if state == ObjectState::Live { Ok(()) } else { self.failed(CheckKind::DoubleFree) }
            }
            SymPtr::Number(_) | SymPtr::Func(_) | SymPtr::Input(_) => {
                self.failed(CheckKind::BadFree)
            }
        }
    }
}
