//! Integer factoring of bilinear equations.
//!
//! **Relation**: `alpha a b + beta a + gamma b + delta = 0` over integers, `alpha != 0`. Multiplied by
//! `alpha` it is `(alpha a + gamma)(alpha b + beta) = beta gamma - alpha delta =: n`.
//! **Strength**: when `n` is small, the hull of the solutions in the box, by its divisors; otherwise
//! `|alpha a + gamma| <= |n|` when `n != 0`, since the other factor is at least one in size; when `n = 0`,
//! one factor is zero, which decides the other if its root is no integer of its range.
//! **Why**: `z = x*y, z = x+y, z > 4` is `(x-1)(y-1) = 1`; the linear rounds of docs/papers/relaxation.md, rule 1.3.7 need about
//! the square root of the domain's size to see it, this needs one look.
//! The equations are found by elimination among the equality rows, so they may be spread over several.

use crate::definition::Definition;
use crate::diophantine::{Equation, equations};
use crate::fact::FactId;
use crate::linear::{LinearExpr, Var};
use crate::range::{Range, Ranges};
use crate::rational::{Rational, gcd};
use crate::simplex::Side;
use crate::system::{Conflict, System};

/// Equality rows taken into elimination, at most.
const MAX_ROWS: usize = 60;

/// Products looked at, at most.
const MAX_PRODUCTS: usize = 12;

/// Constants up to this size are factored.
const MAX_FACTORED: i128 = 1 << 20;

/// `alpha a b + beta a + gamma b + delta = 0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bilinear {
    pub alpha: i128,
    pub beta: i128,
    pub gamma: i128,
    pub delta: i128,
}

/// Where the solutions of a box are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hull {
    /// There is none.
    Empty,
    Unknown,
    /// Ranges of `a` and `b` that contain them all.
    Within(Range, Range),
}

impl Bilinear {
    /// Ranges of `a` and `b` that contain every solution of the box.
    pub fn hull(self, a: Range, b: Range) -> Hull {
        self.checked_hull(a, b).unwrap_or(Hull::Unknown)
    }

    /// `None` when a number leaves the machine's range.
    fn checked_hull(self, a: Range, b: Range) -> Option<Hull> {
        let Bilinear { alpha, beta, gamma, delta } = self;
        let n = beta.checked_mul(gamma)?.checked_sub(alpha.checked_mul(delta)?)?;
        if n == 0 {
            let root_a = root(alpha, gamma).filter(|root| a.contains(*root));
            let root_b = root(alpha, beta).filter(|root| b.contains(*root));
            return Some(match (root_a, root_b) {
                (Some(_), Some(_)) => Hull::Unknown,
                (Some(x), None) => Hull::Within(Range::point(x), b),
                (None, Some(y)) => Hull::Within(a, Range::point(y)),
                (None, None) => Hull::Empty,
            });
        }
        let size = n.checked_abs()?;
        if size > MAX_FACTORED {
            let around = |offset: i128| {
                // |alpha x + offset| <= size.
                let (lo, hi) =
                    (size.checked_neg()?.checked_sub(offset)?, size.checked_sub(offset)?);
                let ends = [Rational::ratio(lo, alpha), Rational::ratio(hi, alpha)];
                Some(Range::new(ends.iter().min()?.ceil_i128(), ends.iter().max()?.floor_i128()))
            };
            return Some(Hull::Within(around(gamma)?, around(beta)?));
        }
        let mut hull: Option<(Range, Range)> = None;
        let mut visit = |divisor: i128| {
            let (Some(x), Some(y)) = (
                quotient(divisor - gamma, alpha).filter(|x| a.contains(*x)),
                quotient(n / divisor - beta, alpha).filter(|y| b.contains(*y)),
            ) else {
                return;
            };
            let join = |range: Range, v: i128| Range::new(range.lo.min(v), range.hi.max(v));
            hull = Some(match hull {
                Some((ra, rb)) => (join(ra, x), join(rb, y)),
                None => (Range::point(x), Range::point(y)),
            });
        };
        let mut divisor = 1;
        while divisor * divisor <= size {
            if size % divisor == 0 {
                for d in [divisor, -divisor, size / divisor, -(size / divisor)] {
                    visit(d);
                }
            }
            divisor += 1;
        }
        Some(hull.map_or(Hull::Empty, |(ra, rb)| Hull::Within(ra, rb)))
    }
}

/// `-offset / alpha` when it is an integer.
fn root(alpha: i128, offset: i128) -> Option<i128> {
    quotient(offset.checked_neg()?, alpha)
}

fn quotient(numerator: i128, denominator: i128) -> Option<i128> {
    (numerator % denominator == 0).then(|| numerator / denominator)
}

/// Tightens the factors of products that occur in bilinear equations of the system. `Ok(true)` when a
/// range changed.
pub(crate) fn factor_products(system: &mut System) -> Result<bool, Conflict> {
    let products: Vec<(Var, Var, Var, FactId)> = system
        .definition_facts()
        .filter_map(|(definition, fact)| match definition {
            Definition::Product { a, b, p } => Some((*a, *b, *p, fact)),
            Definition::Square { .. }
            | Definition::PowerOfTwo { .. }
            | Definition::Remainder { .. }
            | Definition::AtMostZero { .. }
            | Definition::Sign { .. }
            | Definition::Choice { .. } => None,
        })
        .take(MAX_PRODUCTS)
        .collect();
    if products.is_empty() {
        return Ok(false);
    }
    let mut equations = equations(system);
    equations.retain(|equation| !equation.expr.is_constant());
    if equations.is_empty() || equations.len() > MAX_ROWS {
        return Ok(false);
    }
    let mut changed = false;
    for (a, b, p, premise) in products {
        for equation in project(equations.clone(), &[a, b, p]) {
            let Some(bilinear) = as_bilinear(&equation.expr, a, b, p) else { continue };
            let (ra, rb) = (system.range(a), system.range(b));
            let mut facts = equation.facts.clone();
            facts.push(premise);
            for var in [a, b] {
                facts.push(system.bound_fact(var, Side::Lower));
                facts.push(system.bound_fact(var, Side::Upper));
            }
            match bilinear.hull(ra, rb) {
                Hull::Unknown => {}
                Hull::Empty => return Err(Conflict(facts)),
                Hull::Within(ha, hb) => {
                    let fact = system.facts.derived(facts);
                    for (var, hull) in [(a, ha), (b, hb)] {
                        changed |= system.tighten(var, Side::Lower, hull.lo, fact)?;
                        changed |= system.tighten(var, Side::Upper, hull.hi, fact)?;
                    }
                }
            }
        }
    }
    Ok(changed)
}

/// Eliminates every column but `kept` and gives the equations that remain.
fn project(mut equations: Vec<Equation>, kept: &[Var]) -> Vec<Equation> {
    let other = |equation: &Equation| {
        equation.expr.terms().iter().map(|(var, _)| *var).find(|var| !kept.contains(var))
    };
    let mut open: Vec<Equation> = Vec::new();
    while let Some(equation) = equations.pop() {
        let Some(var) = other(&equation) else {
            open.push(equation);
            continue;
        };
        let coefficient = equation.expr.coefficient(var);
        for rest in equations.iter_mut().chain(&mut open) {
            let factor = &rest.expr.coefficient(var) / &coefficient;
            if !factor.is_zero() {
                rest.add(&equation, &-factor);
            }
        }
    }
    open
}

/// The equation with coprime integer coefficients, when it speaks of `p` and no other column.
fn as_bilinear(expr: &LinearExpr, a: Var, b: Var, p: Var) -> Option<Bilinear> {
    if expr.terms().iter().any(|(var, _)| *var != a && *var != b && *var != p) {
        return None;
    }
    let parts = [
        expr.coefficient(p),
        expr.coefficient(a),
        expr.coefficient(b),
        expr.constant_part().clone(),
    ];
    let mut scale: i128 = 1;
    for part in &parts {
        let (_, denominator) = part.small_parts()?;
        let common = i128::try_from(gcd(scale.unsigned_abs(), denominator.unsigned_abs())).ok()?;
        scale = scale.checked_mul(denominator / common)?;
    }
    let scale = Rational::int(scale);
    let mut integers = [0_i128; 4];
    for (integer, part) in integers.iter_mut().zip(&parts) {
        *integer = (part * &scale).to_i128()?;
    }
    let [alpha, beta, gamma, delta] = integers;
    (alpha != 0).then_some(Bilinear { alpha, beta, gamma, delta })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hulls_contain_all_solutions_and_are_exact_for_small_constants() {
        let ranges: Vec<Range> =
            (-4..=4).flat_map(|lo| (lo..=4).map(move |hi| Range::new(lo, hi))).collect();
        for alpha in [-3, -2, -1, 1, 2, 3] {
            for beta in -2..=2 {
                for gamma in -2..=2 {
                    for delta in [-7, -6, -4, -1, 0, 1, 2, 6] {
                        let equation = Bilinear { alpha, beta, gamma, delta };
                        for &a in &ranges {
                            check(equation, a, Range::new(-4, 4));
                            check(equation, Range::new(-3, 4), a);
                        }
                    }
                }
            }
        }
    }

    fn check(equation: Bilinear, a: Range, b: Range) {
        let Bilinear { alpha, beta, gamma, delta } = equation;
        let mut solutions = Vec::new();
        for x in a.lo..=a.hi {
            for y in b.lo..=b.hi {
                if alpha * x * y + beta * x + gamma * y + delta == 0 {
                    solutions.push((x, y));
                }
            }
        }
        match equation.hull(a, b) {
            Hull::Empty => assert_eq!(solutions, [], "{equation:?} {a:?} {b:?}"),
            Hull::Unknown => assert_eq!(beta * gamma, alpha * delta),
            Hull::Within(ha, hb) => {
                for (x, y) in &solutions {
                    assert!(ha.contains(*x) && hb.contains(*y), "{equation:?} {x} {y}");
                }
                if beta * gamma != alpha * delta {
                    let lo = solutions.iter().map(|s| s.0).min();
                    assert_eq!(lo, Some(ha.lo), "{equation:?} {a:?} {b:?}");
                }
            }
        }
    }

    #[test]
    fn large_constants_give_bounds_that_contain_the_solutions() {
        let n = 1_000_003_i128 * 1_000_033;
        let wide = Range::new(-(1 << 62), 1 << 62);
        let Hull::Within(a, b) =
            (Bilinear { alpha: 1, beta: 0, gamma: 0, delta: -n }).hull(wide, wide)
        else {
            panic!("a constant that is not zero should bound the factors");
        };
        assert_eq!((a, b), (Range::new(-n, n), Range::new(-n, n)));
        assert!(a.contains(1_000_003) && b.contains(1_000_033));
    }

    #[test]
    fn numbers_beyond_the_machine_are_unknown() {
        let wide = Range::new(-(1 << 120), 1 << 120);
        let equation = Bilinear { alpha: 1, beta: 1 << 100, gamma: 1 << 100, delta: 0 };
        assert_eq!(equation.hull(wide, wide), Hull::Unknown);
    }
}
