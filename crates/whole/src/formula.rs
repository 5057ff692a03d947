//! Facts as terms: domains, linear sums in a width in which they cannot wrap, elements of arrays not.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{BitsDomain, Domain};
use glassbox_relax::optimum::TermSum;
use glassbox_terms::{TermId, Terms};
use glassbox_values::{Bits, Signedness};

use super::facts::Facts;

/// Terms that hold whenever the state does.
pub fn state_terms(terms: &mut Terms, state: &Facts) -> Vec<TermId> {
    let mut facts = Vec::new();
    for (variable, domain) in &state.domains {
        match domain {
            Domain::Bits(bits) => bits_terms(terms, *variable, bits, &mut facts),
            Domain::Bool(truth) => {
                if let Some(value) = truth.value() {
                    facts.push(if value { *variable } else { terms.not(*variable) });
                }
            }
            Domain::Float(float) => {
                if !float.may_be_nan() {
                    let nan = terms.fp_is_nan(*variable);
                    facts.push(terms.not(nan));
                    if let Some((lo, hi)) = float.numbers() {
                        let (lo, hi) = (terms.float_const(lo), terms.float_const(hi));
                        facts.push(terms.fp_le(lo, *variable));
                        facts.push(terms.fp_le(*variable, hi));
                    }
                }
            }
            Domain::Wide(_) | Domain::Opaque => {}
        }
    }
    for sum in state.sums() {
        facts.extend(at_most_zero(terms, &sum));
    }
    facts
}

fn bits_terms(terms: &mut Terms, variable: TermId, bits: &BitsDomain, facts: &mut Vec<TermId>) {
    let width = bits.width();
    if !bits.interval().is_full() {
        facts.push(within(terms, variable, bits.interval()));
    }
    let known = bits.known().known();
    if known != 0 && !bits.is_fixed() {
        let mask = terms.bv_u(known.into(), width);
        let masked = terms.bv_and(variable, mask);
        let ones = terms.bv_u(bits.known().ones.into(), width);
        facts.push(terms.eq(masked, ones));
    }
    for hole in bits.holes().arcs(bits.mask()) {
        let inside = within(terms, variable, hole);
        facts.push(terms.not(inside));
    }
}

fn within(terms: &mut Terms, variable: TermId, arc: Clockwise) -> TermId {
    let width = arc.width();
    let lo = terms.bv_u(arc.lo().into(), width);
    let span = terms.bv_u(arc.span().into(), width);
    let distance = terms.bv_sub(variable, lo);
    terms.bv_ule(distance, span)
}

/// `sum <= 0` as a term; `None` when no width holds it.
pub fn at_most_zero(terms: &mut Terms, sum: &TermSum) -> Option<TermId> {
    let mut largest: i128 = sum.constant.checked_abs()?;
    for &(variable, _, coefficient) in &sum.terms {
        let range = 1_i128.checked_shl(u32::from(terms.width(variable)))?;
        largest = largest.checked_add(coefficient.checked_abs()?.checked_mul(range)?)?;
    }
    let width = u8::try_from(129 - largest.leading_zeros()).ok().filter(|w| *w <= 120)?;
    let mut total = terms.bv_const(Bits::from_signed(sum.constant, width));
    for &(variable, signedness, coefficient) in &sum.terms {
        let wide = match signedness {
            Signedness::Signed => terms.bv_sign_extend(width, variable),
            Signedness::Unsigned => terms.bv_zero_extend(width, variable),
        };
        let factor = terms.bv_const(Bits::from_signed(coefficient, width));
        let product = terms.bv_mul(wide, factor);
        total = terms.bv_add(total, product);
    }
    let zero = terms.bv_u(0, width);
    Some(terms.bv_sle(total, zero))
}
