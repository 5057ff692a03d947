//! Loads, stores, block copies, heap and variable arguments.

use std::ops::Range;

use glassbox_ir::instr::HeapFill;
use glassbox_ir::{CheckKind, Operand, Span, Ty};
use glassbox_terms::TermId;
use glassbox_testcase::Assumption;
use glassbox_testcase::image::size_of;
use glassbox_values::Signedness;

use super::{Executor, PathEnd, Stop, stop};
use crate::guide::{Alternative, ChoiceKind};
use crate::leaf::undecided_union;
use crate::memory::{Contents, ObjectKind, ObjectState, ReadError, cells};
use crate::value::{ObjectId, SymPtr, SymValue};

impl Executor<'_> {
    /// The object and offset behind a pointer that is about to be used.
    pub(crate) fn target(&mut self, ptr: Operand, span: Span) -> Result<(ObjectId, TermId), Stop> {
        let ptr = self.pointer(ptr);
        self.target_of(ptr, span)
    }

    pub(crate) fn target_of(
        &mut self,
        ptr: SymPtr,
        span: Span,
    ) -> Result<(ObjectId, TermId), Stop> {
        match self.resolve(ptr, span)? {
            SymPtr::Object { object, offset } => match self.memory.object(object).state {
                ObjectState::Live => {
                    self.note_outside_first_element(object, offset);
                    Ok((object, offset))
                }
                ObjectState::Freed => self.failed(CheckKind::UseAfterFree, span),
                ObjectState::OutOfScope => self.failed(CheckKind::UseAfterScope, span),
            },
            SymPtr::Number(term) => {
                let known = self.terms.as_bv_const(term);
                if known.is_none() {
                    // It might be the address of something.
                    self.inputs.note_bound(Assumption::NumbersAreNotAddresses);
                }
                let is_null = known.is_some_and(|bits| bits.is_zero());
                let kind = if is_null { CheckKind::NullDereference } else { CheckKind::BadPointer };
                self.failed(kind, span)
            }
            SymPtr::Func(_) | SymPtr::Input(_) => self.failed(CheckKind::BadPointer, span),
        }
    }

    /// A pointer into the middle of an array differs from one to its start only where more than the
    /// element it points to is looked at.
    fn note_outside_first_element(&mut self, object: ObjectId, offset: TermId) {
        let ObjectKind::Input { element, .. } = self.memory.object(object).kind else { return };
        let is_first = self.known(offset).is_some_and(|at| at < size_of(self.program, element));
        if !is_first {
            self.inputs.note_bound(Assumption::PointersToStarts);
        }
    }

    pub(crate) fn known(&self, term: TermId) -> Option<u64> {
        self.terms.as_bv_const(term).and_then(|bits| bits.to_u64())
    }

    pub(crate) fn read_failed<T>(&mut self, error: ReadError, span: Span) -> Result<T, Stop> {
        match error {
            ReadError::Uninitialized => self.failed(CheckKind::Uninitialized, span),
            ReadError::PointerBytes => self.unsupported("bytes of a pointer as numbers", span),
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
        offset: u64,
        size: u64,
        span: Span,
    ) -> Result<(), Stop> {
        self.decide_unions(object, &(offset..offset.saturating_add(size)), span)?;
        self.memory.materialize(self.program, self.terms, self.inputs, object, offset, size);
        Ok(())
    }

    /// What the unions of an input hold: numbers, or a member that has pointers.
    fn decide_unions(
        &mut self,
        object: ObjectId,
        range: &Range<u64>,
        span: Span,
    ) -> Result<(), Stop> {
        let Contents::Input(ty) = self.memory.object(object).contents else { return Ok(()) };
        loop {
            let active = &self.memory.object(object).active;
            let Some(found) = undecided_union(self.program, ty, range, active) else {
                return Ok(());
            };
            let mut bytes = found.offset..found.offset + found.size;
            let is_known = bytes.any(|byte| self.memory.is_known(object, byte));
            let member = if is_known {
                None
            } else {
                let free = self.terms.bool_const(true);
                let way = Alternative { condition: free, is_failure: false };
                let ways = vec![way; found.members.len() + 1];
                let taken = self.choose(ChoiceKind::Pointer, span, &ways)?;
                taken.checked_sub(1).map(|position| found.members[position])
            };
            self.memory.object_mut(object).active.insert((found.offset, found.ty), member);
        }
    }

    /// Whether a known range can lie inside the object.
    pub(crate) fn fits(&mut self, object: ObjectId, offset: u64, size: u64) -> bool {
        let end = offset.checked_add(size);
        let max_size = self.memory.object(object).max_size;
        let fits = max_size.is_none_or(|max| end.is_some_and(|end| end <= max));
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
            self.inputs.note_bound(Assumption::MemoryLength { at_most: None });
        }
    }

    pub(crate) fn load(&mut self, ty: Ty, ptr: Operand, span: Span) -> Result<SymValue, Stop> {
        let (object, offset) = self.target(ptr, span)?;
        let value = match self.known(offset) {
            Some(offset) => self.load_at(ty, object, offset, span)?,
            None => self.load_symbolic(ty, object, offset, span)?,
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
        offset: u64,
        span: Span,
    ) -> Result<SymValue, Stop> {
        if !self.fits(object, offset, ty.size()) {
            return self.failed(CheckKind::OutOfBounds, span);
        }
        self.materialize(object, offset, ty.size(), span)?;
        match self.memory.read(self.terms, object, offset, ty) {
            Ok(SymValue::Ptr(SymPtr::Number(term))) => {
                Ok(SymValue::Ptr(self.pointer_from_number(term)))
            }
            Ok(value) => Ok(value),
            Err(error) => self.read_failed(error, span),
        }
    }

    pub(crate) fn store(&mut self, ptr: Operand, value: Operand, span: Span) -> Result<(), Stop> {
        let (object, offset) = self.target(ptr, span)?;
        let size = self.operand_size(value);
        let value = self.operand(value);
        match self.known(offset) {
            Some(offset) => self.store_at(object, offset, size, value, span),
            None => self.store_symbolic(object, offset, size, value, span),
        }
    }

    fn operand_size(&self, operand: Operand) -> u64 {
        operand.ty(self.program.body(self.frame().function)).size()
    }

    pub(crate) fn store_at(
        &mut self,
        object: ObjectId,
        offset: u64,
        size: u64,
        value: SymValue,
        span: Span,
    ) -> Result<(), Stop> {
        if !self.fits(object, offset, size) {
            return self.failed(CheckKind::OutOfBounds, span);
        }
        match self.memory.write(self.terms, object, offset, size, value) {
            Ok(()) => Ok(()),
            Err(error) => self.read_failed(error, span),
        }
    }

    /// The bytes of a bit-field, made known where they are still inputs or indeterminate.
    fn field_bytes(
        &mut self,
        object: ObjectId,
        offset: u64,
        n_bytes: u64,
        span: Span,
    ) -> Result<Vec<Result<TermId, ReadError>>, Stop> {
        self.materialize(object, offset, n_bytes, span)?;
        let bytes = offset..offset + n_bytes;
        Ok(bytes.map(|byte| self.memory.read_byte(self.terms, object, byte)).collect())
    }

    pub(crate) fn load_bits(
        &mut self,
        ty: Ty,
        ptr: Operand,
        (start, width): (u8, u8),
        signedness: Signedness,
        span: Span,
    ) -> Result<SymValue, Stop> {
        let (object, offset) = self.target(ptr, span)?;
        let offset = self.fix_value(offset, span)?;
        let n_bytes = (u64::from(start) + u64::from(width)).div_ceil(8);
        if !self.fits(object, offset, n_bytes) {
            return self.failed(CheckKind::OutOfBounds, span);
        }
        let mut bytes = Vec::new();
        for byte in self.field_bytes(object, offset, n_bytes, span)? {
            match byte {
                Ok(byte) => bytes.push(byte),
                Err(error) => return self.read_failed(error, span),
            }
        }
        let word = cells::join_bytes(self.terms, &bytes);
        let field = self.terms.bv_extract(start + width - 1, start, word);
        self.note_bits_read(SymValue::Term(field));
        let Ty::Int(to) = ty else { return self.unsupported("a bit-field of this type", span) };
        let value = self.terms.bv_resize(to, signedness, field);
        Ok(SymValue::Term(if to == 1 { self.terms.bv_is_nonzero(value) } else { value }))
    }

    pub(crate) fn store_bits(
        &mut self,
        ptr: Operand,
        (start, width): (u8, u8),
        value: Operand,
        span: Span,
    ) -> Result<(), Stop> {
        let (object, offset) = self.target(ptr, span)?;
        let offset = self.fix_value(offset, span)?;
        let n_bytes = (u64::from(start) + u64::from(width)).div_ceil(8);
        if !self.fits(object, offset, n_bytes) {
            return self.failed(CheckKind::OutOfBounds, span);
        }
        let value = self.bits(value)?;
        let field = self.terms.bv_resize(width, Signedness::Unsigned, value);
        // Neighbors in bytes that nothing was written to yet count as zero.
        let zero = self.terms.bv_u(0, 8);
        let bytes: Vec<TermId> = self
            .field_bytes(object, offset, n_bytes, span)?
            .into_iter()
            .map(|byte| byte.unwrap_or(zero))
            .collect();
        let old = cells::join_bytes(self.terms, &bytes);
        let total = u8::try_from(n_bytes * 8).expect("a bit-field spans at most 9 bytes");
        let mut word = field;
        if start > 0 {
            let low = self.terms.bv_extract(start - 1, 0, old);
            word = self.terms.bv_concat(word, low);
        }
        if start + width < total {
            let high = self.terms.bv_extract(total - 1, start + width, old);
            word = self.terms.bv_concat(high, word);
        }
        for index in 0..n_bytes {
            let byte = cells::byte_of(self.terms, word, index);
            self.store_at(object, offset + index, 1, SymValue::Term(byte), span)?;
        }
        Ok(())
    }

    pub(crate) fn mem_copy(
        &mut self,
        dst: Operand,
        src: Operand,
        len: Operand,
        span: Span,
    ) -> Result<(), Stop> {
        let len = self.bits(len)?;
        let len = self.fix_value(len, span)?;
        if len == 0 {
            return Ok(());
        }
        let (dst, dst_offset) = self.target(dst, span)?;
        let (src, src_offset) = self.target(src, span)?;
        let dst_offset = self.fix_value(dst_offset, span)?;
        let src_offset = self.fix_value(src_offset, span)?;
        if !self.fits(dst, dst_offset, len) || !self.fits(src, src_offset, len) {
            return self.failed(CheckKind::OutOfBounds, span);
        }
        self.materialize(src, src_offset, len, span)?;
        match self.memory.copy(self.terms, (dst, dst_offset), (src, src_offset), len) {
            Ok(()) => Ok(()),
            Err(error) => self.read_failed(error, span),
        }
    }

    pub(crate) fn mem_set(
        &mut self,
        dst: Operand,
        byte: Operand,
        len: Operand,
        span: Span,
    ) -> Result<(), Stop> {
        let len = self.bits(len)?;
        let len = self.fix_value(len, span)?;
        if len == 0 {
            return Ok(());
        }
        let byte = self.bits(byte)?;
        let (dst, offset) = self.target(dst, span)?;
        let offset = self.fix_value(offset, span)?;
        for index in 0..len {
            self.store_at(dst, offset + index, 1, SymValue::Term(byte), span)?;
        }
        Ok(())
    }

    /// Allocation succeeds: that it may fail is among the suite's assumptions.
    pub(crate) fn heap_alloc(
        &mut self,
        size: Operand,
        fill: HeapFill,
        span: Span,
    ) -> Result<SymValue, Stop> {
        self.note_site();
        if self.allocation_fails(span)? {
            return Ok(SymValue::Ptr(self.null()));
        }
        let size = self.bits(size)?;
        let object = self.sized_object(ObjectKind::Heap, "heap", size, span);
        self.note_allocation(object);
        if fill == HeapFill::Zeros {
            self.memory.object_mut(object).contents = Contents::Zeros;
        }
        Ok(self.object_pointer(object))
    }

    pub(crate) fn heap_free(&mut self, ptr: Operand, span: Span) -> Result<(), Stop> {
        self.check_freeable(ptr, span)?;
        let ptr = self.pointer(ptr);
        if let SymPtr::Object { object, .. } = self.resolve(ptr, span)? {
            self.memory.release(object, ObjectState::Freed);
        }
        Ok(())
    }

    /// Memory from `malloc`, and memory that a test would have to allocate, can be freed.
    pub(crate) fn check_freeable(&mut self, ptr: Operand, span: Span) -> Result<(), Stop> {
        let ptr = self.pointer(ptr);
        match self.resolve(ptr, span)? {
            SymPtr::Number(term) => {
                let known = self.terms.as_bv_const(term);
                if known.is_none() {
                    // It might be the address of something.
                    self.inputs.note_bound(Assumption::NumbersAreNotAddresses);
                }
                let is_null = known.is_some_and(|bits| bits.is_zero());
                if is_null { Ok(()) } else { self.failed(CheckKind::BadFree, span) }
            }
            SymPtr::Object { object, offset } => {
                let zero = self.terms.bv_u(0, 64);
                let at_start = self.terms.eq(offset, zero);
                self.require(at_start, CheckKind::BadFree, span)?;
                let entry = self.memory.object(object);
                match (entry.kind, entry.state) {
                    (ObjectKind::Heap | ObjectKind::Input { .. }, ObjectState::Live) => Ok(()),
                    (ObjectKind::Heap | ObjectKind::Input { .. }, _) => {
                        self.failed(CheckKind::DoubleFree, span)
                    }
                    _ => self.failed(CheckKind::BadFree, span),
                }
            }
            SymPtr::Func(_) | SymPtr::Input(_) => self.failed(CheckKind::BadFree, span),
        }
    }

    /// Variable arguments lie in memory, 8 bytes each, 16 for wide ones.
    pub(crate) fn var_args_object(&mut self, args: &[(SymValue, Ty)]) -> Result<ObjectId, Stop> {
        let slot = |ty: Ty| if ty.size() > 8 { 16 } else { 8 };
        let size = args.iter().map(|(_, ty)| slot(*ty)).sum();
        let span = Span::nowhere();
        let object = self.new_object(ObjectKind::VarArgs, "arguments", size, span);
        let mut offset = 0;
        for &(value, ty) in args {
            self.store_at(object, offset, slot(ty), value, span)?;
            offset += slot(ty);
        }
        Ok(object)
    }

    pub(crate) fn va_start(&mut self, list: Operand, span: Span) -> Result<(), Stop> {
        let (list, offset) = self.target(list, span)?;
        let offset = self.fix_value(offset, span)?;
        let Some(object) = self.frame().var_args else {
            return self.unsupported("va_start in a function without variable arguments", span);
        };
        let cursor = self.object_pointer(object);
        self.store_at(list, offset, 8, cursor, span)?;
        let zero = self.terms.bv_u(0, 64);
        self.store_at(list, offset + 8, 8, SymValue::Term(zero), span)?;
        self.store_at(list, offset + 16, 8, SymValue::Term(zero), span)
    }

    pub(crate) fn va_arg(&mut self, list: Operand, ty: Ty, span: Span) -> Result<SymValue, Stop> {
        let (list, at) = self.target(list, span)?;
        let at = self.fix_value(at, span)?;
        let cursor = self.load_at(Ty::Ptr, list, at, span)?;
        let SymValue::Ptr(SymPtr::Object { object, offset }) = cursor else {
            return self.failed(CheckKind::BadPointer, span);
        };
        let position = self.fix_value(offset, span)?;
        // Whoever calls the function under test may pass more than its parameters; tests do not.
        let is_own = self.frames.first().is_some_and(|frame| frame.var_args == Some(object));
        if is_own && !self.fits(object, position, ty.size()) {
            return self.unsupported("a variable argument of the function under test", span);
        }
        let value = self.load_at(ty, object, position, span)?;
        let slot = if ty.size() > 8 { 16 } else { 8 };
        let next = self.terms.bv_u(u128::from(position + slot), 64);
        let cursor = SymValue::Ptr(SymPtr::Object { object, offset: next });
        self.store_at(list, at, 8, cursor, span)?;
        Ok(value)
    }
}
