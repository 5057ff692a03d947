//! The plain framework: one file per function, no dependency.

use std::fmt::Write;

use crate::c_test::{TestFile, test_function};
use crate::stub;

/// The text of a test file.
pub fn test_file(file: &TestFile<'_>) -> String {
    let function = &file.program.function(file.function).name;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/* Tests of {function}, written by glassbox. Yours to keep and to change. */"
    );
    let _ = writeln!(out, "#define main glassbox_renamed_main");
    let _ = writeln!(out, "#include \"{}\"", file.include);
    let _ = writeln!(out, "#undef main\n\n#include \"glassbox.h\"\n");
    out.push_str(&stub::definitions(file.program));
    for test in &file.tests {
        out.push_str(&test_function(file, test));
        out.push('\n');
    }
    let _ = writeln!(out, "static const glassbox_test tests[] = {{");
    for test in &file.tests {
        let _ = writeln!(out, "    {{\"{0}\", {0}}},", test.name);
    }
    let _ = writeln!(out, "}};\n\nint main(int argc, char **argv)\n{{");
    let _ = writeln!(
        out,
        "    return glassbox_main(argc, argv, tests, (int)(sizeof tests / sizeof tests[0]));\n}}"
    );
    out
}
