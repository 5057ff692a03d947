//! Names of SSA values: what the source calls them, for people.
//!
//! Marks stand beside the instructions they speak of: a definition's mark follows the value, the marks of
//! reads precede the instruction that reads them, in the order of its operands. Names are read off these
//! neighborhoods and carried over to block parameters; a wrong name would mislead a reader, never a proof.

use glassbox_ir::{Access, Body, InstrKind, Mark, Operand, Part, Program, VarRef};

/// By value: its name, where one can be guessed.
pub(super) fn of(program: &Program, body: &Body) -> Vec<Option<String>> {
    let mut names: Vec<Option<String>> = vec![None; body.values.len()];
    // Parts have no value of their own.
    let is_whole = |access: &Access| !access.is_behind && access.part == Part::Whole;
    let name_of = |access: &Access| match &access.var {
        VarRef::Local(var) => body.var(*var).name.clone(),
        VarRef::Global(global) => program.global(*global).name.clone(),
    };
    if let Some(entry) = body.blocks.first() {
        for (&param, var) in entry.params.iter().zip(&body.vars) {
            names[param.index()] = Some(var.name.clone());
        }
    }
    for block in &body.blocks {
        let mut reads: Vec<String> = Vec::new();
        let mut last = None;
        for instr in &block.instrs {
            let InstrKind::Mark(mark) = &instr.kind else {
                let mut operands = Vec::new();
                instr.kind.for_each_operand(|operand| {
                    if let Operand::Value(value) = operand {
                        operands.push(*value);
                    }
                });
                // Reads of `s += k` come in another order than operands: known names show it.
                let mut pairs = operands.iter().zip(&reads);
                let is_known_otherwise = pairs.any(|(value, name)| {
                    names[value.index()].as_ref().is_some_and(|known| known != name)
                });
                if operands.len() == reads.len() && !is_known_otherwise {
                    for (value, name) in operands.iter().zip(&reads) {
                        names[value.index()].get_or_insert_with(|| name.clone());
                    }
                }
                reads.clear();
                last = instr.result;
                continue;
            };
            match mark {
                Mark::Def(var) => {
                    if is_whole(var)
                        && let Some(value) = last
                        && names[glassbox_ir::ValueId::index(value)].is_none()
                    {
                        names[value.index()] = Some(name_of(var));
                    }
                }
                Mark::Use(var, _) => reads.push(name_of(var)),
                Mark::Statement
                | Mark::Instruction
                | Mark::Unsigned
                | Mark::Pointee { .. }
                | Mark::Opened { .. }
                | Mark::Presumes(_)
                | Mark::Promised => {}
            }
        }
    }
    spread(body, &mut names);
    names
}

/// Parameters are called what all their named arguments are called.
fn spread(body: &Body, names: &mut [Option<String>]) {
    for _ in 0..2 {
        for block in &body.blocks {
            for target in block.terminator.targets() {
                for (&param, arg) in body.block(target.block).params.iter().zip(&target.args) {
                    if let (None, Operand::Value(value)) = (&names[param.index()], arg) {
                        names[param.index()] = names[value.index()].clone();
                    }
                }
            }
        }
    }
}
