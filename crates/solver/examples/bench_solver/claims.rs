//! What the papers behind the project claim or miss, with our times.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]

use std::time::Instant;

use glassbox_kernel::domain::{BitsDomain, Clockwise};
use glassbox_kernel::{AssertId, Budget, Domain};
use glassbox_propagators::Engine;
use glassbox_solver::{Answer, Layer, Options, Solver};
use glassbox_terms::{Sort, TermId, Terms};

use crate::{Settings, fpse};

pub(crate) fn run(settings: &Settings) {
    let all = &settings.options;
    let what = "z = x*y, z = x+y, z > 4 over 0..2^31-1 without wrap-around";
    claim(all, what, product_and_sum);
    let no_search = Options {
        layers: all.layers.without(Layer::Label).without(Layer::Blast).without(Layer::Descent),
        ..all.clone()
    };
    claim(&no_search, &format!("{what}, without labelling and blasting"), product_and_sum);
    claim(all, "w = x*y, z = x*y, w = z + 1 over -5000..5000 (paper: 24.8 s)", same_product);
    joins();
    let what = "X = Y + 10 or X = Y - 10 over 0..20, X - Y > 10, without labelling and blasting";
    claim(&no_search, what, outside_the_band);
    fpse_examples();
}

/// What both sides of a disjunction imply, by propagation and probing alone.
fn joins() {
    let started = Instant::now();
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh_var("x", Sort::Bv(32)), terms.fresh_var("y", Sort::Bv(32)));
    let five = terms.bv_u(5, 32);
    let sides = [terms.eq(x, y), terms.eq(x, five)];
    let either = terms.or(&sides);
    let bounds = [(x, -1000, 1000), (y, 0, 1)];
    let found = joined(&terms, either, &bounds, x);
    let time = started.elapsed();
    println!(
        "claims: X = Y or X = 5 with X in -1000..1000, Y in 0..1: X in {found:?} in {:.3} ms",
        time.as_secs_f64() * 1e3
    );
}

/// `X = Y + 10 or X = Y - 10` over 0..20, outside the band that both sides allow.
fn outside_the_band(terms: &mut Terms) -> Vec<TermId> {
    let [x, y] = ["x", "y"].map(|name| terms.fresh_var(name, Sort::Bv(32)));
    let [zero, ten, twenty] = [0, 10, 20].map(|value| terms.bv_u(value, 32));
    let (above, below) = (terms.bv_add(y, ten), terms.bv_sub(y, ten));
    let sides = [terms.eq(x, above), terms.eq(x, below)];
    let difference = terms.bv_sub(x, y);
    let mut assertions = vec![terms.or(&sides), terms.bv_slt(ten, difference)];
    for var in [x, y] {
        assertions.push(terms.bv_sle(zero, var));
        assertions.push(terms.bv_sle(var, twenty));
    }
    assertions
}

/// The signed values of a term after probing, within the bounds.
fn joined(
    terms: &Terms,
    assertion: TermId,
    bounds: &[(TermId, i128, i128)],
    term: TermId,
) -> Vec<i32> {
    let mut engine = Engine::new();
    engine.assert(terms, assertion, AssertId(0));
    for &(term, lo, hi) in bounds {
        let interval = Clockwise::from_integers(lo, hi, 32);
        let domain = Domain::Bits(BitsDomain::from_interval(interval));
        engine.narrow(terms, term, &domain, &[]);
    }
    engine.probe(1, &mut Budget::steps(100_000));
    match engine.domain(term) {
        Some(Domain::Bits(bits)) => {
            let value = |raw: u64| u32::try_from(raw).map(u32::cast_signed).unwrap_or(0);
            let mut values: Vec<i32> = bits.values().take(50).map(value).collect();
            values.sort_unstable();
            values
        }
        Some(_) | None => Vec::new(),
    }
}

/// The float examples of the notes, by propagation alone.
fn fpse_examples() {
    let mut n_exact = 0;
    let examples = fpse::examples();
    let n_examples = examples.len();
    let started = Instant::now();
    for mut example in examples {
        if example.holds() {
            n_exact += 1;
        } else {
            println!("claims: FPSE example {} is not {:?}", example.name, example.expected);
        }
    }
    let time = started.elapsed();
    println!(
        "claims: FPSE: {n_exact} of {n_examples} examples digit for digit by propagation in {:.3} ms",
        time.as_secs_f64() * 1e3
    );
}

fn claim(options: &Options, what: &str, build: fn(&mut Terms) -> Vec<TermId>) {
    let mut terms = Terms::new();
    let assertions = build(&mut terms);
    let started = Instant::now();
    let mut solver = Solver::new(options.clone());
    for assertion in assertions {
        solver.assert(&mut terms, assertion);
    }
    let answer = match solver.check(&mut terms) {
        Answer::Sat(_) => "sat",
        Answer::Unsat(_) => "unsat",
        Answer::Unknown(_) => "unknown",
    };
    let time = started.elapsed();
    let decided = Layer::ALL
        .into_iter()
        .rfind(|&layer| solver.statistics().layer(layer).asked > 0)
        .map_or("none", Layer::name);
    println!(
        "claims: {what}: {answer} in {:.3} ms, last layer {decided}",
        time.as_secs_f64() * 1e3
    );
}

/// `result = x op y` exactly, in 64 bits.
fn exact(terms: &mut Terms, result: TermId, value: TermId) -> TermId {
    let wide = terms.bv_sign_extend(64, result);
    terms.eq(wide, value)
}

fn product_and_sum(terms: &mut Terms) -> Vec<TermId> {
    let [x, y, z] = ["x", "y", "z"].map(|name| terms.fresh_var(name, Sort::Bv(32)));
    let (wide_x, wide_y) = (terms.bv_sign_extend(64, x), terms.bv_sign_extend(64, y));
    let product = terms.bv_mul(wide_x, wide_y);
    let sum = terms.bv_add(wide_x, wide_y);
    let four = terms.bv_u(4, 32);
    let zero = terms.bv_u(0, 32);
    vec![
        exact(terms, z, product),
        exact(terms, z, sum),
        terms.bv_slt(four, z),
        terms.bv_sle(zero, x),
        terms.bv_sle(zero, y),
    ]
}

fn same_product(terms: &mut Terms) -> Vec<TermId> {
    let [x, y, w, z] = ["x", "y", "w", "z"].map(|name| terms.fresh_var(name, Sort::Bv(32)));
    let product = terms.bv_mul(x, y);
    let one = terms.bv_u(1, 32);
    let next = terms.bv_add(z, one);
    let mut assertions = vec![terms.eq(w, product), terms.eq(z, product), terms.eq(w, next)];
    for var in [x, y, w, z] {
        let (low, high) = (terms.bv_s(-5000, 32), terms.bv_s(5000, 32));
        assertions.push(terms.bv_sle(low, var));
        assertions.push(terms.bv_sle(var, high));
    }
    assertions
}
