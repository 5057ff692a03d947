//! Nothing that a run does is ever called impossible, on random programs.

mod random;

use glassbox_prove::Options;
use glassbox_testkit::Random;
use glassbox_testkit::programs::{calls, loops, memory, pointers};
use random::{Tally, compare, read_text};

/// The budget of one question, small because there are many.
fn options(conflicts: u64) -> Options {
    Options { conflicts, max_gates: 20_000, ..Options::default() }
}

/// Compares every function `f0`, `f1`, … of a program with runs.
fn compare_all(text: &str, n_functions: usize, options: &Options, random: &mut Random) -> Tally {
    let program = read_text(text);
    let mut total = Tally::default();
    for index in 0..n_functions {
        let function = program.function_named(&format!("f{index}")).expect("it is there");
        match compare(&program, function, options, random, 60) {
            Ok(tally) => {
                total.impossible += tally.impossible;
                total.runs += tally.runs;
            }
            Err(message) => panic!("f{index}: {message}\n{text}"),
        }
    }
    total
}

#[test]
fn verdicts_agree_with_runs() {
    let mut random = Random::new(1);
    let text = loops::program_text(&mut random, 40);
    let total = compare_all(&text, 40, &options(500), &mut random);
    assert!(total.impossible > 100, "the comparison should have something to compare");
}

#[test]
fn what_is_impossible_in_memory_never_happens() {
    let mut random = Random::new(11);
    let text = memory::program_text(&mut random, 6);
    let total = compare_all(&text, 6, &options(300), &mut random);
    assert!(total.impossible > 40, "{total:?}");
    assert!(total.runs > 200, "{total:?}");
}

#[test]
fn what_is_impossible_behind_pointers_never_happens() {
    let mut random = Random::new(5);
    let text = pointers::program_text(&mut random, 12);
    let total = compare_all(&text, 12, &options(300), &mut random);
    assert!(total.impossible > 40, "{total:?}");
    assert!(total.runs > 300, "{total:?}");
}

#[test]
fn what_calls_never_do_never_happens() {
    let mut random = Random::new(5);
    let mut total = Tally::default();
    for max_call_depth in [0, 1, 6] {
        let text = calls::program_text(&mut random, 3);
        let options = Options { max_call_depth, ..options(300) };
        let found = compare_all(&text, 3, &options, &mut random);
        total.impossible += found.impossible;
        total.runs += found.runs;
    }
    assert!(total.impossible > 40, "{total:?}");
    assert!(total.runs > 400, "{total:?}");
}
