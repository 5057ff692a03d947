//! C declarations of source types.

use glassbox_ir::{Program, RecordKind, SourceType, SourceTypeId};

/// `name` declared with type `ty`: `int (*name)[3]`. An empty name gives the type itself.
pub fn declare(program: &Program, ty: SourceTypeId, name: &str) -> String {
    match program.source_type(ty) {
        SourceType::Pointer { target, is_const } => {
            let inner = match program.source_type(*target) {
                SourceType::Array { .. } | SourceType::Function { .. } => format!("(*{name})"),
                _ => format!("*{name}"),
            };
            let prefix = if *is_const { "const " } else { "" };
            format!("{prefix}{}", declare(program, *target, &inner))
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
        _ if name.is_empty() => base_name(program, ty),
        _ => format!("{} {name}", base_name(program, ty)),
    }
}

/// The name of a type that is neither pointer, array nor function.
fn base_name(program: &Program, ty: SourceTypeId) -> String {
    match program.source_type(ty) {
        SourceType::Void => "void".to_owned(),
        SourceType::Bool => "_Bool".to_owned(),
        SourceType::Int { name, .. } | SourceType::Float { name, .. } => name.clone(),
        SourceType::Enum { name: Some(name), .. } => format!("enum {name}"),
        SourceType::Enum { name: None, .. } => "int".to_owned(),
        SourceType::Record { kind, name, .. } => {
            let keyword = match kind {
                RecordKind::Struct => "struct",
                RecordKind::Union => "union",
            };
            format!("{keyword} {}", name.as_deref().unwrap_or_default())
        }
        SourceType::Named { name, .. } | SourceType::Opaque { name, .. } => name.clone(),
        SourceType::Pointer { .. }
        | SourceType::Array { .. }
        | SourceType::Function { .. }
        | SourceType::Class(_)
        | SourceType::ClassArray { .. } => String::new(),
    }
}
