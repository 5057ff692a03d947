//! What happens to a program between its front-end and the search, in one order for every command.
//!
//! Checks are put in before overflow gets its meaning, stand-ins come before anything asks which functions
//! there are, and criteria mark their goals last, in the program that is searched.

use glassbox_contract::{callee, ending};
use glassbox_coverage::property::is_library;
use glassbox_ir::stand_in::add_stand_ins;
use glassbox_ir::{Check, CheckKind, FuncId, InstrKind, Program, overflow, uninitialized};

use crate::forbid;
use crate::language::Language;
use crate::plan::{Plan, Task};

/// Every change that does not depend on the choice of functions. The program before locals became values, which only
/// shows what tests do, is changed in the same way, so that its functions and globals stay the same.
pub(crate) fn prepare(language: &mut dyn Language, plan: &Plan) {
    change(language, plan);
    if language.exchange_unpromoted() {
        change(language, plan);
        language.exchange_unpromoted();
    }
}

fn change(language: &mut dyn Language, plan: &Plan) {
    ending::presume_ends(language.program_mut());
    callee::assume_promises(language.program_mut());
    if let Task::Check(task) = &plan.task {
        if task.scope.unsigned_wrap || task.scope.conversions {
            allow_wrap_in_library(language.program_mut());
        }
        let (program, config) = language.parts_mut();
        callee::check_requirements(program, config);
    } else {
        let (program, config) = language.parts_mut();
        callee::check_declarations(program, config);
    }
    let mode = language.overflow(plan);
    overflow::apply(language.program_mut(), mode);
    add_stand_ins(language.program_mut());
    if let Task::Check(task) = &plan.task {
        let program = language.program_mut();
        uninitialized::apply(program, task.uninitialized, glassbox_library::UNSET_PREFIX);
        forbid::apply(program, &task.scope.asked);
    }
    // Searches go on to longer arrays where shorter ones leave goals open.
    let longest = glassbox_explore::Budget::default().longest;
    language.complete(plan.budget.length.max(longest));
}

/// Makes goals visible in the control flow where a criterion needs it.
pub(crate) fn mark_goals(language: &mut dyn Language, plan: &Plan, functions: &[FuncId]) {
    let Task::Generate(task) = &plan.task else { return };
    for criterion in &task.criteria {
        for &function in functions {
            criterion.prepare(language.program_mut(), function);
        }
    }
}

/// Models of the library wrap around and lose what they do not need on purpose.
fn allow_wrap_in_library(program: &mut Program) {
    let library: Vec<FuncId> =
        program.function_ids().filter(|&function| is_library(program, function)).collect();
    for function in library {
        let Some(body) = &mut program.functions[function.index()].body else { continue };
        for block in &mut body.blocks {
            block.instrs.retain(|instr| {
                !matches!(
                    &instr.kind,
                    InstrKind::Check(Check::Condition {
                        kind: CheckKind::UnsignedWrap | CheckKind::LossyConversion,
                        ..
                    })
                )
            });
        }
    }
}
