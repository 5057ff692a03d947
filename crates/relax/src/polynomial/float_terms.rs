//! Float terms as polynomials with interval coefficients.
//!
//! **Relation**: a rounded operation gives `exact * (1 + d) + e` with `|d| <= u` and `|e| <=` the smallest
//! subnormal, as long as it does not overflow. Multiplying every coefficient by `[1 - u, 1 + u]` and adding
//! `[-q, q]` therefore encloses the result, and sums and products of such polynomials enclose what a
//! program computes. So `Refuted` is sound for the floats themselves, not only for reals.
//! **Taken**: `+ - *`, fused multiply-add, negation and conversions of terms whose ranges exclude NaN and
//! infinities; comparisons of those, negated too. A term whose exact value might overflow, and every
//! other operator, becomes a variable if the caller knows a finite range, otherwise its literal is
//! dropped. **Not refuted**: what needs a single rounding (that is the propagators' work).
//! **Source**: the standard model of floating point error; note H 1.1.7 solves over reals and repairs
//! the points afterwards, which here is the caller's `eval`.

use glassbox_terms::{Op, Sort, TermId, Terms};
use glassbox_values::float::Sign as FloatSign;
use glassbox_values::{Float, Format, RoundingMode};
use rustc_hash::FxHashMap;

use super::bernstein::enclose;
use super::{Answer, Atom, Interval, Numbers, Options, Polynomial, PolynomialSystem, Sign, solve};

/// What the caller knows of float terms.
pub trait FloatBounds {
    /// A range such that every value of the term is a finite number in it, never NaN; `None` if unknown.
    fn finite_range(&self, term: TermId) -> Option<(f64, f64)>;
}

/// What the polynomial layer says of float assertions.
#[derive(Debug, Clone, PartialEq)]
pub enum FloatAnswer {
    /// No floats satisfy the named assertions when the named terms are within the caller's ranges.
    Refuted {
        assertions: Vec<usize>,
        ranges: Vec<TermId>,
    },
    /// Values of variables to be evaluated.
    Candidate(Vec<(TermId, Float)>),
    Unknown,
}

/// Variables of the system, at most.
const MAX_VARS: usize = 8;

/// Terms nested deeper than this are variables or nothing.
const MAX_DEPTH: usize = 60;

struct Translator<'a> {
    terms: &'a Terms,
    bounds: &'a dyn FloatBounds,
    variables: Vec<TermId>,
    space: Vec<Interval>,
    known: FxHashMap<TermId, Option<Polynomial>>,
}

/// Refutes float assertions or proposes a point. The second number is the boxes looked at.
pub fn check(
    terms: &Terms,
    assertions: &[TermId],
    bounds: &dyn FloatBounds,
    options: &Options,
) -> (FloatAnswer, u32) {
    let mut translator = Translator {
        terms,
        bounds,
        variables: Vec::new(),
        space: vec![Interval::ZERO; MAX_VARS],
        known: FxHashMap::default(),
    };
    let mut atoms = Vec::new();
    let mut used = Vec::new();
    for (position, assertion) in assertions.iter().enumerate() {
        let before = atoms.len();
        translator.assert(*assertion, &mut atoms);
        if atoms.len() > before {
            used.push(position);
        }
    }
    if atoms.is_empty() {
        return (FloatAnswer::Unknown, 0);
    }
    let system = PolynomialSystem {
        atoms,
        space: translator.space,
        numbers: vec![Numbers::Reals; MAX_VARS],
    };
    let (answer, boxes) = solve(&system, options);
    let answer = match answer {
        Answer::Refuted => FloatAnswer::Refuted { assertions: used, ranges: translator.variables },
        Answer::Candidate(point) => {
            FloatAnswer::Candidate(nearest(terms, &translator.variables, &point))
        }
        Answer::Unknown => FloatAnswer::Unknown,
    };
    (answer, boxes)
}

/// The floats of the variables' formats nearest to a point.
fn nearest(terms: &Terms, variables: &[TermId], point: &[f64]) -> Vec<(TermId, Float)> {
    let mut values = Vec::new();
    for (term, value) in variables.iter().zip(point) {
        if let (Sort::Float(format), Op::Var(_)) = (terms.sort(*term), terms.op(*term)) {
            let float = Float::from_f64(*value).convert(format, RoundingMode::NearestEven);
            values.push((*term, float));
        }
    }
    values
}

impl Translator<'_> {
    /// Adds the atoms of the literals of a conjunction.
    fn assert(&mut self, assertion: TermId, atoms: &mut Vec<Atom>) {
        let mut stack = vec![(assertion, true)];
        while let Some((term, holds)) = stack.pop() {
            match (self.terms.op(term), holds) {
                (Op::Not, _) => stack.push((self.terms.arg(term, 0), !holds)),
                (Op::And, true) | (Op::Or, false) => {
                    stack.extend(self.terms.args(term).iter().rev().map(|arg| (*arg, holds)));
                }
                _ => atoms.extend(self.literal(term, holds)),
            }
        }
    }

    /// Neither side can be NaN, so a negated comparison is the opposite one.
    fn literal(&mut self, term: TermId, holds: bool) -> Option<Atom> {
        let op = self.terms.op(term);
        if !matches!(op, Op::FpLt | Op::FpLe | Op::FpEq | Op::Eq) {
            return None;
        }
        let (a, b) = (self.terms.arg(term, 0), self.terms.arg(term, 1));
        if !matches!(self.terms.sort(a), Sort::Float(_)) {
            return None;
        }
        let (a, b) = (self.polynomial(a, 0)?, self.polynomial(b, 0)?);
        let (polynomial, sign) = match (op, holds) {
            (Op::FpLt, true) => (a.minus(&b), Sign::BelowZero),
            (Op::FpLe, true) => (a.minus(&b), Sign::AtMostZero),
            (Op::FpLt, false) => (b.minus(&a), Sign::AtMostZero),
            (Op::FpLe, false) => (b.minus(&a), Sign::BelowZero),
            // Identical floats are equal numbers, and so are the two zeros for the IEEE comparison.
            (Op::FpEq | Op::Eq, true) => (a.minus(&b), Sign::Zero),
            _ => return None,
        };
        Some(Atom { polynomial, sign })
    }

    fn polynomial(&mut self, term: TermId, depth: usize) -> Option<Polynomial> {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let made = if depth > MAX_DEPTH { None } else { self.operation(term, depth + 1) };
        let made = made.or_else(|| self.variable(term));
        let _ = self.known.insert(term, made.clone());
        made
    }

    /// The polynomial of an operator that has one and cannot overflow.
    fn operation(&mut self, term: TermId, depth: usize) -> Option<Polynomial> {
        let Sort::Float(format) = self.terms.sort(term) else { return None };
        let op = self.terms.op(term);
        if let Op::FloatConst(float) = op {
            let value = float.is_finite().then(|| Interval::point(float.to_f64()))?;
            return Some(Polynomial::constant(MAX_VARS, value));
        }
        let mut arg = |position: usize| self.polynomial(self.terms.arg(term, position), depth);
        let (exact, rounding) = match op {
            Op::FpNeg => return Some(arg(0)?.scaled(Interval::point(-1.0))),
            Op::FpAdd(rounding) => (arg(0)?.plus(&arg(1)?), rounding),
            Op::FpSub(rounding) => (arg(0)?.minus(&arg(1)?), rounding),
            Op::FpMul(rounding) => (arg(0)?.times(&arg(1)?)?, rounding),
            Op::FpFma(rounding) => (arg(0)?.times(&arg(1)?)?.plus(&arg(2)?), rounding),
            Op::FpToFp { rounding, .. } => (arg(0)?, rounding),
            _ => return None,
        };
        self.rounded(&exact, format, rounding)
    }

    /// The enclosure of a rounded polynomial, unless it may overflow.
    fn rounded(
        &self,
        exact: &Polynomial,
        format: Format,
        rounding: RoundingMode,
    ) -> Option<Polynomial> {
        let values = enclose(exact, &self.space);
        let largest = Float::max_finite(FloatSign::Positive, format).to_f64();
        if values.lo() < -largest || values.hi() > largest {
            return None;
        }
        let digits = i32::from(format.significand);
        let unit = match rounding {
            RoundingMode::NearestEven | RoundingMode::NearestAway => 2.0_f64.powi(-digits),
            RoundingMode::TowardPositive
            | RoundingMode::TowardNegative
            | RoundingMode::TowardZero => 2.0_f64.powi(1 - digits),
        };
        let quantum = Float::min_subnormal(FloatSign::Positive, format).to_f64();
        let factor = Interval::new((1.0 - unit).next_down(), (1.0 + unit).next_up())?;
        let error = Polynomial::constant(MAX_VARS, Interval::new(-quantum, quantum)?);
        Some(exact.scaled(factor).plus(&error))
    }

    /// A variable with the caller's range.
    fn variable(&mut self, term: TermId) -> Option<Polynomial> {
        let (lo, hi) = self.bounds.finite_range(term)?;
        let side = Interval::new(lo, hi).filter(|s| s.lo().is_finite() && s.hi().is_finite())?;
        if self.variables.len() == MAX_VARS {
            return None;
        }
        let index = self.variables.len();
        self.variables.push(term);
        self.space[index] = side;
        Some(Polynomial::variable(MAX_VARS, index))
    }
}
