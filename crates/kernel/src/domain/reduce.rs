//! Reduction: the components of a bit-vector domain tighten each other.
//!
//! Bounds move to the nearest value that known bits, congruence and holes allow; a shared prefix of
//! the bounds becomes known bits; a hole larger than the outside of the interval becomes its outside
//! (the hull cuts the circle at its largest gap, docs/papers/loops.md, rule 1B.2). Rounds are bounded: what is left is
//! sound, and the next change continues.

use super::bits::BitsDomain;
use super::clockwise::{Clockwise, mask_of};
use super::known_bits::KnownBits;

const MAX_ROUNDS: u32 = 12;

impl BitsDomain {
    /// Brings the components to agree; `None` when nothing is left.
    pub(super) fn reduce(mut self) -> Option<BitsDomain> {
        debug_assert!(self.known.ones & self.known.zeros == 0, "known bits should not clash");
        for _ in 0..MAX_ROUNDS {
            let before = self.interval;
            if !self.holes.is_empty() {
                self.trim_by_holes()?;
            }
            if self.known != KnownBits::NONE {
                self.trim_by_known()?;
            }
            if !self.congruence.is_any() {
                self.trim_by_congruence()?;
            }
            if self.interval.is_point() {
                return self.settle_point();
            }
            self.learn_prefix();
            if self.interval == before {
                break;
            }
        }
        Some(self)
    }

    fn settle_point(&self) -> Option<BitsDomain> {
        let value = self.interval.lo();
        self.contains(value).then(|| BitsDomain::point(value, self.width()))
    }

    /// Drops the first `count` values of the interval.
    fn drop_first(&mut self, count: u64) -> Option<()> {
        let span = self.interval.span().checked_sub(count)?;
        self.interval = Clockwise::arc(self.interval.lo().wrapping_add(count), span, self.mask());
        Some(())
    }

    fn drop_last(&mut self, count: u64) -> Option<()> {
        let span = self.interval.span().checked_sub(count)?;
        self.interval = Clockwise::arc(self.interval.lo(), span, self.mask());
        Some(())
    }

    fn trim_by_known(&mut self) -> Option<()> {
        let mask = self.mask();
        if self.interval.wraps() {
            // Known high bits leave one unsigned range, which a wrapping interval does not show.
            let range = Clockwise::new(self.known.ones, !self.known.zeros, self.width());
            if !range.contains_all(self.interval) {
                self.cut(range)?;
                self.trim_by_holes()?;
            }
        }
        let lo = self.interval.lo();
        // Past the end of the circle the first match is the smallest of all: the known ones.
        let first = self.known.next_match(lo, mask).unwrap_or(self.known.ones);
        self.drop_first(first.wrapping_sub(lo) & mask)?;
        let hi = self.interval.hi();
        let last = self.known.previous_match(hi, mask).unwrap_or(!self.known.zeros & mask);
        self.drop_last(hi.wrapping_sub(last) & mask)
    }

    fn trim_by_congruence(&mut self) -> Option<()> {
        let mask = self.mask();
        let lo = self.interval.lo();
        let first = self.congruence.next(lo, mask).unwrap_or(self.congruence.residue());
        if first > mask {
            return None;
        }
        self.drop_first(first.wrapping_sub(lo) & mask)?;
        let hi = self.interval.hi();
        let last = self.congruence.previous(hi).or_else(|| self.congruence.previous(mask))?;
        self.drop_last(hi.wrapping_sub(last) & mask)
    }

    fn trim_by_holes(&mut self) -> Option<()> {
        let mask = self.mask();
        for _ in 0..4 {
            let mut changed = false;
            for hole in self.holes.arcs(mask) {
                if hole.contains(self.interval.lo()) {
                    let count =
                        (hole.hi().wrapping_sub(self.interval.lo()) & mask).checked_add(1)?;
                    self.drop_first(count)?;
                    changed = true;
                }
                let offset = hole.lo().wrapping_sub(self.interval.lo()) & mask;
                if offset > self.interval.span() {
                    self.holes.remove(hole);
                } else if hole.span() >= self.interval.span() - offset {
                    // It reaches the end: `offset` is not zero, or the start would be in it.
                    self.drop_last(self.interval.span() - offset + 1)?;
                    self.holes.remove(hole);
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        self.rotate();
        Some(())
    }

    /// Makes the largest gap the outside of the interval.
    fn rotate(&mut self) {
        let outside = self.interval.complement();
        let Some(largest) = self.holes.arcs(self.mask()).max_by_key(|hole| hole.span()) else {
            return;
        };
        match outside {
            Some(outside) if largest.span() > outside.span() => {
                self.holes.remove(largest);
                if self.holes.add(outside) {
                    self.interval = largest.complement().expect("a hole is not everything");
                } else {
                    self.holes.add(largest);
                }
            }
            None => {
                self.holes.remove(largest);
                self.interval = largest.complement().expect("a hole is not everything");
            }
            Some(_) => {}
        }
    }

    /// The common prefix of the smallest and the largest unsigned value is known.
    fn learn_prefix(&mut self) {
        if self.interval.wraps() {
            return;
        }
        let lo = self.interval.lo();
        let differ = lo ^ self.interval.hi();
        // Not a point, so they differ somewhere.
        let free = mask_of(64 - u8::try_from(differ.leading_zeros()).expect("at most 64"));
        let prefix = self.mask() & !free;
        self.known.ones |= lo & prefix;
        self.known.zeros |= !lo & prefix;
    }
}

#[cfg(test)]
mod tests {
    use super::super::congruence::Congruence;
    use super::super::holes::Holes;
    use super::*;

    #[test]
    fn bounds_move_to_values_with_the_known_bits() {
        let domain = BitsDomain::from_interval(Clockwise::new(3, 12, 4))
            .meet_known(0b0001, 0b0010)
            .expect("5 is left");
        assert_eq!((domain.interval().lo(), domain.interval().hi()), (5, 9));
    }

    #[test]
    fn nothing_is_a_full_domain_but_the_full_one() {
        let domain = BitsDomain::full(8);
        assert_eq!(domain.congruence(), Congruence::ANY);
        assert_eq!(*domain.holes(), Holes::NONE);
        assert!(domain.is_full());
    }
}
