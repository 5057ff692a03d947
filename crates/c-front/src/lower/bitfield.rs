//! Bit-fields: reads and writes of some bits of some bytes.

use glassbox_ir::instr::{CastOp, CompareOp};
use glassbox_ir::{CheckKind, MemoryOp, Operand, PureOp, Ty};
use glassbox_values::Signedness;

use super::body::BodyLowering;
use super::place::{BitRange, Place};

impl BodyLowering<'_, '_> {
    pub(super) fn load_bits(&mut self, place: &Place, bits: BitRange, ty: Ty) -> Operand {
        self.check_readable(place.ptr, bits.bytes());
        let BitRange { start, width, signedness } = bits;
        let (ptr, is_volatile) = (place.ptr, place.is_volatile);
        self.emit(MemoryOp::LoadBits { ty, ptr, start, width, signedness, is_volatile }, ty)
    }

    /// Writes the field and gives its new value, which is what fits of `value`.
    pub(super) fn store_bits(&mut self, place: &Place, bits: BitRange, value: Operand) -> Operand {
        if !place.is_sure {
            self.check_writable(place.ptr, bits.bytes());
        }
        let BitRange { start, width, signedness } = bits;
        let kept = self.cut(value, width, signedness);
        if self.tree.checks_conversions && kept != value {
            let is_same = self.compare(CompareOp::Eq, value, kept);
            self.check(CheckKind::LossyConversion, is_same, vec![value]);
        }
        self.b.push(MemoryOp::StoreBits { ptr: place.ptr, start, width, value });
        self.mark_beside(place);
        self.mark_def(place.var);
        kept
    }

    /// The low `width` bits of a value, extended back to its own type.
    fn cut(&mut self, value: Operand, width: u8, signedness: Signedness) -> Operand {
        let Ty::Int(full) = self.b.operand_ty(value) else { return value };
        if width >= full {
            return value;
        }
        if let Operand::Int(bits) = value {
            return Operand::Int(bits.truncate(width).resize(full, signedness));
        }
        let to = Ty::Int(width);
        let low = self.emit(PureOp::Cast { op: CastOp::Truncate, arg: value, to }, to);
        let op = match signedness {
            Signedness::Signed => CastOp::SignExtend,
            Signedness::Unsigned => CastOp::ZeroExtend,
        };
        let to = Ty::Int(full);
        self.emit(PureOp::Cast { op, arg: low, to }, to)
    }
}
