//! Stubs: definitions of functions that the program calls and does not define. They return, and write behind
//! their pointer arguments, what the test says, call by call.

use std::collections::BTreeSet;
use std::fmt::Write;

use glassbox_ir::library::is_system;
use glassbox_ir::{
    FileOrigin, FuncId, Linkage, Origin, Program, ResultPassing, SourceType, SourceTypeId,
};
use glassbox_library::Control;
use glassbox_testcase::{InputPointer, InputValue, StubResult, TestInput};

use crate::c_input::{Assignments, element_declaration};
use crate::c_literal::{Names, array_initializer, initializer};
use crate::c_names::{RENAMED_STUB, c_name, callee, is_called_by_runtime};
use crate::c_test::TestFile;
use crate::c_type::declare;

/// Functions that need a stub in a test file: declared by the user, defined nowhere and not part of the
/// system, unless they are inputs; stand-ins where a test passes them.
pub fn stubbed(file: &TestFile<'_>) -> Vec<FuncId> {
    let program = file.program;
    let passed: BTreeSet<FuncId> =
        file.tests.iter().flat_map(|test| passed_functions(test.input)).collect();
    let needs_stub = |id: &FuncId| {
        program.function(*id).body.is_none()
            && (!is_system(program, *id) || is_random(&program.function(*id).name))
            && (!program.is_stand_in(*id) || passed.contains(id))
    };
    program.function_ids().filter(needs_stub).collect()
}

/// Functions of the system that tests replace: their results are inputs.
fn is_random(name: &str) -> bool {
    glassbox_library::is_input(name)
}

/// Functions of the system that tests have stubs of, with the names that these have: everything else in a test
/// program goes on calling the system's.
pub fn renamed(program: &Program) -> Vec<(&str, String)> {
    let all = program.function_ids().filter(|&id| is_renamed(program, id));
    let names = all.map(|id| program.function(id).name.as_str());
    names.map(|name| (name, format!("{RENAMED_STUB}{name}"))).collect()
}

/// Whether a function that the user's program leaves undefined is declared by the system, or is one that what runs the
/// tests needs, whoever declares it.
pub(crate) fn is_renamed(program: &Program, id: FuncId) -> bool {
    let function = program.function(id);
    let file = program.files.get(function.span.file.index());
    function.body.is_none()
        && function.origin == Origin::User
        && !function.span.is_nowhere()
        && (file.is_some_and(|file| file.origin == FileOrigin::System)
            || is_called_by_runtime(&function.name))
}

/// Whether a function jumps to where the test was not.
fn is_leaving(name: &str) -> bool {
    glassbox_library::find(name).is_some_and(|known| known.row.control == Control::Leaves)
}

/// Functions that pointers of the input refer to.
fn passed_functions(input: &TestInput) -> BTreeSet<FuncId> {
    let mut found = BTreeSet::new();
    let earlier = input.earlier.iter().flatten();
    let params = input.params.iter().chain(earlier).map(|param| &param.value);
    let objects = input.objects.iter().flat_map(|object| &object.elements);
    let globals = input.globals.iter().map(|(_, value)| value);
    let results = input.stubs.iter().flat_map(|stub| &stub.result);
    let writes = input.stubs.iter().flat_map(|stub| &stub.writes);
    let writes = writes.flat_map(|write| &write.elements);
    for value in params.chain(objects).chain(globals).chain(results).chain(writes) {
        collect_functions(value, &mut found);
    }
    found
}

fn collect_functions(value: &InputValue, found: &mut BTreeSet<FuncId>) {
    match value {
        InputValue::Pointer(InputPointer::Function(function)) => {
            found.insert(*function);
        }
        InputValue::Struct(parts) | InputValue::Array(parts) => {
            parts.iter().for_each(|part| collect_functions(part, found));
        }
        InputValue::Union { value, .. } => collect_functions(value, found),
        InputValue::Int(_)
        | InputValue::Float(_)
        | InputValue::Bytes(_)
        | InputValue::Pointer(_) => {}
    }
}

/// Whether a test asks anything of stubs.
pub(crate) fn asks(input: &TestInput) -> bool {
    !input.stubs.is_empty() || !passed_functions(input).is_empty()
}

/// Calls of a function in one test, in order.
fn calls(input: &TestInput, function: FuncId) -> impl Iterator<Item = &StubResult> {
    input.stubs.iter().filter(move |stub| stub.function == function)
}

/// What the tests of a file ask of one stub.
struct Shape {
    /// The most calls in one test.
    n_calls: usize,
    /// Parameters behind which some call writes.
    written: BTreeSet<usize>,
    /// Some call ends the run, of a function that returns otherwise.
    has_end: bool,
}

fn shape(file: &TestFile<'_>, function: FuncId) -> Shape {
    let mut shape = Shape { n_calls: 0, written: BTreeSet::new(), has_end: false };
    let is_noreturn = file.program.function(function).is_noreturn;
    for test in &file.tests {
        shape.n_calls = shape.n_calls.max(calls(test.input, function).count());
        let writes = calls(test.input, function).flat_map(|stub| &stub.writes);
        shape.written.extend(writes.map(|write| write.param));
        shape.has_end |= !is_noreturn && calls(test.input, function).any(|stub| stub.ends);
    }
    shape
}

/// The name of a source parameter in the stub's definition.
pub(crate) fn param_name(program: &Program, function: FuncId, position: usize) -> String {
    let function = program.function(function);
    let n_hidden = usize::from(function.result == ResultPassing::Indirect);
    let name = function.params.get(n_hidden + position).map_or("", |param| &param.name);
    if name.is_empty() { format!("p{position}") } else { c_name(name) }
}

fn is_void(program: &Program, ty: SourceTypeId) -> bool {
    matches!(program.source_type(program.resolve_source_type(ty)), SourceType::Void)
}

/// Definitions of all stubs.
pub fn definitions(file: &TestFile<'_>) -> String {
    let mut out = String::new();
    let stubs = stubbed(file);
    let shapes: Vec<Shape> = stubs.iter().map(|&id| shape(file, id)).collect();
    if shapes.iter().any(|shape| !shape.written.is_empty()) {
        out.push_str("/* What a stub writes where an argument points. */\n");
        out.push_str("struct glassbox_write { const void *from; unsigned long size; };\n\n");
    }
    for (&id, shape) in stubs.iter().zip(&shapes) {
        let checks: String = file
            .requirements
            .iter()
            .filter(|requirement| requirement.function == id)
            .map(|requirement| format!(" {}", requirement.text))
            .collect();
        definition(&mut out, file, id, shape, &checks);
    }
    out
}

fn definition(out: &mut String, file: &TestFile<'_>, id: FuncId, shape: &Shape, checks: &str) {
    let program = file.program;
    let function = program.function(id);
    let name = &function.name;
    let n_hidden = usize::from(function.result == ResultPassing::Indirect);
    let mut params: Vec<String> = function
        .params
        .iter()
        .skip(n_hidden)
        .enumerate()
        .map(|(index, param)| declare(program, param.source_type, &param_name(program, id, index)))
        .collect();
    if function.is_variadic && !params.is_empty() {
        params.push("...".to_owned());
    }
    let list = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let is_stand_in = program.is_stand_in(id);
    let _ = if is_random(name) {
        writeln!(out, "/* Stub: what `{name}` returns is an input. */")
    } else if is_stand_in {
        writeln!(out, "/* Stub: any function that a caller may pass. */")
    } else if is_leaving(name) {
        writeln!(out, "/* Stub: nothing in the test waits for `{name}`, which ends it. */")
    } else if let Some(line) = name.strip_prefix("glassbox_assembly_") {
        let line = line.split('_').next().unwrap_or_default();
        writeln!(out, "/* Stub: what the assembly of line {line} does is an input. */")
    } else if is_renamed(program, id) {
        writeln!(out, "/* Stub: what the system's `{name}` does is an input. */")
    } else {
        writeln!(out, "/* Stub: `{name}` is not defined in the sources under test. */")
    };
    let storage = match function.linkage {
        Linkage::Internal => "static ",
        // Real ones may be linked instead.
        Linkage::External => "__attribute__((weak)) ",
    };
    let declared =
        |name: &str| declare(program, function.result_source_type, &format!("{name}({list})"));
    let is_said = file.names.volatile.contains(name) || file.names.restrict.contains(name);
    let head = if is_said && function.linkage == Linkage::External {
        // Types as data have no `volatile` and no `restrict`, so another C name stands for the same symbol.
        let head = declared(&format!("{RENAMED_STUB}{name}"));
        let _ = writeln!(out, "{head} __asm__(\"{name}\");");
        head
    } else {
        declared(&file.names.function(&callee(program, id)))
    };
    if function.is_noreturn {
        let _ = writeln!(out, "{storage}{head} {{{checks} __builtin_exit(0); }}\n");
        return;
    }
    let has_result = !is_void(program, function.result_source_type);
    if !has_result && shape.written.is_empty() && !shape.has_end {
        let _ = writeln!(out, "{storage}{head} {{{checks}}}\n");
        return;
    }
    if shape.n_calls == 0 {
        let none = declare(program, function.result_source_type, "glassbox_none");
        let _ = writeln!(
            out,
            "{storage}{head}\n{{\n   {checks} static {none};\n    return glassbox_none;\n}}\n"
        );
        return;
    }
    let n_calls = shape.n_calls;
    let _ = writeln!(out, "static int {name}_calls;");
    if shape.has_end {
        let _ = writeln!(out, "static int {name}_ends; /* the call that ends the run, or 0 */");
    }
    if has_result {
        let array = format!("{name}_results[{n_calls}]");
        let _ = writeln!(out, "static {};", declare(program, function.result_source_type, &array));
    }
    for &position in &shape.written {
        let param = param_name(program, id, position);
        let _ = writeln!(out, "static struct glassbox_write {name}_{param}[{n_calls}];");
    }
    let _ = writeln!(out, "{storage}{head}\n{{");
    if !checks.is_empty() {
        let _ = writeln!(out, "   {checks}");
    }
    let has_table = has_result || !shape.written.is_empty();
    if shape.has_end {
        let _ = writeln!(out, "    if ({name}_calls + 1 == {name}_ends)");
        let _ = writeln!(out, "        __builtin_exit(0);");
    }
    let _ = if has_table {
        writeln!(out, "    int glassbox_call = {name}_calls++ % {n_calls};")
    } else {
        writeln!(out, "    {name}_calls++;")
    };
    for &position in &shape.written {
        let param = param_name(program, id, position);
        let table = format!("{name}_{param}[glassbox_call]");
        let _ = writeln!(out, "    if ({table}.size)");
        let _ =
            writeln!(out, "        __builtin_memcpy((void *){param}, {table}.from, {table}.size);");
    }
    if has_result {
        let _ = writeln!(out, "    return {name}_results[glassbox_call];");
    }
    out.push_str("}\n\n");
}

/// Statements that set what the stubs do in one test.
pub fn settings(file: &TestFile<'_>, input: &TestInput, names: &dyn Names) -> String {
    let program = file.program;
    let mut out = String::new();
    for id in stubbed(file) {
        let function = program.function(id);
        let name = &function.name;
        let mut is_set = false;
        // One that never returns has nothing to give.
        let returning = calls(input, id).filter(|_| !function.is_noreturn);
        for (index, stub) in returning.enumerate() {
            if let Some(value) = &stub.result {
                let ty = function.result_source_type;
                let text = initializer(program, ty, value, names);
                // Records are assigned as compound literals.
                let is_scalar = matches!(
                    value,
                    InputValue::Int(_) | InputValue::Float(_) | InputValue::Pointer(_)
                );
                let cast = if is_scalar {
                    String::new()
                } else {
                    format!("({})", declare(program, ty, ""))
                };
                let _ = writeln!(out, "    {name}_results[{index}] = {cast}{text};");
                is_set = true;
            }
            for write in &stub.writes {
                let param = param_name(program, id, write.param);
                let local = format!("{name}_{param}_{index}");
                let n_elements = write.elements.len();
                let declared = element_declaration(
                    program,
                    write.element_type,
                    &format!("{local}[{n_elements}]"),
                );
                let values = array_initializer(program, write.element_type, &write.elements, names);
                let _ = writeln!(out, "    {declared} = {values};");
                let mut rest = Assignments { out: &mut out, program, names, known: None };
                for (at, value) in write.elements.iter().enumerate() {
                    rest.add(&format!("{local}[{at}]"), write.element_type, value, false);
                }
                let table = format!("{name}_{param}[{index}]");
                let _ = writeln!(
                    out,
                    "    {table} = (struct glassbox_write){{{local}, sizeof {local}}};"
                );
                is_set = true;
            }
        }
        let ends = calls(input, id).position(|stub| stub.ends && !function.is_noreturn);
        if shape(file, id).has_end {
            let last = ends.map_or(0, |index| index + 1);
            let _ = writeln!(out, "    {name}_ends = {last};");
            is_set = true;
        }
        if is_set {
            let _ = writeln!(out, "    {name}_calls = 0;");
        }
    }
    out
}
