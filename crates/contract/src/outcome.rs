//! What a call leaves, as C code that keeps it, puts it back and compares it: the result, memory behind pointers to
//! what is not constant, variables that outlive the call.
//!
//! What cannot be compared is refused: memory behind pointers in memory, static variables of functions, unions.

use std::fmt::Write;

use glassbox_c_front::tree::{self, FunctionId};
use glassbox_c_front::ty::kind::{TypeId, TypeKind};

use crate::Contract;
use crate::declared::arguments;

/// Loops over as many elements are written out.
const MAX_WRITTEN: u64 = 16;

/// Records and arrays inside of others.
const MAX_DEPTH: usize = 8;

/// What calls of a function leave besides their result.
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) memory: Vec<Memory>,
    globals: Vec<Global>,
}

/// Elements behind a pointer.
#[derive(Debug)]
pub(crate) struct Memory {
    /// The parameter.
    pub(crate) pointer: String,
    /// How many elements there are, in C.
    pub(crate) count: String,
    element: TypeId,
    /// The function does not write them.
    pub(crate) is_const: bool,
    /// Elements are arrays.
    is_row: bool,
    /// There is one row or none, as the type says.
    is_by_type: bool,
}

#[derive(Debug)]
struct Global {
    name: String,
    ty: TypeId,
    /// Only its own file sees it.
    is_internal: bool,
    /// The same variable of an older file.
    twin: Option<String>,
}

impl Left {
    /// What calls of the function leave; why it cannot be said. Constant arrays count where they are named, and where one of
    /// the functions that are called with them may change them all the same.
    pub(crate) fn of(
        program: &tree::Program,
        (function, others): (FunctionId, &[FunctionId]),
        contract: &Contract,
        named: &[&str],
    ) -> Result<Left, String> {
        let globals = Left::globals(program, function, &arguments(program, function))?;
        let mut called = others.iter().chain([&function]);
        let changes_constants = called.any(|&called| program.touched(called).changes_constants);
        let memory = Left::memory(program, function, contract, (named, changes_constants))?;
        Ok(Left { memory, globals })
    }

    /// The same of another function that is called with the same arguments.
    pub(crate) fn and_of(
        mut self,
        program: &tree::Program,
        function: FunctionId,
        parameters: &[String],
        older: Option<&str>,
    ) -> Result<Left, String> {
        for global in Left::globals(program, function, parameters)? {
            if let Some(older) = older {
                if global.is_internal {
                    let name = &global.name;
                    return Err(format!("it uses `{name}`, which other files cannot see"));
                }
                let Some(base) = global.name.strip_suffix(older) else {
                    // The older file does not define it, so it is one variable for both.
                    if !self.globals.iter().any(|known| known.name == global.name) {
                        self.globals.push(global);
                    }
                    continue;
                };
                let mut named =
                    program.variables.iter().filter(|it| is_shared_as(program, it, base));
                if named.any(|it| !program.types.compatible_across(it.ty, global.ty)) {
                    return Err(format!("`{base}` has another type in the older version"));
                }
                let is_it = |own: &&mut Global| own.name == base;
                if let Some(own) = self.globals.iter_mut().find(is_it) {
                    own.twin = Some(global.name.clone());
                } else if is_shared(program, base) {
                    if parameters.iter().any(|parameter| parameter == base) {
                        return Err(format!("a parameter hides the variable `{base}`"));
                    }
                    // The newer function has nothing to do with it, and that may be the difference.
                    let (name, twin) = (base.to_owned(), Some(global.name.clone()));
                    self.globals.push(Global { name, twin, ..global });
                }
            } else if !self.globals.iter().any(|known| known.name == global.name) {
                self.globals.push(global);
            }
        }
        Ok(self)
    }

    /// Variables that outlive calls; why calls do not depend on such variables and arguments alone.
    fn globals(
        program: &tree::Program,
        function: FunctionId,
        parameters: &[String],
    ) -> Result<Vec<Global>, String> {
        let touched = program.touched(function);
        let name_of = |id: FunctionId| program.name(program.function(id).name);
        if touched.calls_through_pointer {
            return Err("it calls functions through pointers".to_owned());
        }
        if let Some(&id) = touched.undefined.iter().next() {
            let name = name_of(id);
            return Err(format!(
                "it calls `{name}`, and what that answers or does besides is not fixed by its arguments"
            ));
        }
        let mut globals = Vec::new();
        for &id in &touched.statics {
            let variable = program.variable(id);
            let name = program.name(variable.name).to_owned();
            if variable.function.is_some() || name.starts_with('<') {
                return Err(format!("it keeps `{name}` from one call to the next"));
            }
            if parameters.contains(&name) {
                return Err(format!("a parameter hides the variable `{name}`"));
            }
            comparable(program, variable.ty, 0).map_err(|why| format!("`{name}` {why}"))?;
            let is_internal = variable.linkage == tree::Linkage::Internal;
            globals.push(Global { name, ty: variable.ty, is_internal, twin: None });
        }
        Ok(globals)
    }

    fn memory(
        program: &tree::Program,
        function: FunctionId,
        contract: &Contract,
        (named, changes_constants): (&[&str], bool),
    ) -> Result<Vec<Memory>, String> {
        let types = &program.types;
        let Some(ty) = types.function_type(program.function(function).ty) else {
            return Err("it has no parameters that are known".to_owned());
        };
        let mut memory = Vec::new();
        for (pointer, &ty) in arguments(program, function).into_iter().zip(&ty.parameters) {
            let leads_on = |name: &str| {
                Err(format!("`{name}` holds a pointer, behind which nothing is compared"))
            };
            let Some(element) = types.pointee(ty) else {
                if holds_pointers(program, ty, 0) {
                    return leads_on(&pointer);
                }
                continue;
            };
            if types.is_function(element) {
                continue;
            }
            let is_row = types.element(element).is_some();
            let is_const = types.qualifiers(element).is_const && !changes_constants;
            if is_const && !named.contains(&pointer.as_str()) {
                if holds_pointers(program, element, 0) {
                    return leads_on(&format!("*{pointer}"));
                }
                continue;
            }
            if is_row && types.qualifiers(element).is_const {
                return Err(format!("`{pointer}` points to constant rows, which are not compared"));
            }
            comparable(program, element, 0).map_err(|why| format!("`*{pointer}` {why}"))?;
            let said = contract.length_of(&pointer);
            // A pointer to a row is one because there is a row: rows of callers are of a length that their type says.
            let is_by_type = is_row && said.is_none();
            let Some(count) = said.or_else(|| is_by_type.then(|| format!("({pointer} != 0)")))
            else {
                return Err(format!(
                    "how many elements `{pointer}` points to has to be said, by `length.{pointer}`"
                ));
            };
            memory.push(Memory { pointer, count, element, is_const, is_row, is_by_type });
        }
        Ok(memory)
    }

    /// Keeps what is there under names that start like this.
    pub(crate) fn keep(&self, prefix: &str) -> String {
        let mut out = String::new();
        for (index, memory) in self.memory.iter().enumerate() {
            let Memory { pointer, count, is_row, .. } = memory;
            // There may be no element, and an array has some. What is read is not constant.
            let ty = match is_row {
                true => format!("__typeof__(*({pointer}))"),
                false => format!("__typeof__(({{ __auto_type __one = ({pointer})[0]; __one; }}))"),
            };
            let room = match count.parse::<u64>() {
                Ok(count) => count.to_string(),
                Err(_) => format!("(unsigned long)({count}) + 1"),
            };
            let _ = write!(out, "{ty} {prefix}m{index}[{room}]; ");
            memory.each(&mut out, |i| {
                memory.copied(&format!("{prefix}m{index}[{i}]"), &format!("({pointer})[{i}]"))
            });
        }
        for (index, Global { name, .. }) in self.globals.iter().enumerate() {
            let kept = format!("{prefix}g{index}");
            let _ = write!(out, "__typeof__({name}) {kept}; {}", copied(&kept, name));
        }
        out
    }

    /// Puts back what was kept; elements go where `place` says.
    pub(crate) fn restore(&self, prefix: &str, place: impl Fn(&Memory, &str) -> String) -> String {
        let mut out = String::new();
        for (index, memory) in self.memory.iter().enumerate() {
            let pointer = &memory.pointer;
            let ty = format!("__typeof__({prefix}m{index}[0])");
            let _ = write!(out, "{ty} *{prefix}p{index} = ({ty} *)({pointer}); ");
            memory.each(&mut out, |i| {
                let to = format!("{prefix}p{index}[{}]", place(memory, i));
                memory.copied(&to, &format!("{prefix}m{index}[{i}]"))
            });
        }
        for (index, Global { name, twin, .. }) in self.globals.iter().enumerate() {
            for name in [name].into_iter().chain(twin) {
                out.push_str(&copied(name, &format!("{prefix}g{index}")));
            }
        }
        out
    }

    /// Statements that clear `same` where what is there is not what was kept `after` the first call; elements are looked
    /// for where `place` says, behind the pointers by which `before` was put back: parameters may have changed places.
    pub(crate) fn compare(
        &self,
        program: &tree::Program,
        (before, after): (&str, &str),
        equality: Equality,
        place: impl Fn(&Memory, &str) -> String,
    ) -> String {
        let mut out = String::new();
        for (index, memory) in self.memory.iter().enumerate().filter(|(_, it)| !it.is_const) {
            memory.each(&mut out, |i| {
                let now = format!("{before}p{index}[{}]", place(memory, i));
                equality.of(program, memory.element, (&now, &format!("{after}m{index}[{i}]")), 0)
            });
        }
        for (index, Global { name, ty, twin, .. }) in self.globals.iter().enumerate() {
            let name = twin.as_ref().unwrap_or(name);
            out.push_str(&equality.of(program, *ty, (name, &format!("{after}g{index}")), 0));
        }
        out
    }

    /// Declares the variables of an older file.
    pub(crate) fn twins(&self) -> String {
        let twins = self.globals.iter().filter_map(|it| Some((&it.name, it.twin.as_ref()?)));
        twins.map(|(name, twin)| format!("extern __typeof__({name}) {twin}; ")).collect()
    }

    /// What inputs are where only the type says how much there is, as conditions in C.
    pub(crate) fn by_type(&self) -> impl Iterator<Item = String> {
        self.memory.iter().filter(|memory| memory.is_by_type).map(|Memory { pointer, .. }| {
            format!("!{pointer} || __glassbox_whole((const void *){pointer}, sizeof *{pointer})")
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.globals.is_empty() && self.memory.iter().all(|memory| memory.is_const)
    }
}

impl Memory {
    /// Copies an element; rows cannot be assigned.
    fn copied(&self, to: &str, from: &str) -> String {
        if self.is_row { copied(to, from) } else { format!("{to} = {from};") }
    }

    /// A statement for each element, by index: written out where there are few.
    fn each(&self, out: &mut String, statement: impl Fn(&str) -> String) {
        each(out, &self.count, statement);
    }
}

fn each(out: &mut String, count: &str, statement: impl Fn(&str) -> String) {
    match count.parse::<u64>() {
        Ok(count) if count <= MAX_WRITTEN => {
            for index in 0..count {
                out.push_str(&statement(&index.to_string()));
                out.push(' ');
            }
        }
        _ => {
            let head = "for (unsigned long __i = 0; __i < (unsigned long)";
            let _ = write!(out, "{head}({count}); __i++) {{ {} }} ", statement("__i"));
        }
    }
}

fn copied(to: &str, from: &str) -> String {
    format!("__builtin_memcpy(&{to}, &{from}, sizeof {to}); ")
}

/// Whether a variable of this name is seen by several files.
fn is_shared(program: &tree::Program, name: &str) -> bool {
    program.variables.iter().any(|variable| is_shared_as(program, variable, name))
}

fn is_shared_as(program: &tree::Program, variable: &tree::Variable, name: &str) -> bool {
    variable.linkage == tree::Linkage::External && program.name(variable.name) == name
}

/// Why values of a type cannot be compared.
fn comparable(program: &tree::Program, ty: TypeId, depth: usize) -> Result<(), String> {
    let types = &program.types;
    if types.get(ty).qualifiers.may_change() {
        return Err("is volatile".to_owned());
    }
    match types.kind(ty) {
        TypeKind::Int(_) | TypeKind::Enum(_) | TypeKind::Float(_) => Ok(()),
        TypeKind::Pointer(_) => Err("holds a pointer, behind which nothing is compared".to_owned()),
        TypeKind::Array { element, .. } if types.size_of(ty).is_some() => {
            comparable(program, *element, depth + 1)
        }
        TypeKind::Record(id) => {
            let body = types.record_body(*id).filter(|body| !body.has_flexible_member);
            let Some(body) = body.filter(|_| !types.is_union(ty) && depth < MAX_DEPTH) else {
                return Err("is of a type whose values cannot be compared".to_owned());
            };
            body.fields.iter().try_for_each(|field| comparable(program, field.ty, depth + 1))
        }
        TypeKind::Void
        | TypeKind::Complex(_)
        | TypeKind::Array { .. }
        | TypeKind::Function(_)
        | TypeKind::Vector { .. }
        | TypeKind::Error => Err("is of a type whose values cannot be compared".to_owned()),
    }
}

/// Whether values of a type lead to other memory.
fn holds_pointers(program: &tree::Program, ty: TypeId, depth: usize) -> bool {
    let types = &program.types;
    match types.kind(ty) {
        TypeKind::Pointer(_) => true,
        TypeKind::Array { element, .. } => holds_pointers(program, *element, depth + 1),
        TypeKind::Record(id) => types.record_body(*id).is_none_or(|body| {
            depth >= MAX_DEPTH
                || body.fields.iter().any(|field| holds_pointers(program, field.ty, depth + 1))
        }),
        TypeKind::Void
        | TypeKind::Int(_)
        | TypeKind::Enum(_)
        | TypeKind::Float(_)
        | TypeKind::Complex(_)
        | TypeKind::Function(_)
        | TypeKind::Vector { .. }
        | TypeKind::Error => false,
    }
}

/// Why the results of two functions cannot be compared: pointers are the same where addresses are, and objects that each
/// function has for itself have other addresses.
pub(crate) fn comparable_results(
    program: &tree::Program,
    ty: TypeId,
    functions: [FunctionId; 2],
) -> Result<(), String> {
    let has_own = functions.into_iter().any(|function| program.has_objects(function));
    let is_function = program.types.pointee(ty).is_some_and(|to| program.types.is_function(to));
    if program.types.is_pointer(ty) && (has_own || is_function) {
        return Err(
            "its result may be the address of a variable, text or function, which each of the two \
             functions may have for itself"
                .to_owned(),
        );
    }
    comparable_result(program, ty)
}

/// Why the results of a function cannot be compared. Pointers are the same where addresses are.
pub(crate) fn comparable_result(program: &tree::Program, ty: TypeId) -> Result<(), String> {
    if program.types.is_void(ty) || program.types.is_pointer(ty) {
        return Ok(());
    }
    comparable(program, ty, 0).map_err(|why| format!("its result {why}"))
}

/// When two floating numbers are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sameness {
    /// Where `==` says so.
    Equal,
    /// Zeros have to have the same sign, too.
    Untouched,
}

/// How two values are compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Equality {
    /// The variable that says whether they are the same.
    pub(crate) same: &'static str,
    pub(crate) how: Sameness,
}

impl Equality {
    /// Statements that clear `same` where two values of a type, which can be compared, are not the same. A number that is
    /// none (NaN) is the same as another; padding does not count.
    pub(crate) fn of(
        self,
        program: &tree::Program,
        ty: TypeId,
        (a, b): (&str, &str),
        depth: usize,
    ) -> String {
        let Equality { same, how } = self;
        let types = &program.types;
        if types.float_kind(ty).is_some() {
            let is_same_zero = match how {
                Sameness::Equal => String::new(),
                Sameness::Untouched => format!(" & (({a} != 0) | (1 / {a} == 1 / {b}))"),
            };
            return format!(
                "{same} &= (({a} == {b}){is_same_zero}) | (({a} != {a}) & ({b} != {b})); "
            );
        }
        if let (Some(element), Some(size)) = (types.element(ty), types.size_of(ty)) {
            let count = size / types.size_of(element).unwrap_or(1).max(1);
            let index = format!("__j{depth}");
            let inner = self.of(
                program,
                element,
                (&format!("{a}[{index}]"), &format!("{b}[{index}]")),
                depth + 1,
            );
            return format!(
                "for (unsigned long {index} = 0; {index} < {count}ul; {index}++) {{ {inner} }} "
            );
        }
        if let Some(body) = types.record_of(ty).and_then(|id| types.record_body(id)) {
            let mut out = String::new();
            for field in &body.fields {
                let (a, b) = match field.name {
                    Some(name) => {
                        let name = program.name(name);
                        (format!("{a}.{name}"), format!("{b}.{name}"))
                    }
                    // Unnamed bit-fields are padding; members of records without a name are found through these.
                    None if field.is_anonymous_record() => (a.to_owned(), b.to_owned()),
                    None => continue,
                };
                out.push_str(&self.of(program, field.ty, (&a, &b), depth + 1));
            }
            return out;
        }
        format!("{same} &= {a} == {b}; ")
    }
}
