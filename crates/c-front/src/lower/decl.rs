//! Declarations of automatic variables.

use glassbox_ir::MemoryOp;

use super::body::{BodyLowering, Slot};
use crate::span::Span;
use crate::tree::{Init, VariableId};

impl BodyLowering<'_, '_> {
    /// The declaration is reached. Its object is alive since its block was entered.
    pub(super) fn declare(&mut self, id: VariableId, init: Option<&Init>, span: Span) {
        if self.tree.types.is_variable_length(self.tree.variable(id).ty) {
            self.at(span);
            self.declare_vla(id);
            return;
        }
        match init {
            Some(init) => {
                self.at(span);
                self.mark_statement();
                self.slot(id);
                self.initialize(id, init, span);
            }
            None => {
                // Where a jump may have come back here, the content is indeterminate again.
                if self.scopes.has_labels(self.scope)
                    && let Slot::Local(local) = self.slot(id)
                {
                    self.at(span);
                    self.b.push(MemoryOp::LocalStart(local));
                }
            }
        }
    }
}
