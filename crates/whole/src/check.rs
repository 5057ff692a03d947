//! Checks: when they pass, and what is known when they have.

use glassbox_ir::{Check, CheckKind, Operand};
use glassbox_memory::address::{self, Place};
use glassbox_terms::TermId;

use super::body::Activation;
use super::build::Builder;
use super::choice::Choice;
use super::memory::{Content, Object, Ptr, Shape};
use super::{AfterErrors, Checked, Event, place};

/// When a check passes, and what holds then.
struct Meaning {
    /// For an access: that it stays inside of a live object.
    holds: Option<TermId>,
    passed: Option<TermId>,
    /// What an access finds there is known to be fine: it was set, or may be changed.
    is_fit: bool,
}

const UNKNOWN: Meaning = Meaning { holds: None, passed: None, is_fit: false };

impl Meaning {
    /// Nothing but this can go wrong.
    fn exactly(holds: TermId) -> Meaning {
        Meaning { holds: Some(holds), passed: Some(holds), is_fit: true }
    }

    /// It never fails.
    fn always(holds: TermId) -> Meaning {
        Meaning { holds: Some(holds), passed: None, is_fit: true }
    }

    /// When it passes this holds; when it fails is not known.
    fn at_least(passed: TermId) -> Meaning {
        Meaning { holds: None, passed: Some(passed), is_fit: false }
    }
}

impl Builder<'_> {
    pub(super) fn check(
        &mut self,
        activation: &mut Activation<'_>,
        check: &Check,
        place: place::Place,
    ) {
        let meaning = match check {
            Check::Condition { condition, .. } => {
                let condition = self.term(activation, *condition);
                Meaning::exactly(condition)
            }
            Check::Readable { ptr, size } => self.accessible(activation, *ptr, *size, Access::Read),
            Check::Accessible { ptr, size } => {
                self.accessible(activation, *ptr, *size, Access::Any)
            }
            Check::Writable { ptr, size } => {
                self.accessible(activation, *ptr, *size, Access::Write)
            }
            Check::Freeable { ptr } => {
                let ptr = self.pointer(activation, *ptr);
                self.freeable(ptr)
            }
            Check::Callable { ptr, .. } => match self.pointer(activation, *ptr) {
                Ptr::Number(number) => {
                    let is_set = self.terms().bv_is_nonzero(number);
                    Meaning::at_least(is_set)
                }
                Ptr::Object { .. } | Ptr::Fresh { .. } | Ptr::Func(_) | Ptr::OneOf { .. } => {
                    UNKNOWN
                }
            },
            Check::InBoundsOffset { ptr, offset } => {
                let added = self.term(activation, *offset);
                let ptr = self.pointer(activation, *ptr);
                self.stays_inside(ptr, added)
            }
            Check::SameObject { lhs, rhs } => {
                let (a, b) = (self.pointer(activation, *lhs), self.pointer(activation, *rhs));
                match (a, b) {
                    (Ptr::Object { object: a, .. }, Ptr::Object { object: b, .. }) if a == b => {
                        let yes = self.terms().bool_const(true);
                        Meaning::always(yes)
                    }
                    _ => UNKNOWN,
                }
            }
        };
        let Meaning { holds, passed, is_fit } = meaning;
        // A failed assertion ends the program, whatever machines do after errors.
        let is_end = matches!(check, Check::Condition { kind: CheckKind::Assertion, .. });
        let passed = passed.filter(|_| is_end || self.options.after_errors == AfterErrors::End);
        let fails = holds.map(|holds| self.terms().not(holds));
        let checked = Checked { place, is_of_content: false, holds, fails, passed };
        self.event(Event::Check(checked));
        if holds.is_some() && !is_fit {
            let (holds, fails, passed) = (None, None, None);
            let checked = Checked { place, is_of_content: true, holds, fails, passed };
            self.event(Event::Check(checked));
        }
        if let Some(passed) = passed
            && self.terms().as_bool_const(passed) == Some(false)
        {
            // Nothing runs after it.
            self.here = None;
        }
    }

    fn accessible(
        &mut self,
        activation: &mut Activation<'_>,
        ptr: Operand,
        size: Operand,
        access: Access,
    ) -> Meaning {
        let size = self.term(activation, size);
        let length = self.constant(size);
        if length == Some(0) {
            let yes = self.terms().bool_const(true);
            return Meaning::always(yes);
        }
        // Zero bytes may be read from anywhere.
        let Some(length) = length else { return UNKNOWN };
        let ptr = self.pointer(activation, ptr);
        self.for_all_choices(ptr, |builder, choice| {
            if choice.is_null {
                let holds = builder.is_fine_at_null();
                return Meaning::exactly(holds);
            }
            builder.accessible_at(choice.ptr, length, access)
        })
    }

    /// Whether an access through null is not counted as an error: the machine ends such a run, or leaves the access out.
    fn is_fine_at_null(&mut self) -> TermId {
        let goes_on = self.options.after_errors != AfterErrors::End;
        self.terms().bool_const(goes_on)
    }

    /// What a check means where a pointer has several targets: it passes whichever it is.
    fn for_all_choices(
        &mut self,
        ptr: Ptr,
        mut meaning: impl FnMut(&mut Self, &Choice) -> Meaning,
    ) -> Meaning {
        let choices = self.choices(ptr);
        if let [only] = &choices[..] {
            return meaning(self, only);
        }
        let (mut holds, mut passed, mut is_fit) = (Some(Vec::new()), Vec::new(), true);
        for choice in &choices {
            let found = meaning(self, choice);
            is_fit &= found.is_fit;
            match (found.holds, &mut holds) {
                (Some(fact), Some(facts)) => facts.push(self.terms().implies(choice.guard, fact)),
                (Some(_) | None, _) => holds = None,
            }
            if let Some(fact) = found.passed {
                passed.push(self.terms().implies(choice.guard, fact));
            }
        }
        let holds = holds.map(|facts| self.terms().and(&facts));
        let passed = (!passed.is_empty()).then(|| self.terms().and(&passed));
        Meaning { holds, passed, is_fit }
    }

    fn accessible_at(&mut self, ptr: Ptr, length: u64, access: Access) -> Meaning {
        match ptr {
            Ptr::Func(_) | Ptr::OneOf { .. } => UNKNOWN,
            Ptr::Number(number) => {
                let typed = self.typed(number).filter(|typed| typed.is_plain);
                let base = typed.map_or(number, |typed| typed.base);
                let is_set = self.terms().bv_is_nonzero(base);
                let is_fine = self.is_fine_at_null();
                let is_set = self.terms().or(&[is_set, is_fine]);
                // What a caller must not give is no error on the way.
                let is_given = self.options.after_errors != AfterErrors::End;
                let is_whole = typed.is_some_and(|typed| {
                    let size = self.program.size_of_source_type(typed.ty);
                    (typed.is_sure || is_given) && typed.offset.saturating_add(length) <= size
                });
                let is_inside = is_whole && !self.lessons.known.is_dangling;
                let is_fit = access != Access::Read
                    || typed.is_some_and(|typed| self.is_set_behind(typed, length));
                Meaning { holds: is_inside.then_some(is_set), passed: Some(is_set), is_fit }
            }
            Ptr::Object { object, offset } | Ptr::Fresh { object, offset, .. } => {
                let is_alive = self.state(object).is_some();
                // An allocated object may have ended, and another may be where it was.
                if !is_alive && matches!(object, Object::Alloc(..)) {
                    return UNKNOWN;
                }
                let Some(size) = self.size_term(object) else { return UNKNOWN };
                let inside = self.is_inside(Place { offset, size }, length);
                if !is_alive {
                    return Meaning::at_least(inside);
                }
                let is_fit = self.is_fit(object, offset, length, access);
                Meaning { holds: Some(inside), passed: Some(inside), is_fit }
            }
        }
    }

    fn is_inside(&mut self, place: Place, length: u64) -> TermId {
        let length = self.terms().bv_u(length.into(), 64);
        address::is_inside(self.terms(), place, length)
    }

    /// Null may be freed, and so may the beginning of an allocated object that is alive.
    fn freeable(&mut self, ptr: Ptr) -> Meaning {
        self.for_all_choices(ptr, |builder, choice| {
            let offset = match choice.ptr {
                Ptr::Object { object: object @ Object::Alloc(..), offset }
                    if builder.state(object).is_some() && !builder.is_on_stack(object) =>
                {
                    offset
                }
                Ptr::Number(number) if choice.is_null => number,
                Ptr::Object { .. }
                | Ptr::Fresh { .. }
                | Ptr::Number(_)
                | Ptr::Func(_)
                | Ptr::OneOf { .. } => return UNKNOWN,
            };
            let start = builder.terms().bv_u(0, 64);
            let is_start = builder.terms().eq(offset, start);
            Meaning::exactly(is_start)
        })
    }

    /// Whether bounds are all that can go wrong.
    fn is_fit(&mut self, object: Object, offset: TermId, length: u64, access: Access) -> bool {
        let Some(state) = self.state(object) else { return false };
        match (object, access) {
            (Object::Global(global), Access::Write) => !self.program.global(global).is_const,
            (Object::Global(_), Access::Read | Access::Any)
            | (
                Object::Local(..) | Object::Record(_) | Object::Alloc(..),
                Access::Write | Access::Any,
            ) => true,
            (Object::Beyond(_), _) => false,
            (Object::Local(..) | Object::Record(_) | Object::Alloc(..), Access::Read) => {
                if matches!(state.content, Content::Initial | Content::Zeros) {
                    return true;
                }
                // A scalar that was written whole.
                let Some(at) = self.constant(offset) else { return false };
                self.lessons.known.shape(object) == Shape::Cells && state.is_written(at, length)
            }
        }
    }

    fn stays_inside(&mut self, ptr: Ptr, added: TermId) -> Meaning {
        self.for_all_choices(ptr, |builder, choice| {
            let (object, offset) = match choice.ptr {
                Ptr::Object { object, offset } => (object, offset),
                Ptr::Number(_) if choice.is_null => {
                    // Null plus nothing is null.
                    let zero = builder.terms().bv_u(0, 64);
                    let stays = builder.terms().eq(added, zero);
                    return Meaning::exactly(stays);
                }
                Ptr::Number(_) | Ptr::Func(_) | Ptr::Fresh { .. } | Ptr::OneOf { .. } => {
                    return UNKNOWN;
                }
            };
            if matches!(object, Object::Alloc(..)) && builder.state(object).is_none() {
                return UNKNOWN;
            }
            let Some(size) = builder.size_term(object) else { return UNKNOWN };
            let sum = builder.terms().bv_add(offset, added);
            let inside = address::is_within(builder.terms(), Place { offset: sum, size });
            Meaning::exactly(inside)
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Read,
    Write,
    Any,
}
