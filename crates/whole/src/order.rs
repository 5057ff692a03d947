//! The order of a graph's nodes: reverse postorder, dominators, loop heads.

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
        let sequence = sequence(graph);
        let mut position = vec![usize::MAX; n_nodes];
        for (at, &node) in sequence.iter().enumerate() {
            position[node] = at;
        }
        let dominator = dominators(graph, &sequence, &position);
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

fn sequence(graph: &Graph) -> Vec<usize> {
    let mut postorder = Vec::new();
    let mut is_seen = vec![false; graph.nodes.len()];
    if graph.nodes.is_empty() {
        return postorder;
    }
    is_seen[0] = true;
    let mut stack = vec![(0, 0)];
    while let Some((node, next)) = stack.pop() {
        match graph.nodes[node].edges.get(next) {
            Some(edge) => {
                stack.push((node, next + 1));
                if !is_seen[edge.target] {
                    is_seen[edge.target] = true;
                    stack.push((edge.target, 0));
                }
            }
            None => postorder.push(node),
        }
    }
    postorder.reverse();
    postorder
}

/// Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm" (2001).
fn dominators(graph: &Graph, sequence: &[usize], position: &[usize]) -> Vec<Option<usize>> {
    let mut dominator = vec![usize::MAX; sequence.len()];
    let mut result = vec![None; graph.nodes.len()];
    if sequence.is_empty() {
        return result;
    }
    dominator[0] = 0;
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for at in 1..sequence.len() {
            let mut new = usize::MAX;
            for &(from, _) in &graph.nodes[sequence[at]].ways_in {
                let mut finger = position[from];
                if finger == usize::MAX || dominator[finger] == usize::MAX {
                    continue;
                }
                if new == usize::MAX {
                    new = finger;
                    continue;
                }
                while new != finger {
                    while finger > new {
                        finger = dominator[finger];
                    }
                    while new > finger {
                        new = dominator[new];
                    }
                }
            }
            if dominator[at] != new {
                dominator[at] = new;
                has_changed = true;
            }
        }
    }
    for at in 1..sequence.len() {
        result[sequence[at]] = Some(sequence[dominator[at]]);
    }
    result
}
