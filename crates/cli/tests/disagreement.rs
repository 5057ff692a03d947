//! A compiler that does not do what the language says: every proof of the function is taken back, and how to show it is said.

#![allow(clippy::disallowed_methods, reason = "tests write files")]

use std::os::unix::fs::PermissionsExt;

use glassbox_testkit::command::run_glassbox_in;
use glassbox_testkit::{Tool, folder, require};

/// Plain characters have another sign for the tests than for the preprocessor, which says what the program is.
const COMPILER: &str = "#!/bin/sh
for word in \"$@\"; do [ \"$word\" = -E ] && exec gcc \"$@\"; done
exec gcc -funsigned-char \"$@\"
";

const PROGRAM: &str = "#include <assert.h>
int f(char c, int x) { if (c < 0) return 1; if (x > 5) { if (x < 3) return 2; } return 0; }
int g(int x) { if (x > 5) { if (x < 3) return 2; } return 0; }
int h(char c, int x) { assert(c >= 0); assert(x < 3 || x > 2); return c; }
";

#[test]
fn what_the_real_program_contradicts_takes_all_proofs_of_its_function_with_it() {
    let Some(_) = require(Tool::Program("gcc")) else { return };
    let folder = folder::with_files(&[("a.c", PROGRAM), ("cc.sh", COMPILER)]);
    let compiler = folder.path().join("cc.sh");
    let allowed = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&compiler, allowed).expect("it can be made a program");
    let said = |args: &[&str]| {
        let output = run_glassbox_in(folder.path(), args);
        String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
    };
    let text = said(&["gen", "a.c", "--cc", "./cc.sh", "--function", "f", "--function", "g"]);
    assert!(text.contains("x < 3 is true: unknown (disagreement): no proof is trusted"), "{text}");
    assert!(text.contains("x < 3 is true: infeasible"), "another function keeps its own: {text}");
    let report = "note: Glassbox is wrong about `f`: please report this, with a.c and what `";
    assert!(text.contains(report) && text.contains("gen a.c --cc ./cc.sh"), "{text}");
    let text = said(&["check", "a.c", "--cc", "./cc.sh", "--function", "h", "--out", "c"]);
    assert!(text.contains("x < 3 || x > 2): unknown (disagreement)"), "{text}");
    assert!(text.contains("Glassbox is wrong about `h`: please report this"), "{text}");
    assert!(!text.contains("VERDICT: true"), "{text}");
}
