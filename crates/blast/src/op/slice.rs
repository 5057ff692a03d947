//! Concatenation, extraction and extension: no gates at all.

use crate::lit::{Lit, Word};

/// `high` above `low`.
pub(crate) fn concat(high: &[Lit], low: &[Lit]) -> Word {
    [low, high].concat()
}

/// Bits `hi` down to `lo` inclusive.
pub(crate) fn extract(a: &[Lit], hi: usize, lo: usize) -> Word {
    a[lo..=hi].to_vec()
}

/// Widens with zeros, or cuts.
pub(crate) fn zero_extend(a: &[Lit], width: usize) -> Word {
    let mut word = a.to_vec();
    word.resize(width, Lit::FALSE);
    word
}

/// Widens with copies of the top bit, or cuts.
pub(crate) fn sign_extend(a: &[Lit], width: usize) -> Word {
    let mut word = a.to_vec();
    word.resize(width, a[a.len() - 1]);
    word
}
