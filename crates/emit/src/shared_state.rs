//! Globals between tests that share a process: each test begins with what the program begins with.

use std::collections::BTreeSet;
use std::fmt::Write;

use glassbox_ir::GlobalId;

use crate::c_test::TestFile;

/// What each test calls first.
pub(crate) const START: &str = "glassbox_start";

/// The function that brings back what tests of the file set or see changed.
pub(crate) fn definition(file: &TestFile<'_>) -> String {
    if !file.shares_process {
        return String::new();
    }
    let program = file.program;
    let is_own = |id: &GlobalId| {
        let global = program.global(*id);
        global.kind.is_accessible() && !global.is_const
    };
    let set = file.tests.iter().flat_map(|test| test.input.globals.iter().map(|(id, _)| *id));
    let changed =
        file.tests.iter().flat_map(|test| test.expected.changed_globals.iter().map(|(id, _)| *id));
    let globals: BTreeSet<GlobalId> = set.chain(changed).filter(is_own).collect();
    let mut out = String::new();
    out.push_str(
        "/* Tests share a process: each begins with the globals that the program begins with. */\n",
    );
    let _ = writeln!(out, "static void {START}(void)\n{{");
    if !globals.is_empty() {
        out.push_str("    static int is_kept;\n");
    }
    for id in &globals {
        let name = &program.global(*id).name;
        let _ = writeln!(out, "    static char {name}_kept[sizeof {name}];");
    }
    for id in &globals {
        let name = &program.global(*id).name;
        let _ = writeln!(out, "    if (is_kept)");
        let _ =
            writeln!(out, "        __builtin_memcpy((void *)&{name}, {name}_kept, sizeof {name});");
        let _ = writeln!(out, "    else");
        let _ =
            writeln!(out, "        __builtin_memcpy({name}_kept, (void *)&{name}, sizeof {name});");
    }
    if !globals.is_empty() {
        out.push_str("    is_kept = 1;\n");
    }
    out.push_str("}\n\n");
    out
}
