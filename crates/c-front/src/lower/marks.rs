//! Marks: statements, and definitions and uses of source variables.

use glassbox_ir::{Access, InstrKind, Mark, Operand, Part, VarRef};

use super::body::BodyLowering;
use crate::tree::{Conversion, ExprId, ExprKind, Storage, VariableId, VariableRole};
use crate::ty::kind::{TypeId, TypeKind};

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

    pub(super) fn mark_def(&mut self, access: Option<Access>) {
        if let Some(access) = access {
            self.b.push(InstrKind::Mark(Mark::Def(access)));
        }
    }

    pub(super) fn mark_def_of(&mut self, id: VariableId) {
        let access = self.var_ref(id).map(Access::whole);
        self.mark_def(access);
    }

    pub(super) fn mark_use(&mut self, access: Option<Access>) {
        if let Some(access) = access {
            let kind = self.use_kind;
            self.b.push(InstrKind::Mark(Mark::Use(access, kind)));
        }
    }

    /// The caller's memory behind a pointer parameter is defined where the function begins.
    pub(super) fn mark_memory_of(&mut self, id: VariableId) {
        let is_object = self
            .tree
            .types
            .pointee(self.tree.variable(id).ty)
            .is_some_and(|pointee| self.tree.types.function_type(pointee).is_none());
        if is_object {
            let behind = |var| Access { is_behind: true, ..Access::whole(var) };
            let access = self.var_ref(id).map(behind);
            self.mark_def(access);
        }
    }

    /// The memory behind a pointer that is read from a variable: known by the variable's name.
    pub(super) fn behind(&self, pointer: ExprId) -> Option<Access> {
        let ExprKind::Convert { conversion: Conversion::Load, operand, .. } =
            &self.tree.expr(pointer).kind
        else {
            return None;
        };
        let ExprKind::Variable(variable) = self.tree.expr(*operand).kind else { return None };
        let var = self.var_ref(variable)?;
        Some(Access { is_behind: true, ..Access::whole(var) })
    }

    /// A pointer to something vague is converted to one that says more: what inputs of the caller are made of.
    pub(super) fn mark_pointee(&mut self, value: Operand, operand: ExprId, to: TypeId) {
        let types = &self.tree.types;
        let from = types.pointee(self.tree.expr(operand).ty);
        let (Some(from), Some(to)) = (from, types.pointee(to)) else { return };
        if types.compatible_unqualified(from, to) {
            return;
        }
        let is_record = types.record_of(to).is_some() || types.is_pointer(to);
        let is_number = matches!(types.kind(to), TypeKind::Int(_) | TypeKind::Float(_));
        if is_record || (is_number && types.is_void(from)) {
            self.mark_record(value, operand, Some(to));
        }
    }

    /// What a pointer that the function was given points to.
    pub(super) fn mark_record(&mut self, ptr: Operand, from: ExprId, target: Option<TypeId>) {
        let Some(target) = target.filter(|&ty| self.tree.types.is_complete(ty)) else { return };
        if self.size_of(target) > 1 && self.is_from_outside(from) {
            let target = self.program.source_type(target);
            self.b.push(InstrKind::Mark(Mark::Pointee { ptr, target }));
        }
    }

    /// Whether a pointer was read from memory or came from a call, moved perhaps: what it points to is not seen here.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "what other expressions point to is known, or never asked"
    )]
    fn is_from_outside(&self, pointer: ExprId) -> bool {
        match &self.tree.expr(pointer).kind {
            ExprKind::Convert { conversion: Conversion::Load, .. } | ExprKind::Call { .. } => true,
            ExprKind::Convert {
                conversion: Conversion::PointerToPointer | Conversion::Same,
                operand,
                ..
            } => self.is_from_outside(*operand),
            ExprKind::PointerAdd { pointer, .. } => self.is_from_outside(*pointer),
            _ => false,
        }
    }

    /// A callee that is given the address of a variable may assign to it, unless what it gets is constant.
    pub(super) fn mark_given_addresses(&mut self, arguments: &[ExprId]) {
        for &argument in arguments {
            let types = &self.tree.types;
            let pointee = types.pointee(self.tree.expr(argument).ty);
            if pointee.is_none_or(|pointee| types.qualifiers(pointee).is_const) {
                continue;
            }
            let access = self.given_object(argument);
            self.mark_def(access);
        }
    }

    /// The variable, or part of one, that an argument is the address of.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other arguments are no address of a variable"
    )]
    fn given_object(&self, argument: ExprId) -> Option<Access> {
        let mut at = argument;
        loop {
            match &self.tree.expr(at).kind {
                ExprKind::AddressOf(operand)
                | ExprKind::Convert {
                    conversion: Conversion::ArrayDecay | Conversion::PointerToPointer,
                    operand,
                    ..
                } => at = *operand,
                ExprKind::Member { base, .. } => at = *base,
                ExprKind::Variable(variable) if at != argument => {
                    let var = self.var_ref(*variable)?;
                    return Some(Access { part: Part::Somewhere, ..Access::whole(var) });
                }
                _ => return None,
            }
        }
    }
}
