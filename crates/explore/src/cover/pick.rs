//! Which open way to try next: by its distance to open goals.

use glassbox_coverage::Goal;
use glassbox_ir::Body;
use glassbox_model::ChoiceKind;

use crate::distance::{UNREACHABLE, to_open_goals};
use crate::search::PathSearch;
use crate::tree::OpenWay;

/// One path in so many goes breadth first.
const BROAD_EVERY: usize = 4;

/// The open way nearest to an open goal; among equals the least repeated, then the shallowest, then
/// the oldest.
pub(super) fn nearest<'g>(
    search: &PathSearch<'_>,
    open: impl Iterator<Item = &'g Goal>,
) -> Option<OpenWay> {
    let distances = Distances::new(search, open);
    // Now and then the shallowest way, so that loops cannot hold up what lies beside them.
    let is_broad = search.n_paths.is_multiple_of(BROAD_EVERY);
    search.tree.open_ways().min_by_key(|&open| {
        let node = search.tree.node(open.node);
        let distance = distances.of(open);
        let nearness = node.repetitions.saturating_mul(4).saturating_add(distance);
        (distance == UNREACHABLE, if is_broad { 0 } else { nearness }, node.depth)
    })
}

/// The deepest open way with an open goal ahead.
pub(super) fn deepest<'g>(
    search: &PathSearch<'_>,
    open: impl Iterator<Item = &'g Goal>,
) -> Option<OpenWay> {
    let distances = Distances::new(search, open);
    search.tree.open_ways().min_by_key(|&open| {
        let depth = search.tree.node(open.node).depth;
        (distances.of(open) == UNREACHABLE, u32::MAX - depth)
    })
}

/// How far ways are from open goals.
struct Distances<'s, 'a> {
    search: &'s PathSearch<'a>,
    by_block: Vec<u32>,
}

impl<'s, 'a> Distances<'s, 'a> {
    fn new<'g>(
        search: &'s PathSearch<'a>,
        open: impl Iterator<Item = &'g Goal>,
    ) -> Distances<'s, 'a> {
        let body = search.program.body(search.function);
        Distances { search, by_block: to_open_goals(body, open) }
    }

    fn of(&self, open: OpenWay) -> u32 {
        let search = self.search;
        let point = &search.tree.node(open.node).point;
        // Inside a callee every way may matter to what the caller does next.
        // A harness has blocks of its own; the function lies ahead of them.
        let outside =
            if search.entry == search.function { point.entry_block.index() } else { Body::ENTRY };
        let after_return = self.by_block[outside].saturating_add(1);
        if point.function != search.function {
            return after_return;
        }
        let targets = search.program.body(search.function).block(point.block).terminator.targets();
        let is_branch = matches!(point.kind, ChoiceKind::Branch);
        let block = match targets.get(open.way) {
            Some(target) if is_branch => target.block,
            _ => point.block,
        };
        let ahead = self.by_block[block.index()];
        if point.recursion > 0 { ahead.min(after_return) } else { ahead }
    }
}
