//! Checks: where a path can end in undefined behavior.

use glassbox_ir::{Check, CheckKind, Operand};
use glassbox_memory::address::{is_inside, is_within};
use glassbox_terms::TermId;
use glassbox_testcase::Assumption;

use super::{Executor, Stop, way};
use crate::guide::ChoiceKind;
use crate::value::{ObjectId, SymPtr};

impl Executor<'_> {
    pub(crate) fn check(&mut self, check: &Check) -> Result<(), Stop> {
        match check {
            Check::Condition { kind, condition, .. } => {
                let condition = self.term(*condition)?;
                self.require(condition, *kind)
            }
            Check::Readable { ptr, size } | Check::Accessible { ptr, size } => {
                self.check_bounds(*ptr, *size)?;
                Ok(())
            }
            Check::Writable { ptr, size } => {
                let object = self.check_bounds(*ptr, *size)?;
                match object {
                    Some(object) if self.memory.object(object).is_const => {
                        self.failed(CheckKind::WriteToConstant)
                    }
                    _ => Ok(()),
                }
            }
            Check::Freeable { ptr } => self.check_freeable(*ptr),
            Check::Callable { ptr, ty } => {
                let ptr = self.pointer(*ptr);
                match self.resolve(ptr)? {
                    SymPtr::Func(function) => {
                        // What does not fit at all fails at the call; the rest is undefined and works (C11 6.3.2.3p8).
                        if ty.is_some_and(|ty| !self.has_type(function, ty)) {
                            self.inputs.note_bound(Assumption::CallsOfOtherTypes);
                        }
                        Ok(())
                    }
                    SymPtr::Number(number) if self.is_fixed(number) => {
                        self.unsupported(glassbox_ir::fixed_memory::NAME)
                    }
                    SymPtr::Number(_) => self.failed(CheckKind::NullDereference),
                    SymPtr::Object { .. } | SymPtr::Input(_) => self.failed(CheckKind::BadCall),
                }
            }
            Check::InBoundsOffset { ptr, offset } => self.check_offset(*ptr, *offset),
            Check::SameObject { lhs, rhs } => self.check_same_object(*lhs, *rhs),
        }
    }

    /// The object, when `size` bytes behind the pointer lie inside it; `None` for zero bytes.
    fn check_bounds(&mut self, ptr: Operand, size: Operand) -> Result<Option<ObjectId>, Stop> {
        let size = self.bits(size)?;
        if self.known(size) == Some(0) {
            return Ok(None);
        }
        let (object, offset) = self.target(ptr)?;
        self.reach_down(object, offset)?;
        let inside = self.in_bounds(object, offset, size);
        self.require_inside(object, inside, CheckKind::OutOfBounds)?;
        Ok(Some(object))
    }

    /// Where an address has to be inside of an object; what lies beside a register is up to the machine.
    fn require_inside(
        &mut self,
        object: ObjectId,
        inside: TermId,
        kind: CheckKind,
    ) -> Result<(), Stop> {
        if !self.is_register(object) {
            return self.require(inside, kind);
        }
        let outside = self.terms.not(inside);
        match self.choose(ChoiceKind::Value, &[way(inside), way(outside)])? {
            0 => Ok(()),
            _ => self.unsupported(glassbox_ir::fixed_memory::NAME),
        }
    }

    /// `offset + size` is not behind the object and `offset` not before it, without wrap-around.
    pub(crate) fn in_bounds(&mut self, object: ObjectId, offset: TermId, size: TermId) -> TermId {
        let place = self.place_in(object, offset);
        is_inside(self.terms, place, size)
    }

    fn check_offset(&mut self, ptr: Operand, offset: Operand) -> Result<(), Stop> {
        let added = self.bits(offset)?;
        if self.known(added) == Some(0) {
            return Ok(());
        }
        let ptr = self.pointer(ptr);
        match self.resolve(ptr)? {
            SymPtr::Object { object, offset } => {
                let sum = self.terms.bv_add(offset, added);
                self.reach_down(object, sum)?;
                let place = self.place_in(object, sum);
                let inside = is_within(self.terms, place);
                self.require_inside(object, inside, CheckKind::PointerOverflow)
            }
            SymPtr::Number(number) if self.is_fixed(number) => Ok(()),
            SymPtr::Number(_) => {
                let zero = self.terms.bv_u(0, 64);
                let is_zero = self.terms.eq(added, zero);
                self.require(is_zero, CheckKind::PointerOverflow)
            }
            SymPtr::Func(_) | SymPtr::Input(_) => self.failed(CheckKind::BadPointer),
        }
    }

    fn check_same_object(&mut self, lhs: Operand, rhs: Operand) -> Result<(), Stop> {
        let (lhs, rhs) = (self.pointer(lhs), self.pointer(rhs));
        match self.resolve_both(lhs, rhs)? {
            (SymPtr::Object { object: a, .. }, SymPtr::Object { object: b, .. }) if a == b => {
                Ok(())
            }
            (SymPtr::Number(a), SymPtr::Number(b)) => {
                let equal = self.terms.eq(a, b);
                self.require(equal, CheckKind::PointerCompare)
            }
            (SymPtr::Object { object, .. }, _) | (_, SymPtr::Object { object, .. })
                if self.is_register(object) =>
            {
                self.unsupported(glassbox_ir::fixed_memory::NAME)
            }
            _ => self.failed(CheckKind::PointerCompare),
        }
    }
}
