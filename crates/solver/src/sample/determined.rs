//! Variables that an equation of the conjunction determines: `x = t`, where `x` is not in `t`.
//!
//! Solutions of what is left, with `t` in the place of `x`, are as many as before, one for one. Sums, differences, exclusive
//! ors, negations and odd multiples are solved for one of their variables, since they are one-to-one in each operand.

use glassbox_kernel::domain::congruence::inverse_of_odd;
use glassbox_terms::{BoolOp, BvOp, Op, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// A conjunction without the variables that it determines.
#[derive(Debug)]
pub(super) struct Split {
    /// In the order in which they can be computed.
    pub(super) determined: Vec<(VarId, TermId)>,
    /// Without those that always hold.
    pub(super) conditions: Vec<TermId>,
}

pub(super) fn split(terms: &mut Terms, conditions: &[TermId]) -> Split {
    let mut open = flat(terms, conditions);
    let mut determined: Vec<(VarId, TermId)> = Vec::new();
    while let Some((position, variable, value)) = next_equation(terms, &open) {
        open.remove(position);
        let replacements = FxHashMap::from_iter([(terms.var_term(variable), value)]);
        open = terms.substitute_all(&open, &replacements);
        open = flat(terms, &open);
        determined.push((variable, value));
    }
    // The last one found may be part of those before it.
    determined.reverse();
    Split { determined, conditions: open }
}

/// Members of conjunctions, without those that always hold.
fn flat(terms: &Terms, conditions: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut open: Vec<TermId> = conditions.iter().rev().copied().collect();
    while let Some(term) = open.pop() {
        if terms.op(term) == Op::Bool(BoolOp::And) {
            open.extend(terms.args(term).iter().rev());
        } else if terms.as_bool_const(term) != Some(true) && !found.contains(&term) {
            found.push(term);
        }
    }
    found
}

fn next_equation(terms: &mut Terms, conditions: &[TermId]) -> Option<(usize, VarId, TermId)> {
    for (position, &condition) in conditions.iter().enumerate() {
        if terms.op(condition) != Op::Eq {
            continue;
        }
        let (left, right) = (terms.arg(condition, 0), terms.arg(condition, 1));
        let solved = solve(terms, left, right).or_else(|| solve(terms, right, left));
        if let Some((variable, value)) = solved {
            return Some((position, variable, value));
        }
    }
    None
}

/// A variable of `side` and what it is where `side` equals `value`.
fn solve(terms: &mut Terms, side: TermId, value: TermId) -> Option<(VarId, TermId)> {
    let (mut side, mut value) = (side, value);
    loop {
        if let Some(variable) = terms.as_var(side) {
            let is_elsewhere = !terms.vars_of(&[value]).contains(&variable);
            return is_elsewhere.then_some((variable, value));
        }
        let Op::Bv(op) = terms.op(side) else { return None };
        let args = terms.args(side).to_vec();
        match (op, args.as_slice()) {
            (BvOp::Neg, &[one]) => (side, value) = (one, terms.bv_neg(value)),
            (BvOp::Mul, &[left, right]) => {
                let (factor, other) = match terms.as_bv_const(left) {
                    Some(factor) => (factor, right),
                    None => (terms.as_bv_const(right)?, left),
                };
                let width = factor.width();
                let odd = u64::try_from(factor.unsigned()).ok().filter(|factor| factor % 2 == 1)?;
                if width > 64 {
                    return None;
                }
                let mask = u128::MAX >> (128 - u32::from(width));
                let inverse = terms.bv_u(u128::from(inverse_of_odd(odd)) & mask, width);
                (side, value) = (other, terms.bv_mul(value, inverse));
            }
            (BvOp::Not, &[one]) => (side, value) = (one, terms.bv_not(value)),
            (BvOp::Add | BvOp::Sub | BvOp::Xor, &[left, right]) => {
                // The operand that is solved for shares no variable with the rest.
                let apart = |terms: &Terms, one: TermId, rest: &[TermId]| {
                    let own = terms.vars_of(&[one]);
                    let others = terms.vars_of(rest);
                    !own.is_empty() && own.iter().all(|it| !others.contains(it))
                };
                if apart(terms, left, &[right, value]) {
                    let other = if op == BvOp::Add {
                        terms.bv_sub(value, right)
                    } else if op == BvOp::Sub {
                        terms.bv_add(value, right)
                    } else {
                        terms.bv_xor(value, right)
                    };
                    (side, value) = (left, other);
                } else if apart(terms, right, &[left, value]) {
                    let other = if op == BvOp::Add {
                        terms.bv_sub(value, left)
                    } else if op == BvOp::Sub {
                        terms.bv_sub(left, value)
                    } else {
                        terms.bv_xor(value, left)
                    };
                    (side, value) = (right, other);
                } else {
                    return None;
                }
            }
            _ => return None,
        }
    }
}
