//! Facts: why a bound or a row holds, down to the caller's assertions and bounds.

use glassbox_terms::TermId;
use glassbox_values::Signedness;

use crate::simplex::{Certificate, Reason, Side};

/// A fact of one `Facts`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FactId(u32);

impl From<FactId> for Reason {
    fn from(fact: FactId) -> Reason {
        Reason(fact.0)
    }
}

impl From<Reason> for FactId {
    fn from(reason: Reason) -> FactId {
        FactId(reason.0)
    }
}

/// A bound the caller gave: the value of `term`, read with the signedness, on one side. For booleans
/// the reading is unsigned, 0 or 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BoundPremise {
    pub term: TermId,
    pub signedness: Signedness,
    pub side: Side,
}

#[derive(Debug, Clone)]
enum Fact {
    Assertion(u32),
    Bound(BoundPremise),
    /// A case of a split; both cases together are no premise.
    Case(u32),
    Derived(Box<[FactId]>),
}

/// What a refutation or a bound rests on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Explanation {
    /// Positions of assertions, sorted.
    pub assertions: Vec<usize>,
    /// Bounds of the caller, sorted.
    pub bounds: Vec<BoundPremise>,
}

/// The leaves below some facts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Leaves {
    pub(crate) explanation: Explanation,
    /// Open cases the facts rest on, sorted.
    pub(crate) cases: Vec<u32>,
}

/// The arena of facts. Facts only point to older ones.
#[derive(Debug, Clone)]
pub struct Facts {
    facts: Vec<Fact>,
}

impl Default for Facts {
    fn default() -> Facts {
        Facts { facts: vec![Fact::Derived(Box::new([]))] }
    }
}

impl Facts {
    /// What holds without any premise, for example the range of a type.
    pub const AXIOM: FactId = FactId(0);

    fn push(&mut self, fact: Fact) -> FactId {
        let id = FactId(u32::try_from(self.facts.len()).expect("fewer than 2^32 facts"));
        self.facts.push(fact);
        id
    }

    pub fn assertion(&mut self, position: usize) -> FactId {
        self.push(Fact::Assertion(u32::try_from(position).expect("fewer than 2^32 assertions")))
    }

    pub fn bound(&mut self, premise: BoundPremise) -> FactId {
        self.push(Fact::Bound(premise))
    }

    pub(crate) fn case(&mut self, split: u32) -> FactId {
        self.push(Fact::Case(split))
    }

    /// A fact that follows from others.
    pub fn derived(&mut self, premises: impl IntoIterator<Item = FactId>) -> FactId {
        let mut premises: Vec<FactId> =
            premises.into_iter().filter(|fact| *fact != Facts::AXIOM).collect();
        premises.sort_unstable();
        premises.dedup();
        match premises.as_slice() {
            [] => Facts::AXIOM,
            [only] => *only,
            _ => self.push(Fact::Derived(premises.into())),
        }
    }

    /// The facts of a certificate as one fact.
    pub fn derived_by(&mut self, certificate: &Certificate) -> FactId {
        self.derived(certificate.reasons().into_iter().map(FactId::from))
    }

    pub(crate) fn leaves(&self, roots: &[FactId]) -> Leaves {
        let mut seen = vec![false; self.facts.len()];
        let mut stack = roots.to_vec();
        let mut leaves = Leaves::default();
        while let Some(fact) = stack.pop() {
            if std::mem::replace(&mut seen[fact.0 as usize], true) {
                continue;
            }
            match &self.facts[fact.0 as usize] {
                Fact::Assertion(position) => leaves.explanation.assertions.push(*position as usize),
                Fact::Bound(premise) => leaves.explanation.bounds.push(*premise),
                Fact::Case(split) => leaves.cases.push(*split),
                Fact::Derived(premises) => stack.extend(premises.iter().copied()),
            }
        }
        leaves.explanation.assertions.sort_unstable();
        leaves.explanation.assertions.dedup();
        leaves.explanation.bounds.sort_unstable();
        leaves.explanation.bounds.dedup();
        leaves.cases.sort_unstable();
        leaves.cases.dedup();
        leaves
    }
}
