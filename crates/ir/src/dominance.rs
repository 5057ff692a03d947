//! Orders and dominators of any graph whose nodes are numbers and whose entry is node 0.

/// Nodes that the entry reaches, each after all that lead to it except along back edges. `successor(node, k)` is
/// the `k`th node that an edge of `node` leads to.
pub fn reverse_postorder(
    n_nodes: usize,
    successor: impl Fn(usize, usize) -> Option<usize>,
) -> Vec<usize> {
    let mut postorder = Vec::new();
    if n_nodes == 0 {
        return postorder;
    }
    let mut is_seen = vec![false; n_nodes];
    is_seen[0] = true;
    // An explicit stack of (node, next successor): graphs may be deeper than the host's stack.
    let mut stack = vec![(0, 0)];
    while let Some((node, next)) = stack.pop() {
        match successor(node, next) {
            Some(target) => {
                stack.push((node, next + 1));
                if !is_seen[target] {
                    is_seen[target] = true;
                    stack.push((target, 0));
                }
            }
            None => postorder.push(node),
        }
    }
    postorder.reverse();
    postorder
}

/// By node: its position in an order; `usize::MAX` when it is not there.
pub fn positions(n_nodes: usize, order: &[usize]) -> Vec<usize> {
    let mut positions = vec![usize::MAX; n_nodes];
    for (position, &node) in order.iter().enumerate() {
        positions[node] = position;
    }
    positions
}

/// By node: its immediate dominator; `None` for the entry and for nodes that it does not reach. `order` is a
/// reverse postorder, `positions` the places of nodes in it.
///
/// Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm" (2001).
pub fn immediate_dominators<P: IntoIterator<Item = usize>>(
    order: &[usize],
    positions: &[usize],
    predecessors: impl Fn(usize) -> P,
) -> Vec<Option<usize>> {
    let mut result = vec![None; positions.len()];
    if order.is_empty() {
        return result;
    }
    // Positions stand for nodes; the entry is its own dominator meanwhile.
    let mut dominator = vec![usize::MAX; order.len()];
    dominator[0] = 0;
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for position in 1..order.len() {
            let mut new = usize::MAX;
            for before in predecessors(order[position]) {
                let mut finger = positions[before];
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
            if dominator[position] != new {
                dominator[position] = new;
                has_changed = true;
            }
        }
    }
    for position in 1..order.len() {
        result[order[position]] = Some(order[dominator[position]]);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::{immediate_dominators, positions, reverse_postorder};

    /// A diamond with a loop behind it, and a node that nothing leads to.
    #[test]
    fn a_join_is_dominated_by_the_fork() {
        let edges: [&[usize]; 6] = [&[1, 2], &[3], &[3], &[4], &[3], &[4]];
        let order = reverse_postorder(6, |node, next| edges[node].get(next).copied());
        let positions = positions(6, &order);
        let before = |node: usize| (0..6).filter(move |&from| edges[from].contains(&node));
        let found = immediate_dominators(&order, &positions, before);
        assert_eq!(found, [None, Some(0), Some(0), Some(0), Some(3), None]);
        assert_eq!(positions[5], usize::MAX);
    }
}
