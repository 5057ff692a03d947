//! What a reference that is an input refers to: null, an object that another one has, or a new object of a
//! class that its type allows.
//!
//! New objects are of the user's classes, strings, boxed values, `java.lang.Object` and arrays: others of
//! the JDK have inner rules that arbitrary field values would break, and their constants (enums) are not
//! inputs. What is left out is noted as a bound.

use std::collections::BTreeMap;

use glassbox_ir::object_layout::{ARRAY_LENGTH, CLASS_NUMBER, CONTENTS, IDENTITY_HASH};
use glassbox_ir::{GlobalKind, ObjectLayout, SourceTypeId, Span, TypeKind, TypeLayout};
use glassbox_terms::{Sort, TermId};
use glassbox_testcase::{Assumption, UnmodeledInput};

use super::{Executor, Stop};
use crate::guide::{Alternative, ChoiceKind};
use crate::memory::{Cell, CellValue, Contents, Object, ObjectKind, ObjectState};
use crate::value::{InputPtrId, ObjectId, SymPtr};

/// Classes that one reference may choose from.
const MAX_CLASSES: usize = 6;

/// Classes of the JDK whose objects any field values make sense for.
const PLAIN: &[&str] = &[
    "java.lang.Object",
    "java.lang.String",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Short",
    "java.lang.Byte",
    "java.lang.Character",
    "java.lang.Boolean",
    "java.lang.Float",
    "java.lang.Double",
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Referent {
    /// Of the type of this number.
    Fresh(u32),
    Null,
    Same(ObjectId),
}

impl Executor<'_> {
    pub(crate) fn decide_reference(
        &mut self,
        id: InputPtrId,
        target: SourceTypeId,
        span: Span,
    ) -> Result<SymPtr, Stop> {
        let program = self.program;
        let found = program
            .object_layout
            .as_ref()
            .and_then(|layout| Some((layout, layout.number_of_source(target)?)));
        let Some((layout, number)) = found else {
            return self.unsupported("a reference to a class that is not loaded", span);
        };
        self.note_static_aliases();
        // The object that the method is called on is of its class, and never null.
        let is_this = id.0 == 0 && self.inputs.pointers[0].name == "this";
        let fresh = self.fresh_classes(layout, number, is_this);
        if self.n_input_objects >= self.config.max_objects {
            self.inputs.note_bound(Assumption::ObjectsBehindReferences);
        }
        let may_be_fresh = self.n_input_objects < self.config.max_objects;
        let mut choices: Vec<Referent> = Vec::new();
        if may_be_fresh {
            choices.extend(fresh.into_iter().map(Referent::Fresh));
        }
        if !is_this {
            choices.push(Referent::Null);
        }
        if self.config.may_alias {
            let fits = layout.below(number);
            choices.extend(self.memory.ids().filter_map(|object| {
                match self.memory.object(object).kind {
                    ObjectKind::Instance { number, .. } if fits.contains(&number) => {
                        Some(Referent::Same(object))
                    }
                    _ => None,
                }
            }));
        }
        let free = self.terms.bool_const(true);
        let ways = vec![Alternative { condition: free, is_failure: false }; choices.len()];
        if choices.is_empty() {
            let name = &layout.types[number as usize].name;
            return self.unsupported(format!("an object of {name} to call the method on"), span);
        }
        let taken = self.choose(ChoiceKind::Pointer, span, &ways)?;
        match choices[taken] {
            Referent::Null => Ok(self.null()),
            Referent::Same(object) => {
                let offset = self.terms.bv_u(0, 64);
                Ok(SymPtr::Object { object, offset })
            }
            Referent::Fresh(number) => {
                self.n_input_objects += 1;
                let name = self.inputs.pointers[id.0 as usize].name.clone();
                let object = self.instance(layout, number, &name)?;
                let offset = self.terms.bv_u(0, 64);
                Ok(SymPtr::Object { object, offset })
            }
        }
    }

    /// Says that objects of static fields are not among what inputs refer to.
    fn note_static_aliases(&mut self) {
        let mut globals = self.program.globals.iter();
        let is_own_reference = |global: &glassbox_ir::Global| {
            let GlobalKind::StaticField(field) = global.kind else { return false };
            let class = self.program.field(field).class;
            let ty = self.program.source_type(global.source_type);
            matches!(ty, glassbox_ir::SourceType::Pointer { .. })
                && !is_library_name(&self.program.class(class).name)
        };
        if globals.any(is_own_reference) {
            self.inputs.note_bound(Assumption::ReferencesNotToStatics);
        }
    }

    /// Classes that new objects may have, the declared one first.
    fn fresh_classes(&mut self, layout: &ObjectLayout, number: u32, is_this: bool) -> Vec<u32> {
        let declared = &layout.types[number as usize];
        if is_this && !declared.is_abstract {
            return vec![number];
        }
        if !declared.is_final {
            self.inputs.note_bound(Assumption::LoadedClassesOnly);
        }
        let below = layout.below(number);
        let mut made: Vec<u32> =
            below.iter().copied().filter(|&number| is_makeable(layout, number)).collect();
        if made.len() < below.len() || made.is_empty() {
            self.inputs.note_bound(Assumption::UnmodeledInput(UnmodeledInput::JdkObjects));
        }
        if made.len() > MAX_CLASSES {
            self.inputs.note_bound(Assumption::FewClassesPerReference);
            made.truncate(MAX_CLASSES);
        }
        made
    }

    /// A new object, its header known, its contents inputs.
    fn instance(
        &mut self,
        layout: &ObjectLayout,
        number: u32,
        name: &str,
    ) -> Result<ObjectId, Stop> {
        let ty = &layout.types[number as usize];
        let (length, size, max_size, second) = match &ty.kind {
            TypeKind::Class { size, .. } => {
                (None, self.terms.bv_u((*size).into(), 64), *size, self.terms.bv_u(0, 32))
            }
            TypeKind::Array { element_ty, .. } => {
                let length_name = format!("length({name})");
                let length = self.inputs.variable(self.terms, &length_name, Sort::Bv(32));
                let wide = self.terms.bv_zero_extend(64, length);
                let unit = self.terms.bv_u(element_ty.size().into(), 64);
                let bytes = self.terms.bv_mul(wide, unit);
                let header = self.terms.bv_u(CONTENTS.into(), 64);
                let size = self.terms.bv_add(bytes, header);
                let most = CONTENTS + element_ty.size() * self.longest(ty);
                (Some(length), size, most, length)
            }
        };
        let shape = ty.shapes.last().copied().unwrap_or(ty.source_type);
        let object = self.memory.add(Object {
            kind: ObjectKind::Instance { number, length },
            state: ObjectState::Live,
            name: name.to_owned(),
            size,
            max_size: Some(max_size),
            contents: Contents::Input(shape),
            is_const: false,
            cells: BTreeMap::new(),
            initial: BTreeMap::new(),
            active: BTreeMap::new(),
            address: None,
            origin: Span::nowhere(),
        });
        let header = self.terms.bv_u(number.into(), 32);
        self.preset(object, CLASS_NUMBER, 4, header);
        self.preset(object, if length.is_some() { ARRAY_LENGTH } else { IDENTITY_HASH }, 4, second);
        if let Some(length) = length {
            let most = self.terms.bv_u(self.longest(ty).into(), 32);
            let is_short = self.terms.bv_ule(length, most);
            self.inputs.note_bound_fact(is_short);
            self.assume(is_short)?;
        }
        if ty.name == "java.lang.String" {
            self.fill_string(layout, ty, object, name)?;
        }
        Ok(object)
    }

    fn longest(&self, ty: &TypeLayout) -> u64 {
        let shaped = (ty.shapes.len() as u64).saturating_sub(1);
        self.config.max_length.min(shaped)
    }

    fn preset(&mut self, object: ObjectId, offset: u64, size: u64, term: TermId) {
        let cell = Cell { size, value: CellValue::Term(term) };
        let object = self.memory.object_mut(object);
        object.cells.insert(offset, cell);
        object.initial.insert(offset, cell);
    }

    /// A string has characters of its own, one byte each where the JDK has compact strings.
    fn fill_string(
        &mut self,
        layout: &ObjectLayout,
        ty: &TypeLayout,
        string: ObjectId,
        name: &str,
    ) -> Result<(), Stop> {
        let TypeKind::Class { fields, .. } = &ty.kind else { return Ok(()) };
        let program = self.program;
        for &(id, offset) in fields {
            let field = program.field(id);
            if field.name != "value" {
                let zero = self.terms.bv_u(0, u8::try_from(field.ty.size() * 8).unwrap_or(8));
                self.preset(string, offset, field.ty.size(), zero);
                continue;
            }
            let Some(array) = layout.number_of_source(field.source_type) else {
                return self.unsupported("strings without their array", Span::nowhere());
            };
            if layout.types[array as usize].name == "[B" {
                self.inputs.note_bound(Assumption::LatinStrings);
            }
            let characters = self.instance(layout, array, &format!("{name}#chars"))?;
            let start = self.terms.bv_u(0, 64);
            let pointer = SymPtr::Object { object: characters, offset: start };
            let cell = Cell { size: 8, value: CellValue::Ptr(pointer) };
            let object = self.memory.object_mut(string);
            object.cells.insert(offset, cell);
            object.initial.insert(offset, cell);
        }
        Ok(())
    }
}

/// Whether any values of the fields make an object that a program could have.
fn is_makeable(layout: &ObjectLayout, number: u32) -> bool {
    let Some(ty) = layout.get(number) else { return false };
    if ty.is_abstract {
        return false;
    }
    if matches!(ty.kind, TypeKind::Array { .. }) {
        return true;
    }
    let is_jdk = ty.is_library;
    let above = |number: u32| layout.get(number).map(|ty| (ty.name.as_str(), ty.superclass));
    let mut at = ty.superclass;
    let mut is_special = false;
    while let Some((name, superclass)) = at.and_then(above) {
        is_special |= matches!(name, "java.lang.Enum" | "java.lang.Throwable");
        at = superclass;
    }
    !is_special && !ty.name.contains("$$") && (!is_jdk || PLAIN.contains(&ty.name.as_str()))
}

/// Whether a name is of the JDK or of our models.
fn is_library_name(name: &str) -> bool {
    let prefixes = ["java.", "javax.", "jdk.", "sun.", "com.sun.", "glassbox."];
    prefixes.iter().any(|prefix| name.starts_with(prefix))
}
