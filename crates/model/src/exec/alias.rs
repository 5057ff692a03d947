//! What an input pointer refers to: memory of its own, null, or memory that another one has.

use glassbox_ir::{Number, Program, Shape, SourceType, SourceTypeId};
use glassbox_memory::alias::{is_exchangeable, may_overlap};
use glassbox_terms::Sort;
use glassbox_testcase::Assumption;
use glassbox_testcase::image::size_of;

use super::{Executor, Stop};
use crate::guide::ChoiceKind;
use crate::inputs::LENGTH_BOUND;
use crate::memory::{Contents, Object, ObjectKind};
use crate::value::{InputPtrId, ObjectId, SymPtr};

/// What an input pointer may refer to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Referent {
    Fresh,
    Null,
    Start(ObjectId),
    Inside(ObjectId),
    Before(ObjectId),
}

/// Whether values of two types differ by nothing but the name of the type: pointers to this and that, `long` and `long long`.
fn look_alike(program: &Program, a: SourceTypeId, b: SourceTypeId) -> bool {
    match (program.shape(a), program.shape(b)) {
        (Shape::Pointer { .. }, Shape::Pointer { .. }) => true,
        (
            Shape::Number(Number::Int { width: a, .. }),
            Shape::Number(Number::Int { width: b, .. }),
        ) => a == b,
        _ => false,
    }
}

impl Executor<'_> {
    /// Memory of its own, null, or a place in memory that another input pointer has already.
    pub(crate) fn decide_object(
        &mut self,
        id: InputPtrId,
        target: SourceTypeId,
    ) -> Result<SymPtr, Stop> {
        let may_be_fresh = self.n_input_objects < self.config.max_objects;
        if !may_be_fresh {
            self.inputs.note_bound(Assumption::ObjectsBehindPointers);
        }
        self.note_unexplored_aliases(target);
        // Memory of its own comes first: what most calls look like.
        let mut choices: Vec<Referent> = Vec::new();
        if may_be_fresh {
            choices.push(Referent::Fresh);
        }
        choices.push(Referent::Null);
        if self.config.may_alias {
            let is_array = self.is_scalar(target) || self.is_ordering;
            let objects = self.memory.ids().filter(|&object| self.can_alias(object, target));
            let objects: Vec<ObjectId> = objects.collect();
            if objects.iter().any(|&object| self.memory.object(object).is_whole) {
                self.inputs.note_bound(Assumption::WholeObjects);
            }
            for &object in &objects {
                choices.push(Referent::Start(object));
                if is_array {
                    choices.push(Referent::Inside(object));
                }
            }
            // What the first pointer to an object is not at the start of comes last: fewer programs ask for it.
            if is_array {
                let is_part = |&object: &ObjectId| !self.memory.object(object).is_whole;
                choices.extend(objects.into_iter().filter(is_part).map(Referent::Before));
            }
        }
        let taken = self.choose_freely(ChoiceKind::Pointer, choices.len())?;
        match choices[taken] {
            Referent::Fresh => self.fresh_object(id, target),
            Referent::Null => Ok(self.null()),
            Referent::Start(object) => Ok(self.start_of(object)),
            Referent::Inside(object) => self.place_inside(id, object, target),
            Referent::Before(object) => self.place_before(id, object, target),
        }
    }

    fn can_alias(&self, object: ObjectId, target: SourceTypeId) -> bool {
        matches!(
            self.memory.object(object).kind,
            ObjectKind::Input { element, .. } if is_exchangeable(self.program, element, target)
        )
    }

    /// An element after the first one of an object, or its end: `end` of a pair (`begin`, `end`).
    fn place_inside(
        &mut self,
        id: InputPtrId,
        object: ObjectId,
        target: SourceTypeId,
    ) -> Result<SymPtr, Stop> {
        let name = format!("index({})", self.inputs.pointers[id.0 as usize].name);
        let index = self.inputs.variable(self.terms, &name, Sort::Bv(64));
        let ObjectKind::Input { length, .. } = self.memory.object(object).kind else {
            return Ok(self.null());
        };
        let one = self.terms.bv_u(1, 64);
        let (is_later, is_inside) =
            (self.terms.bv_ule(one, index), self.terms.bv_ule(index, length));
        self.assume(is_later)?;
        self.assume(is_inside)?;
        let unit = self.terms.bv_u(size_of(self.program, target).max(1).into(), 64);
        Ok(SymPtr::Object { object, offset: self.terms.bv_mul(index, unit) })
    }

    /// An element in front of the place that the first pointer to an object points to: `begin` where `end` was
    /// looked at first.
    fn place_before(
        &mut self,
        id: InputPtrId,
        object: ObjectId,
        target: SourceTypeId,
    ) -> Result<SymPtr, Stop> {
        let front = self.make_front(object)?;
        let name = format!("distance({})", self.inputs.pointers[id.0 as usize].name);
        let index = self.inputs.variable(self.terms, &name, Sort::Bv(64));
        let element_size = size_of(self.program, target).max(1);
        let unit = self.terms.bv_u(element_size.into(), 64);
        let one = self.terms.bv_u(1, 64);
        let most = self.terms.bv_u((front.max_size / element_size).into(), 64);
        let distance = self.terms.bv_mul(index, unit);
        let is_earlier = self.terms.bv_ule(one, index);
        let is_near = self.terms.bv_ule(index, most);
        let has_room = self.terms.bv_ule(distance, front.size);
        let anyway = self.is_possible_length(index, element_size);
        self.inputs.note_bound_fact(is_near, LENGTH_BOUND, Some(anyway));
        self.assume(is_earlier)?;
        self.assume(is_near)?;
        self.assume(has_room)?;
        Ok(SymPtr::Object { object, offset: self.terms.bv_neg(distance) })
    }

    pub(crate) fn is_scalar(&self, ty: SourceTypeId) -> bool {
        matches!(
            self.program.source_type(self.program.resolve_source_type(ty)),
            SourceType::Bool
                | SourceType::Int { .. }
                | SourceType::Float { .. }
                | SourceType::Enum { .. }
                | SourceType::Pointer { .. }
        )
    }

    /// Says which overlaps of memory this execution does not look at: a pointer into the middle of an
    /// object of another type, or into a global.
    fn note_unexplored_aliases(&mut self, target: SourceTypeId) {
        let overlaps_input = self.memory.ids().any(|object| {
            let ObjectKind::Input { element, .. } = self.memory.object(object).kind else {
                return false;
            };
            !self.can_alias(object, target)
                && (may_overlap(self.program, element, target)
                    || look_alike(self.program, element, target))
        });
        if overlaps_input {
            self.inputs.note_bound(Assumption::EffectiveTypes);
        }
        let mut globals = self.program.globals.iter();
        let overlaps_global = globals.any(|global| {
            !global.is_const && may_overlap(self.program, global.source_type, target)
        });
        if overlaps_global {
            self.inputs.note_bound(Assumption::PointersNotToGlobals);
        }
    }

    /// Says that addresses were compared that differ only because no path makes them one: pointers to different types may
    /// have the same value as long as nothing is accessed (C11 6.5p7 speaks of accesses alone).
    pub(super) fn note_kept_apart(&mut self, a: ObjectId, b: ObjectId) {
        match (self.memory.object(a).kind, self.memory.object(b).kind) {
            (ObjectKind::Input { .. }, ObjectKind::Input { element, .. }) => {
                if !self.config.may_alias || !self.can_alias(a, element) {
                    self.inputs.note_bound(Assumption::EffectiveTypes);
                }
            }
            (ObjectKind::Input { .. }, ObjectKind::Global(_))
            | (ObjectKind::Global(_), ObjectKind::Input { .. }) => {
                self.inputs.note_bound(Assumption::PointersNotToGlobals);
            }
            (
                ObjectKind::Input { .. }
                | ObjectKind::Global(_)
                | ObjectKind::Local(..)
                | ObjectKind::Stack
                | ObjectKind::Heap
                | ObjectKind::Instance { .. }
                | ObjectKind::VarArgs
                | ObjectKind::Stream,
                _,
            ) => {}
        }
    }

    /// A new object of between one and `max_length` elements.
    fn fresh_object(&mut self, id: InputPtrId, target: SourceTypeId) -> Result<SymPtr, Stop> {
        self.n_input_objects += 1;
        let name = self.inputs.pointers[id.0 as usize].name.clone();
        let length_name = format!("length({name})");
        let length = self.inputs.variable(self.terms, &length_name, Sort::Bv(64));
        let max_length = self.config.max_length;
        let element_size = size_of(self.program, target).max(1);
        let unit = self.terms.bv_u(element_size.into(), 64);
        let size = self.terms.bv_mul(length, unit);
        let kind = ObjectKind::Input { element: target, length };
        let max_size = element_size.saturating_mul(max_length);
        let object = self.memory.add(Object {
            contents: Contents::Input(target),
            ..Object::new(kind, &name, size, Some(max_size))
        });
        let (one, most) = (self.terms.bv_u(1, 64), self.terms.bv_u(max_length.into(), 64));
        let (at_least, at_most) = (self.terms.bv_ule(one, length), self.terms.bv_ule(length, most));
        let anyway = self.is_possible_length(length, element_size);
        self.inputs.note_bound_fact(at_most, LENGTH_BOUND, Some(anyway));
        self.assume(at_least)?;
        self.assume(at_most)?;
        Ok(self.start_of(object))
    }
}
