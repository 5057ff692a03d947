//! The GoogleTest framework (Debian: `libgtest-dev`): two files per function.
//!
//! C source is not C++, so the tests stay in a C file that reports each check through a function, and a C++
//! file has a `TEST` that calls each and turns what is reported into failures.

use std::fmt::Write;

use crate::c_test::TestFile;
use crate::framework::{CTests, one_process_test, opening};
use crate::framework_runtime;
use crate::makefile::Build;

pub const TESTS: CTests = CTests {
    test_file,
    cases_file: Some(cases_file),
    runtime: [framework_runtime::HEADER, framework_runtime::SOURCE],
    shares_process: true,
    alone: Some(" --gtest_filter='*.'"),
    build: Build {
        variables: "CXX ?= c++
LDLIBS += -lgtest_main -lgtest -lpthread -lm
",
        rules: "$(TESTS): %: %.o %_gtest.cpp glassbox.o
\t$(CXX) $(CXXFLAGS) $(LDFLAGS) -o $@ $@_gtest.cpp $@.o glassbox.o $(LDLIBS)
",
        leftovers: "",
    },
};

const HEADERS: &str = r#"/* Defined in the C++ file beside this one. */
void glassbox_check(int holds, const char *what, const char *file, int line);

#define CHECK(condition) glassbox_check((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define CHECK_FLOAT(seen, wanted) \
    glassbox_check(glassbox_same_float(seen, wanted), #seen " == " #wanted, __FILE__, __LINE__)
"#;

const REPORTER: &str = r#"extern "C" void glassbox_check(int holds, const char *what, const char *file, int line)
{
    if (!holds)
        ADD_FAILURE_AT(file, line) << "check failed: " << what;
}
"#;

/// The text of the C file.
pub fn test_file(file: &TestFile<'_>) -> String {
    let mut out = opening(file, HEADERS);
    for test in &file.tests {
        let head = format!("void {}(void)", test.name);
        let _ = writeln!(out, "{}", one_process_test(file, test, &head));
    }
    out
}

/// The text of the C++ file.
pub fn cases_file(file: &TestFile<'_>) -> String {
    let function = &file.program.function(file.function).name;
    let mut out = String::new();
    let _ = writeln!(out, "// Tests of {function} for GoogleTest, written by glassbox.");
    let _ = writeln!(out, "#include <gtest/gtest.h>\n\n{REPORTER}\nextern \"C\" {{");
    for test in &file.tests {
        let _ = writeln!(out, "void {}(void);", test.name);
    }
    let _ = writeln!(out, "}}\n");
    for test in &file.tests {
        let _ = writeln!(out, "TEST({function}, {0}) {{ {0}(); }}", test.name);
    }
    out
}
