//! Reasons: why a domain changed.
//!
//! A reason names its premises only by position in the argument list of the propagator that ran; the
//! domains meant are those the arguments had just before the change. `analysis` turns chains of
//! reasons into sets of assertions.

use crate::network::PropIdx;

/// The name the caller gave to an assertion; a core is a set of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AssertId(pub u32);

/// Which arguments of a propagator a deduction rests on, as a set of positions.
///
/// The changed variable's own previous domain is always a premise and need not be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Premises(u32);

impl Premises {
    /// All arguments: always right, least precise.
    pub const ALL: Premises = Premises(u32::MAX);
    /// No argument: the deduction holds whatever the arguments are.
    pub const NONE: Premises = Premises(0);

    /// One argument. Positions from 31 on share the last bit, which then stands for all of them.
    pub const fn at(position: usize) -> Premises {
        if position < 31 { Premises(1 << position) } else { Premises(1 << 31) }
    }

    #[must_use]
    pub const fn and(self, position: usize) -> Premises {
        Premises(self.0 | Premises::at(position).0)
    }

    #[must_use]
    pub const fn union(self, other: Premises) -> Premises {
        Premises(self.0 | other.0)
    }

    pub const fn contains(self, position: usize) -> bool {
        self.0 & Premises::at(position).0 != 0
    }
}

/// Why a domain is what it is since one entry of the trail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// A propagator deduced it.
    Propagator(PropIdx, Premises),
    /// The caller asserted it.
    Assertion(AssertId),
    /// Another engine deduced it from assertions: `Store::assertion_list` holds them.
    Assertions { start: u32, len: u32 },
    /// Deduced by trying cases: `Store::variable_list` holds the variables it rests on.
    Variables { start: u32, len: u32 },
    /// The search assumed it; `level` counts decisions from 0.
    Decision { level: u32 },
}
