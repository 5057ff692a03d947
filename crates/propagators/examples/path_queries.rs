//! Measures the engine on path-like queries: 5 to 40 comparisons over 1 to 8 variables of 32 bits,
//! with sums and constant multiples, asked one after another.
//!
//! `cargo run --release -p glassbox-propagators --example path_queries [-- PATHS [SEED [STEPS]]]`
//!
//! Each query asserts one more comparison, propagates and labels; a comparison that contradicts is
//! taken back and its negation asserted, as an exploration of paths does.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "a measuring command prints its measurements")]

use std::time::Instant;

use glassbox_kernel::{AssertId, Budget};
use glassbox_propagators::{Engine, Labelling};
use glassbox_terms::{Evaluator, Model, Sort, TermId, Terms};

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % bound
    }
}

fn expression(random: &mut Random, terms: &mut Terms, vars: &[TermId]) -> TermId {
    let pick = |random: &mut Random| {
        vars[usize::try_from(random.below(vars.len() as u64)).expect("small")]
    };
    let x = pick(random);
    match random.below(6) {
        0 => terms.bv_u(u128::from(random.below(1000)), 32),
        1 | 2 => x,
        3 => {
            let constant = terms.bv_s(i128::from(random.below(200)) - 100, 32);
            terms.bv_add(x, constant)
        }
        4 => {
            let y = pick(random);
            if random.below(2) == 0 { terms.bv_add(x, y) } else { terms.bv_sub(x, y) }
        }
        _ => {
            let factor = terms.bv_u(u128::from(2 + random.below(9)), 32);
            let product = terms.bv_mul(factor, x);
            let y = pick(random);
            terms.bv_add(product, y)
        }
    }
}

fn comparison(random: &mut Random, terms: &mut Terms, vars: &[TermId]) -> TermId {
    let a = expression(random, terms, vars);
    let b = if random.below(3) == 0 {
        terms.bv_s(i128::from(random.below(2000)) - 1000, 32)
    } else {
        expression(random, terms, vars)
    };
    match random.below(5) {
        0 => terms.bv_sle(a, b),
        1 | 2 => terms.bv_slt(a, b),
        3 => terms.bv_ult(a, b),
        _ => {
            let equal = terms.eq(a, b);
            if random.below(3) == 0 { equal } else { terms.not(equal) }
        }
    }
}

#[derive(Default)]
struct Tally {
    nanos: Vec<u64>,
    steps: u64,
    evaluator: Evaluator,
    sat: usize,
    unsat: usize,
    unknown: usize,
    wrong: usize,
}

fn ask(engine: &mut Engine, terms: &Terms, asserted: &[TermId], tally: &mut Tally) -> bool {
    let id = AssertId(u32::try_from(asserted.len()).expect("few"));
    let term = asserted[asserted.len() - 1];
    let start = Instant::now();
    engine.push();
    engine.assert(terms, term, id);
    let answer = engine.label(terms, &mut Budget::steps(tally.steps));
    tally.nanos.push(u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX));
    match answer {
        Labelling::Candidate(values) => {
            let mut model = Model::new();
            for (var, value) in values {
                model.set(var, value);
            }
            let holds = tally.evaluator.under(terms, &model).all_hold(asserted);
            tally.wrong += usize::from(!holds);
            tally.sat += 1;
            true
        }
        Labelling::Conflict(_) => {
            tally.unsat += 1;
            false
        }
        Labelling::OutOfBudget => {
            tally.unknown += 1;
            true
        }
    }
}

fn main() {
    let mut args = std::env::args().skip(1).filter_map(|arg| arg.parse::<u64>().ok());
    let n_paths = args.next().unwrap_or(2000);
    let mut random = Random(args.next().unwrap_or(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut tally = Tally { steps: args.next().unwrap_or(20_000), ..Tally::default() };
    let mut terms = Terms::new();
    let mut engine = Engine::new();
    for _ in 0..n_paths {
        let n_vars = 1 + random.below(8);
        let vars: Vec<TermId> =
            (0..n_vars).map(|i| terms.fresh_var(format!("x{i}"), Sort::Bv(32))).collect();
        let n_comparisons = 5 + random.below(36);
        let mut asserted = Vec::new();
        for _ in 0..n_comparisons {
            let term = comparison(&mut random, &mut terms, &vars);
            asserted.push(term);
            if !ask(&mut engine, &terms, &asserted, &mut tally) {
                assert!(engine.pop());
                let negated = terms.not(term);
                let last = asserted.len() - 1;
                asserted[last] = negated;
                engine.push();
                engine.assert(&terms, negated, AssertId(0));
            }
        }
        while engine.pop() {}
    }
    tally.nanos.sort_unstable();
    let at = |percent: usize| tally.nanos[(tally.nanos.len() - 1) * percent / 100] as f64 / 1000.0;
    println!(
        "{} queries: {} sat, {} unsat, {} unknown, {} wrong candidates",
        tally.nanos.len(),
        tally.sat,
        tally.unsat,
        tally.unknown,
        tally.wrong
    );
    println!(
        "microseconds: median {:.1}, 75% {:.1}, 90% {:.1}, 99% {:.1}, most {:.1}, mean {:.1}",
        at(50),
        at(75),
        at(90),
        at(99),
        at(100),
        tally.nanos.iter().sum::<u64>() as f64 / tally.nanos.len() as f64 / 1000.0
    );
    println!("{:?}", engine.counters());
}
