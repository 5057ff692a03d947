//! The cmocka framework: a table of `CMUnitTest` per function (Debian: `libcmocka-dev`).

use std::fmt::Write;

use crate::c_test::TestFile;
use crate::framework::{CTests, one_process_test, opening};
use crate::framework_runtime;
use crate::makefile::{self, Build};

pub const TESTS: CTests = CTests {
    test_file,
    cases_file: None,
    runtime: [framework_runtime::HEADER, framework_runtime::SOURCE],
    shares_process: true,
    alone: None,
    build: Build {
        variables: "LDLIBS += -lcmocka -lm\n",
        rules: makefile::ONE_COMMAND,
        leftovers: "",
    },
};

/// cmocka's header wants the first four.
const HEADERS: &str = r#"#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define CHECK(condition) assert_true(condition)
#define CHECK_FLOAT(seen, wanted) assert_true(glassbox_same_float(seen, wanted))
"#;

/// The text of a test file.
pub fn test_file(file: &TestFile<'_>) -> String {
    let mut out = opening(file, HEADERS);
    for test in &file.tests {
        // A longer name than `state`, which may be a parameter of the function under test.
        let head = format!("static void {}(void **glassbox_state)", test.name);
        let _ = writeln!(out, "{}", one_process_test(file, test, &head));
    }
    let _ = writeln!(out, "int main(void)\n{{\n    const struct CMUnitTest glassbox_tests[] = {{");
    for test in &file.tests {
        let _ = writeln!(out, "        cmocka_unit_test({}),", test.name);
    }
    let _ = writeln!(
        out,
        "    }};\n    return cmocka_run_group_tests(glassbox_tests, NULL, NULL);\n}}"
    );
    out
}
