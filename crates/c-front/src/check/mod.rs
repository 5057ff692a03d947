//! The type checker: the actions that the grammar calls, each giving a piece of typed tree.
//!
//! On entry operands are typed nodes; on exit so is the result. A broken rule is reported once and
//! gives a node of type `Error`, which agrees with everything, so that one mistake gives one message.

pub(crate) mod arithmetic;
pub(crate) mod assign;
pub(crate) mod builtin;
pub(crate) mod call;
pub(crate) mod condition;
pub(crate) mod constant;
pub(crate) mod convert;
pub(crate) mod declare;
pub(crate) mod fold;
pub(crate) mod function;
pub(crate) mod initializer;
pub(crate) mod link;
pub(crate) mod literal;
pub(crate) mod member;
pub(crate) mod node;
pub(crate) mod overridden;
pub(crate) mod place;
pub(crate) mod record;
pub(crate) mod scope;
pub(crate) mod statement;
pub(crate) mod temporary;

use glassbox_values::Signedness;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::diagnostics::{Diagnostic, Problem, Related, SyntaxProblem, TypeProblem, TypeWarning};
use crate::names::Name;
use crate::span::Span;
use crate::tree::{ExprId, Program, VariableId};
use crate::ty::kind::{IntKind, TypeId};
use function::FunctionState;
pub(crate) use link::Links;
use scope::Scopes;

/// After this many errors a unit is given up.
pub(crate) const MAX_ERRORS: usize = 50;

/// Trees deeper than this are refused, so that recursive passes have a bound.
pub(crate) const MAX_TREE_DEPTH: u16 = 6000;

/// The state of checking one unit.
pub(crate) struct Checker<'a> {
    pub(crate) program: &'a mut Program,
    /// External names of all units so far.
    pub(crate) links: &'a mut Links,
    pub(crate) diagnostics: Vec<Diagnostic>,
    n_errors: usize,
    pub(crate) scopes: Scopes,
    /// The function whose body is being checked.
    pub(crate) function: Option<FunctionState>,
    /// Depth of every expression of the program made so far, by id, from `first_expr` on.
    depths: Vec<u16>,
    first_expr: usize,
    pub(crate) first_variable: usize,
    /// Lengths of variable length types seen and not yet placed in a statement or expression.
    pub(crate) pending_lengths: Vec<(VariableId, ExprId)>,
    /// Compound literals whose block has not ended.
    pub(crate) open_literals: Vec<VariableId>,
    /// Names already reported as undeclared.
    undeclared: FxHashSet<Name>,
    /// Reading a constant object of known content counts as constant, as in static initializers.
    pub(crate) static_constants: bool,
    /// Literals of type `long double`, which is not modeled: what they are in other types is known.
    pub(crate) extended: FxHashMap<ExprId, Box<str>>,
    /// The end of the unit: where file scope ends.
    pub(crate) unit_end: u32,
    pub(crate) well_known: WellKnown,
}

/// Names and types the checker itself refers to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WellKnown {
    /// `struct __va_list_tag [1]`.
    pub(crate) va_list: TypeId,
    pub(crate) unnamed: Name,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(
        program: &'a mut Program,
        links: &'a mut Links,
        unit_end: u32,
    ) -> Checker<'a> {
        let va_list = links.va_list(program);
        let unnamed = program.names.intern("<unnamed>");
        let first_expr = program.n_exprs();
        let first_variable = program.variables.len();
        let mut checker = Checker {
            program,
            links,
            diagnostics: Vec::new(),
            n_errors: 0,
            scopes: Scopes::default(),
            function: None,
            depths: Vec::new(),
            first_expr,
            first_variable,
            pending_lengths: Vec::new(),
            open_literals: Vec::new(),
            undeclared: FxHashSet::default(),
            static_constants: false,
            extended: FxHashMap::default(),
            unit_end,
            well_known: WellKnown { va_list, unnamed },
        };
        checker.declare_predefined_types();
        checker
    }

    /// What `char` is: it is taken for the other character type with its values.
    pub(crate) fn plain_char(&self) -> IntKind {
        match self.links.target.char {
            Signedness::Signed => IntKind::Char,
            Signedness::Unsigned => IntKind::UnsignedChar,
        }
    }

    pub(crate) fn report(&mut self, problem: Problem, span: Span) {
        self.push(Diagnostic::new(problem, span));
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.is_error() {
            self.n_errors += 1;
        }
        match self.n_errors.cmp(&(MAX_ERRORS + 1)) {
            std::cmp::Ordering::Less => self.diagnostics.push(diagnostic),
            std::cmp::Ordering::Equal => {
                self.n_errors += 1;
                let problem = SyntaxProblem::TooManyErrors { limit: MAX_ERRORS };
                let span = diagnostic.span.unwrap_or_default();
                self.diagnostics.push(Diagnostic::new(Problem::Syntax(problem), span));
            }
            std::cmp::Ordering::Greater => {}
        }
    }

    /// Says nothing more: what follows a limit makes no sense.
    pub(crate) fn give_up(&mut self) {
        self.n_errors = MAX_ERRORS + 2;
    }

    pub(crate) fn gave_up(&self) -> bool {
        self.n_errors > MAX_ERRORS
    }

    pub(crate) fn error(&mut self, problem: TypeProblem, span: Span) {
        self.report(Problem::Type(problem), span);
    }

    pub(crate) fn error_with(
        &mut self,
        problem: TypeProblem,
        span: Span,
        related: (Span, Related),
    ) {
        let problem = Problem::Type(problem);
        self.push(Diagnostic { problem, span: Some(span), related: Some(related) });
    }

    pub(crate) fn warn_with(&mut self, warning: TypeWarning, span: Span, related: (Span, Related)) {
        let problem = Problem::Warning(warning);
        self.push(Diagnostic { problem, span: Some(span), related: Some(related) });
    }

    pub(crate) fn warn(&mut self, warning: TypeWarning, span: Span) {
        self.report(Problem::Warning(warning), span);
    }

    pub(crate) fn show(&self, ty: TypeId) -> String {
        self.program.types.show(ty, &self.program.names)
    }

    pub(crate) fn name_text(&self, name: Name) -> String {
        self.program.name(name).to_string()
    }
}
