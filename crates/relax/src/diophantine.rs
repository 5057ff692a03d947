//! Linear equations over integers: elimination of unit coefficients and the GCD test.
//!
//! **Relation**: the equality rows of a system, its fixed columns put in as numbers. A row divided by the
//! greatest common divisor `g` of its coefficients must have a constant that is a multiple of `g`. A
//! column with coefficient 1 or -1 is solved for and replaced everywhere, which keeps rows integral and
//! lets the test see combinations such as `w = p + 2^n k, z = p + 2^n l, w = z + 1`.
//! **Not refuted**: systems whose rows all keep coefficients above one (Hermite's form would be needed).
//! **Source**: the first step of Pugh's Omega test, 1991.

use crate::envelope::Relation;
use crate::fact::FactId;
use crate::linear::LinearExpr;
use crate::range::Ranges;
use crate::rational::{Rational, gcd};
use crate::simplex::Side;
use crate::system::{Conflict, System};

/// Equality rows taken, at most.
const MAX_ROWS: usize = 120;

/// Additions of rows, at most: beyond, the rest is not looked at.
const MAX_WORK: usize = 20_000;

/// An equality `expr = 0` with the facts it came from.
#[derive(Debug, Clone)]
pub(crate) struct Equation {
    pub(crate) expr: LinearExpr,
    pub(crate) facts: Vec<FactId>,
}

impl Equation {
    /// Adds a multiple of another equation.
    pub(crate) fn add(&mut self, other: &Equation, factor: &Rational) {
        self.expr.add_scaled(&other.expr, factor);
        self.facts.extend(&other.facts);
        self.facts.sort_unstable();
        self.facts.dedup();
    }
}

/// The equality rows with their fixed columns put in as numbers.
pub(crate) fn equations(system: &System) -> Vec<Equation> {
    system
        .static_rows()
        .filter(|(_, relation, _)| *relation == Relation::IsZero)
        .map(|(expr, _, fact)| {
            let mut equation = Equation { expr: expr.clone(), facts: vec![fact] };
            for (var, _) in expr.terms() {
                let range = system.range(*var);
                if range.is_point() {
                    equation.expr.substitute(*var, &LinearExpr::int(range.lo));
                    equation.facts.push(system.bound_fact(*var, Side::Lower));
                    equation.facts.push(system.bound_fact(*var, Side::Upper));
                }
            }
            equation
        })
        .collect()
}

/// Looks for a combination of the equality rows that no integers satisfy.
pub(crate) fn refute(system: &System) -> Result<(), Conflict> {
    let mut open = equations(system);
    if open.len() > MAX_ROWS {
        return Ok(());
    }
    let mut work = 0;
    while let Some(mut equation) = open.pop() {
        if normalize(&mut equation) == Integrality::Impossible {
            return Err(Conflict(equation.facts));
        }
        let unit = equation.expr.terms().iter().find(|(_, c)| c.abs() == Rational::ONE).cloned();
        let Some((var, coefficient)) = unit else { continue };
        for rest in &mut open {
            let factor = &rest.expr.coefficient(var) / &coefficient;
            if factor.is_zero() {
                continue;
            }
            work += 1;
            if work > MAX_WORK {
                return Ok(());
            }
            rest.add(&equation, &-factor);
        }
    }
    Ok(())
}

#[derive(PartialEq, Eq)]
enum Integrality {
    Possible,
    Impossible,
}

/// Divides by the common divisor of the coefficients. Rows with numbers too big to try are possible.
fn normalize(equation: &mut Equation) -> Integrality {
    if equation.expr.is_constant() {
        let zero = equation.expr.constant_part().is_zero();
        return if zero { Integrality::Possible } else { Integrality::Impossible };
    }
    let mut divisor = 0;
    for (_, c) in equation.expr.terms() {
        let Some(c) = c.to_i128() else { return Integrality::Possible };
        divisor = gcd(divisor, c.unsigned_abs());
    }
    let Ok(divisor) = i128::try_from(divisor) else { return Integrality::Possible };
    let inverse = Rational::ratio(1, divisor);
    equation.expr = equation.expr.scaled(&inverse);
    if equation.expr.constant_part().is_integer() {
        Integrality::Possible
    } else {
        Integrality::Impossible
    }
}
