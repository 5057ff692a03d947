//! Calls of the library that fill memory and check nothing on the way: `fgets`, `sprintf`, `read`.
//!
//! Models in C have checks of their own; a native function has none in the program. Such a call may write beyond what it
//! was given, unless that is an object of its own and the room that the call names is no more than its size.

use glassbox_ir::{Body, Call, Callee, InstrKind, Operand, PointerOp, Program, ValueId};

use crate::misuse::has_room_for_words;

/// Whether a call may write more than there is room for.
pub fn may_overfill(program: &Program, body: &Body, call: &Call) -> bool {
    let Callee::Direct(function) = call.callee else { return false };
    let Some(known) = glassbox_library::function_of(program.function(function)) else {
        return false;
    };
    let params = &known.signature.params;
    let mut texts = (0..params.len())
        .filter(|&index| known.row.writes & (1 << index) != 0 && unit_of(&params[index]).is_some());
    let fills = texts.any(|index| !has_room(program, body, call, known, index));
    let is_input =
        known.signature.is_variadic && known.row.reads != glassbox_library::Reads::Nothing;
    let format = params.iter().rposition(|param| param == "const char *");
    let rest = call.args.get(params.len()..).unwrap_or_default();
    let fits = || {
        let format = format.and_then(|index| call.args.get(index));
        format.is_some_and(|&format| has_room_for_words(program, body, format, rest))
    };
    fills || is_input && !fits()
}

/// The bytes that one of what a call counts has, where a parameter is memory of a length that another one says.
fn unit_of(param: &str) -> Option<u64> {
    let units = [("char *", 1), ("void *", 1), ("wchar_t *", 4)];
    let unit = units.iter().find(|(text, _)| param.starts_with(text));
    unit.map(|(_, size)| *size)
}

/// Whether the call names a length behind the argument, and the argument is an object that has it.
pub(crate) fn has_room(
    program: &Program,
    body: &Body,
    call: &Call,
    known: &glassbox_library::Function,
    index: usize,
) -> bool {
    let number = |at: usize| match call.args.get(at) {
        Some(Operand::Int(bits)) => bits.to_u64(),
        Some(_) | None => None,
    };
    let target = call.args.get(index).copied();
    if target == Some(Operand::NullPtr) {
        return true;
    }
    let param = known.signature.params[index].trim_start_matches("const ");
    let unit = unit_of(param).unwrap_or(1);
    let count = if known.row.counts_blocks {
        number(index + 1).zip(number(index + 2)).and_then(|(size, n)| size.checked_mul(n))
    } else {
        number(index + 1).and_then(|count| count.checked_mul(unit))
    };
    let size = target.and_then(|target| size_of_object(program, body, target));
    count.zip(size).is_some_and(|(count, size)| count <= size)
}

/// The size of the variable whose address an operand is.
pub(crate) fn size_of_object(program: &Program, body: &Body, operand: Operand) -> Option<u64> {
    match operand {
        Operand::Global(global) => Some(program.global(global).size),
        Operand::Value(value) => size_of_local(body, value),
        Operand::Int(_) | Operand::Float(_) | Operand::Func(_) | Operand::NullPtr => None,
    }
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
