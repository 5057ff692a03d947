//! Pointer arithmetic: elements of arrays, sums, differences.

use glassbox_ir::instr::CompareOp as IrCompare;
use glassbox_ir::instr::{BinaryOp, OverflowOp};
use glassbox_ir::{Access, Check, CheckKind, InstrKind, Operand, Part, PointerOp, PureOp, Ty};
use glassbox_values::{Bits, Signedness};

use super::body::BodyLowering;
use super::place::{NOTHING_BESIDE, Place, Purpose, Reached, known_length, part_of};
use crate::span::Span;
use crate::tree::{Conversion, ExprId, ExprKind, Step};
use crate::ty::kind::TypeId;

impl BodyLowering<'_, '_> {
    /// `pointer + index` as a value.
    pub(super) fn pointer_add(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        step: Step,
        span: Span,
        purpose: Purpose,
    ) -> Operand {
        self.element(pointer, index, step, span, purpose).ptr
    }

    /// The address of an element, and the array variable it belongs to. For an array of known length
    /// the index is checked against it; else the sum is checked when only the address is wanted, and
    /// the access itself when there is one.
    pub(super) fn element(
        &mut self,
        pointer: ExprId,
        index: ExprId,
        step: Step,
        span: Span,
        purpose: Purpose,
    ) -> Reached {
        let tree = self.tree;
        let (mut length, mut row, mut beside) = (None, None, NOTHING_BESIDE);
        let var;
        let base =
            if let ExprKind::Convert { conversion: Conversion::ArrayDecay, operand, .. } =
                tree.expr(pointer).kind
            {
                (length, row) = (known_length(tree, operand), Some(operand));
                let place = self.place(operand, Purpose::Access);
                (var, beside) = (place.var, place.beside);
                if purpose == Purpose::Address {
                    self.mark_use(var);
                }
                place.ptr
            } else {
                var = self.behind(pointer);
                self.value(pointer)
            };
        let var = var.map(|access| self.element_of(access, pointer, index, step));
        let signedness = tree.types.signedness(tree.expr(index).ty).unwrap_or(Signedness::Signed);
        let index = self.value(index);
        self.at(span);
        let index_width =
            if let Ty::Int(width) = self.b.operand_ty(index) { width } else { u8::MAX };
        let index = self.resize(index, 64, signedness);
        let bound = match length {
            Some(length) => Some(self.constant(length, 64)),
            None => row.and_then(|row| self.row_length(row)),
        };
        if let (Some(bound), Step::Forward) = (bound, step) {
            let (op, kind) = match purpose {
                Purpose::Access => (IrCompare::Ult, CheckKind::OutOfBounds),
                Purpose::Address => (IrCompare::Ule, CheckKind::PointerOverflow),
            };
            let is_inside = self.compare(op, index, bound);
            self.check(kind, is_inside, vec![index, bound]);
        }
        let pointee = tree.types.pointee(tree.expr(pointer).ty);
        if length.is_none() && index_width > 32 {
            self.check_element_offset(index, pointee);
        }
        let offset = self.element_offset(index, step, pointee);
        let is_checked = length.is_some() && step == Step::Forward;
        if !is_checked && purpose == Purpose::Address {
            self.check_offset(base, offset);
        }
        let address = self.add_bytes(base, offset);
        if length.is_none() {
            match purpose {
                Purpose::Access => {
                    let reads = pointee.map(|ty| self.size_of(ty)).unwrap_or(1);
                    self.check_member(pointer, address, Some(reads));
                }
                Purpose::Address if step == Step::Forward => {
                    self.check_member(pointer, address, None);
                }
                // A member may lead back to its structure (`container_of`).
                Purpose::Address => {}
            }
        }
        if step == Step::Backward {
            self.mark_record(address, pointer, pointee);
        }
        Reached { ptr: address, var, beside }
    }

    /// What of an array is accessed: a constant element, or one that the run chooses.
    fn element_of(&self, array: Access, pointer: ExprId, index: ExprId, step: Step) -> Access {
        let somewhere = Access { part: Part::Somewhere, ..array };
        let mut index = index;
        while let ExprKind::Convert { conversion: Conversion::IntToInt, operand, .. } =
            &self.tree.expr(index).kind
        {
            index = *operand;
        }
        let (ExprKind::Int(number), Step::Forward) = (&self.tree.expr(index).kind, step) else {
            return somewhere;
        };
        let (Some(pointee), Ok(number)) =
            (self.tree.types.pointee(self.tree.expr(pointer).ty), u64::try_from(number.signed()))
        else {
            return somewhere;
        };
        let width = self.size_of(pointee).saturating_mul(8);
        part_of(array, number.saturating_mul(width), width)
    }

    /// `index` elements as bytes, with the direction.
    pub(super) fn element_offset(
        &mut self,
        index: Operand,
        step: Step,
        pointee: Option<TypeId>,
    ) -> Operand {
        let size = match pointee {
            Some(ty) if self.tree.types.is_variable_length(ty) => self.dynamic_size(ty),
            Some(ty) => self.constant(self.size_of(ty), 64),
            None => self.constant(1, 64),
        };
        let offset = self.arithmetic(BinaryOp::Mul, index, size);
        match step {
            Step::Forward => offset,
            Step::Backward => {
                let zero = self.constant(0, 64);
                self.arithmetic(BinaryOp::Sub, zero, offset)
            }
        }
    }

    /// So many elements are more bytes than an address has: no object is that large, and the number must not wrap to a
    /// small one.
    fn check_element_offset(&mut self, index: Operand, pointee: Option<TypeId>) {
        let Some(bytes) = pointee
            .filter(|&ty| !self.tree.types.is_variable_length(ty))
            .map(|ty| self.size_of(ty))
            .filter(|&bytes| bytes > 1)
        else {
            return;
        };
        let bytes = self.constant(bytes, 64);
        let fits = self.fits(OverflowOp::Mul, index, bytes, Signedness::Signed);
        if fits != Operand::Int(Bits::from_bool(true)) {
            self.check(CheckKind::PointerOverflow, fits, vec![index, bytes]);
        }
    }

    pub(super) fn check_offset(&mut self, ptr: Operand, offset: Operand) {
        if offset != Operand::Int(Bits::zero(64)) {
            self.b.push(InstrKind::Check(Check::InBoundsOffset { ptr, offset }));
        }
    }

    pub(super) fn add_bytes(&mut self, base: Operand, offset: Operand) -> Operand {
        if offset == Operand::Int(Bits::zero(64)) {
            return base;
        }
        self.emit(PointerOp::Add { base, offset }, Ty::Ptr)
    }

    /// Wrapping arithmetic on integers of one width, folding constants.
    pub(super) fn arithmetic(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand) -> Operand {
        if let (Operand::Int(l), Operand::Int(r)) = (lhs, rhs) {
            let folded = match op {
                BinaryOp::Add => l.add(r),
                BinaryOp::Sub => l.sub(r),
                BinaryOp::Mul => l.mul(r),
                BinaryOp::Udiv => l.udiv(r),
                BinaryOp::Urem => l.urem(r),
                BinaryOp::Sdiv => l.sdiv(r),
                BinaryOp::Srem => l.srem(r),
                BinaryOp::And => l.and(r),
                BinaryOp::Or => l.or(r),
                BinaryOp::Xor => l.xor(r),
                BinaryOp::Shl => l.shl(r),
                BinaryOp::Lshr => l.lshr(r),
                BinaryOp::Ashr => l.ashr(r),
            };
            return Operand::Int(folded);
        }
        if let (BinaryOp::Mul, Operand::Int(r)) = (op, rhs)
            && r == Bits::one(r.width())
        {
            return lhs;
        }
        let ty = self.b.operand_ty(lhs);
        self.emit(PureOp::Binary { op, lhs, rhs }, ty)
    }

    pub(super) fn pointer_diff(&mut self, left: ExprId, right: ExprId, span: Span) -> Operand {
        let pointee = self.tree.types.pointee(self.tree.expr(left).ty);
        let lhs = self.value(left);
        let rhs = self.value(right);
        self.at(span);
        self.b.push(InstrKind::Check(Check::SameObject { lhs, rhs }));
        let bytes = self.emit(PointerOp::Diff { lhs, rhs }, Ty::I64);
        let size = match pointee {
            Some(ty) if self.tree.types.is_variable_length(ty) => self.dynamic_size(ty),
            Some(ty) => self.constant(self.size_of(ty), 64),
            None => self.constant(1, 64),
        };
        let width = self.tree.types.pointers().bits();
        if size == Operand::Int(Bits::one(64)) {
            return self.resize(bytes, width, Signedness::Signed);
        }
        // A difference of pointers to elements without size divides by zero, in gcc too.
        let zero = self.constant(0, 64);
        let has_size = self.compare(IrCompare::Ne, size, zero);
        self.check(CheckKind::DivisionByZero, has_size, vec![bytes, size]);
        let elements = self.arithmetic(BinaryOp::Sdiv, bytes, size);
        self.resize(elements, width, Signedness::Signed)
    }

    /// `pointer += index`.
    pub(super) fn pointer_assign(
        &mut self,
        target: ExprId,
        index: ExprId,
        step: Step,
        span: Span,
    ) -> Operand {
        let signedness =
            self.tree.types.signedness(self.tree.expr(index).ty).unwrap_or(Signedness::Signed);
        let index = self.value(index);
        let place = self.place(target, Purpose::Access);
        self.at(span);
        let index = self.resize(index, 64, signedness);
        let new = self.move_pointer(&place, index, step).1;
        self.check_member(target, new, None);
        new
    }

    /// Moves a pointer that is stored in a place by a number of elements: its old and its new value.
    pub(super) fn move_pointer(
        &mut self,
        place: &Place,
        index: Operand,
        step: Step,
    ) -> (Operand, Operand) {
        let pointee = self.tree.types.pointee(place.ty);
        let old = self.load(place);
        let offset = self.element_offset(index, step, pointee);
        self.check_offset(old, offset);
        let new = self.add_bytes(old, offset);
        (old, self.store(place, new))
    }
}
