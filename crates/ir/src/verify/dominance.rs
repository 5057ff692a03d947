//! Dominance: in reachable blocks, a value is used only where its definition has been passed.

use super::Verifier;
use super::error::{BrokenRule, Place};
use super::structure::for_each_use;
use crate::block::Terminator;
use crate::cfg::{Cfg, DominatorTree};
use crate::func::Body;
use crate::id::BlockId;
use crate::instr::Operand;

#[derive(Clone, Copy)]
enum Definition {
    None,
    /// Before the instruction with this number plus one; 0 for parameters.
    In(BlockId, usize),
    /// On the edge to this block, from this one.
    OnEdge {
        from: BlockId,
        to: BlockId,
    },
}

pub(super) fn verify_dominance(verifier: &mut Verifier<'_>) {
    let body = verifier.body;
    let cfg = Cfg::new(body);
    let tree = DominatorTree::new(&cfg);
    let definitions = definitions(body);
    let mut broken = Vec::new();
    for_each_use(body, |operand, place| {
        let Operand::Value(value) = operand else { return };
        if !cfg.is_reachable(place.block) {
            return;
        }
        let reaches = match definitions[value.index()] {
            Definition::None => false,
            Definition::In(block, position) => {
                if block == place.block {
                    place.instr.is_none_or(|instr| position <= instr)
                } else {
                    tree.dominates(block, place.block)
                }
            }
            Definition::OnEdge { from, to } => {
                let is_edge_argument = place == Place { block: from, instr: None }
                    && normal_args(body, from).contains(&operand);
                let is_only_way_in = cfg.predecessors[to.index()].len() == 1;
                is_edge_argument || is_only_way_in && tree.dominates(to, place.block)
            }
        };
        if !reaches {
            broken.push((value, place));
        }
    });
    for (value, place) in broken {
        verifier.place = Some(place);
        verifier.report(BrokenRule::NotDominated { value });
    }
    verifier.place = None;
}

fn normal_args(body: &Body, block: BlockId) -> &[Operand] {
    match &body.block(block).terminator {
        Terminator::Invoke { normal, .. } => &normal.args,
        Terminator::Jump(_)
        | Terminator::Branch { .. }
        | Terminator::Switch { .. }
        | Terminator::Return(_)
        | Terminator::Throw(_)
        | Terminator::Unreachable => &[],
    }
}

fn definitions(body: &Body) -> Vec<Definition> {
    let mut definitions = vec![Definition::None; body.values.len()];
    for id in body.block_ids() {
        let block = body.block(id);
        for param in &block.params {
            definitions[param.index()] = Definition::In(id, 0);
        }
        for (position, instr) in block.instrs.iter().enumerate() {
            if let Some(value) = instr.result {
                definitions[value.index()] = Definition::In(id, position + 1);
            }
        }
        if let Terminator::Invoke { result: Some(value), normal, .. } = &block.terminator {
            definitions[value.index()] = Definition::OnEdge { from: id, to: normal.block };
        }
    }
    definitions
}
