//! The variables of asserted terms, looked up once for each term.

use glassbox_terms::{Marks, Op, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// The sorted variables of one term, in the pool, and how large the term is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VarRange {
    start: u32,
    len: u32,
    n_nodes: u32,
}

impl VarRange {
    /// Different subterms.
    pub(crate) fn n_nodes(self) -> usize {
        self.n_nodes as usize
    }
}

/// Variables by term. Only grows, with the number of different terms asserted.
#[derive(Debug, Clone, Default)]
pub(crate) struct VarTable {
    pool: Vec<VarId>,
    known: FxHashMap<TermId, VarRange>,
    marks: Marks,
    visit: Vec<TermId>,
}

impl VarTable {
    pub(crate) fn range_of(&mut self, terms: &Terms, term: TermId) -> VarRange {
        if let Some(&range) = self.known.get(&term) {
            return range;
        }
        self.marks.restart(terms);
        let first = self.pool.len();
        let mut n_nodes = 0;
        self.marks.insert(term);
        self.visit.push(term);
        while let Some(term) = self.visit.pop() {
            n_nodes += 1;
            if let Op::Var(var) = terms.op(term) {
                self.pool.push(var);
            }
            for &arg in terms.args(term) {
                if self.marks.insert(arg) {
                    self.visit.push(arg);
                }
            }
        }
        self.pool[first..].sort_unstable();
        let narrow = |n: usize| u32::try_from(n).expect("fewer than 2^32 occurrences");
        let len = narrow(self.pool.len() - first);
        let range = VarRange { start: narrow(first), len, n_nodes };
        self.known.insert(term, range);
        range
    }

    pub(crate) fn get(&self, range: VarRange) -> &[VarId] {
        &self.pool[range.start as usize..(range.start + range.len) as usize]
    }
}
