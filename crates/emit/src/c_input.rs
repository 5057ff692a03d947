//! What a C test sets before the call: memory behind pointers, and globals.
//!
//! Everything is written as an initializer where C allows it. Objects that point to each other are static, so
//! that their addresses are constants, and stand in an order in which most are known when they are needed;
//! pointers that come too early, and those to memory that is allocated, are assigned afterwards.

use std::collections::BTreeSet;
use std::fmt::Write;

use glassbox_ir::{GlobalId, Program, RecordKind, Shape, SourceType, SourceTypeId};
use glassbox_library::ERRNO_OBJECT;
use glassbox_testcase::{InputPointer, InputValue};

use crate::c_literal::{Names, array_initializer, initializer};
use crate::c_names::TestNames;
use crate::c_test::TestText;
use crate::c_type::{declare, is_nameable};
use crate::file;
use crate::variadic::is_va_list;

/// Names of which some cannot be used yet.
struct Early<'a> {
    names: &'a TestNames<'a>,
    /// Objects whose addresses are known and constant.
    known: &'a BTreeSet<usize>,
}

impl Names for Early<'_> {
    fn pointer(&self, pointer: InputPointer) -> String {
        if is_late(pointer, self.known) { "0".to_owned() } else { self.names.pointer(pointer) }
    }

    fn element_type(&self, pointer: InputPointer) -> Option<SourceTypeId> {
        if is_late(pointer, self.known) { None } else { self.names.element_type(pointer) }
    }
}

fn is_late(pointer: InputPointer, known: &BTreeSet<usize>) -> bool {
    matches!(pointer, InputPointer::Object { object, .. } if !known.contains(&object))
}

/// Declares the objects of a test; which of them have constant addresses.
pub(crate) fn declare_objects(
    out: &mut String,
    test: &TestText<'_>,
    names: &TestNames<'_>,
) -> BTreeSet<usize> {
    let program = names.program;
    let input = test.input;
    let is_linked = input.objects.iter().any(|object| mentions_object(&object.elements))
        || input.globals.iter().any(|(_, value)| mentions_object(std::slice::from_ref(value)));
    let mut known = BTreeSet::new();
    let mut late = String::new();
    let is_aligned = names.sees_addresses;
    let used = used_objects(program, test);
    let is_written = |position: &usize| {
        let ty = input.objects[*position].element_type;
        used.contains(position) && !program.is_va_list_tag(ty)
    };
    for position in order(test).into_iter().filter(is_written) {
        let (object, name) = (&input.objects[position], &names.objects[position]);
        if let Some(contents) = &object.stream {
            let pointer = element_declaration(program, object.element_type, &format!("*{name}"));
            let _ = writeln!(out, "    {pointer} = {};", file::stream(contents));
            continue;
        }
        let bytes = is_bytes(program, object.element_type).then(|| bytes_of(&object.elements));
        let n_bytes = bytes.as_ref().map_or(0, Vec::len) as u64;
        let length = object.length.max(1).max(n_bytes);
        let is_freed = test.expected.freed_objects.contains(&position);
        let start = if is_freed { format!("{name}_start") } else { name.clone() };
        let ty = element_declaration(program, object.element_type, &format!("{start}[{length}]"));
        // Padding of static objects is zero, that of others is anything.
        let is_static = is_linked || has_padding(program, object.element_type);
        let storage = if is_static { "static " } else { "" };
        // In the interpreter every object begins at a round address.
        let ty = if is_aligned { format!("__attribute__((aligned(16))) {ty}") } else { ty };
        // An object may point to itself.
        if !is_freed {
            known.insert(position);
        }
        let early = Early { names, known: &known };
        let text = match bytes {
            Some(bytes) => bytes_text(&bytes),
            None => array_initializer(program, object.element_type, &object.elements, &early),
        };
        let _ = writeln!(out, "    {storage}{ty} = {text};");
        if is_freed {
            let is_array = matches!(
                program.source_type(program.resolve_source_type(object.element_type)),
                SourceType::Array { .. }
            );
            let declarator = if is_array { format!("(*{name})") } else { format!("*{name}") };
            let pointer = element_declaration(program, object.element_type, &declarator);
            let _ = writeln!(out, "    {pointer} = glassbox_allocated({start}, sizeof {start});");
        }
        let mut assignments = Assignments { out: &mut late, program, names, known: Some(&known) };
        for (index, element) in object.elements.iter().enumerate() {
            let place = format!("{name}[{index}]");
            assignments.add(&place, object.element_type, element, false);
        }
    }
    out.push_str(&late);
    known
}

/// Objects that something leads to: an input, what a stub gives, or what is expected.
pub(crate) fn used_objects(program: &Program, test: &TestText<'_>) -> BTreeSet<usize> {
    let (input, expected) = (test.input, test.expected);
    let mut found = BTreeSet::new();
    // Calls before the one under test are given objects, too.
    let params = input.params.iter().chain(input.earlier.iter().flatten());
    let params = params.filter(|param| !is_va_list(program, param.source_type));
    let params = params.map(|param| &param.value);
    let globals = input.globals.iter().map(|(_, value)| value);
    let results = input.stubs.iter().flat_map(|stub| &stub.result);
    let writes = input.stubs.iter().flat_map(|stub| &stub.writes);
    let writes = writes.flat_map(|write| &write.elements);
    let left = expected.changed_objects.iter().flat_map(|(_, elements)| elements);
    let changed = expected.changed_globals.iter().map(|(_, value)| value);
    let written = expected.written_globals.iter().map(|written| &written.after);
    let all = params.chain(globals).chain(results).chain(writes).chain(&expected.result);
    all.chain(left).chain(changed).chain(written).for_each(|value| objects_of(value, &mut found));
    let mut queue: Vec<usize> = found.iter().copied().collect();
    while let Some(object) = queue.pop().and_then(|at| input.objects.get(at)) {
        let mut targets = BTreeSet::new();
        object.elements.iter().for_each(|value| objects_of(value, &mut targets));
        queue.extend(targets.into_iter().filter(|target| found.insert(*target)));
    }
    found
}

/// What initializers could not have: pointers to what comes later, and bytes of records that no member shows.
pub(crate) struct Assignments<'a> {
    pub(crate) out: &'a mut String,
    pub(crate) program: &'a Program,
    pub(crate) names: &'a dyn Names,
    /// Objects that initializers can name; `None`: all.
    pub(crate) known: Option<&'a BTreeSet<usize>>,
}

impl Assignments<'_> {
    pub(crate) fn add(
        &mut self,
        place: &str,
        ty: SourceTypeId,
        value: &InputValue,
        is_const: bool,
    ) {
        let program = self.program;
        let resolved = program.resolve_source_type(ty);
        match (value, program.source_type(resolved)) {
            (InputValue::Pointer(pointer), _)
                if self.known.is_some_and(|known| is_late(*pointer, known)) =>
            {
                let text = initializer(program, ty, value, self.names);
                let text = if is_const {
                    let ty = declare(program, ty, "");
                    format!("__builtin_memcpy((void *)&{place}, &({ty}){{{text}}}, sizeof {place})")
                } else {
                    format!("{place} = {text}")
                };
                let _ = writeln!(self.out, "    {text};");
            }
            (InputValue::Bytes(bytes), SourceType::Record { fields: Some(_), .. }) => {
                self.copy(&format!("&{place}"), bytes);
            }
            (InputValue::Struct(values), SourceType::Record { fields: Some(fields), .. }) => {
                for (field, value) in fields.iter().zip(values) {
                    self.member(place, field, value, is_const);
                }
            }
            (
                InputValue::Union { field, value },
                SourceType::Record { kind: RecordKind::Union, fields: Some(fields), .. },
            ) => self.member(place, &fields[*field], value, is_const),
            (InputValue::Array(values), SourceType::Array { element, .. }) => {
                for (index, value) in values.iter().enumerate() {
                    self.add(&format!("{place}[{index}]"), *element, value, is_const);
                }
            }
            (
                InputValue::Int(_)
                | InputValue::Float(_)
                | InputValue::Pointer(_)
                | InputValue::Struct(_)
                | InputValue::Union { .. }
                | InputValue::Array(_)
                | InputValue::Bytes(_),
                _,
            ) => {}
        }
    }

    fn copy(&mut self, to: &str, bytes: &[u8]) {
        if bytes.iter().any(|&byte| byte != 0) {
            let (n_bytes, text) = (bytes.len(), bytes_text(bytes));
            let from = format!("(unsigned char[{n_bytes}]){text}");
            let _ = writeln!(self.out, "    __builtin_memcpy((void *){to}, {from}, {n_bytes});");
        }
    }

    fn member(
        &mut self,
        place: &str,
        field: &glassbox_ir::RecordField,
        value: &InputValue,
        is_const: bool,
    ) {
        // Members of an anonymous record are members of what it stands in.
        let place = match (&field.name, value) {
            (Some(name), _) => format!("{place}.{name}"),
            (None, InputValue::Bytes(bytes)) => {
                return self.copy(&format!("((char *)&{place} + {})", field.offset), bytes);
            }
            (None, _) => place.to_owned(),
        };
        self.add(&place, field.ty, value, is_const || field.is_const);
    }
}

/// Positions of the objects: what others point to comes first, where that can be.
fn order(test: &TestText<'_>) -> Vec<usize> {
    fn visit(test: &TestText<'_>, at: usize, seen: &mut BTreeSet<usize>, order: &mut Vec<usize>) {
        if !seen.insert(at) {
            return;
        }
        let Some(object) = test.input.objects.get(at) else { return };
        let mut found = BTreeSet::new();
        object.elements.iter().for_each(|value| objects_of(value, &mut found));
        for target in found {
            visit(test, target, seen, order);
        }
        order.push(at);
    }
    let (mut seen, mut order) = (BTreeSet::new(), Vec::new());
    for position in 0..test.input.objects.len() {
        visit(test, position, &mut seen, &mut order);
    }
    order
}

/// Objects that the pointers of a value lead to.
fn objects_of(value: &InputValue, found: &mut BTreeSet<usize>) {
    match value {
        InputValue::Pointer(InputPointer::Object { object, .. }) => {
            found.insert(*object);
        }
        InputValue::Struct(parts) | InputValue::Array(parts) => {
            parts.iter().for_each(|part| objects_of(part, found));
        }
        InputValue::Union { value, .. } => objects_of(value, found),
        InputValue::Pointer(_)
        | InputValue::Int(_)
        | InputValue::Float(_)
        | InputValue::Bytes(_) => {}
    }
}

fn mentions_object(values: &[InputValue]) -> bool {
    let mut found = BTreeSet::new();
    values.iter().for_each(|value| objects_of(value, &mut found));
    !found.is_empty()
}

/// Whether objects of the type have bytes that belong to no scalar of an initializer.
fn has_padding(program: &Program, ty: SourceTypeId) -> bool {
    match program.shape(ty) {
        Shape::Record { kind: RecordKind::Struct, fields: Some(fields), size, .. } => {
            let own = fields.iter().map(|field| program.size_of_source_type(field.ty)).sum::<u64>();
            own != size || fields.iter().any(|field| has_padding(program, field.ty))
        }
        Shape::Record { kind: RecordKind::Union, .. } => true,
        Shape::Array { element, .. } => has_padding(program, element),
        Shape::Void
        | Shape::Number(_)
        | Shape::Pointer { .. }
        | Shape::Record { fields: None, .. }
        | Shape::Function
        | Shape::Reference
        | Shape::Opaque { .. } => false,
    }
}

/// Memory behind `void *` and incomplete types is bytes.
fn is_bytes(program: &Program, ty: SourceTypeId) -> bool {
    matches!(
        program.shape(ty),
        Shape::Void | Shape::Opaque { .. } | Shape::Record { fields: None, .. }
    )
}

pub(crate) fn element_declaration(program: &Program, ty: SourceTypeId, declarator: &str) -> String {
    if is_bytes(program, ty) {
        return format!("unsigned char {declarator}");
    }
    declare(program, ty, declarator)
}

fn bytes_of(elements: &[InputValue]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for element in elements {
        match element {
            InputValue::Bytes(own) => bytes.extend_from_slice(own),
            InputValue::Int(bits) => bytes.push(bits.unsigned().to_le_bytes()[0]),
            InputValue::Float(_)
            | InputValue::Pointer(_)
            | InputValue::Struct(_)
            | InputValue::Union { .. }
            | InputValue::Array(_) => bytes.push(0),
        }
    }
    bytes
}

fn bytes_text(bytes: &[u8]) -> String {
    let used = bytes.iter().rposition(|&byte| byte != 0).map_or(1, |last| last + 1);
    let list: Vec<String> = bytes.iter().take(used).map(ToString::to_string).collect();
    if list.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", list.join(", ")) }
}

/// Statements that set a global; `known` are the objects with constant addresses.
pub(crate) fn set_global(
    out: &mut String,
    (global, value): (GlobalId, &InputValue),
    names: &TestNames<'_>,
    known: &BTreeSet<usize>,
) {
    let program = names.program;
    let declared = program.global(global);
    let name = &declared.name;
    let ty = declared.source_type;
    match value {
        InputValue::Int(_) | InputValue::Float(_) | InputValue::Pointer(_) => {
            let text = initializer(program, ty, value, names);
            // Sources that were preprocessed have no macro `errno`, and a unit that does not include its header has no
            // declaration.
            let _ = if *name == ERRNO_OBJECT && names.unit.has("errno") {
                writeln!(out, "    *__errno_location() = {text}; /* errno */")
            } else if *name == ERRNO_OBJECT {
                writeln!(
                    out,
                    "    {{ extern int *__errno_location(void); *__errno_location() = {text}; }}"
                )
            } else if declared.is_const || names.unit.volatile.contains(name) {
                // A volatile object may be constant all the same.
                let ty = declare(program, ty, "");
                writeln!(
                    out,
                    "    __builtin_memcpy((void *)&{name}, &({ty}){{{text}}}, sizeof {name});"
                )
            } else {
                writeln!(out, "    {name} = {text};")
            };
        }
        InputValue::Struct(_)
        | InputValue::Union { .. }
        | InputValue::Array(_)
        | InputValue::Bytes(_) => {
            let copy = format!("{name}_start");
            let early = Early { names, known };
            let text = initializer(program, ty, value, &early);
            let declaration = if is_nameable(program, ty) {
                declare(program, ty, &copy)
            } else {
                format!("__typeof__({name}) {copy}")
            };
            let _ = writeln!(out, "    static {declaration} = {text};");
            // An array without a length has that of its initializer.
            let _ = writeln!(
                out,
                "    __builtin_memcpy((void *)&{name}, (void *)&{copy}, sizeof {copy});"
            );
            let mut late = String::new();
            let mut assignments =
                Assignments { out: &mut late, program, names, known: Some(known) };
            assignments.add(name, ty, value, declared.is_const);
            out.push_str(&late);
        }
    }
}
