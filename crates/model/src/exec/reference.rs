//! What a reference that is an input refers to: null, an object that another one has, or a new object of a
//! class that its type allows.
//!
//! New objects are of types that make sense with any field values (`TypeLayout::has_free_fields`); what is left
//! out is noted as a bound.

use glassbox_ir::object_layout::{ARRAY_LENGTH, CLASS_NUMBER, CONTENTS, IDENTITY_HASH};
use glassbox_ir::{
    Callee, FuncId, GlobalKind, InstrKind, ObjectLayout, Origin, PointerSize, SourceType,
    SourceTypeId, TypeKind, TypeLayout,
};
use glassbox_terms::Sort;
use glassbox_testcase::{Assumption, InputObject, UnmodeledInput};

use super::{Executor, Stop};
use crate::guide::ChoiceKind;
use crate::inputs::LENGTH_BOUND;
use crate::memory::{Cell, CellValue, Contents, Object, ObjectKind};
use crate::value::{InputPtrId, ObjectId, SymPtr};

/// Classes that one reference may choose from.
const MAX_CLASSES: usize = 6;

/// Of these, classes of one type that code asks for.
const MAX_ASKED: usize = 2;

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
    ) -> Result<SymPtr, Stop> {
        let program = self.program;
        let found = program
            .object_layout
            .as_ref()
            .and_then(|layout| Some((layout, layout.number_of_source(target)?)));
        let Some((layout, number)) = found else {
            return self.unsupported("a reference to a class that is not loaded");
        };
        self.note_static_aliases(layout);
        // The object that the method is called on runs this very method, and is never null.
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
                let ObjectKind::Instance { number, .. } = self.memory.object(object).kind else {
                    return None;
                };
                fits.contains(&number).then_some(Referent::Same(object))
            }));
        }
        if choices.is_empty() {
            let name = &layout.types[number as usize].name;
            return self.unsupported(format!("an object of {name} to call the method on"));
        }
        let taken = self.choose_freely(ChoiceKind::Pointer, choices.len())?;
        match choices[taken] {
            Referent::Null => Ok(self.null()),
            Referent::Same(object) => Ok(self.start_of(object)),
            Referent::Fresh(number) => {
                self.n_input_objects += 1;
                let name = self.inputs.pointers[id.0 as usize].name.clone();
                let object = self.instance(layout, number, &name)?;
                Ok(self.start_of(object))
            }
        }
    }

    /// Says that objects of static fields are not among what inputs refer to.
    fn note_static_aliases(&mut self, layout: &ObjectLayout) {
        let mut globals = self.program.globals.iter();
        let is_own_reference = |global: &glassbox_ir::Global| {
            let GlobalKind::StaticField(field) = global.kind else { return false };
            let class = self.program.field(field).class;
            let ty = self.program.source_type(global.source_type);
            matches!(ty, SourceType::Pointer { .. }) && layout.is_own(class)
        };
        if globals.any(is_own_reference) {
            self.inputs.note_bound(Assumption::ReferencesNotToStatics);
        }
    }

    /// Classes that new objects may have, the declared one first.
    fn fresh_classes(&mut self, layout: &ObjectLayout, number: u32, is_this: bool) -> Vec<u32> {
        let declared = &layout.types[number as usize];
        if is_this && !declared.is_abstract {
            let mut made = vec![number];
            let others = layout
                .below(number)
                .into_iter()
                .filter(|&below| below != number && self.may_be_receiver(layout, number, below));
            let others: Vec<u32> = others.collect();
            let is_free = |number: &u32| layout.get(*number).is_some_and(|ty| ty.has_free_fields);
            made.extend(others.iter().copied().filter(is_free));
            if made.len() <= others.len() || made.len() > MAX_CLASSES {
                self.inputs.note_bound(Assumption::FewClassesPerReference);
                made.truncate(MAX_CLASSES);
            }
            return made;
        }
        if !declared.is_final {
            self.inputs.note_bound(Assumption::LoadedClassesOnly);
        }
        let has_free_fields = |number| layout.get(number).is_some_and(|ty| ty.has_free_fields);
        let mut below = layout.below(number);
        // What stands in for other classes is of use where its interface is asked for.
        if !declared.is_abstract {
            below.retain(|&number| layout.get(number).is_none_or(|ty| !ty.is_stand_in));
        }
        let mut made: Vec<u32> =
            below.iter().copied().filter(|&number| has_free_fields(number)).collect();
        if made.len() < below.len() || made.is_empty() {
            self.inputs.note_bound(Assumption::UnmodeledInput(UnmodeledInput::JdkObjects));
        }
        if made.len() > MAX_CLASSES {
            self.inputs.note_bound(Assumption::FewClassesPerReference);
            made = self.preferred(layout, made);
            made.truncate(MAX_CLASSES);
        }
        made
    }

    /// The same classes in another order: those first that functions which run ask for, and the classes that these
    /// functions are of.
    fn preferred(&self, layout: &ObjectLayout, made: Vec<u32>) -> Vec<u32> {
        let program = self.program;
        let mut first: Vec<u32> = Vec::new();
        for frame in &self.frames {
            for &asked in layout.asked.get(&frame.function).into_iter().flatten() {
                let below = layout.below(asked);
                let fitting = made.iter().filter(|&number| below.contains(number));
                first.extend(fitting.take(MAX_ASKED));
            }
            let method = program.function(frame.function).method;
            let class = method.map(|id| program.methods[id.index()].class);
            let is_own = |number: &&u32| match layout.get(**number).map(|ty| &ty.kind) {
                Some(TypeKind::Class { class: of, .. }) => Some(*of) == class,
                Some(TypeKind::Array { .. }) | None => false,
            };
            first.extend(made.iter().find(is_own));
        }
        let mut ordered: Vec<u32> = Vec::new();
        for number in first.into_iter().chain(made) {
            if !ordered.contains(&number) {
                ordered.push(number);
            }
        }
        ordered
    }

    /// Whether objects of a class below the declared one run this method: they inherit it, or a method of their own in
    /// its place may call it by `super`. A class below that has no methods of its own counts, too: code may ask for the
    /// class, and interfaces may bring methods.
    fn may_be_receiver(&self, layout: &ObjectLayout, declared: u32, below: u32) -> bool {
        let program = self.program;
        let class_of = |number: u32| match layout.get(number).map(|ty| &ty.kind) {
            Some(TypeKind::Class { class, .. }) => Some(*class),
            Some(TypeKind::Array { .. }) | None => None,
        };
        let (Some(above), Some(mut at)) = (class_of(declared), class_of(below)) else {
            return false;
        };
        let called = self.frames.first().and_then(|frame| {
            let function = match program.function(frame.function).origin {
                Origin::Harness { of } => of,
                // It calls the method itself, and not what overrides it.
                Origin::Relation { of } if self.calls(frame.function, of) => of,
                Origin::User
                | Origin::System
                | Origin::LibraryModel
                | Origin::StandIn
                | Origin::Requirement { .. }
                | Origin::Promise { .. }
                | Origin::Relation { .. }
                | Origin::Variant { .. }
                | Origin::Runtime => frame.function,
            };
            let method = program.function(function).method?;
            Some((function, &program.methods[method.index()]))
        });
        let Some((called, method)) = called else { return true };
        let mut has_own = false;
        let mut may_call_above = false;
        while at != above {
            for own in program.class(at).methods.iter().map(|id| &program.methods[id.index()]) {
                let is_same = own.name == method.name && own.descriptor == method.descriptor;
                has_own |= is_same && !own.is_static && method.name != "<init>";
                may_call_above |= own.function.is_some_and(|own| self.calls(own, called));
            }
            match program.class(at).superclass {
                Some(superclass) => at = superclass,
                None => return true,
            }
        }
        !has_own || may_call_above
    }

    /// Whether a function calls another one by name; what has no code may.
    fn calls(&self, function: FuncId, callee: FuncId) -> bool {
        let Some(body) = &self.program.function(function).body else { return true };
        body.blocks.iter().flat_map(|block| &block.instrs).any(|instr| {
            matches!(&instr.kind, InstrKind::Call(call)
                if matches!(call.callee, Callee::Direct(to) if to == callee))
        })
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
                let unit = self.terms.bv_u(element_ty.size(PointerSize::Eight).into(), 64);
                let bytes = self.terms.bv_mul(wide, unit);
                let header = self.terms.bv_u(CONTENTS.into(), 64);
                let size = self.terms.bv_add(bytes, header);
                let most = CONTENTS + element_ty.size(PointerSize::Eight) * self.longest(ty);
                (Some(length), size, most, length)
            }
        };
        let longest = usize::try_from(self.longest(ty)).unwrap_or(0);
        let shape = ty.shapes.get(longest).copied().unwrap_or(ty.source_type);
        let object = self.memory.add(Object {
            contents: Contents::Input(shape),
            ..Object::new(ObjectKind::Instance { number, length }, name, size, Some(max_size))
        });
        let header = self.terms.bv_u(number.into(), 32);
        self.preset(object, CLASS_NUMBER, 4, CellValue::Term(header));
        let second_at = if length.is_some() { ARRAY_LENGTH } else { IDENTITY_HASH };
        self.preset(object, second_at, 4, CellValue::Term(second));
        if let Some(length) = length {
            let most = self.terms.bv_u(self.longest(ty).into(), 32);
            let is_short = self.terms.bv_ule(length, most);
            let longest = self.terms.bv_u(i32::MAX.cast_unsigned().into(), 32);
            let anyway = self.terms.bv_ule(length, longest);
            self.inputs.note_bound_fact(is_short, LENGTH_BOUND, Some(anyway));
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

    fn preset(&mut self, object: ObjectId, offset: u64, size: u64, value: CellValue) {
        let cell = Cell { size, value };
        let offset = offset.cast_signed();
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
                let zero = self
                    .terms
                    .bv_u(0, u8::try_from(field.ty.size(PointerSize::Eight) * 8).unwrap_or(8));
                self.preset(
                    string,
                    offset,
                    field.ty.size(PointerSize::Eight),
                    CellValue::Term(zero),
                );
                continue;
            }
            let Some(array) = layout.number_of_source(field.source_type) else {
                return self.unsupported("strings without their array");
            };
            if layout.types[array as usize].name == "[B" {
                self.inputs.note_bound(Assumption::LatinStrings);
            }
            let characters = self.instance(layout, array, &InputObject::characters_of(name))?;
            let pointer = self.start_of(characters);
            self.preset(string, offset, 8, CellValue::Ptr(pointer));
        }
        Ok(())
    }
}
