//! Case analysis over signs, for operations defined on magnitudes.
//!
//! Each case reads every operand as magnitudes of one part of the circle, narrows the magnitudes, and
//! adds what is left to the join of all cases: constructive disjunction over signs.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{BitsDomain, Conflict, Premises, Store, VarIdx};

use super::natural::{Box3, Range};

/// A part of the circle, with the magnitude that stands for a value. H is 2^(n-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Everything; the magnitude is the unsigned value.
    Whole,
    /// 0 to H - 1.
    NotNegative,
    /// -H to -1; the magnitude is the value negated.
    Negative,
    /// 0 to H, where H is the result of MIN / -1.
    UpToHalf,
    /// -H to 0, negated.
    DownToHalf,
}

impl Part {
    /// The range of magnitudes of the values of `domain` in this part.
    pub(crate) fn magnitudes(self, domain: &BitsDomain) -> Option<Range> {
        let mask = domain.mask();
        let half = (mask >> 1) + 1;
        let range = |lo: u64, hi: u64| (i128::from(lo), i128::from(hi));
        let between = |lo: u64, hi: u64| {
            let first = domain.next_member(lo).filter(|&value| value <= hi)?;
            let last = domain.previous_member(hi).filter(|&value| value >= lo)?;
            (first <= last).then_some((first, last))
        };
        let negated = |(lo, hi): (u64, u64)| {
            // Values from -H to -1, so negation reverses the order and 0 does not occur.
            range(hi.wrapping_neg() & mask, lo.wrapping_neg() & mask)
        };
        match self {
            Part::Whole => Some(range(domain.unsigned_min(), domain.unsigned_max())),
            Part::NotNegative => between(0, half - 1).map(|(lo, hi)| range(lo, hi)),
            Part::UpToHalf => between(0, half).map(|(lo, hi)| range(lo, hi)),
            Part::Negative => between(half, mask).map(negated),
            Part::DownToHalf => {
                let below = between(half, mask).map(negated);
                match (below, domain.contains(0)) {
                    (Some((_, hi)), true) => Some((0, hi)),
                    (Some(range), false) => Some(range),
                    (None, true) => Some((0, 0)),
                    (None, false) => None,
                }
            }
        }
    }

    /// The values whose magnitudes in this part are the given ones.
    pub(crate) fn arc(self, (lo, hi): Range, width: u8) -> Clockwise {
        match self {
            Part::Whole | Part::NotNegative | Part::UpToHalf => {
                Clockwise::from_integers(lo, hi, width)
            }
            Part::Negative | Part::DownToHalf => Clockwise::from_integers(-hi, -lo, width),
        }
    }
}

/// The join of the cases of `z = op(x, y)` seen so far. Arguments `[z, x, y]`.
#[derive(Debug)]
pub(crate) struct Cases {
    domains: [BitsDomain; 3],
    joined: Option<[BitsDomain; 3]>,
}

impl Cases {
    pub(crate) fn new(store: &Store, args: &[VarIdx]) -> Cases {
        let domains = [*store.bits(args[0]), *store.bits(args[1]), *store.bits(args[2])];
        Cases { domains, joined: None }
    }

    pub(crate) fn domain(&self, position: usize) -> &BitsDomain {
        &self.domains[position]
    }

    /// Adds a case: what it leaves of z, x and y.
    pub(crate) fn add(&mut self, arcs: [Clockwise; 3]) {
        let mut case = self.domains;
        for (domain, arc) in case.iter_mut().zip(arcs) {
            match domain.meet_interval(arc) {
                None => return,
                Some(met) => *domain = met,
            }
        }
        self.joined = Some(match self.joined {
            None => case,
            Some(joined) => {
                [joined[0].join(&case[0]), joined[1].join(&case[1]), joined[2].join(&case[2])]
            }
        });
    }

    /// The case of a nonzero divisor: `op` narrows magnitudes of the given parts.
    pub(crate) fn divide(
        &mut self,
        [z_part, x_part, y_part]: [Part; 3],
        op: impl FnOnce(Box3) -> Option<Box3>,
    ) {
        let Some(z) = z_part.magnitudes(&self.domains[0]) else { return };
        let Some(x) = x_part.magnitudes(&self.domains[1]) else { return };
        let Some(y) = y_part.magnitudes(&self.domains[2]) else { return };
        if y.1 == 0 {
            return;
        }
        let Some(narrowed) = op(Box3 { x, y: (y.0.max(1), y.1), z }) else { return };
        let width = self.domains[0].width();
        self.add([
            z_part.arc(narrowed.z, width),
            x_part.arc(narrowed.x, width),
            y_part.arc(narrowed.y, width),
        ]);
    }

    /// Narrows the variables to the join of all cases, or fails when no case is left.
    pub(crate) fn narrow(self, store: &mut Store, args: &[VarIdx]) -> Result<(), Conflict> {
        let Some(joined) = self.joined else {
            return Err(store.fail(Premises::ALL));
        };
        for (&arg, domain) in args.iter().zip(&joined) {
            store.narrow_bits(arg, domain, Premises::ALL)?;
        }
        Ok(())
    }
}
