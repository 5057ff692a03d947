//! Holes: at most two arcs missing inside a clockwise interval.
//!
//! With them a domain is a small union of intervals, so that `x != c` counts in the middle and the
//! intersection of two arcs that overlap twice is exact. A third hole is not recorded: a domain never
//! grows, so the oldest stay.

use super::clockwise::Clockwise;

/// How many holes a domain keeps.
pub const MAX_HOLES: usize = 2;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Hole {
    lo: u64,
    // Number of values; zero when there is no hole.
    count: u64,
}

/// The holes of one domain. They do not know their width, to stay small: the mask comes with calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holes {
    // Invariant: missing entries last, others by start; arcs disjoint and not touching.
    arcs: [Hole; MAX_HOLES],
}

impl Holes {
    pub const NONE: Holes = Holes { arcs: [Hole { lo: 0, count: 0 }; MAX_HOLES] };

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.arcs[0].count == 0
    }

    /// The holes as arcs of the circle with that mask.
    pub fn arcs(self, mask: u64) -> impl Iterator<Item = Clockwise> {
        self.arcs
            .into_iter()
            .filter(|hole| hole.count != 0)
            .map(move |hole| Clockwise::arc(hole.lo, hole.count - 1, mask))
    }

    #[inline]
    pub fn holding(&self, value: u64, mask: u64) -> Option<Clockwise> {
        if self.is_empty() {
            return None;
        }
        self.arcs(mask).find(|hole| hole.contains(value))
    }

    /// Adds a hole, merging it with holes it touches. False when there is no room for it.
    pub fn add(&mut self, hole: Clockwise) -> bool {
        let mut merged = hole;
        let mut rest = *self;
        // A merged hole may touch one that the new hole alone did not.
        while let Some(arc) = rest.arcs(hole.mask()).find(|&arc| touches(merged, arc)) {
            merged = merged.join(arc);
            rest.remove(arc);
        }
        let count = rest.arcs(hole.mask()).count();
        if count == MAX_HOLES {
            return false;
        }
        rest.set(count, merged);
        // Sorted, so that equal sets of holes are equal values.
        rest.arcs[..=count].sort_unstable_by_key(|hole| hole.lo);
        *self = rest;
        true
    }

    pub fn remove(&mut self, hole: Clockwise) {
        let mut kept = Holes::NONE;
        for (slot, arc) in self.arcs(hole.mask()).filter(|&arc| arc != hole).enumerate() {
            kept.set(slot, arc);
        }
        *self = kept;
    }

    fn set(&mut self, slot: usize, arc: Clockwise) {
        // A hole is smaller than the circle, so its count fits.
        self.arcs[slot] = Hole { lo: arc.lo(), count: arc.span() + 1 };
    }
}

/// The arcs overlap or are neighbors.
fn touches(a: Clockwise, b: Clockwise) -> bool {
    a.contains(b.lo())
        || b.contains(a.lo())
        || a.contains(b.lo().wrapping_sub(1))
        || b.contains(a.lo().wrapping_sub(1))
}
