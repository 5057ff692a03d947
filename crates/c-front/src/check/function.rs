//! The function being checked: its locals, labels and the statements it is inside of.

use std::collections::BTreeMap;

use glassbox_values::Bits;
use rustc_hash::FxHashMap;

use super::Checker;
use crate::diagnostics::{Related, TypeProblem, TypeWarning};
use crate::names::Name;
use crate::span::Span;
use crate::tree::{
    ExprId, ExprKind, FunctionBody, FunctionId, Label, LabelId, StmtId, StmtKind, VariableId,
};
use crate::ty::kind::TypeId;
use crate::ty::table::TypeTable;

/// What is known while a body is read.
#[derive(Debug)]
pub(crate) struct FunctionState {
    pub(crate) id: FunctionId,
    pub(crate) result: TypeId,
    pub(crate) is_variadic: bool,
    pub(crate) locals: Vec<VariableId>,
    labels: FxHashMap<Name, LabelState>,
    label_order: Vec<LabelId>,
    pub(crate) switches: Vec<SwitchState>,
    /// Enclosing statements that `break` and `continue` can leave.
    pub(crate) breakable: u32,
    pub(crate) continuable: u32,
    /// The number of the next expression when each enclosing statement expression began.
    pub(crate) statement_expr_starts: Vec<ExprId>,
}

#[derive(Debug, Clone, Copy)]
struct LabelState {
    id: LabelId,
    defined: Option<Span>,
    used: Span,
}

/// An open switch: its value's type and the labels met so far.
#[derive(Debug)]
pub(crate) struct SwitchState {
    pub(crate) ty: TypeId,
    pub(crate) labels: Vec<StmtId>,
    /// First value to last value and place; ranges do not overlap.
    pub(crate) ranges: BTreeMap<i128, (i128, Span)>,
    pub(crate) default: Option<Span>,
}

impl Checker<'_> {
    /// Starts a body. Parameters are declared by the caller in the current scope.
    pub(crate) fn begin_function(&mut self, id: FunctionId, parameters: &[VariableId]) {
        let ty = self.program.types.function_type(self.program.function(id).ty);
        let (result, is_variadic) =
            ty.map_or((TypeTable::ERROR, false), |ty| (ty.result, ty.is_variadic));
        for &parameter in parameters {
            self.program.variable_mut(parameter).function = Some(id);
        }
        self.function = Some(FunctionState {
            id,
            result,
            is_variadic,
            locals: parameters.to_vec(),
            labels: FxHashMap::default(),
            label_order: Vec::new(),
            switches: Vec::new(),
            breakable: 0,
            continuable: 0,
            statement_expr_starts: Vec::new(),
        });
    }

    /// Ends a body and stores it.
    pub(crate) fn end_function(
        &mut self,
        parameters: Vec<VariableId>,
        prologue: Vec<StmtId>,
        body: StmtId,
        span: Span,
    ) {
        let Some(state) = self.function.take() else { return };
        let mut undefined: Vec<(Name, Span)> = state
            .label_order
            .iter()
            .filter_map(|label| {
                let name = self.program.label(*label).name;
                let label = state.labels.get(&name)?;
                label.defined.is_none().then_some((name, label.used))
            })
            .collect();
        undefined.sort_by_key(|&(_, span)| span);
        for (name, span) in undefined {
            let name = self.name_text(name);
            self.error(TypeProblem::UndefinedLabel { name }, span);
        }
        let labels = state.label_order;
        self.program.function_mut(state.id).body =
            Some(FunctionBody { parameters, locals: state.locals, labels, prologue, body, span });
    }

    fn label_entry(&mut self, name: Name, span: Span) -> Option<LabelId> {
        let state = self.function.as_mut()?;
        if let Some(label) = state.labels.get(&name) {
            return Some(label.id);
        }
        let id = self.program.add_label(Label { name, span, is_address_taken: false });
        state.labels.insert(name, LabelState { id, defined: None, used: span });
        state.label_order.push(id);
        Some(id)
    }

    /// A use: `goto name` or `&&name`.
    pub(crate) fn use_label(&mut self, name: Name, span: Span) -> Option<LabelId> {
        self.label_entry(name, span)
    }

    /// `&&name`.
    pub(crate) fn label_address(&mut self, name: Name, span: Span) -> ExprId {
        let Some(id) = self.use_label(name, span) else {
            let name = self.name_text(name);
            self.error(TypeProblem::UndefinedLabel { name }, span);
            return self.error_node(span);
        };
        self.program.labels[id.0 as usize].is_address_taken = true;
        self.value_node(ExprKind::AddressOfLabel(id), TypeTable::VOID_POINTER, span)
    }

    /// A definition `name:`.
    pub(crate) fn define_label(&mut self, name: Name, span: Span) -> Option<LabelId> {
        let id = self.label_entry(name, span)?;
        let state = self.function.as_mut()?;
        let label = state.labels.get_mut(&name)?;
        if let Some(earlier) = label.defined {
            let name = self.name_text(name);
            let related = (earlier, Related::PreviousDefinition);
            self.error_with(TypeProblem::DuplicateLabel { name }, span, related);
        } else {
            label.defined = Some(span);
            self.program.labels[id.0 as usize].span = span;
        }
        Some(id)
    }

    /// A `case` of the innermost switch. Bounds are constants of any integer type.
    pub(crate) fn case_label(
        &mut self,
        low: ExprId,
        high: Option<ExprId>,
        span: Span,
    ) -> Option<(Bits, Bits)> {
        let Some(ty) = self.function.as_ref().and_then(|f| Some(f.switches.last()?.ty)) else {
            self.error(TypeProblem::CaseOutsideSwitch, span);
            return None;
        };
        let low = self.case_bound(low, ty)?;
        let high = match high {
            Some(high) => self.case_bound(high, ty)?,
            None => low,
        };
        let (first, last) = (self.as_number(low, ty), self.as_number(high, ty));
        if first > last {
            self.warn(TypeWarning::EmptyCaseRange, span);
            return None;
        }
        let switch = self.function.as_mut()?.switches.last_mut()?;
        let before = switch.ranges.range(..=last).next_back();
        let overlap = before.filter(|&(_, &(end, _))| first <= end).map(|(_, &(_, span))| span);
        switch.ranges.insert(first, (last, span));
        if let Some(earlier) = overlap {
            let value = first.to_string();
            let related = (earlier, Related::PreviousCase);
            self.error_with(TypeProblem::DuplicateCase { value }, span, related);
        }
        Some((low, high))
    }

    /// A case constant converted to the switch's type.
    fn case_bound(&mut self, expr: ExprId, ty: TypeId) -> Option<Bits> {
        let expr = self.value(expr);
        let value = self.require_integer_constant(expr)?;
        let from = self.program.types.signedness(self.ty(expr))?;
        let kind = self.program.types.int_kind(ty)?;
        Some(value.resize(kind.width(), from))
    }

    /// Registers a `case` or `default` statement with the innermost switch.
    pub(crate) fn add_switch_label(&mut self, statement: StmtId) {
        if let Some(switch) = self.function.as_mut().and_then(|f| f.switches.last_mut()) {
            switch.labels.push(statement);
        }
    }

    /// Notes a `default`; `true` if it is the first of a switch.
    pub(crate) fn default_label(&mut self, span: Span) -> bool {
        let Some(switch) = self.function.as_mut().and_then(|f| f.switches.last_mut()) else {
            self.error(TypeProblem::CaseOutsideSwitch, span);
            return false;
        };
        if let Some(earlier) = switch.default.replace(span) {
            let related = (earlier, Related::PreviousCase);
            self.error_with(TypeProblem::DuplicateDefault, span, related);
            return false;
        }
        true
    }

    /// Statements that set the lengths of variable length types met since the last call.
    pub(crate) fn place_pending_lengths(&mut self, span: Span, out: &mut Vec<StmtId>) {
        for (variable, length) in std::mem::take(&mut self.pending_lengths) {
            out.push(self.statement(StmtKind::SetVlaLength { variable, length }, span));
        }
    }

    /// Compound literals that belong to a block, in front of its statements: each is one object from the block's start to
    /// its end, however often it is evaluated (C11 6.5.2.5p5, 6.2.4p6).
    pub(crate) fn declare_literals(&mut self, n_outer: usize, statements: &mut Vec<StmtId>) {
        let literals = self.open_literals.split_off(n_outer.min(self.open_literals.len()));
        let declared = literals.into_iter().map(|variable| {
            let span = self.program.variable(variable).span;
            self.statement(StmtKind::Declare { variable, init: None }, span)
        });
        let declared: Vec<StmtId> = declared.collect();
        statements.splice(..0, declared);
    }
}
