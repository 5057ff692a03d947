//! Labels, `goto`, and GNU's computed `goto`.

use glassbox_ir::instr::CastOp;
use glassbox_ir::{BlockId, PureOp, SwitchCase, Target, Terminator, Ty};
use glassbox_values::Bits;

use super::body::BodyLowering;
use crate::tree::{ExprId, LabelId};

impl BodyLowering<'_, '_> {
    fn label_block(&mut self, label: LabelId) -> BlockId {
        if let Some(&block) = self.labels.get(&label) {
            return block;
        }
        let block = self.b.new_block();
        self.labels.insert(label, block);
        block
    }

    pub(super) fn label(&mut self, label: LabelId) {
        let block = self.label_block(label);
        let n_vlas = self.vlas.len();
        self.vlas_at_label.insert(label, n_vlas);
        self.fall_into(block);
    }

    pub(super) fn goto(&mut self, label: LabelId) {
        let Some(scope) = self.scopes.of_label(label) else {
            self.unsupported("a jump into a statement expression", None);
            return;
        };
        let block = self.label_block(label);
        let n_alive = self.vlas_at_label.get(&label).copied();
        self.free_vlas_for_jump(scope, n_alive);
        self.cross_scopes(scope);
        self.jump_to(block);
        self.start_dead_block();
    }

    /// What is not modeled chooses whether control goes on behind it or at one of the labels.
    pub(super) fn unsupported_jump(&mut self, what: &str, labels: &[LabelId]) {
        let value = self.unsupported(what, Some(Ty::I64));
        let dispatch = self.b.current();
        let span = self.b.span();
        let mut cases = Vec::new();
        for (&label, number) in labels.iter().zip(1..) {
            let entry = self.b.new_block();
            self.b.switch_to(entry);
            self.goto(label);
            let number = Bits::from_u64(number, 64);
            cases.push(SwitchCase { low: number, high: number, target: Target::new(entry), span });
        }
        let behind = self.b.new_block();
        self.b.switch_to(dispatch);
        self.b.terminate(Terminator::Switch { value, cases, default: Target::new(behind) });
        self.b.switch_to(behind);
    }

    /// `goto *target`: a switch over the labels whose address the function takes.
    pub(super) fn goto_computed(&mut self, target: ExprId) {
        let ptr = self.value(target);
        let op = CastOp::PtrToInt;
        let value = self.emit(PureOp::Cast { op, arg: ptr, to: Ty::I64 }, Ty::I64);
        let labels = match &self.tree.function(self.function).body {
            Some(body) => body.labels.clone(),
            None => Vec::new(),
        };
        let dispatch = self.b.current();
        let span = self.b.span();
        let mut cases = Vec::new();
        for label in labels {
            if !self.tree.label(label).is_address_taken || self.scopes.of_label(label).is_none() {
                continue;
            }
            let number = Bits::from_u64(self.program.label_number(label), 64);
            let entry = self.b.new_block();
            self.b.switch_to(entry);
            self.goto(label);
            let target = Target::new(entry);
            cases.push(SwitchCase { low: number, high: number, target, span });
        }
        let nowhere = self.b.new_block();
        self.b.switch_to(nowhere);
        self.unsupported("a computed goto to an unknown place", None);
        self.b.terminate(Terminator::Unreachable);
        self.b.switch_to(dispatch);
        self.b.terminate(Terminator::Switch { value, cases, default: Target::new(nowhere) });
        self.start_dead_block();
    }
}
