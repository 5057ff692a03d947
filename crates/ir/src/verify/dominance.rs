//! Dominance: in reachable blocks, a value is used only where its definition has been passed.

use super::Verifier;
use super::error::BrokenRule;
use super::structure::for_each_use;
use crate::cfg::{Cfg, DominatorTree};
use crate::func::Body;
use crate::id::BlockId;
use crate::instr::Operand;

/// The block, and the number of the instruction plus one; 0 for parameters.
type Definition = Option<(BlockId, usize)>;

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
            None => false,
            Some((block, position)) => {
                if block == place.block {
                    place.instr.is_none_or(|instr| position <= instr)
                } else {
                    tree.dominates(block, place.block)
                }
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

fn definitions(body: &Body) -> Vec<Definition> {
    let mut definitions = vec![None; body.values.len()];
    for id in body.block_ids() {
        let block = body.block(id);
        for param in &block.params {
            definitions[param.index()] = Some((id, 0));
        }
        for (position, instr) in block.instrs.iter().enumerate() {
            if let Some(value) = instr.result {
                definitions[value.index()] = Some((id, position + 1));
            }
        }
    }
    definitions
}
