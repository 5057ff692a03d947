//! What a run of a Java method left behind: result or exception, and the input's objects.

use glassbox_ir::object_layout::{ARRAY_LENGTH, CONTENTS};
use glassbox_ir::{
    FieldId, FuncId, GlobalId, Number, PointerSize, Shape, SourceTypeId, Ty, TypeKind, TypeLayout,
};
use glassbox_testcase::java::{JavaContents, JavaEnding, JavaObservation, JavaValue};
use glassbox_testcase::recipe::Harness;
use glassbox_values::{Bits, Float};

use crate::java::{read_string, type_of};
use crate::machine::Machine;
use crate::memory::Address;
use crate::outcome::Outcome;
use crate::test_run::TestRun;

/// Arrays longer than this are shown as objects.
const MAX_LENGTH: u64 = 4096;

/// Looks at the machine after `run_test`.
pub fn observe(machine: &Machine<'_>, function: FuncId, run: &TestRun) -> JavaObservation {
    let observer = Observer { machine, addresses: &run.addresses };
    let after = run.addresses.iter().map(|&address| observer.contents(address)).collect();
    let ending = observer.ending(function, &run.outcome);
    JavaObservation { ending, after, made: Vec::new(), statics: Vec::new() }
}

/// Looks at the machine after `run_test` of a harness: `setup` has to be what [`made_by_setup`] saw of the
/// same input.
pub fn observe_made(
    machine: &Machine<'_>,
    harness: &Harness,
    run: &TestRun,
    setup: Vec<JavaContents>,
) -> JavaObservation {
    let addresses = made_addresses(machine, harness, run);
    let observer = Observer { machine, addresses: &addresses };
    let mut all: Vec<JavaContents> =
        addresses.iter().map(|&address| observer.contents(address)).collect();
    let made = all.split_off(run.addresses.len());
    let is_called = observer.word(machine.global_address(harness.stage), 4) == 1;
    let ending = if is_called {
        observer.ending(harness.function, &run.outcome)
    } else {
        JavaEnding::Other("an object cannot be made this way".to_owned())
    };
    let made = setup.into_iter().zip(made).collect();
    JavaObservation { ending, after: all, made, statics: Vec::new() }
}

/// The objects that a harness makes, after `run_test` of its setup.
pub fn made_by_setup(machine: &Machine<'_>, harness: &Harness, run: &TestRun) -> Vec<JavaContents> {
    let addresses = made_addresses(machine, harness, run);
    let observer = Observer { machine, addresses: &addresses };
    addresses[run.addresses.len()..].iter().map(|&address| observer.contents(address)).collect()
}

/// Where the objects of the input and those that a harness made are.
fn made_addresses(machine: &Machine<'_>, harness: &Harness, run: &TestRun) -> Vec<Address> {
    let at = |&(_, global): &(usize, GlobalId)| {
        machine.memory().load(machine.global_address(global), 8).unwrap_or(0)
    };
    run.addresses.iter().copied().chain(harness.made.iter().map(at)).collect()
}

/// What a static field holds after a run.
pub fn static_field(machine: &Machine<'_>, field: FieldId, global: GlobalId) -> JavaValue {
    let observer = Observer { machine, addresses: &[] };
    let declared = machine.program().field(field);
    let size = u32::try_from(declared.ty.size(PointerSize::Eight)).unwrap_or(8);
    let word = observer.word(machine.global_address(global), size);
    observer.value(declared.source_type, word.into(), 0)
}

struct Observer<'a> {
    machine: &'a Machine<'a>,
    addresses: &'a [Address],
}

impl Observer<'_> {
    fn ending(&self, function: FuncId, outcome: &Outcome) -> JavaEnding {
        let Outcome::Returned(word) = *outcome else {
            return JavaEnding::Other(format!("{outcome:?}"));
        };
        let program = self.machine.program();
        let pending = program.object_layout.as_ref().map(|layout| layout.pending);
        let exception =
            pending.map_or(0, |pending| self.word(self.machine.global_address(pending), 8));
        if exception != 0 {
            let class = self.type_of(exception).map_or("?", |ty| ty.name.as_str());
            return JavaEnding::Thrown(class.to_owned());
        }
        let ty = program.function(function).result_source_type;
        JavaEnding::Returned(word.map(|word| self.value(ty, word, 0)))
    }

    fn word(&self, address: Address, size: u32) -> u64 {
        self.machine.memory().load(address, size).unwrap_or(0)
    }

    fn type_of(&self, object: Address) -> Option<&TypeLayout> {
        type_of(self.machine.memory(), self.machine.program(), object)
    }

    fn value(&self, ty: SourceTypeId, word: u128, depth: usize) -> JavaValue {
        match self.machine.program().shape(ty) {
            Shape::Number(Number::Bool) => JavaValue::Int(Bits::new(word & 1, 8)),
            Shape::Number(Number::Int { width, .. }) => JavaValue::Int(Bits::new(word, width)),
            Shape::Number(Number::Float(format)) => {
                let bits = u64::try_from(Bits::new(word, format.width()).unsigned()).unwrap_or(0);
                let float = Float::from_bits(bits, format);
                JavaValue::Float(if float.is_nan() { Float::nan(format) } else { float })
            }
            Shape::Void
            | Shape::Pointer { .. }
            | Shape::Array { .. }
            | Shape::Record { .. }
            | Shape::Function
            | Shape::Reference
            | Shape::Opaque { .. } => self.reference(u64::try_from(word).unwrap_or(0), depth),
        }
    }

    fn reference(&self, address: Address, depth: usize) -> JavaValue {
        if address == 0 {
            return JavaValue::Null;
        }
        if let Some(position) = self.addresses.iter().position(|&known| known == address) {
            return JavaValue::Input(position);
        }
        let program = self.machine.program();
        if let Some(text) = read_string(self.machine.memory(), program, address) {
            return JavaValue::String(text);
        }
        let Some(ty) = self.type_of(address) else { return JavaValue::Object("?".to_owned()) };
        let name = ty.name.clone();
        // Fields of other objects are not looked into: objects that refer to each other would have no end.
        match &ty.kind {
            _ if depth > 8 => JavaValue::Object(name),
            TypeKind::Array { element, element_ty } => {
                if self.word(address + ARRAY_LENGTH, 4) > MAX_LENGTH {
                    return JavaValue::Object(name);
                }
                JavaValue::Array(name, self.elements(address, *element, *element_ty, depth))
            }
            TypeKind::Class { .. } if is_box(&name) => {
                let JavaContents::Fields(fields) = self.contents(address) else {
                    return JavaValue::Object(name);
                };
                let value = fields.into_iter().find(|(id, _)| program.field(*id).name == "value");
                match value {
                    Some((_, value)) => JavaValue::Boxed(name, Box::new(value)),
                    None => JavaValue::Object(name),
                }
            }
            TypeKind::Class { .. } => JavaValue::Object(name),
        }
    }

    fn elements(
        &self,
        address: Address,
        element: SourceTypeId,
        element_ty: Ty,
        depth: usize,
    ) -> Vec<JavaValue> {
        let length = self.word(address + ARRAY_LENGTH, 4).min(MAX_LENGTH);
        let size = element_ty.size(PointerSize::Eight);
        let read = |index: u64| {
            let at = address + CONTENTS + index * size;
            let word = self.word(at, u32::try_from(size).unwrap_or(8));
            self.value(element, word.into(), depth + 1)
        };
        (0..length).map(read).collect()
    }

    /// One level deep: references to input objects stay references.
    fn contents(&self, address: Address) -> JavaContents {
        let Some(ty) = self.type_of(address) else { return JavaContents::Unknown };
        let program = self.machine.program();
        match &ty.kind {
            TypeKind::Array { element, element_ty } => {
                if self.word(address + ARRAY_LENGTH, 4) > MAX_LENGTH {
                    return JavaContents::Unknown;
                }
                JavaContents::Elements(self.elements(address, *element, *element_ty, 8))
            }
            TypeKind::Class { fields, .. } => {
                let read = |&(id, offset): &(glassbox_ir::FieldId, u64)| {
                    let field = program.field(id);
                    let size = u32::try_from(field.ty.size(PointerSize::Eight)).unwrap_or(8);
                    let word = self.word(address + offset, size);
                    (id, self.value(field.source_type, word.into(), 7))
                };
                JavaContents::Fields(fields.iter().map(read).collect())
            }
        }
    }
}

/// Whether a class boxes a primitive value.
pub fn is_box(name: &str) -> bool {
    matches!(
        name,
        "java.lang.Integer"
            | "java.lang.Long"
            | "java.lang.Short"
            | "java.lang.Byte"
            | "java.lang.Character"
            | "java.lang.Boolean"
            | "java.lang.Float"
            | "java.lang.Double"
    )
}
