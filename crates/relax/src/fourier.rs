//! Fourier-Motzkin elimination: projection of small systems of strict and weak inequalities.
//!
//! **Relation**: the projection has a point exactly when the system has one over the rationals with the
//! same kept values. A combined row is strict when either parent is. Equalities are used first, by
//! substitution; then the variable whose elimination makes the fewest rows goes first.
//! **Redundancy**: of rows with one slope the sharpest stays; when many rows are left after an elimination,
//! those that the others imply are found by linear programming and dropped. (Counting the originals of a
//! row, Kohler's rule, is cheaper but must not be mixed with the first of these.)
//! **Limits**: gives up (`None`) beyond `max_rows` rows. Integers: the projection over the rationals is an
//! over-approximation; `weak_over_integers` turns strict rows into weak ones before integers take over.
//! **Source**: note H 1.1.6, which spells out strictness and the integer step.

use std::collections::BTreeMap;

use crate::linear::{LinearExpr, Var};
use crate::polyhedron::{Largest, Polyhedron};
use crate::rational::{Rational, gcd};
use crate::simplex::Steps;

/// Rows from which on implied ones are looked for.
const PRUNE_FROM: usize = 12;

/// The budget of one such search.
const PRUNE_STEPS: u64 = 200_000;

/// `expr <= 0`, or `expr < 0`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    pub expr: LinearExpr,
    pub strictness: Strictness,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strictness {
    Weak,
    Strict,
}

impl Row {
    pub fn weak(expr: LinearExpr) -> Row {
        Row { expr, strictness: Strictness::Weak }
    }

    pub fn strict(expr: LinearExpr) -> Row {
        Row { expr, strictness: Strictness::Strict }
    }

    /// Whether the row holds at a point.
    pub fn holds(&self, value_of: impl Fn(Var) -> Rational) -> bool {
        let value = self.expr.eval(value_of);
        value.is_negative() || (value.is_zero() && self.strictness == Strictness::Weak)
    }

    fn is_always(&self) -> bool {
        self.expr.is_constant() && self.holds(|_| Rational::ZERO)
    }

    fn is_never(&self) -> bool {
        self.expr.is_constant() && !self.holds(|_| Rational::ZERO)
    }
}

/// A system of equalities `expr = 0` and rows.
#[derive(Debug, Clone, Default)]
pub struct Inequalities {
    pub equalities: Vec<LinearExpr>,
    pub rows: Vec<Row>,
}

/// A system during elimination.
#[derive(Debug, Clone)]
struct Work {
    equalities: Vec<LinearExpr>,
    rows: Vec<Row>,
}

/// The projection of a system onto all variables but `eliminated`. An impossible system gives a row that
/// never holds. `None` when more than `max_rows` rows would be needed.
pub fn project(system: &Inequalities, eliminated: &[Var], max_rows: usize) -> Option<Inequalities> {
    let mut work = Work::new(system);
    let mut open: Vec<Var> = eliminated.to_vec();
    open.sort_unstable();
    open.dedup();
    while !open.is_empty() {
        let var = work.cheapest(&open);
        open.retain(|other| *other != var);
        work.eliminate(var, max_rows)?;
    }
    Some(Inequalities { equalities: work.equalities, rows: work.rows })
}

/// What `solve` found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Solved {
    Point(BTreeMap<Var, Rational>),
    Impossible,
    /// More rows than allowed.
    GaveUp,
}

/// Decides a small system over the rationals and finds a point by going back through the eliminations.
pub fn solve(system: &Inequalities, max_rows: usize) -> Solved {
    let mut vars: Vec<Var> = system
        .equalities
        .iter()
        .chain(system.rows.iter().map(|row| &row.expr))
        .flat_map(|expr| expr.terms().iter().map(|(var, _)| *var))
        .collect();
    vars.sort_unstable();
    vars.dedup();
    let mut work = Work::new(system);
    let mut stages: Vec<(Var, Work)> = Vec::new();
    while !vars.is_empty() {
        let var = work.cheapest(&vars);
        vars.retain(|other| *other != var);
        stages.push((var, work.clone()));
        if work.eliminate(var, max_rows).is_none() {
            return Solved::GaveUp;
        }
    }
    let broken = work.equalities.iter().any(|expr| !expr.constant_part().is_zero());
    if broken || work.rows.iter().any(Row::is_never) {
        return Solved::Impossible;
    }
    let mut point: BTreeMap<Var, Rational> = BTreeMap::new();
    for (var, stage) in stages.into_iter().rev() {
        let value = stage.pick(var, &point);
        let _ = point.insert(var, value);
    }
    Solved::Point(point)
}

impl Work {
    fn new(system: &Inequalities) -> Work {
        let mut work = Work { equalities: system.equalities.clone(), rows: Vec::new() };
        for row in &system.rows {
            work.add(row.clone());
        }
        work
    }

    /// The variable whose elimination makes the fewest rows.
    fn cheapest(&self, vars: &[Var]) -> Var {
        let price = |var: &Var| {
            if self.equalities.iter().any(|expr| !expr.coefficient(*var).is_zero()) {
                return (0, *var);
            }
            let sign = |row: &Row| row.expr.coefficient(*var).signum();
            let above = self.rows.iter().filter(|row| sign(row) > 0).count();
            let below = self.rows.iter().filter(|row| sign(row) < 0).count();
            (1 + above * below, *var)
        };
        *vars.iter().min_by_key(|var| price(var)).expect("a variable to eliminate")
    }

    fn eliminate(&mut self, var: Var, max_rows: usize) -> Option<()> {
        let defining = self.equalities.iter().position(|expr| !expr.coefficient(var).is_zero());
        if let Some(position) = defining {
            let expr = self.equalities.remove(position);
            let coefficient = expr.coefficient(var);
            let mut rest = expr;
            rest.add_term(var, &-&coefficient);
            let meaning = rest.scaled(&-coefficient.recip());
            self.equalities.iter_mut().for_each(|other| other.substitute(var, &meaning));
            for mut row in std::mem::take(&mut self.rows) {
                row.expr.substitute(var, &meaning);
                self.add(row);
            }
            return Some(());
        }
        let (with, without): (Vec<Row>, Vec<Row>) = std::mem::take(&mut self.rows)
            .into_iter()
            .partition(|row| !row.expr.coefficient(var).is_zero());
        self.rows = without;
        let (above, below): (Vec<Row>, Vec<Row>) =
            with.into_iter().partition(|row| row.expr.coefficient(var).is_positive());
        for upper in &above {
            for lower in &below {
                self.add(combine(var, upper, lower));
                if self.rows.len() > max_rows {
                    return None;
                }
            }
        }
        if self.rows.len() > PRUNE_FROM {
            self.prune();
        }
        Some(())
    }

    /// Adds a row unless a sharper one with its slope is there; removes the ones it sharpens.
    fn add(&mut self, row: Row) {
        if row.is_always() {
            return;
        }
        let row = normalized(row);
        let slope = row.expr.without_constant();
        let sharper = |a: &Row, b: &Row| {
            (a.expr.constant_part(), a.strictness) >= (b.expr.constant_part(), b.strictness)
        };
        let same = |other: &Row| other.expr.without_constant() == slope;
        if self.rows.iter().any(|other| same(other) && sharper(other, &row)) {
            return;
        }
        self.rows.retain(|other| !(same(other) && sharper(&row, other)));
        self.rows.push(row);
    }

    /// Drops rows that the others imply. Strict rows among the others are read as weak, which can only
    /// keep a row too many.
    fn prune(&mut self) {
        let mut steps = Steps::new(PRUNE_STEPS);
        let mut index = 0;
        while index < self.rows.len() && !steps.is_spent() {
            let mut others = Polyhedron::new();
            for (position, row) in self.rows.iter().enumerate() {
                if position != index {
                    others.at_most_zero(row.expr.clone());
                }
            }
            self.equalities.iter().for_each(|expr| others.is_zero(expr));
            let row = &self.rows[index];
            let implied = match &others.largest(std::slice::from_ref(&row.expr), &mut steps)[0] {
                Largest::Value(value) => {
                    value.is_negative() || (value.is_zero() && row.strictness == Strictness::Weak)
                }
                Largest::Empty | Largest::Unbounded | Largest::Unknown => false,
            };
            if implied {
                let _ = self.rows.remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// A value for `var` that fits the values of the variables eliminated after it.
    fn pick(&self, var: Var, point: &BTreeMap<Var, Rational>) -> Rational {
        let rest_value = |expr: &LinearExpr| {
            let mut rest = expr.clone();
            let coefficient = rest.coefficient(var);
            rest.add_term(var, &-&coefficient);
            let value = rest.eval(|v| point.get(&v).cloned().unwrap_or(Rational::ZERO));
            // coefficient * var + value <= 0.
            (coefficient.clone(), &-value / &coefficient)
        };
        let defining = self.equalities.iter().find(|expr| !expr.coefficient(var).is_zero());
        if let Some(expr) = defining {
            return rest_value(expr).1;
        }
        let (mut low, mut high): (Option<Rational>, Option<Rational>) = (None, None);
        for row in self.rows.iter().filter(|row| !row.expr.coefficient(var).is_zero()) {
            let (coefficient, limit) = rest_value(&row.expr);
            if coefficient.is_positive() {
                high = Some(high.map_or_else(|| limit.clone(), |old| old.min(limit.clone())));
            } else {
                low = Some(low.map_or_else(|| limit.clone(), |old| old.max(limit.clone())));
            }
        }
        match (low, high) {
            (None, None) => Rational::ZERO,
            (Some(low), None) => &low.floor() + &Rational::ONE,
            (None, Some(high)) => &high.ceil() - &Rational::ONE,
            (Some(low), Some(high)) => between(&low, &high),
        }
    }
}

/// The consequence of two rows without `var`.
fn combine(var: Var, upper: &Row, lower: &Row) -> Row {
    let (up, down) = (upper.expr.coefficient(var), lower.expr.coefficient(var));
    let mut expr = upper.expr.scaled(&up.recip());
    expr.add_scaled(&lower.expr, &-down.recip());
    Row { expr, strictness: upper.strictness.max(lower.strictness) }
}

/// A number between two others, an integer strictly inside if there is one.
fn between(low: &Rational, high: &Rational) -> Rational {
    let middle = &(low + high) * &Rational::ratio(1, 2);
    let integer = middle.floor();
    if *low < integer && integer < *high {
        return integer;
    }
    let next = &integer + &Rational::ONE;
    if *low < next && next < *high { next } else { middle }
}

/// The row divided by the size of its first coefficient, so that equal slopes look equal.
fn normalized(row: Row) -> Row {
    let Some((_, first)) = row.expr.terms().first() else { return row };
    let factor = first.abs().recip();
    Row { expr: row.expr.scaled(&factor), strictness: row.strictness }
}

/// The weak row that has the same integer points: `sum < b` is `sum <= g * ceil(b / g) - g` for the
/// greatest common divisor `g` of the integer coefficients, and a weak row is rounded likewise. `None` when
/// the numbers are too big.
pub fn weak_over_integers(row: &Row) -> Option<Row> {
    let mut scale: i128 = 1;
    let numbers = row.expr.terms().iter().map(|(_, c)| c);
    for number in numbers.clone() {
        let (_, denominator) = number.small_parts()?;
        let common = i128::try_from(gcd(scale.unsigned_abs(), denominator.unsigned_abs())).ok()?;
        scale = scale.checked_mul(denominator / common)?;
    }
    let scaled = row.expr.scaled(&Rational::int(scale));
    let mut divisor = 0;
    for (_, c) in scaled.terms() {
        divisor = gcd(divisor, c.to_i128()?.unsigned_abs());
    }
    if divisor == 0 {
        return Some(row.clone());
    }
    // slope + c (<= or <) 0 with slope a multiple of g: divide, then round.
    let divided = scaled.scaled(&Rational::ratio(1, i128::try_from(divisor).ok()?));
    let constant = divided.constant_part();
    let rounded = match row.strictness {
        Strictness::Weak => constant.ceil(),
        Strictness::Strict => &constant.floor() + &Rational::ONE,
    };
    let mut expr = divided.without_constant();
    expr.add_constant(&rounded);
    Some(Row::weak(expr))
}
