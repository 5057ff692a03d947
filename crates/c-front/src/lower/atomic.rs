//! Atomic operations, as the plain operations they are with one thread; that no other thread comes between is noted as for
//! volatile objects.

use glassbox_ir::instr::{BinaryOp as IrBinary, CompareOp, UnaryOp};
use glassbox_ir::{Operand, PointerOp, PureOp, Target, Terminator, Ty};
use glassbox_values::{Bits, Signedness};

use super::body::BodyLowering;
use super::place::Place;
use crate::tree::{AtomicOp, BinaryOp, Expr, ExprId};

impl BodyLowering<'_, '_> {
    pub(super) fn atomic(&mut self, op: AtomicOp, arguments: &[ExprId], expr: &Expr) -> Operand {
        let values = self.plain_arguments(arguments);
        self.at(expr.span);
        let Some(&ptr) = values.first() else {
            // A fence orders nothing here.
            return Operand::NullPtr;
        };
        let Some(ty) = self.tree.types.pointee(self.tree.expr(arguments[0]).ty) else {
            return self.unsupported("an atomic operation on this type", self.scalar(expr.ty));
        };
        let place = Place { is_volatile: true, ..self.at_address(ptr, ty) };
        if self.scalar(ty).is_none() && !self.tree.types.is_void(ty) {
            return self.unsupported("an atomic operation on this type", self.scalar(expr.ty));
        }
        match op {
            AtomicOp::Load => self.load(&place),
            AtomicOp::Store => {
                self.store(&place, values[1]);
                Operand::NullPtr
            }
            AtomicOp::Exchange => {
                let old = self.load(&place);
                self.store(&place, values[1]);
                old
            }
            AtomicOp::CompareExchange => self.compare_exchange(&place, values[1], values[2], expr),
            AtomicOp::CompareAndSwapValue => self.swap_if(&place, values[1], values[2]).0,
            AtomicOp::CompareAndSwapBool => {
                let is_swapped = self.swap_if(&place, values[1], values[2]).1;
                self.truth_to_int(is_swapped, expr.ty)
            }
            AtomicOp::FetchThen(op) => self.update(&place, Update::Plain(op), values[1]).0,
            AtomicOp::ThenFetch(op) => self.update(&place, Update::Plain(op), values[1]).1,
            AtomicOp::FetchThenNand => self.update(&place, Update::Nand, values[1]).0,
            AtomicOp::NandThenFetch => self.update(&place, Update::Nand, values[1]).1,
            AtomicOp::Fence => Operand::NullPtr,
            AtomicOp::TestAndSet => {
                let byte = self.at_byte(place);
                let old = self.load(&byte);
                self.store(&byte, Operand::Int(Bits::one(8)));
                let was_set = self.is_nonzero(old);
                self.truth_to_int(was_set, expr.ty)
            }
            AtomicOp::Clear => {
                let byte = self.at_byte(place);
                self.store(&byte, Operand::Int(Bits::zero(8)));
                Operand::NullPtr
            }
        }
    }

    fn at_byte(&self, place: Place) -> Place {
        Place { ty: crate::ty::table::TypeTable::CHAR, ..place }
    }

    fn equal(&mut self, lhs: Operand, rhs: Operand) -> Operand {
        match self.b.operand_ty(lhs) {
            Ty::Int(_) => self.compare(CompareOp::Eq, lhs, rhs),
            Ty::Ptr => self.emit(PointerOp::Compare { op: CompareOp::Eq, lhs, rhs }, Ty::BOOL),
            Ty::Float(format) => {
                // Compared as bits, as the hardware does.
                let to = Ty::Int(format.width());
                let op = glassbox_ir::instr::CastOp::Reinterpret;
                let lhs = self.emit(PureOp::Cast { op, arg: lhs, to }, to);
                let rhs = self.emit(PureOp::Cast { op, arg: rhs, to }, to);
                self.compare(CompareOp::Eq, lhs, rhs)
            }
        }
    }

    /// Stores `new` if the place holds `expected`: what it held, and whether it was stored.
    fn swap_if(&mut self, place: &Place, expected: Operand, new: Operand) -> (Operand, Operand) {
        let old = self.load(place);
        let is_equal = self.equal(old, expected);
        let (if_true, join) = (self.b.new_block(), self.b.new_block());
        self.branch_plainly(is_equal, if_true, join);
        self.b.switch_to(if_true);
        self.store(place, new);
        self.fall_into(join);
        (old, is_equal)
    }

    fn branch_plainly(
        &mut self,
        condition: Operand,
        if_true: glassbox_ir::BlockId,
        if_false: glassbox_ir::BlockId,
    ) {
        self.b.terminate(Terminator::Branch {
            condition,
            if_true: Target::new(if_true),
            if_false: Target::new(if_false),
            origin: None,
        });
    }

    fn compare_exchange(
        &mut self,
        place: &Place,
        expected: Operand,
        new: Operand,
        expr: &Expr,
    ) -> Operand {
        let expected = Place { ptr: expected, ..*place };
        let wanted = self.load(&expected);
        let old = self.load(place);
        let is_equal = self.equal(old, wanted);
        let (if_true, if_false) = (self.b.new_block(), self.b.new_block());
        let join = self.b.new_block();
        self.branch_plainly(is_equal, if_true, if_false);
        self.b.switch_to(if_true);
        self.store(place, new);
        self.jump_to(join);
        self.b.switch_to(if_false);
        self.store(&expected, old);
        self.fall_into(join);
        self.truth_to_int(is_equal, expr.ty)
    }

    /// Combines and stores: the old and the new value.
    fn update(&mut self, place: &Place, update: Update, value: Operand) -> (Operand, Operand) {
        let old = self.load(place);
        let ty = self.b.operand_ty(old);
        let new = match (ty, update) {
            (Ty::Ptr, Update::Plain(op @ (BinaryOp::Add | BinaryOp::Sub))) => {
                // gcc counts bytes here, not elements.
                let offset = match self.b.operand_ty(value) {
                    Ty::Int(_) => self.resize(value, 64, Signedness::Signed),
                    Ty::Ptr | Ty::Float(_) => {
                        let op = glassbox_ir::instr::CastOp::PtrToInt;
                        self.emit(PureOp::Cast { op, arg: value, to: Ty::I64 }, Ty::I64)
                    }
                };
                let offset = if op == BinaryOp::Sub {
                    let zero = self.constant(0, 64);
                    self.arithmetic(IrBinary::Sub, zero, offset)
                } else {
                    offset
                };
                self.add_bytes(old, offset)
            }
            (Ty::Int(_), Update::Plain(op)) => match wrapping(op) {
                Some(op) => self.arithmetic(op, old, value),
                None => self.unsupported("an atomic operation on this type", Some(ty)),
            },
            (Ty::Int(_), Update::Nand) => {
                let both = self.arithmetic(IrBinary::And, old, value);
                self.emit(PureOp::Unary { op: UnaryOp::Not, arg: both }, ty)
            }
            (Ty::Ptr | Ty::Float(_), Update::Plain(_) | Update::Nand) => {
                self.unsupported("an atomic operation on this type", Some(ty))
            }
        };
        self.store(place, new);
        (old, new)
    }
}

#[derive(Debug, Clone, Copy)]
enum Update {
    Plain(BinaryOp),
    Nand,
}

fn wrapping(op: BinaryOp) -> Option<IrBinary> {
    match op {
        BinaryOp::Add => Some(IrBinary::Add),
        BinaryOp::Sub => Some(IrBinary::Sub),
        BinaryOp::And => Some(IrBinary::And),
        BinaryOp::Or => Some(IrBinary::Or),
        BinaryOp::Xor => Some(IrBinary::Xor),
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr => None,
    }
}
