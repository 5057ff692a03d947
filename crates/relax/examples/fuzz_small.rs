//! The long run of `tests/random_formulas.rs`: `cargo run --release --example fuzz_small -- SEED CASES DEPTH`.
#![allow(clippy::print_stdout, reason = "a command prints its figures")]

#[path = "../tests/naive/mod.rs"]
mod naive;

use glassbox_relax::relaxation::{Limits, Shaving};

fn main() {
    let number = |position: usize, default: u64| {
        std::env::args().nth(position).and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (seed, cases, depth) = (number(1, 1), number(2, 10_000), number(3, 2));
    let cases = usize::try_from(cases).expect("a count should fit");
    let depth = usize::try_from(depth).expect("a depth should fit");
    let all = Limits { shaving: Shaving::All, ..Limits::default() };
    for (widths, limits) in
        [(&[3, 3, 0][..], all), (&[4, 3, 2], Limits::default()), (&[2, 2, 2, 2, 0], all)]
    {
        println!("{}", naive::campaign::run(seed.max(1), cases, widths, depth, &limits));
    }
    for widths in [&[32, 32, 0][..], &[8, 16, 32, 64], &[64, 64, 64], &[1, 31, 33]] {
        println!("{}", naive::campaign::run_planted(seed.max(1), cases, widths, depth, &all));
    }
}
