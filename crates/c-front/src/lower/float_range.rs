//! Floating numbers that leave the range of their type, where that counts as an error as lossy conversions do.
//!
//! C defines these results (infinity, not a number, zero, fewer digits), so nothing is checked unless it is asked for.

use glassbox_ir::instr::{BinaryOp, FloatBinaryOp, FloatClassifyOp};
use glassbox_ir::{Check, CheckKind, Demand, InstrKind, Operand, PureOp, Ty};
use glassbox_values::Bits;

use super::body::BodyLowering;
use crate::tree::FunctionId;

/// Functions of mathematics that are never zero, unless their first argument is.
const NEVER_ZERO: [&str; 4] = ["exp", "exp10", "exp2", "pow"];

impl BodyLowering<'_, '_> {
    /// What arithmetic on finite numbers gives is finite, and no product or quotient vanishes.
    pub(super) fn check_arithmetic_range(
        &mut self,
        op: FloatBinaryOp,
        operands: [Operand; 2],
        result: Operand,
    ) {
        if !self.tree.checks_conversions {
            return;
        }
        let mut is_fine = self.classify_float(FloatClassifyOp::IsFinite, result);
        let vanishing = match op {
            FloatBinaryOp::Mul => &operands[..],
            FloatBinaryOp::Div => &operands[..1],
            FloatBinaryOp::Add
            | FloatBinaryOp::Sub
            | FloatBinaryOp::Fmin
            | FloatBinaryOp::Fmax
            | FloatBinaryOp::Fmod
            | FloatBinaryOp::Remainder
            | FloatBinaryOp::CopySign
            | FloatBinaryOp::JavaMin
            | FloatBinaryOp::JavaMax => &[],
        };
        if !vanishing.is_empty() {
            let mut has_digits = self.classify_float(FloatClassifyOp::IsNormal, result);
            let vanishes = self.classify_float(FloatClassifyOp::IsZero, result);
            let is_left = self.not(vanishes);
            for &operand in vanishing {
                let was_zero = self.classify_float(FloatClassifyOp::IsZero, operand);
                has_digits = self.arithmetic(BinaryOp::Or, has_digits, was_zero);
                // What has few digits may stay so, and not become nothing.
                let had_few = self.classify_float(FloatClassifyOp::IsSubnormal, operand);
                let has_few = self.arithmetic(BinaryOp::And, had_few, is_left);
                has_digits = self.arithmetic(BinaryOp::Or, has_digits, has_few);
            }
            // Where the divisor is infinite, zero is right.
            is_fine = self.arithmetic(BinaryOp::And, is_fine, has_digits);
        }
        self.check_float_result(CheckKind::LossyConversion, is_fine, &operands);
    }

    /// What a function of mathematics gives for finite numbers is finite.
    pub(super) fn check_function_range(
        &mut self,
        function: FunctionId,
        arguments: &[Operand],
        result: Operand,
    ) {
        let declared = self.tree.function(function);
        if !self.tree.checks_conversions || declared.body.is_some() {
            return;
        }
        let is_float = |operand: &Operand| matches!(self.b.operand_ty(*operand), Ty::Float(_));
        let Some(known) = glassbox_library::find(self.tree.name(declared.name)) else { return };
        if !known.row.sets_errno || !is_float(&result) || !arguments.iter().all(is_float) {
            return;
        }
        let is_never_zero = NEVER_ZERO.contains(&known.name.as_str());
        let mut is_fine = self.classify_float(FloatClassifyOp::IsFinite, result);
        if let (true, Some(&first)) = (is_never_zero, arguments.first()) {
            let is_zero = self.classify_float(FloatClassifyOp::IsZero, result);
            let was_zero = self.classify_float(FloatClassifyOp::IsZero, first);
            let is_some = self.not(is_zero);
            let is_right = self.arithmetic(BinaryOp::Or, is_some, was_zero);
            is_fine = self.arithmetic(BinaryOp::And, is_fine, is_right);
        }
        self.check_float_result(CheckKind::LossyConversion, is_fine, arguments);
    }

    /// Demands something of a result, where all operands are finite.
    fn check_float_result(&mut self, kind: CheckKind, is_fine: Operand, operands: &[Operand]) {
        let mut condition = is_fine;
        for &operand in operands {
            let is_finite = self.classify_float(FloatClassifyOp::IsFinite, operand);
            let is_infinite = self.not(is_finite);
            condition = self.arithmetic(BinaryOp::Or, condition, is_infinite);
        }
        if condition == Operand::Int(Bits::from_bool(true)) {
            return;
        }
        let demand = Some(Demand::Words("the result is in the range of its type".to_owned()));
        let values = operands.to_vec();
        self.b.push(InstrKind::Check(Check::Condition { kind, condition, values, demand }));
    }

    fn classify_float(&mut self, op: FloatClassifyOp, arg: Operand) -> Operand {
        self.emit(PureOp::FloatClassify { op, arg }, Ty::BOOL)
    }
}
