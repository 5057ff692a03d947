//! Open ways of a tree in the order in which they are worth trying.
//!
//! Trees have thousands of open ways, every path asks for the best of them, and goals take turns, each with distances of its own. But
//! ways at one place of the program are equally far from every goal, so among them the order never changes. Ways are put
//! in order once, place by place, and what is asked for each path is which place has the best first way. Ways that are not open
//! any more are passed over when they come to the top.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use glassbox_ir::{BlockId, FuncId};

use crate::distance::UNREACHABLE;
use crate::tree::{Node, OpenWay};

/// What ways are compared by: less is better, then the older way.
type Rank = (bool, u32, u32);

/// An order of ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// Near to open goals.
    Near,
    /// Shallow.
    Broad,
    /// Deep.
    Deep,
}

/// Where a way leads to, as far as distances are concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) function: FuncId,
    pub(crate) block: BlockId,
    /// Where the function in which runs start stands meanwhile.
    pub(crate) entry_block: BlockId,
    pub(crate) is_recursive: bool,
}

/// The ways of a tree in each order that was asked for.
#[derive(Debug, Default)]
pub(crate) struct Ranking {
    near: Lane,
    broad: Lane,
    deep: Lane,
}

/// The ways of a tree in one order.
#[derive(Debug, Default)]
pub(crate) struct Lane {
    places: BTreeMap<Place, Ways>,
    /// Choices of the tree that were looked at.
    pub(crate) n_seen: usize,
}

/// Ways at one place, the best first.
type Ways = BinaryHeap<Reverse<(Standing, OpenWay)>>;

/// What ways at one place are compared by: how often the place was passed, and how deep the way lies.
type Standing = (u32, u32);

impl Ranking {
    pub(crate) fn lane(&mut self, order: Order) -> &mut Lane {
        match order {
            Order::Near => &mut self.near,
            Order::Broad => &mut self.broad,
            Order::Deep => &mut self.deep,
        }
    }

    /// What was known of ways does not hold any more.
    pub(crate) fn forget(&mut self) {
        *self = Ranking::default();
    }
}

impl Order {
    pub(crate) fn standing(self, node: &Node) -> Standing {
        match self {
            Order::Near => (node.repetitions, node.depth),
            Order::Broad => (0, node.depth),
            Order::Deep => (u32::MAX - node.depth, 0),
        }
    }

    fn rank(self, distance: u32, standing: Standing) -> Rank {
        let is_lost = distance == UNREACHABLE;
        match self {
            Order::Near => {
                let (repetitions, depth) = standing;
                (is_lost, repetitions.saturating_mul(4).saturating_add(distance), depth)
            }
            Order::Broad | Order::Deep => (is_lost, standing.0, standing.1),
        }
    }
}

impl Lane {
    pub(crate) fn add(&mut self, place: Place, standing: Standing, way: OpenWay) {
        self.places.entry(place).or_default().push(Reverse((standing, way)));
    }

    /// The best way that is still open, where places are so far from what is wanted.
    pub(crate) fn best(
        &mut self,
        order: Order,
        distance: impl Fn(Place) -> u32,
        is_open: impl Fn(OpenWay) -> bool,
    ) -> Option<OpenWay> {
        let mut best: Option<(Rank, OpenWay)> = None;
        self.places.retain(|&place, ways| {
            while ways.peek().is_some_and(|Reverse((_, way))| !is_open(*way)) {
                ways.pop();
            }
            let Some(&Reverse((standing, way))) = ways.peek() else { return false };
            let candidate = (order.rank(distance(place), standing), way);
            if best.is_none_or(|known| candidate < known) {
                best = Some(candidate);
            }
            true
        });
        best.map(|(_, way)| way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::NodeId;

    fn way(node: u32, way: usize) -> OpenWay {
        OpenWay { node: NodeId::new(node), way }
    }

    fn place(block: usize) -> Place {
        let block = BlockId::new(block);
        Place { function: FuncId::new(0), block, entry_block: block, is_recursive: false }
    }

    #[test]
    fn the_best_that_is_open_comes_first() {
        let mut ranking = Ranking::default();
        let lane = ranking.lane(Order::Near);
        lane.add(place(0), (0, 7), way(0, 1));
        lane.add(place(0), (0, 3), way(2, 0));
        lane.add(place(1), (0, 3), way(1, 0));
        lane.add(place(1), (2, 0), way(3, 0));
        let near =
            |first: u32, second: u32| move |at: Place| if at == place(0) { first } else { second };
        let order = Order::Near;
        assert_eq!(lane.best(order, near(1, 1), |_| true), Some(way(1, 0)));
        assert_eq!(lane.best(order, near(1, 2), |_| true), Some(way(2, 0)));
        assert_eq!(lane.best(order, near(3, UNREACHABLE), |_| true), Some(way(2, 0)));
        // Eight steps for two turns of a loop.
        assert_eq!(lane.best(order, near(9, 0), |it| it != way(1, 0)), Some(way(3, 0)));
        assert_eq!(lane.best(order, near(7, 0), |_| true), Some(way(2, 0)));
        assert_eq!(lane.best(order, near(7, 0), |it| it != way(2, 0)), Some(way(0, 1)));
        assert_eq!(lane.best(order, near(7, 0), |_| false), None);
        // Other orders know nothing of it.
        assert_eq!(ranking.lane(Order::Deep).best(Order::Deep, near(1, 1), |_| true), None);
    }
}
