//! What makes a C function impossible to call from a test.

use glassbox_ir::{FuncId, Program, ResultPassing, SourceType, SourceTypeId};

/// Why no test can be written for this function, if so.
pub fn obstacle(program: &Program, function: FuncId) -> Option<String> {
    let declared = program.function(function);
    let n_hidden = usize::from(declared.result == ResultPassing::Indirect);
    for param in declared.params.iter().skip(n_hidden) {
        if is_unnamed(program, param.source_type) {
            return Some(format!("the type of parameter `{}` has no name", param.name));
        }
    }
    None
}

/// Whether a type, or what pointers of it lead to, has no name that a test could declare variables by.
fn is_unnamed(program: &Program, ty: SourceTypeId) -> bool {
    match program.source_type(ty) {
        SourceType::Record { name, .. } => name.is_none(),
        SourceType::Pointer { target: inner, .. } | SourceType::Array { element: inner, .. } => {
            is_unnamed(program, *inner)
        }
        SourceType::Void
        | SourceType::Bool
        | SourceType::Int { .. }
        | SourceType::Float { .. }
        | SourceType::Named { .. }
        | SourceType::Opaque { .. }
        | SourceType::Enum { .. }
        | SourceType::Class(_)
        | SourceType::ClassArray { .. }
        | SourceType::Function { .. } => false,
    }
}
