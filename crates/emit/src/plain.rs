//! The plain framework: one file per function, no dependency.

use std::fmt::Write;

use crate::c_runtime;
use crate::c_test::{TestFile, test_function};
use crate::framework::{CTests, opening};
use crate::makefile::{self, Build};

pub const TESTS: CTests = CTests {
    test_file,
    cases_file: None,
    runtime: [c_runtime::HEADER, c_runtime::SOURCE],
    shares_process: false,
    build: Build { variables: "LDLIBS += -lm\n", rules: makefile::ONE_COMMAND, leftovers: "" },
};

const HEADERS: &str = "#define CHECK GLASSBOX_CHECK\n#define CHECK_FLOAT GLASSBOX_CHECK_FLOAT\n";

/// The text of a test file.
pub fn test_file(file: &TestFile<'_>) -> String {
    let mut out = opening(file, HEADERS);
    for test in &file.tests {
        out.push_str(&test_function(file, test));
        out.push('\n');
    }
    let _ = writeln!(out, "static const glassbox_test glassbox_tests[] = {{");
    for test in &file.tests {
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
