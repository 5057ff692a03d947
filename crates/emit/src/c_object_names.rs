//! Names for the objects of a C test, by the way that leads there: `lexer_data` is what the parameter `lexer` points to,
//! `lexer_source` what its member `source` points to. A reader of the test needs no other hint to what belongs where.

use std::collections::VecDeque;

use glassbox_ir::{Program, RecordKind, SourceType, SourceTypeId};
use glassbox_testcase::{InputPointer, InputValue, TestInput};

use crate::c_names::c_name;

/// Longer names say less than a short one with a number.
const LONGEST: usize = 40;

/// One name per object; they may be the same for several, or be taken.
pub(crate) fn object_names(program: &Program, input: &TestInput) -> Vec<String> {
    let mut names =
        Names { program, found: vec![None; input.objects.len()], waiting: VecDeque::new() };
    let params = input.params.iter().chain(input.earlier.iter().flatten());
    for param in params {
        names.look(&param.value, param.source_type, &c_name(&param.name), Place::Variable);
    }
    for (global, value) in &input.globals {
        let global = program.global(*global);
        names.look(value, global.source_type, &c_name(&global.name), Place::Variable);
    }
    // Nearest first, so that the shortest way gives the name.
    while let Some((position, path)) = names.waiting.pop_front() {
        let Some(object) = input.objects.get(position) else { continue };
        for (index, element) in object.elements.iter().enumerate() {
            let is_alone = object.length <= 1 && !matches!(element, InputValue::Pointer(_));
            let path = if is_alone { path.clone() } else { format!("{path}_{index}") };
            names.look(element, object.element_type, &path, Place::Memory);
        }
    }
    let given = input.objects.iter().map(|object| c_name(&object.name));
    names.found.into_iter().zip(given).map(|(found, given)| found.unwrap_or(given)).collect()
}

/// Where a pointer stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is a variable, whose name is not free for what it points to.
    Variable,
    Memory,
}

struct Names<'a> {
    program: &'a Program,
    /// By object.
    found: Vec<Option<String>>,
    /// Objects whose elements were not looked at, with the way to them.
    waiting: VecDeque<(usize, String)>,
}

impl Names<'_> {
    fn look(&mut self, value: &InputValue, ty: SourceTypeId, path: &str, place: Place) {
        let source_type = self.program.source_type(self.program.resolve_source_type(ty));
        match (value, source_type) {
            (InputValue::Pointer(InputPointer::Object { object, .. }), _) => {
                self.name(*object, path, place);
            }
            (InputValue::Struct(values), SourceType::Record { fields: Some(fields), .. }) => {
                for (field, value) in fields.iter().zip(values) {
                    self.member(value, field.ty, path, field.name.as_deref());
                }
            }
            (
                InputValue::Union { field, value },
                SourceType::Record { kind: RecordKind::Union, fields: Some(fields), .. },
            ) => {
                if let Some(field) = fields.get(*field) {
                    self.member(value, field.ty, path, field.name.as_deref());
                }
            }
            (InputValue::Array(values), SourceType::Array { element, .. }) => {
                for (index, value) in values.iter().enumerate() {
                    self.look(value, *element, &format!("{path}_{index}"), Place::Memory);
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

    /// A member without a name is named like what it is in.
    fn member(&mut self, value: &InputValue, ty: SourceTypeId, path: &str, name: Option<&str>) {
        match name {
            Some(name) => self.look(value, ty, &format!("{path}_{name}"), Place::Memory),
            None => self.look(value, ty, path, Place::Memory),
        }
    }

    fn name(&mut self, object: usize, path: &str, place: Place) {
        let Some(found) = self.found.get_mut(object) else { return };
        if found.is_none() && path.len() <= LONGEST {
            *found = Some(match place {
                Place::Variable => format!("{path}_data"),
                Place::Memory => path.to_owned(),
            });
            self.waiting.push_back((object, path.to_owned()));
        }
    }
}
