//! Constant expressions: integers, floats and address constants, evaluated on the typed tree.

use std::cmp::Ordering;

use glassbox_values::{Bits, Float, RoundingMode, Signedness};

use super::Checker;
use super::builtin::is_known_function;
use super::fold::{FoldError, fold_compare, fold_count, fold_float, fold_int};
use crate::diagnostics::TypeProblem;
use crate::span::Span;
use crate::tree::{
    AddressBase, BinaryOp, Builtin, Callee, CompareOp, Constant, Conversion, Expr, ExprId,
    ExprKind, FloatTest, FunctionId, Init, InitValue, LogicalOp, Step, Storage, UnaryOp,
    Unsupported,
};
use crate::ty::kind::{IntKind, TypeId};

/// Why an expression is no constant, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NotConstant {
    Here(Span),
    DivisionByZero(Span),
    Unsupported(Unsupported),
    /// Already reported.
    Reported,
}

type Evaluated = Result<Constant, NotConstant>;

impl Checker<'_> {
    /// The value of an integer constant expression.
    pub(crate) fn integer_constant(&self, expr: ExprId) -> Option<Bits> {
        match self.evaluate(expr) {
            Ok(Constant::Int(value)) if self.program.types.is_integer(self.ty(expr)) => Some(value),
            _ => None,
        }
    }

    /// True for what may stand as a null pointer constant.
    pub(crate) fn is_integer_constant(&self, expr: ExprId) -> bool {
        // Most operands are plain variables: say no without evaluating.
        let is_read_or_called = matches!(
            self.program.expr(expr).kind,
            ExprKind::Convert { conversion: Conversion::Load, .. } | ExprKind::Call { .. }
        );
        !is_read_or_called && self.integer_constant(expr).is_some()
    }

    /// An integer constant where one is required, else a diagnostic.
    pub(crate) fn require_integer_constant(&mut self, expr: ExprId) -> Option<Bits> {
        let expr = self.value(expr);
        match self.evaluate(expr) {
            Ok(Constant::Int(value)) if self.program.types.is_integer(self.ty(expr)) => Some(value),
            Ok(_) => {
                self.error(TypeProblem::NotIntegerConstant, self.span(expr));
                None
            }
            Err(why) => {
                self.report_not_constant(&why, TypeProblem::NotIntegerConstant);
                None
            }
        }
    }

    /// The same as a number with its sign.
    pub(crate) fn require_integer(&mut self, expr: ExprId) -> Option<i128> {
        let expr = self.value(expr);
        let value = self.require_integer_constant(expr)?;
        Some(self.as_number(value, self.ty(expr)))
    }

    /// The mathematical value of a constant of integer type.
    pub(crate) fn as_number(&self, value: Bits, ty: TypeId) -> i128 {
        match self.program.types.signedness(ty) {
            Some(Signedness::Signed) => value.signed(),
            _ => i128::try_from(value.unsigned()).unwrap_or(i128::MAX),
        }
    }

    pub(crate) fn report_not_constant(&mut self, why: &NotConstant, problem: TypeProblem) {
        match why {
            NotConstant::Here(span) => self.error(problem, *span),
            NotConstant::DivisionByZero(span) => self.error(TypeProblem::DivisionByZero, *span),
            NotConstant::Unsupported(_) | NotConstant::Reported => {}
        }
    }

    /// Evaluates a value.
    pub(crate) fn evaluate(&self, expr: ExprId) -> Evaluated {
        let node = self.program.expr(expr);
        let here = Err(NotConstant::Here(node.span));
        match &node.kind {
            ExprKind::Int(value) => Ok(Constant::Int(*value)),
            ExprKind::Float(value) => Ok(Constant::Float(*value)),
            ExprKind::Convert { conversion, operand, .. } => {
                self.evaluate_conversion(*conversion, *operand, node)
            }
            ExprKind::Unary { op, operand } => match (op, self.evaluate(*operand)?) {
                (UnaryOp::Negate, Constant::Int(value)) => Ok(Constant::Int(value.neg())),
                (UnaryOp::BitNot, Constant::Int(value)) => Ok(Constant::Int(value.not())),
                (UnaryOp::Negate, Constant::Float(value)) => Ok(Constant::Float(value.neg())),
                _ => here,
            },
            ExprKind::Binary { op, left, right } => self.evaluate_binary(*op, *left, *right, node),
            ExprKind::Compare { op, left, right } => {
                self.evaluate_compare(*op, *left, *right, node)
            }
            ExprKind::PointerAdd { pointer, index, step } => {
                let offset =
                    self.scaled_index(*index, node.ty).ok_or(NotConstant::Here(node.span))?;
                let offset = if *step == Step::Backward { offset.wrapping_neg() } else { offset };
                self.evaluate(*pointer)
                    .and_then(|at| moved(at, offset).ok_or(NotConstant::Here(node.span)))
            }
            ExprKind::PointerDiff { left, right } => self.evaluate_difference(*left, *right, node),
            ExprKind::LogicalNot(operand) => Ok(truth(!self.evaluate_truth(*operand)?)),
            ExprKind::Logical { op, left, right } => {
                let left = self.evaluate_truth(*left)?;
                let decided = match op {
                    LogicalOp::And => !left,
                    LogicalOp::Or => left,
                };
                Ok(truth(if decided { left } else { self.evaluate_truth(*right)? }))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                if self.evaluate_truth(*condition)? {
                    self.evaluate(*then)
                } else {
                    self.evaluate(*otherwise)
                }
            }
            ExprKind::Reuse(expr) => self.evaluate(*expr),
            ExprKind::AddressOf(operand) => self.evaluate_place(*operand),
            ExprKind::AddressOfLabel(label) => {
                Ok(Constant::Address { base: AddressBase::Label(*label), offset: 0 })
            }
            ExprKind::Builtin { builtin, arguments } => {
                self.evaluate_builtin(*builtin, arguments, node)
            }
            ExprKind::Call { callee: Callee::Direct(function), arguments } => {
                self.evaluate_call(*function, arguments, node)
            }
            ExprKind::Call { callee: Callee::Indirect(_), .. } => here,
            ExprKind::Unsupported(_) if self.program.types.is_error(node.ty) => {
                Err(NotConstant::Reported)
            }
            ExprKind::Unsupported(what) => Err(NotConstant::Unsupported(what.clone())),
            ExprKind::Variable(_)
            | ExprKind::Function(_)
            | ExprKind::String(_)
            | ExprKind::CompoundLiteral { .. }
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::Comma { .. }
            | ExprKind::Assign { .. }
            | ExprKind::CompoundAssign { .. }
            | ExprKind::PointerAssign { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::StatementExpr { .. }
            | ExprKind::SetVlaLength { .. } => here,
        }
    }

    fn evaluate_truth(&self, expr: ExprId) -> Result<bool, NotConstant> {
        Ok(match self.evaluate(expr)? {
            Constant::Int(value) => !value.is_zero(),
            Constant::Float(value) => !value.is_zero(),
            Constant::Address { .. } => true,
        })
    }

    /// The address of a place or function.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other places have no constant address")]
    pub(crate) fn evaluate_place(&self, expr: ExprId) -> Evaluated {
        let node = self.program.expr(expr);
        let here = NotConstant::Here(node.span);
        let address = |base| Ok(Constant::Address { base, offset: 0 });
        match &node.kind {
            ExprKind::Variable(id) if self.program.variable(*id).storage == Storage::Static => {
                address(AddressBase::Variable(*id))
            }
            ExprKind::Function(id) => address(AddressBase::Function(*id)),
            ExprKind::String(id) => address(AddressBase::String(*id)),
            ExprKind::Deref(pointer) => self.evaluate(*pointer),
            ExprKind::Member { base, field } => {
                let offset = i64::try_from(field.offset).map_err(|_| here.clone())?;
                moved(self.evaluate_place(*base)?, offset).ok_or(here)
            }
            ExprKind::Unsupported(_) => self.evaluate(expr),
            _ => Err(here),
        }
    }

    /// An index constant times the size of what `pointer` points to.
    fn scaled_index(&self, index: ExprId, pointer: TypeId) -> Option<i64> {
        let Ok(Constant::Int(value)) = self.evaluate(index) else { return None };
        let number = self.as_number(value, self.ty(index));
        let size = self.program.types.size_of(self.program.types.pointee(pointer)?)?;
        i64::try_from(number.checked_mul(i128::from(size))?).ok()
    }

    fn evaluate_conversion(
        &self,
        conversion: Conversion,
        operand: ExprId,
        node: &Expr,
    ) -> Evaluated {
        let here = Err(NotConstant::Here(node.span));
        match conversion {
            Conversion::Load => return self.evaluate_load(operand, node),
            Conversion::ArrayDecay | Conversion::FunctionDecay => {
                return self.evaluate_place(operand);
            }
            Conversion::ToVoid | Conversion::ToUnion { .. } => return here,
            Conversion::IntToInt
            | Conversion::ToBool
            | Conversion::IntToFloat
            | Conversion::FloatToInt
            | Conversion::FloatToFloat
            | Conversion::IntToPointer
            | Conversion::PointerToInt
            | Conversion::NullToPointer
            | Conversion::PointerToPointer
            | Conversion::Same => {}
        }
        if conversion == Conversion::ToBool {
            return Ok(Constant::Int(Bits::new(u128::from(self.evaluate_truth(operand)?), 8)));
        }
        let from_sign =
            self.program.types.signedness(self.ty(operand)).unwrap_or(Signedness::Unsigned);
        let target = self.program.types.int_kind(node.ty);
        let format = self.program.types.float_kind(node.ty).and_then(|kind| kind.format());
        let rounding = RoundingMode::NearestEven;
        match self.evaluate(operand)? {
            Constant::Int(value) => match (target, format) {
                (Some(kind), _) => Ok(Constant::Int(value.resize(kind.width(), from_sign))),
                (None, Some(format)) => {
                    Ok(Constant::Float(Float::from_int(value, from_sign, format, rounding)))
                }
                // A pointer, as the number that it is.
                (None, None) => {
                    let address = value.resize(self.pointer_bits(), from_sign);
                    Ok(Constant::Int(address.resize(64, Signedness::Unsigned)))
                }
            },
            Constant::Float(value) => match (target, format) {
                (Some(kind), _) => value
                    .to_int(RoundingMode::TowardZero, kind.width(), kind.signedness())
                    .map_or(here, |value| Ok(Constant::Int(value))),
                (None, Some(format)) => Ok(Constant::Float(value.convert(format, rounding))),
                (None, None) => here,
            },
            address @ Constant::Address { .. } => match target {
                Some(kind) if kind.width() != self.pointer_bits() => here,
                _ => Ok(address),
            },
        }
    }

    fn pointer_bits(&self) -> u8 {
        self.program.types.pointers().bits()
    }

    /// Reading an object: characters of string literals, and constants of static storage whose
    /// initializer is known (gcc accepts those in initializers).
    #[expect(clippy::wildcard_enum_match_arm, reason = "what other places hold is not constant")]
    fn evaluate_load(&self, operand: ExprId, node: &Expr) -> Evaluated {
        let here = Err(NotConstant::Here(node.span));
        match self.program.expr(operand).kind {
            ExprKind::Variable(id) => {
                let variable = self.program.variable(id);
                let is_constant = variable.storage == Storage::Static
                    && self.program.types.qualifiers(variable.ty).is_const
                    && !self.program.types.qualifiers(variable.ty).is_volatile
                    && self.static_constants;
                match &variable.init {
                    Some(Init::Value(InitValue::Constant(constant))) if is_constant => {
                        Ok(*constant)
                    }
                    _ => here,
                }
            }
            ExprKind::Deref(_) => {
                let Ok(Constant::Address { base: AddressBase::String(id), offset }) =
                    self.evaluate_place(operand)
                else {
                    return here;
                };
                let (Some(kind), Ok(at)) =
                    (self.program.types.int_kind(node.ty), usize::try_from(offset))
                else {
                    return here;
                };
                let size = usize::from(kind.width() / 8);
                match self.program.string(id).bytes.get(at..at.saturating_add(size)) {
                    Some(bytes) if kind != IntKind::Bool => {
                        Ok(Constant::Int(Bits::from_le_bytes(bytes)))
                    }
                    _ => here,
                }
            }
            _ => here,
        }
    }

    fn evaluate_binary(&self, op: BinaryOp, left: ExprId, right: ExprId, node: &Expr) -> Evaluated {
        let here = NotConstant::Here(node.span);
        let signedness = self.program.types.signedness(node.ty).unwrap_or(Signedness::Unsigned);
        match (self.evaluate(left)?, self.evaluate(right)?) {
            (Constant::Int(a), Constant::Int(b)) => match fold_int(op, a, b, signedness) {
                Ok(value) => Ok(Constant::Int(value)),
                Err(FoldError::DivisionByZero) => Err(NotConstant::DivisionByZero(node.span)),
                Err(FoldError::Undefined) => Err(here),
            },
            (Constant::Float(a), Constant::Float(b)) => {
                fold_float(op, a, b).map(Constant::Float).ok_or(here)
            }
            (at @ Constant::Address { .. }, Constant::Int(by))
            | (Constant::Int(by), at @ Constant::Address { .. })
                if op == BinaryOp::Add =>
            {
                moved(at, i64::try_from(by.signed()).map_err(|_| here.clone())?).ok_or(here)
            }
            (at @ Constant::Address { .. }, Constant::Int(by)) if op == BinaryOp::Sub => {
                let by = i64::try_from(by.signed()).map_err(|_| here.clone())?;
                moved(at, by.wrapping_neg()).ok_or(here)
            }
            (
                Constant::Address { base: a, offset: x },
                Constant::Address { base: b, offset: y },
            ) if op == BinaryOp::Sub && a == b => {
                let bytes = i128::from(x) - i128::from(y);
                Ok(Constant::Int(Bits::from_signed(bytes, self.pointer_bits())))
            }
            _ => Err(here),
        }
    }

    fn evaluate_compare(
        &self,
        op: CompareOp,
        left: ExprId,
        right: ExprId,
        node: &Expr,
    ) -> Evaluated {
        let signedness =
            self.program.types.signedness(self.ty(left)).unwrap_or(Signedness::Unsigned);
        let ordering = match (self.evaluate(left)?, self.evaluate(right)?) {
            (Constant::Int(a), Constant::Int(b)) => Some(a.compare(b, signedness)),
            (Constant::Float(a), Constant::Float(b)) => a.ieee_compare(b),
            (
                Constant::Address { base: a, offset: x },
                Constant::Address { base: b, offset: y },
            ) if a == b => Some(x.cmp(&y)),
            // Different objects, or an object and null: only (in)equality is known.
            (Constant::Address { .. }, Constant::Int(other))
            | (Constant::Int(other), Constant::Address { .. })
                if other.is_zero() && matches!(op, CompareOp::Equal | CompareOp::NotEqual) =>
            {
                Some(Ordering::Less)
            }
            _ => return Err(NotConstant::Here(node.span)),
        };
        Ok(truth(fold_compare(op, ordering)))
    }

    fn evaluate_difference(&self, left: ExprId, right: ExprId, node: &Expr) -> Evaluated {
        let here = NotConstant::Here(node.span);
        let bytes = match (self.evaluate(left)?, self.evaluate(right)?) {
            (Constant::Int(a), Constant::Int(b)) => a.sub(b).signed(),
            (
                Constant::Address { base: a, offset: x },
                Constant::Address { base: b, offset: y },
            ) if a == b => i128::from(x) - i128::from(y),
            // gcc computes distances of labels; where they lie is not modeled.
            (
                Constant::Address { base: AddressBase::Label(_), .. },
                Constant::Address { base: AddressBase::Label(_), .. },
            ) => return Err(NotConstant::Unsupported(Unsupported::ComputedGoto)),
            _ => return Err(here),
        };
        let target = self.program.types.pointee(self.ty(left));
        let size = target.and_then(|target| self.program.types.size_of(target));
        match size {
            Some(size) if size > 0 => {
                Ok(Constant::Int(Bits::from_signed(bytes / i128::from(size), self.pointer_bits())))
            }
            _ => Err(here),
        }
    }

    /// gcc folds calls of functions it knows: the common ones are folded here too, other known ones
    /// make the constant unsupported, anything else is no constant.
    fn evaluate_call(&self, function: FunctionId, arguments: &[ExprId], node: &Expr) -> Evaluated {
        let here = Err(NotConstant::Here(node.span));
        let name = self.program.name(self.program.function(function).name);
        if !is_known_function(name) || arguments.is_empty() {
            return here;
        }
        let mut values = Vec::with_capacity(arguments.len());
        for &argument in arguments {
            values.push(self.evaluate(argument)?);
        }
        match (name, values.as_slice()) {
            ("fabs" | "fabsf", [Constant::Float(value)]) => Ok(Constant::Float(value.abs())),
            ("sqrt" | "sqrtf", [Constant::Float(value)]) => {
                Ok(Constant::Float(value.sqrt(RoundingMode::NearestEven)))
            }
            ("abs" | "labs" | "llabs", [Constant::Int(value)]) => Ok(Constant::Int(value.abs())),
            ("strlen", [Constant::Address { base: AddressBase::String(id), offset }]) => {
                let bytes = &self.program.string(*id).bytes;
                let rest = usize::try_from(*offset).ok().and_then(|at| bytes.get(at..));
                match rest.and_then(|rest| rest.iter().position(|&byte| byte == 0)) {
                    Some(length) => {
                        let length = u128::try_from(length).unwrap_or(u128::MAX);
                        Ok(Constant::Int(Bits::new(length, self.pointer_bits())))
                    }
                    None => here,
                }
            }
            _ => Err(NotConstant::Unsupported(Unsupported::NonConstantInitializer)),
        }
    }

    fn evaluate_builtin(&self, builtin: Builtin, arguments: &[ExprId], node: &Expr) -> Evaluated {
        let here = Err(NotConstant::Here(node.span));
        let Some(&first) = arguments.first() else { return here };
        match (builtin, self.evaluate(first)?) {
            (Builtin::ByteSwap, Constant::Int(value)) => Ok(Constant::Int(value.swap_bytes())),
            (Builtin::Count(count), Constant::Int(value)) => match fold_count(count, value) {
                Some(number) => Ok(Constant::Int(Bits::from_signed(i128::from(number), 32))),
                None => here,
            },
            (Builtin::FloatTest(test), Constant::Float(value)) => Ok(match test {
                FloatTest::IsNan => truth(value.is_nan()),
                FloatTest::IsInf => truth(value.is_infinite()),
                FloatTest::IsFinite => truth(value.is_finite()),
                FloatTest::IsNormal => truth(value.is_normal()),
                FloatTest::SignBit => truth(value.is_negative()),
                FloatTest::IsInfSign => {
                    let sign = if value.is_negative() { -1 } else { 1 };
                    let number = if value.is_infinite() { sign } else { 0 };
                    Constant::Int(Bits::from_signed(number, 32))
                }
            }),
            _ => here,
        }
    }
}

fn truth(value: bool) -> Constant {
    Constant::Int(Bits::new(u128::from(value), 32))
}

/// An address (or an absolute one) moved by bytes.
fn moved(at: Constant, by: i64) -> Option<Constant> {
    match at {
        Constant::Int(value) => {
            Some(Constant::Int(value.add(Bits::from_signed(i128::from(by), value.width()))))
        }
        Constant::Address { base, offset } => {
            Some(Constant::Address { base, offset: offset.checked_add(by)? })
        }
        Constant::Float(_) => None,
    }
}
