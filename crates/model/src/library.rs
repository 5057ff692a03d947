//! What the catalogue of the C library says about a call: which function it is, and what it may change.

use glassbox_ir::{
    Block, Callee, FuncId, GlobalId, GlobalKind, InstrKind, Operand, Origin, Program,
};
use glassbox_library::{ERRNO_OBJECT, function_of};
use glassbox_terms::{TermId, Terms};

/// Whether what a model of the library gives depends on the locale.
pub fn depends_on_locale(program: &Program, function: FuncId) -> bool {
    let declared = program.function(function);
    declared.origin == Origin::LibraryModel
        && glassbox_library::find(&declared.name).is_some_and(|known| known.row.depends_on_locale)
}

/// What a call of an undefined function may do to the program besides returning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Changes {
    /// It may write what it can reach.
    pub memory: bool,
    /// It may set `errno`.
    pub errno: bool,
    /// It may call functions of the program whose addresses it can know.
    pub calls_back: bool,
    /// It returns twice or elsewhere, or other code runs in between from now on.
    pub is_beyond_order: bool,
    pub ends_run: bool,
}

/// What a call of an undefined function may do. One that is not in the catalogue may do anything.
pub fn changes(program: &Program, function: FuncId, args: &[Operand]) -> Changes {
    let declared = program.function(function);
    let Some(known) = function_of(declared) else {
        return Changes {
            memory: true,
            errno: true,
            calls_back: true,
            is_beyond_order: false,
            ends_run: false,
        };
    };
    let row = &known.row;
    let is_harmless = row.is_harmless()
        && row.format.is_none_or(|at| {
            args.get(usize::from(at)).is_some_and(|&format| writes_nothing(program, format))
        });
    Changes {
        memory: !is_harmless && !row.control.ends_run(),
        errno: row.sets_errno,
        calls_back: row.calls_back,
        is_beyond_order: row.control.is_beyond_order(),
        ends_run: row.control.ends_run(),
    }
}

/// Whether control may leave the block, or come to it, where no edge shows it: assembly, a second return of `setjmp`,
/// whatever else is not understood.
pub fn has_hidden_control(program: &Program, block: &Block) -> bool {
    block.instrs.iter().any(|instr| match &instr.kind {
        InstrKind::Unsupported { .. } => true,
        InstrKind::Call(call) => match call.callee {
            Callee::Direct(callee) => {
                program.function(callee).body.is_none()
                    && changes(program, callee, &call.args).is_beyond_order
            }
            Callee::Indirect(_) => false,
        },
        InstrKind::Pure(_)
        | InstrKind::Pointer(_)
        | InstrKind::Memory(_)
        | InstrKind::VarArgs(_)
        | InstrKind::Check(_)
        | InstrKind::Assume { .. }
        | InstrKind::Mark(_) => false,
    })
}

/// Any number with the sign of `of`, as `free` chooses it: implementations of `strcmp` differ.
pub fn with_sign_of(terms: &mut Terms, of: TermId, free: TermId) -> TermId {
    let width = terms.width(of);
    let (zero, one) = (terms.bv_u(0, width), terms.bv_u(1, width));
    let minus_one = terms.bv_s(-1, width);
    let free_is_negative = terms.bv_slt(free, zero);
    let free_is_positive = terms.bv_slt(zero, free);
    let negative = terms.ite(free_is_negative, free, minus_one);
    let positive = terms.ite(free_is_positive, free, one);
    let is_negative = terms.bv_slt(of, zero);
    let is_zero = terms.eq(of, zero);
    let unequal = terms.ite(is_negative, negative, positive);
    terms.ite(is_zero, zero, unequal)
}

/// Where the program keeps `errno`, if it looks at it.
pub fn errno(program: &Program) -> Option<GlobalId> {
    program.global_ids().find(|&id| {
        let global = program.global(id);
        global.name == ERRNO_OBJECT && global.kind == GlobalKind::LibraryState
    })
}

/// The format is a literal without `%n`.
fn writes_nothing(program: &Program, format: Operand) -> bool {
    let Operand::Global(global) = format else { return false };
    let global = program.global(global);
    global.is_const && global.initializer.as_ref().is_some_and(|literal| !has_count(&literal.bytes))
}

/// Whether a format has a conversion `%n`.
pub fn has_count(format: &[u8]) -> bool {
    let end = format.iter().position(|&byte| byte == 0).unwrap_or(format.len());
    let mut rest = &format[..end];
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        rest = &rest[at + 1..];
        let is_part = |byte: &u8| b"0123456789-+ #'.*$hlLqjzt".contains(byte);
        let length = rest.iter().take_while(|byte| is_part(byte)).count();
        match rest.get(length) {
            Some(b'n') => return true,
            Some(_) => rest = &rest[length + 1..],
            None => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_count;

    #[test]
    fn counting_conversions_are_found() {
        for format in [&b"abc%n"[..], b"%d%hhn", b"%%%n", b"%1$n"] {
            assert!(has_count(format), "{}", String::from_utf8_lossy(format));
        }
        for format in [&b"n"[..], b"%%n", b"%dn", b"100%", b"%s\0%n"] {
            assert!(!has_count(format), "{}", String::from_utf8_lossy(format));
        }
    }
}
