//! Allocation in C tests: calls that lose memory, and allocations that are to fail.

use glassbox_ir::{FuncId, Program, ResultPassing};
use glassbox_testcase::TestInput;

use crate::c_test::TestFile;
use crate::c_type::declare;

/// Compiler flags that let tests make allocations fail.
const FLAGS: &[&str] = &[
    "-DGLASSBOX_ALLOCATIONS",
    "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=reallocarray",
    "-Wl,--wrap=aligned_alloc,--wrap=strdup,--wrap=strndup",
];

/// Flags that the tests of a file need, where some of them make allocations fail.
pub(crate) fn flags(file: &TestFile<'_>) -> &'static [&'static str] {
    let fails = file.tests.iter().any(|test| !test.input.failing_allocations.is_empty());
    if fails { FLAGS } else { &[] }
}

/// The call of a test that loses memory. What the call returns stays reachable.
pub(crate) fn losing_call(program: &Program, function: FuncId, call: &str, name: &str) -> String {
    let function = program.function(function);
    let call = match function.result {
        ResultPassing::Void => format!("    {call};\n"),
        ResultPassing::Direct(_) | ResultPassing::Indirect => {
            let result = declare(program, function.result_source_type, name);
            format!("    {result} = {call};\n    (void){name};\n")
        }
    };
    format!("    glassbox_expect_leak();\n{call}    glassbox_look_for_leaks();\n")
}

/// A statement that makes the input's allocations fail, if there are any.
pub(crate) fn failing(input: &TestInput) -> String {
    let numbers: Vec<String> = input.failing_allocations.iter().map(u64::to_string).collect();
    if numbers.is_empty() {
        return String::new();
    }
    format!("    glassbox_fail_allocations({}, {});\n", numbers.len(), numbers.join(", "))
}
