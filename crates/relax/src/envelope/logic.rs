//! Connectives over 0/1 expressions: conjunction, disjunction, exclusive or, choice.
//!
//! **Rows**: the convex hull of each truth table; they use no bounds. Negation is `1 - x` and needs no
//! row. **Source**: docs/papers/calls.md, rule 1.7, which corrects the papers' `x*y mod 2` forms.

use super::{EnvelopeRow, Uses};
use crate::linear::{LinearExpr, Var};

/// `z = x_1 and ... and x_n`.
pub fn and_rows(z: Var, arguments: &[LinearExpr]) -> Vec<EnvelopeRow> {
    let z = LinearExpr::var(z);
    let mut rows: Vec<EnvelopeRow> =
        arguments.iter().map(|x| EnvelopeRow::at_most_zero(z.minus(x), Uses::new())).collect();
    // z >= sum - (n - 1).
    let n = i128::try_from(arguments.len()).expect("few arguments");
    let sum = arguments.iter().fold(LinearExpr::int(1 - n), |sum, x| sum.plus(x));
    rows.push(EnvelopeRow::at_most_zero(sum.minus(&z), Uses::new()));
    rows
}

/// `z = x_1 or ... or x_n`.
pub fn or_rows(z: Var, arguments: &[LinearExpr]) -> Vec<EnvelopeRow> {
    let z = LinearExpr::var(z);
    let mut rows: Vec<EnvelopeRow> =
        arguments.iter().map(|x| EnvelopeRow::at_most_zero(x.minus(&z), Uses::new())).collect();
    let sum = arguments.iter().fold(LinearExpr::zero(), |sum, x| sum.plus(x));
    rows.push(EnvelopeRow::at_most_zero(z.minus(&sum), Uses::new()));
    rows
}

/// `z = x xor y`.
pub fn xor_rows(z: Var, x: &LinearExpr, y: &LinearExpr) -> Vec<EnvelopeRow> {
    let z = LinearExpr::var(z);
    let sum = x.plus(y);
    vec![
        EnvelopeRow::at_most_zero(z.minus(&sum), Uses::new()),
        EnvelopeRow::at_most_zero(z.plus(&sum).plus_int(-2), Uses::new()),
        EnvelopeRow::at_most_zero(x.minus(y).minus(&z), Uses::new()),
        EnvelopeRow::at_most_zero(y.minus(x).minus(&z), Uses::new()),
    ]
}

/// `z = (c ? x : y)`.
pub fn choice_rows(z: Var, c: &LinearExpr, x: &LinearExpr, y: &LinearExpr) -> Vec<EnvelopeRow> {
    let z = LinearExpr::var(z);
    let otherwise = LinearExpr::int(1).minus(c);
    vec![
        EnvelopeRow::at_most_zero(z.minus(x).minus(&otherwise), Uses::new()),
        EnvelopeRow::at_most_zero(x.minus(&z).minus(&otherwise), Uses::new()),
        EnvelopeRow::at_most_zero(z.minus(y).minus(c), Uses::new()),
        EnvelopeRow::at_most_zero(y.minus(&z).minus(c), Uses::new()),
        EnvelopeRow::at_most_zero(z.minus(x).minus(y), Uses::new()),
        EnvelopeRow::at_most_zero(x.plus(y).minus(&z).plus_int(-1), Uses::new()),
    ]
}
