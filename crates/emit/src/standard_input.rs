//! Which functions read standard input: their tests set it.

use std::collections::BTreeSet;

use glassbox_ir::{Callee, FuncId, InstrKind, Program};

/// Whether a function, or one that it calls by name, reads standard input.
pub(crate) fn reads_input(program: &Program, function: FuncId) -> bool {
    const READERS: &[&str] = &[
        "getchar",
        "getc",
        "fgetc",
        "getchar_unlocked",
        "getc_unlocked",
        "_IO_getc",
        "ungetc",
        "fgets",
        "gets",
        "fread",
        "read",
        "getline",
        "scanf",
        "fscanf",
        "feof",
        "__isoc99_scanf",
        "__isoc99_fscanf",
        "__isoc23_scanf",
        "__isoc23_fscanf",
    ];
    let mut seen = BTreeSet::from([function]);
    let mut queue = vec![function];
    while let Some(id) = queue.pop() {
        let called = program.function(id);
        let Some(body) = &called.body else {
            if READERS.contains(&called.name.as_str()) {
                return true;
            }
            continue;
        };
        for instr in body.blocks.iter().flat_map(|block| &block.instrs) {
            if let InstrKind::Call(call) = &instr.kind
                && let Callee::Direct(callee) = call.callee
                && seen.insert(callee)
            {
                queue.push(callee);
            }
        }
    }
    false
}
