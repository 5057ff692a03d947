//! Layer 1: flattening, substitution of solved equations, constant folding by the builders.
//!
//! An asserted conjunction becomes its members. A member `x = t` with `x` not in `t` is a definition:
//! later members see `t` instead of `x`. When `x` occurs in no member so far, the equation itself is
//! dropped and `x` is computed from the model of the rest; otherwise it stays a member, and it is used
//! for substitution only when `t` is a constant or a variable, so that terms do not grow for nothing.
//! Each member remembers the assertions it rests on, those of the definitions used included.
//!
//! Members asserted earlier are not rewritten: that would have to be undone by `pop`.

use glassbox_terms::{BoolOp, Op, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::stack::{Because, Definition, Stack, join};

/// The memory of rewriting, kept to spare allocations.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rewriter {
    pending: Vec<(TermId, Because)>,
    new_of: FxHashMap<TermId, TermId>,
    visit: Vec<(TermId, bool)>,
    args: Vec<TermId>,
}

impl Rewriter {
    /// Adds the conjuncts of an assertion, rewritten. Returns the number of steps.
    pub(crate) fn add(
        &mut self,
        stack: &mut Stack,
        terms: &mut Terms,
        term: TermId,
        position: u32,
    ) -> u64 {
        let mut steps = 0;
        self.pending.clear();
        self.pending.push((term, Because::from_slice(&[position])));
        while let Some((term, mut because)) = self.pending.pop() {
            steps += 1;
            let term = self.rewrite(stack, terms, term, &mut because);
            match terms.op(term) {
                Op::True => {}
                Op::False => stack.add_contradiction(because),
                Op::Bool(BoolOp::And) => {
                    // Reversed, so that members are met in their order.
                    for &member in terms.args(term).iter().rev() {
                        self.pending.push((member, because.clone()));
                    }
                }
                Op::Var(_) | Op::Bool(_) | Op::Eq | Op::Ite | Op::Bv(_) | Op::Fp(_) => {
                    add_member(stack, terms, term, because);
                }
                // A boolean that an array holds; the constants are of other sorts.
                Op::Array(_) | Op::BvConst(_) | Op::FloatConst(_) => {
                    add_member(stack, terms, term, because);
                }
            }
        }
        steps
    }

    /// Applies the definitions until none applies.
    fn rewrite(
        &mut self,
        stack: &mut Stack,
        terms: &mut Terms,
        mut term: TermId,
        because: &mut Because,
    ) -> TermId {
        if stack.definitions().is_empty() {
            return term;
        }
        loop {
            let range = stack.vars.range_of(terms, term);
            self.new_of.clear();
            for &var in stack.vars.get(range) {
                if let Some(definition) = stack.definition(var) {
                    self.new_of.insert(terms.var_term(var), definition.term);
                    join(because, &definition.because);
                }
            }
            if self.new_of.is_empty() {
                return term;
            }
            term = self.substitute(terms, term);
        }
    }

    /// Rebuilds the term with `new_of`, which holds the replacements and then all subterms met.
    fn substitute(&mut self, terms: &mut Terms, root: TermId) -> TermId {
        self.visit.clear();
        self.visit.push((root, false));
        while let Some((term, are_args_done)) = self.visit.pop() {
            if self.new_of.contains_key(&term) {
                continue;
            }
            if are_args_done {
                self.args.clear();
                self.args.extend(terms.args(term).iter().map(|arg| self.new_of[arg]));
                let new = if self.args == terms.args(term) {
                    term
                } else {
                    terms.make(terms.op(term), &self.args)
                };
                self.new_of.insert(term, new);
            } else {
                self.visit.push((term, true));
                self.visit.extend(terms.args(term).iter().map(|&arg| (arg, false)));
            }
        }
        self.new_of[&root]
    }
}

/// Adds an assertion as one conjunct, as it is.
pub(crate) fn add_unchanged(stack: &mut Stack, terms: &Terms, term: TermId, position: u32) {
    let because = Because::from_slice(&[position]);
    match terms.as_bool_const(term) {
        Some(true) => {}
        Some(false) => stack.add_contradiction(because),
        None => stack.add_conjunct(terms, term, because),
    }
}

fn add_member(stack: &mut Stack, terms: &mut Terms, term: TermId, because: Because) {
    let Some((var, value)) = solved(stack, terms, term) else {
        stack.add_conjunct(terms, term, because);
        return;
    };
    let is_computed = stack.occurrences(var).is_empty();
    if !is_computed {
        stack.add_conjunct(terms, term, because.clone());
    }
    if is_computed || terms.is_const(value) || terms.as_var(value).is_some() {
        let vars = stack.vars.range_of(terms, value);
        stack.add_definition(Definition { var, term: value, because, vars, is_computed });
    }
}

/// The equation `variable = term` that a member is, if it is one. A variable that occurs in no conjunct
/// is preferred on the left.
fn solved(stack: &mut Stack, terms: &mut Terms, member: TermId) -> Option<(VarId, TermId)> {
    match terms.op(member) {
        Op::Var(var) => Some((var, terms.bool_const(true))),
        Op::Bool(BoolOp::Not) => {
            let var = terms.as_var(terms.arg(member, 0))?;
            Some((var, terms.bool_const(false)))
        }
        Op::Eq => {
            let (a, b) = (terms.arg(member, 0), terms.arg(member, 1));
            let first = terms.as_var(a).filter(|&var| !occurs(stack, terms, var, b));
            let second = terms.as_var(b).filter(|&var| !occurs(stack, terms, var, a));
            match (first, second) {
                (Some(var), None) => Some((var, b)),
                (None, Some(var)) => Some((var, a)),
                (Some(left), Some(right)) => {
                    if stack.occurrences(left).is_empty() || !stack.occurrences(right).is_empty() {
                        Some((left, b))
                    } else {
                        Some((right, a))
                    }
                }
                (None, None) => None,
            }
        }
        Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) | Op::Bool(_) => None,
        Op::Ite | Op::Bv(_) | Op::Fp(_) | Op::Array(_) => None,
    }
}

fn occurs(stack: &mut Stack, terms: &Terms, var: VarId, term: TermId) -> bool {
    let range = stack.vars.range_of(terms, term);
    stack.vars.get(range).binary_search(&var).is_ok()
}
