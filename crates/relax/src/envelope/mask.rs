//! Bitwise and: `m = x & y` on non-negative numbers below `2^n`.
//!
//! **Rows**: `m <= x`, `m <= y`, `m >= 0`, `m >= x + y - (2^n - 1)`. The other bit operations are
//! linear in `m`: `x | y = x + y - m`, `x ^ y = x + y - 2m` (exact identities, used by `translate`).
//! **Not cut off**: everything that needs single bits, for example `6 & 1 = 1`. A constant mask of low
//! bits is split off exactly elsewhere (`translate/bits.rs`), so this is for the irregular masks.

use super::{EnvelopeRow, Uses};
use crate::linear::{LinearExpr, Var};

/// The rows of `m = x & y` for numbers in `0..2^n`, `ones = 2^n - 1`.
pub fn and_rows(x: &LinearExpr, y: &LinearExpr, m: Var, ones: i128) -> Vec<EnvelopeRow> {
    let none = Uses::new;
    let both = LinearExpr::var(m);
    vec![
        EnvelopeRow::at_most_zero(both.minus(x), none()),
        EnvelopeRow::at_most_zero(both.minus(y), none()),
        EnvelopeRow::at_least_zero(&both, none()),
        EnvelopeRow::at_least_zero(&both.minus(x).minus(y).plus_int(ones), none()),
    ]
}
