//! Texts that are easier to read: one string for each text, so that tests write literals instead of
//! `new String("…")`, and letters where a run looks at no character.
//!
//! Whether a run notices the change is decided by the caller, who runs both inputs.

use std::cell::RefCell;

use glassbox_emit::java_imports::Imports;
use glassbox_emit::java_object::Objects;
use glassbox_ir::Program;
use glassbox_testcase::java::{JavaContents, JavaEnding, JavaObservation, JavaValue};
use glassbox_testcase::recipe::Recipes;
use glassbox_testcase::{InputPointer, InputValue, TestInput};
use glassbox_values::Bits;

/// By object: the first one of the same text, where it is another.
pub(super) type Twins = Vec<Option<usize>>;

/// The input with one object for each text; `None` where nothing changes.
pub(super) fn merged(program: &Program, input: &TestInput) -> Option<(TestInput, Twins)> {
    let recipes = Recipes::default();
    let imports = RefCell::new(Imports::default());
    let objects = Objects::new(program, &recipes, input, "", &imports);
    let texts: Vec<Option<Vec<u16>>> =
        (0..input.objects.len()).map(|object| objects.text(object)).collect();
    let first = |object: usize| {
        let text = texts[object].as_ref()?;
        texts.iter().position(|other| other.as_ref() == Some(text)).filter(|&at| at != object)
    };
    let twins: Twins = (0..texts.len()).map(first).collect();
    if twins.iter().all(Option::is_none) {
        return None;
    }
    let mut merged = input.clone();
    for param in &mut merged.params {
        redirect(&mut param.value, &twins);
    }
    for element in merged.objects.iter_mut().flat_map(|object| &mut object.elements) {
        redirect(element, &twins);
    }
    Some((merged, twins))
}

/// What was seen of the input as it was, in terms of the merged one.
pub(super) fn renamed(mut seen: JavaObservation, twins: &Twins) -> JavaObservation {
    if let JavaEnding::Returned(Some(value)) = &mut seen.ending {
        rename(value, twins);
    }
    let made = seen.made.iter_mut().flat_map(|(before, after)| [before, after]);
    for contents in seen.after.iter_mut().chain(made) {
        match contents {
            JavaContents::Fields(fields) => {
                fields.iter_mut().for_each(|(_, value)| rename(value, twins));
            }
            JavaContents::Elements(values) => {
                values.iter_mut().for_each(|value| rename(value, twins));
            }
            JavaContents::Unknown => {}
        }
    }
    seen
}

fn rename(value: &mut JavaValue, twins: &Twins) {
    match value {
        JavaValue::Input(object) => {
            *object = twins.get(*object).copied().flatten().unwrap_or(*object);
        }
        JavaValue::Array(_, values) => values.iter_mut().for_each(|value| rename(value, twins)),
        JavaValue::Null
        | JavaValue::Int(_)
        | JavaValue::Float(_)
        | JavaValue::String(_)
        | JavaValue::Boxed(..)
        | JavaValue::Object(_) => {}
    }
}

/// The input with letters for characters that are zero; `None` where there are none.
pub(super) fn lettered(input: &TestInput) -> Option<TestInput> {
    let mut changed = input.clone();
    let mut is_changed = false;
    let texts = changed.objects.iter_mut().filter(|object| object.is_characters());
    for object in texts {
        let Some(InputValue::Struct(parts)) = object.elements.first_mut() else { continue };
        let Some(InputValue::Array(units)) = parts.get_mut(2) else { continue };
        for (unit, letter) in units.iter_mut().zip((b'a'..=b'z').cycle()) {
            if let InputValue::Int(bits) = unit
                && bits.is_zero()
            {
                *bits = Bits::new(letter.into(), bits.width());
                is_changed = true;
            }
        }
    }
    is_changed.then_some(changed)
}

fn redirect(value: &mut InputValue, twins: &[Option<usize>]) {
    match value {
        InputValue::Pointer(InputPointer::Object { object, .. }) => {
            *object = twins.get(*object).copied().flatten().unwrap_or(*object);
        }
        InputValue::Struct(parts) | InputValue::Array(parts) => {
            parts.iter_mut().for_each(|part| redirect(part, twins));
        }
        InputValue::Pointer(_)
        | InputValue::Int(_)
        | InputValue::Float(_)
        | InputValue::Union { .. }
        | InputValue::Bytes(_) => {}
    }
}
