//! Assumptions that fix the length of memory behind an input pointer make its size a constant, so that
//! accesses need no conditions of their own.

use glassbox_terms::{BvOp, Op, TermId};
use glassbox_testcase::image::size_of;
use glassbox_values::Bits;

use super::Executor;
use crate::memory::ObjectKind;

impl Executor<'_> {
    /// The fact `length == number`, or the same about the low bits of a length that is known to be small,
    /// is put in place of the length.
    pub(crate) fn use_known_length(&mut self, fact: TermId) {
        let Some((length, number)) = self.length_equation(fact) else { return };
        let found = self.memory.ids().find_map(|id| {
            let ObjectKind::Input { element, length: of } = self.memory.object(id).kind else {
                return None;
            };
            (of == length).then_some((id, element))
        });
        let Some((id, element)) = found else { return };
        // The length is at most `max_length`, so that equal low bits of a larger width mean equality.
        if number > self.config.max_length {
            return;
        }
        let size = number.saturating_mul(size_of(self.program, element).max(1));
        let (length, size_term) =
            (self.terms.bv_u(number.into(), 64), self.terms.bv_u(size.into(), 64));
        let object = self.memory.object_mut(id);
        object.kind = ObjectKind::Input { element, length };
        object.size = size_term;
        object.max_size = Some(size);
    }

    fn length_equation(&self, fact: TermId) -> Option<(TermId, u64)> {
        if self.terms.op(fact) != Op::Eq {
            return None;
        }
        let (&[left, right] | &[left, right, ..]) = self.terms.args(fact) else { return None };
        let (term, number) = match (self.terms.as_bv_const(left), self.terms.as_bv_const(right)) {
            (None, Some(number)) => (left, number),
            (Some(number), None) => (right, number),
            _ => return None,
        };
        let is_low_part = matches!(self.terms.op(term), Op::Bv(BvOp::Extract { lo: 0, .. }))
            && number.width() >= 32;
        let variable = if is_low_part { self.terms.arg(term, 0) } else { term };
        let is_variable = matches!(self.terms.op(variable), Op::Var(_));
        is_variable.then(|| Bits::to_u64(number)).flatten().map(|number| (variable, number))
    }
}
