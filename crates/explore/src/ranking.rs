//! Open ways of a tree in the order in which they are worth trying.
//!
//! Trees have thousands of open ways, and every path asks for the best of them. What a way is worth changes only when other
//! goals are open, so ways are put in order once, when they are first seen, and ways that are not open any more are
//! passed over when they come to the top. So it is for each of a few views: goals take turns, and the view of all of them is wanted again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::tree::OpenWay;

/// What ways are compared by: less is better, then the older way.
pub(crate) type Rank = (bool, u32, u32);

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

/// Views that are kept: of all open goals, and of the one that has its turn.
const MAX_VIEWS: usize = 2;

/// The ways of a tree in each order that was asked for.
#[derive(Debug, Default)]
pub(crate) struct Ranking {
    /// The one used last first.
    views: Vec<View>,
}

/// The ways of a tree as seen from some goals.
#[derive(Debug, Default)]
struct View {
    /// How far blocks were from open goals when ways were put in order.
    distances: Vec<u32>,
    near: Lane,
    broad: Lane,
    deep: Lane,
}

/// One order.
#[derive(Debug, Default)]
pub(crate) struct Lane {
    ways: BinaryHeap<Reverse<(Rank, OpenWay)>>,
    /// Choices of the tree that were looked at.
    pub(crate) n_seen: usize,
}

impl Ranking {
    /// The lane of an order, empty where no view with these distances is kept.
    pub(crate) fn lane(&mut self, order: Order, distances: &[u32]) -> &mut Lane {
        match self.views.iter().position(|view| view.distances == distances) {
            Some(position) => self.views[..=position].rotate_right(1),
            None => {
                self.views.truncate(MAX_VIEWS - 1);
                let view = View { distances: distances.to_vec(), ..View::default() };
                self.views.insert(0, view);
            }
        }
        let view = &mut self.views[0];
        match order {
            Order::Near => &mut view.near,
            Order::Broad => &mut view.broad,
            Order::Deep => &mut view.deep,
        }
    }

    /// What was known of ways does not hold any more.
    pub(crate) fn forget(&mut self) {
        *self = Ranking::default();
    }
}

impl Lane {
    pub(crate) fn add(&mut self, rank: Rank, way: OpenWay) {
        self.ways.push(Reverse((rank, way)));
    }

    /// The best way that is still open.
    pub(crate) fn best(&mut self, is_open: impl Fn(OpenWay) -> bool) -> Option<OpenWay> {
        while let Some(Reverse((_, way))) = self.ways.peek() {
            if is_open(*way) {
                return Some(*way);
            }
            self.ways.pop();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::NodeId;

    fn way(node: u32, way: usize) -> OpenWay {
        OpenWay { node: NodeId::new(node), way }
    }

    #[test]
    fn the_best_that_is_open_comes_first() {
        let mut ranking = Ranking::default();
        let lane = ranking.lane(Order::Near, &[1, 2]);
        lane.add((false, 3, 0), way(0, 1));
        lane.add((false, 2, 0), way(2, 0));
        lane.add((false, 2, 0), way(1, 0));
        assert_eq!(lane.best(|_| true), Some(way(1, 0)));
        assert_eq!(lane.best(|it| it != way(1, 0)), Some(way(2, 0)));
        // Other orders know nothing of it, and other distances forget it.
        assert_eq!(ranking.lane(Order::Deep, &[1, 2]).best(|_| true), None);
        assert_eq!(ranking.lane(Order::Near, &[1, 2]).best(|_| true), Some(way(2, 0)));
        assert_eq!(ranking.lane(Order::Near, &[1, 1]).best(|_| true), None);
        assert_eq!(ranking.lane(Order::Near, &[1, 2]).best(|_| true), Some(way(2, 0)));
        assert_eq!(ranking.lane(Order::Near, &[2, 2]).best(|_| true), None);
        assert_eq!(ranking.lane(Order::Near, &[1, 1]).best(|_| true), None);
        assert_eq!(ranking.lane(Order::Near, &[1, 2]).best(|_| true), None);
    }
}
