//! What the papers behind the project claim or miss, with our times.

use std::time::Instant;

use glassbox_solver::{Answer, Layer, Options, Solver};
use glassbox_terms::{Sort, TermId, Terms};

pub(crate) fn run() {
    claim("z = x*y, z = x+y, z > 4 over 0..2^31-1 without wrap-around", product_and_sum);
    claim("w = x*y, z = x*y, w = z + 1 over -5000..5000", same_product);
}

fn claim(what: &str, build: fn(&mut Terms) -> Vec<TermId>) {
    let mut terms = Terms::new();
    let assertions = build(&mut terms);
    let started = Instant::now();
    let mut solver = Solver::new(Options::default());
    for assertion in assertions {
        let _ = solver.assert(&mut terms, assertion);
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
        terms.bv_sgt(z, four),
        terms.bv_sge(x, zero),
        terms.bv_sge(y, zero),
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
