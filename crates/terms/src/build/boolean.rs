//! Boolean connectives, equality and choice.

use crate::intern::{TermId, Terms};
use crate::simplify::{choice, connective, equality};

impl Terms {
    pub fn not(&mut self, a: TermId) -> TermId {
        connective::not(self, a)
    }

    /// The conjunction of any number of terms; of none it is true.
    pub fn and(&mut self, terms: &[TermId]) -> TermId {
        connective::and(self, terms)
    }

    /// The disjunction of any number of terms; of none it is false.
    pub fn or(&mut self, terms: &[TermId]) -> TermId {
        connective::or(self, terms)
    }

    pub fn and2(&mut self, a: TermId, b: TermId) -> TermId {
        self.and(&[a, b])
    }

    pub fn or2(&mut self, a: TermId, b: TermId) -> TermId {
        self.or(&[a, b])
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        connective::xor(self, a, b)
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let not_a = self.not(a);
        self.or(&[not_a, b])
    }

    /// Equality on any sort; on floats SMT-LIB `=` (NaN = NaN, +0 ≠ -0), see `fp_eq` for IEEE.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        equality::eq(self, a, b)
    }

    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// All terms pairwise different.
    pub fn distinct(&mut self, terms: &[TermId]) -> TermId {
        let mut different = Vec::new();
        for (position, &a) in terms.iter().enumerate() {
            for &b in &terms[position + 1..] {
                different.push(self.ne(a, b));
            }
        }
        self.and(&different)
    }

    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        choice::ite(self, condition, then, otherwise)
    }
}
