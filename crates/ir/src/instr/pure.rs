//! Arithmetic, comparisons and conversions: a number from numbers.

use glassbox_values::Signedness;

use super::Operand;
use super::operands::operand_visitors;
use super::operator::{
    BinaryOp, CastOp, CompareOp, FloatBinaryOp, FloatClassifyOp, FloatCompareOp, FloatUnaryOp,
    OverflowOp, UnaryOp,
};
use crate::func::Body;
use crate::ty::Ty;

/// Operands and result have one type unless said. Floats round to nearest even unless the operator says
/// otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PureOp {
    Unary {
        op: UnaryOp,
        arg: Operand,
    },
    Binary {
        op: BinaryOp,
        lhs: Operand,
        rhs: Operand,
    },
    /// `Int(1)`: the comparison of two integers.
    Compare {
        op: CompareOp,
        lhs: Operand,
        rhs: Operand,
    },
    /// `Int(1)`: whether the exact result does not fit.
    Overflows {
        op: OverflowOp,
        signedness: Signedness,
        lhs: Operand,
        rhs: Operand,
    },
    /// Operands of one type, any type.
    Select {
        condition: Operand,
        if_true: Operand,
        if_false: Operand,
    },
    Cast {
        op: CastOp,
        arg: Operand,
        to: Ty,
    },
    FloatUnary {
        op: FloatUnaryOp,
        arg: Operand,
    },
    FloatBinary {
        op: FloatBinaryOp,
        lhs: Operand,
        rhs: Operand,
    },
    /// x*y + z, rounded once.
    FloatFma {
        x: Operand,
        y: Operand,
        z: Operand,
    },
    /// `Int(1)`.
    FloatCompare {
        op: FloatCompareOp,
        lhs: Operand,
        rhs: Operand,
    },
    /// `Int(1)`.
    FloatClassify {
        op: FloatClassifyOp,
        arg: Operand,
    },
}

impl PureOp {
    pub fn result_ty(&self, body: &Body) -> Ty {
        match self {
            PureOp::Unary { arg: like, .. }
            | PureOp::Binary { lhs: like, .. }
            | PureOp::Select { if_true: like, .. }
            | PureOp::FloatUnary { arg: like, .. }
            | PureOp::FloatBinary { lhs: like, .. }
            | PureOp::FloatFma { x: like, .. } => like.ty(body),
            PureOp::Cast { to, .. } => *to,
            PureOp::Compare { .. }
            | PureOp::Overflows { .. }
            | PureOp::FloatCompare { .. }
            | PureOp::FloatClassify { .. } => Ty::BOOL,
        }
    }
}

operand_visitors!(PureOp {
    PureOp::Unary { arg, .. }
    | PureOp::Cast { arg, .. }
    | PureOp::FloatUnary { arg, .. }
    | PureOp::FloatClassify { arg, .. } => [arg],
    PureOp::Binary { lhs, rhs, .. }
    | PureOp::Compare { lhs, rhs, .. }
    | PureOp::Overflows { lhs, rhs, .. }
    | PureOp::FloatBinary { lhs, rhs, .. }
    | PureOp::FloatCompare { lhs, rhs, .. } => [lhs, rhs],
    PureOp::Select { condition, if_true, if_false } => [condition, if_true, if_false],
    PureOp::FloatFma { x, y, z } => [x, y, z],
});
