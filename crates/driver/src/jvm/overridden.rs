//! Methods that classes below have a method of their own for: a call on an object of such a class runs that one, which
//! may call the method by `super`. So tests of the method go through it.

use glassbox_ir::{ClassId, FuncId, Method, Program, TypeKind};
use glassbox_jvm_front::JavaProgram;
use glassbox_testcase::{InputPointer, InputValue, TestInput};

/// Whether a call of a method on the receiver of this input runs another one.
pub(super) fn runs_another(program: &Program, function: FuncId, input: &TestInput) -> bool {
    let Some(method) = method_of(program, function) else { return false };
    let is_construction = method.name == "<init>";
    let receiver = input.params.first().filter(|_| !method.is_static && !is_construction);
    let Some(InputValue::Pointer(InputPointer::Object { object, .. })) =
        receiver.map(|param| &param.value)
    else {
        return false;
    };
    let values = input.objects.get(*object).and_then(|object| object.elements.first());
    let Some(InputValue::Struct(values)) = values else { return false };
    let number = values.first().and_then(InputValue::as_int);
    let number = number.and_then(|number| u32::try_from(number.unsigned()).ok());
    let layout = program.object_layout.as_ref();
    match layout.zip(number).and_then(|(layout, number)| layout.get(number)).map(|ty| &ty.kind) {
        Some(TypeKind::Class { class, .. }) => in_its_place(program, method, *class).is_some(),
        Some(TypeKind::Array { .. }) | None => false,
    }
}

/// The methods under test that stand in the place of this one and call it.
pub(super) fn overriding(java: &JavaProgram, function: FuncId) -> Vec<FuncId> {
    let program = &java.program;
    let Some(method) = method_of(program, function) else { return Vec::new() };
    let is_below = |caller: &FuncId| {
        let other = method_of(program, *caller);
        other.is_some_and(|other| in_its_place(program, method, other.class).is_some())
    };
    let callers = java.entries.iter().copied().filter(|caller| *caller != function);
    let callers = callers.filter(|&caller| {
        let other = method_of(program, caller);
        other.is_some_and(|other| is_same(method, other))
            && java.influences.may_call(caller, function)
    });
    callers.filter(is_below).collect()
}

fn method_of(program: &Program, function: FuncId) -> Option<&Method> {
    program.function(function).method.map(|id| &program.methods[id.index()])
}

fn is_same(method: &Method, other: &Method) -> bool {
    other.name == method.name && other.descriptor == method.descriptor && !other.is_static
}

/// The method that objects of a class run in the place of one of a class above.
fn in_its_place<'a>(program: &'a Program, method: &Method, class: ClassId) -> Option<&'a Method> {
    let mut at = class;
    while at != method.class {
        let mut own = program.class(at).methods.iter().map(|id| &program.methods[id.index()]);
        if let Some(found) = own.find(|own| is_same(method, own)) {
            return Some(found);
        }
        at = program.class(at).superclass?;
    }
    None
}
