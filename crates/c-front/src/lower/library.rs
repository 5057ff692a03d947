//! Library functions that the IR has instructions for: assertions and assumptions, memory, floats.
//!
//! They are recognized by name when the program does not define them itself, and only when they are
//! declared with the types they have in the library.

use glassbox_ir::instr::{FloatBinaryOp, FloatUnaryOp, HeapFill};
use glassbox_ir::{DecisionKind, MemoryOp, Operand, PointerOp, PureOp, Terminator, Ty};
use glassbox_values::RoundingMode;

use super::body::BodyLowering;
use crate::tree::{
    Callee, Conversion, Expr, ExprId, ExprKind, FloatTest, FunctionId, StmtId, StmtKind,
};

/// What a known function does.
#[derive(Debug, Clone, Copy)]
enum Known {
    /// Reports a failed assertion and does not return.
    AssertionFailure,
    /// Fails if its first argument is false.
    Assert,
    /// Excludes runs where its first argument is false.
    Assume,
    Copy {
        may_overlap: bool,
    },
    Fill,
    Allocate(HeapFill),
    Free,
    CheckFreeable,
    ObjectSize,
    ObjectOffset,
    FloatUnary(FloatUnaryOp, Ty),
    FloatBinary(FloatBinaryOp, Ty),
    Fma(Ty),
    FloatTest(FloatTest, Ty),
}

impl BodyLowering<'_, '_> {
    /// Lowers the call if the function is known here.
    pub(super) fn known_call(
        &mut self,
        function: FunctionId,
        arguments: &[ExprId],
        expr: &Expr,
    ) -> Option<Operand> {
        let known = self.known(function)?;
        let given: Vec<Option<Ty>> =
            arguments.iter().map(|&argument| self.scalar(self.tree.expr(argument).ty)).collect();
        let result = self.scalar(expr.ty);
        if !has_types(known, &given, result) {
            return None;
        }
        Some(match known {
            Known::AssertionFailure => {
                let message = arguments.first().and_then(|&first| self.literal_text(first));
                self.at(expr.span);
                self.fail_assertion(message);
                Operand::NullPtr
            }
            Known::Assert => {
                self.assertion(arguments[0], arguments.get(1).copied(), expr);
                Operand::NullPtr
            }
            Known::Assume => {
                self.assume(arguments[0]);
                Operand::NullPtr
            }
            Known::Copy { .. }
            | Known::Fill
            | Known::Allocate(_)
            | Known::Free
            | Known::CheckFreeable
            | Known::ObjectSize
            | Known::ObjectOffset => {
                let values = self.plain_arguments(arguments);
                self.at(expr.span);
                self.known_memory(known, &values)
            }
            Known::FloatUnary(op, ty) => {
                let arg = self.plain_arguments(arguments)[0];
                self.at(expr.span);
                self.emit(PureOp::FloatUnary { op, arg }, ty)
            }
            Known::FloatBinary(op, ty) => {
                let values = self.plain_arguments(arguments);
                self.at(expr.span);
                self.emit(PureOp::FloatBinary { op, lhs: values[0], rhs: values[1] }, ty)
            }
            Known::Fma(ty) => {
                let values = self.plain_arguments(arguments);
                self.at(expr.span);
                let (x, y, z) = (values[0], values[1], values[2]);
                self.emit(PureOp::FloatFma { x, y, z }, ty)
            }
            Known::FloatTest(test, _) => {
                let arg = self.plain_arguments(arguments)[0];
                self.at(expr.span);
                self.float_test(test, arg)
            }
        })
    }

    fn known_memory(&mut self, known: Known, values: &[Operand]) -> Operand {
        match known {
            Known::Copy { may_overlap } => {
                self.copy_bytes(values[0], values[1], values[2], may_overlap)
            }
            Known::Fill => self.fill_bytes(values[0], values[1], values[2]),
            Known::Allocate(fill) => {
                self.emit(MemoryOp::HeapAlloc { size: values[0], fill }, Ty::Ptr)
            }
            Known::Free => {
                self.free(values[0]);
                Operand::NullPtr
            }
            Known::CheckFreeable => {
                self.check_freeable(values[0]);
                Operand::NullPtr
            }
            Known::ObjectSize => self.emit(PointerOp::ObjectSize { ptr: values[0] }, Ty::I64),
            Known::ObjectOffset => self.emit(PointerOp::ObjectOffset { ptr: values[0] }, Ty::I64),
            Known::AssertionFailure
            | Known::Assert
            | Known::Assume
            | Known::FloatUnary(..)
            | Known::FloatBinary(..)
            | Known::Fma(_)
            | Known::FloatTest(..) => unreachable!("only memory functions should come here"),
        }
    }

    /// Argument values, evaluated right to left like those of a real call.
    pub(super) fn plain_arguments(&mut self, arguments: &[ExprId]) -> Vec<Operand> {
        let mut values: Vec<Operand> =
            arguments.iter().rev().map(|&argument| self.value(argument)).collect();
        values.reverse();
        values
    }

    fn known(&self, function: FunctionId) -> Option<Known> {
        let declared = self.tree.function(function);
        if declared.body.is_some() {
            return None;
        }
        known_by_name(self.tree.name(declared.name))
    }

    /// `assert(condition)` as a function.
    fn assertion(&mut self, condition: ExprId, message: Option<ExprId>, expr: &Expr) {
        let holds = self.b.new_block();
        let fails = self.b.new_block();
        self.decide(condition, DecisionKind::Assertion, holds, fails);
        self.b.switch_to(fails);
        self.at(expr.span);
        let message = message
            .and_then(|message| self.literal_text(message))
            .or_else(|| Some(self.program.sources.snippet(self.tree.expr(condition).span)));
        self.check_never(glassbox_ir::CheckKind::Assertion, message);
        self.b.terminate(Terminator::Unreachable);
        self.b.switch_to(holds);
    }

    /// The text of a string literal argument.
    fn literal_text(&self, id: ExprId) -> Option<String> {
        match &self.tree.expr(id).kind {
            ExprKind::Convert { operand, .. } => self.literal_text(*operand),
            ExprKind::String(string) => {
                let literal = self.tree.string(*string);
                let bytes = literal.bytes.strip_suffix(&[0]).unwrap_or(&literal.bytes);
                (literal.element_size == 1).then(|| String::from_utf8_lossy(bytes).into_owned())
            }
            _ => None,
        }
    }

    /// The expression is a call that reports a failed assertion.
    pub(super) fn is_assertion_failure(&self, id: ExprId) -> bool {
        match &self.tree.expr(id).kind {
            ExprKind::Convert { conversion: Conversion::ToVoid, operand, .. } => {
                self.is_assertion_failure(*operand)
            }
            ExprKind::Call { callee: Callee::Direct(function), .. } => {
                matches!(self.known(*function), Some(Known::AssertionFailure))
            }
            _ => false,
        }
    }

    /// The statement is nothing but such a call, as in the GNU form of `assert`.
    pub(super) fn is_assertion_failure_stmt(&self, id: StmtId) -> bool {
        match &self.tree.stmt(id).kind {
            StmtKind::Expr(expr) => self.is_assertion_failure(*expr),
            StmtKind::Block(stmts) => match &**stmts {
                [only] => self.is_assertion_failure_stmt(*only),
                _ => false,
            },
            _ => false,
        }
    }
}

fn known_by_name(name: &str) -> Option<Known> {
    let known = match name {
        "__assert_fail"
        | "__assert"
        | "__assert_func"
        | "__assert_rtn"
        | "_assert"
        | "__assert_perror_fail"
        | "reach_error"
        | "__VERIFIER_error" => Known::AssertionFailure,
        // Programs that do not include `assert.h` call a function of this name.
        "assert"
        | "__VERIFIER_assert"
        | "__CPROVER_assert"
        | "__CPROVER_precondition"
        | "__CPROVER_postcondition"
        | "__ESBMC_assert"
        | "klee_assert"
        | "__glassbox_ensure" => Known::Assert,
        "__VERIFIER_assume" | "__CPROVER_assume" | "__ESBMC_assume" | "klee_assume"
        | "__glassbox_assume" => Known::Assume,
        "memcpy" | "__glassbox_copy" => Known::Copy { may_overlap: false },
        "memmove" | "__glassbox_move" => Known::Copy { may_overlap: true },
        "memset" | "__glassbox_fill" => Known::Fill,
        "malloc" | "__glassbox_alloc" => Known::Allocate(HeapFill::Uninitialized),
        "__glassbox_alloc_zeroed" => Known::Allocate(HeapFill::Zeros),
        "free" | "cfree" | "__glassbox_free" => Known::Free,
        "__glassbox_check_freeable" => Known::CheckFreeable,
        "__glassbox_size" => Known::ObjectSize,
        "__glassbox_offset" => Known::ObjectOffset,
        _ => return known_float(name),
    };
    Some(known)
}

fn known_float(name: &str) -> Option<Known> {
    let (stem, ty) = match name.strip_suffix('f') {
        // `modf` and `fdimf` are not in the list below, so a plain suffix test is enough.
        Some(stem) if float_stem(stem).is_some() => (stem, Ty::F32),
        _ => (name, Ty::F64),
    };
    let known = match float_stem(stem)? {
        FloatStem::Unary(op) => Known::FloatUnary(op, ty),
        FloatStem::Binary(op) => Known::FloatBinary(op, ty),
        FloatStem::Fma => Known::Fma(ty),
        FloatStem::Test(test) => Known::FloatTest(test, ty),
    };
    Some(known)
}

enum FloatStem {
    Unary(FloatUnaryOp),
    Binary(FloatBinaryOp),
    Fma,
    Test(FloatTest),
}

fn float_stem(stem: &str) -> Option<FloatStem> {
    let round = |mode| FloatStem::Unary(FloatUnaryOp::Round(mode));
    Some(match stem {
        "fabs" => FloatStem::Unary(FloatUnaryOp::Abs),
        "sqrt" => FloatStem::Unary(FloatUnaryOp::Sqrt),
        "floor" => round(RoundingMode::TowardNegative),
        "ceil" => round(RoundingMode::TowardPositive),
        "trunc" => round(RoundingMode::TowardZero),
        "round" => round(RoundingMode::NearestAway),
        "rint" | "nearbyint" | "roundeven" => round(RoundingMode::NearestEven),
        "fmin" => FloatStem::Binary(FloatBinaryOp::Fmin),
        "fmax" => FloatStem::Binary(FloatBinaryOp::Fmax),
        "fmod" => FloatStem::Binary(FloatBinaryOp::Fmod),
        "remainder" => FloatStem::Binary(FloatBinaryOp::Remainder),
        "copysign" => FloatStem::Binary(FloatBinaryOp::CopySign),
        "fma" => FloatStem::Fma,
        "__isnan" => FloatStem::Test(FloatTest::IsNan),
        "__isinf" => FloatStem::Test(FloatTest::IsInfSign),
        "__finite" => FloatStem::Test(FloatTest::IsFinite),
        "__signbit" => FloatStem::Test(FloatTest::SignBit),
        _ => return None,
    })
}

/// Whether the call has the types that the function has in the library.
fn has_types(known: Known, given: &[Option<Ty>], result: Option<Ty>) -> bool {
    let (ptr, i64) = (Some(Ty::Ptr), Some(Ty::I64));
    match known {
        Known::AssertionFailure => true,
        Known::Assert | Known::Assume => given.first().is_some_and(Option::is_some),
        Known::Copy { .. } => given == [ptr, ptr, i64] && result == ptr,
        Known::Fill => given == [ptr, Some(Ty::I32), i64] && result == ptr,
        Known::Allocate(_) => given == [i64] && result == ptr,
        Known::Free | Known::CheckFreeable => given == [ptr],
        Known::ObjectSize | Known::ObjectOffset => given == [ptr] && result == i64,
        Known::FloatUnary(_, ty) => given == [Some(ty)] && result == Some(ty),
        Known::FloatBinary(_, ty) => given == [Some(ty); 2] && result == Some(ty),
        Known::Fma(ty) => given == [Some(ty); 3] && result == Some(ty),
        Known::FloatTest(_, ty) => given == [Some(ty)] && result == Some(Ty::I32),
    }
}
