//! The values that SMT-LIB leaves open, as free variables: one unknown function for each operator.
//!
//! The operators of `terms` fix these values; using that would refute scripts that are satisfiable. The
//! unknown function of a conversion is an array from the encoding of the float to the result; that
//! of a minimum needs one bit for (-0, +0) and one for (+0, -0); the encoding of NaN is any that
//! encodes NaN.

use glassbox_terms::{FpOp, Scalar, Sort, TermId, Terms};
use glassbox_values::{Bits, Float, Format, RoundingMode, Sign, Signedness};
use rustc_hash::FxHashMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Conversion { format: Format, width: u8, rounding: RoundingMode, signedness: Signedness },
    Extremum { format: Format, op: FpOp, first_is_negative: bool },
    NanSign { format: Format },
    NanFraction { format: Format },
}

#[derive(Debug, Default)]
pub(crate) struct Undefined {
    variables: FxHashMap<Key, TermId>,
}

impl Undefined {
    fn variable(&mut self, terms: &mut Terms, key: Key, name: &str, sort: Sort) -> TermId {
        *self.variables.entry(key).or_insert_with(|| terms.fresh_var(name, sort))
    }

    /// `fp.to_ubv` or `fp.to_sbv`.
    pub(crate) fn conversion(
        &mut self,
        terms: &mut Terms,
        width: u8,
        rounding: RoundingMode,
        signedness: Signedness,
        a: TermId,
    ) -> TermId {
        let defined = terms.fp_to_int(width, rounding, signedness, a);
        let format = terms.format(a);
        let fits = fits(terms, width, rounding, signedness, a);
        if terms.as_bool_const(fits) == Some(true) {
            return defined;
        }
        let key = Key::Conversion { format, width, rounding, signedness };
        let sort = Sort::Array { index: format.width(), element: Scalar::Bv(width) };
        let open = self.variable(terms, key, "fp.to_bv!open", sort);
        let encoding = terms.fp_to_bits(a);
        let chosen = terms.select(open, encoding);
        terms.ite(fits, defined, chosen)
    }

    /// `fp.to_ieee_bv`, not standard but common.
    pub(crate) fn encoding(&mut self, terms: &mut Terms, a: TermId) -> TermId {
        let defined = terms.fp_to_bits(a);
        let nan = terms.fp_is_nan(a);
        if terms.as_bool_const(nan) == Some(false) {
            return defined;
        }
        let format = terms.format(a);
        let stored = format.significand - 1;
        let sign = self.variable(terms, Key::NanSign { format }, "nan!sign", Sort::Bv(1));
        let key = Key::NanFraction { format };
        let fraction = self.variable(terms, key, "nan!fraction", Sort::Bv(stored));
        // A fraction of zero would be an infinity.
        let (zero, one) = (terms.bv_u(0, stored), terms.bv_u(1, stored));
        let is_zero = terms.eq(fraction, zero);
        let fraction = terms.ite(is_zero, one, fraction);
        let exponent = terms.bv_const(Bits::ones(format.exponent));
        let high = terms.bv_concat(sign, exponent);
        let open = terms.bv_concat(high, fraction);
        terms.ite(nan, open, defined)
    }

    /// `fp.min` or `fp.max`.
    pub(crate) fn extremum(&mut self, terms: &mut Terms, op: FpOp, a: TermId, b: TermId) -> TermId {
        let defined = terms.make(op, &[a, b]);
        let (a_zero, b_zero) = (terms.fp_is_zero(a), terms.fp_is_zero(b));
        let both_zero = terms.and(&[a_zero, b_zero]);
        if terms.as_bool_const(both_zero) == Some(false) || a == b {
            return defined;
        }
        let format = terms.format(a);
        let mut choice = |terms: &mut Terms, first_is_negative| {
            let key = Key::Extremum { format, op, first_is_negative };
            self.variable(terms, key, "fp.extremum!open", Sort::Bool)
        };
        let (if_negative, if_positive) = (choice(terms, true), choice(terms, false));
        let negative = terms.fp_is_negative(a);
        let take_first = terms.ite(negative, if_negative, if_positive);
        let chosen = terms.ite(take_first, a, b);
        terms.ite(both_zero, chosen, defined)
    }
}

/// That the rounded float is a number of the integer type; spelled as the exporter of terms does.
fn fits(
    terms: &mut Terms,
    width: u8,
    rounding: RoundingMode,
    signedness: Signedness,
    a: TermId,
) -> TermId {
    let format = terms.format(a);
    let rounded = terms.fp_round_to_integral(rounding, a);
    let digits = match signedness {
        Signedness::Signed => width - 1,
        Signedness::Unsigned => width,
    };
    let limit = (i32::from(digits) <= format.max_exponent()).then(|| {
        Float::one(Sign::Positive, format).scale(i32::from(digits), RoundingMode::TowardZero)
    });
    let highest = limit.unwrap_or(Float::infinity(Sign::Positive, format));
    let high = terms.float_const(highest);
    let below = terms.fp_lt(rounded, high);
    let above = match (signedness, limit) {
        (Signedness::Unsigned, _) => {
            let zero = terms.float_const(Float::zero(Sign::Positive, format));
            terms.fp_le(zero, rounded)
        }
        (Signedness::Signed, Some(limit)) => {
            let low = terms.float_const(limit.neg());
            terms.fp_le(low, rounded)
        }
        (Signedness::Signed, None) => {
            let low = terms.float_const(highest.neg());
            terms.fp_lt(low, rounded)
        }
    };
    terms.and(&[above, below])
}
