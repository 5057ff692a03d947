//! Nothing that a run does is ever called impossible, on random loop programs.

mod random;

use glassbox_prove::Options;
use random::{Numbers, Tally, compare, program_text, read_text};

#[test]
fn verdicts_agree_with_runs() {
    let mut numbers = Numbers(1);
    let text = program_text(&mut numbers, 40);
    let program = read_text(&text);
    let mut n_impossible = 0;
    for index in 0..40 {
        let name = format!("f{index}");
        let function = program.function_named(&name).expect("the function is there");
        let options = Options { conflicts: 500, max_gates: 20_000, ..Options::default() };
        match compare(&program, function, &options, &mut numbers, 60) {
            Ok(tally) => n_impossible += tally.impossible,
            Err(story) => panic!("{name}: {story}\n{text}"),
        }
    }
    assert!(n_impossible > 100, "the comparison should have something to compare");
}

#[test]
fn what_is_impossible_in_memory_never_happens() {
    let mut numbers = Numbers(11);
    let text = random::memory::program_text(&mut numbers, 6);
    let program = read_text(&text);
    let mut total = Tally::default();
    for index in 0..6 {
        let function = program.function_named(&format!("f{index}")).expect("it is there");
        let options = Options { conflicts: 300, max_gates: 20_000, ..Options::default() };
        match compare(&program, function, &options, &mut numbers, 60) {
            Ok(tally) => {
                total.impossible += tally.impossible;
                total.runs += tally.runs;
            }
            Err(story) => panic!("f{index}: {story}\n{text}"),
        }
    }
    assert!(total.impossible > 40, "{total:?}");
    assert!(total.runs > 200, "{total:?}");
}

#[test]
fn what_is_impossible_behind_pointers_never_happens() {
    let mut numbers = Numbers(5);
    let text = random::pointers::program_text(&mut numbers, 12);
    let program = read_text(&text);
    let mut total = Tally::default();
    for index in 0..12 {
        let function = program.function_named(&format!("f{index}")).expect("it is there");
        let options = Options { conflicts: 300, max_gates: 20_000, ..Options::default() };
        match compare(&program, function, &options, &mut numbers, 60) {
            Ok(tally) => {
                total.impossible += tally.impossible;
                total.runs += tally.runs;
            }
            Err(story) => panic!("f{index}: {story}\n{text}"),
        }
    }
    assert!(total.impossible > 40, "{total:?}");
    assert!(total.runs > 300, "{total:?}");
}

#[test]
fn what_calls_never_do_never_happens() {
    let mut numbers = Numbers(5);
    let mut total = Tally::default();
    for depth in [0, 1, 6] {
        let text = random::calls::program_text(&mut numbers, 3);
        let program = read_text(&text);
        for index in 0..3 {
            let function = program.function_named(&format!("f{index}")).expect("it is there");
            let options = Options {
                conflicts: 300,
                max_gates: 20_000,
                max_call_depth: depth,
                ..Options::default()
            };
            match compare(&program, function, &options, &mut numbers, 60) {
                Ok(tally) => {
                    total.impossible += tally.impossible;
                    total.runs += tally.runs;
                }
                Err(story) => panic!("f{index}: {story}\n{text}"),
            }
        }
    }
    assert!(total.impossible > 40, "{total:?}");
    assert!(total.runs > 400, "{total:?}");
}
