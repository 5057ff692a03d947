//! Extraction, concatenation and bit operations as splits of integers.
//!
//! Forms that need columns of their own are made once per term (`exact`), so that all users of a term
//! see the same columns.

use glassbox_terms::{BvOp, Op, TermId};
use glassbox_values::Signedness;

use super::{Translator, View};
use crate::envelope::{Relation, mask};
use crate::linear::LinearExpr;
use crate::range::Range;
use crate::rational::Rational;
use crate::system::Kind;

/// The position and number of the ones of a constant whose ones are contiguous.
fn contiguous(mask: u128) -> Option<(u32, u32)> {
    let low = mask.trailing_zeros();
    let ones = (mask >> (low % 128)).trailing_ones();
    (mask != 0 && low + ones == 128 - mask.leading_zeros()).then_some((low, ones))
}

impl Translator<'_> {
    /// The form of a term whose operator needs columns of its own, made once.
    pub(super) fn exact(
        &mut self,
        term: TermId,
        make: impl FnOnce(&mut Self) -> Option<View>,
    ) -> Option<View> {
        if let Some(known) = self.exact_forms.get(&term) {
            return known.clone();
        }
        let view = make(self);
        self.exact_forms.insert(term, view.clone());
        view
    }

    /// `whole = 2^(hi+1) * top + 2^lo * middle + low`; gives `middle`.
    fn split(&mut self, whole: &View, width: u8, hi: u8, lo: u8) -> Option<View> {
        let range = |bits: u8| Range::new(0, (1_i128 << bits) - 1);
        let middle = self.system.free_column(Kind::Value, range(hi - lo + 1));
        let mut row = whole.expr.clone();
        row.add_term(middle, &-Rational::power_of_two(u32::from(lo)));
        if lo > 0 {
            let low = self.system.free_column(Kind::Quotient, range(lo));
            row.add_term(low, &Rational::int(-1));
        }
        if hi + 1 < width {
            let top = self.system.free_column(Kind::Quotient, range(width - hi - 1));
            row.add_term(top, &-Rational::power_of_two(u32::from(hi) + 1));
        }
        // The parts exist whatever `whole` rests on, but the row needs it.
        self.system.add_row(row, Relation::IsZero, whole.because);
        Some(View { expr: LinearExpr::var(middle), because: whole.because })
    }

    /// Bits `hi..=lo`, `lo > 0`, as an unsigned number.
    pub(super) fn slice(&mut self, x: TermId, hi: u8, lo: u8) -> Option<View> {
        let whole = self.view(x, Signedness::Unsigned)?;
        self.split(&whole, self.width(x)?, hi, lo)
    }

    pub(super) fn concat(&mut self, high: TermId, low: TermId, hint: Signedness) -> Option<View> {
        let shift = Rational::power_of_two(u32::from(self.width(low)?));
        let high = self.summand(high, hint)?;
        let low = self.view(low, Signedness::Unsigned)?;
        let mut expr = high.expr.scaled(&shift);
        expr.add_scaled(&low.expr, &Rational::ONE);
        let because = self.system.facts.derived([high.because, low.because]);
        Some(View { expr, because })
    }

    /// `x & y` as an unsigned number, one form for each pair of operands.
    pub(super) fn bit_and(&mut self, x: TermId, y: TermId) -> Option<View> {
        let key = (x.min(y), x.max(y));
        if let Some(known) = self.masks.get(&key) {
            return known.clone();
        }
        let view = self.make_bit_and(x, y);
        self.masks.insert(key, view.clone());
        view
    }

    fn make_bit_and(&mut self, x: TermId, y: TermId) -> Option<View> {
        let width = self.width(x)?;
        for (operand, other) in [(x, y), (y, x)] {
            let Some(bits) = self.constant(other) else { continue };
            if bits.is_zero() {
                return Some(View::axiom(LinearExpr::zero()));
            }
            match contiguous(bits.unsigned()) {
                Some((0, ones)) => return self.low_bits(operand, u8::try_from(ones).ok()?),
                Some((low, ones)) => {
                    let whole = self.view(operand, Signedness::Unsigned)?;
                    let (low, ones) = (u8::try_from(low).ok()?, u8::try_from(ones).ok()?);
                    let middle = self.split(&whole, width, low + ones - 1, low)?;
                    let expr = middle.expr.scaled(&Rational::power_of_two(u32::from(low)));
                    return Some(View { expr, because: middle.because });
                }
                None => {}
            }
        }
        let a = self.view(x, Signedness::Unsigned)?;
        let b = self.view(y, Signedness::Unsigned)?;
        let because = self.system.facts.derived([a.because, b.because]);
        let ones = (1_i128 << width) - 1;
        let m = self.system.free_column(Kind::Value, Range::new(0, ones));
        for row in mask::and_rows(&a.expr, &b.expr, m, ones) {
            self.system.add_row(row.expr, row.relation, because);
        }
        Some(View { expr: LinearExpr::var(m), because })
    }

    /// The low `bits` bits of a term, from anything congruent to it.
    fn low_bits(&mut self, term: TermId, bits: u8) -> Option<View> {
        let hint = self.preferred(term);
        let congruent = self.summand(term, hint)?;
        let range = Range::new(0, (1 << bits) - 1);
        let view = self.reduce(congruent, bits, range)?;
        self.keep_within(&view.expr, range, [view.because; 2]);
        Some(view)
    }

    /// `x + y - factor * (x & y)`: or for 1, exclusive or for 2.
    pub(super) fn or_like(&mut self, x: TermId, y: TermId, factor: i128) -> Option<View> {
        let both = self.bit_and(x, y)?;
        let a = self.view(x, Signedness::Unsigned)?;
        let b = self.view(y, Signedness::Unsigned)?;
        let mut expr = a.expr.plus(&b.expr);
        expr.add_scaled(&both.expr, &Rational::int(-factor));
        let because = self.system.facts.derived([a.because, b.because, both.because]);
        Some(View { expr, because })
    }

    /// The view to read a term in when nothing else decides.
    pub(super) fn preferred(&self, term: TermId) -> Signedness {
        let mut term = term;
        for _ in 0..super::MAX_DEPTH {
            if let Some(leaf) = self.leaves.get(&term) {
                return leaf.signedness;
            }
            if let Some(signedness) = self.demands.get(&term) {
                return *signedness;
            }
            let Op::Bv(op) = self.terms.op(term) else { return Signedness::Signed };
            let next = match op {
                BvOp::Add | BvOp::Sub | BvOp::Mul | BvOp::Neg | BvOp::Not | BvOp::Shl => {
                    self.terms.args(term).iter().copied().find(|arg| self.constant(*arg).is_none())
                }
                BvOp::Udiv | BvOp::Urem | BvOp::Lshr => return Signedness::Unsigned,
                BvOp::And | BvOp::Or | BvOp::Xor => return Signedness::Unsigned,
                BvOp::Concat | BvOp::ZeroExtend { .. } => return Signedness::Unsigned,
                BvOp::Sdiv | BvOp::Srem | BvOp::Smod | BvOp::Ashr => None,
                BvOp::Extract { .. } | BvOp::SignExtend { .. } => None,
                BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle => None,
                BvOp::AddOverflow(_) | BvOp::SubOverflow(_) | BvOp::MulOverflow(_) => None,
                BvOp::NegOverflow => None,
            };
            match next {
                Some(next) => term = next,
                None => return Signedness::Signed,
            }
        }
        Signedness::Signed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contiguous_masks() {
        assert_eq!(contiguous(0), None);
        assert_eq!(contiguous(0b1), Some((0, 1)));
        assert_eq!(contiguous(0b1111_0000), Some((4, 4)));
        assert_eq!(contiguous(0b1011), None);
        assert_eq!(contiguous(u128::MAX), Some((0, 128)));
        assert_eq!(contiguous(1 << 127), Some((127, 1)));
    }
}
