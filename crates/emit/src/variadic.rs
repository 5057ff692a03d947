//! Functions with a `va_list` parameter: only a variadic function can make one, so tests call such functions through
//! a variadic function of their own.

use std::fmt::Write;

use glassbox_ir::{FuncId, Param, Program, ResultPassing, SourceType, SourceTypeId};

use crate::c_names::callee;
use crate::c_test::TestFile;
use crate::c_type::declare;

/// A `va_list` is an array of one record that programs cannot name; as a parameter it is a pointer to it.
pub(crate) fn is_va_list(program: &Program, ty: SourceTypeId) -> bool {
    let (SourceType::Pointer { target, .. } | SourceType::Array { element: target, .. }) =
        program.source_type(program.resolve_source_type(ty))
    else {
        return false;
    };
    program.is_va_list_tag(*target)
}

fn source_params(program: &Program, function: FuncId) -> &[Param] {
    let declared = program.function(function);
    let n_hidden = usize::from(declared.result == ResultPassing::Indirect);
    declared.params.get(n_hidden..).unwrap_or_default()
}

/// What a test calls, and with which of its variables.
pub(crate) fn call(file: &TestFile<'_>, args: &[String]) -> String {
    let program = file.program;
    let name = callee(program, file.function);
    let params = source_params(program, file.function);
    let is_list = |position: usize| {
        params.get(position).is_some_and(|param| is_va_list(program, param.source_type))
    };
    if !(0..params.len()).any(is_list) {
        // A macro of the same name with parameters is not meant.
        let is_check = name == "CHECK" || name == "CHECK_FLOAT";
        let name = if is_check { format!("({name})") } else { file.names.function(&name) };
        return format!("{name}({})", args.join(", "));
    }
    let kept = args.iter().enumerate().filter(|(position, _)| !is_list(*position));
    let mut kept: Vec<&str> = kept.map(|(_, arg)| arg.as_str()).collect();
    kept.push("0");
    format!("glassbox_call_{name}({})", kept.join(", "))
}

/// The variadic function through which a test calls, where it needs one.
pub(crate) fn definition(file: &TestFile<'_>) -> String {
    let program = file.program;
    let declared = program.function(file.function);
    let params = source_params(program, file.function);
    if !params.iter().any(|param| is_va_list(program, param.source_type)) {
        return String::new();
    }
    let name = callee(program, file.function);
    let mut heads = Vec::new();
    let mut args = Vec::new();
    for (position, param) in params.iter().enumerate() {
        if is_va_list(program, param.source_type) {
            args.push("glassbox_list".to_owned());
        } else {
            let arg = format!("p{position}");
            heads.push(declare(program, param.source_type, &arg));
            args.push(arg);
        }
    }
    heads.push("int glassbox_last, ...".to_owned());
    let head = format!("glassbox_call_{name}({})", heads.join(", "));
    let head = declare(program, declared.result_source_type, &head);
    let call = format!("{}({})", file.names.function(&name), args.join(", "));
    let mut out = String::new();
    let _ =
        writeln!(out, "/* `{name}` takes a va_list, which only a variadic function can make. */");
    let _ = writeln!(out, "static {head}\n{{\n    __builtin_va_list glassbox_list;");
    let is_void = declared.result == ResultPassing::Void;
    let result = declare(program, declared.result_source_type, "glassbox_given");
    if !is_void {
        let _ = writeln!(out, "    {result};");
    }
    out.push_str("    __builtin_va_start(glassbox_list, glassbox_last);\n");
    let kept = if is_void { "" } else { "glassbox_given = " };
    let _ = writeln!(out, "    {kept}{call};\n    __builtin_va_end(glassbox_list);");
    if !is_void {
        out.push_str("    return glassbox_given;\n");
    }
    out.push_str("}\n\n");
    out
}
