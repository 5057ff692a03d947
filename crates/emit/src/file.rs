//! Files that C tests give the function under test: streams that its input leads to, and what calls that open files
//! find.

use glassbox_testcase::TestInput;

use crate::c_literal;
use crate::c_test::TestFile;

/// Compiler flags that let tests say what calls that open files find.
const FLAGS: &[&str] =
    &["-DGLASSBOX_FILES", "-Wl,--wrap=fopen,--wrap=fopen64,--wrap=fdopen,--wrap=tmpfile"];

/// Flags that the tests of a file need for this.
pub(crate) fn flags(file: &TestFile<'_>) -> &'static [&'static str] {
    if opens_files(file) { FLAGS } else { &[] }
}

fn opens_files(file: &TestFile<'_>) -> bool {
    file.tests.iter().any(|test| !test.input.files.is_empty())
}

/// The call that makes a stream with these contents.
pub(crate) fn stream(contents: &[u8]) -> String {
    format!("glassbox_stream(\"{}\", {})", c_literal::string_bytes(contents), contents.len())
}

/// A statement that says what calls that open files find, where tests of the file say so.
pub(crate) fn found(file: &TestFile<'_>, input: &TestInput) -> String {
    let is_left_over = file.shares_process && opens_files(file);
    if input.files.is_empty() && !is_left_over {
        return String::new();
    }
    let found = input.files.iter().map(|contents| match contents {
        Some(bytes) => format!(", \"{}\", {}", c_literal::string_bytes(bytes), bytes.len()),
        None => ", (char *)0, 0".to_owned(),
    });
    format!("    glassbox_files({}{});\n", input.files.len(), found.collect::<String>())
}
