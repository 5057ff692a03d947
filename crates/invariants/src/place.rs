//! Everything that is known at a place of a graph: invariants, conditions and events on the way down the dominator
//! tree.

use super::options::Options;
use super::{Context, Invariants};
use glassbox_whole::{Event, Graph, Order};

/// What holds in a node after so many of its events.
pub fn context_at<'a>(
    graph: &'a Graph,
    order: &Order,
    invariants: &Invariants,
    node: usize,
    n_events: usize,
    options: &Options,
) -> Context<'a> {
    let mut context = Context::new(graph, options);
    for &at in &order.chain(node) {
        if let [(from, edge)] = graph.nodes[at].ways_in[..] {
            context.assume(graph.nodes[from].edges[edge].condition);
        }
        if let Some(state) = &invariants.states[at] {
            context.assume_state(state);
        }
        let n_passed = if at == node { n_events } else { usize::MAX };
        for fact in graph.nodes[at].events.iter().take(n_passed).filter_map(Event::after) {
            context.assume(fact);
        }
    }
    context
}
