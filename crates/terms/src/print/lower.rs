//! Operators that SMT-LIB lacks, written with standard ones as terms, so that `eval` can check the result.

use glassbox_values::{Bits, Float, RoundingMode, Sign, Signedness};
use rustc_hash::FxHashMap;

use super::export::Dialect;
use crate::intern::{TermId, Terms};
use crate::op::{BvOp, FpOp, Op};

/// The roots without the operators that the dialect lacks: `fmod` always, the overflow predicates
/// for plain SMT-LIB 2.6.
pub(super) fn lower(terms: &mut Terms, roots: &[TermId], dialect: Dialect) -> Vec<TermId> {
    let mut new_of: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut args = Vec::new();
    for old in terms.subterms(roots) {
        args.clear();
        args.extend(terms.args(old).iter().map(|arg| new_of[arg]));
        let new = match (terms.op(old), args.as_slice()) {
            (Op::Fp(FpOp::Fmod), &[a, b]) => fmod(terms, a, b),
            (op, args) => match (dialect, overflow(terms, op, args)) {
                (Dialect::Plain, Some(expanded)) => expanded,
                (Dialect::Plain, None) | (Dialect::Standard, _) => {
                    // Interned as it is, so that the term is printed unchanged.
                    if args.is_empty() { old } else { terms.intern(op, args) }
                }
            },
        };
        new_of.insert(old, new);
    }
    roots.iter().map(|root| new_of[root]).collect()
}

/// The truncated remainder from the one rounded to nearest: that of the magnitudes is at most half
/// of the divisor away from it, and where it is negative one divisor is added, which is exact. The
/// sign is the dividend's.
fn fmod(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let (dividend, divisor) = (terms.fp_abs(a), terms.fp_abs(b));
    let nearest = terms.fp_rem(dividend, divisor);
    let zero = terms.float_const(Float::zero(Sign::Positive, terms.format(a)));
    let too_far = terms.fp_lt(nearest, zero);
    let one_back = terms.fp_add(RoundingMode::NearestEven, nearest, divisor);
    let magnitude = terms.ite(too_far, one_back, nearest);
    let negative = terms.fp_is_negative(a);
    let negated = terms.fp_neg(magnitude);
    terms.ite(negative, negated, magnitude)
}

/// An overflow predicate by wrapping arithmetic; `None` for other operators.
fn overflow(terms: &mut Terms, op: Op, args: &[TermId]) -> Option<TermId> {
    let a = *args.first()?;
    let expanded = match (op, args) {
        (Op::Bv(BvOp::AddOverflow(Signedness::Unsigned)), &[_, b]) => {
            let sum = terms.bv_add(a, b);
            terms.bv_ult(sum, a)
        }
        (Op::Bv(BvOp::SubOverflow(Signedness::Unsigned)), &[_, b]) => terms.bv_ult(a, b),
        (Op::Bv(BvOp::AddOverflow(Signedness::Signed)), &[_, b]) => {
            let sum = terms.bv_add(a, b);
            let (a, b, sum) = (negative(terms, a), negative(terms, b), negative(terms, sum));
            let same_signs = terms.eq(a, b);
            let flipped = terms.xor(a, sum);
            terms.and(&[same_signs, flipped])
        }
        (Op::Bv(BvOp::SubOverflow(Signedness::Signed)), &[_, b]) => {
            let difference = terms.bv_sub(a, b);
            let (a, b) = (negative(terms, a), negative(terms, b));
            let difference = negative(terms, difference);
            let other_signs = terms.xor(a, b);
            let flipped = terms.xor(a, difference);
            terms.and(&[other_signs, flipped])
        }
        (Op::Bv(BvOp::MulOverflow(signedness)), &[_, b]) => product(terms, signedness, a, b),
        (Op::Bv(BvOp::NegOverflow), _) => {
            let min = terms.bv_const(Bits::min_signed(terms.width(a)));
            terms.eq(a, min)
        }
        _ => return None,
    };
    Some(expanded)
}

fn negative(terms: &mut Terms, a: TermId) -> TermId {
    let zero = terms.bv_u(0, terms.width(a));
    terms.bv_slt(a, zero)
}

fn product(terms: &mut Terms, signedness: Signedness, a: TermId, b: TermId) -> TermId {
    let width = terms.width(a);
    if width <= 64 {
        let wide_a = terms.bv_resize(2 * width, signedness, a);
        let wide_b = terms.bv_resize(2 * width, signedness, b);
        let exact = terms.bv_mul(wide_a, wide_b);
        let kept = terms.bv_extract(width - 1, 0, exact);
        let extended = terms.bv_resize(2 * width, signedness, kept);
        return terms.ne(exact, extended);
    }
    // Too wide to double: dividing back must give the other factor.
    let wrapped = terms.bv_mul(a, b);
    let zero = terms.bv_u(0, width);
    let a_nonzero = terms.ne(a, zero);
    let back = match signedness {
        Signedness::Unsigned => terms.bv_udiv(wrapped, a),
        Signedness::Signed => terms.bv_sdiv(wrapped, a),
    };
    let differs = terms.ne(back, b);
    let lost = match signedness {
        Signedness::Unsigned => differs,
        Signedness::Signed => {
            // -1 * MIN wraps to MIN, and MIN / -1 is MIN again.
            let minus_one = terms.bv_const(Bits::ones(width));
            let min = terms.bv_const(Bits::min_signed(width));
            let a_minus_one = terms.eq(a, minus_one);
            let b_min = terms.eq(b, min);
            let the_exception = terms.and(&[a_minus_one, b_min]);
            terms.or(&[differs, the_exception])
        }
    };
    terms.and(&[a_nonzero, lost])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluator;
    use crate::model::Model;
    use crate::sort::Sort;
    use crate::value::Value;
    use glassbox_values::Format;

    fn agree_on_all(terms: &Terms, a: TermId, b: TermId, values: &[Value]) {
        let vars: Vec<_> = terms.vars().collect();
        let mut evaluator = Evaluator::new();
        for x in values {
            for y in values {
                let model = Model::from_iter([(vars[0], x.clone()), (vars[1], y.clone())]);
                let mut evaluation = evaluator.under(terms, &model);
                let expected = evaluation.value(a).clone();
                assert_eq!(*evaluation.value(b), expected, "{x:?} {y:?}");
            }
        }
    }

    #[test]
    fn fmod_is_the_truncated_remainder() {
        for format in
            [Format { exponent: 3, significand: 4 }, Format { exponent: 4, significand: 2 }]
        {
            let mut terms = Terms::new();
            let x = terms.fresh_var("x", Sort::Float(format));
            let y = terms.fresh_var("y", Sort::Float(format));
            let raw = terms.intern(FpOp::Fmod, &[x, y]);
            let lowered = lower(&mut terms, &[raw], Dialect::Standard)[0];
            assert!(
                terms.subterms(&[lowered]).iter().all(|&term| terms.op(term) != Op::Fp(FpOp::Fmod))
            );
            let values: Vec<Value> = (0..1_u128 << format.width())
                .map(|code| Float::from_encoding(Bits::new(code, format.width()), format))
                .map(Value::Float)
                .collect();
            agree_on_all(&terms, raw, lowered, &values);
        }
    }

    #[test]
    fn overflow_predicates_are_the_exact_ones() {
        let ops = [Signedness::Signed, Signedness::Unsigned].into_iter().flat_map(|signedness| {
            [
                Op::Bv(BvOp::AddOverflow(signedness)),
                Op::Bv(BvOp::SubOverflow(signedness)),
                Op::Bv(BvOp::MulOverflow(signedness)),
            ]
        });
        for op in ops {
            for width in [1, 2, 3, 4, 64, 65, 128] {
                let mut terms = Terms::new();
                let x = terms.fresh_var("x", Sort::Bv(width));
                let y = terms.fresh_var("y", Sort::Bv(width));
                let raw = terms.intern(op, &[x, y]);
                let lowered = lower(&mut terms, &[raw], Dialect::Plain)[0];
                let values: Vec<Value> = if width <= 4 {
                    (0..1 << width).map(|v| Value::Bv(Bits::new(v, width))).collect()
                } else {
                    let near = |v: Bits| [v.sub(Bits::one(width)), v, v.add(Bits::one(width))];
                    [0, width / 2, width - 1]
                        .into_iter()
                        .flat_map(|bit| near(Bits::new(1 << bit, width)))
                        .chain(near(Bits::zero(width)))
                        .map(Value::Bv)
                        .collect()
                };
                agree_on_all(&terms, raw, lowered, &values);
            }
        }
    }
}
