//! Compares the solver, in every setup, with z3 on random formulas.
//!
//! Usage: `cargo run --release -p glassbox-solver --example fuzz_z3 -- FIRST_SEED COUNT`; needs `z3` in the
//! path. Setups: all layers, each layer switched off by itself, the complete layer alone, and step by step
//! with pushes and pops. Prints every disagreement with a reduced formula; the last line counts.

#![allow(clippy::print_stdout, reason = "a command that reports to a terminal")]

#[path = "../../tests/oracle/mod.rs"]
mod oracle;

use glassbox_terms::{Dialect, export};
use oracle::compare::{Setup, Truth, fault};
use oracle::formula::random_formula;
use oracle::reduce::reduce;
use oracle::z3::{Z3, judge};

/// What z3 may take for one formula.
const LIMIT_MS: u32 = 3000;

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<u64>().expect("a number"));
    let first = args.next().unwrap_or(0);
    let count = args.next().unwrap_or(200);
    let setups = Setup::all();
    let (mut n_sat, mut n_unsat, mut n_unknown, mut n_wrong) = (0, 0, 0, 0);
    let mut z3 = Z3::start(&[]).expect("z3 should be in the path");
    for seed in first..first + count {
        // Now and then a new process, so that its memory stays small.
        if seed % 200 == 199 {
            z3 = Z3::start(&[]).expect("z3 should be in the path");
        }
        let formula = random_formula(seed);
        let truth = judge(&mut z3, &formula, LIMIT_MS);
        match truth {
            Truth::Sat => n_sat += 1,
            Truth::Unsat => n_unsat += 1,
            Truth::Unknown => n_unknown += 1,
        }
        if let Some(what) = fault(&formula, &setups, truth) {
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
            println!("... {} formulas, {n_wrong} disagreements", seed + 1 - first);
        }
    }
    println!(
        "{count} formulas from seed {first}: z3 says sat {n_sat}, unsat {n_unsat}, unknown {n_unknown}; \
         {n_wrong} disagreements"
    );
}
