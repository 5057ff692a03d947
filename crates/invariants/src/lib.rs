//! Invariants of joins and loops by abstract interpretation, without unfolding.
//!
//! **Domain**: for every parameter of a join its exact machine domain (clockwise interval, known bits,
//! congruence, holes; floats as intervals), a bound for each of the join's *templates* (linear sums of
//! variables read as integers, which hold whatever wraps elsewhere), and for arrays one domain that all
//! elements have.
//! **Step**: the conditions and events on the way down the dominator tree are asserted, domains are propagated
//! (forward and backward through the terms), and the linear relaxation gives the largest value that each
//! template of the target can have. The templates of a node are slopes that the program suggests: its own
//! comparisons, combinations that constant updates leave alone, differences and sums of loop variables, and
//! what these become when they are carried backward along edges.
//! **Iteration**: ascending with delayed widening to thresholds from the program's constants, until nothing
//! changes; then descending, bounds recomputed every turn.
//! **Wrap-around**: an addition takes part in a linear relation only where the relaxation knows that it does
//! not wrap, from ranges or from the overflow check that it has passed.
//! **Source**: docs/papers/loops.md, rules 1A.5 to 1A.8 (w of Denmat, Gotlieb, Ducasse, CP 2007; weak join of Sankaranarayanan et
//! al. 2006). Deviation: templates instead of projection by Fourier elimination, which they make superfluous.

mod elements;
mod flow;
pub mod options;
mod place;
mod slopes;
mod templates;
mod widen;

pub use flow::{Context, Refuted};
pub use options::Options;
pub use place::context_at;
pub use slopes::{linear, negated, normalized};
pub use widen::{Thresholds, widen};

use flow::Flow;
use glassbox_whole::{Facts, Graph, Order};
use templates::Templates;

/// Turns of the ascending iteration after which the analysis gives up.
const MAX_ROUNDS: usize = 120;

/// Descending turns.
const N_DESCENDING: usize = 3;

/// What holds at every join; nothing where the state is missing.
#[derive(Debug)]
pub struct Invariants {
    /// By node: what holds when control enters it; `None` for nodes that are no joins.
    pub states: Vec<Option<Facts>>,
    /// By node: control may come here.
    pub is_reached: Vec<bool>,
    /// The iteration came to rest; otherwise the states say nothing.
    pub is_stable: bool,
}

impl Invariants {
    /// Says nothing.
    pub fn none(graph: &Graph) -> Invariants {
        let mut states = vec![None; graph.nodes.len()];
        if let Some(first) = states.first_mut() {
            first.clone_from(&graph.entry);
        }
        Invariants { states, is_reached: vec![true; graph.nodes.len()], is_stable: false }
    }
}

/// The invariants of a graph.
pub fn analyze(graph: &Graph, order: &Order, options: &Options) -> Invariants {
    if !options.is_on {
        return Invariants::none(graph);
    }
    let templates = Templates::new(graph, order, options);
    let mut flow = Flow::new(graph, order, options, &templates);
    let mut is_stable = false;
    for _ in 0..MAX_ROUNDS {
        if !flow.round(flow::Direction::Ascending) {
            is_stable = true;
            break;
        }
        if flow.is_exhausted() {
            break;
        }
    }
    if !is_stable {
        return Invariants::none(graph);
    }
    for _ in 0..N_DESCENDING {
        if options.stop.is_set() || !flow.round(flow::Direction::Descending) {
            break;
        }
    }
    flow.finish()
}
