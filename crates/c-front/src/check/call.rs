//! Calls.

use super::Checker;
use crate::diagnostics::TypeProblem;
use crate::span::Span;
use crate::tree::{Callee, Conversion, ExprId, ExprKind};
use crate::ty::kind::{FunctionType, PrototypeStyle};

impl Checker<'_> {
    pub(crate) fn call(&mut self, callee: ExprId, arguments: Vec<ExprId>, span: Span) -> ExprId {
        let callee = self.value(callee);
        if self.is_error(callee) {
            return self.error_node(span);
        }
        let target = self.program.types.pointee(self.ty(callee));
        let function = target.and_then(|ty| self.program.types.function_type(ty)).cloned();
        let Some(function) = function else {
            let ty = self.show(self.ty(callee));
            self.error(TypeProblem::NotAFunction { ty }, span);
            return self.error_node(span);
        };
        let Some(arguments) = self.arguments(&function, arguments, span) else {
            return self.error_node(span);
        };
        let result = self.program.types.unqualified(function.result);
        if !self.program.types.is_void(result) && !self.require_complete(result, span) {
            return self.error_node(span);
        }
        let callee = if let ExprKind::Convert { conversion, operand, .. } =
            self.program.expr(callee).kind
            && conversion == Conversion::FunctionDecay
            && let ExprKind::Function(id) = self.program.expr(operand).kind
        {
            Callee::Direct(id)
        } else {
            Callee::Indirect(callee)
        };
        let kind = ExprKind::Call { callee, arguments: arguments.into() };
        self.value_node(kind, result, span)
    }

    /// The arguments as the callee gets them; `None` if that was diagnosed.
    fn arguments(
        &mut self,
        function: &FunctionType,
        arguments: Vec<ExprId>,
        span: Span,
    ) -> Option<Vec<ExprId>> {
        let has_prototype = function.style == PrototypeStyle::Prototype;
        let (expected, found) = (function.parameters.len(), arguments.len());
        if has_prototype && found < expected {
            self.error(TypeProblem::TooFewArguments { expected, found }, span);
            return None;
        }
        if has_prototype && found > expected && !function.is_variadic {
            let place = arguments.get(expected).map_or(span, |&extra| self.span(extra));
            self.error(TypeProblem::TooManyArguments { expected, found }, place);
            return None;
        }
        let mut out = Vec::with_capacity(found);
        let mut is_bad = false;
        for (index, argument) in arguments.into_iter().enumerate() {
            let argument = match function.parameters.get(index) {
                Some(&parameter) if has_prototype => self.convert_assign(argument, parameter),
                _ => {
                    let value = self.real_value(argument);
                    self.promote_argument(value)
                }
            };
            is_bad |= self.is_error(argument);
            out.push(argument);
        }
        (!is_bad).then_some(out)
    }
}
