//! Harnesses: functions that do not stand in the source but call or judge one that does, with the same
//! parameters. Contracts of a configuration file are read this way, in the scope of the unit.

use super::cursor::Parser;
use crate::check::scope::Meaning;
use crate::diagnostics::{Problem, SyntaxProblem};
use crate::front::HarnessShape;
use crate::names::Name;
use crate::tree::{Function, FunctionId, Linkage, StmtKind, VariableId};
use crate::ty::kind::{FunctionType, PrototypeStyle, TypeId};
use crate::ty::table::TypeTable;

/// The name of a parameter that the source does not name.
pub fn unnamed_parameter(index: u32) -> String {
    format!("__glassbox_parameter_{index}")
}

impl Parser<'_> {
    /// Reads a block as the body of a new function `name` of this shape. Functions whose parameter types
    /// have variable lengths, and those with variable arguments, are refused. Gives the function where there is one.
    pub(crate) fn harness(
        &mut self,
        function: FunctionId,
        name: &str,
        shape: HarnessShape,
    ) -> Option<FunctionId> {
        let start = self.start();
        let declared = self.c.program.function(function);
        let (ty, is_noreturn, is_inline) = (declared.ty, false, false);
        let mut given = self.harness_parameters(function);
        let has_lengths = given.iter().any(|&(_, ty)| self.c.program.types.has_variable_length(ty));
        let is_variadic =
            self.c.program.types.function_type(ty).is_some_and(|function| function.is_variadic);
        if has_lengths || is_variadic {
            let problem = SyntaxProblem::NoHarness;
            self.c.report(Problem::Syntax(problem), self.token().span());
            return None;
        }
        let span = self.token().span();
        let ty = match shape {
            HarnessShape::Same | HarnessShape::Variant => ty,
            HarnessShape::Test | HarnessShape::Relation | HarnessShape::Judge => {
                self.judge_type(ty, shape == HarnessShape::Judge, &mut given)
            }
        };
        let name = self.c.program.names.intern(name);
        let id = self.c.program.add_function(Function {
            name,
            ty,
            linkage: Linkage::Internal,
            span,
            is_noreturn,
            promise: None,
            around_main: None,
            harness_of: Some((shape, function)),
            is_inline,
            is_implicit: false,
            declared_names: Vec::new(),
            asked: Vec::new(),
            body: None,
        });
        if shape == HarnessShape::Variant {
            self.c.scopes.declare(name, Meaning::Function { id, ty }, span);
        }
        self.c.scopes.enter();
        let mut parameters: Vec<VariableId> = Vec::with_capacity(given.len());
        for (index, (name, ty)) in (0u32..).zip(given) {
            // Unnamed ones get a name, so that the harness can pass them on.
            let name = match name {
                Some(name) => name,
                None => self.c.program.names.intern(&unnamed_parameter(index)),
            };
            parameters.push(self.c.declare_parameter(name, ty, index, span));
        }
        self.c.begin_function(id, &parameters);
        let statements = self.function_block();
        let scope = self.c.scopes.leave();
        let end = self.span_from(start).end;
        self.c.close_scope(&scope, end);
        let Ok(statements) = statements else {
            self.c.function = None;
            return Some(id);
        };
        let block = StmtKind::Block(statements.into());
        let body = self.c.statement(block, self.span_from(start));
        self.c.end_function(parameters, Vec::new(), body, self.span_from(start));
        Some(id)
    }

    /// Names and types of the parameters, from the definition or a declaration.
    fn harness_parameters(&self, function: FunctionId) -> Vec<(Option<Name>, TypeId)> {
        let program = &self.c.program;
        let declared = program.function(function);
        match &declared.body {
            Some(body) => {
                let named = body.parameters.iter().map(|&variable| {
                    let variable = program.variable(variable);
                    let is_named = variable.name != self.c.well_known.unnamed;
                    (is_named.then_some(variable.name), variable.ty)
                });
                named.collect()
            }
            None => {
                let types = program.types.function_type(declared.ty);
                let types = types.map_or(&[][..], |ty| &ty.parameters);
                let name = |index: usize| declared.declared_names.get(index).copied().flatten();
                types.iter().enumerate().map(|(index, &ty)| (name(index), ty)).collect()
            }
        }
    }

    /// The type of a function that takes these parameters, and the result too if it is to be judged, and
    /// gives an `int`.
    fn judge_type(
        &mut self,
        ty: TypeId,
        has_result: bool,
        given: &mut Vec<(Option<Name>, TypeId)>,
    ) -> TypeId {
        let types = &self.c.program.types;
        let result = types.function_type(ty).map(|ty| ty.result);
        if let Some(result) = result.filter(|&ty| has_result && !types.is_void(ty)) {
            given.push((Some(self.c.program.names.intern("result")), result));
        }
        let types = &mut self.c.program.types;
        let parameters = given.iter().map(|&(_, ty)| types.unqualified(ty)).collect();
        types.function(FunctionType {
            result: TypeTable::INT,
            parameters,
            is_variadic: false,
            style: PrototypeStyle::Prototype,
        })
    }
}
