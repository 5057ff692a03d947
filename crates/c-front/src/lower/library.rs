//! Library functions that the IR has instructions for: assertions and assumptions, memory, floats.
//!
//! They are recognized by name when the program does not define them itself, and only when they are
//! declared with the types they have in the library.

use glassbox_ir::instr::{
    BinaryOp, CompareOp, FloatBinaryOp, FloatCompareOp, FloatUnaryOp, HeapFill,
};
use glassbox_ir::{
    Check, CheckKind, DecisionKind, Demand, InstrKind, MemoryOp, Operand, PointerOp, PureOp,
    Terminator, Ty,
};
use glassbox_library::{Operator, Precision};
use glassbox_values::{Bits, Float, Signedness};

use super::body::BodyLowering;
use crate::tree::{
    Callee, Conversion, Expr, ExprId, ExprKind, FloatTest, FunctionId, StmtId, StmtKind,
};
use crate::ty::table::TypeTable;

/// `ENOMEM` and `EDOM`.
const OUT_OF_MEMORY: i64 = 12;
const OUTSIDE_OF_DOMAIN: i64 = 33;

impl BodyLowering<'_, '_> {
    /// Lowers the call if the function is known here.
    pub(super) fn known_call(
        &mut self,
        function: FunctionId,
        arguments: &[ExprId],
        expr: &Expr,
    ) -> Option<Operand> {
        let (operator, float) = self.known(function)?;
        let given: Vec<Option<Ty>> =
            arguments.iter().map(|&argument| self.scalar(self.tree.expr(argument).ty)).collect();
        let result = self.scalar(expr.ty);
        let word = Ty::Int(self.tree.types.pointers().bits());
        if !has_types(operator, (word, float), &given, result) {
            return None;
        }
        if operator == Operator::AssertionFailure {
            let demand = match arguments.first() {
                Some(&first) => self.literal_text(first).map(Demand::Words),
                None => self.forbidden_call(function),
            };
            self.at_assertion(expr.span);
            self.fail_assertion(demand);
            return Some(Operand::NullPtr);
        }
        if operator == Operator::Assert || operator == Operator::Relate {
            let is_relation = operator == Operator::Relate;
            let kind = if is_relation { CheckKind::Relation } else { CheckKind::Assertion };
            self.assertion(kind, arguments[0], arguments.get(1).copied(), expr);
            return Some(Operand::NullPtr);
        }
        if operator == Operator::Assume {
            self.assume(arguments[0]);
            return Some(Operand::NullPtr);
        }
        let mut values = self.plain_arguments(arguments);
        self.at(expr.span);
        // Instructions count bytes in 64 bits.
        if let Some(last) = values.last_mut()
            && takes_size(operator)
        {
            *last = self.resize(*last, 64, Signedness::Unsigned);
        }
        let value = self.operation(operator, float, &values);
        let gives_size = matches!(operator, Operator::ObjectSize | Operator::ObjectOffset);
        let width = self.tree.types.pointers().bits();
        Some(if gives_size { self.resize(value, width, Signedness::Unsigned) } else { value })
    }

    /// The instructions of an operator that takes values.
    fn operation(&mut self, operator: Operator, float: Ty, values: &[Operand]) -> Operand {
        let float_test = match operator {
            Operator::AssertionFailure | Operator::Assert | Operator::Relate | Operator::Assume => {
                unreachable!("conditions should have been lowered before values")
            }
            Operator::Copy => return self.copy_bytes(values[0], values[1], values[2], false),
            Operator::Move => return self.copy_bytes(values[0], values[1], values[2], true),
            Operator::Fill => return self.fill_bytes(values[0], values[1], values[2]),
            Operator::Allocate => return self.allocate(values[0], HeapFill::Uninitialized),
            Operator::AllocateZeroed => return self.allocate(values[0], HeapFill::Zeros),
            Operator::AllocateNothing => {
                if self.tree.heap.is_some() {
                    self.check_never(CheckKind::HeapLimit, None);
                }
                self.set_errno(Operand::Int(Bits::from_bool(true)), OUT_OF_MEMORY);
                return Operand::NullPtr;
            }
            Operator::Free => {
                self.free(values[0]);
                return Operand::NullPtr;
            }
            Operator::CheckApart => {
                self.check_disjoint(values[0], values[1], values[2]);
                return Operand::NullPtr;
            }
            Operator::CheckFreeable => {
                self.check_freeable(values[0]);
                return Operand::NullPtr;
            }
            Operator::ObjectSize => {
                return self.emit(PointerOp::ObjectSize { ptr: values[0] }, Ty::I64);
            }
            Operator::ObjectOffset => {
                return self.emit(PointerOp::ObjectOffset { ptr: values[0] }, Ty::I64);
            }
            Operator::IsWhole => {
                let (ptr, size) = (values[0], values[1]);
                let truth = self.emit(PointerOp::IsWhole { ptr, size }, Ty::BOOL);
                return self.truth_to_int(truth, TypeTable::INT);
            }
            Operator::Abs => return self.float_unary(FloatUnaryOp::Abs, values, float),
            Operator::Sqrt => return self.square_root(values, float),
            Operator::Round(mode) => {
                return self.float_unary(FloatUnaryOp::Round(mode), values, float);
            }
            Operator::Fmin => return self.float_binary(FloatBinaryOp::Fmin, values, float),
            Operator::Fmax => return self.float_binary(FloatBinaryOp::Fmax, values, float),
            Operator::Fmod => return self.rest(FloatBinaryOp::Fmod, values, float),
            Operator::Remainder => return self.rest(FloatBinaryOp::Remainder, values, float),
            Operator::CopySign => return self.float_binary(FloatBinaryOp::CopySign, values, float),
            Operator::Fma => {
                let (x, y, z) = (values[0], values[1], values[2]);
                return self.emit(PureOp::FloatFma { x, y, z }, float);
            }
            Operator::IsNan => FloatTest::IsNan,
            Operator::IsInfSign => FloatTest::IsInfSign,
            Operator::IsFinite => FloatTest::IsFinite,
            Operator::SignBit => FloatTest::SignBit,
        };
        self.float_test(float_test, values[0])
    }

    /// New memory; where there is none, `errno` says so.
    fn allocate(&mut self, size: Operand, fill: HeapFill) -> Operand {
        if let Some(heap) = self.tree.heap {
            let limit = Operand::Int(Bits::new(heap.into(), 64));
            let op = CompareOp::Ule;
            let fits = self.emit(PureOp::Compare { op, lhs: size, rhs: limit }, Ty::BOOL);
            self.check(CheckKind::HeapLimit, fits, vec![size]);
        }
        let memory = self.emit(MemoryOp::HeapAlloc { size, fill }, Ty::Ptr);
        if self.program.errno.is_some() {
            let (lhs, rhs) = (memory, Operand::NullPtr);
            let is_missing =
                self.emit(PointerOp::Compare { op: CompareOp::Eq, lhs, rhs }, Ty::BOOL);
            self.set_errno(is_missing, OUT_OF_MEMORY);
        }
        memory
    }

    /// A square root; of a negative number there is none.
    fn square_root(&mut self, values: &[Operand], ty: Ty) -> Operand {
        if let (Some(_), Ty::Float(format)) = (self.program.errno, ty) {
            let zero = Operand::Float(Float::from_bits(0, format));
            let (lhs, rhs) = (values[0], zero);
            let op = FloatCompareOp::Lt;
            let is_outside = self.emit(PureOp::FloatCompare { op, lhs, rhs }, Ty::BOOL);
            self.set_errno(is_outside, OUTSIDE_OF_DOMAIN);
        }
        self.float_unary(FloatUnaryOp::Sqrt, values, ty)
    }

    /// A remainder; there is none of infinity, and none by zero.
    fn rest(&mut self, op: FloatBinaryOp, values: &[Operand], ty: Ty) -> Operand {
        let result = self.float_binary(op, values, ty);
        if self.program.errno.is_some() {
            // The result is not a number although both operands are.
            let ne = FloatCompareOp::Ne;
            let mut is_outside =
                self.emit(PureOp::FloatCompare { op: ne, lhs: result, rhs: result }, Ty::BOOL);
            for &value in &values[..2] {
                let op = FloatCompareOp::Eq;
                let rhs = self.emit(PureOp::FloatCompare { op, lhs: value, rhs: value }, Ty::BOOL);
                let both = PureOp::Binary { op: BinaryOp::And, lhs: is_outside, rhs };
                is_outside = self.emit(both, Ty::BOOL);
            }
            self.set_errno(is_outside, OUTSIDE_OF_DOMAIN);
        }
        result
    }

    /// Sets `errno`, which the program looks at, where the condition holds.
    fn set_errno(&mut self, condition: Operand, number: i64) {
        let Some(errno) = self.program.errno else { return };
        let ptr = Operand::Global(self.program.global_id(errno));
        let load = MemoryOp::Load { ty: Ty::I32, ptr, is_volatile: false };
        let if_false = self.emit(load, Ty::I32);
        let if_true = Operand::Int(Bits::from_i64(number, 32));
        let value = self.emit(PureOp::Select { condition, if_true, if_false }, Ty::I32);
        self.b.push(MemoryOp::Store { ptr, value, is_volatile: false });
    }

    fn float_unary(&mut self, op: FloatUnaryOp, values: &[Operand], ty: Ty) -> Operand {
        if let Some(what) = self.inexact(false) {
            return self.unsupported(what, Some(ty));
        }
        self.emit(PureOp::FloatUnary { op, arg: values[0] }, ty)
    }

    fn float_binary(&mut self, op: FloatBinaryOp, values: &[Operand], ty: Ty) -> Operand {
        if let Some(what) = self.inexact(false) {
            return self.unsupported(what, Some(ty));
        }
        self.emit(PureOp::FloatBinary { op, lhs: values[0], rhs: values[1] }, ty)
    }

    /// Argument values, evaluated right to left like those of a real call.
    pub(super) fn plain_arguments(&mut self, arguments: &[ExprId]) -> Vec<Operand> {
        let mut values: Vec<Operand> =
            arguments.iter().rev().map(|&argument| self.value(argument)).collect();
        values.reverse();
        values
    }

    /// The operator of a function that the program does not define, and the type of its floats.
    fn known(&self, function: FunctionId) -> Option<(Operator, Ty)> {
        let declared = self.tree.function(function);
        if declared.body.is_some() {
            return None;
        }
        let known = glassbox_library::find(self.tree.name(declared.name))?;
        let float = match known.precision {
            Precision::Plain => Ty::F64,
            Precision::Float => Ty::F32,
            Precision::LongDouble => return None,
        };
        let operator = known.row.operator?;
        // Where `errno` is looked at, the operator must say when it is set.
        let is_silent = known.row.sets_errno && operator == Operator::Fma;
        (!is_silent || self.program.errno.is_none()).then_some((operator, float))
    }

    /// `assert(condition)` as a function.
    fn assertion(
        &mut self,
        kind: CheckKind,
        condition: ExprId,
        message: Option<ExprId>,
        expr: &Expr,
    ) {
        let words = message
            .and_then(|message| self.literal_text(message))
            .unwrap_or_else(|| self.program.sources.snippet(self.tree.expr(condition).span));
        let demand = Some(Demand::Words(words));
        // What a contract promises is one instruction, so that a promise can be left out.
        if self.tree.function(self.function).harness_of.is_some() {
            let value = self.value(condition);
            let is_kept = self.is_nonzero(value);
            self.at_assertion(expr.span);
            let check = Check::Condition { kind, condition: is_kept, values: Vec::new(), demand };
            self.b.push(InstrKind::Check(check));
            return;
        }
        let holds = self.b.new_block();
        let fails = self.b.new_block();
        self.decide(condition, DecisionKind::Assertion, holds, fails);
        self.b.switch_to(fails);
        self.at_assertion(expr.span);
        self.check_never(kind, demand);
        self.b.terminate(Terminator::Unreachable);
        self.b.switch_to(holds);
    }

    /// The demand that a function is not called, for those that must not be.
    fn forbidden_call(&self, function: FunctionId) -> Option<Demand> {
        let name = self.tree.name(self.tree.function(function).name);
        glassbox_library::is_forbidden(name).then(|| Demand::NotCalled(name.to_owned()))
    }

    /// The text of a string literal argument.
    fn literal_text(&self, id: ExprId) -> Option<String> {
        let mut at = id;
        while let ExprKind::Convert { operand, .. } = self.tree.expr(at).kind {
            at = operand;
        }
        let ExprKind::String(string) = self.tree.expr(at).kind else { return None };
        let literal = self.tree.string(string);
        let bytes = literal.bytes.strip_suffix(&[0]).unwrap_or(&literal.bytes);
        (literal.element_size == 1).then(|| String::from_utf8_lossy(bytes).into_owned())
    }

    /// The expression is a call that reports a failed assertion.
    pub(super) fn is_assertion_failure(&self, id: ExprId) -> bool {
        let mut at = id;
        while let ExprKind::Convert { conversion: Conversion::ToVoid, operand, .. } =
            self.tree.expr(at).kind
        {
            at = operand;
        }
        matches!(self.tree.expr(at).kind, ExprKind::Call { callee: Callee::Direct(function), .. }
            if matches!(self.known(function), Some((Operator::AssertionFailure, _))))
    }

    /// The statement is nothing but such a call, as in the GNU form of `assert`.
    pub(super) fn is_assertion_failure_stmt(&self, id: StmtId) -> bool {
        let mut at = id;
        while let StmtKind::Block(stmts) = &self.tree.stmt(at).kind
            && let [only] = **stmts
        {
            at = only;
        }
        matches!(self.tree.stmt(at).kind, StmtKind::Expr(expr) if self.is_assertion_failure(expr))
    }
}

/// Whether the last argument is a number of bytes.
fn takes_size(operator: Operator) -> bool {
    matches!(
        operator,
        Operator::Copy
            | Operator::Move
            | Operator::Fill
            | Operator::Allocate
            | Operator::AllocateZeroed
            | Operator::CheckApart
            | Operator::IsWhole
    )
}

/// Whether the call has the types that the function has in the library.
fn has_types(
    operator: Operator,
    (word, float): (Ty, Ty),
    given: &[Option<Ty>],
    result: Option<Ty>,
) -> bool {
    let (ptr, word, float) = (Some(Ty::Ptr), Some(word), Some(float));
    match operator {
        Operator::AssertionFailure => true,
        Operator::Assert | Operator::Relate | Operator::Assume => {
            given.first().is_some_and(Option::is_some)
        }
        Operator::Copy | Operator::Move => given == [ptr, ptr, word] && result == ptr,
        Operator::Fill => given == [ptr, Some(Ty::I32), word] && result == ptr,
        Operator::Allocate | Operator::AllocateZeroed => given == [word] && result == ptr,
        Operator::AllocateNothing => given.is_empty() && result == ptr,
        Operator::Free | Operator::CheckFreeable => given == [ptr],
        Operator::CheckApart => given == [ptr, ptr, word],
        Operator::ObjectSize | Operator::ObjectOffset => given == [ptr] && result == word,
        Operator::IsWhole => given == [ptr, word] && result == Some(Ty::I32),
        Operator::Abs | Operator::Sqrt | Operator::Round(_) => given == [float] && result == float,
        Operator::Fmin
        | Operator::Fmax
        | Operator::Fmod
        | Operator::Remainder
        | Operator::CopySign => given == [float; 2] && result == float,
        Operator::Fma => given == [float; 3] && result == float,
        Operator::IsNan | Operator::IsInfSign | Operator::IsFinite | Operator::SignBit => {
            given == [float] && result == Some(Ty::I32)
        }
    }
}
