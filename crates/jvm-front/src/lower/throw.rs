//! Exceptions: instructions that throw by themselves, and exceptions that callees leave behind.

use glassbox_ir::{BranchOrigin, Condition, Decision, DecisionKind, Formula, FuncId, Operand, Ty};

use super::method::{Malformed, MethodLowering};
use crate::library::Thrower;

impl MethodLowering<'_> {
    /// Throws when `condition` holds; goes on otherwise.
    pub(super) fn throw_if(
        &mut self,
        condition: Operand,
        thrower: Thrower,
        args: Vec<Operand>,
    ) -> Result<(), Malformed> {
        let origin = if self.is_own { Some(self.throw_origin(thrower)) } else { None };
        let site = self.begin_by_instruction(thrower, condition);
        let (bad, good) = (self.emit.new_block(), self.emit.new_block());
        self.emit.branch(condition, bad, good, origin);
        self.emit.switch_to(bad);
        self.call_thrower(thrower, args);
        self.label_exception(site);
        let landing = self.landing()?;
        self.emit.jump(landing);
        self.emit.switch_to(good);
        Ok(())
    }

    /// Throws; the current block ends.
    pub(super) fn throw_now(
        &mut self,
        thrower: Thrower,
        args: Vec<Operand>,
    ) -> Result<(), Malformed> {
        self.call_thrower(thrower, args);
        let landing = self.landing()?;
        self.emit.jump(landing);
        Ok(())
    }

    fn call_thrower(&mut self, thrower: Thrower, args: Vec<Operand>) {
        match self.cx.thrower(thrower) {
            Some(function) => {
                let n_params = self.cx.program.function(function).params.len();
                let args = args.into_iter().take(n_params).collect();
                self.emit.call(function, args, None);
            }
            None => {
                self.emit.unsupported(thrower.exception(), None);
            }
        }
    }

    fn throw_origin(&mut self, thrower: Thrower) -> BranchOrigin {
        let span = self.span_at(self.label);
        let text = thrower.exception().to_owned();
        let decision = self.emit.builder.new_decision(Decision {
            kind: DecisionKind::Throws,
            span,
            conditions: vec![Condition { span, text }],
            formula: Formula::Condition(0),
        });
        BranchOrigin {
            decision,
            condition: 0,
            is_positive: true,
            outcome_if_true: Some(true),
            outcome_if_false: Some(false),
        }
    }

    /// After a call: an exception that the callee threw goes to a handler or further up.
    pub(super) fn propagate(&mut self, callee: FuncId) -> Result<(), Malformed> {
        self.note_handlers(callee);
        let pending = self.cx.pending;
        let exception = self.emit.load_global(Ty::Ptr, pending);
        let is_none = self.emit.is_null(exception);
        let good = self.emit.new_block();
        let landing = self.landing()?;
        if self.is_judged(callee) {
            let bad = self.emit.new_block();
            self.emit.branch(is_none, good, bad, None);
            self.emit.switch_to(bad);
            self.begin_in_library(callee, exception);
            self.emit.jump(landing);
        } else {
            self.emit.branch(is_none, good, landing, None);
        }
        self.emit.switch_to(good);
        Ok(())
    }
}
