//! Functions that end without the result they promise.
//!
//! C forbids only to use such a result. So the check at the end of a function stays unless every call
//! of the function in the program ignores its result; then falling off the end is an ordinary return.
//! A function whose address is taken, or that nothing calls, keeps its check.

use glassbox_ir::{BlockId, FuncId, InstrKind, Operand, ResultPassing, Terminator};
use rustc_hash::FxHashSet;

use super::ProgramLowering;
use super::assign::Keep;
use super::body::zero;

/// What is known of the uses of results when all bodies are lowered.
#[derive(Debug, Default)]
pub(super) struct ResultUses {
    called: FxHashSet<FuncId>,
    used: FxHashSet<FuncId>,
    /// Blocks that end in the check.
    pub(super) ends: Vec<(FuncId, BlockId)>,
}

impl ResultUses {
    pub(super) fn note_call(&mut self, func: FuncId, keep: Keep) {
        self.called.insert(func);
        if keep == Keep::Result {
            self.used.insert(func);
        }
    }
}

pub(super) fn forgive_unused_results(lowering: &mut ProgramLowering<'_>) {
    if lowering.results.ends.is_empty() {
        return;
    }
    let mut used = std::mem::take(&mut lowering.results.used);
    note_addresses(lowering, &mut used);
    for (func, block) in std::mem::take(&mut lowering.results.ends) {
        if used.contains(&func) || !lowering.results.called.contains(&func) {
            continue;
        }
        let function = &mut lowering.out.functions[func.index()];
        let returned = match function.result {
            ResultPassing::Direct(ty) => Some(zero(ty)),
            ResultPassing::Void | ResultPassing::Indirect => None,
        };
        let body = function.body.as_mut().expect("a function that ends has a body");
        let block = &mut body.blocks[block.index()];
        let last = block.instrs.pop();
        assert!(
            last.is_some_and(|instr| matches!(instr.kind, InstrKind::Check(_))),
            "the block should end in the check"
        );
        block.terminator = Terminator::Return(returned);
    }
}

/// A function that may be called through a pointer may have its result used.
fn note_addresses(lowering: &ProgramLowering<'_>, used: &mut FxHashSet<FuncId>) {
    let mut note = |operand: &Operand| {
        if let Operand::Func(func) = operand {
            used.insert(*func);
        }
    };
    for function in &lowering.out.functions {
        let Some(body) = &function.body else { continue };
        for block in &body.blocks {
            for instr in &block.instrs {
                instr.kind.for_each_operand(&mut note);
            }
            block.terminator.for_each_operand(&mut note);
        }
    }
    for global in &lowering.out.globals {
        let relocations =
            global.initializer.iter().flat_map(|initializer| &initializer.relocations);
        for relocation in relocations {
            if let glassbox_ir::RelocationTarget::Func(func) = relocation.target {
                used.insert(func);
            }
        }
    }
}
