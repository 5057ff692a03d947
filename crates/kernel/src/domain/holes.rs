//! Holes: at most two arcs missing inside a clockwise interval.
//!
//! With them a domain is a small union of intervals, so that `x != c` counts in the middle and the
//! intersection of two arcs that overlap twice is exact. A third hole is not recorded: a domain never
//! grows, so the oldest stay.

use super::clockwise::Clockwise;

/// How many holes a domain keeps.
pub const MAX_HOLES: usize = 2;

/// The holes of one domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holes {
    // Invariant: `None` entries last; arcs disjoint and not touching each other.
    arcs: [Option<Clockwise>; MAX_HOLES],
}

impl Holes {
    pub const NONE: Holes = Holes { arcs: [None; MAX_HOLES] };

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.arcs[0].is_none()
    }

    pub fn iter(&self) -> impl Iterator<Item = Clockwise> + '_ {
        self.arcs.iter().copied().flatten()
    }

    #[inline]
    pub fn holding(&self, value: u64) -> Option<Clockwise> {
        self.iter().find(|hole| hole.contains(value))
    }

    /// Adds a hole, merging it with holes it touches. False when there is no room for it.
    pub fn add(&mut self, hole: Clockwise) -> bool {
        let mut merged = hole;
        let mut kept = [None; MAX_HOLES];
        let mut count = 0;
        for arc in self.iter() {
            if touches(merged, arc) {
                merged = merged.join(arc);
            } else {
                kept[count] = Some(arc);
                count += 1;
            }
        }
        if count == MAX_HOLES {
            return false;
        }
        kept[count] = Some(merged);
        self.arcs = kept;
        true
    }

    pub fn remove(&mut self, hole: Clockwise) {
        let mut kept = [None; MAX_HOLES];
        for (slot, arc) in kept.iter_mut().zip(self.iter().filter(|&arc| arc != hole)) {
            *slot = Some(arc);
        }
        self.arcs = kept;
    }
}

impl IntoIterator for Holes {
    type Item = Clockwise;
    type IntoIter = std::iter::Flatten<std::array::IntoIter<Option<Clockwise>, MAX_HOLES>>;

    fn into_iter(self) -> Self::IntoIter {
        self.arcs.into_iter().flatten()
    }
}

/// The arcs overlap or are neighbors.
fn touches(a: Clockwise, b: Clockwise) -> bool {
    a.contains(b.lo())
        || b.contains(a.lo())
        || a.contains(b.lo().wrapping_sub(1))
        || b.contains(a.lo().wrapping_sub(1))
}
