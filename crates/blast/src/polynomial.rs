//! Equations between polynomials modulo 2^width, decided or made linear before they become gates.
//!
//! A SAT solver needs exponential effort for `x * (y + z) = x * y + x * z`; as polynomials over the
//! subterms that are not sums or products the two sides are the same. Only small terms are expanded,
//! see the limits; beyond them a subterm counts as a variable, which is sound. Not decided: that a
//! polynomial vanishes as a function without vanishing as an expression, as `x*x - x` modulo 2.

use std::collections::BTreeMap;

use glassbox_terms::{BvOp, Op, TermId, Terms};
use glassbox_values::bits::mask;

/// Terms looked into for one equation.
const MAX_TERMS: usize = 96;
/// Monomials of one polynomial.
const MAX_MONOMIALS: usize = 48;
/// Factors of one monomial.
const MAX_DEGREE: usize = 8;

/// What is known of an equation `a = b`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Equation {
    Always,
    Never,
    /// The products cancel: the sum of coefficient times term is the constant.
    Linear {
        coefficients: Vec<(TermId, u128)>,
        constant: u128,
    },
    /// Nothing better than the gates of both sides.
    Plain,
}

/// Coefficients by monomial, a sorted list of factors; none is zero.
type Polynomial = BTreeMap<Vec<TermId>, u128>;

struct Expansion<'a> {
    terms: &'a Terms,
    mask: u128,
    n_terms: usize,
    has_products: bool,
}

pub(crate) fn equation(terms: &Terms, a: TermId, b: TermId) -> Equation {
    if !is_arithmetic(terms, a) && !is_arithmetic(terms, b) {
        return Equation::Plain;
    }
    let mask = mask(terms.width(a));
    let mut expansion = Expansion { terms, mask, n_terms: 0, has_products: false };
    let (Some(left), Some(right)) = (expansion.expand(a, 0), expansion.expand(b, 0)) else {
        return Equation::Plain;
    };
    let mut difference = left;
    expansion.add(&mut difference, &right, mask);
    let constant = difference.remove(&Vec::new()).unwrap_or(0).wrapping_neg() & mask;
    if difference.is_empty() {
        return if constant == 0 { Equation::Always } else { Equation::Never };
    }
    // Every multiple of the coefficients' common power of two has zeros below it.
    let common = difference.values().fold(0, |bits, coefficient| bits | coefficient);
    if constant.trailing_zeros() < common.trailing_zeros() {
        return Equation::Never;
    }
    let is_linear = difference.keys().all(|monomial| monomial.len() == 1);
    if is_linear && expansion.has_products {
        let coefficients =
            difference.iter().map(|(monomial, &factor)| (monomial[0], factor)).collect();
        return Equation::Linear { coefficients, constant };
    }
    Equation::Plain
}

fn is_arithmetic(terms: &Terms, term: TermId) -> bool {
    matches!(terms.op(term), Op::Bv(BvOp::Add | BvOp::Sub | BvOp::Neg | BvOp::Mul))
}

/// Nested sums and products deeper than this count as variables.
const MAX_DEPTH: usize = 32;

impl Expansion<'_> {
    /// The polynomial of a term, or nothing when it grows too large.
    fn expand(&mut self, term: TermId, depth: usize) -> Option<Polynomial> {
        self.n_terms += 1;
        if self.n_terms > MAX_TERMS {
            return None;
        }
        let op = self.terms.op(term);
        if let Op::BvConst(bits) = op {
            let mut constant = Polynomial::new();
            if !bits.is_zero() {
                constant.insert(Vec::new(), bits.unsigned());
            }
            return Some(constant);
        }
        let is_inner =
            matches!(op, Op::Bv(BvOp::Add | BvOp::Sub | BvOp::Mul | BvOp::Neg | BvOp::Not));
        if !is_inner || depth == MAX_DEPTH {
            return Some(Polynomial::from([(vec![term], 1)]));
        }
        let args: Vec<Polynomial> = self
            .terms
            .args(term)
            .iter()
            .map(|&arg| self.expand(arg, depth + 1))
            .collect::<Option<_>>()?;
        let mut sum = Polynomial::new();
        if op == Op::Bv(BvOp::Mul) {
            return self.multiply(&args[0], &args[1]);
        }
        let minus_one = self.mask;
        match (op, args.as_slice()) {
            (Op::Bv(BvOp::Add), [a, b]) => {
                self.add(&mut sum, a, 1);
                self.add(&mut sum, b, 1);
            }
            (Op::Bv(BvOp::Sub), [a, b]) => {
                self.add(&mut sum, a, 1);
                self.add(&mut sum, b, minus_one);
            }
            (Op::Bv(BvOp::Neg), [a]) => self.add(&mut sum, a, minus_one),
            // Complement is -a - 1.
            (Op::Bv(BvOp::Not), [a]) => {
                self.add(&mut sum, a, minus_one);
                self.add(&mut sum, &Polynomial::from([(Vec::new(), 1)]), minus_one);
            }
            (op, _) => unreachable!("{op:?} is no sum"),
        }
        (sum.len() <= MAX_MONOMIALS).then_some(sum)
    }

    /// `sum += factor * other`.
    fn add(&self, sum: &mut Polynomial, other: &Polynomial, factor: u128) {
        for (monomial, coefficient) in other {
            let entry = sum.entry(monomial.clone()).or_insert(0);
            *entry = entry.wrapping_add(coefficient.wrapping_mul(factor)) & self.mask;
        }
        sum.retain(|_, coefficient| *coefficient != 0);
    }

    fn multiply(&mut self, a: &Polynomial, b: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::new();
        for (left, x) in a {
            for (right, y) in b {
                let mut monomial = [left.as_slice(), right.as_slice()].concat();
                monomial.sort_unstable();
                if monomial.len() > MAX_DEGREE {
                    return None;
                }
                self.has_products |= !left.is_empty() && !right.is_empty();
                let entry = product.entry(monomial).or_insert(0u128);
                *entry = entry.wrapping_add(x.wrapping_mul(*y)) & self.mask;
            }
        }
        product.retain(|_, coefficient| *coefficient != 0);
        (product.len() <= MAX_MONOMIALS).then_some(product)
    }
}
