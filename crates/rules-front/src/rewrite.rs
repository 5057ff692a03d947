//! The reference meaning: rules applied to terms, step by step.
//!
//! A rule applies where each of its premises has a value that is an instance of its pattern. An expression without a
//! value (no rule applies inside of it, a division by zero, an exception) makes a premise fail; in a result it is the
//! result. Where several rules of an inner call apply, the first is taken: `check` says whether the others differ.

use crate::spec::{Arithmetic, Expr, Outcome, Pattern, Rule, Spec};
use crate::term::Term;

/// Calls inside of calls. What needs more is reported as endless.
pub const DEEPEST: usize = 300;

/// What an expression comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Result {
    Value(Term),
    Raised(usize),
    /// No rule applies, or a division by zero.
    Undefined,
    /// More calls inside of calls than are followed.
    Endless,
}

/// A rule that applies, by position, and what it gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fired {
    pub rule: usize,
    pub result: Result,
}

/// All rules of a function that apply to these arguments; `None` where that would need endless calls.
pub fn fired(spec: &Spec, function: usize, args: &[Term]) -> Option<Vec<Fired>> {
    let rewriting = Rewriting { spec };
    let mut all = Vec::new();
    for (rule, known) in spec.functions[function].rules.iter().enumerate() {
        match rewriting.premises(known, args, 0) {
            Guard::Holds(variables) => {
                let result = rewriting.outcome(known, &variables, 0);
                all.push(Fired { rule, result });
            }
            Guard::Fails => {}
            Guard::Endless => return None,
        }
    }
    Some(all)
}

enum Guard {
    Holds(Vec<Term>),
    Fails,
    Endless,
}

struct Rewriting<'s> {
    spec: &'s Spec,
}

type Value = std::result::Result<Term, Result>;

impl Rewriting<'_> {
    fn call(&self, function: usize, args: &[Term], depth: usize) -> Result {
        if depth >= DEEPEST {
            return Result::Endless;
        }
        for rule in &self.spec.functions[function].rules {
            match self.premises(rule, args, depth) {
                Guard::Holds(variables) => return self.outcome(rule, &variables, depth),
                Guard::Fails => {}
                Guard::Endless => return Result::Endless,
            }
        }
        Result::Undefined
    }

    fn outcome(&self, rule: &Rule, variables: &[Term], depth: usize) -> Result {
        match &rule.result {
            Outcome::Raise(exception) => Result::Raised(*exception),
            Outcome::Value(expr) => match self.value(expr, variables, depth) {
                Ok(term) => Result::Value(term),
                Err(other) => other,
            },
        }
    }

    fn premises(&self, rule: &Rule, args: &[Term], depth: usize) -> Guard {
        let mut variables = args.to_vec();
        // Slots are bound in order; what is not bound yet is never read.
        variables.resize(rule.variables.len(), Term::Bool(false));
        for premise in &rule.premises {
            let value = self.value(&premise.expr, &variables, depth);
            let holds = match (&premise.pattern, value) {
                (_, Err(Result::Endless)) => return Guard::Endless,
                (Pattern::Raise(wanted), Err(Result::Raised(raised))) => *wanted == raised,
                (Pattern::Raise(_), _) | (_, Err(_)) => false,
                (pattern, Ok(term)) => matches(pattern, &term, &mut variables),
            };
            if !holds {
                return Guard::Fails;
            }
        }
        Guard::Holds(variables)
    }

    fn value(&self, expr: &Expr, variables: &[Term], depth: usize) -> Value {
        let value = |expr: &Expr| self.value(expr, variables, depth);
        let truth = |expr: &Expr| value(expr).map(|term| term == Term::Bool(true));
        let number = |expr: &Expr| {
            value(expr).map(|term| if let Term::Int(number) = term { number } else { 0 })
        };
        let all = |args: &[Expr]| args.iter().map(value).collect::<std::result::Result<_, _>>();
        Ok(match expr {
            Expr::Bool(value) => Term::Bool(*value),
            Expr::Int(number, _) => Term::Int(*number),
            Expr::Var(slot) => variables[*slot].clone(),
            Expr::Make { data, constructor, args } => {
                Term::Make { data: *data, constructor: *constructor, args: all(args)? }
            }
            Expr::Field { base, field, .. } => match value(base)? {
                Term::Make { mut args, .. } => args.swap_remove(*field),
                other @ (Term::Bool(_) | Term::Int(_)) => other,
            },
            Expr::Call { function, args } => {
                let args: Vec<Term> = all(args)?;
                match self.call(*function, &args, depth + 1) {
                    Result::Value(term) => term,
                    other @ (Result::Raised(_) | Result::Undefined | Result::Endless) => {
                        return Err(other);
                    }
                }
            }
            Expr::Not(arg) => Term::Bool(!truth(arg)?),
            Expr::Both { lhs, rhs } => Term::Bool(truth(lhs)? && truth(rhs)?),
            Expr::Either { lhs, rhs } => Term::Bool(truth(lhs)? || truth(rhs)?),
            Expr::Equal { lhs, rhs, .. } => Term::Bool(value(lhs)? == value(rhs)?),
            Expr::Less { lhs, rhs, or_equal, .. } => {
                let (lhs, rhs) = (number(lhs)?, number(rhs)?);
                Term::Bool(if *or_equal { lhs <= rhs } else { lhs < rhs })
            }
            Expr::Arithmetic { op, lhs, rhs, ty } => {
                let (lhs, rhs) = (number(lhs)?, number(rhs)?);
                let exact = match op {
                    Arithmetic::Add => lhs.wrapping_add(rhs),
                    Arithmetic::Sub => lhs.wrapping_sub(rhs),
                    Arithmetic::Mul => lhs.wrapping_mul(rhs),
                    Arithmetic::Div | Arithmetic::Rem if rhs == 0 => return Err(Result::Undefined),
                    Arithmetic::Div => lhs.wrapping_div(rhs),
                    Arithmetic::Rem => lhs.wrapping_rem(rhs),
                };
                Term::Int(ty.wrap(exact))
            }
            Expr::Convert { arg, to, .. } => Term::Int(to.wrap(number(arg)?)),
        })
    }
}

/// Whether the term is an instance of the pattern; what it binds goes into its slots.
fn matches(pattern: &Pattern, term: &Term, variables: &mut [Term]) -> bool {
    match (pattern, term) {
        (Pattern::Any, _) => true,
        (Pattern::Bind(slot), _) => {
            variables[*slot] = term.clone();
            true
        }
        (Pattern::Bool(wanted), Term::Bool(value)) => wanted == value,
        (Pattern::Int(wanted), Term::Int(number)) => wanted == number,
        (
            Pattern::Make { constructor, args, .. },
            Term::Make { constructor: made, args: parts, .. },
        ) => {
            constructor == made
                && args.iter().zip(parts).all(|(arg, part)| matches(arg, part, variables))
        }
        (
            Pattern::Bool(_) | Pattern::Int(_) | Pattern::Make { .. } | Pattern::Raise(_),
            Term::Bool(_) | Term::Int(_) | Term::Make { .. },
        ) => false,
    }
}
