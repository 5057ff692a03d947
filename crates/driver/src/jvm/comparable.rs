//! Types of Java whose values can be kept, put back and compared: numbers, texts, and arrays of them.

use super::relation_runtime::ELEMENTS;

/// `int[]` has elements of type `int`.
pub(super) fn element(ty: &str) -> Option<&str> {
    ty.strip_suffix("[]").map(simple).filter(|element| ELEMENTS.contains(element))
}

pub(super) fn simple(ty: &str) -> &str {
    if ty == "java.lang.String" { "String" } else { ty }
}

pub(super) fn is_comparable(ty: &str) -> bool {
    ELEMENTS.contains(&simple(ty)) || element(ty).is_some()
}

/// Objects that do not change.
pub(super) fn is_constant(ty: &str) -> bool {
    matches!(
        ty,
        "java.lang.Integer"
            | "java.lang.Long"
            | "java.lang.Boolean"
            | "java.lang.Character"
            | "java.lang.Double"
    )
}

pub(super) fn field_type(descriptor: &str) -> String {
    let depth = descriptor.chars().take_while(|&c| c == '[').count();
    let base = match &descriptor[depth..] {
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "S" => "short".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "Z" => "boolean".to_owned(),
        "F" => "float".to_owned(),
        "D" => "double".to_owned(),
        class => class.trim_start_matches('L').trim_end_matches(';').replace(['/', '$'], "."),
    };
    format!("{base}{}", "[]".repeat(depth))
}

/// A condition that two values of a type are the same.
pub(super) fn equal(ty: &str, a: &str, b: &str) -> String {
    match simple(ty) {
        "float" | "double" => format!("({a} == {b} || ({a} != {a} && {b} != {b}))"),
        "String" => format!("java.util.Objects.equals({a}, {b})"),
        _ => format!("{a} == {b}"),
    }
}
