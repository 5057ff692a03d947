//! Compares the prover with runs on random programs: `fuzz [--calls] [SEED] [PROGRAMS] [RUNS]`.
//!
//! With `--text` the programs are printed instead. A program has 25 functions; each is run so many times. Ends at the first contradiction.

#![allow(clippy::disallowed_methods, reason = "examples measure and write")]
#![allow(clippy::print_stdout, clippy::exit, reason = "a command")]

#[path = "../tests/random/mod.rs"]
mod random;

use std::time::Instant;

use glassbox_prove::Options;
use glassbox_testkit::Random;
use glassbox_testkit::programs::{calls, loops, memory, pointers};
use random::{Tally, compare, read_text};

fn main() {
    let arguments: Vec<u64> =
        std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let seed = arguments.first().copied().unwrap_or(1);
    let n_programs = arguments.get(1).copied().unwrap_or(4);
    let n_runs = usize::try_from(arguments.get(2).copied().unwrap_or(200)).unwrap_or(200);
    let has_calls = std::env::args().any(|argument| argument == "--calls");
    let start = Instant::now();
    let mut total = Tally::default();
    for program_seed in seed..seed + n_programs {
        let mut random = Random::new(program_seed);
        // One program in four is about arrays behind pointers, two are about structures and lists; with `--calls` all
        // are about calls.
        let text = match program_seed % 4 {
            _ if has_calls => calls::program_text(&mut random, 25),
            0 => loops::program_text(&mut random, 25),
            1 => memory::program_text(&mut random, 25),
            _ => pointers::program_text(&mut random, 25),
        };
        if std::env::args().any(|argument| argument == "--text") {
            println!("{text}");
            continue;
        }
        let program = read_text(&text);
        for index in 0..25 {
            let name = format!("f{index}");
            let Some(function) = program.function_named(&name) else { continue };
            let mut options = Options { conflicts: 2_000, max_gates: 60_000, ..Options::default() };
            if has_calls {
                options.max_call_depth = [0, 1, 6][index % 3];
            }
            let begin = Instant::now();
            match compare(&program, function, &options, &mut random, n_runs) {
                Ok(tally) => {
                    total.questions += tally.questions;
                    total.impossible += tally.impossible;
                    total.runs += tally.runs;
                    total.simulated += tally.simulated;
                }
                Err(message) => {
                    println!("seed {program_seed} {name}: {message}\n{text}");
                    std::process::exit(1);
                }
            }
            if begin.elapsed().as_secs() >= 10 {
                println!("slow: seed {program_seed} {name} {:.0} s", begin.elapsed().as_secs_f64());
            }
        }
    }
    println!("{total:?} in {:.1} s", start.elapsed().as_secs_f64());
}
