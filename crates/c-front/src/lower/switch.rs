//! `switch`: cases anywhere inside the body, even inside loops (Duff's device).

use glassbox_ir::{BlockId, SwitchCase, Target, Terminator, UseKind};

use super::body::{BodyLowering, JumpTarget, Jumps};
use super::scope::ScopeId;
use crate::span::Span;
use crate::tree::{ExprId, StmtId, StmtKind};

impl<'t> BodyLowering<'_, 't> {
    pub(super) fn switch_stmt(&mut self, value: ExprId, labels: &'t [StmtId], body: StmtId) {
        let saved = std::mem::replace(&mut self.use_kind, UseKind::Predicate);
        let operand = self.value(value);
        self.use_kind = saved;
        self.at(self.tree.expr(value).span);
        let dispatch = self.b.current();
        let after = self.b.new_block();
        let mut cases = Vec::new();
        let mut default = Target::new(after);
        for &label in labels {
            let block = self.b.new_block();
            self.cases.insert(label, block);
            let entry = self.entry_into(label, block, dispatch);
            let target = Target::new(entry);
            if let StmtKind::Case { low, high, .. } = self.tree.stmt(label).kind {
                let span = self.program.place_of(self.case_span(label));
                cases.push(SwitchCase { low, high, target, span });
            } else {
                default = target;
            }
        }
        self.b.switch_to(dispatch);
        self.at(self.tree.expr(value).span);
        let has_int_value = matches!(self.b.operand_ty(operand), glassbox_ir::Ty::Int(_));
        if has_int_value {
            self.b.terminate(Terminator::Switch { value: operand, cases, default });
        } else {
            self.unsupported("a switch on this type", None);
            self.b.terminate(Terminator::Jump(default));
        }
        self.start_dead_block();
        self.jumps.push(Jumps {
            on_break: JumpTarget { block: after, scope: self.scope },
            on_continue: None,
            n_vlas: self.vlas.len(),
        });
        self.stmt(body);
        self.jumps.pop();
        self.fall_into(after);
    }

    /// `case 3:` without the statement that follows.
    fn case_span(&self, label: StmtId) -> Span {
        let stmt = self.tree.stmt(label);
        let StmtKind::Case { body, .. } = stmt.kind else { return stmt.span };
        let end = self.tree.stmt(body).span.start.clamp(stmt.span.start, stmt.span.end);
        Span::new(stmt.span.start, end)
    }

    /// The block that the switch jumps to for a label: the label's own, or one before it that starts
    /// the locals of the scopes jumped into.
    fn entry_into(&mut self, label: StmtId, block: BlockId, dispatch: BlockId) -> BlockId {
        let outer: ScopeId = self.scope;
        let inner = self.scopes.of_case(label).unwrap_or(outer);
        if !self.scopes.contains(outer, inner) || !self.starts_something(outer, inner) {
            return block;
        }
        let entry = self.b.new_block();
        self.b.switch_to(entry);
        self.start_scopes_between(outer, inner);
        self.jump_to(block);
        self.b.switch_to(dispatch);
        entry
    }

    /// Control falls through a label into what follows.
    pub(super) fn case_label(&mut self, id: StmtId) {
        if let Some(&block) = self.cases.get(&id) {
            self.fall_into(block);
        }
    }
}
