//! The portfolio: what is tried to show that no run does something, from cheap to costly.
//!
//! Two levels. *Approaches* differ in how calls are treated, and so in the graphs that are looked at. *Stages*
//! are the methods applied to one graph, for each of its places. What each may cost is in `budget` and in
//! `Options`; that contents of arrays are learned when a graph is made is part of the graph (`contents`).

use glassbox_whole::Event;

use crate::answer::{Hint, Method};
use crate::induction;
use crate::model::{Model, Target};
use crate::options::Options;

/// How calls are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Approach {
    /// One graph, calls expanded as far as the question needs it; deeper ones are what their summaries say.
    Expanded,
    /// A graph for every function that is not expanded, with the arguments that its calls can give.
    InContext,
    /// No graph: runs over boxes of float inputs.
    Covering,
}

impl Approach {
    pub(crate) const ORDER: [Approach; 3] =
        [Approach::Expanded, Approach::InContext, Approach::Covering];
}

/// A method of proof over one graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The graph has no way there.
    ControlFlow,
    /// Ranges and linear relations on the way down the dominator tree exclude it.
    Invariants,
    /// The whole function as one formula, loops cut at their invariants.
    WholeFormula,
    /// k-induction over the visits of a loop head, or all visits one after the other.
    Induction,
}

/// What a stage finds out about one place.
#[derive(Debug)]
pub(crate) enum Outcome {
    Excluded(Method),
    /// A run of the graph that does it.
    Found(Hint),
    Open,
}

impl Stage {
    pub(crate) const ORDER: [Stage; 4] =
        [Stage::ControlFlow, Stage::Invariants, Stage::WholeFormula, Stage::Induction];

    /// Those that ask no solver.
    pub(crate) const CHEAP: [Stage; 2] = [Stage::ControlFlow, Stage::Invariants];

    pub(crate) fn applies(self, model: &Model, target: Target, options: &Options) -> bool {
        match self {
            Stage::ControlFlow | Stage::Invariants => true,
            Stage::WholeFormula => options.whole_function && says_when(model, target),
            // The visits of a head that control can go around are no order of a run.
            Stage::Induction => {
                options.induction
                    && says_when(model, target)
                    && model.order.is_reducible(&model.graph)
            }
        }
    }

    pub(crate) fn ask(self, model: &mut Model, target: Target, options: &Options) -> Outcome {
        let method = match self {
            Stage::ControlFlow => {
                (!model.order.is_reachable(target.node())).then_some(Method::ControlFlow)
            }
            Stage::Invariants => model.refute(target, options),
            Stage::WholeFormula => return model.ask_formula(target, options),
            Stage::Induction => induction::refute(model, target, options),
        };
        method.map_or(Outcome::Open, Outcome::Excluded)
    }
}

/// Whether the graph says when the target happens: it may not know when a check fails.
fn says_when(model: &Model, target: Target) -> bool {
    match target {
        Target::Failure { node, event } => match &model.graph.nodes[node].events[event] {
            Event::Check(checked) => checked.holds.is_some(),
            Event::Assume(_) => true,
        },
        Target::Point { .. } | Target::Edge { .. } => true,
    }
}
