//! Statements: the dispatcher, blocks, `if`, `return`.

use glassbox_ir::{
    DecisionKind, InstrKind, Mark, Operand, Origin, Presumption, ResultPassing, Terminator,
};

use super::body::{BodyLowering, zero};
use crate::span::Span;
use crate::tree::{ExprId, StmtId, StmtKind};

impl<'t> BodyLowering<'_, 't> {
    pub(super) fn stmt(&mut self, id: StmtId) {
        if self.nested(|this| this.stmt_of(id)).is_none() {
            self.at(self.tree.stmt(id).span);
            self.unsupported("statements nested too deeply", None);
        }
    }

    /// Says what is taken for granted about compilers by what a statement is lowered to.
    fn mark_presumptions(&mut self, id: StmtId) {
        let presumed: Vec<(Presumption, Span)> = self.program.open.of_statement(id).collect();
        let func = self.program.function_id(self.function);
        if self.program.out.function(func).origin == Origin::LibraryModel {
            return;
        }
        for (what, place) in presumed {
            self.at(place);
            self.b.push(InstrKind::Mark(Mark::Presumes(what)));
        }
    }

    fn stmt_of(&mut self, id: StmtId) {
        let tree = self.tree;
        let stmt = tree.stmt(id);
        self.mark_presumptions(id);
        self.at(stmt.span);
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(expr) => {
                self.mark_statement();
                self.effect(*expr);
            }
            StmtKind::Block(stmts) => self.block(id, stmts),
            StmtKind::Declare { variable, init } => {
                self.declare(*variable, init.as_ref(), stmt.span);
            }
            StmtKind::SetVlaLength { variable, length } => self.set_vla_length(*variable, *length),
            StmtKind::If { condition, then, otherwise } => {
                self.mark_statement();
                self.if_stmt(*condition, *then, *otherwise);
            }
            StmtKind::While { condition, body } => {
                self.mark_statement();
                self.while_loop(*condition, *body);
            }
            StmtKind::DoWhile { body, condition } => {
                self.mark_statement();
                self.do_while_loop(*body, *condition);
            }
            StmtKind::For { init, condition, step, body } => {
                self.mark_statement();
                self.for_loop(id, init, *condition, *step, *body);
            }
            StmtKind::Switch { value, labels, body } => {
                self.mark_statement();
                self.switch_stmt(*value, labels, *body);
            }
            StmtKind::Case { body, .. } | StmtKind::Default { body } => {
                self.case_label(id);
                self.stmt(*body);
            }
            StmtKind::Break => {
                self.mark_statement();
                self.break_stmt();
            }
            StmtKind::Continue => {
                self.mark_statement();
                self.continue_stmt();
            }
            StmtKind::Goto(label) => {
                self.mark_statement();
                self.goto(*label);
            }
            StmtKind::GotoComputed(target) => {
                self.mark_statement();
                self.goto_computed(*target);
            }
            StmtKind::Label { label, body } => {
                self.label(*label);
                self.stmt(*body);
            }
            StmtKind::Return(value) => {
                self.mark_statement();
                self.return_stmt(*value, stmt.span);
            }
            StmtKind::Unsupported(what) => {
                self.mark_statement();
                self.unsupported(what.to_string(), None);
            }
            StmtKind::UnsupportedJump { what, labels } => {
                self.mark_statement();
                self.unsupported_jump(&what.to_string(), labels);
            }
        }
    }

    fn block(&mut self, id: StmtId, stmts: &'t [StmtId]) {
        // Every block was seen by the scan; one that was not has no variables of its own.
        let scope = self.scopes.of_stmt(id);
        if let Some(scope) = scope {
            self.enter_scope(scope);
        }
        for &stmt in stmts {
            self.stmt(stmt);
        }
        if scope.is_some() {
            let end = self.tree.stmt(id).span.end;
            self.at(Span::new(end.saturating_sub(1), end));
            self.leave_scope();
        }
    }

    fn if_stmt(&mut self, condition: ExprId, then: StmtId, otherwise: Option<StmtId>) {
        let is_empty = matches!(self.tree.stmt(then).kind, StmtKind::Empty);
        let fails = otherwise.is_some_and(|stmt| self.is_assertion_failure_stmt(stmt));
        let kind = if is_empty && fails { DecisionKind::Assertion } else { DecisionKind::If };
        let if_true = self.b.new_block();
        let if_false = self.b.new_block();
        self.decide(condition, kind, if_true, if_false);
        self.b.switch_to(if_true);
        self.stmt(then);
        let Some(otherwise) = otherwise else {
            self.fall_into(if_false);
            return;
        };
        let join = self.b.new_block();
        self.jump_to(join);
        self.b.switch_to(if_false);
        self.stmt(otherwise);
        self.fall_into(join);
    }

    fn return_stmt(&mut self, value: Option<ExprId>, span: Span) {
        let value = value.map(|value| (self.tree.expr(value).ty, self.value(value)));
        self.at(span);
        let returned = match (self.result, value) {
            (ResultPassing::Void, _) => None,
            (ResultPassing::Direct(ty), Some((_, value))) if self.b.operand_ty(value) == ty => {
                Some(value)
            }
            (ResultPassing::Direct(ty), _) => {
                // `return;` in a function with a result: undefined only if the caller uses it.
                let func = self.program.function_id(self.function);
                self.program.results.ends.push((func, self.b.current()));
                self.check_never(glassbox_ir::CheckKind::MissingReturn, None);
                self.b.terminate(Terminator::Unreachable);
                self.start_dead_block();
                Some(zero(ty))
            }
            (ResultPassing::Indirect, Some((ty, value))) => {
                let param = self.b.body().blocks[0].params.first().copied();
                if let Some(result) = param {
                    self.copy_record(Operand::Value(result), value, ty);
                }
                None
            }
            (ResultPassing::Indirect, None) => None,
        };
        self.end_with(Terminator::Return(returned));
    }
}
