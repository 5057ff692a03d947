//! Assertions of a C test: what the call gave, and what it left in memory.

use std::fmt::Write;
use std::ops::Range;

use glassbox_ir::{GlobalId, GlobalKind, Program, RecordKind, SourceType, SourceTypeId};
use glassbox_testcase::{InputPointer, InputValue};

use crate::c_literal::{self, Names, elements_text};
use crate::c_names::{TestNames, is_variable};
use crate::c_type::declare;

/// What a call left in one piece of memory.
pub(crate) struct Left<'a> {
    /// `None` where it is not known, so that only what was written is compared.
    pub(crate) before: Option<&'a InputValue>,
    pub(crate) after: &'a InputValue,
    /// Bytes that the call wrote, from the start of what `offset` counts from.
    pub(crate) written: &'a [Range<u64>],
    pub(crate) offset: u64,
}

impl Left<'_> {
    fn is_of_interest(&self, size: u64) -> bool {
        let own = self.offset..self.offset + size;
        self.before.is_some_and(|before| before != self.after)
            || self.written.iter().any(|range| range.start < own.end && own.start < range.end)
    }
}

/// Checks the scalars that changed or were written. A weaker test would let pass that nothing is written any
/// more where what is written was there before.
pub(crate) fn check_left(
    out: &mut String,
    ty: SourceTypeId,
    place: &str,
    left: &Left<'_>,
    names: &TestNames<'_>,
) {
    let program = names.program;
    let resolved = program.resolve_source_type(ty);
    if !left.is_of_interest(program.size_of_source_type(resolved)) {
        return;
    }
    match (left.before, left.after, program.source_type(resolved)) {
        (
            before,
            InputValue::Struct(new),
            SourceType::Record { kind: RecordKind::Struct, fields: Some(fields), .. },
        ) => {
            let old = before.and_then(|before| parts(before, new.len()));
            for (index, (new, field)) in new.iter().zip(fields).enumerate() {
                // Members of an anonymous record are members of what it stands in.
                let place = match &field.name {
                    Some(name) => format!("{place}.{name}"),
                    None => place.to_owned(),
                };
                let part = Left {
                    before: old.map(|old| &old[index]),
                    after: new,
                    written: left.written,
                    offset: left.offset + field.offset,
                };
                check_left(out, field.ty, &place, &part, names);
            }
        }
        (before, InputValue::Array(new), SourceType::Array { element, .. }) => {
            let old = before.and_then(|before| parts(before, new.len()));
            let all = LeftElements { before: old, after: new, written: left.written };
            check_elements(out, *element, place, &all, left.offset, names);
        }
        (before, _, _) => {
            let is_same = before == Some(left.after);
            let n_same = names.n_same.get();
            if !is_same || n_same > 0 {
                check_value(out, ty, place, left.after, names);
            }
            if is_same {
                names.n_same.set(n_same.saturating_sub(1));
            }
        }
    }
}

fn parts(value: &InputValue, n_parts: usize) -> Option<&[InputValue]> {
    match value {
        InputValue::Struct(parts) | InputValue::Array(parts) if parts.len() == n_parts => {
            Some(parts)
        }
        InputValue::Struct(_)
        | InputValue::Array(_)
        | InputValue::Int(_)
        | InputValue::Float(_)
        | InputValue::Pointer(_)
        | InputValue::Union { .. }
        | InputValue::Bytes(_) => None,
    }
}

/// What a call left in the elements of an array.
pub(crate) struct LeftElements<'a> {
    pub(crate) before: Option<&'a [InputValue]>,
    pub(crate) after: &'a [InputValue],
    pub(crate) written: &'a [Range<u64>],
}

/// Integers in a row that are compared one by one; more are compared at once.
const MOST_SINGLE: usize = 6;

/// Checks elements as [`check_left`] does; `offset` is that of the first.
pub(crate) fn check_elements(
    out: &mut String,
    element: SourceTypeId,
    place: &str,
    left: &LeftElements<'_>,
    offset: u64,
    names: &TestNames<'_>,
) {
    let program = names.program;
    let size = program.size_of_source_type(element);
    let part = |index: usize| Left {
        before: left.before.and_then(|before| before.get(index)),
        after: &left.after[index],
        written: left.written,
        offset: offset + size * index as u64,
    };
    let is_of_interest = |index: usize| part(index).is_of_interest(size);
    let mut index = 0;
    while index < left.after.len() {
        // What is no number stands between rows: an address in an array of bytes.
        let is_number = |at: usize| left.after[at].as_int().is_some();
        let n_in_row =
            (index..left.after.len()).take_while(|&at| is_of_interest(at) && is_number(at)).count();
        let row = &left.after[index..index + n_in_row];
        if n_in_row > MOST_SINGLE {
            let place = if index == 0 { place.to_owned() } else { format!("{place} + {index}") };
            let ty = declare(program, element, "");
            let values = elements_text(program, element, row, names);
            let wanted = match values.strip_prefix('"') {
                Some(_) => values,
                None => format!("({ty}[{n_in_row}]){values}"),
            };
            let _ = writeln!(
                out,
                "    CHECK(__builtin_memcmp({place}, {wanted}, {n_in_row} * sizeof({ty})) == 0);"
            );
            index += n_in_row;
        } else {
            let place = format!("{place}[{index}]");
            check_left(out, element, &place, &part(index), names);
            index += 1;
        }
    }
}

/// The string literal that a `char` pointer points to.
fn pointed_text(
    program: &Program,
    pointer: SourceTypeId,
    global: GlobalId,
    offset: u64,
) -> Option<String> {
    let declared = program.global(global);
    let SourceType::Pointer { target, .. } =
        program.source_type(program.resolve_source_type(pointer))
    else {
        return None;
    };
    let target = program.source_type(program.resolve_source_type(*target));
    let is_text = matches!(target, SourceType::Int { width: 8, .. });
    let start = usize::try_from(offset).ok()?;
    let bytes = declared.initializer.as_ref()?.bytes.get(start..).unwrap_or_default();
    let text = bytes.split(|&byte| byte == 0).next()?;
    (is_text && declared.kind == GlobalKind::StringLiteral).then(|| c_literal::string(text))
}

/// Checks all scalars of a value.
pub(crate) fn check_value(
    out: &mut String,
    ty: SourceTypeId,
    place: &str,
    value: &InputValue,
    names: &TestNames<'_>,
) {
    let program = names.program;
    let resolved = program.resolve_source_type(ty);
    match (value, program.source_type(resolved)) {
        (InputValue::Int(bits), _) => {
            let text = c_literal::integer(program, ty, *bits);
            let _ = writeln!(out, "    CHECK({place} == {text});");
        }
        (InputValue::Float(value), _) => {
            let _ = writeln!(out, "    CHECK_FLOAT({place}, {});", c_literal::float(*value));
        }
        (InputValue::Pointer(InputPointer::Global { global, offset }), _)
            if !is_variable(program.global(*global).kind) =>
        {
            match pointed_text(program, ty, *global, *offset) {
                Some(text) => {
                    let _ = writeln!(out, "    CHECK(__builtin_strcmp({place}, {text}) == 0);");
                }
                // A static variable of a function has no name out here.
                None => {
                    let _ = writeln!(out, "    CHECK({place} != 0);");
                }
            }
        }
        (InputValue::Pointer(InputPointer::Null), _) => {
            let _ = writeln!(out, "    CHECK({place} == 0);");
        }
        (InputValue::Pointer(pointer), _) => {
            let _ = writeln!(
                out,
                "    CHECK((void *){place} == (void *)({}));",
                names.pointer(*pointer)
            );
        }
        (InputValue::Bytes(bytes), SourceType::Pointer { .. }) if matches!(bytes.len(), 4 | 8) => {
            let _ = writeln!(out, "    CHECK({place} != 0);");
        }
        (InputValue::Struct(values), SourceType::Record { fields: Some(fields), .. }) => {
            for (value, field) in values.iter().zip(fields) {
                if let Some(name) = &field.name {
                    let place = format!("{place}.{name}");
                    check_value(out, field.ty, &place, value, names);
                }
            }
        }
        (InputValue::Array(values), SourceType::Array { element, .. }) => {
            for (index, value) in values.iter().enumerate() {
                check_value(out, *element, &format!("{place}[{index}]"), value, names);
            }
        }
        (
            InputValue::Struct(_)
            | InputValue::Array(_)
            | InputValue::Union { .. }
            | InputValue::Bytes(_),
            _,
        ) => {}
    }
}
