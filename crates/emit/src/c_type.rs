//! C declarations of source types.

use glassbox_ir::{Program, RecordKind, SourceType, SourceTypeId};

/// `name` declared with type `ty`: `int (*name)[3]`. An empty name gives the type itself.
pub fn declare(program: &Program, ty: SourceTypeId, name: &str) -> String {
    match program.source_type(ty) {
        // Programs cannot write the element of a `va_list`, which is an array, and a pointer to it as a parameter.
        SourceType::Pointer { target, .. } | SourceType::Array { element: target, .. }
            if program.is_va_list_tag(*target) =>
        {
            named("__builtin_va_list", name)
        }
        SourceType::Pointer { target, is_const } => {
            let binds_tighter = matches!(
                program.source_type(*target),
                SourceType::Array { .. } | SourceType::Function { .. }
            );
            let inner = if binds_tighter { format!("(*{name})") } else { format!("*{name}") };
            // What is constant is the pointer that this one points to.
            let is_pointer = matches!(program.source_type(*target), SourceType::Pointer { .. });
            match (*is_const, is_pointer) {
                (true, true) => declare(program, *target, &format!("const {inner}")),
                (true, false) => format!("const {}", declare(program, *target, &inner)),
                (false, _) => declare(program, *target, &inner),
            }
        }
        SourceType::Array { element, length } => {
            let length = length.map(|length| length.to_string()).unwrap_or_default();
            declare(program, *element, &format!("{name}[{length}]"))
        }
        SourceType::Function { result, params, is_variadic } => {
            let mut list: Vec<String> =
                params.iter().map(|&param| declare(program, param, "")).collect();
            if *is_variadic {
                list.push("...".to_owned());
            }
            if list.is_empty() {
                list.push("void".to_owned());
            }
            declare(program, *result, &format!("{name}({})", list.join(", ")))
        }
        SourceType::Void => named("void", name),
        SourceType::Bool => named("_Bool", name),
        SourceType::Int { name: base, .. }
        | SourceType::Float { name: base, .. }
        | SourceType::Named { name: base, .. }
        | SourceType::Opaque { name: base, .. } => named(base, name),
        SourceType::Enum { name: Some(tag), .. } => named(&format!("enum {tag}"), name),
        SourceType::Enum { name: None, .. } => named("int", name),
        SourceType::Record { kind, name: tag, .. } => {
            let keyword = match kind {
                RecordKind::Struct => "struct",
                RecordKind::Union => "union",
            };
            named(&format!("{keyword} {}", tag.as_deref().unwrap_or_default()), name)
        }
        SourceType::Class(_) | SourceType::ClassArray { .. } => named("", name),
    }
}

fn named(base: &str, name: &str) -> String {
    if name.is_empty() { base.to_owned() } else { format!("{base} {name}") }
}

/// Whether every type in it has a name, so that it can be written down.
pub fn is_nameable(program: &Program, ty: SourceTypeId) -> bool {
    match program.source_type(ty) {
        SourceType::Pointer { target, .. } => is_nameable(program, *target),
        SourceType::Array { element, .. } => is_nameable(program, *element),
        SourceType::Function { result, params, .. } => {
            is_nameable(program, *result) && params.iter().all(|param| is_nameable(program, *param))
        }
        SourceType::Record { name, .. } => name.is_some(),
        SourceType::Void
        | SourceType::Bool
        | SourceType::Int { .. }
        | SourceType::Float { .. }
        | SourceType::Enum { .. }
        | SourceType::Named { .. }
        | SourceType::Opaque { .. } => true,
        SourceType::Class(_) | SourceType::ClassArray { .. } => false,
    }
}
