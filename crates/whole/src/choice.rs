//! Pointers with a small set of targets: reading is a choice, writing is a guarded update of each target.
//!
//! **Relation**: a pointer that is `&a` here and `&b` there keeps a code that says which, and an offset. A read
//! takes the value of the target whose code it has; a write gives every target its new value where the code is
//! the target's, and its old one elsewhere. Null is a target that no access gets to: the check before an access
//! has seen to it. **Not followed**: more than six places, which become a number. **Source**: the points-to
//! sets of Gotlieb, Denmat and Botella (COMPSAC 2005), whose operators for reading and writing through a pointer do the
//! same with keys of variables; here objects have offsets, and the solver sees plain conditionals.

use glassbox_ir::Ty;
use glassbox_terms::TermId;

use super::build::Builder;
use super::memory::{Object, Ptr, SetId, Shape, Target, Targets, Val};

/// Bits of the code of a target.
pub(super) const CODE_WIDTH: u8 = 8;

/// A way that a pointer may go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    /// When it is this one.
    pub(super) guard: TermId,
    /// `Object`, `Number` or `Func`.
    pub(super) ptr: Ptr,
    /// Null plus so many bytes: nothing can be accessed.
    pub(super) is_null: bool,
}

impl Builder<'_> {
    pub(super) fn targets(&self, set: SetId) -> Targets {
        self.sets[set.0]
    }

    pub(super) fn set_id(&mut self, targets: Targets) -> SetId {
        match self.sets.iter().position(|known| *known == targets) {
            Some(position) => SetId(position),
            None => {
                self.sets.push(targets);
                SetId(self.sets.len() - 1)
            }
        }
    }

    /// What a pointer may point to; `None` for functions.
    pub(super) fn targets_of(&mut self, ptr: Ptr) -> Option<Targets> {
        let none = Targets::default();
        match ptr {
            Ptr::Object { object, offset } => none.with(self.place(object, offset)),
            Ptr::Fresh { object, offset, .. } => {
                none.with(self.number_target(offset))?.with(self.place(object, offset))
            }
            Ptr::Number(number) => none.with(self.number_target(number)),
            Ptr::OneOf { targets, address, offset, .. } => {
                let is_moved = self.constant(offset) != Some(0);
                let mut found = none;
                for target in self.targets(targets).iter() {
                    found = found.with(match target {
                        Target::Null => self.number_target(address),
                        Target::Object(object, Some(_)) if is_moved => Target::Object(object, None),
                        Target::Number | Target::Object(..) => target,
                    })?;
                }
                Some(found)
            }
            Ptr::Func(_) => None,
        }
    }

    fn number_target(&mut self, address: TermId) -> Target {
        if self.constant(address) == Some(0) { Target::Null } else { Target::Number }
    }

    /// The target of a pointer into an object. Arrays are followed by symbolic offsets.
    fn place(&mut self, object: Object, offset: TermId) -> Target {
        let at = match self.lessons.known.shape(object) {
            Shape::Cells => self.constant(offset),
            Shape::Array { .. } | Shape::Opaque => None,
        };
        Target::Object(object, at)
    }

    /// The bytes behind the place that the target in a set names.
    pub(super) fn offset_in(&mut self, ptr: Ptr, set: Targets) -> TermId {
        let zero = self.terms().bv_u(0, 64);
        match ptr {
            Ptr::Object { object, offset } | Ptr::Fresh { object, offset, .. } => {
                match set.find(self.place(object, offset)) {
                    Some(Target::Object(_, Some(_))) => zero,
                    Some(_) | None => offset,
                }
            }
            Ptr::OneOf { targets, which, offset, .. } => {
                let mut result = offset;
                let targets = self.targets(targets);
                for target in targets.iter() {
                    let Target::Object(object, Some(at)) = target else { continue };
                    if set.find(Target::Object(object, None)).is_none() {
                        continue;
                    }
                    let code = self.code(targets.code(target));
                    let is_it = self.terms().eq(which, code);
                    let at = self.terms().bv_u(at.into(), 64);
                    let whole = self.terms().bv_add(offset, at);
                    result = self.terms().ite(is_it, whole, result);
                }
                result
            }
            Ptr::Number(_) | Ptr::Func(_) => zero,
        }
    }

    /// The address where the pointer is null or a number.
    pub(super) fn address_in(&mut self, ptr: Ptr) -> TermId {
        match ptr {
            Ptr::Number(address) | Ptr::Fresh { offset: address, .. } => address,
            Ptr::OneOf { address, .. } => address,
            Ptr::Object { .. } | Ptr::Func(_) => self.terms().bv_u(0, 64),
        }
    }

    pub(super) fn code(&mut self, code: u128) -> TermId {
        self.terms().bv_u(code, CODE_WIDTH)
    }

    /// The code of a pointer in a set that has all its targets.
    pub(super) fn which_in(&mut self, ptr: Ptr, set: Targets) -> TermId {
        match ptr {
            Ptr::Fresh { object, is_null, offset } => {
                let null = self.number_target(offset);
                let null = self.code(set.code(null));
                let object = self.place(object, offset);
                let object = self.code(set.code(object));
                self.terms().ite(is_null, null, object)
            }
            Ptr::OneOf { targets, which, address, .. } => {
                let mut code = None;
                let targets = self.targets(targets);
                for target in targets.iter() {
                    let here = self.code(targets.code(target));
                    let is_it = self.terms().eq(which, here);
                    let target =
                        if target == Target::Null { self.number_target(address) } else { target };
                    let new = self.code(set.code(target));
                    code = Some(match code {
                        None => new,
                        Some(other) => self.terms().ite(is_it, new, other),
                    });
                }
                code.unwrap_or(which)
            }
            Ptr::Object { .. } | Ptr::Number(_) | Ptr::Func(_) => {
                let only = self.targets_of(ptr).and_then(|targets| targets.iter().next());
                self.code(set.code(only.unwrap_or(Target::Number)))
            }
        }
    }

    /// A pointer to one of these targets.
    pub(super) fn pointer_to(
        &mut self,
        targets: Targets,
        which: TermId,
        offset: TermId,
        address: TermId,
    ) -> Ptr {
        match targets.only_place() {
            Some((object, None)) => Ptr::Object { object, offset },
            Some((object, Some(at))) => {
                let at = self.terms().bv_u(at.into(), 64);
                Ptr::Object { object, offset: self.terms().bv_add(offset, at) }
            }
            None => Ptr::OneOf { targets: self.set_id(targets), which, offset, address },
        }
    }

    /// The ways a pointer may go; exactly one guard holds.
    pub(super) fn choices(&mut self, ptr: Ptr) -> Vec<Choice> {
        let always = self.terms().bool_const(true);
        match ptr {
            Ptr::Object { .. } | Ptr::Func(_) => {
                vec![Choice { guard: always, ptr, is_null: false }]
            }
            Ptr::Number(number) => {
                let is_null = self.constant(number) == Some(0);
                vec![Choice { guard: always, ptr, is_null }]
            }
            Ptr::Fresh { object, offset, is_null } => {
                let is_set = self.terms().not(is_null);
                vec![
                    Choice { guard: is_null, ptr: Ptr::Number(offset), is_null: true },
                    Choice { guard: is_set, ptr: Ptr::Object { object, offset }, is_null: false },
                ]
            }
            Ptr::OneOf { targets, which, offset, address } => {
                let mut choices = Vec::new();
                let targets = self.targets(targets);
                for target in targets.iter() {
                    let code = self.code(targets.code(target));
                    let guard = self.terms().eq(which, code);
                    if self.terms().as_bool_const(guard) == Some(false) {
                        continue;
                    }
                    let ptr = match target {
                        Target::Null | Target::Number => Ptr::Number(address),
                        Target::Object(object, None) => Ptr::Object { object, offset },
                        Target::Object(object, Some(at)) => {
                            let at = self.terms().bv_u(at.into(), 64);
                            Ptr::Object { object, offset: self.terms().bv_add(offset, at) }
                        }
                    };
                    choices.push(Choice { guard, ptr, is_null: target == Target::Null });
                }
                choices
            }
        }
    }

    /// The ways of an access that has passed its check: not null.
    fn accessed(&mut self, ptr: Ptr) -> Vec<Choice> {
        let mut choices = self.choices(ptr);
        choices.retain(|choice| !choice.is_null);
        choices
    }

    /// One of two pointers.
    pub(super) fn choose(&mut self, condition: TermId, yes: Ptr, no: Ptr) -> Ptr {
        if yes == no {
            return yes;
        }
        let (mine, others) = (self.targets_of(yes), self.targets_of(no));
        let union = mine.zip(others).and_then(|(a, b)| a.union(b));
        match union {
            Some(targets) if targets.has_objects() => {
                let (x, y) = (self.offset_in(yes, targets), self.offset_in(no, targets));
                let offset = self.terms().ite(condition, x, y);
                let (a, b) = (self.which_in(yes, targets), self.which_in(no, targets));
                let which = self.terms().ite(condition, a, b);
                let (a, b) = (self.address_in(yes), self.address_in(no));
                let address = self.terms().ite(condition, a, b);
                self.pointer_to(targets, which, offset, address)
            }
            Some(_) | None => {
                let (yes, no) = (self.number(Val::Ptr(yes)), self.number(Val::Ptr(no)));
                Ptr::Number(self.terms().ite(condition, yes, no))
            }
        }
    }

    /// One of two values of one type.
    pub(super) fn either(&mut self, condition: TermId, yes: Val, no: Val) -> Val {
        match (yes, no) {
            (Val::Term(yes), Val::Term(no)) => Val::Term(self.terms().ite(condition, yes, no)),
            (Val::Ptr(yes), Val::Ptr(no)) => Val::Ptr(self.choose(condition, yes, no)),
            (yes, no) => {
                let (yes, no) = (self.number(yes), self.number(no));
                Val::Ptr(Ptr::Number(self.terms().ite(condition, yes, no)))
            }
        }
    }

    /// Reads through a pointer.
    pub(super) fn load(&mut self, ptr: Ptr, ty: Ty) -> Val {
        let choices = self.accessed(ptr);
        let mut value = None;
        for choice in choices.into_iter().rev() {
            let read = self.load_from(choice.ptr, ty);
            value = Some(match value {
                None => read,
                Some(other) => self.either(choice.guard, read, other),
            });
        }
        value.unwrap_or_else(|| self.opaque_of(ty))
    }

    /// Writes through a pointer.
    pub(super) fn store(&mut self, ptr: Ptr, value: Val, ty: Ty) {
        let choices = self.accessed(ptr);
        if let [only] = choices[..] {
            return self.store_to(only.ptr, value, ty);
        }
        let unset = self.memory.unset.clone();
        for choice in choices {
            let is_written = self.is_set(choice.ptr, ty.size(self.program.pointers));
            let old = self.load_from(choice.ptr, ty);
            let new = self.either(choice.guard, value, old);
            self.store_to(choice.ptr, new, ty);
            if !is_written {
                // Perhaps it was written elsewhere.
                self.unset(choice.ptr);
            }
        }
        // Only one of them has been set.
        self.memory.unset = unset;
    }
}
