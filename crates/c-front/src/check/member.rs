//! Members of structs and unions, subscripts, `*` and `&`.

use super::Checker;
use crate::diagnostics::TypeProblem;
use crate::names::Name;
use crate::span::Span;
use crate::tree::{Category, Conversion, ExprId, ExprKind, FieldRef, Step, Unsupported};
use crate::ty::kind::{TypeId, TypeKind};
use crate::ty::record::RecordId;
use crate::ty::table::TypeTable;

impl Checker<'_> {
    /// `*pointer`.
    pub(crate) fn deref(&mut self, pointer: ExprId, span: Span) -> ExprId {
        let pointer = self.value(pointer);
        if self.is_error(pointer) {
            return self.error_node(span);
        }
        let ty = self.ty(pointer);
        let Some(target) = self.program.types.pointee(ty) else {
            let ty = self.show(ty);
            self.error(TypeProblem::NotAPointer { ty }, span);
            return self.error_node(span);
        };
        if self.program.types.is_function(target) {
            // `*f` is `f`.
            if let ExprKind::Convert { conversion: Conversion::FunctionDecay, operand, .. } =
                self.program.expr(pointer).kind
            {
                return operand;
            }
            return self.node(ExprKind::Deref(pointer), target, Category::Function, span);
        }
        self.place_node(ExprKind::Deref(pointer), target, span)
    }

    /// `base[index]`, either operand being the pointer.
    pub(crate) fn subscript(&mut self, base: ExprId, index: ExprId, span: Span) -> ExprId {
        if let TypeKind::Vector { element, .. } = *self.program.types.kind(self.ty(base)) {
            let kind = ExprKind::Unsupported(Unsupported::Vector);
            return self.place_node(kind, element, span);
        }
        let (base, index) = (self.value(base), self.value(index));
        if self.is_error(base) || self.is_error(index) {
            return self.error_node(span);
        }
        let types = &self.program.types;
        let (pointer, index) =
            if types.is_pointer(self.ty(base)) { (base, index) } else { (index, base) };
        if !types.is_pointer(self.ty(pointer)) || !types.is_integer(self.ty(index)) {
            let ty = self.show(self.ty(base));
            self.error(TypeProblem::NotSubscriptable { ty }, span);
            return self.error_node(span);
        }
        let sum = self.pointer_add(pointer, index, Step::Forward, span);
        self.deref(sum, span)
    }

    /// `&operand`.
    pub(crate) fn address_of(&mut self, operand: ExprId, span: Span) -> ExprId {
        let ty = self.ty(operand);
        match self.category(operand) {
            Category::Function => {
                let pointer = self.program.types.pointer_to(ty);
                if let ExprKind::Deref(inner) = self.program.expr(operand).kind {
                    return inner;
                }
                self.value_node(ExprKind::AddressOf(operand), pointer, span)
            }
            Category::Value => {
                if !self.is_error(operand) {
                    self.error(TypeProblem::NotAddressable, span);
                }
                self.error_node(span)
            }
            Category::Place => {
                if let ExprKind::Member { field, .. } = &self.program.expr(operand).kind
                    && field.bits.is_some()
                {
                    self.error(TypeProblem::BitFieldAddress, span);
                    return self.error_node(span);
                }
                let pointer = self.program.types.pointer_to(ty);
                self.value_node(ExprKind::AddressOf(operand), pointer, span)
            }
        }
    }

    /// `base.name`; `base->name` comes with `base` already dereferenced.
    pub(crate) fn member(&mut self, base: ExprId, name: Name, span: Span) -> ExprId {
        let ty = self.ty(base);
        if self.program.types.is_error(ty) {
            return self.error_node(span);
        }
        let Some(record) = self.program.types.record_of(ty) else {
            let ty = self.show(ty);
            self.error(TypeProblem::NotARecord { ty }, span);
            return self.error_node(span);
        };
        if !self.require_complete(ty, span) {
            return self.error_node(span);
        }
        let mut path = Vec::new();
        if !find_member(&self.program.types, record, name, &mut path) {
            let (ty, name) = (self.show(ty), self.name_text(name));
            self.error(TypeProblem::NoMember { ty, name }, span);
            return self.error_node(span);
        }
        let mut at = base;
        for index in path {
            at = self.field(at, index, span);
        }
        at
    }

    /// The member with this index.
    pub(crate) fn field(&mut self, base: ExprId, index: u32, span: Span) -> ExprId {
        let (base_ty, category) = (self.ty(base), self.category(base));
        let Some((field, ty)) = self.field_of(base_ty, index) else { return self.error_node(span) };
        // An object's qualifiers hold for its members.
        let qualifiers = self.program.types.get(base_ty).qualifiers;
        let ty = match category {
            Category::Place => self.program.types.qualified(ty, qualifiers),
            Category::Value | Category::Function => self.program.types.unqualified(ty),
        };
        let kind = match self.unmodeled_layout(base_ty) {
            Some(what) => ExprKind::Unsupported(what),
            None => ExprKind::Member { base, field },
        };
        match category {
            Category::Place => self.place_node(kind, ty, span),
            Category::Value | Category::Function => self.value_node(kind, ty, span),
        }
    }

    pub(crate) fn field_of(&self, record: TypeId, index: u32) -> Option<(FieldRef, TypeId)> {
        let id = self.program.types.record_of(record)?;
        let field = self.program.types.record_body(id)?.fields.get(index as usize)?;
        Some((FieldRef { index, offset: field.offset, bits: field.bits }, field.ty))
    }

    /// `__builtin_offsetof`: the constant part and, for variable indices, the expressions to add.
    pub(crate) fn offset_of(
        &mut self,
        ty: TypeId,
        designators: &[OffsetStep],
        span: Span,
    ) -> ExprId {
        let mut at = ty;
        let mut offset = 0u64;
        let mut dynamic: Option<ExprId> = None;
        for step in designators {
            match *step {
                OffsetStep::Field(name, field_span) => {
                    let mut path = Vec::new();
                    let record = self.program.types.record_of(at);
                    let found = record
                        .is_some_and(|id| find_member(&self.program.types, id, name, &mut path));
                    if !found {
                        let (ty, name) = (self.show(at), self.name_text(name));
                        self.error(TypeProblem::NoMember { ty, name }, field_span);
                        return self.error_node(span);
                    }
                    for index in path {
                        let Some((field, ty)) = self.field_of(at, index) else { break };
                        if field.bits.is_some() {
                            self.error(TypeProblem::BitFieldAddress, field_span);
                        }
                        offset = offset.saturating_add(field.offset);
                        at = ty;
                    }
                }
                OffsetStep::Index(index) => {
                    let element = self.program.types.element(at);
                    let size = element.and_then(|element| self.program.types.size_of(element));
                    let (Some(element), Some(size)) = (element, size) else {
                        let ty = self.show(at);
                        self.error(TypeProblem::NotSubscriptable { ty }, span);
                        return self.error_node(span);
                    };
                    match self.integer_constant(index).and_then(|value| value.to_u64()) {
                        Some(value) => offset = offset.saturating_add(value.saturating_mul(size)),
                        None => {
                            let size = self.size_constant(size, span);
                            let scaled = self.binary(crate::tree::BinaryOp::Mul, index, size, span);
                            dynamic = Some(match dynamic {
                                Some(sum) => {
                                    self.binary(crate::tree::BinaryOp::Add, sum, scaled, span)
                                }
                                None => scaled,
                            });
                        }
                    }
                    at = element;
                }
            }
        }
        let constant = self.size_constant(offset, span);
        match dynamic {
            Some(dynamic) => {
                let dynamic = self.convert_assign(dynamic, self.program.types.size_type());
                self.binary(crate::tree::BinaryOp::Add, dynamic, constant, span)
            }
            None => constant,
        }
    }
}

/// One step of `offsetof`'s path.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OffsetStep {
    Field(Name, Span),
    Index(ExprId),
}

/// The indices that lead to a member, through anonymous records; `false` if there is none.
pub(crate) fn find_member(
    types: &TypeTable,
    record: RecordId,
    name: Name,
    path: &mut Vec<u32>,
) -> bool {
    let Some(body) = types.record_body(record) else { return false };
    for (index, field) in (0u32..).zip(&body.fields) {
        if field.name == Some(name) {
            path.push(index);
            return true;
        }
    }
    for (index, field) in (0u32..).zip(&body.fields) {
        if field.is_anonymous_record()
            && let Some(inner) = types.record_of(field.ty)
        {
            path.push(index);
            if find_member(types, inner, name, path) {
                return true;
            }
            path.pop();
        }
    }
    false
}
