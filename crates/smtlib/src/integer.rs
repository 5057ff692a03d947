//! Integers as bit-vectors that are always wide enough, and the bounds that a script gives them.
//!
//! Every integer expression knows an interval that holds its values for all 64-bit values of the
//! variables, and its bit-vector is wide enough for that interval: no operation overflows, so a model
//! is a model over the integers. `Facts` are bounds that follow from a boolean over *all* integers;
//! they are taken from the script as written, never from simplified terms, because simplification
//! already uses that variables have 64 bits.

use glassbox_terms::{TermId, Terms};
use glassbox_values::{Bits, Signedness};

use crate::error::{Fault, Outcome};
use crate::expr::Facts;

/// The width of an integer variable.
pub(crate) const VARIABLE_WIDTH: u8 = 64;

/// A signed number in a bit-vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Integer {
    pub(crate) term: TermId,
    // Invariant: lo <= value && value <= hi, and the width holds both.
    lo: i128,
    hi: i128,
}

fn width_for(lo: i128, hi: i128) -> u8 {
    let bits = |value: i128| {
        let magnitude = if value < 0 { !value } else { value };
        u8::try_from(129 - magnitude.leading_zeros()).expect("at most 129 - 1 bits")
    };
    bits(lo).max(bits(hi))
}

fn too_wide() -> Fault {
    Fault::unsupported("integer arithmetic beyond 128 bits")
}

impl Integer {
    pub(crate) fn variable(term: TermId) -> Integer {
        Integer { term, lo: i128::from(i64::MIN), hi: i128::from(i64::MAX) }
    }

    pub(crate) fn constant(terms: &mut Terms, value: i128) -> Integer {
        let term = terms.bv_s(value, width_for(value, value));
        Integer { term, lo: value, hi: value }
    }

    fn value(self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// The bit-vector widened or cut to `width`, which must hold all values.
    fn at_width(self, terms: &mut Terms, width: u8) -> TermId {
        terms.bv_resize(width, Signedness::Signed, self.term)
    }

    /// An operation that is exact at the width of the result and both operands.
    fn exact(
        terms: &mut Terms,
        operands: &[Integer],
        range: Option<(i128, i128)>,
        build: impl FnOnce(&mut Terms, &[TermId]) -> TermId,
    ) -> Outcome<Integer> {
        let (lo, hi) = range.ok_or_else(too_wide)?;
        let width = operands
            .iter()
            .map(|operand| width_for(operand.lo, operand.hi))
            .fold(width_for(lo, hi), u8::max);
        let widened: Vec<TermId> =
            operands.iter().map(|operand| operand.at_width(terms, width)).collect();
        let wide = build(terms, &widened);
        let term = terms.bv_resize(width_for(lo, hi), Signedness::Signed, wide);
        Ok(Integer { term, lo, hi })
    }

    pub(crate) fn add(self, terms: &mut Terms, other: Integer) -> Outcome<Integer> {
        let range = self.lo.checked_add(other.lo).zip(self.hi.checked_add(other.hi));
        Integer::exact(terms, &[self, other], range, |terms, args| terms.bv_add(args[0], args[1]))
    }

    pub(crate) fn sub(self, terms: &mut Terms, other: Integer) -> Outcome<Integer> {
        let range = self.lo.checked_sub(other.hi).zip(self.hi.checked_sub(other.lo));
        Integer::exact(terms, &[self, other], range, |terms, args| terms.bv_sub(args[0], args[1]))
    }

    pub(crate) fn neg(self, terms: &mut Terms) -> Outcome<Integer> {
        let range = self.hi.checked_neg().zip(self.lo.checked_neg());
        Integer::exact(terms, &[self], range, |terms, args| terms.bv_neg(args[0]))
    }

    pub(crate) fn mul(self, terms: &mut Terms, other: Integer) -> Outcome<Integer> {
        let corners = [
            self.lo.checked_mul(other.lo),
            self.lo.checked_mul(other.hi),
            self.hi.checked_mul(other.lo),
            self.hi.checked_mul(other.hi),
        ];
        let range = corners
            .into_iter()
            .collect::<Option<Vec<i128>>>()
            .and_then(|corners| corners.iter().copied().min().zip(corners.iter().copied().max()));
        Integer::exact(terms, &[self, other], range, |terms, args| terms.bv_mul(args[0], args[1]))
    }

    pub(crate) fn abs(self, terms: &mut Terms) -> Outcome<Integer> {
        let minus = self.neg(terms)?;
        let zero = Integer::constant(terms, 0);
        let negative = self.less(terms, zero);
        let hi = self.hi.max(minus.hi);
        let chosen = Integer::choose(terms, negative, minus, self);
        Ok(Integer { lo: chosen.lo, hi, ..chosen })
    }

    /// Quotient and remainder with 0 <= remainder < |divisor|, as SMT-LIB has them.
    pub(crate) fn divide(self, terms: &mut Terms, divisor: Integer) -> Outcome<(Integer, Integer)> {
        let Some(by) = divisor.value() else {
            return Err(Fault::unsupported("integer division by something not constant"));
        };
        if by == 0 {
            return Err(Fault::unsupported("integer division by zero, which SMT-LIB leaves open"));
        }
        let magnitude = by.checked_abs().ok_or_else(too_wide)?;
        let rest_range = Some((0, magnitude - 1));
        let rest = Integer::exact(terms, &[self, divisor], rest_range, |terms, args| {
            let width = terms.width(args[0]);
            let truncated = terms.bv_srem(args[0], args[1]);
            let zero = terms.bv_u(0, width);
            let negative = terms.bv_slt(truncated, zero);
            let magnitude = terms.bv_s(magnitude, width);
            let moved = terms.bv_add(truncated, magnitude);
            terms.ite(negative, moved, truncated)
        })?;
        // (self - rest) is a multiple of the divisor, so every rounding of the quotient agrees.
        let multiple = self.sub(terms, rest)?;
        let corners = [multiple.lo.checked_div(by), multiple.hi.checked_div(by)];
        let range = match corners {
            [Some(a), Some(b)] => Some((a.min(b), a.max(b))),
            [None, _] | [_, None] => None,
        };
        let quotient = Integer::exact(terms, &[multiple, divisor], range, |terms, args| {
            terms.bv_sdiv(args[0], args[1])
        })?;
        Ok((quotient, rest))
    }

    pub(crate) fn choose(
        terms: &mut Terms,
        condition: TermId,
        then: Integer,
        otherwise: Integer,
    ) -> Integer {
        let (lo, hi) = (then.lo.min(otherwise.lo), then.hi.max(otherwise.hi));
        let width = width_for(lo, hi);
        let (a, b) = (then.at_width(terms, width), otherwise.at_width(terms, width));
        Integer { term: terms.ite(condition, a, b), lo, hi }
    }

    fn aligned(self, terms: &mut Terms, other: Integer) -> (TermId, TermId) {
        let width = terms.width(self.term).max(terms.width(other.term));
        (self.at_width(terms, width), other.at_width(terms, width))
    }

    pub(crate) fn less(self, terms: &mut Terms, other: Integer) -> TermId {
        let (a, b) = self.aligned(terms, other);
        terms.bv_slt(a, b)
    }

    pub(crate) fn less_equal(self, terms: &mut Terms, other: Integer) -> TermId {
        let (a, b) = self.aligned(terms, other);
        terms.bv_sle(a, b)
    }

    pub(crate) fn equal(self, terms: &mut Terms, other: Integer) -> TermId {
        let (a, b) = self.aligned(terms, other);
        terms.eq(a, b)
    }

    /// The number that an unsigned bit-vector is.
    pub(crate) fn from_unsigned(terms: &mut Terms, bits: TermId) -> Outcome<Integer> {
        let width = terms.width(bits);
        if width >= 127 {
            return Err(too_wide());
        }
        let hi = Bits::ones(width).unsigned().cast_signed();
        let term = terms.bv_zero_extend(width + 1, bits);
        Ok(Integer { term, lo: 0, hi })
    }

    /// The low bits of the number in two's complement.
    pub(crate) fn to_bits(self, terms: &mut Terms, width: u8) -> TermId {
        terms.bv_resize(width, Signedness::Signed, self.term)
    }
}

/// A bound of an integer variable that keeps it within its 64 bits on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Bound {
    Below(TermId),
    Above(TermId),
}

/// What a boolean says about integers, as a formula over bounds.
#[derive(Debug, Clone)]
enum Fact {
    /// The bounds that hold when the comparison is true, and when it is false.
    Comparison {
        when_true: Vec<Bound>,
        when_false: Vec<Bound>,
    },
    Not(Facts),
    And(Vec<Facts>),
    Or(Vec<Facts>),
}

#[derive(Debug, Default)]
pub(crate) struct FactTable {
    // Entry `i` is `Facts(i + 1)`; an entry refers to earlier ones only.
    facts: Vec<Fact>,
}

impl FactTable {
    fn add(&mut self, fact: Fact) -> Facts {
        self.facts.push(fact);
        Facts(u32::try_from(self.facts.len()).expect("fewer than 2^32 facts"))
    }

    pub(crate) fn not(&mut self, facts: Facts) -> Facts {
        if facts == Facts::NONE { Facts::NONE } else { self.add(Fact::Not(facts)) }
    }

    pub(crate) fn and(&mut self, parts: impl IntoIterator<Item = Facts>) -> Facts {
        self.connect(parts, Fact::And)
    }

    pub(crate) fn or(&mut self, parts: impl IntoIterator<Item = Facts>) -> Facts {
        self.connect(parts, Fact::Or)
    }

    // One argument is the whole; of several, those that say nothing still keep a denied `and` or an
    // asserted `or` from saying anything, which is how `bounds` reads these.
    fn connect(
        &mut self,
        parts: impl IntoIterator<Item = Facts>,
        make: fn(Vec<Facts>) -> Fact,
    ) -> Facts {
        let all: Vec<Facts> = parts.into_iter().collect();
        if let [one] = all[..] {
            return one;
        }
        let telling: Vec<Facts> = all.into_iter().filter(|&part| part != Facts::NONE).collect();
        if telling.is_empty() { Facts::NONE } else { self.add(make(telling)) }
    }

    /// The facts of `a <= b`.
    pub(crate) fn of_less_equal(&mut self, terms: &Terms, a: Integer, b: Integer) -> Facts {
        let mut when_true = Vec::new();
        let mut when_false = Vec::new();
        let fits = |value: i128| i64::try_from(value).is_ok();
        if let (Some(_), Some(limit)) = (terms.as_var(a.term), b.value()) {
            if fits(limit) {
                when_true.push(Bound::Above(a.term));
            }
            // a > limit, that is a >= limit + 1.
            if limit.checked_add(1).is_some_and(fits) {
                when_false.push(Bound::Below(a.term));
            }
        }
        if let (Some(limit), Some(_)) = (a.value(), terms.as_var(b.term)) {
            if fits(limit) {
                when_true.push(Bound::Below(b.term));
            }
            if limit.checked_sub(1).is_some_and(fits) {
                when_false.push(Bound::Above(b.term));
            }
        }
        self.comparison(when_true, when_false)
    }

    /// The facts of `a = b`.
    pub(crate) fn of_equal(&mut self, terms: &Terms, a: Integer, b: Integer) -> Facts {
        let mut when_true = Vec::new();
        for (one, other) in [(a, b), (b, a)] {
            let fixed = other.value().is_some_and(|value| i64::try_from(value).is_ok());
            if terms.as_var(one.term).is_some() && fixed {
                when_true.extend([Bound::Below(one.term), Bound::Above(one.term)]);
            }
        }
        self.comparison(when_true, Vec::new())
    }

    fn comparison(&mut self, when_true: Vec<Bound>, when_false: Vec<Bound>) -> Facts {
        if when_true.is_empty() && when_false.is_empty() {
            return Facts::NONE;
        }
        self.add(Fact::Comparison { when_true, when_false })
    }

    /// All bounds that follow when the boolean with these facts is true.
    pub(crate) fn bounds(&self, facts: Facts) -> Vec<Bound> {
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![(facts, true)];
        while let Some((facts, holds)) = stack.pop() {
            if facts == Facts::NONE || !seen.insert((facts, holds)) {
                continue;
            }
            match (&self.facts[facts.0 as usize - 1], holds) {
                (Fact::Comparison { when_true, .. }, true) => found.extend_from_slice(when_true),
                (Fact::Comparison { when_false, .. }, false) => found.extend_from_slice(when_false),
                (Fact::Not(inner), _) => stack.push((*inner, !holds)),
                (Fact::And(parts), true) | (Fact::Or(parts), false) => {
                    stack.extend(parts.iter().map(|&part| (part, holds)));
                }
                (Fact::And(_), false) | (Fact::Or(_), true) => {}
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_hold_their_range() {
        for (lo, hi, width) in [
            (0, 0, 1),
            (-1, 0, 1),
            (0, 1, 2),
            (-128, 127, 8),
            (-129, 0, 9),
            (i128::MIN, 0, 128),
            (0, i128::MAX, 128),
        ] {
            assert_eq!(width_for(lo, hi), width, "{lo} {hi}");
        }
    }

    #[test]
    fn division_is_euclidean() {
        for dividend in -9..=9 {
            for divisor in (-4..=4).filter(|&divisor| divisor != 0) {
                let mut terms = Terms::new();
                let a = Integer::constant(&mut terms, dividend);
                let b = Integer::constant(&mut terms, divisor);
                let (quotient, rest) = a.divide(&mut terms, b).expect("constants");
                let value = |terms: &Terms, integer: Integer| {
                    terms.as_bv_const(integer.term).expect("folded").signed()
                };
                assert_eq!(value(&terms, quotient), dividend.div_euclid(divisor));
                assert_eq!(value(&terms, rest), dividend.rem_euclid(divisor));
            }
        }
    }
}
