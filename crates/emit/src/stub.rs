//! Stubs: definitions of functions that the program calls and nobody defines. They return what the test
//! says, call by call.

use std::fmt::Write;

use glassbox_ir::{FuncId, Function, Program, ResultPassing, SourceType};
use glassbox_testcase::TestInput;

use crate::c_literal::{Names, initializer};
use crate::c_type::declare;

/// Functions that need a stub: declared by the user, defined nowhere, not part of the system.
pub fn stubbed(program: &Program) -> Vec<FuncId> {
    let needs_stub = |id: &FuncId| {
        let function = program.function(*id);
        function.body.is_none() && !is_system(program, function)
    };
    program.function_ids().filter(needs_stub).collect()
}

/// Names of the C library, for sources that declare such functions themselves instead of including a
/// header.
const LIBRARY: &[&str] = &[
    "abort", "abs", "atexit", "atof", "atoi", "atol", "bsearch", "calloc", "ceil", "cos", "exit",
    "exp", "fabs", "fclose", "fflush", "fgetc", "fgets", "floor", "fmod", "fopen", "fprintf",
    "fputc", "fputs", "fread", "free", "fscanf", "fwrite", "getc", "getchar", "getenv", "labs",
    "log", "malloc", "memchr", "memcmp", "memcpy", "memmove", "memset", "pow", "printf", "putc",
    "putchar", "puts", "qsort", "rand", "realloc", "round", "scanf", "sin", "snprintf", "sprintf",
    "sqrt", "srand", "sscanf", "strcat", "strchr", "strcmp", "strcpy", "strlen", "strncat",
    "strncmp", "strncpy", "strrchr", "strstr", "strtol", "strtoul", "tan", "time", "tolower",
    "toupper", "_exit",
];

/// Names that the runtime of plain tests defines.
const RUNTIME: &[&str] = &[
    "reach_error",
    "__VERIFIER_error",
    "__VERIFIER_assert",
    "__CPROVER_assert",
    "__ESBMC_assert",
    "klee_assert",
    "__VERIFIER_assume",
    "__CPROVER_assume",
    "__ESBMC_assume",
    "klee_assume",
];

fn is_system(program: &Program, function: &Function) -> bool {
    let path = program.files.get(function.span.file.index()).map_or("", |file| &file.path);
    function.span.is_nowhere()
        || path.starts_with('<')
        || path.starts_with("/usr/")
        || function.name.starts_with("__builtin_")
        || RUNTIME.contains(&function.name.as_str())
        || LIBRARY.contains(&function.name.as_str())
}

/// Definitions of all stubs.
pub fn definitions(program: &Program) -> String {
    let mut out = String::new();
    for id in stubbed(program) {
        let function = program.function(id);
        let name = &function.name;
        let n_hidden = usize::from(function.result == ResultPassing::Indirect);
        let mut params: Vec<String> = function
            .params
            .iter()
            .skip(n_hidden)
            .enumerate()
            .map(|(index, param)| declare(program, param.source_type, &format!("p{index}")))
            .collect();
        if function.is_variadic && !params.is_empty() {
            params.push("...".to_owned());
        }
        let list = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let is_void = matches!(
            program.source_type(program.resolve_source_type(function.result_source_type)),
            SourceType::Void
        );
        let _ = writeln!(out, "/* Stub: `{name}` is not defined in the sources under test. */");
        let head = declare(program, function.result_source_type, &format!("{name}({list})"));
        if is_void {
            let _ = writeln!(out, "{head} {{}}\n");
            continue;
        }
        let results = declare(program, function.result_source_type, &format!("{name}_results[64]"));
        let _ = writeln!(out, "static {results};\nstatic int {name}_calls;");
        let _ = writeln!(out, "{head} {{ return {name}_results[{name}_calls++ % 64]; }}\n");
    }
    out
}

/// Statements that set what the stubs return in one test.
pub fn settings(program: &Program, input: &TestInput, names: &dyn Names) -> String {
    let mut out = String::new();
    for id in stubbed(program) {
        let function = program.function(id);
        let calls = input.stubs.iter().filter(|stub| stub.function == id);
        let mut n_calls = 0;
        for (index, stub) in calls.enumerate().take(64) {
            if let Some(value) = &stub.result {
                let text = initializer(program, function.result_source_type, value, names);
                let _ = writeln!(out, "    {}_results[{index}] = {text};", function.name);
                n_calls = index + 1;
            }
        }
        if n_calls > 0 {
            let _ = writeln!(out, "    {}_calls = 0;", function.name);
        }
    }
    out
}
