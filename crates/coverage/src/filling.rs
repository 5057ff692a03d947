//! Calls of the library that fill memory and check nothing on the way: `fgets`, `sprintf`, `read`.
//!
//! Models in C have checks of their own; a native function has none in the program. Such a call may write beyond what it
//! was given, unless that is an object of its own and the room that the call names is no more than its size.

use glassbox_ir::{
    Body, Call, Callee, GlobalKind, InstrKind, Operand, PointerOp, Program, ValueId,
};

/// Whether a call may write more than there is room for.
pub fn may_overfill(program: &Program, body: &Body, call: &Call) -> bool {
    let Callee::Direct(function) = call.callee else { return false };
    let declared = program.function(function);
    let Some(known) = glassbox_library::find(&declared.name).filter(|_| declared.body.is_none())
    else {
        return false;
    };
    let params = &known.signature.params;
    let is_text = |param: &str| {
        !param.contains("const")
            && ["char *", "void *", "wchar_t *"].iter().any(|text| param.starts_with(text))
    };
    let mut texts = (0..params.len())
        .filter(|&index| known.row.writes & (1 << index) != 0 && is_text(&params[index]));
    let fills = texts.any(|index| {
        let room = call.args.get(index + 1);
        !call.args.get(index).is_some_and(|target| fits(program, body, *target, room))
    });
    let is_input =
        known.signature.is_variadic && known.row.reads != glassbox_library::Reads::Nothing;
    fills || is_input && call.args.iter().take(params.len()).any(|arg| reads_words(program, *arg))
}

/// Whether this much room is there.
fn fits(program: &Program, body: &Body, target: Operand, room: Option<&Operand>) -> bool {
    let Some(Operand::Int(room)) = room else { return false };
    let size = match target {
        Operand::NullPtr => return true,
        Operand::Global(global) => program.global(global).size,
        Operand::Value(value) => match size_of_local(body, value) {
            Some(size) => size,
            None => return false,
        },
        Operand::Int(_) | Operand::Float(_) | Operand::Func(_) => return false,
    };
    room.to_u64().is_some_and(|room| room <= size)
}

/// The size of the local variable whose address a value is.
fn size_of_local(body: &Body, value: ValueId) -> Option<u64> {
    let mut instrs = body.blocks.iter().flat_map(|block| &block.instrs);
    let definition = instrs.find(|instr| instr.result == Some(value))?;
    match &definition.kind {
        InstrKind::Pointer(PointerOp::LocalAddr(local)) => Some(body.local(*local).size),
        InstrKind::Pointer(_)
        | InstrKind::Pure(_)
        | InstrKind::Memory(_)
        | InstrKind::VarArgs(_)
        | InstrKind::Call(_)
        | InstrKind::Check(_)
        | InstrKind::Assume { .. }
        | InstrKind::Mark(_)
        | InstrKind::Unsupported { .. } => None,
    }
}

/// Whether a format asks for text of any length, as far as it is known.
fn reads_words(program: &Program, format: Operand) -> bool {
    let Operand::Global(global) = format else { return true };
    let declared = program.global(global);
    let literal = declared.initializer.as_ref();
    let Some(literal) = literal.filter(|_| declared.kind == GlobalKind::StringLiteral) else {
        return true;
    };
    literal.bytes.iter().any(|byte| matches!(byte, b's' | b'[' | b'S' | b'c' | b'C'))
}
