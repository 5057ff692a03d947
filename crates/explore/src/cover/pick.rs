//! Which open way to try next: by its distance to open goals.

use glassbox_coverage::Goal;
use glassbox_ir::Body;
use glassbox_model::ChoiceKind;

use crate::distance::{UNREACHABLE, to_open_goals};
use crate::ranking::{Order, Rank};
use crate::search::PathSearch;
use crate::tree::OpenWay;

/// One path in so many goes breadth first.
const BROAD_EVERY: usize = 4;

/// The open way nearest to an open goal; among equals the least repeated, then the shallowest, then
/// the oldest.
pub(super) fn nearest<'g>(
    search: &mut PathSearch<'_>,
    open: impl Iterator<Item = &'g Goal>,
) -> Option<OpenWay> {
    // Now and then the shallowest way, so that loops cannot hold up what lies beside them.
    let is_broad = search.n_paths.is_multiple_of(BROAD_EVERY);
    best(search, open, if is_broad { Order::Broad } else { Order::Near })
}

/// The deepest open way with an open goal ahead.
pub(super) fn deepest<'g>(
    search: &mut PathSearch<'_>,
    open: impl Iterator<Item = &'g Goal>,
) -> Option<OpenWay> {
    best(search, open, Order::Deep)
}

fn best<'g>(
    search: &mut PathSearch<'_>,
    open: impl Iterator<Item = &'g Goal>,
    order: Order,
) -> Option<OpenWay> {
    let by_block = to_open_goals(search.program.body(search.function), open);
    let mut ranking = std::mem::take(&mut search.tree.ranking);
    let lane = ranking.lane(order, &by_block);
    let distances = Distances { search, by_block };
    let tree = &distances.search.tree;
    for open in tree.open_ways_from(lane.n_seen) {
        lane.add(distances.rank(order, open), open);
    }
    lane.n_seen = tree.len();
    let best = lane.best(|way| tree.is_open(way));
    search.tree.ranking = ranking;
    best
}

/// How far ways are from open goals.
struct Distances<'s, 'a> {
    search: &'s PathSearch<'a>,
    by_block: Vec<u32>,
}

impl<'s, 'a> Distances<'s, 'a> {
    fn rank(&self, order: Order, open: OpenWay) -> Rank {
        let node = self.search.tree.node(open.node);
        let distance = self.of(open);
        let is_lost = distance == UNREACHABLE;
        match order {
            Order::Near => {
                let nearness = node.repetitions.saturating_mul(4).saturating_add(distance);
                (is_lost, nearness, node.depth)
            }
            Order::Broad => (is_lost, 0, node.depth),
            Order::Deep => (is_lost, u32::MAX - node.depth, 0),
        }
    }

    fn of(&self, open: OpenWay) -> u32 {
        let search = self.search;
        let point = &search.tree.node(open.node).point;
        let targets = search.program.body(point.function).block(point.block).terminator.targets();
        let is_branch = matches!(point.kind, ChoiceKind::Branch);
        let block = match targets.get(open.way) {
            Some(target) if is_branch => target.block,
            _ => point.block,
        };
        if let Some(leading) = &search.leading {
            let from_start = self.by_block[Body::ENTRY];
            let again = leading.from(search.entry, point.entry_block).saturating_add(1);
            let called = leading.from(point.function, block).min(again).saturating_add(from_start);
            let is_own = point.function == search.function;
            return if is_own { self.by_block[block.index()].min(called) } else { called };
        }
        // Inside a callee every way may matter to what the caller does next.
        // A harness has blocks of its own; the function lies ahead of them.
        let outside =
            if search.entry == search.function { point.entry_block.index() } else { Body::ENTRY };
        let after_return = self.by_block[outside].saturating_add(1);
        if point.function != search.function {
            return after_return;
        }
        let ahead = self.by_block[block.index()];
        if point.recursion > 0 { ahead.min(after_return) } else { ahead }
    }
}
