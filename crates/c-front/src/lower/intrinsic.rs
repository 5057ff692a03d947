//! Memory functions as instructions: `memcpy`, `memmove`, `memset`, `malloc`, `free` with their checks.

use glassbox_ir::instr::{BinaryOp, CastOp, CompareOp};
use glassbox_ir::{Check, CheckKind, InstrKind, MemoryOp, Operand, PointerOp, PureOp, Ty};

use super::body::BodyLowering;

impl BodyLowering<'_, '_> {
    /// Copies `len` bytes and gives `dst`.
    pub(super) fn copy_bytes(
        &mut self,
        dst: Operand,
        src: Operand,
        len: Operand,
        may_overlap: bool,
    ) -> Operand {
        self.b.push(InstrKind::Check(Check::Accessible { ptr: src, size: len }));
        self.b.push(InstrKind::Check(Check::Writable { ptr: dst, size: len }));
        if !may_overlap {
            self.check_disjoint(dst, src, len);
        }
        self.b.push(MemoryOp::Copy { dst, src, len, is_volatile: false });
        dst
    }

    /// `memcpy` must not be given overlapping bytes: different objects, or far enough apart.
    pub(super) fn check_disjoint(&mut self, dst: Operand, src: Operand, len: Operand) {
        if let (Operand::Global(dst), Operand::Global(src)) = (dst, src)
            && dst != src
        {
            return;
        }
        let zero = self.constant(0, 64);
        let dst_offset = self.emit(PointerOp::ObjectOffset { ptr: dst }, Ty::I64);
        let src_offset = self.emit(PointerOp::ObjectOffset { ptr: src }, Ty::I64);
        let dst_back = self.arithmetic(BinaryOp::Sub, zero, dst_offset);
        let src_back = self.arithmetic(BinaryOp::Sub, zero, src_offset);
        let dst_object = self.emit(PointerOp::Add { base: dst, offset: dst_back }, Ty::Ptr);
        let src_object = self.emit(PointerOp::Add { base: src, offset: src_back }, Ty::Ptr);
        let is_apart = self.emit(
            PointerOp::Compare { op: CompareOp::Ne, lhs: dst_object, rhs: src_object },
            Ty::BOOL,
        );
        let dst_end = self.arithmetic(BinaryOp::Add, dst_offset, len);
        let src_end = self.arithmetic(BinaryOp::Add, src_offset, len);
        let is_before = self.compare(CompareOp::Ule, dst_end, src_offset);
        let is_after = self.compare(CompareOp::Ule, src_end, dst_offset);
        let is_beside = self.arithmetic(BinaryOp::Or, is_before, is_after);
        let is_disjoint = self.arithmetic(BinaryOp::Or, is_apart, is_beside);
        self.check(CheckKind::Overlap, is_disjoint, vec![dst, src, len]);
    }

    /// Sets `len` bytes to the low byte of `byte` (an `int`) and gives `dst`.
    pub(super) fn fill_bytes(&mut self, dst: Operand, byte: Operand, len: Operand) -> Operand {
        self.b.push(InstrKind::Check(Check::Writable { ptr: dst, size: len }));
        let byte = if let Operand::Int(bits) = byte {
            Operand::Int(bits.truncate(8))
        } else {
            self.emit(PureOp::Cast { op: CastOp::Truncate, arg: byte, to: Ty::I8 }, Ty::I8)
        };
        self.b.push(MemoryOp::Fill { dst, byte, len });
        dst
    }

    pub(super) fn check_freeable(&mut self, ptr: Operand) {
        self.b.push(InstrKind::Check(Check::Freeable { ptr }));
    }

    pub(super) fn free(&mut self, ptr: Operand) {
        self.check_freeable(ptr);
        self.b.push(MemoryOp::HeapFree { ptr });
    }
}
