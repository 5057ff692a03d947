//! Functions that verification tasks forbid to be called: a call is an error, whatever the program's own
//! definition does then. Written into the program like the meaning of overflow.

use crate::block::{Block, Terminator};
use crate::check::{Check, CheckKind};
use crate::func::{Body, Function};
use crate::id::{FuncId, ValueId};
use crate::instr::{Instr, InstrKind, Operand};
use crate::program::Program;

/// The names that SV-COMP has used.
const NAMES: &[&str] = &["reach_error", "__VERIFIER_error"];

/// Whether nobody may call the function.
pub fn is_forbidden(function: &Function) -> bool {
    NAMES.contains(&function.name.as_str())
}

/// The forbidden functions that the program defines.
pub fn forbidden(program: &Program) -> impl Iterator<Item = FuncId> + '_ {
    program.function_ids().filter(|&id| {
        let function = program.function(id);
        function.body.is_some() && is_forbidden(function)
    })
}

/// Every definition of a forbidden function fails at once.
pub fn apply(program: &mut Program) {
    let found: Vec<FuncId> = forbidden(program).collect();
    for id in found {
        let function = &mut program.functions[id.index()];
        let Some(body) = &mut function.body else { continue };
        let message = Some(format!("{}() is never called", function.name));
        fail_at_once(body, message, function.span);
    }
}

fn fail_at_once(body: &mut Body, message: Option<String>, span: crate::Span) {
    let params: Vec<ValueId> = body.blocks[Body::ENTRY].params.clone();
    let check = Check::Condition {
        kind: CheckKind::Assertion,
        condition: Operand::Int(glassbox_values::Bits::from_bool(false)),
        values: Vec::new(),
        message,
    };
    let never = Instr { result: None, kind: InstrKind::Check(check), span };
    body.blocks = vec![Block {
        params,
        instrs: vec![never],
        terminator: Terminator::Unreachable,
        terminator_span: span,
    }];
    body.decisions.clear();
}
