//! Division, remainder and right shifts: `a = b * q + r`.
//!
//! The identity holds for SMT-LIB's total operators also when `b` is zero, because the remainder is then
//! `a`; and for `MIN / -1` when `q` is the exact quotient, which is congruent to the machine's. So the
//! identity needs no case split, and the size of `r` is bounded once the divisor's sign is known
//! (`envelope/rem.rs`).

use glassbox_terms::TermId;
use glassbox_values::Signedness;

use super::{Translator, View};
use crate::bounds::width_range;
use crate::definition::Definition;
use crate::envelope::Relation;
use crate::envelope::rem::Rounding;
use crate::linear::LinearExpr;
use crate::range::Range;
use crate::rational::Rational;
use crate::system::Kind;

impl Translator<'_> {
    /// Quotient and remainder of a division, exactly; congruent to the machine's results.
    pub(super) fn division(
        &mut self,
        term: TermId,
        signedness: Signedness,
        rounding: Rounding,
    ) -> Option<(View, View)> {
        let (a, b) = (self.terms.arg(term, 0), self.terms.arg(term, 1));
        let key = (a, b, signedness, rounding);
        if let Some(known) = self.divisions.get(&key) {
            return known.clone();
        }
        let made = self.divide(a, b, signedness, rounding);
        self.divisions.insert(key, made.clone());
        made
    }

    fn divide(
        &mut self,
        a: TermId,
        b: TermId,
        signedness: Signedness,
        rounding: Rounding,
    ) -> Option<(View, View)> {
        let width = self.width(a)?;
        let (dividend, divisor) = (self.view(a, signedness)?, self.view(b, signedness)?);
        let because = self.system.facts.derived([dividend.because, divisor.because]);
        let values = width_range(width, signedness)?;
        // The exact quotient of MIN by -1 is one beyond the largest value.
        let quotients = match signedness {
            Signedness::Unsigned => values,
            Signedness::Signed => Range::new(values.lo, values.hi + 1),
        };
        let q = self.system.free_column(Kind::Value, quotients);
        let r = self.system.free_column(Kind::Value, values);
        let quotient = View { expr: LinearExpr::var(q), because };
        let remainder = View { expr: LinearExpr::var(r), because };
        let product = self.product(&divisor, &View::axiom(LinearExpr::var(q)))?;
        let row = dividend.expr.minus(&product.expr).minus(&remainder.expr);
        self.system.add_row(row, Relation::IsZero, because);
        let (a, b) = (self.column_of(&dividend)?, self.column_of(&divisor)?);
        self.system.define(Definition::Remainder { rounding, a, b, r }, because);
        Some((quotient, remainder))
    }

    /// Right shifts divide by a power of two, rounding down.
    pub(super) fn shift_right(&mut self, term: TermId, signedness: Signedness) -> Option<View> {
        let (x, s) = (self.terms.arg(term, 0), self.terms.arg(term, 1));
        let width = self.width(term)?;
        let value = self.view(x, signedness)?;
        let values = width_range(width, signedness)?;
        if let Some(amount) = self.constant(s) {
            let top = match signedness {
                Signedness::Unsigned => width,
                Signedness::Signed => width - 1,
            };
            let amount = u8::try_from(amount.unsigned()).map_or(top, |amount| amount.min(top));
            return self.shift_by(&value, values, amount);
        }
        let q = self.system.free_column(Kind::Value, values);
        let quotient = LinearExpr::var(q);
        let Some(power) = self.power(s, width) else {
            if signedness == Signedness::Unsigned {
                let row = quotient.minus(&value.expr);
                self.system.add_row(row, Relation::AtMostZero, value.because);
            }
            return Some(View { expr: quotient, because: value.because });
        };
        let because = self.system.facts.derived([value.because, power.because]);
        let p = self.column_of(&power)?;
        let r = self.system.free_column(Kind::Quotient, Range::new(0, (1 << width) - 1));
        let product =
            self.product(&View::axiom(LinearExpr::var(p)), &View::axiom(quotient.clone()))?;
        let row = value.expr.minus(&product.expr).minus(&LinearExpr::var(r));
        self.system.add_row(row, Relation::IsZero, because);
        let a = self.column_of(&value)?;
        let definition = Definition::Remainder { rounding: Rounding::Floor, a, b: p, r };
        self.system.define(definition, because);
        Some(View { expr: quotient, because })
    }

    /// `floor(value / 2^amount)`.
    fn shift_by(&mut self, value: &View, values: Range, amount: u8) -> Option<View> {
        if amount == 0 {
            return Some(value.clone());
        }
        let q = self
            .system
            .free_column(Kind::Value, Range::new(values.lo >> amount, values.hi >> amount));
        let r = self.system.free_column(Kind::Quotient, Range::new(0, (1 << amount) - 1));
        let mut row = value.expr.minus(&LinearExpr::var(r));
        row.add_term(q, &-Rational::power_of_two(u32::from(amount)));
        self.system.add_row(row, Relation::IsZero, value.because);
        Some(View { expr: LinearExpr::var(q), because: value.because })
    }
}
