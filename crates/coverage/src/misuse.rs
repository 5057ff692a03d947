//! Calls of the library that may read or write what they must not: models in C have checks of their own, a native function
//! has none in the program.
//!
//! A call is fine where every pointer that it gets is a literal, a standard stream or an object that is large enough for what
//! the call says; of the others nothing is known.

use glassbox_ir::{
    BlockId, Body, Call, Callee, GlobalKind, InstrKind, MemoryOp, Operand, Origin, Program, PureOp,
    SourceType, Ty, ValueId,
};
use glassbox_library::{Control, Function, Reads};

use crate::filling::{has_room, may_overfill, size_of_object};

/// Values that are looked through to find text.
const MAX_DEPTH: u32 = 6;

/// Whether a call of a function of the system, which has no body here, may go wrong inside.
pub(crate) fn may_go_wrong(program: &Program, body: &Body, call: &Call) -> bool {
    let Callee::Direct(function) = call.callee else { return false };
    let declared = program.function(function);
    if declared.body.is_some() || declared.origin != Origin::System {
        return false;
    }
    let Some(known) = glassbox_library::function_of(declared) else {
        let is_fine =
            |arg: &Operand| !is_pointer(body, *arg) || is_ended_text(program, body, *arg, 0);
        return !call.args.iter().all(is_fine);
    };
    // Where a jump goes is up to the buffer, and whether somebody waits there is not known.
    if may_overfill(program, body, call) || known.row.control == Control::Leaves {
        return true;
    }
    let params = &known.signature.params;
    let format = params.iter().rposition(|param| param == "const char *");
    let is_formatted = known.signature.is_variadic && format.is_some();
    let fixed = call.args.iter().take(params.len()).enumerate();
    for (index, &arg) in fixed {
        let is_format = is_formatted && Some(index) == format;
        if is_pointer(body, arg) && !is_format && !is_fine(program, body, call, known, index) {
            return true;
        }
    }
    if !known.signature.is_variadic {
        return false;
    }
    let rest = call.args.get(params.len()..).unwrap_or_default();
    let format = format.and_then(|index| call.args.get(index));
    format.is_none_or(|&format| !fits_format(program, body, known, format, rest))
}

fn is_pointer(body: &Body, operand: Operand) -> bool {
    match operand {
        Operand::Value(value) => body.value_ty(value) == Ty::Ptr,
        Operand::NullPtr | Operand::Global(_) | Operand::Func(_) => true,
        Operand::Int(_) | Operand::Float(_) => false,
    }
}

/// Whether an operand is text that ends: a literal, a constant with an end, or one of several.
fn is_ended_text(program: &Program, body: &Body, operand: Operand, depth: u32) -> bool {
    match operand {
        Operand::Global(global) => {
            let declared = program.global(global);
            let bytes = declared.initializer.as_ref().map(|initializer| &initializer.bytes);
            declared.is_const
                && bytes
                    .is_some_and(|bytes| bytes.contains(&0) || (bytes.len() as u64) < declared.size)
        }
        Operand::Value(value) if depth < MAX_DEPTH => {
            let is_text = |operand: Operand| is_ended_text(program, body, operand, depth + 1);
            if let Some((block, position)) = param_of(body, value) {
                let mut args = args_of(body, block, position).peekable();
                return args.peek().is_some() && args.all(is_text);
            }
            let mut instrs = body.blocks.iter().flat_map(|block| &block.instrs);
            let definition = instrs.find(|instr| instr.result == Some(value));
            matches!(definition.map(|instr| &instr.kind),
                Some(InstrKind::Pure(PureOp::Select { if_true, if_false, .. }))
                    if is_text(*if_true) && is_text(*if_false))
        }
        Operand::Value(_)
        | Operand::NullPtr
        | Operand::Func(_)
        | Operand::Int(_)
        | Operand::Float(_) => false,
    }
}

fn param_of(body: &Body, value: ValueId) -> Option<(BlockId, usize)> {
    body.block_ids().find_map(|block| {
        let params = &body.block(block).params;
        Some((block, params.iter().position(|param| *param == value)?))
    })
}

/// What a parameter of a block is given.
fn args_of(body: &Body, block: BlockId, position: usize) -> impl Iterator<Item = Operand> {
    let targets = body.blocks.iter().flat_map(|from| from.terminator.targets());
    let targets = targets.filter(move |target| target.block == block);
    targets.filter_map(move |target| target.args.get(position).copied())
}

/// Whether a pointer argument is what the function needs.
fn is_fine(program: &Program, body: &Body, call: &Call, known: &Function, index: usize) -> bool {
    let arg = call.args[index];
    let param = known.signature.params[index].as_str();
    // Whoever closes a stream leaves it to others that cannot know.
    if param.starts_with("FILE *") {
        let is_all = known.row.takes_all_streams && arg == Operand::NullPtr;
        return is_all || !known.row.ends_stream && is_standard_stream(program, body, arg);
    }
    let plain = param.trim_start_matches("const ");
    let is_double = plain.starts_with("char **");
    let is_wide = plain.starts_with("wchar_t *");
    let is_text = !is_double && (plain.starts_with("char *") || is_wide);
    let is_bytes = plain.starts_with("void *") && !plain.starts_with("void **");
    let is_read = param.starts_with("const ");
    match arg {
        Operand::Func(_) => true,
        // What is kept is used later, by lengths that stand elsewhere.
        _ if known.row.keeps_arguments => arg == Operand::NullPtr,
        // Nothing may be passed where nothing is read or written.
        Operand::NullPtr if is_text || is_bytes => {
            matches!(call.args.get(index + 1), Some(Operand::Int(length)) if length.is_zero())
        }
        // Where a time or an end of a number goes may be left out.
        Operand::NullPtr => plain == "time_t *" || is_double && !known.row.allocates,
        _ if is_bytes => has_room(program, body, call, known, index),
        _ if is_text && is_read => !is_wide && is_ended_text(program, body, arg, 0),
        // The length that the call names was compared before.
        _ if is_text => true,
        Operand::Global(_) | Operand::Value(_) => {
            let size = size_of_object(program, body, arg);
            size.zip(size_behind(program, call, index)).is_some_and(|(size, wanted)| wanted <= size)
        }
        Operand::Int(_) | Operand::Float(_) => true,
    }
}

/// The size of what a parameter of the function points to.
fn size_behind(program: &Program, call: &Call, index: usize) -> Option<u64> {
    let Callee::Direct(function) = call.callee else { return None };
    let param = program.function(function).params.get(index)?;
    let ty = program.source_type(program.resolve_source_type(param.source_type));
    let SourceType::Pointer { target, .. } = ty else { return None };
    Some(program.size_of_source_type(*target))
}

/// Whether a value is what `stdin`, `stdout` or `stderr` holds.
fn is_standard_stream(program: &Program, body: &Body, operand: Operand) -> bool {
    let Operand::Value(value) = operand else { return false };
    let mut instrs = body.blocks.iter().flat_map(|block| &block.instrs);
    let definition = instrs.find(|instr| instr.result == Some(value));
    matches!(definition.map(|instr| &instr.kind),
        Some(InstrKind::Memory(MemoryOp::Load { ptr: Operand::Global(global), .. }))
            if glassbox_library::standard_stream(&program.global(*global).name).is_some()
                && program.global(*global).initializer.is_none())
}

/// What a conversion of a format asks of its argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// An integer of so many bytes.
    Integer(u64),
    /// A floating number of so many bytes.
    Float(u64),
    Address,
    /// Text, of which only a literal is known to end.
    Text,
    /// The same of wide characters.
    WideText,
    /// Room for at most so many bytes of input.
    Room(u64),
    /// What this does not understand, or what writes.
    Other,
}

/// Whether a literal format and its arguments belong together.
fn fits_format(
    program: &Program,
    body: &Body,
    known: &Function,
    format: Operand,
    args: &[Operand],
) -> bool {
    let is_input = known.row.reads != Reads::Nothing;
    let Some(wanted) = literal_conversions(program, format, is_input) else { return false };
    if wanted.len() > args.len() {
        return false;
    }
    wanted.iter().zip(args).all(|(wanted, &arg)| {
        if is_input {
            let size = size_of_object(program, body, arg);
            return matches!(wanted,
                Wanted::Integer(bytes) | Wanted::Float(bytes) | Wanted::Room(bytes)
                if size.is_some_and(|size| *bytes <= size));
        }
        match wanted {
            // Small ones are promoted.
            Wanted::Integer(bytes) => arg.ty(body) == Ty::Int(if *bytes == 8 { 64 } else { 32 }),
            Wanted::Float(bytes) => *bytes <= 8 && arg.ty(body) == Ty::F64,
            Wanted::Address => arg.ty(body) == Ty::Ptr,
            Wanted::Text => is_ended_text(program, body, arg, 0),
            Wanted::WideText => is_wide_literal(program, arg),
            Wanted::Room(_) | Wanted::Other => false,
        }
    })
}

/// Whether the text that a literal format of input asks for has room; numbers are not looked at.
pub(crate) fn has_room_for_words(
    program: &Program,
    body: &Body,
    format: Operand,
    args: &[Operand],
) -> bool {
    let Some(wanted) = literal_conversions(program, format, true) else { return false };
    wanted.iter().enumerate().all(|(index, wanted)| match wanted {
        Wanted::Integer(_) | Wanted::Float(_) | Wanted::Address => true,
        Wanted::Room(bytes) => {
            let size = args.get(index).and_then(|&arg| size_of_object(program, body, arg));
            size.is_some_and(|size| *bytes <= size)
        }
        Wanted::Text | Wanted::WideText | Wanted::Other => false,
    })
}

/// What a format that is a literal wants.
fn literal_conversions(program: &Program, format: Operand, is_input: bool) -> Option<Vec<Wanted>> {
    let Operand::Global(global) = format else { return None };
    let declared = program.global(global);
    let literal = declared.initializer.as_ref();
    let literal = literal.filter(|_| declared.kind == GlobalKind::StringLiteral)?;
    Some(conversions(&literal.bytes, is_input))
}

fn is_wide_literal(program: &Program, operand: Operand) -> bool {
    let Operand::Global(global) = operand else { return false };
    let declared = program.global(global);
    let ty = program.source_type(program.resolve_source_type(declared.source_type));
    let is_wide = matches!(ty, SourceType::Array { element, .. }
        if program.size_of_source_type(*element) == 4);
    is_wide && declared.kind == GlobalKind::StringLiteral
}

/// What a format wants, in order. A `*` of output wants a number; one of input wants nothing.
fn conversions(format: &[u8], is_input: bool) -> Vec<Wanted> {
    let text = format.split(|&byte| byte == 0).next().unwrap_or_default();
    let mut wanted = Vec::new();
    let mut rest = text.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let (mut length, mut is_skipped, mut width) = (4, false, 0u64);
        if rest.peek().is_none() {
            wanted.push(Wanted::Other);
        }
        for byte in rest.by_ref() {
            match byte {
                b'*' if is_input => is_skipped = true,
                b'*' => wanted.push(Wanted::Integer(4)),
                b'l' | b'j' | b'z' | b't' | b'q' => length = 8,
                b'h' => length = if length == 2 { 1 } else { 2 },
                b'L' => length = 16,
                b'0'..=b'9' => {
                    width = width.saturating_mul(10).saturating_add(u64::from(byte - b'0'));
                }
                b'-' | b'+' | b' ' | b'#' | b'.' | b'\'' => {}
                b'%' => break,
                _ => {
                    let what = match byte {
                        b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => Wanted::Integer(length),
                        b'c' if !is_input => Wanted::Integer(4),
                        b'c' if length == 4 => Wanted::Room(width.max(1)),
                        b's' if is_input && length == 4 && width > 0 => {
                            Wanted::Room(width.saturating_add(1))
                        }
                        b's' if !is_input && length == 8 => Wanted::WideText,
                        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                            Wanted::Float(length)
                        }
                        b'p' if !is_input => Wanted::Address,
                        b's' if length == 4 => Wanted::Text,
                        _ => Wanted::Other,
                    };
                    if !is_skipped {
                        wanted.push(what);
                    }
                    break;
                }
            }
        }
    }
    wanted
}

#[cfg(test)]
mod tests {
    use super::{Wanted, conversions};

    #[test]
    fn formats_want_what_their_conversions_say() {
        let out = |format: &str| conversions(format.as_bytes(), false);
        assert_eq!(out("100%%, done\n"), []);
        assert_eq!(out("%5d %-*lu"), [Wanted::Integer(4), Wanted::Integer(4), Wanted::Integer(8)]);
        assert_eq!(out("%.2f %s%n"), [Wanted::Float(4), Wanted::Text, Wanted::Other]);
        assert_eq!(out("%ls %lc"), [Wanted::WideText, Wanted::Integer(4)]);
        assert_eq!(out("%1$s")[0], Wanted::Other, "an argument by its number");
        let read = |format: &str| conversions(format.as_bytes(), true);
        assert_eq!(
            read("%hd%hhd%*d%lf"),
            [Wanted::Integer(2), Wanted::Integer(1), Wanted::Float(8)]
        );
        assert_eq!(read("%7s%c"), [Wanted::Room(8), Wanted::Room(1)]);
        assert_eq!(read("%s%[a-z]"), [Wanted::Text, Wanted::Other]);
    }
}
