//! The Check framework: a suite with one test case per function (Debian: `check`).
//!
//! Check runs each test in a process of its own and knows tests that are to exit.

use std::fmt::Write;

use crate::c_test::{TestFile, test_function_as};
use crate::framework::{CTests, opening};
use crate::framework_runtime;
use crate::makefile::{self, Build};

/// What Check links differs between systems; without pkg-config, as on Debian.
pub const TESTS: CTests = CTests {
    test_file,
    cases_file: None,
    runtime: [framework_runtime::HEADER, framework_runtime::SOURCE],
    shares_process: false,
    alone: None,
    build: Build {
        variables: "CFLAGS += $(shell pkg-config --cflags check 2>/dev/null)
LDLIBS += $(shell pkg-config --libs check 2>/dev/null || echo -lcheck -lsubunit -lrt -lpthread) -lm
",
        rules: makefile::ONE_COMMAND,
        leftovers: "",
    },
};

const HEADERS: &str = r#"#include <check.h>

#define CHECK(condition) ck_assert(condition)
#define CHECK_FLOAT(seen, wanted) ck_assert(glassbox_same_float(seen, wanted))
"#;

/// The text of a test file.
pub fn test_file(file: &TestFile<'_>) -> String {
    let function = &file.program.function(file.function).name;
    let mut out = opening(file, HEADERS);
    for test in &file.tests {
        let head = format!("START_TEST({})", test.name);
        let _ = writeln!(out, "{}END_TEST\n", test_function_as(file, test, &head));
    }
    let _ = writeln!(out, "int main(void)\n{{");
    let _ = writeln!(out, "    Suite *suite = suite_create(\"{function}\");");
    let _ = writeln!(out, "    TCase *tcase = tcase_create(\"{function}\");");
    let _ = writeln!(out, "    SRunner *runner = srunner_create(suite);\n    int n_failed;");
    for test in &file.tests {
        let _ = match test.exit_status() {
            None if test.is_stopped() => {
                writeln!(out, "    tcase_add_test_raise_signal(tcase, {}, 6);", test.name)
            }
            None => writeln!(out, "    tcase_add_test(tcase, {});", test.name),
            Some(status) => {
                writeln!(out, "    tcase_add_exit_test(tcase, {}, {status});", test.name)
            }
        };
    }
    let _ = writeln!(out, "    suite_add_tcase(suite, tcase);");
    let _ = writeln!(out, "    srunner_run_all(runner, CK_NORMAL);");
    let _ = writeln!(out, "    n_failed = srunner_ntests_failed(runner);");
    let _ = writeln!(out, "    srunner_free(runner);\n    return n_failed == 0 ? 0 : 1;\n}}");
    out
}
