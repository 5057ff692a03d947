//! Arrays.

use crate::intern::{TermId, Terms};
use crate::op::ArrayOp;
use crate::simplify;

impl Terms {
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        simplify::array::select(self, array, index)
    }

    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        simplify::array::store(self, array, index, element)
    }

    /// The array that maps every index of `index` bits to `element`, which is not an array itself.
    pub fn const_array(&mut self, index: u8, element: TermId) -> TermId {
        let scalar = self.sort(element).scalar().expect("arrays should hold scalars");
        self.intern(ArrayOp::Const { index, element: scalar }, &[element])
    }
}
