//! Reports what the simplifier does to random terms: how much smaller they get, how often a second
//! pass still changes something, and the smallest term that grew.
//!
//! Usage: `cargo run --release -p glassbox-terms --example simplify_report -- [FIRST_SEED [COUNT]]`.

#![allow(clippy::print_stdout, reason = "a command that reports to a terminal")]

use glassbox_terms::{Sort, TermId, Terms, to_smtlib};

#[path = "../tests/random_terms/mod.rs"]
mod random_terms;

use random_terms::{Generator, Shape};

/// The operators of a term, constants and variables not counted.
fn n_operators(terms: &Terms, term: TermId) -> usize {
    terms.subterms(&[term]).iter().filter(|&&part| !terms.args(part).is_empty()).count()
}

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse().expect("a number"));
    let first: u64 = args.next().unwrap_or(0);
    let count: u64 = args.next().unwrap_or(2000);
    let (mut raw_size, mut simple_size, mut n_terms) = (0, 0, 0);
    let (mut n_grown, mut n_unstable) = (0, 0);
    let mut smallest_grown: Option<(usize, String)> = None;
    let mut smallest_unstable: Option<(usize, String)> = None;
    for seed in first..first + count {
        let widths = vec![1, 4, 8, 32];
        let mut generator =
            Generator::new(seed, Shape { widths: widths.clone(), formats: vec![], arrays: true });
        for width in widths {
            generator.add_var(&format!("x{width}"), Sort::Bv(width));
            generator.add_var(&format!("y{width}"), Sort::Bv(width));
        }
        generator.add_var("p", Sort::Bool);
        for _ in 0..10 {
            generator.restart();
            let raw = generator.term(Sort::Bool, 4);
            let terms = &mut generator.terms;
            let simple = terms.simplify(raw);
            let again = terms.simplify(simple);
            let sizes = (n_operators(terms, raw), n_operators(terms, simple));
            n_terms += 1;
            raw_size += sizes.0;
            simple_size += sizes.1;
            let shown = |terms: &Terms, other: TermId| {
                format!("{}\n  -> {}", to_smtlib(terms, raw), to_smtlib(terms, other))
            };
            if sizes.1 > sizes.0 {
                n_grown += 1;
                if smallest_grown.as_ref().is_none_or(|(size, _)| sizes.0 < *size) {
                    smallest_grown = Some((sizes.0, shown(terms, simple)));
                }
            }
            if again != simple {
                n_unstable += 1;
                if smallest_unstable.as_ref().is_none_or(|(size, _)| sizes.0 < *size) {
                    let text =
                        format!("{}\n  -> {}", shown(terms, simple), to_smtlib(terms, again));
                    smallest_unstable = Some((sizes.0, text));
                }
            }
        }
    }
    println!("{n_terms} terms, {raw_size} operators before, {simple_size} after");
    println!("{n_grown} grew, {n_unstable} change again in a second pass");
    for (what, example) in [("grown", smallest_grown), ("unstable", smallest_unstable)] {
        if let Some((_, text)) = example {
            println!("smallest {what}:\n  {text}");
        }
    }
}
