//! Records and other objects larger than a scalar: copies and fills.

use std::ops::Range;

use glassbox_ir::{MemoryOp, Operand};
use glassbox_values::Bits;

use super::body::{BodyLowering, size};
use crate::ty::kind::TypeId;
use crate::ty::table::TypeTable;

impl BodyLowering<'_, '_> {
    /// Copies an object of this type; padding may be indeterminate and stays so.
    pub(super) fn copy_record(&mut self, dst: Operand, src: Operand, ty: TypeId) {
        let bytes = self.size_of(ty);
        if bytes == 0 {
            return;
        }
        self.check_accessible(src, bytes);
        self.check_writable(dst, bytes);
        self.b.push(MemoryOp::Copy { dst, src, len: size(bytes), is_volatile: false });
    }

    /// What a volatile object is now.
    pub(super) fn copy_volatile(&mut self, src: Operand, ty: TypeId) -> Operand {
        let bytes = self.size_of(ty);
        let copy = self.temporary(ty);
        if bytes > 0 {
            self.check_accessible(src, bytes);
            let len = size(bytes);
            self.b.push(MemoryOp::Copy { dst: copy, src, len, is_volatile: true });
        }
        copy
    }

    /// Sets bytes of an object that is known to be there to zero.
    pub(super) fn zero_fill(&mut self, dst: Operand, bytes: u64) {
        if bytes > 0 {
            let byte = Operand::Int(Bits::zero(8));
            self.b.push(MemoryOp::Fill { dst, byte, len: size(bytes) });
        }
    }

    /// Sets the members of an object to zero. What lies between them keeps being indeterminate (C11 6.2.6.1p6),
    /// unless there are too many pieces.
    pub(super) fn zero_members(&mut self, dst: Operand, ty: TypeId, bytes: u64) {
        const MAX_PIECES: usize = 64;
        let mut pieces = Vec::new();
        add_members(&self.tree.types, ty, 0, &mut pieces);
        pieces.sort_unstable_by_key(|piece| piece.start);
        let mut merged: Vec<Range<u64>> = Vec::new();
        for piece in pieces {
            match merged.last_mut() {
                Some(last) if piece.start <= last.end => last.end = last.end.max(piece.end),
                _ => merged.push(piece),
            }
        }
        // An array that gets its length from its initializer, a member without a length: its bytes are not known here.
        let is_known = self.tree.types.size_of(ty) == Some(bytes);
        if !is_known || merged.len() > MAX_PIECES {
            return self.zero_fill(dst, bytes);
        }
        for piece in merged {
            let offset = size(piece.start);
            let at = self.add_bytes(dst, offset);
            self.zero_fill(at, piece.end - piece.start);
        }
    }

    /// A copy that a callee may change.
    pub(super) fn copy_for_call(&mut self, src: Operand, ty: TypeId) -> Operand {
        let copy = self.temporary(ty);
        let bytes = self.size_of(ty);
        if bytes > 0 {
            self.check_accessible(src, bytes);
            self.b.push(MemoryOp::Copy { dst: copy, src, len: size(bytes), is_volatile: false });
        }
        copy
    }
}

/// The bytes of an object that are in some member; what bit-fields leave free counts to them, and so do unions.
fn add_members(types: &TypeTable, ty: TypeId, offset: u64, found: &mut Vec<Range<u64>>) {
    /// Longer arrays count as a whole.
    const MAX_ELEMENTS: u64 = 64;
    let size = types.size_of(ty).unwrap_or(0);
    let whole = offset..offset.saturating_add(size);
    if let Some(element) = types.element(ty) {
        let step = types.size_of(element).unwrap_or(0);
        let count = size.checked_div(step).unwrap_or(0);
        if types.record_of(element).is_none() || count > MAX_ELEMENTS {
            return found.push(whole);
        }
        for index in 0..count {
            add_members(types, element, offset + index * step, found);
        }
        return;
    }
    let body = types.record_of(ty).and_then(|record| types.record_body(record));
    let Some(body) = body.filter(|_| !types.is_union(ty)) else { return found.push(whole) };
    for field in &body.fields {
        let at = offset + field.offset;
        match field.bits {
            // The storage unit may begin before it.
            Some(_) => return found.push(whole),
            None => add_members(types, field.ty, at, found),
        }
    }
}
