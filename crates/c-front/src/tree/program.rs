//! The whole program: all units' declarations and all tree nodes.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::assembly::AssemblyUse;
use super::declaration::{
    Function, FunctionId, Label, LabelId, StringId, StringLiteral, Variable, VariableId,
};
use super::expr::{Callee, Conversion, Expr, ExprId, ExprKind};
use super::limits::Limits;
use super::stmt::{Stmt, StmtId};
use crate::flags::Floats;
use crate::names::{Name, Names};
use crate::span::Span;
use crate::ty::table::TypeTable;

/// A checked program of one or more translation units, already linked: an external name is one
/// variable or one function.
#[derive(Debug, Default, Clone)]
pub struct Program {
    pub names: Names,
    pub types: TypeTable,
    pub variables: Vec<Variable>,
    pub functions: Vec<Function>,
    pub labels: Vec<Label>,
    pub strings: Vec<StringLiteral>,
    /// By the place of a declared name: the typedef of a number that its declaration begins with. Types
    /// do not know it.
    pub spellings: FxHashMap<Span, Name>,
    /// What is not understood.
    pub limits: Limits,
    /// Unsigned arithmetic that wraps around is checked for, though C allows it.
    pub checks_unsigned_wrap: bool,
    /// Implicit conversions that change a value are checked for, though C allows them.
    pub checks_conversions: bool,
    /// Calls through pointers to functions of other types are checked for, though most machines do not mind.
    pub checks_calls: bool,
    /// The size in bytes that no allocation may exceed.
    pub heap: Option<u64>,
    /// Undefined functions stand in the place of assembly with operands, as far as tests can put them there.
    pub replaces_assembly: bool,
    /// Where the last unit says `asm`.
    pub assembly: Vec<AssemblyUse>,
    /// Statements that stand for instructions of which only their operands are known.
    pub(crate) opaque_assembly: FxHashMap<StmtId, Span>,
    /// What `__builtin_constant_p` became where an optimizer may say something else.
    pub(crate) not_constant: FxHashSet<ExprId>,
    /// Compilers rely on that memory is seen by the types that it has.
    pub has_effective_types: bool,
    /// How the machine computes with floating numbers.
    pub floats: Floats,
    pub(crate) exprs: Vec<Expr>,
    pub(crate) stmts: Vec<Stmt>,
}

fn next_id(length: usize) -> u32 {
    u32::try_from(length).expect("tree nodes should fit 32 bits")
}

impl Program {
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.0 as usize]
    }

    /// The pointer that was converted to another type.
    pub(crate) fn unconverted(&self, pointer: ExprId) -> ExprId {
        let mut at = pointer;
        while let ExprKind::Convert {
            conversion: Conversion::PointerToPointer | Conversion::Same,
            operand,
            ..
        } = self.expr(at).kind
        {
            at = operand;
        }
        at
    }

    pub fn stmt(&self, id: StmtId) -> &Stmt {
        &self.stmts[id.0 as usize]
    }

    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    pub fn label(&self, id: LabelId) -> &Label {
        &self.labels[id.0 as usize]
    }

    pub fn string(&self, id: StringId) -> &StringLiteral {
        &self.strings[id.0 as usize]
    }

    pub fn name(&self, name: Name) -> &str {
        self.names.text(name)
    }

    /// The first function of this name that has a body, else the first declared one.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let name = self.names.find(name)?;
        let named = |f: &&(usize, &Function)| f.1.name == name;
        let all: Vec<(usize, &Function)> = self.functions.iter().enumerate().collect();
        let found = all
            .iter()
            .filter(named)
            .find(|f| f.1.body.is_some())
            .or_else(|| all.iter().find(named))?;
        Some(FunctionId(next_id(found.0)))
    }

    pub fn function_ids(&self) -> impl Iterator<Item = FunctionId> + use<> {
        (0..next_id(self.functions.len())).map(FunctionId)
    }

    /// The functions that some expression calls by name, and that neither a unit defines nor the catalogue of the library
    /// has.
    pub fn called_strangers(&self) -> BTreeSet<FunctionId> {
        let callees = self.exprs.iter().filter_map(|expr| {
            let ExprKind::Call { callee: Callee::Direct(id), .. } = expr.kind else { return None };
            Some(id)
        });
        let is_stranger = |id: &FunctionId| {
            let function = self.function(*id);
            let name = self.name(function.name);
            function.body.is_none() && glassbox_library::find(name).is_none()
        };
        callees.filter(is_stranger).collect()
    }

    pub fn variable_ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..next_id(self.variables.len())).map(VariableId)
    }

    /// The names of a function's parameters, in its definition or else in its last declaration; `None` for
    /// those without.
    pub fn parameter_names(&self, function: FunctionId) -> Vec<Option<String>> {
        let declared = self.function(function);
        if declared.body.is_none() {
            let n_parameters =
                self.types.function_type(declared.ty).map_or(0, |ty| ty.parameters.len());
            let name = |index: usize| declared.declared_names.get(index).copied().flatten();
            return (0..n_parameters)
                .map(|index| name(index).map(|name| self.name(name).to_owned()))
                .collect();
        }
        let parameters = declared.body.as_ref().map(|body| &body.parameters);
        let name = |&id: &VariableId| {
            let name = self.name(self.variable(id).name);
            (!name.starts_with('<')).then(|| name.to_owned())
        };
        parameters.map_or(Vec::new(), |parameters| parameters.iter().map(name).collect())
    }

    /// Whether some expression mentions the variable.
    pub fn is_used(&self, variable: VariableId) -> bool {
        let is_it = |expr: &Expr| matches!(expr.kind, ExprKind::Variable(it) if it == variable);
        self.exprs.iter().any(is_it)
    }

    /// The expressions that were written at a place, in the order in which they were read.
    pub fn exprs_within(&self, span: Span) -> impl Iterator<Item = (ExprId, &Expr)> {
        self.all_exprs().filter(move |(_, expr)| span.contains(expr.span))
    }

    /// The statements that were written at a place.
    pub fn stmts_within(&self, span: Span) -> impl Iterator<Item = &Stmt> {
        self.all_stmts().filter(move |stmt| span.contains(stmt.span))
    }

    pub(crate) fn all_exprs(&self) -> impl Iterator<Item = (ExprId, &Expr)> {
        (0..next_id(self.exprs.len())).map(ExprId).zip(&self.exprs)
    }

    pub(crate) fn all_stmts(&self) -> impl Iterator<Item = &Stmt> {
        self.stmts.iter()
    }

    pub(crate) fn n_exprs(&self) -> usize {
        self.exprs.len()
    }

    /// The id that the next expression will get.
    pub(crate) fn next_expr(&self) -> ExprId {
        ExprId(next_id(self.exprs.len()))
    }

    pub(crate) fn expr_mut(&mut self, id: ExprId) -> &mut Expr {
        &mut self.exprs[id.0 as usize]
    }

    pub(crate) fn stmt_mut(&mut self, id: StmtId) -> &mut Stmt {
        &mut self.stmts[id.0 as usize]
    }

    pub(crate) fn variable_mut(&mut self, id: VariableId) -> &mut Variable {
        &mut self.variables[id.0 as usize]
    }

    pub(crate) fn function_mut(&mut self, id: FunctionId) -> &mut Function {
        &mut self.functions[id.0 as usize]
    }

    pub(crate) fn add_expr(&mut self, expr: Expr) -> ExprId {
        self.exprs.push(expr);
        ExprId(next_id(self.exprs.len() - 1))
    }

    pub(crate) fn add_stmt(&mut self, stmt: Stmt) -> StmtId {
        self.stmts.push(stmt);
        StmtId(next_id(self.stmts.len() - 1))
    }

    pub(crate) fn add_variable(&mut self, variable: Variable) -> VariableId {
        self.variables.push(variable);
        VariableId(next_id(self.variables.len() - 1))
    }

    pub(crate) fn add_function(&mut self, function: Function) -> FunctionId {
        self.functions.push(function);
        FunctionId(next_id(self.functions.len() - 1))
    }

    pub(crate) fn add_label(&mut self, label: Label) -> LabelId {
        self.labels.push(label);
        LabelId(next_id(self.labels.len() - 1))
    }

    pub(crate) fn add_string(&mut self, string: StringLiteral) -> StringId {
        self.strings.push(string);
        StringId(next_id(self.strings.len() - 1))
    }
}
