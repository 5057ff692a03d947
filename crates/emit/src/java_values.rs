//! Types of observed values as tests spell them, and whether a value is what it was.

use glassbox_ir::{Program, SourceTypeId};
use glassbox_testcase::java::JavaValue;
use glassbox_testcase::{InputPointer, InputValue};

/// The primitive type that a class boxes.
pub(crate) fn boxed_type(program: &Program, class: &str) -> Option<SourceTypeId> {
    let layout = program.object_layout.as_ref()?;
    let number = layout.number_of(&format!("java.lang.{class}"))?;
    let glassbox_ir::TypeKind::Class { fields, .. } = &layout.get(number)?.kind else {
        return None;
    };
    let value = fields.iter().find(|(id, _)| program.field(*id).name == "value")?;
    Some(program.field(value.0).source_type)
}

/// `[[I` as source code writes it.
pub(crate) fn array_name(name: &str) -> String {
    let Some(element) = name.strip_prefix('[') else { return name.replace('$', ".") };
    let element = match element {
        "Z" => "boolean".to_owned(),
        "B" => "byte".to_owned(),
        "C" => "char".to_owned(),
        "S" => "short".to_owned(),
        "I" => "int".to_owned(),
        "J" => "long".to_owned(),
        "F" => "float".to_owned(),
        "D" => "double".to_owned(),
        _ if element.starts_with('[') => array_name(element),
        _ => {
            let class = element.strip_prefix('L').and_then(|rest| rest.strip_suffix(';'));
            let class = class.unwrap_or(element).replace('$', ".");
            let lang = class.strip_prefix("java.lang.").filter(|rest| !rest.contains('.'));
            lang.map_or(class.clone(), str::to_owned)
        }
    };
    format!("{element}[]")
}

/// Whether a value stayed what it was.
pub(crate) fn is_same(before: &InputValue, after: &JavaValue) -> bool {
    match (before, after) {
        (InputValue::Int(a), JavaValue::Int(b)) => a.unsigned() == b.unsigned(),
        (InputValue::Float(a), JavaValue::Float(b)) => {
            a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
        }
        (InputValue::Pointer(InputPointer::Null), JavaValue::Null) => true,
        (InputValue::Pointer(InputPointer::Object { object, .. }), JavaValue::Input(other)) => {
            object == other
        }
        (InputValue::Bytes(_), JavaValue::Null) => true,
        _ => false,
    }
}
