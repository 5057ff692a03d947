//! The plain framework: one file per function, no dependency.

use std::fmt::Write;

use crate::c_runtime;
use crate::c_test::{TestFile, TestText, relation_definition, test_function};
use crate::framework::{CTests, opening};
use crate::makefile::{self, Build};
use crate::{stub, variadic};

pub const TESTS: CTests = CTests {
    test_file,
    cases_file: None,
    runtime: [c_runtime::HEADER, c_runtime::SOURCE],
    shares_process: false,
    alone: Some(" "),
    build: Build { variables: "LDLIBS += -lm\n", rules: makefile::ONE_COMMAND, leftovers: "" },
};

// With parameters, so that a function of the source may have such a name.
const HEADERS: &str = r#"#define CHECK(condition) glassbox_check((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define CHECK_FLOAT(seen, wanted) \
    glassbox_check_float((double)(seen), (double)(wanted), #seen " == " #wanted, __FILE__, __LINE__)
"#;

/// The text of a test file.
pub fn test_file(file: &TestFile<'_>) -> String {
    program(std::slice::from_ref(file))
}

/// The tests of several functions of one unit as one program: the unit is compiled once for all of them.
pub fn program(files: &[TestFile<'_>]) -> String {
    let Some(first) = files.first() else { return String::new() };
    let all = || files.iter().flat_map(|file| &file.tests).cloned();
    // Stubs serve the tests of all functions, so every test has to know what the others ask of them.
    let asking: Vec<TestText<'_>> = all().filter(|test| stub::asks(test.input)).collect();
    let mut out = opening(&TestFile { tests: all().collect(), ..first.clone() }, HEADERS);
    for file in files.iter().skip(1) {
        out.push_str(&variadic::definition(file));
        out.push_str(&relation_definition(file));
    }
    for file in files {
        let among = TestFile { tests: asking.clone(), ..file.clone() };
        for test in &file.tests {
            out.push_str(&test_function(&among, test));
            out.push('\n');
        }
    }
    let _ = writeln!(out, "static const glassbox_test glassbox_tests[] = {{");
    for (file, test) in
        files.iter().flat_map(|file| file.tests.iter().map(move |test| (file, test)))
    {
        let ending = test.plain_ending(file);
        let _ = writeln!(out, "    {{\"{0}\", {0}, {ending}}},", test.name);
    }
    let _ = writeln!(out, "}};\n\nint main(int argc, char **argv)\n{{");
    let _ = writeln!(
        out,
        "    return glassbox_main(argc, argv, glassbox_tests, sizeof glassbox_tests);\n}}"
    );
    out
}
