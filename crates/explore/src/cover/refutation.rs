//! Why a way of the function is closed: the conditions that contradict each other, with their places.
//!
//! Kept for people who ask why a goal is infeasible; no verdict is made from it.

use glassbox_ir::{BlockId, FuncId, Span};
use glassbox_model::ChoiceKind;
use glassbox_terms::{TermId, Terms};

use crate::tree::{OpenWay, Tree};

/// Ways kept for one edge: more of the same means nothing new to a reader.
const MAX_PER_EDGE: usize = 3;
/// Longer conditions are cut.
const MAX_TEXT: usize = 400;

/// One refuted way to take an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refutation {
    pub block: BlockId,
    pub edge: u32,
    /// The conditions that cannot hold together, in the order of the path.
    pub core: Vec<CoreCondition>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoreCondition {
    /// Readable.
    pub text: String,
    /// The choice of the source that it comes from; `None` for facts about inputs.
    pub span: Option<Span>,
}

/// The refutations of one search.
#[derive(Debug, Default)]
pub struct Refutations {
    kept: Vec<Refutation>,
}

impl Refutations {
    /// Notes that a way of `function` is refuted by `core`.
    pub fn note(
        &mut self,
        tree: &Tree,
        terms: &Terms,
        function: FuncId,
        way: OpenWay,
        core: &[TermId],
    ) {
        let point = &tree.node(way.node).point;
        let edge = u32::try_from(way.way).unwrap_or(u32::MAX);
        if point.function != function || !matches!(point.kind, ChoiceKind::Branch) {
            return;
        }
        let of_edge = |kept: &&Refutation| kept.block == point.block && kept.edge == edge;
        if self.kept.iter().filter(of_edge).count() >= MAX_PER_EDGE {
            return;
        }
        let places = tree.places(Some((way.node, way.way)));
        let condition = |term: &TermId| CoreCondition {
            text: shortened(glassbox_terms::source_text(terms, *term)),
            span: places.iter().find(|(known, _)| known == term).map(|(_, point)| point.span),
        };
        let core = core.iter().map(condition).collect();
        let refutation = Refutation { block: point.block, edge, core };
        if !self.kept.contains(&refutation) {
            self.kept.push(refutation);
        }
    }

    pub fn finish(self) -> Vec<Refutation> {
        self.kept
    }
}

fn shortened(text: String) -> String {
    if text.chars().count() <= MAX_TEXT {
        return text;
    }
    text.chars().take(MAX_TEXT).chain("…".chars()).collect()
}
