//! Objects of Java among the inputs of a suite that was written before: by the names of their classes, since numbers of
//! classes are those of one program.

use glassbox_ir::{ObjectLayout, Program, SourceType, SourceTypeId, TypeKind};
use glassbox_testcase::{InputObject, InputPointer, InputValue, TestInput};

use super::read_back::value;
use crate::data::Value;
use crate::data::test::Object;
use crate::data::value::CLASS_NUMBER;

/// The object, where there still is a class of this name and with these fields.
pub(super) fn object(
    program: &Program,
    layout: &ObjectLayout,
    given: &Object,
) -> Option<InputObject> {
    let number = layout.number_of(given.type_name.strip_prefix(RECORD)?)?;
    // Code that dispatches on numbers of classes expects no others.
    let ty = layout.get(number).filter(|ty| ty.is_instantiated)?;
    let [Value::Record(members)] = given.elements.as_slice() else { return None };
    let length = match (&ty.kind, members.get("elements")) {
        (TypeKind::Array { .. }, Some(Value::List(elements))) => elements.len(),
        (TypeKind::Array { .. }, _) => return None,
        (TypeKind::Class { .. }, _) => 0,
    };
    let shape = *ty.shapes.get(length)?;
    let mut members = members.clone();
    *members.get_mut(CLASS_NUMBER)? = Value::Number(number.to_string());
    Some(InputObject {
        name: given.name.clone(),
        element_type: shape,
        length: given.length,
        extra_bytes: given.extra_bytes,
        stream: None,
        elements: vec![value(program, shape, &Value::Record(members))?],
    })
}

/// How types of objects begin, which are records.
const RECORD: &str = "struct ";

/// Whether all references lead to objects of the classes that they are declared with: classes of ours have numbers in their
/// names, and classes of the user's may have lost an interface.
pub(super) fn has_types(program: &Program, input: &TestInput) -> bool {
    let Some(layout) = &program.object_layout else { return true };
    let types = References { program, layout, input };
    let mut params = input.params.iter().map(|param| (param.source_type, &param.value));
    let mut objects = input
        .objects
        .iter()
        .flat_map(|object| object.elements.iter().map(|element| (object.element_type, element)));
    params.all(|(ty, value)| types.fits(ty, value))
        && objects.all(|(ty, value)| types.fits(ty, value))
}

struct References<'a> {
    program: &'a Program,
    layout: &'a ObjectLayout,
    input: &'a TestInput,
}

impl References<'_> {
    fn fits(&self, ty: SourceTypeId, value: &InputValue) -> bool {
        match (self.program.source_type(self.program.resolve_source_type(ty)), value) {
            (_, InputValue::Pointer(InputPointer::Object { object, offset })) => {
                *offset == 0 && self.may_be(ty, *object)
            }
            (SourceType::Record { fields: Some(fields), .. }, InputValue::Struct(parts)) => {
                fields.iter().zip(parts).all(|(field, part)| self.fits(field.ty, part))
            }
            (SourceType::Array { element, .. }, InputValue::Array(parts)) => {
                parts.iter().all(|part| self.fits(*element, part))
            }
            (_, _) => true,
        }
    }

    /// Whether a reference of this type may be to this object.
    fn may_be(&self, ty: SourceTypeId, object: usize) -> bool {
        let declared = self.layout.number_of_source(ty).and_then(|number| self.layout.get(number));
        let found = self.input.objects.get(object).and_then(|object| {
            let Some(InputValue::Struct(parts)) = object.elements.first() else { return None };
            u32::try_from(parts.first()?.as_int()?.unsigned()).ok()
        });
        let Some(number) = found else { return false };
        declared.is_some_and(|declared| {
            declared.subtypes.iter().any(|&(low, high)| (low..=high).contains(&number))
        })
    }
}
