//! Functions that verification tasks forbid to be called: a call is an error, whatever the program's own
//! definition does then. Written into the program like the meaning of overflow.

use glassbox_coverage::Asked;
use glassbox_ir::{
    Block, Body, Callee, Check, CheckKind, Demand, FuncId, Function, Instr, InstrKind, Operand,
    Program, Span, Terminator, ValueId,
};

/// Whether calling the function is an error.
pub(crate) fn is_forbidden(function: &Function) -> bool {
    glassbox_library::is_forbidden(&function.name)
}

/// The functions that what is asked forbids.
fn forbidden(program: &Program, asked: &Asked) -> Vec<FuncId> {
    let is_named = |function: &Function| match asked.forbidden_calls() {
        Some(names) => names.contains(&function.name.as_str()),
        None => is_forbidden(function),
    };
    program.function_ids().filter(|&id| is_named(program.function(id))).collect()
}

/// Every definition of a forbidden function fails at once, and so do calls of those that others define.
pub(crate) fn apply(program: &mut Program, asked: &Asked) {
    for id in forbidden(program, asked) {
        let function = &mut program.functions[id.index()];
        let name = function.name.clone();
        match &mut function.body {
            Some(body) => fail_at_once(body, Demand::NotEntered(name), function.span),
            None => fail_at_calls(program, id, &Demand::NotCalled(name)),
        }
    }
}

/// Puts a failing check before every call of a function by name.
fn fail_at_calls(program: &mut Program, callee: FuncId, demand: &Demand) {
    for body in program.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        for block in &mut body.blocks {
            let old = std::mem::take(&mut block.instrs);
            for instr in old {
                if matches!(&instr.kind,
                    InstrKind::Call(call) if call.callee == Callee::Direct(callee))
                {
                    block.instrs.push(never(demand.clone(), instr.span));
                }
                block.instrs.push(instr);
            }
        }
    }
}

fn fail_at_once(body: &mut Body, demand: Demand, span: Span) {
    let params: Vec<ValueId> = body.blocks[Body::ENTRY].params.clone();
    body.blocks = vec![Block {
        params,
        instrs: vec![never(demand, span)],
        terminator: Terminator::Unreachable,
        terminator_span: span,
    }];
    body.decisions.clear();
}

/// A check that always fails.
fn never(demand: Demand, span: Span) -> Instr {
    let check = Check::Condition {
        kind: CheckKind::Assertion,
        condition: Operand::Int(glassbox_values::Bits::from_bool(false)),
        values: Vec::new(),
        demand: Some(demand),
    };
    Instr { result: None, kind: InstrKind::Check(check), span }
}
