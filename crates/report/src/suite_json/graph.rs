//! The control-flow graph of a function as data: blocks with their lines, edges with their labels.

use std::collections::BTreeSet;

use glassbox_ir::{Block, Body, DecisionKind, FileId, FuncId, Program, Terminator};

use crate::data::graph::{self, BlockKind, Edge, Graph};

/// The blocks of a function in order; an edge's position in its block is its number.
pub(super) fn graph(program: &Program, function: FuncId) -> Graph {
    let file = program.function(function).span.file;
    let body = program.body(function);
    let blocks = body.block_ids().map(|id| {
        let block = body.block(id);
        graph::Block {
            lines: lines(block, file),
            kind: kind(body, block),
            text: text(body, block),
            edges: edges(block),
        }
    });
    Graph { blocks: blocks.collect() }
}

fn lines(block: &Block, file: FileId) -> Vec<u32> {
    let spans = block.instrs.iter().map(|instr| instr.span).chain([block.terminator_span]);
    let here = spans.filter(|span| !span.is_nowhere() && span.file == file);
    here.map(|span| span.line).collect::<BTreeSet<u32>>().into_iter().collect()
}

fn kind(body: &Body, block: &Block) -> BlockKind {
    match &block.terminator {
        Terminator::Jump(_) => BlockKind::Jump,
        Terminator::Branch { origin: Some(origin), .. }
            if body
                .decisions
                .get(origin.decision.index())
                .is_some_and(|decision| decision.kind == DecisionKind::Throws) =>
        {
            BlockKind::Throws
        }
        Terminator::Branch { .. } => BlockKind::Branch,
        Terminator::Switch { .. } => BlockKind::Switch,
        Terminator::Return(_) => BlockKind::Return,
        Terminator::Unreachable => BlockKind::End,
    }
}

/// The condition that is tested at the end of a block, as the source spells it.
fn text(body: &Body, block: &Block) -> Option<String> {
    match &block.terminator {
        Terminator::Branch { origin: Some(origin), .. } => {
            let decision = body.decisions.get(origin.decision.index())?;
            Some(decision.conditions.get(usize::from(origin.condition))?.text.clone())
        }
        Terminator::Branch { origin: None, .. }
        | Terminator::Jump(_)
        | Terminator::Switch { .. }
        | Terminator::Return(_)
        | Terminator::Unreachable => None,
    }
}

fn edges(block: &Block) -> Vec<Edge> {
    let targets = block.terminator.targets();
    let edge = |(index, to): (usize, usize)| Edge { to, label: label(block, index) };
    targets.iter().map(|target| target.block.index()).enumerate().map(edge).collect()
}

/// What has to be so for control to go this way, in words.
fn label(block: &Block, edge: usize) -> Option<String> {
    match &block.terminator {
        Terminator::Branch { origin, .. } => {
            let is_positive = origin.as_ref().is_none_or(|origin| origin.is_positive);
            Some(((edge == 0) == is_positive).to_string())
        }
        Terminator::Switch { cases, .. } => Some(match cases.get(edge) {
            Some(case) => case.label(),
            None => "default".to_owned(),
        }),
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => None,
    }
}
