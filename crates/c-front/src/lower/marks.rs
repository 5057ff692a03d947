//! Marks: statements, and definitions and uses of source variables.

use glassbox_ir::{InstrKind, Mark, VarRef};

use super::body::BodyLowering;
use crate::tree::{Storage, VariableId, VariableRole};

impl BodyLowering<'_, '_> {
    /// The variable as data-flow criteria name it; hidden objects have none.
    pub(super) fn var_ref(&self, id: VariableId) -> Option<VarRef> {
        let variable = self.tree.variable(id);
        match variable.role {
            VariableRole::Named | VariableRole::Parameter(_) => {}
            VariableRole::CompoundLiteral | VariableRole::VlaLength => return None,
        }
        match variable.storage {
            Storage::Static => self.program.globals[id.0 as usize].map(VarRef::Global),
            Storage::Automatic => self.vars.get(&id).copied().map(VarRef::Local),
        }
    }

    pub(super) fn mark_statement(&mut self) {
        self.b.push(InstrKind::Mark(Mark::Statement));
    }

    pub(super) fn mark_def(&mut self, var: Option<VarRef>) {
        if let Some(var) = var {
            self.b.push(InstrKind::Mark(Mark::Def(var)));
        }
    }

    pub(super) fn mark_def_of(&mut self, id: VariableId) {
        let var = self.var_ref(id);
        self.mark_def(var);
    }

    pub(super) fn mark_use(&mut self, var: Option<VarRef>) {
        if let Some(var) = var {
            let kind = self.use_kind;
            self.b.push(InstrKind::Mark(Mark::Use(var, kind)));
        }
    }
}
