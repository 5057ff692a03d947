//! Stand-ins: functions without a body for the function pointers that callers pass.
//!
//! A program takes pointers to functions that are not part of it. For every type of function behind a
//! pointer that a test can set (parameters, globals, fields of records, results, what casts lead to) the program gets two
//! functions of that type, named after the first such pointer. It is undefined like any function that the
//! program calls and does not define, so what it returns is an input.
//!
//! Functions with records that have no name, and with types of unknown layout, get none: no test could
//! declare them.

use rustc_hash::FxHashSet;

use crate::Shape;
use crate::func::{Function, Linkage, Origin, Param, Passing, ResultPassing};
use crate::id::SourceTypeId;
use crate::instr::{InstrKind, VarArgsOp};
use crate::mark::Mark;
use crate::program::Program;
use crate::source::{FileOrigin, Span};
use crate::source_type::SourceType;
use crate::ty::Ty;

/// A function type behind a pointer, and the name of the pointer.
struct Wanted {
    ty: SourceTypeId,
    pointer: String,
}

/// Adds the stand-ins to a program that has none yet.
pub fn add_stand_ins(program: &mut Program) {
    for wanted in wanted(program) {
        // Two pointers of one type may be different functions.
        for _ in 0..2 {
            let name = free_name(program, &wanted.pointer);
            let Some(function) = stand_in(program, wanted.ty, name) else { continue };
            program.functions.push(function);
        }
    }
}

/// Function types behind pointers that are inputs, each once, in order of appearance.
fn wanted(program: &Program) -> Vec<Wanted> {
    let is_own = |span: Span| {
        let file = program.files.get(span.file.index());
        !span.is_nowhere() && file.is_some_and(|file| file.origin == FileOrigin::User)
    };
    let mut walk = Walk { program, seen: FxHashSet::default(), found: Vec::new() };
    for function in program.functions.iter().filter(|function| is_own(function.span)) {
        for param in &function.params {
            walk.visit(param.source_type, &param.name);
        }
        walk.visit(function.result_source_type, &function.name);
        let blocks = function.body.iter().flat_map(|body| &body.blocks);
        for instr in blocks.flat_map(|block| &block.instrs) {
            if let InstrKind::Mark(Mark::Pointee { target: ty, .. })
            | InstrKind::VarArgs(VarArgsOp::Next { source_type: ty, .. }) = instr.kind
            {
                walk.visit(ty, &function.name);
            }
        }
    }
    for global in program.globals.iter().filter(|global| is_own(global.span)) {
        walk.visit(global.source_type, &global.name);
    }
    walk.found
}

struct Walk<'a> {
    program: &'a Program,
    seen: FxHashSet<SourceTypeId>,
    found: Vec<Wanted>,
}

impl Walk<'_> {
    fn visit(&mut self, ty: SourceTypeId, name: &str) {
        let program = self.program;
        let ty = program.resolve_source_type(ty);
        match program.shape(ty) {
            Shape::Pointer { target, .. } => {
                let target = program.resolve_source_type(target);
                let is_function = program.shape(target) == Shape::Function;
                if is_function && self.seen.insert(target) {
                    let is_known =
                        self.found.iter().any(|known| program.is_same_type(known.ty, target));
                    if !is_known {
                        self.found.push(Wanted { ty: target, pointer: name.to_owned() });
                    }
                } else if !is_function {
                    self.visit(target, name);
                }
            }
            Shape::Array { element, .. } => self.visit(element, name),
            Shape::Record { fields: Some(fields), .. } if self.seen.insert(ty) => {
                for field in fields {
                    self.visit(field.ty, field.name.as_deref().unwrap_or(name));
                }
            }
            Shape::Void
            | Shape::Number(_)
            | Shape::Record { .. }
            | Shape::Function
            | Shape::Reference
            | Shape::Opaque { .. } => {}
        }
    }
}

/// `compare_stub`, with a number if the program has that name.
fn free_name(program: &Program, pointer: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_usable = pointer.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && pointer.chars().all(is_plain);
    let base = if is_usable { pointer } else { "callback" };
    let is_taken = |name: &str| {
        program.functions.iter().any(|function| function.name == name)
            || program.globals.iter().any(|global| global.name == name)
    };
    let mut name = format!("{base}_stub");
    let mut number = 2;
    while is_taken(&name) {
        name = format!("{base}_stub{number}");
        number += 1;
    }
    name
}

fn stand_in(program: &Program, ty: SourceTypeId, name: String) -> Option<Function> {
    let SourceType::Function { result, params, is_variadic } = program.source_type(ty) else {
        return None;
    };
    // A variadic function without fixed parameters cannot be written down.
    if *is_variadic && params.is_empty() {
        return None;
    }
    let (passing, hidden) = match travel(program, *result)? {
        Travel::Nothing => (ResultPassing::Void, None),
        Travel::Value(ty) => (ResultPassing::Direct(ty), None),
        Travel::Record => {
            let param = Param {
                name: "result".to_owned(),
                ty: Ty::Ptr,
                source_type: *result,
                passing: Passing::Direct,
            };
            (ResultPassing::Indirect, Some(param))
        }
    };
    let mut list: Vec<Param> = hidden.into_iter().collect();
    for (index, &source_type) in params.iter().enumerate() {
        let (ty, passing) = match travel(program, source_type)? {
            Travel::Nothing => return None,
            Travel::Value(ty) => (ty, Passing::Direct),
            Travel::Record => (Ty::Ptr, Passing::Indirect),
        };
        list.push(Param { name: format!("p{index}"), ty, source_type, passing });
    }
    Some(Function {
        name,
        linkage: Linkage::Internal,
        origin: Origin::StandIn,
        params: list,
        result: passing,
        result_source_type: *result,
        is_variadic: *is_variadic,
        is_noreturn: false,
        method: None,
        body: None,
        span: Span::nowhere(),
    })
}

/// How a value of a source type goes to or comes from a function.
enum Travel {
    Nothing,
    Value(Ty),
    Record,
}

/// `None` for types that a test cannot spell.
fn travel(program: &Program, ty: SourceTypeId) -> Option<Travel> {
    if !is_spelled(program, ty, 0) {
        return None;
    }
    Some(match program.shape(ty) {
        Shape::Void => Travel::Nothing,
        Shape::Number(number) => Travel::Value(number.ty()),
        Shape::Pointer { .. } => Travel::Value(Ty::Ptr),
        Shape::Record { fields: Some(_), .. } => Travel::Record,
        Shape::Array { .. }
        | Shape::Record { fields: None, .. }
        | Shape::Function
        | Shape::Reference
        | Shape::Opaque { .. } => return None,
    })
}

/// Whether the type has a name all the way down.
fn is_spelled(program: &Program, ty: SourceTypeId, depth: usize) -> bool {
    let inside = |ty: SourceTypeId| depth < 16 && is_spelled(program, ty, depth + 1);
    match program.source_type(ty) {
        SourceType::Record { name: None, .. } | SourceType::Enum { name: None, .. } => false,
        SourceType::Pointer { target, .. } => inside(*target),
        SourceType::Array { element, .. } => inside(*element),
        SourceType::Function { result, params, .. } => {
            inside(*result) && params.iter().all(|&param| inside(param))
        }
        SourceType::Void
        | SourceType::Bool
        | SourceType::Int { .. }
        | SourceType::Float { .. }
        | SourceType::Enum { .. }
        | SourceType::Record { .. }
        | SourceType::Named { .. }
        | SourceType::Opaque { .. } => true,
        SourceType::Class(_) | SourceType::ClassArray { .. } => false,
    }
}
