//! Whether a function reaches memory through pointers, so that it matters what they may share.

use glassbox_coverage::scope::scope;
use glassbox_ir::{Body, FuncId, InstrKind, MemoryOp, Operand, PointerOp, Program, ValueId};

/// Whether the function, or what runs on its behalf, reads or writes through a pointer that is not the address of a
/// variable.
pub(super) fn follows_pointers(program: &Program, function: FuncId) -> bool {
    let functions = scope(program, function, &[]);
    functions.iter().filter_map(|&id| program.function(id).body.as_ref()).any(|body| {
        let mut instrs = body.blocks.iter().flat_map(|block| &block.instrs);
        instrs.any(|instr| match &instr.kind {
            InstrKind::Memory(op) => !is_of_variables(body, op),
            InstrKind::VarArgs(_) | InstrKind::Unsupported { .. } => true,
            // What is called may be the library's.
            InstrKind::Call(call) => call.args.iter().any(|arg| !is_variable(body, *arg)),
            InstrKind::Pure(_)
            | InstrKind::Pointer(_)
            | InstrKind::Check(_)
            | InstrKind::Assume { .. }
            | InstrKind::Mark(_) => false,
        })
    })
}

fn is_of_variables(body: &Body, op: &MemoryOp) -> bool {
    match op {
        MemoryOp::LocalStart(_) | MemoryOp::LocalEnd(_) => true,
        MemoryOp::Load { ptr, .. }
        | MemoryOp::LoadBits { ptr, .. }
        | MemoryOp::Store { ptr, .. }
        | MemoryOp::StoreBits { ptr, .. }
        | MemoryOp::Fill { dst: ptr, .. } => is_variable(body, *ptr),
        MemoryOp::Copy { dst, src, .. } => is_variable(body, *dst) && is_variable(body, *src),
        MemoryOp::StackAlloc { .. }
        | MemoryOp::StackFree { .. }
        | MemoryOp::HeapAlloc { .. }
        | MemoryOp::HeapFree { .. } => false,
    }
}

/// Whether an operand is no pointer, or the address of something in a variable.
fn is_variable(body: &Body, operand: Operand) -> bool {
    let mut at = operand;
    loop {
        let Operand::Value(value) = at else { return true };
        if body.value_ty(value) != glassbox_ir::Ty::Ptr {
            return true;
        }
        match definition(body, value) {
            Some(InstrKind::Pointer(PointerOp::LocalAddr(_))) => return true,
            Some(InstrKind::Pointer(PointerOp::Add { base, .. })) => at = *base,
            Some(_) | None => return false,
        }
    }
}

fn definition(body: &Body, value: ValueId) -> Option<&InstrKind> {
    let mut instrs = body.blocks.iter().flat_map(|block| &block.instrs);
    instrs.find(|instr| instr.result == Some(value)).map(|instr| &instr.kind)
}
