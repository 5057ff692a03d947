//! Walks over terms as graphs: each shared subterm is met once, and no walk uses the call stack.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::intern::{TermId, Terms, VarId};
use crate::op::Op;

/// Which terms a walk has met. Reusable: starting anew costs nothing, however large the arena.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    // A term is marked when its stamp is the current epoch.
    stamps: Vec<u32>,
    epoch: u32,
}

impl Marks {
    pub fn new() -> Marks {
        Marks { stamps: Vec::new(), epoch: 1 }
    }

    /// Forgets all marks, and makes room for the terms of the arena.
    pub fn restart(&mut self, terms: &Terms) {
        if self.epoch == u32::MAX {
            self.stamps.fill(0);
            self.epoch = 0;
        }
        self.epoch += 1;
        if self.stamps.len() < terms.len() {
            self.stamps.resize(terms.len(), 0);
        }
    }

    /// Marks the term; whether it is new.
    pub fn insert(&mut self, term: TermId) -> bool {
        let stamp = &mut self.stamps[term.index()];
        let is_new = *stamp != self.epoch;
        *stamp = self.epoch;
        is_new
    }

    pub fn contains(&self, term: TermId) -> bool {
        self.stamps.get(term.index()).is_some_and(|stamp| *stamp == self.epoch)
    }
}

/// A set of terms for one walk.
trait Visited {
    /// Adds the term; whether it is new.
    fn add(&mut self, term: TermId) -> bool;
}

impl Visited for Marks {
    fn add(&mut self, term: TermId) -> bool {
        self.insert(term)
    }
}

// For single walks: its cost follows the term, not the arena.
impl Visited for FxHashSet<TermId> {
    fn add(&mut self, term: TermId) -> bool {
        self.insert(term)
    }
}

impl Terms {
    /// All subterms of the roots, roots included, each once, arguments before their users. The
    /// order is that of creation, whatever the order of the roots.
    pub fn subterms(&self, roots: &[TermId]) -> Vec<TermId> {
        self.collect_subterms(&mut FxHashSet::default(), roots)
    }

    /// As `subterms`, with marks kept by the caller, for many walks over one arena.
    pub fn subterms_with(&self, marks: &mut Marks, roots: &[TermId]) -> Vec<TermId> {
        marks.restart(self);
        self.collect_subterms(marks, roots)
    }

    fn collect_subterms(&self, visited: &mut impl Visited, roots: &[TermId]) -> Vec<TermId> {
        let mut found = Vec::new();
        for &root in roots {
            if visited.add(root) {
                found.push(root);
            }
        }
        let mut next = 0;
        while next < found.len() {
            for &arg in self.args(found[next]) {
                if visited.add(arg) {
                    found.push(arg);
                }
            }
            next += 1;
        }
        // Ids grow from arguments to users, so creation order is a post-order.
        found.sort_unstable();
        found
    }

    /// The variables that occur in the roots, in order of their ids.
    pub fn vars_of(&self, roots: &[TermId]) -> Vec<VarId> {
        let mut visited: FxHashSet<TermId> = FxHashSet::default();
        let mut vars = Vec::new();
        let mut stack: smallvec::SmallVec<[TermId; 32]> = smallvec::SmallVec::new();
        for &root in roots {
            if visited.add(root) {
                stack.push(root);
            }
        }
        while let Some(term) = stack.pop() {
            if let Op::Var(var) = self.op(term) {
                vars.push(var);
            }
            for &arg in self.args(term) {
                if visited.add(arg) {
                    stack.push(arg);
                }
            }
        }
        vars.sort_unstable();
        vars
    }

    /// `term` with every occurrence of a key of `replacements` replaced by its value, all at once
    /// (values are not looked into), rebuilt with the simplifying builders.
    pub fn substitute(&mut self, term: TermId, replacements: &FxHashMap<TermId, TermId>) -> TermId {
        self.substitute_all(&[term], replacements)[0]
    }

    /// `substitute` on several terms that may share.
    pub fn substitute_all(
        &mut self,
        roots: &[TermId],
        replacements: &FxHashMap<TermId, TermId>,
    ) -> Vec<TermId> {
        if replacements.is_empty() {
            return roots.to_vec();
        }
        let mut new_of: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut args = Vec::new();
        for old in self.subterms(roots) {
            let new = match replacements.get(&old) {
                Some(&replacement) => replacement,
                None => {
                    args.clear();
                    args.extend(self.args(old).iter().map(|arg| new_of[arg]));
                    if args == self.args(old) { old } else { self.make(self.op(old), &args) }
                }
            };
            new_of.insert(old, new);
        }
        roots.iter().map(|root| new_of[root]).collect()
    }

    /// `term` built again by the simplifying builders from its leaves up.
    pub fn simplify(&mut self, term: TermId) -> TermId {
        let mut new_of: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut args = Vec::new();
        for old in self.subterms(&[term]) {
            args.clear();
            args.extend(self.args(old).iter().map(|arg| new_of[arg]));
            let new = self.make(self.op(old), &args);
            new_of.insert(old, new);
        }
        new_of[&term]
    }

    /// The number of different subterms: the size of the term as a graph.
    pub fn dag_size(&self, roots: &[TermId]) -> usize {
        self.subterms(roots).len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::op::BvOp;
    use crate::sort::Sort;

    #[test]
    fn subterms_come_arguments_first_and_once() {
        let mut terms = Terms::new();
        let x = terms.fresh_var("x", Sort::Bv(8));
        let y = terms.fresh_var("y", Sort::Bv(8));
        let sum = terms.intern(BvOp::Add, &[x, y]);
        let square = terms.intern(BvOp::Mul, &[sum, sum]);
        let less = terms.intern(BvOp::Ult, &[square, y]);
        assert_eq!(terms.subterms(&[less, sum]), [x, y, sum, square, less]);
        assert_eq!(terms.vars_of(&[less]).len(), 2);
    }

    #[test]
    fn substitution_is_simultaneous() {
        let mut terms = Terms::new();
        let x = terms.fresh_var("x", Sort::Bv(8));
        let y = terms.fresh_var("y", Sort::Bv(8));
        let less = terms.intern(BvOp::Ult, &[x, y]);
        let swapped = terms.intern(BvOp::Ult, &[y, x]);
        let map = FxHashMap::from_iter([(x, y), (y, x)]);
        assert_eq!(terms.substitute(less, &map), swapped);
    }

    #[test]
    fn deep_terms_do_not_exhaust_the_stack() {
        let mut terms = Terms::new();
        let x = terms.fresh_var("x", Sort::Bv(8));
        let y = terms.fresh_var("y", Sort::Bv(8));
        let mut term = x;
        for _ in 0..300_000 {
            let product = terms.intern(BvOp::Udiv, &[term, y]);
            term = product;
        }
        assert_eq!(terms.vars_of(&[term]).len(), 2);
        let map = FxHashMap::from_iter([(x, y)]);
        let replaced = terms.substitute(term, &map);
        assert_eq!(terms.vars_of(&[replaced]).len(), 1);
    }
}
