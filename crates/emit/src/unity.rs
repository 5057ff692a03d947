//! The Unity framework: `RUN_TEST` for each test. Unity is used as source, found by `make UNITY=FOLDER`.

use std::fmt::Write;

use crate::c_test::TestFile;
use crate::framework::{CTests, one_process_test, opening};
use crate::framework_runtime;
use crate::makefile::Build;

pub const TESTS: CTests = CTests {
    test_file,
    cases_file: None,
    runtime: [framework_runtime::HEADER, framework_runtime::SOURCE],
    shares_process: true,
    alone: None,
    build: Build {
        variables: "# The folder with unity.c and unity.h.
UNITY ?= unity/src
LDLIBS += -lm
",
        rules: "$(TESTS): %: %.o glassbox.o unity.o
\t$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $@.o glassbox.o unity.o $(LDLIBS)

$(TESTS:=.o): UNIT_FLAGS += -I$(UNITY)

unity.o: $(UNITY)/unity.c
\t$(CC) $(CFLAGS) $(RUNTIME_FLAGS) -c -o $@ $<
",
        leftovers: "unity.o",
    },
};

const HEADERS: &str = r#"#include "unity.h"
#define CHECK(condition) TEST_ASSERT_MESSAGE(condition, #condition)
#define CHECK_FLOAT(seen, wanted) \
    TEST_ASSERT_MESSAGE(glassbox_same_float(seen, wanted), #seen " == " #wanted)

void setUp(void) {}
void tearDown(void) {}
"#;

/// The text of a test file.
pub fn test_file(file: &TestFile<'_>) -> String {
    let mut out = opening(file, HEADERS);
    for test in &file.tests {
        let head = format!("static void {}(void)", test.name);
        let _ = writeln!(out, "{}", one_process_test(file, test, &head));
    }
    let _ = writeln!(out, "int main(void)\n{{\n    UNITY_BEGIN();");
    for test in &file.tests {
        let _ = writeln!(out, "    RUN_TEST({});", test.name);
    }
    let _ = writeln!(out, "    return UNITY_END();\n}}");
    out
}
