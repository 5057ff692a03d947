//! What real C projects are made of: their generated tests compile, and what cannot be written costs nothing else.

#![allow(clippy::disallowed_methods, reason = "tests start programs")]

use std::process::Command;

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::folder;

#[test]
fn a_flexible_array_member_is_not_initialized() {
    let program = "struct buffer { unsigned length; unsigned char bytes[]; };\n\
                   int f(struct buffer *b) {\n    if (b->length == 7) return 1;\n    return 0;\n}\n";
    let folder = folder::with_files(&[("a.c", program)]);
    let output = run_glassbox_in(folder.path(), ["gen", "a.c", "--out", "o"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("f: 2 goals: 2 covered"), "{text}");
    let made = Command::new("make").arg("-C").arg(folder.path().join("o/tests")).output();
    assert!(made.is_ok_and(|made| made.status.success()));
}

#[test]
fn a_function_with_a_va_list_does_not_stop_the_others() {
    let program = "#include <stdarg.h>\n\
                   int last(int n, va_list list) { return n > 0 ? va_arg(list, int) : 0; }\n\
                   int sign(int x) { return x < 0 ? -1 : 1; }\n";
    let folder = folder::with_files(&[("a.c", program)]);
    let output = run_glassbox_in(folder.path(), ["gen", "a.c", "--out", "o"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // No test says what arguments the list has.
    assert!(text.contains("last: 2 goals: 1 covered by 1 test"), "{text}");
    assert!(text.contains("sign: 2 goals: 2 covered"), "{text}");
    let made = Command::new("make").arg("-C").arg(folder.path().join("o/tests")).output();
    assert!(made.is_ok_and(|made| made.status.success()));
}
