//! One C test function: inputs, the call, assertions.

use std::fmt::Write;

use glassbox_ir::{
    CheckKind, FuncId, GlobalId, GlobalKind, Program, ResultPassing, SourceType, SourceTypeId, Span,
};
use glassbox_library::ERRNO_OBJECT;
use glassbox_testcase::{Ending, InputPointer, InputValue, Observation, TestInput};

use crate::allocation;
use crate::c_literal::{self, Names, elements_text, initializer};
use crate::c_type::declare;
use crate::standard_input::reads_input;
use crate::stub;

/// A test to write down.
#[derive(Debug, Clone)]
pub struct TestFile<'a> {
    pub program: &'a Program,
    pub function: FuncId,
    /// The source to include, as the test file sees it.
    pub include: String,
    pub spec: Spec,
    /// What stubs check when they are called.
    pub requirements: Vec<StubRequirement>,
    pub tests: Vec<TestText<'a>>,
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
    /// Names and expressions of values to keep from before the call.
    pub old_values: Vec<(String, String)>,
    pub checks: Vec<SpecCheck>,
}

/// A promise: a C expression over parameters, globals, `result` and old values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecCheck {
    pub text: String,
    /// Where it was written.
    pub file: String,
    pub line: usize,
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
}

/// Names of the test's objects.
struct TestNames<'a> {
    program: &'a Program,
    objects: Vec<String>,
    element_types: Vec<SourceTypeId>,
}

impl Names for TestNames<'_> {
    fn element_type(&self, pointer: InputPointer) -> Option<SourceTypeId> {
        match pointer {
            InputPointer::Object { object, .. } => self.element_types.get(object).copied(),
            InputPointer::Null | InputPointer::Global { .. } | InputPointer::Function(_) => None,
        }
    }

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
                let name = &self.program.global(global).name;
                if offset == 0 {
                    format!("(void *)&{name}")
                } else {
                    format!("(void *)((char *)&{name} + {offset})")
                }
            }
            InputPointer::Function(function) => self.program.function(function).name.clone(),
        }
    }
}

impl TestFile<'_> {
    /// Whether the place is a promise of the contract.
    fn is_promise(&self, span: Span) -> bool {
        let path = self.program.files.get(span.file.index()).map(|file| file.path.as_str());
        self.spec.checks.iter().any(|check| Some(check.file.as_str()) == path)
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
            Ending::Failed { kind: CheckKind::Precondition, .. } => "GLASSBOX_BREAKS".to_owned(),
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
        match &self.expected.ending {
            Ending::Failed { kind: CheckKind::Assertion, span } => {
                format!("counter-example (the assertion of line {} stops the call)", span.line)
            }
            Ending::Failed { kind: CheckKind::Precondition, span } => {
                format!("counter-example (the call of line {} breaks a contract)", span.line)
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
    let function = program.function(file.function);
    let names = TestNames {
        program,
        objects: object_names(program, file.function, test.input),
        element_types: test.input.objects.iter().map(|object| object.element_type).collect(),
    };
    let mut out = String::new();
    comment(&mut out, test, &file.spec);
    let _ = writeln!(out, "{head}\n{{");
    declare_objects(&mut out, program, test, &names);
    // What comes between this and the call may change `errno`.
    let is_errno = |global: GlobalId| program.global(global).name == ERRNO_OBJECT;
    for (global, value) in test.input.globals.iter().filter(|(global, _)| !is_errno(*global)) {
        set_global(&mut out, program, *global, value, &names);
    }
    out.push_str(&stub::settings(file, test.input, &names));
    let mut args = Vec::new();
    let param_names = param_names(program, file.function, test.input);
    for (param, name) in test.input.params.iter().zip(param_names) {
        let text = initializer(program, param.source_type, &param.value, &names);
        let _ = writeln!(out, "    {} = {text};", declare(program, param.source_type, &name));
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
    let has_spec = test.exit_status().is_none();
    for (name, text) in file.spec.old_values.iter().filter(|_| has_spec) {
        let _ = writeln!(out, "    __typeof__({text}) {name} = {text};");
    }
    for (global, value) in test.input.globals.iter().filter(|(global, _)| is_errno(*global)) {
        set_global(&mut out, program, *global, value, &names);
    }
    // The opening of the file renames `main`.
    let callee = if function.name == "main" { RENAMED_MAIN } else { &function.name };
    let call = format!("{callee}({})", args.join(", "));
    call_and_check(&mut out, file, test, &call, &names);
    out.push_str("}\n");
    out
}

/// The name that `main` of the source under test has in a test file.
pub(crate) const RENAMED_MAIN: &str = "glassbox_renamed_main";

fn comment(out: &mut String, test: &TestText<'_>, spec: &Spec) {
    let clean = |text: &str| text.replace("*/", "* /");
    let _ = writeln!(out, "/*");
    for goal in &test.covers {
        let _ = writeln!(out, " * covers: {}", clean(goal));
    }
    for constraint in test.constraints.iter().take(12) {
        let _ = writeln!(out, " * path:   {}", clean(constraint));
    }
    if test.constraints.len() > 12 {
        let _ = writeln!(out, " * path:   and {} more conditions", test.constraints.len() - 12);
    }
    for check in spec.checks.iter().filter(|_| test.exit_status().is_none()) {
        let _ = writeln!(out, " * oracle: spec ({}: {})", check.place(), clean(&check.text));
    }
    let _ = writeln!(out, " * oracle: {}\n */", test.oracle());
}

/// The variable that takes what the call gives.
const RESULT: &str = "result";

/// Names of the parameters' variables: their own, unless one hides a global of the program, the function under
/// test or another variable of the test.
fn param_names(program: &Program, function: FuncId, input: &TestInput) -> Vec<String> {
    let is_hidden = |name: &str| {
        let mut globals = program.globals.iter();
        name == RESULT
            || name == program.function(function).name
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
fn is_variable(kind: GlobalKind) -> bool {
    matches!(kind, GlobalKind::Variable | GlobalKind::LibraryState)
}

/// Names for the objects that differ from each other, from the parameters and from what the program
/// declares.
fn object_names(program: &Program, function: FuncId, input: &TestInput) -> Vec<String> {
    let mut taken = param_names(program, function, input);
    taken.push(RESULT.to_owned());
    taken.extend(program.globals.iter().map(|global| global.name.clone()));
    taken.extend(program.functions.iter().map(|function| function.name.clone()));
    let mut names = Vec::new();
    for object in &input.objects {
        let base = c_name(&object.name);
        let base = if taken.contains(&base) { format!("{base}_data") } else { base };
        let mut name = base.clone();
        let mut number = 2;
        while taken.contains(&name) {
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

fn declare_objects(
    out: &mut String,
    program: &Program,
    test: &TestText<'_>,
    names: &TestNames<'_>,
) {
    let input = test.input;
    // Objects that point to each other need their names first.
    let has_cycle = input.objects.len() > 1;
    for (position, (object, name)) in input.objects.iter().zip(&names.objects).enumerate() {
        let length = object.length.max(1);
        let is_freed = test.expected.freed_objects.contains(&position);
        let is_late = has_cycle && mentions_pointer(&object.elements);
        let start = if is_freed { format!("{name}_start") } else { name.clone() };
        let ty = element_declaration(program, object.element_type, &format!("{start}[{length}]"));
        if is_late {
            let _ = writeln!(out, "    static {ty};");
        } else {
            let text = elements_text(program, object.element_type, &object.elements, names);
            let _ = writeln!(out, "    {ty} = {text};");
        }
        if is_freed {
            let is_array = matches!(
                program.source_type(program.resolve_source_type(object.element_type)),
                SourceType::Array { .. }
            );
            let declarator = if is_array { format!("(*{name})") } else { format!("*{name}") };
            let pointer = element_declaration(program, object.element_type, &declarator);
            let _ = writeln!(out, "    {pointer} = glassbox_allocated({start}, sizeof {start});");
        }
    }
    for (object, name) in input.objects.iter().zip(&names.objects) {
        if has_cycle && mentions_pointer(&object.elements) {
            for (index, element) in object.elements.iter().enumerate() {
                let text = initializer(program, object.element_type, element, names);
                let ty = declare(program, object.element_type, "");
                let is_scalar = matches!(element, InputValue::Pointer(_));
                let value = if is_scalar { text } else { format!("({ty}){text}") };
                let _ = writeln!(out, "    {name}[{index}] = {value};");
            }
        }
    }
}

/// Memory behind `void *` and incomplete types is bytes.
pub(crate) fn element_declaration(program: &Program, ty: SourceTypeId, declarator: &str) -> String {
    let is_unknown = matches!(
        program.source_type(program.resolve_source_type(ty)),
        SourceType::Void | SourceType::Opaque { .. } | SourceType::Record { fields: None, .. }
    );
    if is_unknown {
        return format!("unsigned char {declarator}");
    }
    declare(program, ty, declarator)
}

fn mentions_pointer(values: &[InputValue]) -> bool {
    values.iter().any(|value| match value {
        InputValue::Pointer(pointer) => *pointer != InputPointer::Null,
        InputValue::Struct(parts) | InputValue::Array(parts) => mentions_pointer(parts),
        InputValue::Union { value, .. } => mentions_pointer(std::slice::from_ref(value)),
        InputValue::Int(_) | InputValue::Float(_) | InputValue::Bytes(_) => false,
    })
}

fn set_global(
    out: &mut String,
    program: &Program,
    global: GlobalId,
    value: &InputValue,
    names: &TestNames<'_>,
) {
    let declared = program.global(global);
    let text = initializer(program, declared.source_type, value, names);
    match value {
        InputValue::Int(_) | InputValue::Float(_) | InputValue::Pointer(_) => {
            // Sources that were preprocessed have no macro `errno`.
            let is_errno = declared.name == ERRNO_OBJECT;
            let name = if is_errno { "*__errno_location()" } else { &declared.name };
            let _ = writeln!(out, "    {name} = {text};");
        }
        InputValue::Struct(_)
        | InputValue::Union { .. }
        | InputValue::Array(_)
        | InputValue::Bytes(_) => {
            let copy = format!("{}_start", declared.name);
            let ty = declare(program, declared.source_type, &copy);
            let _ = writeln!(out, "    static {ty} = {text};");
            let name = &declared.name;
            let _ = writeln!(out, "    __builtin_memcpy((void *)&{name}, &{copy}, sizeof {name});");
        }
    }
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
    out.push_str(&allocation::failing(test.input));
    if test.is_leak() {
        return out.push_str(&allocation::losing_call(program, file.function, call));
    }
    match (&function.result, &test.expected.result) {
        // A promise may speak of a result that no run has shown.
        (ResultPassing::Direct(_) | ResultPassing::Indirect, None)
            if !file.spec.checks.is_empty() && test.exit_status().is_none() =>
        {
            let result = declare(program, function.result_source_type, RESULT);
            let _ = writeln!(out, "    {result} = {call};");
        }
        (ResultPassing::Void, _) | (_, None) => {
            let _ = writeln!(out, "    {call};");
        }
        (_, Some(value)) => {
            let ty = function.result_source_type;
            let _ = writeln!(out, "    {} = {call};", declare(program, ty, RESULT));
            check_value(out, ty, RESULT, value, names);
        }
    }
    for check in file.spec.checks.iter().filter(|_| test.exit_status().is_none()) {
        let _ = writeln!(out, "    CHECK({}); /* spec: {} */", check.text, check.place());
    }
    for (position, elements) in &test.expected.changed_objects {
        let object = &test.input.objects[*position];
        let name = &names.objects[*position];
        for (index, (after, before)) in elements.iter().zip(&object.elements).enumerate() {
            if after != before {
                let place = format!("{name}[{index}]");
                check_change(out, object.element_type, &place, before, after, names);
            }
        }
    }
    for (global, value) in &test.expected.changed_globals {
        let declared = program.global(*global);
        check_value(out, declared.source_type, &declared.name, value, names);
    }
}

/// Checks the scalars that changed.
fn check_change(
    out: &mut String,
    ty: SourceTypeId,
    place: &str,
    before: &InputValue,
    after: &InputValue,
    names: &TestNames<'_>,
) {
    let program = names.program;
    let resolved = program.resolve_source_type(ty);
    match (before, after, program.source_type(resolved)) {
        (
            InputValue::Struct(old),
            InputValue::Struct(new),
            SourceType::Record { fields: Some(fields), .. },
        ) => {
            for ((old, new), field) in old.iter().zip(new).zip(fields) {
                if let (true, Some(name)) = (old != new, &field.name) {
                    let place = format!("{place}.{name}");
                    check_change(out, field.ty, &place, old, new, names);
                }
            }
        }
        (InputValue::Array(old), InputValue::Array(new), SourceType::Array { element, .. }) => {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                if old != new {
                    let place = format!("{place}[{index}]");
                    check_change(out, *element, &place, old, new, names);
                }
            }
        }
        _ => check_value(out, ty, place, after, names),
    }
}

/// The string literal that a `char` pointer points to.
fn pointed_text(
    program: &Program,
    pointer: SourceTypeId,
    global: GlobalId,
    offset: u64,
) -> Option<String> {
    let declared = program.global(global);
    let SourceType::Pointer { target, .. } =
        program.source_type(program.resolve_source_type(pointer))
    else {
        return None;
    };
    let target = program.source_type(program.resolve_source_type(*target));
    let is_text = matches!(target, SourceType::Int { width: 8, .. });
    let start = usize::try_from(offset).ok()?;
    let bytes = declared.initializer.as_ref()?.bytes.get(start..).unwrap_or_default();
    let text = bytes.split(|&byte| byte == 0).next()?;
    (is_text && declared.kind == GlobalKind::StringLiteral).then(|| c_literal::string(text))
}

fn check_value(
    out: &mut String,
    ty: SourceTypeId,
    place: &str,
    value: &InputValue,
    names: &TestNames<'_>,
) {
    let program = names.program;
    let resolved = program.resolve_source_type(ty);
    match (value, program.source_type(resolved)) {
        (InputValue::Int(bits), _) => {
            let text = c_literal::integer(program, ty, *bits);
            let _ = writeln!(out, "    CHECK({place} == {text});");
        }
        (InputValue::Float(value), _) => {
            let _ = writeln!(out, "    CHECK_FLOAT({place}, {});", c_literal::float(*value));
        }
        (InputValue::Pointer(InputPointer::Global { global, offset }), _)
            if !is_variable(program.global(*global).kind) =>
        {
            match pointed_text(program, ty, *global, *offset) {
                Some(text) => {
                    let _ = writeln!(out, "    CHECK(__builtin_strcmp({place}, {text}) == 0);");
                }
                // A static variable of a function has no name out here.
                None => {
                    let _ = writeln!(out, "    CHECK({place} != 0);");
                }
            }
        }
        (InputValue::Pointer(pointer), _) => {
            let _ = writeln!(
                out,
                "    CHECK((void *){place} == (void *)({}));",
                names.pointer(*pointer)
            );
        }
        (InputValue::Bytes(bytes), SourceType::Pointer { .. }) if bytes.len() == 8 => {
            let _ = writeln!(out, "    CHECK({place} != 0);");
        }
        (InputValue::Struct(values), SourceType::Record { fields: Some(fields), .. }) => {
            for (value, field) in values.iter().zip(fields) {
                if let Some(name) = &field.name {
                    let place = format!("{place}.{name}");
                    check_value(out, field.ty, &place, value, names);
                }
            }
        }
        (InputValue::Array(values), SourceType::Array { element, .. }) => {
            for (index, value) in values.iter().enumerate() {
                check_value(out, *element, &format!("{place}[{index}]"), value, names);
            }
        }
        (
            InputValue::Struct(_)
            | InputValue::Array(_)
            | InputValue::Union { .. }
            | InputValue::Bytes(_),
            _,
        ) => {}
    }
}
