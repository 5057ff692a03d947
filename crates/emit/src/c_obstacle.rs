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
    }
    None
}
