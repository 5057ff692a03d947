//! Functions that verification tasks forbid to be called: a call is an error, whatever the program's own
//! definition does then. Written into the program like the meaning of overflow.

use glassbox_ir::{
    Block, Body, Check, CheckKind, FuncId, Function, Instr, InstrKind, Operand, Program, Span,
    Terminator, ValueId,
};

/// Whether calling the function is an error.
pub(crate) fn is_forbidden(function: &Function) -> bool {
    glassbox_library::is_forbidden(&function.name)
}

/// The forbidden functions that the program defines.
fn forbidden(program: &Program) -> impl Iterator<Item = FuncId> + '_ {
    program.function_ids().filter(|&id| {
        let function = program.function(id);
        function.body.is_some() && is_forbidden(function)
    })
}

/// Every definition of a forbidden function fails at once.
pub(crate) fn apply(program: &mut Program) {
    let found: Vec<FuncId> = forbidden(program).collect();
    for id in found {
        let function = &mut program.functions[id.index()];
        let Some(body) = &mut function.body else { continue };
        let message = Some(format!("{}() is never called", function.name));
        fail_at_once(body, message, function.span);
    }
}

fn fail_at_once(body: &mut Body, message: Option<String>, span: Span) {
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
