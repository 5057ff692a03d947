//! Records and other objects larger than a scalar: copies and fills.

use glassbox_ir::{MemoryOp, Operand};
use glassbox_values::Bits;

use super::body::{BodyLowering, size};
use crate::ty::kind::TypeId;

impl BodyLowering<'_, '_> {
    /// Copies an object of this type; padding may be indeterminate and stays so.
    pub(super) fn copy_record(&mut self, dst: Operand, src: Operand, ty: TypeId) {
        let bytes = self.size_of(ty);
        if bytes == 0 {
            return;
        }
        self.check_accessible(src, bytes);
        self.check_writable(dst, bytes);
        self.b.push(MemoryOp::Copy { dst, src, len: size(bytes) });
    }

    /// Sets bytes of an object that is known to be there to zero.
    pub(super) fn zero_fill(&mut self, dst: Operand, bytes: u64) {
        if bytes > 0 {
            let byte = Operand::Int(Bits::zero(8));
            self.b.push(MemoryOp::Fill { dst, byte, len: size(bytes) });
        }
    }

    /// A copy that a callee may change.
    pub(super) fn copy_for_call(&mut self, src: Operand, ty: TypeId) -> Operand {
        let copy = self.temporary(ty);
        let bytes = self.size_of(ty);
        if bytes > 0 {
            self.check_accessible(src, bytes);
            self.b.push(MemoryOp::Copy { dst: copy, src, len: size(bytes) });
        }
        copy
    }
}
