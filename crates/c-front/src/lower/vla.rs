//! Variable length arrays: lengths, sizes at run time, stack memory.

use glassbox_ir::instr::{BinaryOp, CompareOp};
use glassbox_ir::{CheckKind, Local, LocalId, MemoryOp, Operand, Ty};

use super::body::{BodyLowering, Slot, zero};
use super::scope::ScopeId;
use crate::tree::{ExprId, ExprKind, VariableId};
use crate::ty::kind::{ArrayLength, TypeId, TypeKind};
use crate::ty::table::TypeTable;

/// A variable length array that is alive here.
#[derive(Debug, Clone, Copy)]
pub(super) struct ActiveVla {
    /// Holds its address.
    pub(super) holder: LocalId,
    pub(super) scope: ScopeId,
}

impl BodyLowering<'_, '_> {
    pub(super) fn set_vla_lengths(&mut self, lengths: &[(VariableId, ExprId)]) {
        for &(variable, length) in lengths {
            self.set_vla_length(variable, length);
        }
    }

    /// Stores a length, which must be positive.
    pub(super) fn set_vla_length(&mut self, variable: VariableId, length: ExprId) {
        let value = self.value(length);
        self.at(self.tree.expr(length).span);
        let is_positive = self.compare(CompareOp::Slt, zero(Ty::I64), value);
        self.check(CheckKind::VlaSize, is_positive, vec![value]);
        let place = self.variable_place(variable, TypeTable::ULONG);
        self.store(&place, value);
    }

    /// Bytes of a type whose size depends on lengths set before.
    pub(super) fn dynamic_size(&mut self, ty: TypeId) -> Operand {
        let mut size = self.constant(1, 64);
        let mut at = ty;
        while let TypeKind::Array { element, length } = *self.tree.types.kind(at) {
            let factor = match length {
                ArrayLength::Fixed(length) => self.constant(length, 64),
                ArrayLength::Variable(variable) => {
                    let place = self.variable_place(variable, TypeTable::ULONG);
                    self.load(&place)
                }
                ArrayLength::Unknown | ArrayLength::Star => self.constant(0, 64),
            };
            size = self.arithmetic(BinaryOp::Mul, factor, size);
            at = element;
        }
        let element = self.constant(self.size_of(at), 64);
        self.arithmetic(BinaryOp::Mul, size, element)
    }

    /// The length of a row of an array, where a run sets it.
    pub(super) fn row_length(&mut self, row: ExprId) -> Option<Operand> {
        let expr = self.tree.expr(row);
        let TypeKind::Array { length: ArrayLength::Variable(variable), .. } =
            *self.tree.types.kind(expr.ty)
        else {
            return None;
        };
        let ExprKind::Deref(_) = expr.kind else { return None };
        let place = self.variable_place(variable, TypeTable::ULONG);
        Some(self.load(&place))
    }

    /// The declaration of a variable length array is reached: memory for it, until its block ends.
    pub(super) fn declare_vla(&mut self, id: VariableId) {
        let variable = self.tree.variable(id);
        let size = self.dynamic_size(variable.ty);
        let source_type = self.program.source_type(variable.ty);
        let align = variable.align.max(1);
        let ptr = self.emit(MemoryOp::StackAlloc { size, align, source_type }, Ty::Ptr);
        let holder = match self.slots.get(&id) {
            Some(&Slot::Indirect(holder)) => holder,
            Some(Slot::Local(_) | Slot::Address(_)) | None => {
                let pointer =
                    glassbox_ir::SourceType::Pointer { target: source_type, is_const: false };
                let source_type = self.program.out.intern_source_type(pointer);
                let span = self.b.span();
                let name = String::new();
                let size = self.tree.types.pointers().bytes();
                let local = Local { name, size, align: size, source_type, var: None, span };
                let holder = self.b.new_local(local);
                self.slots.insert(id, Slot::Indirect(holder));
                holder
            }
        };
        self.b.push(MemoryOp::LocalStart(holder));
        let at = self.local_addr(holder);
        self.b.push(MemoryOp::Store { ptr: at, value: ptr, is_volatile: false });
        self.vlas.push(ActiveVla { holder, scope: self.scope });
    }

    fn free_vla(&mut self, vla: ActiveVla) {
        let at = self.local_addr(vla.holder);
        let ptr = self.emit(MemoryOp::Load { ty: Ty::Ptr, ptr: at, is_volatile: false }, Ty::Ptr);
        self.b.push(MemoryOp::StackFree { ptr });
    }

    /// Frees the arrays of scopes that lie within `scope`.
    pub(super) fn free_vlas_within(&mut self, scope: ScopeId) {
        let leaving: Vec<ActiveVla> = self
            .vlas
            .iter()
            .rev()
            .filter(|vla| self.scopes.contains(scope, vla.scope))
            .copied()
            .collect();
        for vla in leaving {
            self.free_vla(vla);
        }
    }

    /// Frees the arrays that are not alive any more where a jump goes: those of scopes that do not
    /// contain the target, and those declared after the target's place.
    pub(super) fn free_vlas_for_jump(&mut self, target: ScopeId, n_alive: Option<usize>) {
        let limit = n_alive.unwrap_or(usize::MAX);
        let leaving: Vec<ActiveVla> = self
            .vlas
            .iter()
            .enumerate()
            .rev()
            .filter(|(position, vla)| {
                *position >= limit || !self.scopes.contains(vla.scope, target)
            })
            .map(|(_, vla)| *vla)
            .collect();
        for vla in leaving {
            self.free_vla(vla);
        }
    }
}
