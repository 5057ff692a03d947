//! The variables of asserted terms, looked up once for each term.

use glassbox_terms::{Marks, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// The sorted variables of one term, in the pool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VarRange {
    start: u32,
    len: u32,
}

/// Variables by term. Only grows, with the number of different terms asserted.
#[derive(Debug, Clone, Default)]
pub(crate) struct VarTable {
    pool: Vec<VarId>,
    known: FxHashMap<TermId, VarRange>,
    marks: Marks,
}

impl VarTable {
    pub(crate) fn range_of(&mut self, terms: &Terms, term: TermId) -> VarRange {
        if let Some(&range) = self.known.get(&term) {
            return range;
        }
        let vars = terms.vars_of_with(&mut self.marks, &[term]);
        let start = u32::try_from(self.pool.len()).expect("fewer than 2^32 occurrences");
        let len = u32::try_from(vars.len()).expect("fewer than 2^32 variables");
        self.pool.extend_from_slice(&vars);
        let range = VarRange { start, len };
        let _ = self.known.insert(term, range);
        range
    }

    pub(crate) fn get(&self, range: VarRange) -> &[VarId] {
        &self.pool[range.start as usize..(range.start + range.len) as usize]
    }
}
