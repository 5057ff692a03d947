//! One C test function: inputs, the call, assertions.

use std::fmt::Write;
use std::sync::Arc;

use glassbox_ir::{CheckKind, FuncId, GlobalId, Program, ResultPassing, Span};
use glassbox_library::ERRNO_OBJECT;
use glassbox_testcase::{Ending, Observation, TestInput};

use crate::c_check::{Left, LeftElements, check_elements, check_left, check_value};
use crate::c_input::{declare_objects, set_global, used_objects};
use crate::c_literal::{self, arguments, initializer};
use crate::c_names::{TestNames, callee, param_names};
use crate::c_type::declare;
use crate::standard_input::reads_input;
use crate::unit_names::UnitNames;
use crate::{allocation, file, shared_state, stub, variadic};

/// A test to write down.
#[derive(Debug, Clone)]
pub struct TestFile<'a> {
    pub program: &'a Program,
    pub function: FuncId,
    /// The source to include, as the test file sees it.
    pub include: String,
    /// What the unit under test calls its own.
    pub names: Arc<UnitNames>,
    /// Whether the tests run one after the other in one process, so that each has to begin with what the program
    /// begins with.
    pub shares_process: bool,
    pub spec: Spec,
    /// What stubs check when they are called.
    pub requirements: Vec<StubRequirement>,
    /// Where `function` stands in no source and compares calls: its body, and the place of what it says.
    pub relation: Option<RelationText>,
    pub tests: Vec<TestText<'a>>,
}

/// A function that compares calls, in C.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelationText {
    pub body: String,
    /// `glassbox.toml:3`
    pub place: String,
}

/// Statements at the start of the stub of a function; they call its parameters `p0`, `p1` and so on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StubRequirement {
    pub function: FuncId,
    pub text: String,
}

/// What a contract promises about every call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spec {
    /// Statements before the call that keep values.
    pub before: Vec<String>,
    pub checks: Vec<SpecCheck>,
    /// Lines of files with assertions that only a copy of the source has as code.
    pub asserted: Vec<(String, u32)>,
}

/// A promise: a C expression over parameters, globals, `result` and old values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecCheck {
    pub text: String,
    /// Where it was written.
    pub file: String,
    pub line: usize,
    /// The file has nothing but contracts in it.
    pub is_alone: bool,
}

impl SpecCheck {
    fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

#[derive(Debug, Clone)]
pub struct TestText<'a> {
    pub name: String,
    pub input: &'a TestInput,
    pub expected: &'a Observation,
    /// What it covers, in words.
    pub covers: Vec<String>,
    /// The path's constraints, readable.
    pub constraints: Vec<String>,
    /// What stands in the test, where it does not call the function with the input and compare.
    pub body: Option<String>,
}

impl TestFile<'_> {
    /// Whether the place is a promise of the contract.
    fn is_promise(&self, span: Span) -> bool {
        let path = self.program.files.get(span.file.index()).map(|file| file.path.as_str());
        let line = usize::try_from(span.line).ok();
        let is_check = |check: &SpecCheck| {
            Some(check.file.as_str()) == path && (check.is_alone || Some(check.line) == line)
        };
        let mut asserted = self.spec.asserted.iter();
        self.spec.checks.iter().any(is_check)
            || asserted.any(|(file, line)| Some(file.as_str()) == path && *line == span.line)
    }
}

impl TestText<'_> {
    /// The status, if the call is to end in `exit`.
    pub fn exit_status(&self) -> Option<i32> {
        if let Ending::Exited(status) = self.expected.ending { Some(status & 0xff) } else { None }
    }

    /// Whether an assertion or a run-time error is to end the call.
    pub fn is_stopped(&self) -> bool {
        matches!(self.expected.ending, Ending::Aborted | Ending::Failed { .. })
    }

    /// Whether the call is to lose memory.
    pub fn is_leak(&self) -> bool {
        matches!(self.expected.ending, Ending::Failed { kind: CheckKind::Leak, .. })
    }

    /// How the plain framework calls the ending.
    pub fn plain_ending(&self, file: &TestFile<'_>) -> String {
        match &self.expected.ending {
            Ending::Exited(status) => (status & 0xff).to_string(),
            Ending::Failed { kind: CheckKind::Precondition | CheckKind::Relation, .. } => {
                "GLASSBOX_BREAKS".to_owned()
            }
            Ending::Failed { span, .. } if file.is_promise(*span) => "GLASSBOX_BREAKS".to_owned(),
            Ending::Aborted | Ending::Failed { kind: CheckKind::Assertion, .. } => {
                "GLASSBOX_ABORTS".to_owned()
            }
            Ending::Failed { .. } => "GLASSBOX_FAILS".to_owned(),
            Ending::Returned
            | Ending::Rejected
            | Ending::Thrown(_)
            | Ending::Stopped
            | Ending::Unsupported { .. } => "GLASSBOX_RETURNS".to_owned(),
        }
    }

    fn oracle(&self) -> String {
        if self.body.is_some() {
            return "specification".to_owned();
        }
        match &self.expected.ending {
            Ending::Failed { kind: CheckKind::Assertion, span } => {
                format!("counter-example (the assertion of line {} stops the call)", span.line)
            }
            Ending::Failed { kind: CheckKind::Precondition, span } => {
                format!("counter-example (the call of line {} breaks a contract)", span.line)
            }
            Ending::Failed { kind: CheckKind::Relation, span } => {
                format!("counter-example (the relation of line {} does not hold)", span.line)
            }
            Ending::Failed { kind: CheckKind::Leak, span } => {
                format!(
                    "counter-example (memory allocated at line {} is lost; build with sanitizers)",
                    span.line
                )
            }
            Ending::Failed { kind, span } => {
                format!(
                    "counter-example ({} at line {}; build with sanitizers)",
                    kind.name(),
                    span.line
                )
            }
            Ending::Returned
            | Ending::Exited(_)
            | Ending::Aborted
            | Ending::Rejected
            | Ending::Thrown(_)
            | Ending::Stopped
            | Ending::Unsupported { .. } => "regression (recorded from a run)".to_owned(),
        }
    }
}

/// The text of one test function, ending in a newline.
pub fn test_function(file: &TestFile<'_>, test: &TestText<'_>) -> String {
    test_function_as(file, test, &format!("static void {}(void)", test.name))
}

/// The same with the head that a framework wants.
pub fn test_function_as(file: &TestFile<'_>, test: &TestText<'_>, head: &str) -> String {
    let program = file.program;
    let names = TestNames::new(file, test.input);
    let mut out = String::new();
    comment(&mut out, test, &file.spec);
    let _ = writeln!(out, "{head}\n{{");
    if file.shares_process {
        let _ = writeln!(out, "    {}();", shared_state::START);
    }
    if let Some(body) = &test.body {
        let _ = writeln!(out, "{body}}}");
        return out;
    }
    let known = declare_objects(&mut out, test, &names);
    // What comes between this and the call may change `errno`.
    let is_errno = |global: GlobalId| program.global(global).name == ERRNO_OBJECT;
    for (global, value) in test.input.globals.iter().filter(|(global, _)| !is_errno(*global)) {
        set_global(&mut out, (*global, value), &names, &known);
    }
    out.push_str(&stub::settings(file, test.input, &names));
    let mut args = Vec::new();
    let param_names = param_names(file, test.input);
    for (param, name) in test.input.params.iter().zip(param_names) {
        if !variadic::is_va_list(program, param.source_type) {
            let text = initializer(program, param.source_type, &param.value, &names);
            let _ = writeln!(out, "    {} = {text};", declare(program, param.source_type, &name));
        }
        args.push(name);
    }
    if !test.input.stdin.is_empty() || reads_input(program, file.function) {
        let bytes = &test.input.stdin;
        let _ = writeln!(
            out,
            "    glassbox_stdin(\"{}\", {});",
            c_literal::string_bytes(bytes),
            bytes.len()
        );
    }
    out.push_str(&file::found(file, test.input));
    let has_spec = test.exit_status().is_none();
    for statement in file.spec.before.iter().filter(|_| has_spec) {
        let _ = writeln!(out, "    {statement}");
    }
    for (global, value) in test.input.globals.iter().filter(|(global, _)| is_errno(*global)) {
        set_global(&mut out, (*global, value), &names, &known);
    }
    // Allocations are counted from the first call on.
    out.push_str(&allocation::failing(test.input));
    for earlier in &test.input.earlier {
        let given = arguments(program, earlier, &names);
        let name = file.names.function(&callee(program, file.function));
        let _ = writeln!(out, "    (void){name}({given});");
    }
    let call = variadic::call(file, &args);
    call_and_check(&mut out, file, test, &call, &names);
    out.push_str("}\n");
    out
}

/// The definition of the function that compares calls.
pub(crate) fn relation_definition(file: &TestFile<'_>) -> String {
    let Some(relation) = &file.relation else { return String::new() };
    let function = file.program.function(file.function);
    let params = function.params.iter();
    let mut params: Vec<String> =
        params.map(|param| declare(file.program, param.source_type, &param.name)).collect();
    if params.is_empty() {
        params.push("void".to_owned());
    }
    format!("static int {}({})\n{}\n", function.name, params.join(", "), relation.body)
}

/// How much of a path a comment shows: what covers what is said above, the rest is in the report.
const MOST_PATH_LINES: usize = 2;
const LONGEST_PATH_LINE: usize = 80;

/// Whether a condition of a path is short and about what the source names.
fn is_for_people(constraint: &str) -> bool {
    constraint.len() <= LONGEST_PATH_LINE && !constraint.contains("length(")
}

fn comment(out: &mut String, test: &TestText<'_>, spec: &Spec) {
    let clean = |text: &str| text.replace("*/", "* /");
    let _ = writeln!(out, "/*");
    for goal in &test.covers {
        let _ = writeln!(out, " * covers: {}", clean(goal));
    }
    let short = || test.constraints.iter().filter(|constraint| is_for_people(constraint));
    for constraint in short().take(MOST_PATH_LINES) {
        let _ = writeln!(out, " * path:   {}", clean(constraint));
    }
    let n_shown = short().take(MOST_PATH_LINES).count();
    if test.constraints.len() > n_shown && n_shown > 0 {
        let _ = writeln!(out, " * path:   and {} more", test.constraints.len() - n_shown);
    }
    for check in spec.checks.iter().filter(|_| test.exit_status().is_none()) {
        let _ = writeln!(out, " * oracle: spec ({}: {})", check.place(), clean(&check.text));
    }
    let _ = writeln!(out, " * oracle: {}\n */", test.oracle());
}

fn call_and_check(
    out: &mut String,
    file: &TestFile<'_>,
    test: &TestText<'_>,
    call: &str,
    names: &TestNames<'_>,
) {
    let program = file.program;
    let function = program.function(file.function);
    if let Some(status) = test.exit_status() {
        let _ = writeln!(out, "    glassbox_expect_exit({status});");
    }
    if let Some(relation) = &file.relation {
        let _ = writeln!(out, "    CHECK({call}); /* relation: {} */", relation.place);
        return;
    }
    if test.is_leak() {
        return out.push_str(&allocation::losing_call(program, file.function, call, &names.result));
    }
    match (&function.result, &test.expected.result) {
        // A promise may speak of a result that no run has shown.
        (ResultPassing::Direct(_) | ResultPassing::Indirect, None)
            if !file.spec.checks.is_empty() && test.exit_status().is_none() =>
        {
            let result = declare(program, function.result_source_type, &names.result);
            let _ = writeln!(out, "    {result} = {call};");
        }
        (ResultPassing::Void, _) | (_, None) => {
            let _ = writeln!(out, "    {call};");
        }
        (_, Some(value)) => {
            let ty = function.result_source_type;
            let result = &names.result;
            let _ = writeln!(out, "    {} = {call};", declare(program, ty, result));
            let resolved = program.source_type(program.resolve_source_type(ty));
            match names.spellings.of_value(resolved, value) {
                Some(spelling) => {
                    let _ = writeln!(out, "    CHECK({result} == {spelling});");
                }
                None => check_value(out, ty, result, value, names),
            }
        }
    }
    for check in file.spec.checks.iter().filter(|_| test.exit_status().is_none()) {
        let _ = writeln!(out, "    CHECK({}); /* spec: {} */", check.text, check.place());
    }
    check_memory(out, test, names);
}

/// Checks what the call left behind its pointers and in globals.
fn check_memory(out: &mut String, test: &TestText<'_>, names: &TestNames<'_>) {
    let expected = test.expected;
    let used = used_objects(names.program, test);
    for (position, object) in test.input.objects.iter().enumerate() {
        let changed = expected.changed_objects.iter().find(|(changed, _)| *changed == position);
        let written = expected.written_objects.iter().find(|written| written.object == position);
        let is_list = names.program.is_va_list_tag(object.element_type);
        if object.stream.is_some() {
            continue;
        }
        if is_list || !used.contains(&position) || expected.freed_objects.contains(&position) {
            continue;
        }
        let left = LeftElements {
            before: Some(&object.elements),
            after: changed.map_or(&object.elements, |(_, after)| after),
            written: written.map_or(&[], |written| &written.bytes),
        };
        check_elements(out, object.element_type, &names.objects[position], &left, 0, names);
    }
    for written in &expected.written_globals {
        let declared = names.program.global(written.global);
        let left = Left { before: None, after: &written.after, written: &written.bytes, offset: 0 };
        check_left(out, declared.source_type, &declared.name, &left, names);
    }
    // What is changed and not seen written.
    let is_seen =
        |global: GlobalId| expected.written_globals.iter().any(|written| written.global == global);
    for (global, value) in expected.changed_globals.iter().filter(|(global, _)| !is_seen(*global)) {
        let declared = names.program.global(*global);
        check_value(out, declared.source_type, &declared.name, value, names);
    }
}
