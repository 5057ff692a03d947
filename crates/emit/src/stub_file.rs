//! `glassbox_stubs.c`: the file where people write functions that a unit calls and does not define. It is written once, with a
//! body for each that is switched off, and read as part of the program from then on.

use std::fmt::Write;

use glassbox_ir::library::is_system;
use glassbox_ir::{FuncId, Linkage, Origin, Program, ResultPassing, Shape};

use crate::c_type::declare;
use crate::stub::{is_renamed, param_name};

/// The file's name, beside the tests of a unit.
pub const NAME: &str = "glassbox_stubs.c";

/// Its text; `None` where the unit lacks nothing. `unit` is the unit's name, `includes` what it includes.
pub fn stub_file(program: &Program, unit: &str, includes: &[String]) -> Option<String> {
    let is_missing = |id: &FuncId| {
        let function = program.function(*id);
        function.body.is_none()
            && function.origin == Origin::User
            && function.linkage == Linkage::External
            && !is_system(program, *id)
            && !is_renamed(program, *id)
            && !glassbox_library::is_input(&function.name)
    };
    let missing: Vec<FuncId> = program.function_ids().filter(is_missing).collect();
    if missing.is_empty() {
        return None;
    }
    let mut out = format!(
        "/* Functions that {unit} calls and does not define. Tests have a stub for each, which gives what a\n   \
         test says. To use one of your own, write it here (change its `#if 0` to `#if 1`) and run glassbox\n   \
         again: it is part of the program then. This file is yours and is never overwritten. */\n"
    );
    for include in includes {
        let _ = writeln!(out, "{include}");
    }
    for id in missing {
        let _ = write!(out, "\n#if 0\n{}#endif\n", body(program, id));
    }
    Some(out)
}

fn body(program: &Program, id: FuncId) -> String {
    let function = program.function(id);
    let n_hidden = usize::from(function.result == ResultPassing::Indirect);
    let params = function.params.iter().skip(n_hidden).enumerate();
    let mut params: Vec<String> = params
        .map(|(index, param)| declare(program, param.source_type, &param_name(program, id, index)))
        .collect();
    if function.is_variadic && !params.is_empty() {
        params.push("...".to_owned());
    }
    let list = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let ty = function.result_source_type;
    let head = declare(program, ty, &format!("{}({list})", function.name));
    let statement = match program.shape(ty) {
        Shape::Void => String::new(),
        Shape::Record { .. } => {
            format!("    {} = {{0}};\n    return none;\n", declare(program, ty, "none"))
        }
        Shape::Number(_)
        | Shape::Pointer { .. }
        | Shape::Array { .. }
        | Shape::Function
        | Shape::Reference
        | Shape::Opaque { .. } => "    return 0;\n".to_owned(),
    };
    format!("{head}\n{{\n{statement}}}\n")
}
