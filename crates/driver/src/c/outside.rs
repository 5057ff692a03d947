//! Functions of the system that tests replace, as they replace undefined functions of the user: what they give back
//! is an input.
//!
//! Those that ask or tell the operating system (`close`, `gettimeofday`, `ioctl`) would do in a test whatever the machine
//! is like. `longjmp` never comes back to the function under test: a path ends there, and the test with it (that
//! `setjmp` was called before is not modeled, so no run of ours jumps to where it began). `read` is one where a descriptor may
//! be another than that of standard input, which tests have. What `[stub.f]` describes is a stub, whatever it is.

use std::path::Path;

use glassbox_contract::Config;
use glassbox_ir::{
    Call, Callee, FileOrigin, FuncId, Function, InstrKind, Number, Operand, Origin, Program,
    ResultPassing, Shape, SourceType, SourceTypeId, Ty,
};
use glassbox_library::{Body, Control, Determinism, Reads, Row};

use super::system_headers::is_standard;

/// Headers of the operating system, below the folders of headers.
const HEADERS: &[&str] = &[
    "arpa/inet.h",
    "bits/getopt_core.h",
    "bits/getopt_ext.h",
    "err.h",
    "fcntl.h",
    "grp.h",
    "netdb.h",
    "poll.h",
    "pwd.h",
    "sched.h",
    "signal.h",
    "syslog.h",
    "termios.h",
    "time.h",
    "unistd.h",
];

/// The folder of headers about the kernel: `sys/ioctl.h`, `sys/time.h`.
const FOLDER: &str = "sys";

/// Makes stubs of them.
pub(super) fn replace(program: &mut Program, config: Option<&Config>) {
    let is_described = |name: &str| {
        config.is_some_and(|config| config.stubs.iter().any(|stub| stub.function == name))
    };
    let changed: Vec<bool> = program
        .function_ids()
        .map(|id| {
            let function = program.function(id);
            let is_outside = function.body.is_none() && function.origin == Origin::System;
            let is_stub = is_described(&function.name) || is_leaving(&function.name);
            let asks = asks_the_system(program, function) || asks_for_a_setting(program, function);
            let is_unknown = is_of_another_library(program, function);
            is_outside && (is_stub || asks || is_unknown || reads_elsewhere(program, id))
        })
        .collect();
    for (function, is_changed) in program.functions.iter_mut().zip(changed) {
        if is_changed {
            function.origin = Origin::User;
            function.is_noreturn |= is_leaving(&function.name);
        }
    }
}

/// Whether a function that reads by a descriptor is given another than 0, or one that is not known.
fn reads_elsewhere(program: &Program, id: FuncId) -> bool {
    let function = program.function(id);
    let has_descriptor =
        function.params.first().is_some_and(|first| matches!(first.ty, Ty::Int(_)));
    let reads = row(&function.name).is_some_and(|row| row.reads == Reads::StandardInput);
    let is_other = |call: &Call| {
        let is_zero = matches!(call.args.first(), Some(Operand::Int(number)) if number.is_zero());
        call.callee == Callee::Direct(id) && !is_zero
    };
    let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
    let mut instrs = bodies.flat_map(|body| &body.blocks).flat_map(|block| &block.instrs);
    has_descriptor
        && reads
        && instrs.any(|instr| matches!(&instr.kind, InstrKind::Call(call) if is_other(call)))
}

fn row(name: &str) -> Option<&'static Row> {
    glassbox_library::find(name).map(|known| &known.row)
}

fn is_leaving(name: &str) -> bool {
    row(name).is_some_and(|row| row.control == Control::Leaves)
}

/// Whether only the operating system can say what a function does, and a number is all that it gives back.
fn asks_the_system(program: &Program, function: &Function) -> bool {
    let is_number = match function.result {
        ResultPassing::Void => true,
        ResultPassing::Direct(ty) => matches!(ty, Ty::Int(_)),
        ResultPassing::Indirect => false,
    };
    let calls_back = function.params.iter().any(|param| is_callback(program, param.source_type));
    is_number
        && !calls_back
        && !function.name.starts_with("__")
        && is_of_system(program, function)
        && row(&function.name).is_none_or(is_replaceable)
}

/// Whether a function gives a text of the surroundings: `getenv`, `strerror`. A test that asks the real one is about the
/// machine.
fn asks_for_a_setting(program: &Program, function: &Function) -> bool {
    let is_surroundings =
        |row: &Row| row.determinism == Determinism::Surroundings && row.control == Control::Returns;
    let is_text = program.pointee(function.result_source_type).is_some_and(|target| {
        matches!(program.shape(target), Shape::Number(Number::Int { width: 8, .. }))
    });
    let takes_constants = function.params.iter().all(|param| {
        let declared = program.source_type(program.resolve_source_type(param.source_type));
        !matches!(declared, SourceType::Pointer { is_const: false, .. })
    });
    is_text
        && takes_constants
        && function.params.len() == 1
        && row(&function.name).is_some_and(|row| {
            is_surroundings(row) && !row.calls_back && !row.allocates && !row.is_output
        })
}

/// Whether nothing that we know about the function is lost by a stub.
fn is_replaceable(row: &Row) -> bool {
    let is_open = row.body == Body::Missing || row.determinism == Determinism::Surroundings;
    let is_plain = row.control == Control::Returns && row.reads == Reads::Nothing;
    is_open && is_plain && !row.calls_back && !row.allocates && !row.is_output
}

fn is_of_system(program: &Program, function: &Function) -> bool {
    let Some(file) = program.files.get(function.span.file.index()) else { return false };
    let path = Path::new(&file.path);
    let is_below = path.parent().is_some_and(|folder| folder.ends_with(FOLDER));
    is_below || HEADERS.iter().any(|header| path.ends_with(header))
}

/// Whether a library that is not the system's declares a function: nothing is known of it, and tests are not linked with
/// it.
fn is_of_another_library(program: &Program, function: &Function) -> bool {
    let file = program.files.get(function.span.file.index());
    let file = file.filter(|file| file.origin == FileOrigin::System && !function.span.is_nowhere());
    row(&function.name).is_none() && file.is_some_and(|file| !is_standard(Path::new(&file.path)))
}

fn is_callback(program: &Program, ty: SourceTypeId) -> bool {
    let resolved = program.source_type(program.resolve_source_type(ty));
    let SourceType::Pointer { target, .. } = resolved else { return false };
    let target = program.source_type(program.resolve_source_type(*target));
    matches!(target, SourceType::Function { .. })
}
