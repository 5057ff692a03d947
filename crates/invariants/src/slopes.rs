//! Slopes: sums of variables without constants, read off terms as if nothing wrapped. They are suggestions,
//! never facts.

use glassbox_relax::optimum::TermSum;
use glassbox_relax::rational::Rational;
use glassbox_terms::{BvOp, Op, TermId, Terms};
use glassbox_values::Signedness;

/// A term as a sum of variables, as if nothing wrapped: a slope is a suggestion, not a fact.
pub fn linear(terms: &Terms, term: TermId, signedness: Signedness) -> Option<TermSum> {
    let mut sum = TermSum::default();
    linear_into(terms, term, signedness, 1, &mut sum, 24)?;
    Some(sum)
}

fn linear_into(
    terms: &Terms,
    term: TermId,
    signedness: Signedness,
    factor: i128,
    sum: &mut TermSum,
    depth: u32,
) -> Option<()> {
    if depth == 0 || factor.unsigned_abs() > 1 << 40 {
        return None;
    }
    let arg = |position| terms.arg(term, position);
    match terms.op(term) {
        Op::Var(_) => {
            add_scaled(sum, &TermSum { terms: vec![(term, signedness, 1)], constant: 0 }, factor)
        }
        Op::BvConst(bits) => {
            sum.constant = sum.constant.checked_add(bits.signed().checked_mul(factor)?)?;
            Some(())
        }
        Op::Bv(BvOp::Add) => {
            linear_into(terms, arg(0), signedness, factor, sum, depth - 1)?;
            linear_into(terms, arg(1), signedness, factor, sum, depth - 1)
        }
        Op::Bv(BvOp::Sub) => {
            linear_into(terms, arg(0), signedness, factor, sum, depth - 1)?;
            linear_into(terms, arg(1), signedness, -factor, sum, depth - 1)
        }
        Op::Bv(BvOp::Neg) => linear_into(terms, arg(0), signedness, -factor, sum, depth - 1),
        Op::Bv(BvOp::Mul) => {
            let (constant, other) = match (terms.as_bv_const(arg(0)), terms.as_bv_const(arg(1))) {
                (Some(bits), _) => (bits, arg(1)),
                (_, Some(bits)) => (bits, arg(0)),
                (None, None) => return None,
            };
            let factor = factor.checked_mul(constant.signed())?;
            linear_into(terms, other, signedness, factor, sum, depth - 1)
        }
        Op::Bv(BvOp::Shl) => {
            let by = u32::try_from(terms.as_bv_const(arg(1))?.unsigned()).ok()?;
            let factor = factor.checked_mul(1_i128.checked_shl(by).filter(|_| by < 40)?)?;
            linear_into(terms, arg(0), signedness, factor, sum, depth - 1)
        }
        Op::Bv(BvOp::SignExtend { .. }) => {
            linear_into(terms, arg(0), Signedness::Signed, factor, sum, depth - 1)
        }
        Op::Bv(BvOp::ZeroExtend { .. }) => {
            linear_into(terms, arg(0), Signedness::Unsigned, factor, sum, depth - 1)
        }
        Op::Bv(BvOp::Concat)
            if terms.as_bv_const(arg(0)).is_some_and(|bits| bits.unsigned() == 0) =>
        {
            linear_into(terms, arg(1), Signedness::Unsigned, factor, sum, depth - 1)
        }
        Op::True
        | Op::False
        | Op::FloatConst(_)
        | Op::Bool(_)
        | Op::Eq
        | Op::Ite
        | Op::Bv(_)
        | Op::Fp(_)
        | Op::Array(_) => None,
    }
}

pub(super) fn difference(
    terms: &Terms,
    a: TermId,
    b: TermId,
    signedness: Signedness,
) -> Option<TermSum> {
    let mut sum = linear(terms, a, signedness)?;
    let other = linear(terms, b, signedness)?;
    add_scaled(&mut sum, &other, -1)?;
    sum.constant = 0;
    Some(sum)
}

pub(super) fn add_scaled(sum: &mut TermSum, other: &TermSum, factor: i128) -> Option<()> {
    sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
    for &(variable, signedness, c) in &other.terms {
        let c = c.checked_mul(factor)?;
        match sum.terms.iter_mut().find(|(v, s, _)| (*v, *s) == (variable, signedness)) {
            Some((_, _, known)) => *known = known.checked_add(c)?,
            None => sum.terms.push((variable, signedness, c)),
        }
    }
    sum.terms.retain(|(_, _, c)| *c != 0);
    Some(())
}

/// Sorted, divided by the common divisor, without a constant; `None` when nothing is left or it is too big.
pub fn normalized(mut slope: TermSum) -> Option<TermSum> {
    slope.terms.sort_unstable();
    slope.constant = 0;
    let divisor = slope
        .terms
        .iter()
        .fold(0, |g, (_, _, c)| glassbox_relax::rational::gcd(g, c.unsigned_abs()));
    if divisor == 0 || slope.terms.len() > 6 {
        return None;
    }
    let divisor = i128::try_from(divisor).ok()?;
    slope.terms.iter_mut().for_each(|(_, _, c)| *c /= divisor);
    slope.terms.iter().all(|(_, _, c)| c.unsigned_abs() < 1 << 40).then_some(slope)
}

pub fn negated(slope: &TermSum) -> TermSum {
    let terms = slope.terms.iter().map(|&(variable, s, c)| (variable, s, -c)).collect();
    TermSum { terms, constant: -slope.constant }
}

/// A basis of the vectors that are orthogonal to all rows, in small integers.
pub(super) fn null_space(rows: &[Vec<i128>], n_columns: usize) -> Vec<Vec<i128>> {
    let mut matrix: Vec<Vec<Rational>> =
        rows.iter().map(|row| row.iter().map(|c| Rational::int(*c)).collect()).collect();
    let mut pivots: Vec<usize> = Vec::new();
    let mut rank = 0;
    for column in 0..n_columns {
        let Some(found) = (rank..matrix.len()).find(|&row| !matrix[row][column].is_zero()) else {
            continue;
        };
        matrix.swap(rank, found);
        let scale = matrix[rank][column].recip();
        matrix[rank].iter_mut().for_each(|c| *c = &*c * &scale);
        for row in 0..matrix.len() {
            if row != rank && !matrix[row][column].is_zero() {
                let factor = -&matrix[row][column];
                let pivot = matrix[rank].clone();
                for (c, p) in matrix[row].iter_mut().zip(&pivot) {
                    *c += &(p * &factor);
                }
            }
        }
        pivots.push(column);
        rank += 1;
    }
    let free = (0..n_columns).filter(|column| !pivots.contains(column));
    let mut basis = Vec::new();
    for column in free {
        let mut vector = vec![Rational::ZERO; n_columns];
        vector[column] = Rational::ONE;
        for (row, &pivot) in pivots.iter().enumerate() {
            vector[pivot] = -&matrix[row][column];
        }
        basis.extend(integers(&vector));
    }
    basis
}

fn integers(vector: &[Rational]) -> Option<Vec<i128>> {
    let mut scale: i128 = 1;
    for number in vector {
        let (_, denominator) = number.small_parts()?;
        let common =
            glassbox_relax::rational::gcd(scale.unsigned_abs(), denominator.unsigned_abs());
        scale = scale.checked_mul(denominator / i128::try_from(common).ok()?)?;
    }
    let scale = Rational::int(scale);
    vector.iter().map(|number| (number * &scale).to_i128()).collect()
}
