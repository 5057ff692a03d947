//! Names in a C test: of parameters, objects and what pointers lead to.

use std::cell::Cell;

use glassbox_ir::instr::CastOp;
use glassbox_ir::{FuncId, Global, GlobalKind, InstrKind, Origin, Program, PureOp, SourceTypeId};
use glassbox_testcase::{InputPointer, TestInput};

use crate::c_literal::{self, Names};
use crate::c_object_names;
use crate::c_runtime;
use crate::c_test::TestFile;
use crate::calls::reached;
use crate::spelling::Spellings;
use crate::stub::{is_renamed, stubbed};
use crate::unit_names::UnitNames;

/// The name that `main` of the source under test has in a test file.
pub(crate) const RENAMED_MAIN: &str = "glassbox_renamed_main";

/// How names start that functions of the source have there that are called like one of `glassbox.h`.
const RENAMED: &str = "glassbox_renamed_";

/// What is renamed because `glassbox.h` has the name already, and how it is called then.
pub(crate) fn renamed_users(program: &Program) -> Vec<(&str, String)> {
    let users = program.functions.iter().filter(|function| function.origin == Origin::User);
    let taken = users.filter(|function| is_of_runtime(&function.name));
    taken.map(|function| (function.name.as_str(), format!("{RENAMED}{}", function.name))).collect()
}

/// Whether the header that tests begin with has this name.
fn is_of_runtime(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    name.starts_with("glassbox_")
        && c_runtime::HEADER.split(|c: char| !is_part(c)).any(|word| word == name)
}

/// Whether what runs the tests calls a function of the system by this name: a stub must not take its place.
pub(crate) fn is_called_by_runtime(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let calls = |line: &str| {
        line.match_indices(name).any(|(at, _)| {
            let is_start = !line[..at].ends_with(is_part);
            is_start && line[at + name.len()..].starts_with('(')
        })
    };
    let is_inside = |line: &&str| line.starts_with(char::is_whitespace);
    let (inside, outside): (Vec<&str>, Vec<&str>) = c_runtime::SOURCE.lines().partition(is_inside);
    inside.into_iter().any(calls) && !outside.into_iter().any(calls)
}

/// How names start that functions of the system have there.
pub(crate) const RENAMED_STUB: &str = "glassbox_stub_";

/// A function that clears a large record would fill more than a screen.
pub const MOST_SAME: usize = 12;

/// Names of the test's objects.
pub(crate) struct TestNames<'a> {
    pub(crate) program: &'a Program,
    pub(crate) unit: &'a UnitNames,
    /// Whether code under test makes numbers of addresses.
    pub(crate) sees_addresses: bool,
    /// How many more scalars are compared that were written and stayed the same.
    pub(crate) n_same: Cell<usize>,
    pub(crate) objects: Vec<String>,
    pub(crate) element_types: Vec<SourceTypeId>,
    /// The variable that takes what the call gives.
    pub(crate) result: String,
    /// How the source spells what the function returns.
    pub(crate) spellings: Spellings,
}

impl TestNames<'_> {
    pub(crate) fn new<'a>(file: &'a TestFile<'_>, input: &TestInput) -> TestNames<'a> {
        TestNames {
            program: file.program,
            unit: &file.names,
            sees_addresses: sees_addresses(file.program, file.function),
            n_same: Cell::new(MOST_SAME),
            objects: object_names(file, input),
            element_types: input.objects.iter().map(|object| object.element_type).collect(),
            result: result_name(file),
            spellings: Spellings::of(file.program, &file.names, file.function),
        }
    }
}

impl Names for TestNames<'_> {
    fn pointer(&self, pointer: InputPointer) -> String {
        match pointer {
            InputPointer::Null => "0".to_owned(),
            InputPointer::Object { object, offset } => {
                let name = self.objects.get(object).map_or("0", String::as_str);
                let element = self.element_types.get(object).copied();
                let size = element
                    .map_or(1, |ty| glassbox_testcase::image::size_of(self.program, ty).max(1));
                match (offset / size, offset % size) {
                    (0, 0) => name.to_owned(),
                    (index, 0) => format!("{name} + {index}"),
                    _ => format!("(void *)((char *){name} + {offset})"),
                }
            }
            InputPointer::Global { global, offset } => {
                let declared = self.program.global(global);
                let start = match literal_text(declared) {
                    Some(text) if offset == 0 => return text,
                    Some(text) => text,
                    None => format!("&{}", declared.name),
                };
                if offset == 0 {
                    format!("(void *){start}")
                } else {
                    format!("(void *)((char *){start} + {offset})")
                }
            }
            InputPointer::Function(function) => callee(self.program, function),
        }
    }

    fn element_type(&self, pointer: InputPointer) -> Option<SourceTypeId> {
        let InputPointer::Object { object, offset } = pointer else { return None };
        let ty = self.element_types.get(object).copied()?;
        let size = glassbox_testcase::image::size_of(self.program, ty).max(1);
        // Other places are written as `void *`.
        (offset % size == 0).then_some(ty)
    }
}

/// A string literal of the program, written again: it has no name, and equal ones of a unit are one object.
fn literal_text(global: &Global) -> Option<String> {
    let bytes = &global.initializer.as_ref()?.bytes;
    let text = bytes.strip_suffix(&[0]).unwrap_or(bytes);
    (global.kind == GlobalKind::StringLiteral).then(|| c_literal::string(text))
}

/// Whether the function, or one that it calls by name, makes a number of an address.
pub fn sees_addresses(program: &Program, function: FuncId) -> bool {
    let reached = reached(program, function);
    let is_own = |id: &FuncId| program.function(*id).origin == Origin::User;
    let own = reached.into_iter().filter(is_own).map(|id| program.function(id));
    let blocks = own.filter_map(|own| own.body.as_ref()).flat_map(|body| &body.blocks);
    blocks.flat_map(|block| &block.instrs).any(|instr| {
        matches!(&instr.kind, InstrKind::Pure(PureOp::Cast { op: CastOp::PtrToInt, .. }))
    })
}

/// What a function is called in a test file: its opening renames `main` and functions of the system.
pub(crate) fn callee(program: &Program, function: FuncId) -> String {
    let name = &program.function(function).name;
    if name == "main" {
        RENAMED_MAIN.to_owned()
    } else if is_of_runtime(name) && program.function(function).origin == Origin::User {
        format!("{RENAMED}{name}")
    } else if is_renamed(program, function) {
        format!("{RENAMED_STUB}{name}")
    } else {
        name.clone()
    }
}

/// The variable that takes what the call gives. Contracts speak of `result`.
pub(crate) fn result_name(file: &TestFile<'_>) -> String {
    const RESULT: &str = "result";
    let is_function = file.program.function(file.function).name == RESULT;
    match (is_function, file.spec.checks.is_empty()) {
        (true, _) => format!("glassbox_{RESULT}"),
        (false, true) => file.names.free(RESULT),
        (false, false) => RESULT.to_owned(),
    }
}

/// Names of the parameters' variables: their own, unless one hides a name of the unit, the function under
/// test or another variable of the test.
pub(crate) fn param_names(file: &TestFile<'_>, input: &TestInput) -> Vec<String> {
    let program = file.program;
    let result = result_name(file);
    let is_hidden = |name: &str| {
        let mut globals = program.globals.iter();
        name == result
            || name == program.function(file.function).name
            || file.names.has(name)
            || globals.any(|global| is_variable(global.kind) && global.name == name)
    };
    let mut names: Vec<String> = Vec::new();
    for param in &input.params {
        let mut name = c_name(&param.name);
        while is_hidden(&name) || names.contains(&name) {
            name.push_str("_arg");
        }
        names.push(name);
    }
    names
}

/// Whether a global has a name in C.
pub(crate) fn is_variable(kind: GlobalKind) -> bool {
    kind.is_accessible() || kind == GlobalKind::LibraryState
}

/// Names for the objects that differ from each other, from the parameters and from what the program
/// declares.
fn object_names(file: &TestFile<'_>, input: &TestInput) -> Vec<String> {
    let program = file.program;
    let mut taken = param_names(file, input);
    taken.push(result_name(file));
    taken.extend(program.globals.iter().map(|global| global.name.clone()));
    taken.extend(program.functions.iter().map(|function| function.name.clone()));
    let is_taken = |taken: &[String], name: &String| taken.contains(name) || file.names.has(name);
    // Tables of a stub are named after it.
    let stubs: Vec<String> =
        stubbed(file).into_iter().map(|stub| format!("{}_", program.function(stub).name)).collect();
    let is_of_stub = |name: &String| stubs.iter().any(|stub| name.starts_with(stub));
    let mut names = Vec::new();
    for base in c_object_names::object_names(program, input) {
        let base = if is_taken(&taken, &base) || is_of_stub(&base) {
            format!("{base}_data")
        } else {
            base
        };
        let mut name = base.clone();
        let mut number = 2;
        while is_taken(&taken, &name) {
            name = format!("{base}{number}");
            number += 1;
        }
        taken.push(name.clone());
        names.push(name);
    }
    names
}

/// An identifier for a C variable.
pub(crate) fn c_name(name: &str) -> String {
    let mut clean: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    while clean.ends_with('_') {
        clean.pop();
    }
    if clean.is_empty() || clean.starts_with(|c: char| c.is_ascii_digit()) {
        clean.insert_str(0, "arg");
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::is_called_by_runtime;

    #[test]
    fn the_runtime_calls_functions_of_the_system_and_its_own() {
        let called = ["waitpid", "fork", "_exit", "run", "run_probed", "wait", "glassbox_check"]
            .map(is_called_by_runtime);
        assert_eq!(called, [true, true, true, false, false, false, false]);
    }
}
