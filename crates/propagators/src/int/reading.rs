//! Readings: a vector as an exact integer, signed or unsigned.

use glassbox_kernel::BitsDomain;
use glassbox_values::Signedness;

use super::natural::Range;

/// The bounds of a domain in a reading.
pub(crate) fn bounds(domain: &BitsDomain, signedness: Signedness) -> Range {
    match signedness {
        Signedness::Signed => (domain.signed_min().into(), domain.signed_max().into()),
        Signedness::Unsigned => (domain.unsigned_min().into(), domain.unsigned_max().into()),
    }
}

/// The numbers that fit.
pub(crate) fn fitting(mask: u64, signedness: Signedness) -> Range {
    let mask = i128::from(mask);
    match signedness {
        Signedness::Signed => (-(mask / 2) - 1, mask / 2),
        Signedness::Unsigned => (0, mask),
    }
}
