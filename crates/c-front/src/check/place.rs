//! Names as expressions, sizes and alignments, compound literals.

use glassbox_values::Bits;

use super::Checker;
use super::scope::Meaning;
use crate::diagnostics::{TypeProblem, TypeWarning};
use crate::names::Name;
use crate::span::Span;
use crate::tree::{
    BinaryOp, Category, Conversion, ExprId, ExprKind, Function, FunctionId, Init, Linkage, Storage,
    Unsupported, Variable, VariableId, VariableRole,
};
use crate::ty::kind::{FunctionType, IntKind, PrototypeStyle, TypeId};
use crate::ty::table::TypeTable;

impl Checker<'_> {
    /// An identifier as an expression.
    pub(crate) fn identifier(&mut self, name: Name, span: Span) -> ExprId {
        match self.scopes.lookup(name).map(|entry| entry.meaning) {
            Some(Meaning::Variable { id, ty }) => self.place_node(ExprKind::Variable(id), ty, span),
            Some(Meaning::Function { id, ty }) => {
                self.node(ExprKind::Function(id), ty, Category::Function, span)
            }
            Some(Meaning::EnumConstant { value, ty }) => self.int(value, ty, span),
            Some(Meaning::Typedef { .. }) => {
                let name = self.name_text(name);
                self.error(TypeProblem::NotAnExpression { name }, span);
                self.error_node(span)
            }
            None if self.links.is_c23 && self.c23_constant(name).is_some() => {
                let (value, ty) = self.c23_constant(name).expect("it was just there");
                let value = self.int(value, ty, span);
                if ty == TypeTable::int_id(IntKind::Bool) {
                    return value;
                }
                self.cast(TypeTable::VOID_POINTER, value, span)
            }
            None => {
                // One message per name is enough; the program stays in error.
                if self.undeclared.insert(name) {
                    let name = self.name_text(name);
                    self.error(TypeProblem::Undeclared { name }, span);
                }
                self.error_node(span)
            }
        }
    }

    /// `true`, `false`, and the zero behind `nullptr`.
    fn c23_constant(&self, name: Name) -> Option<(Bits, TypeId)> {
        let boolean = |value: u8| (Bits::new(value.into(), 8), TypeTable::int_id(IntKind::Bool));
        match self.program.name(name) {
            "true" => Some(boolean(1)),
            "false" => Some(boolean(0)),
            "nullptr" => Some((Bits::new(0, 32), TypeTable::INT)),
            _ => None,
        }
    }

    /// An undeclared name that is called: a library function the compiler knows, or `int name()`.
    pub(crate) fn implicit_function(&mut self, name: Name, span: Span) -> ExprId {
        let text = self.name_text(name);
        let ty = match self.library_type(&text) {
            Some(ty) => ty,
            None => self.program.types.function(FunctionType {
                result: TypeTable::INT,
                parameters: Box::new([]),
                is_variadic: false,
                style: PrototypeStyle::Unspecified,
            }),
        };
        // Said once per name, as for undeclared ones.
        if self.undeclared.insert(name) {
            self.warn(TypeWarning::ImplicitFunction { name: text }, span);
        }
        let id = self.external_function(name, ty, span);
        self.scopes.declare(name, Meaning::Function { id, ty }, span);
        self.node(ExprKind::Function(id), ty, Category::Function, span)
    }

    /// The function of this external name; made without a declaration if there is none.
    pub(crate) fn external_function(&mut self, name: Name, ty: TypeId, span: Span) -> FunctionId {
        if let Some(super::link::Linked::Function(id)) = self.links.get(name) {
            return id;
        }
        let id = self.program.add_function(Function {
            name,
            ty,
            linkage: Linkage::External,
            span,
            is_noreturn: false,
            promise: None,
            around_main: None,
            harness_of: None,
            is_inline: false,
            is_implicit: true,
            declared_names: Vec::new(),
            asked: Vec::new(),
            body: None,
        });
        self.links.insert(name, super::link::Linked::Function(id));
        id
    }

    /// A function that stands for something outside of the program, as it would be called.
    pub(crate) fn outside_function(
        &mut self,
        name: &str,
        result: TypeId,
        parameters: Vec<TypeId>,
        span: Span,
    ) -> ExprId {
        let ty = self.program.types.function(FunctionType {
            result,
            parameters: parameters.into(),
            is_variadic: false,
            style: PrototypeStyle::Prototype,
        });
        let name = self.program.names.intern(name);
        let id = self.external_function(name, ty, span);
        self.node(ExprKind::Function(id), ty, Category::Function, span)
    }

    /// An automatic variable without a name.
    pub(crate) fn hidden_variable(
        &mut self,
        ty: TypeId,
        role: VariableRole,
        span: Span,
    ) -> VariableId {
        let function = self.function.as_ref().map(|function| function.id);
        let id = self.program.add_variable(Variable {
            name: self.well_known.unnamed,
            ty,
            role,
            storage: Storage::Automatic,
            linkage: Linkage::None,
            span,
            scope: span,
            function,
            align: self.program.types.align_of(ty),
            is_defined: true,
            init: None,
        });
        if let Some(function) = &mut self.function {
            function.locals.push(id);
        }
        id
    }

    /// `(ty){...}`: an automatic object inside functions, a static one outside.
    pub(crate) fn compound_literal(&mut self, ty: TypeId, init: Init, span: Span) -> ExprId {
        let id = self.hidden_variable(ty, VariableRole::CompoundLiteral, span);
        if self.function.is_some() {
            self.open_literals.push(id);
            return self.place_node(ExprKind::CompoundLiteral { variable: id, init }, ty, span);
        }
        let variable = self.program.variable_mut(id);
        variable.storage = Storage::Static;
        variable.linkage = Linkage::Internal;
        variable.init = Some(init);
        self.place_node(ExprKind::Variable(id), ty, span)
    }

    /// `sizeof` of a type, as an expression if its length is variable.
    pub(crate) fn size_of_type(&mut self, ty: TypeId, span: Span) -> ExprId {
        let types = &self.program.types;
        if types.is_error(ty) {
            return self.error_node(span);
        }
        if let Some(what) = self.unmodeled_layout(ty) {
            return self.unsupported(what, types.size_type(), span);
        }
        if let Some(size) = types.size_of(ty) {
            return self.size_constant(size, span);
        }
        if let Some((factor, lengths)) = types.dynamic_size(ty) {
            let mut product = self.size_constant(factor, span);
            for length in lengths {
                let place = self.place_node(ExprKind::Variable(length), TypeTable::ULONG, span);
                let value = self.convert_node(Conversion::Load, place, TypeTable::ULONG, span);
                product = self.binary(BinaryOp::Mul, product, value, span);
            }
            let size_type = self.program.types.size_type();
            let product = self.convert_assign(product, size_type);
            return self.with_pending_lengths(product, span);
        }
        let shown = self.show(ty);
        let problem = if self.program.types.is_complete(ty) {
            TypeProblem::ArrayTooLarge
        } else {
            TypeProblem::Incomplete { ty: shown }
        };
        self.error(problem, span);
        self.error_node(span)
    }

    /// `sizeof expr`: the operand is not evaluated unless its length is variable.
    pub(crate) fn size_of_expr(&mut self, expr: ExprId, span: Span) -> ExprId {
        if self.is_bit_field(expr) {
            self.error(TypeProblem::BitFieldAddress, span);
            return self.error_node(span);
        }
        self.size_of_type(self.ty(expr), span)
    }

    fn is_bit_field(&self, expr: ExprId) -> bool {
        matches!(&self.program.expr(expr).kind, ExprKind::Member { field, .. } if field.bits.is_some())
    }

    /// `_Alignof` of a type.
    pub(crate) fn align_of_type(&mut self, ty: TypeId, span: Span) -> ExprId {
        let mut at = ty;
        while let Some(element) = self.program.types.element(at) {
            at = element;
        }
        let is_open = self.program.types.record_of(at).is_some_and(|id| self.is_open_record(id));
        if is_open && !self.require_complete(at, span) {
            return self.error_node(span);
        }
        let types = &self.program.types;
        let align = types.align_of(at);
        // `__alignof__` of such a number is twice its `_Alignof` there.
        if types.is_arithmetic(at) && types.size_of(at).is_some_and(|size| size > align) {
            let what = Unsupported::Builtin("__alignof__".into());
            return self.unsupported(what, types.size_type(), span);
        }
        self.size_constant(align, span)
    }

    /// GNU `__alignof__ expr`: a variable's own alignment counts.
    pub(crate) fn align_of_expr(&mut self, expr: ExprId, span: Span) -> ExprId {
        if let ExprKind::Variable(id) = self.program.expr(expr).kind {
            let align = self.program.variable(id).align;
            return self.size_constant(align, span);
        }
        self.align_of_type(self.ty(expr), span)
    }

    /// The operand of `typeof` is evaluated where its type depends on lengths that are not constant, like one of `sizeof`:
    /// with the lengths of the declaration that it stands in.
    pub(crate) fn evaluate_for_type(&mut self, operand: ExprId) {
        let span = self.span(operand);
        let operand = self.value(operand);
        let one = self.small_int(1, span);
        let length = self.comma(operand, one, span);
        let length = self.convert_assign(length, TypeTable::ULONG);
        let variable = self.hidden_variable(TypeTable::ULONG, VariableRole::VlaLength, span);
        self.pending_lengths.push((variable, length));
    }

    /// Wraps `expr` so that lengths of variable length types met on the way are set first.
    pub(crate) fn with_pending_lengths(&mut self, expr: ExprId, span: Span) -> ExprId {
        if self.pending_lengths.is_empty() || self.function.is_none() {
            return expr;
        }
        let lengths = std::mem::take(&mut self.pending_lengths).into_boxed_slice();
        let (ty, category) = (self.ty(expr), self.category(expr));
        self.node(ExprKind::SetVlaLength { lengths, then: expr }, ty, category, span)
    }
}
