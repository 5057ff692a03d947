//! Accesses whose offset is a term: every place that it can mean, as one `ite` over the cells.
//!
//! Nothing is concretized: the places come from the object's size and from the shape of the offset
//! (multiples of an element size). When there are too many, or the cells are pointers, the path is split
//! by value instead, and the other values stay open.

use glassbox_ir::{CheckKind, Ty};
use glassbox_terms::{BvOp, Op, TermId, Terms};

use super::{Executor, Stop};
use crate::memory::table::end_of;
use crate::memory::{CellValue, Contents, ReadError};
use crate::value::{ObjectId, SymValue};

/// How many times more places a table of constants may have.
const TABLE_FACTOR: u64 = 16;

impl Executor<'_> {
    /// Offsets at which `size` bytes fit and that `offset` can have; `None` when there are too many, of which a table
    /// may have more.
    fn candidates(
        &self,
        object: ObjectId,
        offset: TermId,
        size: u64,
        may_be_table: bool,
    ) -> Option<Vec<i64>> {
        let entry = self.memory.object(object);
        let max_size = entry.max_size?;
        let progression = Progression::of(self.terms, offset);
        let last = i64::try_from(max_size.checked_sub(size)?).ok()?;
        let room = i64::try_from(entry.front.map_or(0, |front| front.max_size)).ok()?;
        let step = progression.step.max(1);
        let signed_step = i64::try_from(step).ok()?;
        let first =
            progression.rest.cast_signed().checked_add(room)?.rem_euclid(signed_step) - room;
        let n_places = if first > last { 0 } else { last.abs_diff(first) / step + 1 };
        let n_most = self.config.max_candidates as u64;
        let is_table = || may_be_table && self.is_table(object);
        if n_places > n_most && (n_places > n_most * TABLE_FACTOR || !is_table()) {
            return None;
        }
        Some((0..n_places).map(|index| end_of(first, index * step)).collect())
    }

    /// Whether the object holds constants only, as a table does that the program filled before, or the JDK has. Such tables
    /// have long runs of equal values.
    fn is_table(&self, object: ObjectId) -> bool {
        let entry = self.memory.object(object);
        let is_constant = |value| match value {
            CellValue::Term(term) => self.terms.as_bv_const(term).is_some(),
            CellValue::Ptr(_) => false,
        };
        entry.is_const
            || !matches!(entry.contents, Contents::Input(_))
                && entry.cells.values().all(|cell| is_constant(cell.value))
    }

    fn holds_pointer(&self, object: ObjectId, offset: i64, size: u64) -> bool {
        let cells = &self.memory.object(object).cells;
        cells.range(offset.saturating_sub(15)..end_of(offset, size)).any(|(&at, cell)| {
            end_of(at, cell.size) > offset && matches!(cell.value, CellValue::Ptr(_))
        })
    }

    pub(crate) fn load_symbolic(
        &mut self,
        ty: Ty,
        object: ObjectId,
        offset: TermId,
    ) -> Result<SymValue, Stop> {
        let size = ty.size(self.program.pointers);
        self.note_length_bound(object);
        let Some(places) = self.candidates(object, offset, size, true) else {
            let at = self.fix_offset(offset)?;
            return self.load_at(ty, object, at);
        };
        for &place in &places {
            self.materialize(object, place, size)?;
        }
        if ty == Ty::Ptr || places.iter().any(|&place| self.holds_pointer(object, place, size)) {
            let at = self.fix_offset(offset)?;
            return self.load_at(ty, object, at);
        }
        let mut values: Vec<(i64, TermId)> = Vec::new();
        for &place in &places {
            match self.memory.read(self.terms, object, place, ty) {
                Ok(SymValue::Term(value)) => values.push((place, value)),
                Ok(SymValue::Ptr(_)) | Err(ReadError::PointerBytes) => {
                    return self.unsupported("bytes of a pointer as numbers");
                }
                Err(error @ ReadError::InputPointerBytes) => return self.read_failed(error),
                Err(ReadError::Uninitialized) => {}
            }
        }
        if values.is_empty() {
            return self.failed(CheckKind::Uninitialized);
        }
        if values.len() < places.len() {
            let written: Vec<TermId> =
                values.iter().map(|&(place, _)| self.is_at(offset, place)).collect();
            let is_written = if written.len() == 1 { written[0] } else { self.terms.or(&written) };
            self.require(is_written, CheckKind::Uninitialized)?;
        }
        Ok(SymValue::Term(self.choose_value(offset, &values)))
    }

    fn is_at(&mut self, offset: TermId, place: i64) -> TermId {
        let at = self.terms.bv_s(place.into(), 64);
        self.terms.eq(offset, at)
    }

    /// The value at `offset`, which is one of the places (in rising order, at least one).
    fn choose_value(&mut self, offset: TermId, values: &[(i64, TermId)]) -> TermId {
        // (last place, value) of each run of equal values.
        let mut runs: Vec<(i64, TermId)> = Vec::new();
        for &(place, value) in values {
            match runs.last_mut() {
                Some(run) if run.1 == value => run.0 = place,
                _ => runs.push((place, value)),
            }
        }
        if runs.len() * 2 <= values.len() {
            return self.choose_run(offset, &runs);
        }
        let (mut result, others) = match values.split_last() {
            Some((&(_, last), others)) => (last, others),
            None => return offset,
        };
        for &(place, value) in others.iter().rev() {
            let here = self.is_at(offset, place);
            result = self.terms.ite(here, value, result);
        }
        result
    }

    /// The same by halving.
    fn choose_run(&mut self, offset: TermId, runs: &[(i64, TermId)]) -> TermId {
        if let [(_, value)] = runs {
            return *value;
        }
        let (low, high) = runs.split_at(runs.len() / 2);
        let last = low[low.len() - 1].0;
        let border = self.terms.bv_s(last.into(), 64);
        let has_negative = low[0].0 < 0;
        let is_low = if has_negative {
            self.terms.bv_sle(offset, border)
        } else {
            self.terms.bv_ule(offset, border)
        };
        let (low, high) = (self.choose_run(offset, low), self.choose_run(offset, high));
        self.terms.ite(is_low, low, high)
    }

    pub(crate) fn store_symbolic(
        &mut self,
        object: ObjectId,
        offset: TermId,
        size: u64,
        value: SymValue,
    ) -> Result<(), Stop> {
        self.note_length_bound(object);
        let places = self.candidates(object, offset, size, false);
        let (Some(places), SymValue::Term(new)) = (places, value) else {
            let at = self.fix_offset(offset)?;
            return self.store_at(object, at, size, value);
        };
        let width = u8::try_from(size * 8).expect("scalars are at most 16 bytes");
        let new = crate::memory::cells::to_memory(self.terms, new, size);
        let is_float = matches!(self.terms.sort(new), glassbox_terms::Sort::Float(_));
        let ty = if is_float { Ty::Float(self.terms.format(new)) } else { Ty::Int(width) };
        for &place in &places {
            self.materialize(object, place, size)?;
        }
        for &place in &places {
            // Places may overlap: each update starts from what the ones before it left.
            let old = self.memory.read(self.terms, object, place, ty);
            let Ok(SymValue::Term(old)) = old else {
                // Indeterminate or a pointer: only a known place can be overwritten.
                let at = self.fix_offset(offset)?;
                return self.store_at(object, at, size, value);
            };
            let here = self.is_at(offset, place);
            let updated = self.terms.ite(here, new, old);
            self.store_at(object, place, size, SymValue::Term(updated))?;
        }
        Ok(())
    }
}

/// All values that a term can have are `rest` plus a multiple of `step` (mod 2^64).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Progression {
    step: u64,
    rest: u64,
}

impl Progression {
    fn of(terms: &Terms, term: TermId) -> Progression {
        let anything = Progression { step: 1, rest: 0 };
        if let Some(bits) = terms.as_bv_const(term) {
            return Progression { step: 0, rest: bits.to_u64().unwrap_or(0) };
        }
        let args = terms.args(term);
        if terms.op(term) == Op::Ite {
            return Progression::of(terms, args[1]).or(Progression::of(terms, args[2]));
        }
        let Op::Bv(op) = terms.op(term) else { return anything };
        if op == BvOp::Add {
            return Progression::of(terms, args[0]).plus(Progression::of(terms, args[1]));
        }
        if op == BvOp::Mul {
            let (factor, other) = match (terms.as_bv_const(args[0]), terms.as_bv_const(args[1])) {
                (Some(factor), _) => (factor, args[1]),
                (_, Some(factor)) => (factor, args[0]),
                (None, None) => return anything,
            };
            let Some(factor) = factor.to_u64() else { return anything };
            // A product that cannot wrap keeps the factor; otherwise only its power of two.
            let is_narrow = matches!(
                terms.op(other),
                Op::Bv(BvOp::SignExtend { .. } | BvOp::ZeroExtend { .. })
            ) && terms.width(terms.arg(other, 0)) <= 32;
            let power = 1u64 << factor.trailing_zeros().min(63);
            let step = if is_narrow && factor < 1 << 24 { factor } else { power };
            // Multiples of a number that is no power of two are not closed under wrap-around, but
            // the accesses that count are in bounds and so never negative.
            return Progression { step, rest: 0 };
        }
        if op == BvOp::Shl
            && let Some(amount) = terms.as_bv_const(args[1]).and_then(|amount| amount.to_u64())
            && amount < 63
        {
            return Progression { step: 1 << amount, rest: 0 };
        }
        anything
    }

    /// The values of both.
    fn or(self, other: Progression) -> Progression {
        // Constants may be negative.
        let apart = self.rest.wrapping_sub(other.rest).cast_signed().unsigned_abs();
        self.plus(Progression { step: gcd(other.step, apart), rest: 0 })
    }

    fn plus(self, other: Progression) -> Progression {
        let step = gcd(self.step, other.step);
        let rest = self.rest.wrapping_add(other.rest);
        // Constants may be negative, and 2^64 is no multiple of a step like 12: reduce the signed number.
        let signed_step = i64::try_from(step).unwrap_or(i64::MAX).max(1);
        let reduced = rest.cast_signed().rem_euclid(signed_step).cast_unsigned();
        Progression { step, rest: if step == 0 { rest } else { reduced } }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use glassbox_terms::{Sort, Terms};

    use super::Progression;

    #[test]
    fn offsets_of_array_elements_are_multiples() {
        let mut terms = Terms::new();
        let index = terms.fresh_var("i", Sort::Bv(32));
        let wide = terms.bv_sign_extend(64, index);
        let twelve = terms.bv_u(12, 64);
        let scaled = terms.bv_mul(wide, twelve);
        let four = terms.bv_u(4, 64);
        let field = terms.bv_add(scaled, four);
        assert_eq!(Progression::of(&terms, field), Progression { step: 12, rest: 4 });
    }

    #[test]
    fn a_negative_constant_keeps_the_residue() {
        let mut terms = Terms::new();
        let index = terms.fresh_var("i", Sort::Bv(32));
        let wide = terms.bv_sign_extend(64, index);
        let twelve = terms.bv_u(12, 64);
        let scaled = terms.bv_mul(wide, twelve);
        let before = terms.bv_s(-12, 64);
        let element = terms.bv_add(scaled, before);
        assert_eq!(Progression::of(&terms, element), Progression { step: 12, rest: 0 });
    }

    #[test]
    fn a_choice_has_the_values_of_both() {
        let mut terms = Terms::new();
        let (which, other) = (terms.fresh_var("b", Sort::Bool), terms.fresh_var("c", Sort::Bool));
        let [four, twelve, twenty] = [4, 12, 20].map(|number| terms.bv_u(number, 64));
        let inner = terms.ite(other, four, twelve);
        let choice = terms.ite(which, inner, twenty);
        assert_eq!(Progression::of(&terms, choice), Progression { step: 8, rest: 4 });
        let before = terms.bv_s(-4, 64);
        let choice = terms.ite(which, before, four);
        assert_eq!(Progression::of(&terms, choice), Progression { step: 8, rest: 4 });
    }

    #[test]
    fn a_product_that_may_wrap_keeps_only_its_power_of_two() {
        let mut terms = Terms::new();
        let index = terms.fresh_var("i", Sort::Bv(64));
        let twelve = terms.bv_u(12, 64);
        let scaled = terms.bv_mul(index, twelve);
        assert_eq!(Progression::of(&terms, scaled), Progression { step: 4, rest: 0 });
    }
}
