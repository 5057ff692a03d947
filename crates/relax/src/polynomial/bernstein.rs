//! Bounds of a polynomial over a box by its Bernstein coefficients.
//!
//! **Relation**: the polynomial, written over the unit box, lies between its smallest and its largest
//! Bernstein coefficient (attained at corners, so the bounds are `<=`, not `<` as the paper prints;
//! docs/papers/relaxation.md, rule E5). **Strength**: exact when an extreme coefficient is at a corner; the excess shrinks
//! quadratically with the box. All arithmetic is on intervals, so rounding cannot lose a value.
//! **Cost**: the product of (degree + 1) over the variables; beyond `MAX_SIZE` the term-by-term enclosure
//! is used alone. **Source**: docs/papers/relaxation.md, rule 1.1.7; Garloff 1986.

use super::interval::Interval;
use super::poly::Polynomial;

/// The largest coefficient tensor.
const MAX_SIZE: usize = 1024;

/// An enclosure of the values over a box: Bernstein where it pays, and never worse than term by term.
pub fn enclose(polynomial: &Polynomial, space: &[Interval]) -> Interval {
    let natural = polynomial.eval(space);
    match bernstein(polynomial, space) {
        // Both contain the values, so they meet.
        Some(sharp) => natural.intersect(sharp).unwrap_or(sharp),
        None => natural,
    }
}

fn bernstein(polynomial: &Polynomial, space: &[Interval]) -> Option<Interval> {
    if space.iter().any(|side| !side.lo().is_finite() || !side.hi().is_finite()) {
        return None;
    }
    let degrees: Vec<usize> =
        (0..polynomial.n_vars()).map(|var| usize::from(polynomial.degree(var))).collect();
    let size = degrees.iter().try_fold(1_usize, |size, degree| size.checked_mul(degree + 1))?;
    if size > MAX_SIZE || degrees.iter().all(|degree| *degree == 0) {
        return None;
    }
    let mut tensor = vec![Interval::ZERO; size];
    for (exponents, coefficient) in polynomial.terms() {
        let mut index = 0;
        for (exponent, degree) in exponents.iter().zip(&degrees) {
            index = index * (degree + 1) + usize::from(*exponent);
        }
        tensor[index] = tensor[index].plus(*coefficient);
    }
    // One variable at a time: move it to the unit interval, then to Bernstein form.
    let mut stride = size;
    for (degree, side) in degrees.iter().zip(space) {
        stride /= degree + 1;
        if *degree == 0 {
            continue;
        }
        for start in 0..size {
            // The first entry of each line along this variable.
            if start / stride % (degree + 1) == 0 {
                let mut line: Vec<Interval> =
                    (0..=*degree).map(|k| tensor[start + k * stride]).collect();
                to_unit(&mut line, *side);
                to_bernstein(&mut line);
                for (k, value) in line.into_iter().enumerate() {
                    tensor[start + k * stride] = value;
                }
            }
        }
    }
    tensor.into_iter().reduce(Interval::hull)
}

/// Coefficients in `x` to coefficients in `t`, `x = lo + width * t`.
fn to_unit(line: &mut [Interval], side: Interval) {
    let lo = Interval::point(side.lo());
    let width = Interval::point(side.hi()).minus(lo);
    // Horner's scheme in place shifts by `lo`.
    for first in 0..line.len() {
        for k in (first..line.len() - 1).rev() {
            line[k] = line[k].plus(line[k + 1].times(lo));
        }
    }
    let mut scale = Interval::point(1.0);
    for coefficient in line.iter_mut() {
        *coefficient = coefficient.times(scale);
        scale = scale.times(width);
    }
}

/// `b_i = sum over j <= i of C(i,j) / C(n,j) * a_j`.
fn to_bernstein(line: &mut [Interval]) {
    let degree = line.len() - 1;
    for (j, coefficient) in line.iter_mut().enumerate() {
        let choices = Interval::point(binomial(degree, j));
        *coefficient = coefficient.divide(choices).expect("a binomial should not be zero");
    }
    for first in 1..=degree {
        for k in (first..=degree).rev() {
            line[k] = line[k].plus(line[k - 1]);
        }
    }
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rational::Rational;

    fn cubic(c: [i128; 4]) -> Polynomial {
        let x = Polynomial::variable(1, 0);
        let mut power = Polynomial::rational(1, &Rational::ONE);
        let mut sum = Polynomial::constant(1, Interval::ZERO);
        for coefficient in c {
            sum = sum.plus(&power.scaled(Interval::integer(coefficient)));
            power = power.times(&x).expect("small");
        }
        sum
    }

    #[test]
    fn cubics_are_enclosed_and_corners_are_attained() {
        for a in -3..=3 {
            for b in -3..=3 {
                for c in -3..=3 {
                    for d in [-2, 0, 1] {
                        let p = cubic([a, b, c, d]);
                        for (lo, hi) in [(-1, 1), (0, 2), (-3, -1), (2, 2)] {
                            let side = Interval::new(f64::from(lo), f64::from(hi)).expect("sorted");
                            let bounds = enclose(&p, &[side]);
                            for step in 0..=16 {
                                let x = Rational::ratio(
                                    i128::from(lo) * 16 + (i128::from(hi) - i128::from(lo)) * step,
                                    16,
                                );
                                let x2 = &x * &x;
                                let value = &(&(&Rational::int(a) + &(&Rational::int(b) * &x))
                                    + &(&Rational::int(c) * &x2))
                                    + &(&Rational::int(d) * &(&x2 * &x));
                                let near = Interval::rational(&value);
                                assert!(bounds.lo() <= near.hi() && near.lo() <= bounds.hi());
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn bernstein_is_sharper_than_term_by_term() {
        // x^2 - x on [0, 1] is in [-1/4, 0]; term by term gives [-1, 1].
        let p = cubic([0, -1, 1, 0]);
        let unit = Interval::new(0.0, 1.0).expect("sorted");
        assert_eq!((p.eval(&[unit]).lo(), p.eval(&[unit]).hi()), (-1.0, 1.0));
        let sharp = enclose(&p, &[unit]);
        assert!(
            -0.51 < sharp.lo() && sharp.lo() <= -0.25 && 0.0 <= sharp.hi() && sharp.hi() < 1e-9
        );
        // Its excess shrinks with the box.
        let half = Interval::new(0.0, 0.5).expect("sorted");
        assert!(enclose(&p, &[half]).lo() > -0.26);
    }
}
