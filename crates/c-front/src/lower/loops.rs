//! Loops, `break`, `continue`.

use glassbox_ir::{BlockId, DecisionKind};

use super::body::{BodyLowering, JumpTarget, Jumps};
use crate::tree::{ExprId, StmtId};

impl<'t> BodyLowering<'_, 't> {
    pub(super) fn while_loop(&mut self, condition: ExprId, body: StmtId) {
        let test = self.b.new_block();
        let inside = self.b.new_block();
        let after = self.b.new_block();
        self.fall_into(test);
        self.decide(condition, DecisionKind::While, inside, after);
        self.b.switch_to(inside);
        self.loop_body(body, after, test);
        self.jump_to(test);
        self.b.switch_to(after);
    }

    pub(super) fn do_while_loop(&mut self, body: StmtId, condition: ExprId) {
        let inside = self.b.new_block();
        let test = self.b.new_block();
        let after = self.b.new_block();
        self.fall_into(inside);
        self.loop_body(body, after, test);
        self.fall_into(test);
        self.decide(condition, DecisionKind::DoWhile, inside, after);
        self.b.switch_to(after);
    }

    pub(super) fn for_loop(
        &mut self,
        id: StmtId,
        init: &'t [StmtId],
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    ) {
        let scope = self.scopes.of_stmt(id);
        if let Some(scope) = scope {
            self.enter_scope(scope);
        }
        for &stmt in init {
            self.stmt(stmt);
        }
        let test = self.b.new_block();
        let inside = self.b.new_block();
        let advance = self.b.new_block();
        let after = self.b.new_block();
        self.fall_into(test);
        match condition {
            Some(condition) => self.decide(condition, DecisionKind::For, inside, after),
            None => self.jump_to(inside),
        }
        self.b.switch_to(inside);
        self.loop_body(body, after, advance);
        self.fall_into(advance);
        if let Some(step) = step {
            self.at(self.tree.expr(step).span);
            self.effect(step);
        }
        self.jump_to(test);
        self.b.switch_to(after);
        if scope.is_some() {
            self.leave_scope();
        }
    }

    fn loop_body(&mut self, body: StmtId, on_break: BlockId, on_continue: BlockId) {
        self.jumps.push(Jumps {
            on_break: JumpTarget { block: on_break, scope: self.scope },
            on_continue: Some(JumpTarget { block: on_continue, scope: self.scope }),
            n_vlas: self.vlas.len(),
        });
        self.stmt(body);
        self.jumps.pop();
    }

    pub(super) fn break_stmt(&mut self) {
        match self.jumps.last().copied() {
            Some(Jumps { on_break, n_vlas, .. }) => self.leave(on_break, n_vlas),
            None => {
                self.unsupported("a `break` outside of any loop or switch", None);
            }
        }
    }

    pub(super) fn continue_stmt(&mut self) {
        let mut outward = self.jumps.iter().rev();
        match outward.find_map(|jumps| Some((jumps.on_continue?, jumps.n_vlas))) {
            Some((on_continue, n_vlas)) => self.leave(on_continue, n_vlas),
            None => {
                self.unsupported("a `continue` outside of any loop", None);
            }
        }
    }

    /// Jumps out of the scopes inside the target's.
    fn leave(&mut self, target: JumpTarget, n_vlas: usize) {
        self.free_vlas_for_jump(target.scope, Some(n_vlas));
        self.cross_scopes(target.scope);
        self.jump_to(target.block);
        self.start_dead_block();
    }
}
