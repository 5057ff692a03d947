//! Making tree nodes: depth bound, unsupported types, constants.

use glassbox_values::{Bits, Float};

use super::{Checker, MAX_TREE_DEPTH};
use crate::diagnostics::{Problem, SyntaxProblem};
use crate::names::Name;
use crate::span::Span;
use crate::tree::{
    Callee, Category, Expr, ExprId, ExprKind, Init, InitValue, Stmt, StmtId, StmtKind, Unsupported,
};
use crate::ty::kind::{FloatKind, IntKind, TypeId, TypeKind};
use crate::ty::table::TypeTable;

impl Checker<'_> {
    /// A value node. Values of types without arithmetic become `Unsupported` nodes of that type.
    pub(crate) fn value_node(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        if !matches!(kind, ExprKind::Unsupported(_))
            && let Some(what) = self.unmodeled(ty).or_else(|| self.unmodeled_step(&kind))
        {
            return self.node(ExprKind::Unsupported(what), ty, Category::Value, span);
        }
        self.node(kind, ty, Category::Value, span)
    }

    pub(crate) fn place_node(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.node(kind, ty, Category::Place, span)
    }

    pub(crate) fn node(
        &mut self,
        kind: ExprKind,
        ty: TypeId,
        category: Category,
        span: Span,
    ) -> ExprId {
        let depth = self.operands_depth(&kind).saturating_add(1);
        if depth > MAX_TREE_DEPTH {
            let problem = SyntaxProblem::TooDeep { limit: u32::from(MAX_TREE_DEPTH) };
            self.report(Problem::Syntax(problem), Span::new(span.end.saturating_sub(1), span.end));
            return self.error_node(span);
        }
        self.depths.push(depth);
        self.program.add_expr(Expr { kind, ty, category, span })
    }

    /// Stands for what was diagnosed.
    pub(crate) fn error_node(&mut self, span: Span) -> ExprId {
        self.unsupported(Unsupported::Construct("an erroneous expression"), TypeTable::ERROR, span)
    }

    /// Whether one of the expressions that were made since then changes something.
    pub(crate) fn does_something_since(&self, n_exprs: usize) -> bool {
        self.program.exprs[n_exprs..].iter().any(|expr| {
            matches!(
                expr.kind,
                ExprKind::SetVlaLength { .. }
                    | ExprKind::Assign { .. }
                    | ExprKind::CompoundAssign { .. }
                    | ExprKind::PointerAssign { .. }
                    | ExprKind::IncDec { .. }
                    | ExprKind::Call { .. }
                    | ExprKind::StatementExpr { .. }
            )
        })
    }

    pub(crate) fn unsupported(&mut self, what: Unsupported, ty: TypeId, span: Span) -> ExprId {
        let kind = ExprKind::Unsupported(what);
        self.depths.push(1);
        self.program.add_expr(Expr { kind, ty, category: Category::Value, span })
    }

    /// Why values of this type are not modeled, if so.
    pub(crate) fn unmodeled(&self, ty: TypeId) -> Option<Unsupported> {
        match *self.program.types.kind(ty) {
            TypeKind::Float(kind) => match kind {
                FloatKind::Float | FloatKind::Float32 | FloatKind::Double | FloatKind::Float64 => {
                    None
                }
                FloatKind::Float16 | FloatKind::LongDouble | FloatKind::Float128 => {
                    Some(Unsupported::LongDouble)
                }
            },
            TypeKind::Complex(_) => Some(Unsupported::Complex),
            TypeKind::Vector { .. } => Some(Unsupported::Vector),
            TypeKind::Record(_) => self.unmodeled_layout(ty),
            TypeKind::Void
            | TypeKind::Int(_)
            | TypeKind::Enum(_)
            | TypeKind::Pointer(_)
            | TypeKind::Array { .. }
            | TypeKind::Function(_)
            | TypeKind::Error => None,
        }
    }

    /// Why the size of what a pointer is moved over is not known, if so.
    fn unmodeled_step(&self, kind: &ExprKind) -> Option<Unsupported> {
        let (ExprKind::PointerAdd { pointer, .. }
        | ExprKind::PointerDiff { left: pointer, .. }
        | ExprKind::PointerAssign { target: pointer, .. }
        | ExprKind::IncDec { target: pointer, .. }) = *kind
        else {
            return None;
        };
        self.unmodeled_layout(self.program.types.pointee(self.ty(pointer))?)
    }

    /// The attribute that makes the layout of a record, or of an array of it, something unknown.
    pub(crate) fn record_limit(&self, ty: TypeId) -> Option<Name> {
        let types = &self.program.types;
        let mut innermost = ty;
        while let Some(element) = types.element(innermost) {
            innermost = element;
        }
        self.program.limits.records.get(&types.record_of(innermost)?).copied()
    }

    /// The same as what is not modeled.
    pub(crate) fn unmodeled_layout(&self, ty: TypeId) -> Option<Unsupported> {
        let name = self.record_limit(ty)?;
        Some(Unsupported::Attribute(self.name_text(name).into()))
    }

    pub(crate) fn int(&mut self, value: Bits, ty: TypeId, span: Span) -> ExprId {
        self.value_node(ExprKind::Int(value), ty, span)
    }

    /// An `int` constant.
    pub(crate) fn small_int(&mut self, value: i32, span: Span) -> ExprId {
        self.int(Bits::from_signed(i128::from(value), 32), TypeTable::INT, span)
    }

    /// A `size_t` constant.
    pub(crate) fn size_constant(&mut self, value: u64, span: Span) -> ExprId {
        let types = &self.program.types;
        let (width, ty) = (types.pointers().bits(), types.size_type());
        self.int(Bits::new(u128::from(value), width), ty, span)
    }

    pub(crate) fn float(&mut self, value: Float, ty: TypeId, span: Span) -> ExprId {
        self.value_node(ExprKind::Float(value), ty, span)
    }

    pub(crate) fn statement(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.program.add_stmt(Stmt { kind, span })
    }

    pub(crate) fn ty(&self, expr: ExprId) -> TypeId {
        self.program.expr(expr).ty
    }

    pub(crate) fn span(&self, expr: ExprId) -> Span {
        self.program.expr(expr).span
    }

    pub(crate) fn category(&self, expr: ExprId) -> Category {
        self.program.expr(expr).category
    }

    pub(crate) fn is_error(&self, expr: ExprId) -> bool {
        self.program.types.is_error(self.ty(expr))
    }

    pub(crate) fn int_kind_of(&self, expr: ExprId) -> Option<IntKind> {
        self.program.types.int_kind(self.ty(expr))
    }

    fn depth_of(&self, expr: ExprId) -> u16 {
        (expr.0 as usize)
            .checked_sub(self.first_expr)
            .and_then(|index| self.depths.get(index))
            .copied()
            .unwrap_or(0)
    }

    /// The depth of the deepest expression made since there were `first` of them.
    fn depth_since(&self, first: ExprId) -> u16 {
        let from = (first.0 as usize).saturating_sub(self.first_expr).min(self.depths.len());
        self.depths[from..].iter().copied().max().unwrap_or(0)
    }

    fn operands_depth(&self, kind: &ExprKind) -> u16 {
        let of = |expr: ExprId| self.depth_of(expr);
        let all = |exprs: &[ExprId]| exprs.iter().map(|&e| of(e)).max().unwrap_or(0);
        match kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Variable(_)
            | ExprKind::Function(_)
            | ExprKind::String(_)
            | ExprKind::Reuse(_)
            | ExprKind::AddressOfLabel(_)
            | ExprKind::Unsupported(_) => 0,
            ExprKind::CompoundLiteral { init, .. } => self.init_depth(init),
            ExprKind::Deref(operand)
            | ExprKind::Member { base: operand, .. }
            | ExprKind::Convert { operand, .. }
            | ExprKind::Unary { operand, .. }
            | ExprKind::LogicalNot(operand)
            | ExprKind::IncDec { target: operand, .. }
            | ExprKind::AddressOf(operand) => of(*operand),
            ExprKind::Binary { left, right, .. }
            | ExprKind::Compare { left, right, .. }
            | ExprKind::PointerDiff { left, right }
            | ExprKind::Logical { left, right, .. }
            | ExprKind::Comma { left, right }
            | ExprKind::PointerAdd { pointer: left, index: right, .. }
            | ExprKind::Assign { target: left, value: right }
            | ExprKind::CompoundAssign { target: left, value: right, .. }
            | ExprKind::PointerAssign { target: left, index: right, .. } => {
                of(*left).max(of(*right))
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                of(*condition).max(of(*then)).max(of(*otherwise))
            }
            ExprKind::Call { callee, arguments } => {
                let callee = match callee {
                    Callee::Direct(_) => 0,
                    Callee::Indirect(callee) => of(*callee),
                };
                callee.max(all(arguments))
            }
            ExprKind::Builtin { arguments, .. } => all(arguments),
            ExprKind::StatementExpr { result, .. } => {
                let inside = self.function.as_ref().and_then(|f| f.statement_expr_starts.last());
                let inside = inside.map_or(0, |&first| self.depth_since(first));
                inside.max(result.map_or(0, of))
            }
            ExprKind::SetVlaLength { lengths, then } => {
                lengths.iter().map(|&(_, e)| of(e)).max().unwrap_or(0).max(of(*then))
            }
        }
    }

    fn init_depth(&self, init: &Init) -> u16 {
        let of = |value: &InitValue| match value {
            InitValue::Expr(expr) => self.depth_of(*expr),
            InitValue::Constant(_) | InitValue::String(_) | InitValue::Unsupported(_) => 0,
        };
        match init {
            Init::Value(value) => of(value),
            Init::Items(items) => items.iter().map(|item| of(&item.value)).max().unwrap_or(0),
        }
    }
}
