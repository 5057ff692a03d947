//! Rules that exclude each other by what they ask of the same expression.

use crate::spec::{Expr, Pattern, Rule};

/// Whether two rules of a function never apply to the same arguments, as far as their patterns show: both ask for the
/// value of one expression over the parameters, and no value is an instance of both patterns.
pub fn are_disjoint(a: &Rule, b: &Rule, n_params: usize) -> bool {
    a.premises.iter().any(|of_a| {
        is_over_params(&of_a.expr, n_params)
            && b.premises
                .iter()
                .any(|of_b| of_a.expr == of_b.expr && exclude(&of_a.pattern, &of_b.pattern))
    })
}

/// Slots of parameters are the same in all rules of a function.
fn is_over_params(expr: &Expr, n_params: usize) -> bool {
    let mut is_it = true;
    expr.visit(&mut |part| is_it &= !matches!(part, Expr::Var(slot) if *slot >= n_params));
    is_it
}

fn exclude(a: &Pattern, b: &Pattern) -> bool {
    match (a, b) {
        (Pattern::Raise(a), Pattern::Raise(b)) => a != b,
        (Pattern::Raise(_), _) | (_, Pattern::Raise(_)) => true,
        (Pattern::Any | Pattern::Bind(_), _) | (_, Pattern::Any | Pattern::Bind(_)) => false,
        (Pattern::Bool(a), Pattern::Bool(b)) => a != b,
        (Pattern::Int(a), Pattern::Int(b)) => a != b,
        (
            Pattern::Make { constructor: a, args: a_args, .. },
            Pattern::Make { constructor: b, args: b_args, .. },
        ) => a != b || a_args.iter().zip(b_args).any(|(a, b)| exclude(a, b)),
        // Patterns of one type.
        (
            Pattern::Bool(_) | Pattern::Int(_) | Pattern::Make { .. },
            Pattern::Bool(_) | Pattern::Int(_) | Pattern::Make { .. },
        ) => false,
    }
}
