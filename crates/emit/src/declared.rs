//! Globals that the unit under test declares and no source defines: test files define them, so that tests link and
//! can set them.

use std::fmt::Write;

use glassbox_ir::{FileOrigin, Global, GlobalKind, Linkage, Program, SourceType};

use crate::c_test::TestFile;

/// Definitions of all of them, weak so that real ones may be linked.
pub(crate) fn definitions(file: &TestFile<'_>) -> String {
    let program = file.program;
    let mut out = String::new();
    for global in program.globals.iter().filter(|global| is_elsewhere(program, global)) {
        let name = &global.name;
        let size = program.size_of_source_type(global.source_type).max(global.size);
        let _ =
            writeln!(out, "/* `{name}` is declared and not defined in the sources under test. */");
        let is_visible = file.names.has(name);
        let _ = match program.source_type(program.resolve_source_type(global.source_type)) {
            // What the compiler takes for constant, a test has to set.
            _ if global.is_const || !is_visible => in_assembler(&mut out, name, size),
            SourceType::Void | SourceType::Record { fields: None, .. } => {
                in_assembler(&mut out, name, size)
            }
            SourceType::Array { length: None, .. } => {
                let length = global.size.max(1);
                writeln!(out, "__attribute__((weak)) __typeof__({name}[0]) {name}[{length}];\n")
            }
            SourceType::Bool
            | SourceType::Int { .. }
            | SourceType::Float { .. }
            | SourceType::Enum { .. }
            | SourceType::Pointer { .. }
            | SourceType::Array { .. }
            | SourceType::Record { .. }
            | SourceType::Function { .. }
            | SourceType::Named { .. }
            | SourceType::Class(_)
            | SourceType::ClassArray { .. }
            | SourceType::Opaque { .. } => {
                writeln!(out, "__attribute__((weak)) __typeof__({name}) {name};\n")
            }
        };
    }
    out
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
