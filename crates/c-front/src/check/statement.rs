//! Statements that need checking beyond their parts.

use super::Checker;
use super::function::SwitchState;
use crate::diagnostics::{TypeProblem, TypeWarning};
use crate::names::Name;
use crate::span::Span;
use crate::tree::{ExprId, ExprKind, StmtId, StmtKind, Unsupported};
use crate::ty::table::TypeTable;

impl Checker<'_> {
    /// Opens a switch on a value; gives the promoted value.
    pub(crate) fn begin_switch(&mut self, value: ExprId) -> ExprId {
        let mut value = self.value(value);
        if !self.program.types.is_integer(self.ty(value)) {
            if !self.is_error(value) {
                let ty = self.show(self.ty(value));
                self.error(TypeProblem::SwitchType { ty }, self.span(value));
            }
            value = self.small_int(0, self.span(value));
        }
        let value = self.promote(value);
        let ty = self.ty(value);
        if let Some(function) = &mut self.function {
            function.switches.push(SwitchState {
                ty,
                labels: Vec::new(),
                ranges: std::collections::BTreeMap::new(),
                default: None,
            });
            function.breakable += 1;
        }
        value
    }

    pub(crate) fn end_switch(&mut self, value: ExprId, body: StmtId, span: Span) -> StmtId {
        let mut labels = Vec::new();
        if let Some(function) = &mut self.function {
            function.breakable -= 1;
            labels = function.switches.pop().map_or(Vec::new(), |switch| switch.labels);
        }
        self.statement(StmtKind::Switch { value, labels: labels.into(), body }, span)
    }

    pub(crate) fn begin_loop(&mut self) {
        if let Some(function) = &mut self.function {
            function.breakable += 1;
            function.continuable += 1;
        }
    }

    pub(crate) fn end_loop(&mut self) {
        if let Some(function) = &mut self.function {
            function.breakable -= 1;
            function.continuable -= 1;
        }
    }

    pub(crate) fn break_statement(&mut self, span: Span) -> StmtId {
        if self.function.as_ref().is_none_or(|function| function.breakable == 0) {
            self.error(TypeProblem::BreakOutside, span);
            return self.statement(StmtKind::Empty, span);
        }
        self.statement(StmtKind::Break, span)
    }

    pub(crate) fn continue_statement(&mut self, span: Span) -> StmtId {
        if self.function.as_ref().is_none_or(|function| function.continuable == 0) {
            self.error(TypeProblem::ContinueOutside, span);
            return self.statement(StmtKind::Empty, span);
        }
        self.statement(StmtKind::Continue, span)
    }

    pub(crate) fn return_statement(&mut self, value: Option<ExprId>, span: Span) -> StmtId {
        let Some(result) = self.function.as_ref().map(|function| function.result) else {
            self.error(TypeProblem::ReturnOutside, span);
            return self.statement(StmtKind::Empty, span);
        };
        let is_void = self.program.types.is_void(result);
        let value = match value {
            Some(value) if is_void => {
                let value = self.value(value);
                if self.program.types.is_void(self.ty(value)) {
                    // GNU: `return f();` where both are void.
                    let effect = self.statement(StmtKind::Expr(value), span);
                    let leave = self.statement(StmtKind::Return(None), span);
                    return self.statement(StmtKind::Block(Box::new([effect, leave])), span);
                }
                if !self.is_error(value) {
                    // gcc warns and evaluates the value for its effects.
                    self.warn(TypeWarning::ReturnValueInVoid, span);
                    let effect = self.statement(StmtKind::Expr(value), span);
                    let leave = self.statement(StmtKind::Return(None), span);
                    return self.statement(StmtKind::Block(Box::new([effect, leave])), span);
                }
                None
            }
            Some(value) => Some(self.kept_value(value, result)),
            None => {
                if !is_void && !self.program.types.is_error(result) {
                    self.warn(TypeWarning::MissingReturnValue, span);
                }
                None
            }
        };
        self.statement(StmtKind::Return(value), span)
    }

    /// `goto *target;`
    pub(crate) fn goto_computed(&mut self, target: ExprId, span: Span) -> StmtId {
        // Tables of labels are often const: qualifiers do not matter here.
        let target = self.value(target);
        let target = if self.program.types.is_pointer(self.ty(target)) {
            self.convert_scalar(target, TypeTable::VOID_POINTER)
        } else {
            self.convert_assign(target, TypeTable::VOID_POINTER)
        };
        self.statement(StmtKind::GotoComputed(target), span)
    }

    /// An expression statement: evaluated for effects, a void cast is not needed.
    pub(crate) fn expression_statement(&mut self, expr: ExprId, span: Span) -> StmtId {
        // A bare variable reference still is a read of it, if volatile; decay is enough for the rest.
        let is_place = matches!(
            self.program.expr(expr).kind,
            ExprKind::Variable(_) | ExprKind::Deref(_) | ExprKind::Member { .. }
        );
        let is_read = is_place && self.program.types.is_complete(self.ty(expr));
        let expr = if is_read { self.value(expr) } else { expr };
        self.statement(StmtKind::Expr(expr), span)
    }

    pub(crate) fn assembly_statement(&mut self, is_barrier: bool, span: Span) -> StmtId {
        if is_barrier {
            return self.statement(StmtKind::Empty, span);
        }
        self.statement(StmtKind::Unsupported(Unsupported::InlineAssembly), span)
    }

    /// Something not modelled that may also jump to labels.
    pub(crate) fn unsupported_jump(
        &mut self,
        what: Unsupported,
        labels: &[(Name, Span)],
        span: Span,
    ) -> StmtId {
        let labels = labels.iter().filter_map(|&(name, at)| self.use_label(name, at)).collect();
        self.statement(StmtKind::UnsupportedJump { what, labels }, span)
    }

    /// Begins `({`.
    pub(crate) fn begin_statement_expr(&mut self) {
        let next = self.program.next_expr();
        if let Some(function) = &mut self.function {
            function.statement_expr_starts.push(next);
        }
    }

    /// Ends `({ ... })`: if the last statement is an expression it gives the value.
    pub(crate) fn end_statement_expr(&mut self, mut statements: Vec<StmtId>, span: Span) -> ExprId {
        let mut result = None;
        let mut ty = TypeTable::VOID;
        if let Some(&last) = statements.last() {
            let kind = &self.program.stmt(last).kind;
            let expr = if let StmtKind::Expr(expr) = *kind {
                statements.pop();
                Some(expr)
            } else if let StmtKind::Label { label, body } = *kind {
                self.split_label(label, body, last)
            } else {
                None
            };
            if let Some(expr) = expr {
                let expr = self.value(expr);
                ty = self.ty(expr);
                result = Some(expr);
            }
        }
        let kind = ExprKind::StatementExpr { statements: statements.into(), result };
        let out = self.value_node(kind, ty, span);
        if let Some(function) = &mut self.function {
            function.statement_expr_starts.pop();
        }
        out
    }

    /// `label: expr;` at the end of a statement expression: the label stays, the value moves out.
    fn split_label(
        &mut self,
        label: crate::tree::LabelId,
        body: StmtId,
        statement: StmtId,
    ) -> Option<ExprId> {
        let StmtKind::Expr(expr) = self.program.stmt(body).kind else { return None };
        let empty = self.statement(StmtKind::Empty, self.program.stmt(body).span);
        self.program.stmt_mut(statement).kind = StmtKind::Label { label, body: empty };
        Some(expr)
    }
}
