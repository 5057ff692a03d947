//! The bounds a caller knows of terms.

use glassbox_terms::{Sort, TermId, Terms};
use glassbox_values::Signedness;

use crate::range::Range;

/// What the caller's domains say about terms. Every answer must contain all values the term can have
/// under the caller's current knowledge; it becomes a premise of the explanations that use it.
pub trait Bounds {
    /// The least and greatest value of a bit-vector term read with the signedness, or of a boolean
    /// (0 or 1, read unsigned). `None` when nothing beyond the sort is known.
    fn range(&self, term: TermId, signedness: Signedness) -> Option<(i128, i128)>;
}

/// Knows nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoBounds;

impl Bounds for NoBounds {
    fn range(&self, _term: TermId, _signedness: Signedness) -> Option<(i128, i128)> {
        None
    }
}

/// The widest bit-vector that is read as an integer; wider ones are left alone.
pub const MAX_WIDTH: u8 = 100;

/// The values of the sort, for sorts that are read as integers.
pub fn sort_range(terms: &Terms, term: TermId, signedness: Signedness) -> Option<Range> {
    match terms.sort(term) {
        Sort::Bool => Some(Range::BIT),
        Sort::Bv(width) => width_range(width, signedness),
        Sort::Float(_) | Sort::Array { .. } => None,
    }
}

/// The values of `width` bits read with the signedness, unless too wide.
pub fn width_range(width: u8, signedness: Signedness) -> Option<Range> {
    if width > MAX_WIDTH {
        return None;
    }
    Some(match signedness {
        Signedness::Unsigned => Range::new(0, (1 << width) - 1),
        Signedness::Signed => Range::new(-(1 << (width - 1)), (1 << (width - 1)) - 1),
    })
}
