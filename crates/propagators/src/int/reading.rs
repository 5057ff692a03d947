//! Readings: a vector as an exact integer, signed or unsigned.

use glassbox_values::Signedness;

use super::natural::Range;

/// The numbers that fit.
pub(crate) fn fitting(mask: u64, signedness: Signedness) -> Range {
    let mask = i128::from(mask);
    match signedness {
        Signedness::Signed => (-(mask / 2) - 1, mask / 2),
        Signedness::Unsigned => (0, mask),
    }
}
