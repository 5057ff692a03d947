//! The products of a relaxed system as a polynomial system, for the bisection of `polynomial`.
//!
//! Product and square columns become monomials; the other columns of the rows that mention them become
//! integer variables, at most `MAX_VARS`; rows and relations that do not fit are left out, which is sound.
//! Bisection does not say which rows it used, so an explanation names every row and bound that was put
//! in, except rows without which a short refutation is found again.

use crate::definition::Definition;
use crate::envelope::Relation;
use crate::fact::FactId;
use crate::linear::{LinearExpr, Var};
use crate::polynomial::{
    Answer, Atom, Interval, Numbers, Options, Polynomial, PolynomialSystem, Sign, solve,
};
use crate::range::Ranges;
use crate::simplex::Side;
use crate::system::{Conflict, System};

/// Variables of the polynomial system, at most.
const MAX_VARS: usize = 8;

/// Atoms of the polynomial system, at most.
const MAX_ATOMS: usize = 40;

/// Refutations with at most this many boxes are tried again without single rows.
const MAX_BOXES_TO_SHRINK: u32 = 50;

/// Rows tried to leave out of one refutation.
const MAX_DROPS: usize = 8;

/// What bisection says about a relaxed system.
pub(crate) enum Bisected {
    Refuted(Conflict),
    /// Integer values of some columns.
    Point(Vec<(Var, i128)>),
    Nothing,
}

/// A row over columns: terms, constant, sign.
type LinearAtom = (Vec<(Var, Interval)>, Interval, Sign);

struct Builder<'a> {
    system: &'a System,
    products: Vec<(Var, [Var; 2], FactId)>,
    /// Columns that are variables; their position is their index.
    variables: Vec<Var>,
    rows: Vec<LinearAtom>,
    facts: Vec<FactId>,
}

/// Bisects the nonlinear part of a system. The second number is the boxes looked at.
pub(crate) fn bisect(system: &System, boxes: u32) -> (Bisected, u32) {
    let products: Vec<(Var, [Var; 2], FactId)> = system
        .definition_facts()
        .filter_map(|(definition, fact)| match definition {
            Definition::Product { a, b, p } => Some((*p, [*a, *b], fact)),
            Definition::Square { a, p } => Some((*p, [*a, *a], fact)),
            Definition::PowerOfTwo { .. }
            | Definition::Remainder { .. }
            | Definition::AtMostZero { .. }
            | Definition::Sign { .. }
            | Definition::Choice { .. } => None,
        })
        .collect();
    if products.is_empty() || boxes == 0 {
        return (Bisected::Nothing, 0);
    }
    let mut builder =
        Builder { system, products, variables: Vec::new(), rows: Vec::new(), facts: Vec::new() };
    builder.collect();
    let Some(polynomials) = builder.polynomial_system() else { return (Bisected::Nothing, 0) };
    let (answer, used) = solve(&polynomials, &Options { boxes, ..Options::default() });
    let result = match answer {
        Answer::Refuted => {
            if used <= MAX_BOXES_TO_SHRINK {
                builder.drop_rows(2 * used + 2);
            }
            Bisected::Refuted(Conflict(builder.all_facts()))
        }
        Answer::Candidate(point) => Bisected::Point(
            // Integer points are integers in floats; a cast beyond the range saturates, harmlessly.
            builder.variables.iter().copied().zip(point.iter().map(|x| *x as i128)).collect(),
        ),
        Answer::Unknown => Bisected::Nothing,
    };
    (result, used)
}

impl Builder<'_> {
    fn is_product(&self, var: Var) -> bool {
        self.products.iter().any(|(p, _, _)| *p == var)
    }

    /// The columns that are variables once products are written out.
    fn leaves(&self, var: Var, into: &mut Vec<Var>) {
        match self.products.iter().find(|(p, _, _)| *p == var) {
            // Factors are older than their product, so this ends.
            Some((_, factors, _)) => {
                factors.iter().filter(|f| **f < var).for_each(|f| self.leaves(*f, into));
            }
            None if into.contains(&var) || self.system.range(var).is_point() => {}
            None => into.push(var),
        }
    }

    /// Takes the rows that speak of products, then the rows over the variables met, while there is room.
    fn collect(&mut self) {
        let system = self.system;
        for only_products in [true, false] {
            for (expr, relation, fact) in system.static_rows() {
                let speaks = expr.terms().iter().any(|(var, _)| self.is_product(*var));
                if speaks != only_products || self.rows.len() >= MAX_ATOMS {
                    continue;
                }
                let mut variables = self.variables.clone();
                for (var, _) in expr.terms() {
                    self.leaves(*var, &mut variables);
                }
                // Rows without products must not bring new variables in.
                let limit = if only_products { MAX_VARS } else { self.variables.len() };
                if variables.len() > limit {
                    continue;
                }
                self.variables = variables;
                self.add(expr, relation, fact);
            }
        }
    }

    fn add(&mut self, expr: &LinearExpr, relation: Relation, fact: FactId) {
        let terms = expr.terms().iter().map(|(var, c)| (*var, Interval::rational(c))).collect();
        let sign = match relation {
            Relation::AtMostZero => Sign::AtMostZero,
            Relation::IsZero => Sign::Zero,
        };
        self.rows.push((terms, Interval::rational(expr.constant_part()), sign));
        self.facts.push(fact);
    }

    /// The polynomial of a column over the variables.
    fn meaning(&self, var: Var) -> Option<Polynomial> {
        let n = self.variables.len();
        let range = self.system.range(var);
        if range.is_point() {
            return Some(Polynomial::constant(n, Interval::integer(range.lo)));
        }
        if let Some((_, factors, _)) = self.products.iter().find(|(p, _, _)| *p == var) {
            return self.product(*factors);
        }
        let index = self.variables.iter().position(|v| *v == var)?;
        Some(Polynomial::variable(n, index))
    }

    fn product(&self, [a, b]: [Var; 2]) -> Option<Polynomial> {
        self.meaning(a)?.times(&self.meaning(b)?)
    }

    fn polynomial_system(&self) -> Option<PolynomialSystem> {
        let n = self.variables.len();
        let mut atoms = Vec::new();
        for (terms, constant, sign) in &self.rows {
            let mut sum = Polynomial::constant(n, *constant);
            for (var, coefficient) in terms {
                sum = sum.plus(&self.meaning(*var)?.scaled(*coefficient));
            }
            atoms.push(Atom { polynomial: sum, sign: *sign });
        }
        for (p, factors, _) in &self.products {
            // A product whose factors are not variables here was not met.
            let Some(product) = self.product(*factors) else { continue };
            let range = self.system.range(*p);
            for (bound, factor) in [(range.hi, 1.0), (range.lo, -1.0)] {
                let limit = Polynomial::constant(n, Interval::integer(bound));
                let polynomial = product.minus(&limit).scaled(Interval::point(factor));
                let sign = if range.is_point() { Sign::Zero } else { Sign::AtMostZero };
                atoms.push(Atom { polynomial, sign });
                if range.is_point() {
                    break;
                }
            }
        }
        let side = |var: &Var| {
            let range = self.system.range(*var);
            Interval::new(Interval::integer(range.lo).lo(), Interval::integer(range.hi).hi())
        };
        let space = self.variables.iter().map(side).collect::<Option<Vec<_>>>()?;
        Some(PolynomialSystem { atoms, space, numbers: vec![Numbers::Integers; n] })
    }

    /// Leaves out rows, from the last, without which the system is still refuted within so many boxes.
    fn drop_rows(&mut self, boxes: u32) {
        for index in (0..self.rows.len()).rev().take(MAX_DROPS) {
            let (row, fact) = (self.rows.remove(index), self.facts.remove(index));
            let is_refuted = self.polynomial_system().is_some_and(|polynomials| {
                solve(&polynomials, &Options { boxes, ..Options::default() }).0 == Answer::Refuted
            });
            if !is_refuted {
                self.rows.insert(index, row);
                self.facts.insert(index, fact);
            }
        }
    }

    /// Every row and bound that was put in.
    fn all_facts(&self) -> Vec<FactId> {
        let mut facts = self.facts.clone();
        let mut columns = self.variables.clone();
        for (terms, _, _) in &self.rows {
            columns.extend(terms.iter().map(|(var, _)| *var));
        }
        for (p, factors, fact) in &self.products {
            facts.push(*fact);
            columns.push(*p);
            columns.extend(factors);
        }
        columns.sort_unstable();
        columns.dedup();
        for var in columns {
            facts.push(self.system.bound_fact(var, Side::Lower));
            facts.push(self.system.bound_fact(var, Side::Upper));
        }
        facts
    }
}
