//! Choice between words.

use crate::circuit::Circuit;
use crate::lit::{Lit, Word};

pub(crate) fn ite(circuit: &mut Circuit, condition: Lit, then: &[Lit], otherwise: &[Lit]) -> Word {
    debug_assert_eq!(then.len(), otherwise.len(), "both branches should have one width");
    then.iter().zip(otherwise).map(|(&t, &e)| circuit.ite(condition, t, e)).collect()
}
