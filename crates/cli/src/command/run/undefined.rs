//! Undefined behavior as a sanitizer reports it: kind, place, values, the call stack, and where the memory
//! came from.

use std::fmt::Write as _;

use glassbox_interp::outcome::AccessedMemory;
use glassbox_interp::{ObjectKind, ObjectState, StackEntry, UndefinedBehavior};
use glassbox_ir::{CheckKind, GlobalKind, Program, Ty};
use glassbox_values::{Bits, Float};

use super::excerpt::{excerpt, place};

/// Calls shown at each end of a long stack.
const MAX_CALLS: usize = 10;

/// The whole report, ending in a newline.
pub(super) fn report(program: &Program, report: &UndefinedBehavior) -> String {
    let word = if report.kind == CheckKind::Assertion { "violation" } else { "undefined behavior" };
    let mut message = format!("{word}: {}", report.kind.name());
    let what = describe(report);
    if !what.is_empty() {
        let _ = write!(message, ": {what}");
    }
    // Inside the library, the caller's line says more.
    let own = report.stack.iter().rev().find(|entry| !program.is_in_model(entry.span));
    let span = own.map_or(report.span, |entry| entry.span);
    let mut out = excerpt(program, span, &message);
    if let Some(inner) = report.stack.last()
        && span != report.span
    {
        let name = &program.function(inner.function).name;
        let _ = writeln!(out, "  = it happens inside `{name}` of the C library");
    }
    if !report.values.is_empty() {
        let values = report.values.iter().zip(&report.value_types);
        let shown: Vec<String> = values.map(|(&word, &ty)| value_text(word, ty)).collect();
        let _ = writeln!(out, "  = values: {}", shown.join(", "));
    }
    if let Some(memory) = &report.memory {
        out.push_str(&memory_text(program, memory));
    }
    out.push_str(&stack_text(program, &report.stack));
    out
}

/// What the kind means, in words.
fn describe(report: &UndefinedBehavior) -> String {
    if let Some(message) = &report.message {
        return message.clone();
    }
    let text = match report.kind {
        CheckKind::DivisionByZero => "an integer is divided by zero",
        CheckKind::SignedOverflow => "the result does not fit its signed type",
        CheckKind::ShiftAmount => "the shift amount is negative or not below the width",
        CheckKind::ShiftOverflow => "the left shift of a signed value is not representable",
        CheckKind::FloatToInt => "the number does not fit the integer type it is converted to",
        CheckKind::NullDereference => "memory is accessed through a null pointer",
        CheckKind::OutOfBounds => "the access is outside the object",
        CheckKind::UseAfterFree => "the memory has been freed",
        CheckKind::UseAfterScope => "the variable is no longer in scope",
        CheckKind::Uninitialized => "the value has not been set",
        CheckKind::WriteToConstant => "a constant is written",
        CheckKind::BadPointer => "the pointer does not point to an object",
        CheckKind::DoubleFree => "the memory has already been freed",
        CheckKind::BadFree => "the pointer was not returned by an allocation",
        CheckKind::BadCall => "the pointer is not such a function",
        CheckKind::PointerOverflow => "the pointer leaves its object",
        CheckKind::PointerCompare => "the pointers point into different objects",
        CheckKind::UnsignedWrap => "the unsigned result wraps around",
        CheckKind::LossyConversion => "the conversion changes the value",
        CheckKind::Overlap => "source and target overlap",
        CheckKind::VlaSize => "the length of the array is not positive",
        CheckKind::MissingReturn => "the function ends without a value that its caller uses",
        CheckKind::Unreachable => "a place marked as unreachable is reached",
        CheckKind::Assertion => "the assertion fails",
        CheckKind::BadArgument => "the argument is outside the function's domain",
        CheckKind::HeapLimit => "the allocation is larger than the heap",
        CheckKind::Leak => "the memory is never freed",
        CheckKind::Precondition => "the function is called against its contract",
        CheckKind::Relation => "calls that a relation speaks of do not agree",
        CheckKind::Endless => "the run comes back to a state it had",
        CheckKind::ClassCast => "the object is not of this class",
        CheckKind::ArrayStore => "the array does not take objects of this class",
        CheckKind::NegativeArraySize => "the length of the array is negative",
        CheckKind::UncaughtException => "an exception leaves the method",
    };
    text.to_owned()
}

fn value_text(word: u128, ty: Ty) -> String {
    match ty {
        // The checks that show values are about signed arithmetic or about small numbers.
        Ty::Int(1) => word.to_string(),
        Ty::Int(width) => Bits::new(word, width).signed().to_string(),
        Ty::Float(format) => Float::from_bits(word as u64, format).to_decimal(),
        Ty::Ptr if word == 0 => "null".to_owned(),
        Ty::Ptr => format!("{word:#x}"),
    }
}

fn bytes_text(n_bytes: u64) -> String {
    if n_bytes == 1 { "1 byte".to_owned() } else { format!("{n_bytes} bytes") }
}

fn memory_text(program: &Program, memory: &AccessedMemory) -> String {
    let (what, made) = match memory.kind {
        ObjectKind::Global(id) => {
            let global = program.global(id);
            match global.kind {
                GlobalKind::StringLiteral => ("a string literal".to_owned(), "written"),
                GlobalKind::CompoundLiteral => ("a compound literal".to_owned(), "written"),
                GlobalKind::Variable
                | GlobalKind::StaticLocal(_)
                | GlobalKind::LibraryState
                | GlobalKind::StaticField(_)
                | GlobalKind::Register(_)
                | GlobalKind::Runtime => (format!("`{}`", global.name), "declared"),
            }
        }
        ObjectKind::Local(function, local) => {
            let local = &program.body(function).locals[local.index()];
            let is_named = local.var.is_some() && !local.name.is_empty();
            let name =
                if is_named { format!("`{}`", local.name) } else { "a temporary".to_owned() };
            (name, "declared")
        }
        ObjectKind::Stack(_) => ("an array of variable length".to_owned(), "declared"),
        ObjectKind::Heap => ("a block on the heap".to_owned(), "allocated"),
        ObjectKind::Function(id) => {
            (format!("the function `{}`", program.function(id).name), "declared")
        }
        ObjectKind::VarArgs => ("the variable arguments".to_owned(), "passed"),
        ObjectKind::Input => ("an argument of the program".to_owned(), "given"),
        ObjectKind::Library => ("an object of the library".to_owned(), "made"),
    };
    let access =
        if memory.len > 0 { format!("{} at ", bytes_text(memory.len)) } else { String::new() };
    let size = bytes_text(memory.size);
    let mut out =
        format!("  = memory: {access}offset {} of {what}, which has {size}\n", memory.offset);
    if !place(program, memory.origin).is_empty() {
        out.push_str(&excerpt(program, memory.origin, &format!("note: {made} here")));
    }
    if let ObjectState::Freed(span) = memory.state {
        out.push_str(&excerpt(program, span, "note: freed here"));
    }
    out
}

fn stack_text(program: &Program, stack: &[StackEntry]) -> String {
    let mut out = String::from("  = calls, innermost first:\n");
    for (depth, entry) in stack.iter().rev().enumerate() {
        let is_shown = depth < MAX_CALLS || depth + MAX_CALLS >= stack.len();
        if is_shown {
            let name = &program.function(entry.function).name;
            let _ = writeln!(out, "    #{depth} {name} at {}", place(program, entry.span));
        } else if depth == MAX_CALLS {
            let _ = writeln!(out, "    ... {} more calls", stack.len() - 2 * MAX_CALLS);
        }
    }
    out
}
