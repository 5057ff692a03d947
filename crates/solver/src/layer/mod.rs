//! The layers, one file each. A layer that solves gets a `System` and gives a `Verdict`.
//!
//! How to add a layer that solves: 1. a file here with its header; 2. a variant of `options::Layer`, with its
//! place in `Layer::ALL` and its name; 3. its steps in `options::Steps`; 4. a variant of `stage::Stage`, with
//! its place in `Stage::ORDER` and the systems it is for; 5. its call in `solver::Solver::ask`. The compiler
//! asks for all but the two lists. The fuzzer and the tests switch every layer off by itself and need no
//! change.

pub(crate) mod blast;
pub(crate) mod descent;
pub(crate) mod propagate;
pub(crate) mod relax;
pub(crate) mod reuse;
pub(crate) mod rewrite;
pub(crate) mod split;

use glassbox_terms::{Model, TermId, VarId};

use crate::answer::Why;

/// Conjuncts that share variables, to be solved together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct System {
    /// Positions on the stack, ascending.
    pub(crate) conjuncts: Vec<u32>,
    /// Their terms, in the same order.
    pub(crate) terms: Vec<TermId>,
    /// Their variables, ascending.
    pub(crate) vars: Vec<VarId>,
}

/// What a layer says of a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Values for the variables of the system; to be evaluated.
    Candidate(Model),
    /// Positions on the stack of conjuncts that have no model together.
    Refuted(Vec<u32>),
    /// Nothing.
    Open,
    /// Nothing, and this is why; of the complete layer.
    GaveUp(Why),
}
