//! Memory in front of where an input pointer points: a header before the payload, the element before this one, a
//! second pointer to an earlier place.
//!
//! An input object begins where the first pointer to it points until a path asks for what lies before that. Then
//! it gets room in front, of a length that is an input like others.

use glassbox_memory::address::Place;
use glassbox_terms::{BvOp, Op, Sort, TermId, Terms};
use glassbox_testcase::Assumption;
use glassbox_testcase::image::size_of;

use super::{Executor, Stop};
use crate::inputs::LENGTH_BOUND;
use crate::memory::{Front, ObjectKind};
use crate::value::ObjectId;

impl Executor<'_> {
    /// A place in an object as bytes behind its very start.
    pub(crate) fn place_in(&mut self, object: ObjectId, offset: TermId) -> Place {
        let entry = self.memory.object(object);
        let size = entry.size;
        match entry.front {
            None => Place { offset, size },
            Some(front) => Place {
                offset: self.terms.bv_add(offset, front.size),
                size: self.terms.bv_add(size, front.size),
            },
        }
    }

    /// An input object is about to be used at this offset: if that is clearly below where its first pointer points,
    /// there has to be something.
    pub(crate) fn reach_down(&mut self, object: ObjectId, offset: TermId) -> Result<(), Stop> {
        let entry = self.memory.object(object);
        let ObjectKind::Input { .. } = entry.kind else { return Ok(()) };
        if entry.front.is_some() || is_never_below(self.terms, offset) {
            return Ok(());
        }
        if leads_down(self.terms, offset) {
            return self.make_front(object).map(|_| ());
        }
        self.inputs.note_bound(Assumption::PointersToStarts);
        Ok(())
    }

    /// The room in front of an input object, which comes into being here if there is none yet: at most
    /// `max_length` elements.
    pub(crate) fn make_front(&mut self, object: ObjectId) -> Result<Front, Stop> {
        let entry = self.memory.object(object);
        if let Some(front) = entry.front {
            return Ok(front);
        }
        let ObjectKind::Input { element, .. } = entry.kind else {
            return self.unsupported("memory in front of what is no input");
        };
        if entry.is_whole {
            self.inputs.note_bound(Assumption::WholeObjects);
            let nothing = self.terms.bv_u(0, 64);
            let front = Front { length: nothing, size: nothing, max_size: 0 };
            self.memory.object_mut(object).front = Some(front);
            return Ok(front);
        }
        let name = format!("before({})", entry.name);
        let length = self.inputs.variable(self.terms, &name, Sort::Bv(64));
        let element_size = size_of(self.program, element).max(1);
        let unit = self.terms.bv_u(element_size.into(), 64);
        let size = self.terms.bv_mul(length, unit);
        let max_size = element_size.saturating_mul(self.config.max_length);
        let front = Front { length, size, max_size };
        self.memory.object_mut(object).front = Some(front);
        let most = self.terms.bv_u(self.config.max_length.into(), 64);
        let at_most = self.terms.bv_ule(length, most);
        let anyway = self.is_possible_length(length, element_size);
        self.inputs.note_bound_fact(at_most, LENGTH_BOUND, Some(anyway));
        self.assume(at_most)?;
        Ok(front)
    }

    /// That so many elements are no more than an object can have: their size does not wrap around.
    pub(crate) fn is_possible_length(&mut self, length: TermId, element_size: u64) -> TermId {
        let most = self.program.pointers.max_object_size() / element_size.max(1);
        let most = self.terms.bv_u(most.into(), 64);
        self.terms.bv_ule(length, most)
    }
}

/// Whether an offset is not below zero, whatever the inputs are.
pub(super) fn is_never_below(terms: &Terms, offset: TermId) -> bool {
    most(terms, offset).is_some_and(|most| i64::try_from(most).is_ok())
}

/// A number that the term never exceeds, if the term's form shows one.
fn most(terms: &Terms, term: TermId) -> Option<u64> {
    if let Some(bits) = terms.as_bv_const(term) {
        return bits.to_u64();
    }
    let args = terms.args(term);
    #[expect(clippy::wildcard_enum_match_arm, reason = "other operators show no bound")]
    match terms.op(term) {
        Op::Ite => Some(most(terms, args[1])?.max(most(terms, args[2])?)),
        Op::Bv(BvOp::ZeroExtend { .. }) => {
            1u64.checked_shl(terms.width(args[0]).into()).and_then(|power| power.checked_sub(1))
        }
        Op::Bv(BvOp::Add) => {
            args.iter().try_fold(0u64, |sum, &arg| sum.checked_add(most(terms, arg)?))
        }
        Op::Bv(BvOp::Mul) => {
            args.iter().try_fold(1u64, |product, &arg| product.checked_mul(most(terms, arg)?))
        }
        Op::Bv(BvOp::Shl) => {
            let amount = most(terms, args[1])?;
            let factor = 1u64.checked_shl(u32::try_from(amount).ok()?)?;
            most(terms, args[0])?.checked_mul(factor)
        }
        _ => None,
    }
}

/// Whether the program went down on purpose: a negative constant, or something taken away from where the pointer was.
/// An index that may happen to be negative does not.
fn leads_down(terms: &Terms, offset: TermId) -> bool {
    if let Some(bits) = terms.as_bv_const(offset) {
        return bits.sign_bit();
    }
    let args = terms.args(offset);
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "other operators say nothing about the sign"
    )]
    match terms.op(offset) {
        Op::Bv(BvOp::Neg) => true,
        Op::Bv(BvOp::Add) => args.iter().all(|&arg| leads_down(terms, arg)),
        Op::Bv(BvOp::Sub) => leads_down(terms, args[0]),
        Op::Bv(BvOp::Mul) => {
            args.iter().any(|&arg| terms.as_bv_const(arg).is_some_and(|bits| bits.sign_bit()))
        }
        Op::Ite => leads_down(terms, args[1]) || leads_down(terms, args[2]),
        _ => false,
    }
}
