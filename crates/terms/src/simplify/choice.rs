//! `ite`, and operators over chains of choices between constants.

use crate::intern::{TermId, Terms};
use crate::op::{BoolOp, Op};
use crate::sort::Sort;

// How many links of a chain an operator is pushed through.
const CHAIN: usize = 16;

impl Terms {
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        if let Some(truth) = self.as_bool_const(condition) {
            return if truth { then } else { otherwise };
        }
        if then == otherwise {
            return then;
        }
        if let Some(positive) = self.unary(Op::Bool(BoolOp::Not), condition) {
            return self.ite(positive, otherwise, then);
        }
        // Inside a branch the condition is known.
        if let Some((inner, x, _)) = self.as_ite(then)
            && inner == condition
        {
            return self.ite(condition, x, otherwise);
        }
        if let Some((inner, _, y)) = self.as_ite(otherwise)
            && inner == condition
        {
            return self.ite(condition, then, y);
        }
        if self.sort(then) == Sort::Bool
            && let Some(done) = ite_bool(self, condition, then, otherwise)
        {
            return done;
        }
        // ite(x = y, x, y) is y.
        if let Some((x, y)) = self.binary(Op::Eq, condition)
            && ((then, otherwise) == (x, y) || (then, otherwise) == (y, x))
        {
            return otherwise;
        }
        if let Some(joined) = join(self, condition, then, otherwise) {
            return joined;
        }
        self.intern(Op::Ite, &[condition, then, otherwise])
    }
}

// Two choices in a row with a branch in common become one choice on both conditions.
fn join(terms: &mut Terms, condition: TermId, then: TermId, otherwise: TermId) -> Option<TermId> {
    if let Some((inner, x, y)) = terms.as_ite(otherwise)
        && x == then
    {
        let either = terms.or(&[condition, inner]);
        return Some(terms.ite(either, x, y));
    }
    if let Some((inner, x, y)) = terms.as_ite(then)
        && y == otherwise
    {
        let both = terms.and(&[condition, inner]);
        return Some(terms.ite(both, x, y));
    }
    None
}

fn ite_bool(
    terms: &mut Terms,
    condition: TermId,
    then: TermId,
    otherwise: TermId,
) -> Option<TermId> {
    let as_const = |terms: &Terms, branch: TermId, in_branch: bool| {
        if branch == condition { Some(in_branch) } else { terms.as_bool_const(branch) }
    };
    match (as_const(terms, then, true), as_const(terms, otherwise, false)) {
        (Some(true), Some(false)) => return Some(condition),
        (Some(false), Some(true)) => return Some(terms.not(condition)),
        (Some(true), _) => return Some(terms.or(&[condition, otherwise])),
        (Some(false), _) => {
            let not_condition = terms.not(condition);
            return Some(terms.and(&[not_condition, otherwise]));
        }
        (None, Some(true)) => return Some(terms.implies(condition, then)),
        (None, Some(false)) => return Some(terms.and(&[condition, then])),
        (None, None) => {}
    }
    if terms.existing_not(then) == Some(otherwise) {
        return Some(terms.eq(condition, then));
    }
    None
}

/// `op(ite(c, k1, ite(d, k2, …)), k)` by the conditions alone, for an operator with truth values.
/// Comparisons of three-way comparisons (`lcmp`, `strcmp`-like code) end up here.
pub(super) fn push_into_chain(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let choice = match (terms.is_const(a), terms.is_const(b)) {
        (false, true) => a,
        (true, false) => b,
        (true, true) | (false, false) => return None,
    };
    if !is_constant_chain(terms, choice) {
        return None;
    }
    let (condition, then, otherwise) = terms.as_ite(choice)?;
    let (then, otherwise) = if choice == a {
        (terms.make(op, &[then, b]), terms.make(op, &[otherwise, b]))
    } else {
        (terms.make(op, &[a, then]), terms.make(op, &[a, otherwise]))
    };
    Some(terms.ite(condition, then, otherwise))
}

// Whether `term` is an ite whose ends are all constants, at most `CHAIN` of them.
fn is_constant_chain(terms: &Terms, term: TermId) -> bool {
    let mut at = term;
    for _ in 0..CHAIN {
        if terms.is_const(at) {
            return true;
        }
        let Some((_, then, otherwise)) = terms.as_ite(at) else { return false };
        at = match (terms.is_const(then), terms.is_const(otherwise)) {
            (true, _) => otherwise,
            (false, true) => then,
            (false, false) => return false,
        };
    }
    false
}
