//! Arrays: reads look through writes that cannot matter.

use super::linear::Part;
use crate::intern::{TermId, Terms};
use crate::op::{ArrayOp, Op};

impl Terms {
    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let mut array = array;
        loop {
            match self.op(array) {
                Op::Array(ArrayOp::Store) => {
                    let written = self.arg(array, 1);
                    if written == index {
                        return self.arg(array, 2);
                    }
                    if !always_different(self, written, index) {
                        break;
                    }
                    array = self.arg(array, 0);
                }
                Op::Array(ArrayOp::Const { .. }) => return self.arg(array, 0),
                _ => break,
            }
        }
        self.intern(ArrayOp::Select, &[array, index])
    }

    pub fn store(&mut self, array: TermId, index: TermId, element: TermId) -> TermId {
        let mut array = array;
        // A write at the same place hides the one below it.
        while self.op(array) == Op::Array(ArrayOp::Store) && self.arg(array, 1) == index {
            array = self.arg(array, 0);
        }
        let writes_back =
            self.op(element) == Op::Array(ArrayOp::Select) && self.args(element) == [array, index];
        let writes_default = matches!(self.op(array), Op::Array(ArrayOp::Const { .. }))
            && self.arg(array, 0) == element;
        if writes_back || writes_default {
            return array;
        }
        self.intern(ArrayOp::Store, &[array, index, element])
    }

    /// The array that maps every index of `index` bits to `element`, which is not an array itself.
    pub fn const_array(&mut self, index: u8, element: TermId) -> TermId {
        let scalar = self.sort(element).scalar().expect("arrays should hold scalars");
        self.intern(ArrayOp::Const { index, element: scalar }, &[element])
    }
}

/// Whether two indices differ in every model: different constants, or one base and different
/// offsets.
fn always_different(terms: &Terms, a: TermId, b: TermId) -> bool {
    let (a, b) = (Part::of(terms, a), Part::of(terms, b));
    a.base == b.base && a.negative == b.negative && a.constant != b.constant
}
