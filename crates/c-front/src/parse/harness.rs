//! Harnesses: functions that do not stand in the source but call one that does, with the same
//! parameters. Contracts of a configuration file are read this way, in the scope of the unit.

use super::cursor::Parser;
use crate::diagnostics::{Problem, SyntaxProblem};
use crate::tree::{Function, FunctionId, Linkage, StmtKind, VariableId};

/// The name of a parameter that the source does not name.
pub fn unnamed_parameter(index: u32) -> String {
    format!("__glassbox_parameter_{index}")
}

impl Parser<'_> {
    /// Reads a block as the body of a new function `name` that has the parameters and the result of
    /// `function`, which is defined. Functions whose parameter types have variable lengths, and those
    /// with variable arguments, are refused.
    pub(crate) fn harness(&mut self, function: FunctionId, name: &str) {
        let start = self.start();
        let declared = self.c.program.function(function);
        let (ty, is_noreturn, is_inline) = (declared.ty, false, false);
        let Some(body) = &declared.body else { return };
        let has_lengths = !body.prologue.is_empty();
        let given = body.parameters.clone();
        let is_variadic =
            self.c.program.types.function_type(ty).is_some_and(|function| function.is_variadic);
        if has_lengths || is_variadic {
            let problem = SyntaxProblem::NoHarness;
            self.c.report(Problem::Syntax(problem), self.token().span());
            return;
        }
        let span = self.token().span();
        let name = self.c.program.names.intern(name);
        let id = self.c.program.add_function(Function {
            name,
            ty,
            linkage: Linkage::Internal,
            span,
            is_noreturn,
            is_inline,
            is_implicit: false,
            body: None,
        });
        self.c.scopes.enter();
        let mut parameters: Vec<VariableId> = Vec::with_capacity(given.len());
        for (index, variable) in (0u32..).zip(given) {
            let variable = self.c.program.variable(variable);
            let (name, ty) = (variable.name, variable.ty);
            // Unnamed ones get a name, so that the harness can pass them on.
            let name = if name == self.c.well_known.unnamed {
                self.c.program.names.intern(&unnamed_parameter(index))
            } else {
                name
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
            return;
        };
        let block = StmtKind::Block(statements.into());
        let body = self.c.statement(block, self.span_from(start));
        self.c.end_function(parameters, Vec::new(), body, self.span_from(start));
    }
}
