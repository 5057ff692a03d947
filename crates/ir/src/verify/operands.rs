//! Operand types: small questions that the instruction rules ask.

use super::Verifier;
use super::error::{BrokenRule, Expected};
use crate::instr::Operand;
use crate::ty::Ty;

impl Verifier<'_> {
    pub(super) fn expect(&mut self, operand: Operand, ty: Ty) {
        let found = self.ty(operand);
        self.require(
            found == ty,
            BrokenRule::OperandType { expected: Expected::Exactly(ty), found },
        );
    }

    pub(super) fn expect_all(&mut self, operands: &[Operand], ty: Ty) {
        for &operand in operands {
            self.expect(operand, ty);
        }
    }

    pub(super) fn expect_int(&mut self, operand: Operand) {
        let found = self.ty(operand);
        self.require(
            matches!(found, Ty::Int(_)),
            BrokenRule::OperandType { expected: Expected::AnyInt, found },
        );
    }

    pub(super) fn expect_float(&mut self, operand: Operand) {
        let found = self.ty(operand);
        self.require(
            matches!(found, Ty::Float(_)),
            BrokenRule::OperandType { expected: Expected::AnyFloat, found },
        );
    }

    pub(super) fn expect_same(&mut self, lhs: Operand, rhs: Operand) {
        let (lhs, rhs) = (self.ty(lhs), self.ty(rhs));
        self.require(lhs == rhs, BrokenRule::OperandsDiffer { lhs, rhs });
    }

    pub(super) fn expect_ints(&mut self, lhs: Operand, rhs: Operand) {
        self.expect_int(lhs);
        self.expect_same(lhs, rhs);
    }

    pub(super) fn expect_floats(&mut self, lhs: Operand, rhs: Operand) {
        self.expect_float(lhs);
        self.expect_same(lhs, rhs);
    }
}
