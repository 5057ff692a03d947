//! Function definitions, new and old style.

use rustc_hash::FxHashMap;

use super::attribute::Attributes;
use super::cursor::{Parse, Parser};
use super::declarator::{Declarator, Derivation, FunctionDeclarator};
use super::specifier::Specifiers;
use super::token::TokenKind;
use crate::check::declare::{Made, StorageClass};
use crate::check::scope::Declared as ScopeDeclared;
use crate::diagnostics::{TypeProblem, TypeWarning};
use crate::names::Name;
use crate::span::Span;
use crate::tree::{FunctionId, StmtKind, Unsupported, VariableId};
use crate::ty::kind::{FunctionType, PrototypeStyle, TypeId};
use crate::ty::table::TypeTable;

impl Parser<'_> {
    /// The definition whose declarator was just read.
    pub(crate) fn function_definition(
        &mut self,
        specifiers: &Specifiers,
        mut declarator: Declarator,
        start: u32,
    ) -> Parse<()> {
        let mut declared = self.declared(specifiers, &declarator)?;
        declared.has_initializer = false;
        let Some(Derivation::Function(mut function)) = declarator.derivations.pop() else {
            return self.expected("a function declarator");
        };
        if function.style == PrototypeStyle::OldStyle {
            declared.ty = self.old_style_parameters(&mut function, declared.ty)?;
        } else if function.style == PrototypeStyle::Unspecified {
            // `int f() {}` takes no arguments but makes no prototype.
            declared.ty = self.with_style(declared.ty, PrototypeStyle::OldStyle, &[]);
        }
        if declared.storage == StorageClass::Typedef {
            self.c.error(TypeProblem::BadStorage, specifiers.span);
            declared.storage = StorageClass::None;
        }
        let made = self.c.declare(&declared);
        let id = match made {
            Made::Function(id) => id,
            Made::Typedef | Made::Variable { .. } | Made::Nothing => {
                return self.expected("a function type for this body");
            }
        };
        self.note_limits(made, &declared, start, &mut Vec::new());
        let of_function = declared.unsupported.filter(|&name| self.c.name_text(name) != "weak");
        let of_parameters = function.parameters.iter().find_map(|parameter| parameter.limit);
        if let Some(name) = of_function.or(of_parameters) {
            let what = Unsupported::Attribute(self.c.name_text(name).into());
            self.c.program.limits.bodies.insert(id, what);
        }
        let keep = self.c.define_function(id, &declared);
        self.note_asked(id, &function, declared.nonnull);
        let kept = if keep { None } else { self.c.program.function(id).body.clone() };
        let first = self.position();
        self.body(id, &function, start)?;
        self.note_openmp(id, first);
        if !keep {
            self.c.program.function_mut(id).body = kept;
        }
        Ok(())
    }

    /// What OpenMP makes of a body, whose first token is `first` and whose last one was read, is not modeled.
    fn note_openmp(&mut self, id: FunctionId, first: usize) {
        let body = first + 1..self.position();
        let n_before = self.openmp.len();
        self.openmp
            .retain(|&token| !usize::try_from(token).is_ok_and(|token| body.contains(&token)));
        if self.openmp.len() < n_before {
            self.c.program.limits.bodies.insert(id, Unsupported::Pragma("omp".into()));
        }
    }

    fn with_style(&mut self, ty: TypeId, style: PrototypeStyle, parameters: &[TypeId]) -> TypeId {
        let Some(function) = self.c.program.types.function_type(ty) else { return ty };
        let function = FunctionType {
            result: function.result,
            parameters: parameters.into(),
            is_variadic: false,
            style,
        };
        self.c.program.types.function(function)
    }

    /// The declarations between `)` and `{` of `int f(a, b) char *a; {`.
    fn old_style_parameters(
        &mut self,
        function: &mut FunctionDeclarator,
        ty: TypeId,
    ) -> Parse<TypeId> {
        let mut types: FxHashMap<Name, (TypeId, Span)> = FxHashMap::default();
        while self.peek() != TokenKind::LBrace {
            let specifiers = self.specifiers()?;
            loop {
                let declarator = self.nested(Parser::declarator)?;
                let declared = self.declared(&specifiers, &declarator)?;
                self.attributes_of_nothing(Attributes {
                    unsupported: declared.unsupported,
                    ..Attributes::default()
                });
                let adjusted = self.adjusted_parameter(declared.ty, &declarator);
                let known = function
                    .parameters
                    .iter()
                    .any(|p| p.name.is_some_and(|(name, _)| name == declared.name));
                if !known {
                    let name = self.c.name_text(declared.name);
                    self.c.error(TypeProblem::UnknownParameter { name }, declared.span);
                }
                types.insert(declared.name, (adjusted, declared.span));
                if self.eat(TokenKind::Semicolon) {
                    break;
                }
                self.expect(TokenKind::Comma, "`,` or `;`")?;
            }
        }
        for parameter in &mut function.parameters {
            if let Some((name, span)) = parameter.name {
                match types.get(&name) {
                    Some(&(ty, span)) => (parameter.ty, parameter.span) = (ty, span),
                    None => {
                        let name = self.c.name_text(name);
                        self.c.warn(TypeWarning::ImplicitInt { name }, span);
                    }
                }
            }
        }
        let plain: Vec<TypeId> = function
            .parameters
            .iter()
            .map(|parameter| self.c.program.types.unqualified(parameter.ty))
            .collect();
        Ok(self.with_style(ty, PrototypeStyle::OldStyle, &plain))
    }

    /// The body, in a scope that sees the parameters.
    fn body(&mut self, id: FunctionId, function: &FunctionDeclarator, start: u32) -> Parse<()> {
        self.c.scopes.enter();
        self.c.scopes.reenter(&function.scope);
        let parameters = self.parameter_variables(function);
        self.check_result(id);
        self.c.begin_function(id, &parameters);
        for &(variable, _) in &function.lengths {
            self.c.program.variable_mut(variable).function = Some(id);
            if let Some(state) = &mut self.c.function {
                state.locals.push(variable);
            }
        }
        self.c.pending_lengths.clear();
        self.c.open_literals.clear();
        let mut prologue = Vec::new();
        for &(variable, length) in &function.lengths {
            let span = self.c.span(length);
            let kind = StmtKind::SetVlaLength { variable, length };
            prologue.push(self.c.statement(kind, span));
        }
        let body_start = self.start();
        let statements = self.function_block();
        let scope: ScopeDeclared = self.c.scopes.leave();
        let end = self.span_from(start).end;
        self.c.close_scope(&scope, end);
        let statements = match statements {
            Ok(statements) => statements,
            Err(bail) => {
                self.c.function = None;
                return Err(bail);
            }
        };
        let block = StmtKind::Block(statements.into());
        let body = self.c.statement(block, self.span_from(body_start));
        self.c.end_function(parameters, prologue, body, self.span_from(start));
        Ok(())
    }

    fn check_result(&mut self, id: FunctionId) {
        let (ty, span) = (self.c.program.function(id).ty, self.c.program.function(id).span);
        let result = self.c.program.types.function_type(ty).map(|function| function.result);
        if let Some(result) = result
            && !self.c.program.types.is_void(result)
        {
            self.c.require_complete(result, span);
        }
    }

    fn parameter_variables(&mut self, function: &FunctionDeclarator) -> Vec<VariableId> {
        let mut variables = Vec::with_capacity(function.parameters.len());
        for (index, parameter) in (0u32..).zip(&function.parameters) {
            let variable = match (parameter.variable, parameter.name) {
                (Some(variable), _) => variable,
                (None, Some((name, span))) => {
                    self.c.declare_parameter(name, parameter.ty, index, span)
                }
                // An unnamed parameter is passed all the same.
                (None, None) => {
                    let role = crate::tree::VariableRole::Parameter(index);
                    self.c.hidden_variable(parameter.ty, role, parameter.span)
                }
            };
            if !self.c.require_complete(parameter.ty, parameter.span) {
                self.c.program.variable_mut(variable).ty = TypeTable::ERROR;
            }
            variables.push(variable);
        }
        variables
    }
}
