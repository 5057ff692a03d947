//! Which types may be seen in the same bytes: C11 6.5p7, and where compilers are more generous, what they do.

use std::collections::BTreeSet;

use glassbox_ir::{Number, Program, RecordKind, Shape, SourceType, SourceTypeId};

use crate::layout::any_part;

/// Whether one object may be used as both types, at the same place and in whole: the same type, a type that
/// differs in its sign, an enumeration and an integer of its size, pointers that differ in `const`.
pub fn is_exchangeable(program: &Program, a: SourceTypeId, b: SourceTypeId) -> bool {
    if program.is_same_type(a, b) {
        return true;
    }
    match (program.shape(a), program.shape(b)) {
        (
            Shape::Number(Number::Int { width: a_width, .. }),
            Shape::Number(Number::Int { width: b_width, .. }),
        ) => {
            let names = integer_name(program, a).zip(integer_name(program, b));
            a_width == b_width && names.is_none_or(|(a, b)| without_sign(a) == without_sign(b))
        }
        (Shape::Pointer { target: a, .. }, Shape::Pointer { target: b, .. }) => {
            program.is_same_type(a, b)
        }
        // One structure that several files declare.
        (Shape::Record { size: a_size, .. }, Shape::Record { size: b_size, .. }) => {
            let tags = tag(program, a).zip(tag(program, b));
            a_size == b_size && tags.is_some_and(|(a, b)| a == b)
        }
        (
            Shape::Void
            | Shape::Number(_)
            | Shape::Pointer { .. }
            | Shape::Array { .. }
            | Shape::Record { .. }
            | Shape::Function
            | Shape::Reference
            | Shape::Opaque { .. },
            _,
        ) => false,
    }
}

/// Whether two types are the same, structures that several files declare included.
pub fn is_compatible(program: &Program, a: SourceTypeId, b: SourceTypeId) -> bool {
    if program.is_same_type(a, b) {
        return true;
    }
    match (program.shape(a), program.shape(b)) {
        (
            Shape::Pointer { target: a, is_const: a_const },
            Shape::Pointer { target: b, is_const: b_const },
        ) => a_const == b_const && is_compatible(program, a, b),
        (Shape::Record { .. }, Shape::Record { .. }) => is_exchangeable(program, a, b),
        (
            Shape::Void
            | Shape::Number(_)
            | Shape::Pointer { .. }
            | Shape::Array { .. }
            | Shape::Record { .. }
            | Shape::Function
            | Shape::Reference
            | Shape::Opaque { .. },
            _,
        ) => false,
    }
}

/// Whether valid C may see the same bytes as both types.
pub fn may_overlap(program: &Program, a: SourceTypeId, b: SourceTypeId) -> bool {
    let (a, b) = (program.resolve_source_type(a), program.resolve_source_type(b));
    holds_type(program, a, b) || holds_type(program, b, a) || share_union(program, a, b)
}

/// Whether an object of type `outer` can contain one of type `inner`; bytes are in everything.
fn holds_type(program: &Program, outer: SourceTypeId, inner: SourceTypeId) -> bool {
    let inner = program.resolve_source_type(inner);
    let is_bytes = program.size_of_source_type(inner) <= 1;
    is_bytes || any_part(program, outer, &|part| is_exchangeable(program, part, inner))
}

/// Whether a union of the program has both: pointers to its members lead to the same bytes.
fn share_union(program: &Program, a: SourceTypeId, b: SourceTypeId) -> bool {
    let has = |outer: SourceTypeId, inner: SourceTypeId| {
        any_part(program, outer, &|part| is_exchangeable(program, part, inner))
    };
    (0..program.source_types().len()).map(SourceTypeId::new).any(|ty| {
        let is_union =
            matches!(program.source_type(ty), SourceType::Record { kind: RecordKind::Union, .. });
        is_union && has(ty, a) && has(ty, b)
    })
}

/// The structures that are parts of unions, and all others of their names.
pub fn in_unions(program: &Program) -> BTreeSet<SourceTypeId> {
    let all = || (0..program.source_types().len()).map(SourceTypeId::new);
    let is_union = |ty: &SourceTypeId| {
        matches!(program.source_type(*ty), SourceType::Record { kind: RecordKind::Union, .. })
    };
    let unions: Vec<SourceTypeId> = all().filter(is_union).collect();
    let is_record =
        |ty: &SourceTypeId| matches!(program.source_type(*ty), SourceType::Record { .. });
    let is_in = |record: SourceTypeId| {
        let is_it = |part: SourceTypeId| is_exchangeable(program, part, record);
        unions.iter().any(|&union| any_part(program, union, &is_it))
    };
    if unions.is_empty() {
        return BTreeSet::new();
    }
    all().filter(|ty| is_record(ty) && is_in(*ty)).collect()
}

/// The spelling of an integer type; enumerations have none that counts.
fn integer_name(program: &Program, ty: SourceTypeId) -> Option<&str> {
    let resolved = program.source_type(program.resolve_source_type(ty));
    let SourceType::Int { name, .. } = resolved else { return None };
    Some(name)
}

/// The tag of a structure or union.
fn tag(program: &Program, ty: SourceTypeId) -> Option<&str> {
    let resolved = program.source_type(program.resolve_source_type(ty));
    let SourceType::Record { name, .. } = resolved else { return None };
    name.as_deref()
}

/// The name of an integer type without its sign.
fn without_sign(name: &str) -> &str {
    let plain = name.strip_prefix("unsigned").or_else(|| name.strip_prefix("signed"));
    match plain.unwrap_or(name).trim() {
        "" => "int",
        plain => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::without_sign;

    #[test]
    fn integers_differ_by_their_sign_only() {
        for (a, b) in [
            ("unsigned int", "int"),
            ("unsigned", "int"),
            ("long", "unsigned long"),
            ("signed char", "char"),
        ] {
            assert_eq!(without_sign(a), without_sign(b));
        }
        assert_ne!(without_sign("long"), without_sign("unsigned long long"));
    }
}
