//! How often the search solves small systems over floats and integers, and with how much work:
//! `cargo run --release -p glassbox-descent --example systems [BUDGET] [SEEDS]`.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "the figures are the output of this command")]

use std::time::Instant;

use glassbox_descent::search::descend;
use glassbox_terms::{Evaluator, Model, Op, Sort, TermId, Terms};
use glassbox_values::{Float, Format, RoundingMode, Signedness};

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// A system of constraints, built on demand.
type System = fn(&mut Terms) -> Vec<TermId>;

fn double(terms: &mut Terms, name: &str) -> TermId {
    terms.fresh_var(name, Sort::Float(Format::F64))
}

fn number(terms: &mut Terms, value: f64) -> TermId {
    terms.intern(Op::FloatConst(Float::from_f64(value)), &[])
}

fn add(terms: &mut Terms, x: TermId, y: TermId) -> TermId {
    terms.fp_add(NEAREST, x, y)
}

fn mul(terms: &mut Terms, x: TermId, y: TermId) -> TermId {
    terms.fp_mul(NEAREST, x, y)
}

fn equals(terms: &mut Terms, x: TermId, value: f64) -> TermId {
    let constant = number(terms, value);
    terms.fp_eq(x, constant)
}

/// |x - value| < slack
fn near(terms: &mut Terms, x: TermId, value: f64, slack: f64) -> TermId {
    let (center, slack) = (number(terms, value), number(terms, slack));
    let difference = terms.fp_sub(NEAREST, x, center);
    let size = terms.fp_abs(difference);
    terms.fp_lt(size, slack)
}

fn circle_exact(terms: &mut Terms) -> Vec<TermId> {
    let (x, y) = (double(terms, "x"), double(terms, "y"));
    let (xx, yy) = (mul(terms, x, x), mul(terms, y, y));
    let sum = add(terms, xx, yy);
    let one = number(terms, 1.0);
    vec![equals(terms, sum, 25.0), terms.fp_lt(one, x), terms.fp_lt(one, y)]
}

fn sum_and_product(terms: &mut Terms) -> Vec<TermId> {
    let (x, y) = (double(terms, "x"), double(terms, "y"));
    let (sum, product) = (add(terms, x, y), mul(terms, x, y));
    vec![equals(terms, sum, 10.5), equals(terms, product, 26.0)]
}

fn three_linear(terms: &mut Terms) -> Vec<TermId> {
    let [x, y, z] = ["x", "y", "z"].map(|name| double(terms, name));
    let rows = [[2.0, 1.0, -1.0, 8.0], [-3.0, -1.0, 2.0, -11.0], [-2.0, 1.0, 2.0, -3.0]];
    rows.map(|[a, b, c, d]| {
        let [a, b, c] = [(a, x), (b, y), (c, z)].map(|(factor, variable)| {
            let factor = number(terms, factor);
            mul(terms, factor, variable)
        });
        let sum = add(terms, a, b);
        let sum = add(terms, sum, c);
        near(terms, sum, d, 1e-3)
    })
    .to_vec()
}

fn rosenbrock(terms: &mut Terms) -> Vec<TermId> {
    let (x, y) = (double(terms, "x"), double(terms, "y"));
    let (one, hundred) = (number(terms, 1.0), number(terms, 100.0));
    let a = terms.fp_sub(NEAREST, one, x);
    let aa = mul(terms, a, a);
    let xx = mul(terms, x, x);
    let b = terms.fp_sub(NEAREST, y, xx);
    let bb = mul(terms, b, b);
    let bb = mul(terms, hundred, bb);
    let sum = add(terms, aa, bb);
    let slack = number(terms, 1e-6);
    vec![terms.fp_lt(sum, slack)]
}

fn cast_and_parity(terms: &mut Terms) -> Vec<TermId> {
    let x = double(terms, "x");
    let squared = mul(terms, x, x);
    let whole = terms.fp_to_int(32, RoundingMode::TowardZero, Signedness::Signed, squared);
    let three = terms.bv_u(3, 32);
    let rest = terms.bv_srem(whole, three);
    let two = terms.bv_u(2, 32);
    let thousand = terms.bv_u(1000, 32);
    vec![terms.eq(rest, two), terms.bv_slt(thousand, whole)]
}

fn triangle(terms: &mut Terms) -> Vec<TermId> {
    let [a, b, c] = ["a", "b", "c"].map(|name| terms.fresh_var(name, Sort::Bv(32)));
    let squares = [a, b, c].map(|side| terms.bv_mul(side, side));
    let sum = terms.bv_add(squares[0], squares[1]);
    let (zero, limit) = (terms.bv_u(0, 32), terms.bv_u(1000, 32));
    let mut path = vec![terms.eq(sum, squares[2])];
    for side in [a, b, c] {
        path.push(terms.bv_slt(zero, side));
        path.push(terms.bv_slt(side, limit));
    }
    path
}

fn quadratic_root(terms: &mut Terms) -> Vec<TermId> {
    // a x² + b x + c with roots that differ: b² - 4ac == 1 and a == 3.
    let [a, b, c] = ["a", "b", "c"].map(|name| double(terms, name));
    let four = number(terms, 4.0);
    let bb = mul(terms, b, b);
    let ac = mul(terms, a, c);
    let ac4 = mul(terms, four, ac);
    let delta = terms.fp_sub(NEAREST, bb, ac4);
    let seven = number(terms, 7.0);
    vec![equals(terms, delta, 1.0), equals(terms, a, 3.0), terms.fp_lt(seven, b)]
}

fn nested_polynomial(terms: &mut Terms) -> Vec<TermId> {
    // x^5 - 3x^3 + x == 0.7 within 1e-9, and x > 1.
    let x = double(terms, "x");
    let (three, one) = (number(terms, 3.0), number(terms, 1.0));
    let x2 = mul(terms, x, x);
    let x3 = mul(terms, x2, x);
    let x5 = mul(terms, x3, x2);
    let middle = mul(terms, three, x3);
    let sum = terms.fp_sub(NEAREST, x5, middle);
    let sum = add(terms, sum, x);
    vec![near(terms, sum, 0.7, 1e-9), terms.fp_lt(one, x)]
}

fn chain_of_equalities(terms: &mut Terms) -> Vec<TermId> {
    // y == 2x + 1, z == y*y - x, z == 46 (x = 3 is one of the roots)
    let [x, y, z] = ["x", "y", "z"].map(|name| double(terms, name));
    let (two, one) = (number(terms, 2.0), number(terms, 1.0));
    let double_x = mul(terms, two, x);
    let line = add(terms, double_x, one);
    let yy = mul(terms, y, y);
    let curve = terms.fp_sub(NEAREST, yy, x);
    vec![terms.fp_eq(y, line), terms.fp_eq(z, curve), equals(terms, z, 46.0)]
}

fn main() {
    let mut args = std::env::args().skip(1);
    let mut argument =
        |default: u64| args.next().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (budget, n_seeds) = (argument(5_000_000), argument(5));
    let systems: [(&str, System); 9] = [
        ("circle, exact", circle_exact),
        ("sum and product", sum_and_product),
        ("three linear", three_linear),
        ("rosenbrock", rosenbrock),
        ("cast and parity", cast_and_parity),
        ("pythagoras", triangle),
        ("discriminant", quadratic_root),
        ("polynomial", nested_polynomial),
        ("chain of equalities", chain_of_equalities),
    ];
    for (name, system) in systems {
        let mut terms = Terms::new();
        let assertions = system(&mut terms);
        let start = Instant::now();
        let mut steps = Vec::new();
        for seed in 0..n_seeds {
            let descent = descend(&terms, &assertions, &Model::new(), budget, seed);
            if let Some(model) = descent.model {
                assert!(Evaluator::new().under(&terms, &model).all_hold(&assertions));
                steps.push(descent.steps);
            }
        }
        let elapsed = start.elapsed() / u32::try_from(n_seeds).unwrap_or(1).max(1);
        println!("{name}: {} of {n_seeds} found, steps {steps:?}, {elapsed:?} each", steps.len());
    }
}
