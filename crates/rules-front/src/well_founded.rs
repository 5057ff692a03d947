//! What can never have a value: types whose values would be endless, functions that always call themselves again.

use crate::problem::Problem;
use crate::spec::{Expr, Outcome, Spec};
use crate::term::depths;

pub(crate) fn problems(spec: &Spec) -> Vec<Problem> {
    let mut found = Vec::new();
    let is_endless = endless(spec);
    for (function, declared) in spec.functions.iter().enumerate() {
        if !declared.rules.is_empty() && is_endless[function] {
            let message = format!(
                "`{}` never has a result: every rule needs another call of it first",
                declared.name
            );
            let help = "endless recursion: give a rule whose premises and result do without";
            found.push(Problem::new(declared.spot, message).help(help));
        }
    }
    found
}

/// Types without a value, by name.
pub(crate) fn empty_types(spec: &Spec) -> Vec<usize> {
    let depths = depths(spec);
    (0..spec.datas.len()).filter(|&data| depths[data].is_none()).collect()
}

/// By function: no rule can be applied without an endless chain of calls.
fn endless(spec: &Spec) -> Vec<bool> {
    // The least set of functions that can end, the others cannot.
    let mut ends = vec![false; spec.functions.len()];
    loop {
        let mut is_changed = false;
        for (function, declared) in spec.functions.iter().enumerate() {
            let can_end = |expr: &Expr| {
                let mut all = true;
                needed(expr, &mut |callee| all &= ends[callee]);
                all
            };
            let is_fine = declared.rules.is_empty()
                || declared.rules.iter().any(|rule| {
                    let result = match &rule.result {
                        Outcome::Value(expr) => can_end(expr),
                        Outcome::Raise(_) => true,
                    };
                    result && rule.premises.iter().all(|premise| can_end(&premise.expr))
                });
            if is_fine && !ends[function] {
                ends[function] = true;
                is_changed = true;
            }
        }
        if !is_changed {
            return ends.into_iter().map(|ends| !ends).collect();
        }
    }
}

/// Functions that are called whenever the expression is evaluated to its end.
fn needed(expr: &Expr, look: &mut impl FnMut(usize)) {
    match expr {
        Expr::Bool(_) | Expr::Int(..) | Expr::Var(_) => {}
        Expr::Make { args, .. } => args.iter().for_each(|arg| needed(arg, look)),
        Expr::Call { function, args } => {
            args.iter().for_each(|arg| needed(arg, look));
            look(*function);
        }
        Expr::Field { base: arg, .. } | Expr::Not(arg) | Expr::Convert { arg, .. } => {
            needed(arg, look);
        }
        // The second operand may not be needed.
        Expr::Both { lhs, .. } | Expr::Either { lhs, .. } => needed(lhs, look),
        Expr::Equal { lhs, rhs, .. }
        | Expr::Less { lhs, rhs, .. }
        | Expr::Arithmetic { lhs, rhs, .. } => {
            needed(lhs, look);
            needed(rhs, look);
        }
    }
}
