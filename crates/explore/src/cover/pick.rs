//! Which open way to try next: by its distance to open goals.

use glassbox_coverage::Goal;
use glassbox_ir::Body;
use glassbox_model::ChoiceKind;

use crate::deciding::Deciding;
use crate::distance::{UNREACHABLE, to_open_goals};
use crate::ranking::{Order, Place};
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

/// The deepest open way in a call that decides about the goal, from where the call may return what is wanted: a
/// comparison of texts goes on letter by letter, while ways into special cases of the library are many and shallow.
pub(super) fn deciding(search: &mut PathSearch<'_>, deciding: &Deciding) -> Option<OpenWay> {
    let distance = |place| deciding.distance(place);
    let way = best_by(search, Order::Deep, |_, place| distance(place))?;
    (distance(place_of(search, way)) != UNREACHABLE).then_some(way)
}

fn best<'g>(
    search: &mut PathSearch<'_>,
    open: impl Iterator<Item = &'g Goal>,
    order: Order,
) -> Option<OpenWay> {
    let by_block = to_open_goals(search.program.body(search.function), open);
    let distance =
        |search: &PathSearch<'_>, place| Distances { search, by_block: &by_block }.of(place);
    best_by(search, order, distance)
}

fn best_by(
    search: &mut PathSearch<'_>,
    order: Order,
    distance: impl Fn(&PathSearch<'_>, Place) -> u32,
) -> Option<OpenWay> {
    let mut ranking = std::mem::take(&mut search.tree.ranking);
    let lane = ranking.lane(order);
    let tree = &search.tree;
    for open in tree.open_ways_from(lane.n_seen) {
        lane.add(place_of(search, open), order.standing(tree.node(open.node)), open);
    }
    lane.n_seen = tree.len();
    let best = lane.best(order, |place| distance(search, place), |way| tree.is_open(way));
    search.tree.ranking = ranking;
    best
}

pub(super) fn place_of(search: &PathSearch<'_>, open: OpenWay) -> Place {
    let point = &search.tree.node(open.node).point;
    let is_branch = matches!(point.kind, ChoiceKind::Branch);
    let terminator = &search.program.body(point.function).block(point.block).terminator;
    let target = terminator.targets().get(open.way).filter(|_| is_branch).map(|it| it.block);
    Place {
        function: point.function,
        block: target.unwrap_or(point.block),
        entry_block: point.entry_block,
        is_recursive: point.recursion > 0,
    }
}

/// How far ways are from open goals.
struct Distances<'s, 'a> {
    search: &'s PathSearch<'a>,
    by_block: &'s [u32],
}

impl<'s, 'a> Distances<'s, 'a> {
    fn of(&self, place: Place) -> u32 {
        let search = self.search;
        let is_own = place.function == search.function;
        if let Some(leading) = &search.leading {
            let from_start = self.by_block[Body::ENTRY];
            let again = leading.from(search.entry, place.entry_block).saturating_add(1);
            let called = leading.from(place.function, place.block).min(again);
            let called = called.saturating_add(from_start);
            return if is_own { self.by_block[place.block.index()].min(called) } else { called };
        }
        // Inside a callee every way may matter to what the caller does next.
        // A harness has blocks of its own; the function lies ahead of them.
        let outside =
            if search.entry == search.function { place.entry_block.index() } else { Body::ENTRY };
        let after_return = self.by_block[outside].saturating_add(1);
        if !is_own {
            return after_return;
        }
        let ahead = self.by_block[place.block.index()];
        if place.is_recursive { ahead.min(after_return) } else { ahead }
    }
}
