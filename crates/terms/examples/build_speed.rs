//! Measures building and evaluating path-like conditions: comparisons of linear terms over eight
//! 32-bit variables. Usage: `cargo run --release -p glassbox-terms --example build_speed`.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "a command that reports to a terminal")]

use std::time::Instant;

use glassbox_terms::{Evaluator, Model, Sort, TermId, Terms, Value};
use glassbox_testkit::Random;
use glassbox_values::Bits;

const QUERIES: u64 = 20_000;
const REPEAT: u64 = 20;

fn condition(terms: &mut Terms, vars: &[TermId], random: &mut Random) -> TermId {
    let mut sum = random.pick(vars);
    for _ in 0..1 + random.below(3) {
        let var = random.pick(vars);
        let factor = terms.bv_u(1 + u128::from(random.draw() % 9), 32);
        let scaled = terms.bv_mul(var, factor);
        sum = if random.one_in(2) { terms.bv_add(sum, scaled) } else { terms.bv_sub(sum, scaled) };
    }
    let bound = terms.bv_u(u128::from(random.draw() % 1000), 32);
    match random.below(3) {
        0 => terms.bv_slt(sum, bound),
        1 => terms.bv_sle(bound, sum),
        _ => terms.ne(sum, bound),
    }
}

fn build_all(terms: &mut Terms, vars: &[TermId], seed: u64) -> Vec<TermId> {
    let mut random = Random::new(seed);
    (0..QUERIES).map(|_| condition(terms, vars, &mut random)).collect()
}

fn main() {
    let mut terms = Terms::new();
    let vars: Vec<TermId> = (0..8).map(|_| terms.fresh_var("x", Sort::Bv(32))).collect();
    // Repeating known conditions shows the cost of hits.
    for (pass, repeat) in [("new", 1), ("known", REPEAT)] {
        let start = Instant::now();
        let mut conditions = Vec::new();
        for _ in 0..repeat {
            conditions = build_all(&mut terms, &vars, 1);
        }
        let each = start.elapsed().as_nanos() / u128::from(QUERIES * repeat);
        println!("{pass:>6} conditions: {each} ns each, {} terms", terms.len());
        assert_eq!(conditions.len() as u64, QUERIES);
    }
    let conditions = build_all(&mut terms, &vars, 1);
    let mut evaluator = Evaluator::new();
    let mut random = Random::new(2);
    let mut n_true = 0;
    let start = Instant::now();
    for chunk in conditions.chunks(20) {
        let model: Model = terms
            .vars()
            .map(|var| (var, Value::Bv(Bits::new(u128::from(random.draw() % 100), 32))))
            .collect();
        let mut evaluation = evaluator.under(&terms, &model);
        n_true += chunk.iter().filter(|&&condition| evaluation.truth(condition)).count();
    }
    let each = start.elapsed().as_nanos() / u128::from(QUERIES);
    println!("evaluation: {each} ns a condition ({n_true} true)");
    let start = Instant::now();
    let mut n_vars = 0;
    for &condition in &conditions {
        n_vars += terms.vars_of(&[condition]).len();
    }
    let each = start.elapsed().as_nanos() / u128::from(QUERIES);
    println!("free variables: {each} ns a condition ({n_vars})");
}
