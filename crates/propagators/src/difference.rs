//! Differences: contradictions among comparisons that bounds would only creep towards.
//!
//! `x < y` and `y < x` raise each other's bounds by one forever. When propagation notices such
//! creeping, the decided comparisons, equalities, sums with a constant that cannot wrap and
//! extensions are read as edges `v <= u + w`, once for each signedness, and a negative cycle is a
//! contradiction. Relation: conjunction of differences; strength: complete for it; source: Bellman
//! and Ford. Not seen: differences through other operators.

use glassbox_kernel::{AssertId, Kernel, VarIdx};
use glassbox_values::Signedness;

use crate::cmp::order::Strictness;
use crate::dispatch::Table;
use crate::int::reading::fitting;
use crate::relation::Difference;

/// More work than this is left to other engines.
const MAX_RELAXATIONS: usize = 200_000;

/// `to <= from + weight`, because of the present domains of up to two variables.
#[derive(Debug, Clone, Copy)]
struct Edge {
    from: usize,
    to: usize,
    weight: i128,
    because: [Option<VarIdx>; 2],
}

#[derive(Debug, Default)]
struct Graph {
    nodes: Vec<VarIdx>,
    edges: Vec<Edge>,
}

impl Graph {
    fn node(&mut self, var: VarIdx) -> usize {
        // Few nodes: only what active comparisons mention.
        self.nodes.iter().position(|&known| known == var).unwrap_or_else(|| {
            self.nodes.push(var);
            self.nodes.len() - 1
        })
    }

    /// `low + gap <= high`.
    fn add_gap(&mut self, low: VarIdx, high: VarIdx, gap: i128, because: [Option<VarIdx>; 2]) {
        let (from, to) = (self.node(high), self.node(low));
        self.edges.push(Edge { from, to, weight: -gap, because });
    }

    /// The edges of a negative cycle, if there is one.
    fn negative_cycle(&self) -> Option<Vec<Edge>> {
        let n_nodes = self.nodes.len();
        if n_nodes * self.edges.len() > MAX_RELAXATIONS {
            return None;
        }
        let mut distance = vec![0i128; n_nodes];
        let mut parent: Vec<Option<usize>> = vec![None; n_nodes];
        let mut last = None;
        for _ in 0..=n_nodes {
            last = None;
            for (index, edge) in self.edges.iter().enumerate() {
                let through = distance[edge.from] + edge.weight;
                if through < distance[edge.to] {
                    distance[edge.to] = through;
                    parent[edge.to] = Some(index);
                    last = Some(edge.to);
                }
            }
            last?;
        }
        // Still relaxing: walking back long enough ends inside a cycle.
        let mut node = last?;
        for _ in 0..n_nodes {
            node = self.edges[parent[node]?].from;
        }
        let (start, mut cycle) = (node, Vec::new());
        loop {
            let edge = self.edges[parent[node]?];
            cycle.push(edge);
            node = edge.from;
            if node == start {
                return Some(cycle);
            }
        }
    }
}

/// The assertions behind a contradiction among differences, if there is one.
pub(crate) fn refute(kernel: &mut Kernel<Table>) -> Option<Vec<AssertId>> {
    for signedness in [Signedness::Signed, Signedness::Unsigned] {
        let Some(cycle) = graph(kernel, signedness).negative_cycle() else {
            continue;
        };
        let mut core = Vec::new();
        for var in cycle.iter().flat_map(|edge| edge.because).flatten() {
            kernel.analysis.explain_domain(&kernel.store, &kernel.network, var, 0);
            core.extend_from_slice(&kernel.analysis.culprits.assertions);
        }
        core.sort_unstable();
        core.dedup();
        return Some(core);
    }
    None
}

fn graph(kernel: &Kernel<Table>, signedness: Signedness) -> Graph {
    let mut graph = Graph::default();
    let store = &kernel.store;
    for &prop in kernel.network.active() {
        let args = kernel.network.args(prop);
        match kernel.dispatch.relation(kernel.network.kind(prop)).difference() {
            Difference::Order(sign, strictness) if sign == signedness => {
                let strict = strictness == Strictness::Strict;
                let because = [Some(args[0]), None];
                match store.truth(args[0]).value() {
                    Some(true) => graph.add_gap(args[1], args[2], i128::from(strict), because),
                    Some(false) => graph.add_gap(args[2], args[1], i128::from(!strict), because),
                    None => {}
                }
            }
            Difference::Equal if store.truth(args[0]).value() == Some(true) => {
                let because = [Some(args[0]), None];
                if let glassbox_kernel::Domain::Bits(_) = store.domain(args[1]) {
                    graph.add_gap(args[1], args[2], 0, because);
                    graph.add_gap(args[2], args[1], 0, because);
                }
            }
            Difference::Extend(sign) if sign == signedness => {
                graph.add_gap(args[0], args[1], 0, [None, None]);
                graph.add_gap(args[1], args[0], 0, [None, None]);
            }
            Difference::Sum => add_sum(&mut graph, kernel, args, signedness),
            Difference::Nothing
            | Difference::Order(..)
            | Difference::Equal
            | Difference::Extend(_) => {}
        }
    }
    graph
}

/// `z = x + c` where no value of x wraps in the reading.
fn add_sum(graph: &mut Graph, kernel: &Kernel<Table>, args: &[VarIdx], signedness: Signedness) {
    let store = &kernel.store;
    let z = args[0];
    for (x, constant) in [(args[1], args[2]), (args[2], args[1])] {
        let Some(value) = store.bits(constant).value() else { continue };
        let mask = store.bits(z).mask();
        let turn = i128::from(mask) + 1;
        let range = store.bits(x).range(signedness);
        let fits = fitting(mask, signedness);
        let value = i128::from(value);
        let shift = [value, value - turn]
            .into_iter()
            .find(|shift| fits.0 <= range.0 + shift && range.1 + shift <= fits.1);
        if let Some(shift) = shift {
            let because = [Some(x), Some(constant)];
            graph.add_gap(x, z, shift, because);
            graph.add_gap(z, x, -shift, because);
        }
    }
}
