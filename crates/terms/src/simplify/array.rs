//! Arrays: reads look through writes that cannot matter.

use super::linear::Part;
use crate::intern::{TermId, Terms};
use crate::op::{ArrayOp, Op};

pub(crate) fn select(terms: &mut Terms, array: TermId, index: TermId) -> TermId {
    let mut array = array;
    loop {
        match terms.op(array) {
            Op::Array(ArrayOp::Store) => {
                let written = terms.arg(array, 1);
                if written == index {
                    return terms.arg(array, 2);
                }
                if !always_different(terms, written, index) {
                    break;
                }
                array = terms.arg(array, 0);
            }
            Op::Array(ArrayOp::Const { .. }) => return terms.arg(array, 0),
            _ => break,
        }
    }
    terms.intern(ArrayOp::Select, &[array, index])
}

pub(crate) fn store(terms: &mut Terms, array: TermId, index: TermId, element: TermId) -> TermId {
    let mut array = array;
    // A write at the same place hides the one below it.
    while terms.op(array) == Op::Array(ArrayOp::Store) && terms.arg(array, 1) == index {
        array = terms.arg(array, 0);
    }
    let writes_back =
        terms.op(element) == Op::Array(ArrayOp::Select) && terms.args(element) == [array, index];
    let writes_default = matches!(terms.op(array), Op::Array(ArrayOp::Const { .. }))
        && terms.arg(array, 0) == element;
    if writes_back || writes_default {
        return array;
    }
    terms.intern(ArrayOp::Store, &[array, index, element])
}

/// Whether two indices differ in every model: different constants, or one base and different
/// offsets.
fn always_different(terms: &Terms, a: TermId, b: TermId) -> bool {
    let (a, b) = (Part::of(terms, a), Part::of(terms, b));
    a.base == b.base && a.negative == b.negative && a.constant != b.constant
}
