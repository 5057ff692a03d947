//! Which functions answer for themselves: what is said of one with any arguments is said of all its calls.
//!
//! Inputs of a function are any numbers, but no pointer to memory that has ended, behind an object or never set, which
//! callers can pass and can leave in variables. So a function that sees pointers of others is looked at with each of
//! its callers, too; and one that relies on a contract, where calls through pointers go past the contract.

use std::collections::BTreeSet;

use glassbox_contract::harness;
use glassbox_coverage::scope::{addressed, scope};
use glassbox_ir::{FuncId, GlobalId, Operand, Program, SourceType, SourceTypeId, Ty};

pub(super) fn that_answer_for_themselves(program: &Program) -> BTreeSet<FuncId> {
    let addressed = addressed(program);
    let is_independent = |&function: &FuncId| {
        let declared = program.function(function);
        let has_pointer = declared.params.iter().any(|param| param.ty == Ty::Ptr);
        let goes_past =
            addressed.contains(&function) && harness::entry(program, function).is_some();
        declared.body.is_some()
            && !has_pointer
            && !declared.is_variadic
            && !goes_past
            && !scope(program, function, &[]).iter().any(|&it| keeps_pointers(program, it))
    };
    program.function_ids().filter(is_independent).collect()
}

/// Whether a function mentions a variable in which others may have left a pointer.
fn keeps_pointers(program: &Program, function: FuncId) -> bool {
    let Some(body) = &program.function(function).body else { return false };
    let mut mentioned: BTreeSet<GlobalId> = BTreeSet::new();
    let mut mention = |operand: &Operand| {
        if let Operand::Global(global) = operand {
            mentioned.insert(*global);
        }
    };
    for block in &body.blocks {
        block.instrs.iter().for_each(|instr| instr.kind.for_each_operand(&mut mention));
        block.terminator.for_each_operand(&mut mention);
    }
    mentioned.into_iter().any(|global| {
        let global = program.global(global);
        !global.is_const && has_pointer(program, global.source_type)
    })
}

fn has_pointer(program: &Program, ty: SourceTypeId) -> bool {
    match program.source_type(ty) {
        SourceType::Pointer { .. }
        | SourceType::Function { .. }
        | SourceType::Class(_)
        | SourceType::ClassArray { .. }
        | SourceType::Opaque { .. } => true,
        SourceType::Array { element, .. } => has_pointer(program, *element),
        SourceType::Named { target, .. } => has_pointer(program, *target),
        SourceType::Record { fields, .. } => {
            fields.as_ref().is_none_or(|fields| fields.iter().any(|it| has_pointer(program, it.ty)))
        }
        SourceType::Void
        | SourceType::Bool
        | SourceType::Int { .. }
        | SourceType::Float { .. }
        | SourceType::Enum { .. } => false,
    }
}
