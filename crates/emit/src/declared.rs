//! Globals that the unit under test uses and no source defines: test files define them, so that tests link and
//! can set them. Registers at fixed addresses get a name and memory.

use std::collections::BTreeSet;
use std::fmt::Write;

use glassbox_ir::{FileOrigin, Global, GlobalId, GlobalKind, Linkage, Program, Shape};

use crate::c_test::TestFile;
use crate::c_type::{declare, is_nameable};

/// Bytes that are mapped at once.
const PAGE: u64 = 4096;

/// Definitions of all of them, weak so that real ones may be linked.
pub(crate) fn definitions(file: &TestFile<'_>) -> String {
    let program = file.program;
    let mut out = String::new();
    // Those of other files of the program that only tests speak of.
    for id in mentioned(file) {
        let global = program.global(id);
        let is_foreign = global.initializer.is_some()
            && global.linkage == Linkage::External
            && !file.names.has(&global.name);
        if is_foreign && is_nameable(program, global.source_type) {
            let declared = declare(program, global.source_type, &global.name);
            let _ = writeln!(out, "extern {declared};\n");
        }
    }
    for global in program.globals.iter().filter(|global| is_elsewhere(program, global)) {
        let name = &global.name;
        let size = program.size_of_source_type(global.source_type).max(global.size);
        let _ =
            writeln!(out, "/* `{name}` is declared and not defined in the sources under test. */");
        let is_visible = file.names.has(name);
        let _ = match program.shape(global.source_type) {
            // What the compiler takes for constant, a test has to set.
            _ if global.is_const || !is_visible => in_assembler(&mut out, name, size),
            Shape::Void | Shape::Record { fields: None, .. } => in_assembler(&mut out, name, size),
            Shape::Array { length: None, .. } => {
                let length = global.size.max(1);
                writeln!(out, "__attribute__((weak)) __typeof__({name}[0]) {name}[{length}];\n")
            }
            Shape::Number(_)
            | Shape::Pointer { .. }
            | Shape::Array { .. }
            | Shape::Record { .. }
            | Shape::Function
            | Shape::Reference
            | Shape::Opaque { .. } => {
                writeln!(out, "__attribute__((weak)) __typeof__({name}) {name};\n")
            }
        };
    }
    registers(file, &mut out);
    out
}

/// Names for the registers that tests speak of, and memory for all that the program may come to.
fn registers(file: &TestFile<'_>, out: &mut String) {
    let program = file.program;
    let mentioned = mentioned(file);
    let mut pages = BTreeSet::new();
    for id in program.global_ids() {
        let global = program.global(id);
        let Some(address) = global.kind.fixed_address() else { continue };
        if mentioned.contains(&id) {
            let pointer = declare(program, global.source_type, "volatile *");
            let _ = writeln!(out, "#define {} (*({pointer})0x{address:08x}UL)", global.name);
        }
        pages.extend(address / PAGE..=(address + global.size - 1) / PAGE);
    }
    if pages.is_empty() {
        return;
    }
    out.push_str(
        "/* Where the device has its registers, tests have memory. */\n\
         __attribute__((constructor)) static void glassbox_map_registers(void)\n{\n",
    );
    for page in pages {
        let _ = writeln!(out, "    glassbox_map(0x{:08x}UL, {PAGE});", page * PAGE);
    }
    out.push_str("}\n\n");
}

/// Variables that the tests set or compare.
fn mentioned(file: &TestFile<'_>) -> BTreeSet<GlobalId> {
    let set = file.tests.iter().flat_map(|test| &test.input.globals).map(|(id, _)| *id);
    let changed = file.tests.iter().flat_map(|test| &test.expected.changed_globals);
    let written = file.tests.iter().flat_map(|test| &test.expected.written_globals);
    let all = set.chain(changed.map(|(id, _)| *id)).chain(written.map(|written| written.global));
    all.filter(|&id| file.program.global(id).kind.is_accessible()).collect()
}

/// Writable memory of no type.
fn in_assembler(out: &mut String, name: &str, size: u64) -> std::fmt::Result {
    let size = size.max(1);
    writeln!(
        out,
        "__asm__(\".pushsection .data\\n.weak {name}\\n.balign 16\\n{name}: .zero {size}\\n.popsection\");\n"
    )
}

/// Whether a variable of the user's is defined nowhere; the system's are in its libraries.
fn is_elsewhere(program: &Program, global: &Global) -> bool {
    let file = program.files.get(global.span.file.index());
    let is_system = file.is_some_and(|file| file.origin == FileOrigin::System);
    global.kind == GlobalKind::Variable
        && global.initializer.is_none()
        && global.linkage == Linkage::External
        && !global.span.is_nowhere()
        && !is_system
}
