//! What makes a C function impossible to call from a test.

use glassbox_ir::{FuncId, Passing, Program, ResultPassing, SourceType, SourceTypeId};

/// Why no test can be written for this function, if so.
pub fn obstacle(program: &Program, function: FuncId) -> Option<String> {
    let declared = program.function(function);
    let n_hidden = usize::from(declared.result == ResultPassing::Indirect);
    let unnamed =
        |ty: SourceTypeId| matches!(program.source_type(ty), SourceType::Record { name: None, .. });
    for param in declared.params.iter().skip(n_hidden) {
        if param.passing == Passing::Indirect && unnamed(param.source_type) {
            return Some(format!("the type of parameter `{}` has no name", param.name));
        }
        if is_va_list(program, param.source_type) {
            let name = &param.name;
            return Some(format!("`{name}` is a va_list, which only a variadic function can make"));
        }
    }
    None
}

/// A `va_list` is an array of one record that programs cannot name; as a parameter it is a pointer to it.
fn is_va_list(program: &Program, ty: SourceTypeId) -> bool {
    let (SourceType::Pointer { target, .. } | SourceType::Array { element: target, .. }) =
        program.source_type(program.resolve_source_type(ty))
    else {
        return false;
    };
    let target = program.source_type(program.resolve_source_type(*target));
    matches!(target, SourceType::Record { name: Some(name), .. } if name.ends_with("__va_list_tag"))
}
