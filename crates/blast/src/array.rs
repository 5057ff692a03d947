//! Arrays by lemmas on demand.
//!
//! A select is a free word, an array equality a free bit with a witness index where the sides differ.
//! When the SAT solver has a model, `refine` looks for a read or write whose value the axioms of
//! arrays contradict and states the one clause that forbids it; without such a clause the model
//! extends to arrays. After Brummayer and Biere, "Lemmas on demand for the extensional theory of
//! arrays" (JSAT 2009); constant arrays and `ite` between arrays are added, for index sorts of
//! any size, see `refine::clash_of_defaults`.

mod graph;
mod refine;

pub(crate) use graph::Graph;
pub(crate) use refine::{Contents, Refinement, refine};

use glassbox_terms::{Scalar, TermId};
use rustc_hash::FxHashMap;

use crate::circuit::Circuit;
use crate::float::number::canonical;
use crate::lit::{Lit, Word};
use crate::op::equal::equal;

/// An equality between arrays: the index at which they differ if they do, and what they hold there.
#[derive(Debug, Clone)]
pub(crate) struct Witness {
    pub(crate) index: Word,
    pub(crate) left: Word,
    pub(crate) right: Word,
}

/// What the translation of array terms leaves behind.
#[derive(Debug, Default)]
pub(crate) struct Arrays {
    pub(crate) witnesses: FxHashMap<TermId, Witness>,
    /// Whether any array term was ever translated.
    pub(crate) are_used: bool,
}

/// A free element.
pub(crate) fn fresh_element(circuit: &mut Circuit, element: Scalar) -> Word {
    let word = circuit.input_word(usize::from(element.width()));
    match element {
        Scalar::Bool | Scalar::Bv(_) => word,
        Scalar::Float(format) => canonical(circuit, format, &word),
    }
}

/// The literal of an array equality, and the witness of its negation.
pub(crate) fn fresh_equality(
    circuit: &mut Circuit,
    index_width: u8,
    element: Scalar,
) -> (Lit, Witness) {
    let mut witness = Witness { index: Word::new(), left: Word::new(), right: Word::new() };
    let equal_bit = circuit.defined_word(1, |circuit, bit| {
        witness.index = circuit.input_word(usize::from(index_width));
        witness.left = fresh_element(circuit, element);
        witness.right = fresh_element(circuit, element);
        let same = equal(circuit, &witness.left, &witness.right);
        vec![circuit.or(bit[0], !same)]
    });
    (equal_bit[0], witness)
}
