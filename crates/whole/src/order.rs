//! The order of a graph's nodes: reverse postorder, dominators, loop heads.

use glassbox_ir::dominance;

use super::Graph;

/// Facts about the shape of a graph.
#[derive(Debug, Clone)]
pub struct Order {
    /// Reachable nodes, each after the nodes that lead to it except along back edges.
    pub sequence: Vec<usize>,
    // Position in `sequence`; `usize::MAX` when unreachable.
    position: Vec<usize>,
    dominator: Vec<Option<usize>>,
    /// Nodes that a node immediately dominates, in sequence.
    pub children: Vec<Vec<usize>>,
}

impl Order {
    pub fn new(graph: &Graph) -> Order {
        let n_nodes = graph.nodes.len();
        let sequence = dominance::reverse_postorder(n_nodes, |node, next| {
            graph.nodes[node].edges.get(next).map(|edge| edge.target)
        });
        let position = dominance::positions(n_nodes, &sequence);
        let before = |node: usize| graph.nodes[node].ways_in.iter().map(|&(from, _)| from);
        let dominator = dominance::immediate_dominators(&sequence, &position, before);
        let mut children = vec![Vec::new(); n_nodes];
        for &node in &sequence {
            if let Some(parent) = dominator[node] {
                children[parent].push(node);
            }
        }
        Order { sequence, position, dominator, children }
    }

    pub fn is_reachable(&self, node: usize) -> bool {
        self.position[node] != usize::MAX
    }

    /// Every way to `node` passes `by`. A node dominates itself.
    pub fn dominates(&self, by: usize, mut node: usize) -> bool {
        loop {
            if node == by {
                return true;
            }
            match self.dominator[node] {
                Some(parent) => node = parent,
                None => return false,
            }
        }
    }

    /// The edge goes back in the sequence.
    pub fn is_back(&self, from: usize, to: usize) -> bool {
        self.is_reachable(from) && self.position[to] <= self.position[from]
    }

    /// The target of a back edge.
    pub fn is_head(&self, graph: &Graph, node: usize) -> bool {
        graph.nodes[node].ways_in.iter().any(|&(from, _)| self.is_back(from, node))
    }

    /// Every loop is entered at its head only.
    pub fn is_reducible(&self, graph: &Graph) -> bool {
        self.sequence.iter().all(|&node| {
            let mut ways = graph.nodes[node].ways_in.iter().map(|&(from, _)| from);
            ways.all(|from| !self.is_back(from, node) || self.dominates(node, from))
        })
    }

    /// The nodes that dominate `node`, the entry first, `node` last.
    pub fn chain(&self, node: usize) -> Vec<usize> {
        let mut chain = vec![node];
        let mut at = node;
        while let Some(parent) = self.dominator[at] {
            chain.push(parent);
            at = parent;
        }
        chain.reverse();
        chain
    }
}
