//! Polynomials in few variables with interval coefficients.
//!
//! An interval coefficient stands for any number of the interval, independently at every use; a
//! polynomial with such coefficients encloses many. Exact coefficients are points (or the one or two
//! floats around a number that is none); rounding errors of float programs are wider ones.

use super::interval::Interval;
use crate::rational::Rational;

/// Exponents beyond this are not represented.
pub const MAX_DEGREE: u8 = 12;

/// Sums longer than this are not represented.
pub const MAX_TERMS: usize = 256;

/// A sum of `coefficient * product of variable^exponent`.
#[derive(Debug, Clone, PartialEq)]
pub struct Polynomial {
    n_vars: usize,
    // Invariant: sorted by exponents, no exponents twice; each has `n_vars` entries.
    terms: Vec<(Vec<u8>, Interval)>,
}

impl Polynomial {
    pub fn constant(n_vars: usize, value: Interval) -> Polynomial {
        Polynomial { n_vars, terms: vec![(vec![0; n_vars], value)] }
    }

    pub fn rational(n_vars: usize, value: &Rational) -> Polynomial {
        Polynomial::constant(n_vars, Interval::rational(value))
    }

    pub fn variable(n_vars: usize, index: usize) -> Polynomial {
        let mut exponents = vec![0; n_vars];
        exponents[index] = 1;
        Polynomial { n_vars, terms: vec![(exponents, Interval::point(1.0))] }
    }

    pub fn n_vars(&self) -> usize {
        self.n_vars
    }

    pub fn terms(&self) -> &[(Vec<u8>, Interval)] {
        &self.terms
    }

    /// The largest exponent of a variable.
    pub fn degree(&self, var: usize) -> u8 {
        self.terms.iter().map(|(exponents, _)| exponents[var]).max().unwrap_or(0)
    }

    #[must_use]
    pub fn plus(&self, other: &Polynomial) -> Polynomial {
        let mut terms = self.terms.clone();
        for (exponents, coefficient) in &other.terms {
            match terms.binary_search_by(|(e, _)| e.cmp(exponents)) {
                Ok(position) => terms[position].1 = terms[position].1.plus(*coefficient),
                Err(position) => terms.insert(position, (exponents.clone(), *coefficient)),
            }
        }
        terms.retain(|(_, coefficient)| *coefficient != Interval::ZERO);
        Polynomial { n_vars: self.n_vars, terms }
    }

    #[must_use]
    pub fn scaled(&self, factor: Interval) -> Polynomial {
        let mut terms = self.terms.clone();
        terms.iter_mut().for_each(|(_, coefficient)| *coefficient = coefficient.times(factor));
        terms.retain(|(_, coefficient)| *coefficient != Interval::ZERO);
        Polynomial { n_vars: self.n_vars, terms }
    }

    #[must_use]
    pub fn minus(&self, other: &Polynomial) -> Polynomial {
        self.plus(&other.scaled(Interval::point(-1.0)))
    }

    /// The product, unless its degree or length is beyond the limits.
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial { n_vars: self.n_vars, terms: Vec::new() };
        if self.terms.len() * other.terms.len() > 4 * MAX_TERMS {
            return None;
        }
        for (a, x) in &self.terms {
            for (b, y) in &other.terms {
                let exponents: Vec<u8> = a.iter().zip(b).map(|(a, b)| a + b).collect();
                if exponents.iter().any(|e| *e > MAX_DEGREE) {
                    return None;
                }
                let term =
                    Polynomial { n_vars: self.n_vars, terms: vec![(exponents, x.times(*y))] };
                product = product.plus(&term);
            }
        }
        (product.terms.len() <= MAX_TERMS).then_some(product)
    }

    /// The partial derivative.
    #[must_use]
    pub fn derivative(&self, var: usize) -> Polynomial {
        let mut result = Polynomial { n_vars: self.n_vars, terms: Vec::new() };
        for (exponents, coefficient) in &self.terms {
            let power = exponents[var];
            if power > 0 {
                let mut lower = exponents.clone();
                lower[var] -= 1;
                let factor = Interval::point(f64::from(power));
                let term = (lower, coefficient.times(factor));
                result = result.plus(&Polynomial { n_vars: self.n_vars, terms: vec![term] });
            }
        }
        result
    }

    /// An enclosure of the values over a box, term by term.
    pub fn eval(&self, space: &[Interval]) -> Interval {
        self.terms.iter().fold(Interval::ZERO, |sum, (exponents, coefficient)| {
            let product = exponents
                .iter()
                .zip(space)
                .filter(|(exponent, _)| **exponent > 0)
                .fold(*coefficient, |product, (exponent, x)| product.times(x.power(*exponent)));
            sum.plus(product)
        })
    }
}
