//! Compares the solver, in every setup, with z3 on random formulas.
//!
//! Usage: `cargo run --release -p glassbox-solver --example fuzz_z3 -- FIRST_SEED COUNT [every]`; needs `z3`
//! in the path. Setups: all layers, the complete layer alone, step by step with pushes and pops, and each
//! layer switched off by itself, one in turn for each formula or, with `every`, all for each. Models are
//! evaluated and cores solved again by the complete layer alone. Prints every disagreement with a reduced
//! formula; the last line counts.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, reason = "a command that reports to a terminal")]

#[path = "../../tests/oracle/mod.rs"]
mod oracle;

use std::time::{Duration, Instant};

use glassbox_terms::{Dialect, export};
use glassbox_testkit::z3::Z3;
use oracle::compare::{Setup, Truth, fault, fault_counting};
use oracle::formula::random_formula;
use oracle::reduce::reduce;
use oracle::z3::judge;

/// What z3 may take for one formula.
const LIMIT_MS: u32 = 3000;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |place: usize, default: u64| {
        args.get(place).map_or(default, |text| text.parse().expect("a number"))
    };
    let (first, count) = (number(0, 0), number(1, 200));
    let is_every = args.get(2).is_some_and(|arg| arg == "every");
    let (mut n_sat, mut n_unsat, mut n_unknown, mut n_wrong) = (0, 0, 0, 0);
    let (mut n_answers, mut n_open) = (0, 0);
    let (mut their_time, mut our_time) = (Duration::ZERO, Duration::ZERO);
    let mut z3 = Z3::start(&[]).expect("z3 should be in the path");
    for seed in first..first + count {
        // Now and then a new process, so that its memory stays small.
        if seed % 200 == 199 {
            z3 = Z3::start(&[]).expect("z3 should be in the path");
        }
        let formula = random_formula(seed);
        let setups = if is_every { Setup::all() } else { Setup::some(seed) };
        let started = Instant::now();
        let truth = judge(&mut z3, &formula, LIMIT_MS);
        their_time += started.elapsed();
        match truth {
            Truth::Sat => n_sat += 1,
            Truth::Unsat => n_unsat += 1,
            Truth::Unknown => n_unknown += 1,
        }
        let started = Instant::now();
        let found = fault_counting(&formula, &setups, truth, &mut n_open);
        our_time += started.elapsed();
        n_answers += setups.len();
        if let Some(what) = found {
            n_wrong += 1;
            println!("seed {seed}: {what}");
            let mut is_faulty = |candidate: &oracle::formula::Formula| {
                let truth = judge(&mut z3, candidate, LIMIT_MS);
                fault(candidate, &setups, truth).is_some()
            };
            let reduced = reduce(&formula, &mut is_faulty);
            let truth = judge(&mut z3, &reduced, LIMIT_MS);
            let what = fault(&reduced, &setups, truth).unwrap_or_default();
            let mut terms = reduced.terms.clone();
            let script = export(&mut terms, &reduced.assertions, Dialect::Standard).text;
            println!("reduced, {what}, z3 says {truth:?}:\n{script}");
        }
        if (seed + 1 - first).is_multiple_of(500) {
            println!(
                "... {} formulas, {n_wrong} disagreements; z3 {:.0} s, glassbox {:.0} s",
                seed + 1 - first,
                their_time.as_secs_f64(),
                our_time.as_secs_f64()
            );
        }
    }
    println!(
        "{count} formulas from seed {first}: z3 says sat {n_sat}, unsat {n_unsat}, unknown {n_unknown}; \
         of {n_answers} answers of ours {n_open} unknown; {n_wrong} disagreements"
    );
}
