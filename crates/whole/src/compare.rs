//! Comparing pointers: the same object, null, different objects.

use glassbox_ir::GlobalKind;
use glassbox_ir::instr::CompareOp;
use glassbox_memory::address::{Place, may_coincide};
use glassbox_model::meaning::integer;
use glassbox_terms::{Sort, TermId};

use super::build::Builder;
use super::memory::{Object, Ptr};

impl Builder<'_> {
    pub(super) fn pointer_difference(&mut self, a: Ptr, b: Ptr) -> Option<TermId> {
        match (a, b) {
            (Ptr::Object { object: a, offset: x }, Ptr::Object { object: b, offset: y })
            | (Ptr::Fresh { object: a, offset: x, .. }, Ptr::Fresh { object: b, offset: y, .. })
                if a == b =>
            {
                Some(self.terms().bv_sub(x, y))
            }
            (Ptr::Number(a), Ptr::Number(b)) => Some(self.terms().bv_sub(a, b)),
            _ => None,
        }
    }

    /// The truth of a comparison, `None` when nothing is known of it.
    pub(super) fn pointer_compare(&mut self, op: CompareOp, a: Ptr, b: Ptr) -> Option<TermId> {
        let (ways, others) = (self.choices(a), self.choices(b));
        if let ([one], [other]) = (&ways[..], &others[..]) {
            return self.compare_plain(op, one.ptr, other.ptr);
        }
        let mut cases = Vec::new();
        let mut is_known = false;
        for one in &ways {
            for other in &others {
                let guard = self.terms().and2(one.guard, other.guard);
                if self.terms().as_bool_const(guard) == Some(false) {
                    continue;
                }
                let truth = self.compare_plain(op, one.ptr, other.ptr);
                is_known |= truth.is_some();
                let truth = truth.unwrap_or_else(|| self.opaque(Sort::Bool));
                cases.push(self.terms().and2(guard, truth));
            }
        }
        is_known.then(|| self.terms().or(&cases))
    }

    fn compare_plain(&mut self, op: CompareOp, a: Ptr, b: Ptr) -> Option<TermId> {
        match (a, b) {
            (Ptr::Object { object: x, offset: i }, Ptr::Object { object: y, offset: j })
                if x == y =>
            {
                Some(integer::compare(self.terms(), op, i, j))
            }
            (Ptr::Number(a), Ptr::Number(b)) => Some(integer::compare(self.terms(), op, a, b)),
            (Ptr::Object { .. } | Ptr::Func(_), Ptr::Number(n))
            | (Ptr::Number(n), Ptr::Object { .. } | Ptr::Func(_))
                if self.constant(n) == Some(0) =>
            {
                // A pointer to what has ended may be.
                let is_ended = |ptr: Ptr| matches!(ptr, Ptr::Object { object, .. } if self.state(object).is_none());
                if is_ended(a) || is_ended(b) {
                    return None;
                }
                // The address of something is not null.
                let no = self.terms().bool_const(false);
                self.equality(op, no)
            }
            (Ptr::Object { object: x, offset: i }, Ptr::Object { object: y, offset: j }) => {
                let (a, b) = (self.address_place(x, i)?, self.address_place(y, j)?);
                let may_be_same = may_coincide(self.terms(), a, b);
                let perhaps = match self.terms().as_bool_const(may_be_same) {
                    Some(false) => may_be_same,
                    Some(true) => return None,
                    None => self.opaque(Sort::Bool),
                };
                let same = self.terms().and2(perhaps, may_be_same);
                self.equality(op, same)
            }
            _ => None,
        }
    }

    /// The answer to a question of equality.
    fn equality(&mut self, op: CompareOp, same: TermId) -> Option<TermId> {
        match op {
            CompareOp::Eq => Some(same),
            CompareOp::Ne => Some(self.terms().not(same)),
            CompareOp::Ult | CompareOp::Ule | CompareOp::Slt | CompareOp::Sle => None,
        }
    }

    /// A place in an object that is alive and shares no bytes with others.
    fn address_place(&mut self, object: Object, offset: TermId) -> Option<Place> {
        self.state(object)?;
        if let Object::Global(global) = object
            && matches!(
                self.program.global(global).kind,
                GlobalKind::StringLiteral | GlobalKind::Register(_)
            )
        {
            // Literals may share their bytes, and registers lie where they lie.
            return None;
        }
        let size = self.size_term(object)?;
        Some(Place { offset, size })
    }
}
