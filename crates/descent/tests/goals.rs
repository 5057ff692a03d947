//! Goals behind long chains of float operations: path conditions of small numeric programs.
//!
//! Each test builds the path conditions of a loop for a number of turns, as an explorer would, and asks
//! for a model; `terms::eval` judges it. The programs are written above each builder.

#![allow(clippy::print_stderr, reason = "the work done is worth a look (`--nocapture`)")]

use glassbox_descent::search::{Descent, descend};
use glassbox_terms::{Evaluator, Model, Op, Sort, TermId, Terms};
use glassbox_values::{Float, Format, RoundingMode, Signedness};

const NEAREST: RoundingMode = RoundingMode::NearestEven;
const DOUBLE: Sort = Sort::Float(Format::F64);

/// Enough for hundreds of climbs over a chain of a hundred operations.
const BUDGET: u64 = 2_000_000;

fn number(terms: &mut Terms, value: f64) -> TermId {
    terms.intern(Op::FloatConst(Float::from_f64(value)), &[])
}

/// Runs the search and has `eval` confirm what it finds.
#[track_caller]
fn find(terms: &Terms, assertions: &[TermId]) -> Descent {
    let descent = descend(terms, assertions, &Model::new(), BUDGET, 1);
    if let Some(model) = &descent.model {
        assert!(Evaluator::new().under(terms, model).all_hold(assertions), "should be a model");
        let length = terms.subterms(assertions).len();
        eprintln!("{length} terms: {} steps, {} starts", descent.steps, descent.starts);
    }
    descent
}

/// Some number of turns must have a solution that the search finds.
#[track_caller]
fn check_reached(
    turns: std::ops::RangeInclusive<usize>,
    path: impl Fn(usize) -> (Terms, Vec<TermId>),
) {
    let reached = turns.into_iter().any(|n_turns| {
        let (terms, assertions) = path(n_turns);
        find(&terms, &assertions).model.is_some()
    });
    assert!(reached, "no number of turns has a model");
}

/// `t = x; s = x; n = 1; while (fabs(t) > 1e-8) { t = -t*x*x/(2n*(2n+1)); s += t; n++; }`
/// goal: `s > 0.999 && x > 7`.
fn taylor_sine(n_turns: usize) -> (Terms, Vec<TermId>) {
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", DOUBLE);
    let tolerance = number(&mut terms, 1e-8);
    let (mut t, mut s) = (x, x);
    let mut path = Vec::new();
    for turn in 0..=n_turns {
        let size = terms.fp_abs(t);
        let goes_on = terms.fp_lt(tolerance, size);
        if turn == n_turns {
            path.push(terms.not(goes_on));
            break;
        }
        path.push(goes_on);
        let n = (turn + 1) as f64;
        let divisor = number(&mut terms, 2.0 * n * (2.0 * n + 1.0));
        let negated = terms.fp_neg(t);
        let once = terms.fp_mul(NEAREST, negated, x);
        let twice = terms.fp_mul(NEAREST, once, x);
        t = terms.fp_div(NEAREST, twice, divisor);
        s = terms.fp_add(NEAREST, s, t);
    }
    let [least_s, least_x] = [0.999, 7.0].map(|value| number(&mut terms, value));
    path.push(terms.fp_lt(least_s, s));
    path.push(terms.fp_lt(least_x, x));
    (terms, path)
}

#[test]
fn taylor_sine_close_to_one_beyond_seven() {
    check_reached(1..=24, taylor_sine);
}

/// `p = x; s = 0; k = 1; while (fabs(p/k) > 1e-6) { s += p/k; p = -p*x; k++; }`
/// goal: `0.40 < s && s < 0.41`.
fn log_series(n_turns: usize) -> (Terms, Vec<TermId>) {
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", DOUBLE);
    let tolerance = number(&mut terms, 1e-6);
    let (mut p, mut s) = (x, number(&mut terms, 0.0));
    let mut path = Vec::new();
    for turn in 0..=n_turns {
        let k = number(&mut terms, (turn + 1) as f64);
        let summand = terms.fp_div(NEAREST, p, k);
        let size = terms.fp_abs(summand);
        let goes_on = terms.fp_lt(tolerance, size);
        if turn == n_turns {
            path.push(terms.not(goes_on));
            break;
        }
        path.push(goes_on);
        s = terms.fp_add(NEAREST, s, summand);
        let negated = terms.fp_neg(p);
        p = terms.fp_mul(NEAREST, negated, x);
    }
    let [lo, hi] = [0.40, 0.41].map(|value| number(&mut terms, value));
    path.push(terms.fp_lt(lo, s));
    path.push(terms.fp_lt(s, hi));
    (terms, path)
}

#[test]
fn log_series_in_a_narrow_window() {
    check_reached(1..=24, log_series);
}

/// `r = x; while (fabs(r*r - x) > 1e-9*x) r = 0.5*(r + x/r);` goal: `x > 1 && r == 13`.
fn newton_root(n_turns: usize) -> (Terms, Vec<TermId>) {
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", DOUBLE);
    let [tolerance, half, one, thirteen] =
        [1e-9, 0.5, 1.0, 13.0].map(|value| number(&mut terms, value));
    let mut path = vec![terms.fp_lt(one, x)];
    let mut r = x;
    for turn in 0..=n_turns {
        let square = terms.fp_mul(NEAREST, r, r);
        let difference = terms.fp_sub(NEAREST, square, x);
        let error = terms.fp_abs(difference);
        let allowed = terms.fp_mul(NEAREST, tolerance, x);
        let goes_on = terms.fp_lt(allowed, error);
        if turn == n_turns {
            path.push(terms.not(goes_on));
            break;
        }
        path.push(goes_on);
        let quotient = terms.fp_div(NEAREST, x, r);
        let sum = terms.fp_add(NEAREST, r, quotient);
        r = terms.fp_mul(NEAREST, half, sum);
    }
    path.push(terms.fp_eq(r, thirteen));
    (terms, path)
}

#[test]
fn newton_root_is_exactly_thirteen() {
    check_reached(1..=12, newton_root);
}

/// `w = -y; z = 1; while (w > 0) { z = z*x; w = w - 1; } z = 1/z;` with y < 0 and n turns;
/// goal: `y == -40 && z < 0.5 && z > 0.25`.
fn double_power(n_turns: usize) -> (Terms, Vec<TermId>) {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh_var("x", DOUBLE), terms.fresh_var("y", DOUBLE));
    let [zero, one, forty, lo, hi] =
        [0.0, 1.0, -40.0, 0.25, 0.5].map(|value| number(&mut terms, value));
    let mut path = vec![terms.fp_lt(y, zero)];
    let mut w = terms.fp_neg(y);
    let mut z = one;
    for turn in 0..=n_turns {
        let goes_on = terms.fp_lt(zero, w);
        if turn == n_turns {
            path.push(terms.not(goes_on));
            break;
        }
        path.push(goes_on);
        z = terms.fp_mul(NEAREST, z, x);
        w = terms.fp_sub(NEAREST, w, one);
    }
    let z = terms.fp_div(NEAREST, one, z);
    path.push(terms.fp_eq(y, forty));
    path.push(terms.fp_lt(lo, z));
    path.push(terms.fp_lt(z, hi));
    (terms, path)
}

#[test]
fn double_power_at_minus_forty() {
    check_reached(40..=40, double_power);
}

/// A result in single precision that few inputs give.
#[test]
fn single_precision_cube_equals_a_constant() {
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", Sort::Float(Format::F32));
    let root = std::hint::black_box(12.3_f32);
    let target = terms.intern(Op::FloatConst(Float::from_f32(root * root * root)), &[]);
    let square = terms.fp_mul(NEAREST, x, x);
    let cube = terms.fp_mul(NEAREST, square, x);
    let path = [terms.fp_eq(cube, target)];
    assert!(find(&terms, &path).model.is_some(), "12.3 is a solution");
}

/// Two inputs on a circle and a line: the climb has to move both.
#[test]
fn two_inputs_on_a_circle_and_a_line() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh_var("x", DOUBLE), terms.fresh_var("y", DOUBLE));
    let [radius, slack, sum] = [25.0, 1e-6, 1.0].map(|value| number(&mut terms, value));
    let (xx, yy) = (terms.fp_mul(NEAREST, x, x), terms.fp_mul(NEAREST, y, y));
    let square = terms.fp_add(NEAREST, xx, yy);
    let off = terms.fp_sub(NEAREST, square, radius);
    let off = terms.fp_abs(off);
    let total = terms.fp_add(NEAREST, x, y);
    let gap = terms.fp_sub(NEAREST, total, sum);
    let gap = terms.fp_abs(gap);
    let path = [terms.fp_lt(off, slack), terms.fp_lt(gap, slack)];
    assert!(find(&terms, &path).model.is_some(), "(4, -3) is a solution");
}

/// Integers by branch distance, with a float at the end: `f = (double)(a*a - 3*b)`, goal `f == 1000`
/// with `b > a`.
#[test]
fn integers_by_branch_distance() {
    let mut terms = Terms::new();
    let (a, b) = (terms.fresh_var("a", Sort::Bv(32)), terms.fresh_var("b", Sort::Bv(32)));
    let three = terms.bv_u(3, 32);
    let square = terms.bv_mul(a, a);
    let triple = terms.bv_mul(three, b);
    let difference = terms.bv_sub(square, triple);
    let float = terms.fp_from_int(Format::F64, NEAREST, Signedness::Signed, difference);
    let target = number(&mut terms, 1000.0);
    let path = [terms.fp_eq(float, target), terms.bv_slt(a, b)];
    assert!(find(&terms, &path).model.is_some());
}

#[test]
fn a_disjunction_takes_the_nearer_side_and_negations_are_understood() {
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", DOUBLE);
    let [lo, hi, least] = [-5.0, 1e10, 1e9].map(|value| number(&mut terms, value));
    let below = terms.fp_lt(x, lo);
    let above = terms.fp_lt(hi, x);
    let either = terms.or(&[below, above]);
    let small = terms.fp_le(x, least);
    let large = terms.not(small);
    assert!(find(&terms, &[either, large]).model.is_some());
}

#[test]
fn equal_seeds_give_equal_searches() {
    let (terms, path) = taylor_sine(16);
    let one = descend(&terms, &path, &Model::new(), 300_000, 5);
    let two = descend(&terms, &path, &Model::new(), 300_000, 5);
    assert_eq!(one, two);
}

#[test]
fn an_unsatisfiable_conjunction_ends_with_the_budget() {
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", DOUBLE);
    let zero = number(&mut terms, 0.0);
    let square = terms.fp_mul(NEAREST, x, x);
    let negative = terms.fp_lt(square, zero);
    let descent = descend(&terms, &[negative], &Model::new(), 50_000, 1);
    assert_eq!(descent.model, None);
    assert!(descent.steps < 60_000, "the budget should hold: {descent:?}");
}
