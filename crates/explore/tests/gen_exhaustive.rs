//! Verdicts about goals against the truth: small random functions of bytes, every input run in the
//! interpreter, under all criteria at once.

#![allow(clippy::disallowed_methods, reason = "variables widen what is tested")]

use std::sync::atomic::AtomicBool;

use glassbox_c_front::compile::compile_text;
use glassbox_coverage::{Criterion, Tracker, criterion};
use glassbox_explore::facts::facts_of;
use glassbox_explore::{Budget, PathSearch, Subject};
use glassbox_interp::{Machine, Options, Outcome};
use glassbox_libc::Libc;
use glassbox_model::Config;
use glassbox_testcase::Verdict;
use glassbox_testkit::programs::decisions;

const CRITERIA: &[&str] = &["branch", "mcdc", "mcdc:unique-cause", "def-use", "path:2", "boundary"];

/// How many goals of one function are decided, and how many there are.
fn compare(seed: u64) -> (usize, usize) {
    let text = decisions::function(seed);
    let mut program = compile_text(&text).program.unwrap_or_else(|| panic!("bad C:\n{text}"));
    let function = program.function_named("f").expect("f is defined");
    let criteria: Vec<Box<dyn Criterion>> =
        CRITERIA.iter().map(|name| criterion::by_name(name).expect("a criterion")).collect();
    for criterion in &criteria {
        criterion.prepare(&mut program, function);
    }
    let goals: Vec<_> =
        criteria.iter().flat_map(|criterion| criterion.goals(&program, function)).collect();
    let budget = Budget { paths: 300, seeds: 4, ..Budget::default() };
    let (config, stop) = (Config::default(), AtomicBool::new(false));
    let subject = Subject { program: &program, aim: function.into(), config, budget };
    let found = PathSearch::new(subject, Box::new(Libc::new()), &stop).cover(&goals);
    assert_eq!(found.n_divergences, 0, "the interpreter should agree, seed {seed}:\n{text}");

    let options = Options { max_steps: 100_000, coverage: true, trace: true, ..Options::default() };
    let mut machine = Machine::new(&program, options, Box::new(Libc::new())).expect("small");
    let mut truth = Tracker::new(program.body(function), &goals);
    for word in 0..0x1_0000_u128 {
        if truth.n_open() == 0 {
            break;
        }
        machine.reset();
        let outcome = machine.run(function, &[word & 0xff, word >> 8]);
        if matches!(outcome, Outcome::Returned(_)) {
            let facts = facts_of(&program, function, machine.coverage(), &outcome);
            truth.add(usize::try_from(word).expect("small"), &facts);
        }
    }
    let mut n_decided = 0;
    for (index, (goal, verdict)) in goals.iter().zip(&found.verdicts).enumerate() {
        let is_reachable = truth.is_covered(index);
        let message = || format!("{}: {} is {verdict:?}, seed {seed}:\n{text}", goal.id, goal.text);
        match verdict {
            Verdict::Covered { .. } => {
                assert!(is_reachable, "{}", message());
                n_decided += 1;
            }
            Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. } => {
                assert!(!is_reachable, "{}", message());
                n_decided += 1;
            }
            Verdict::Unknown(_) => {}
            Verdict::Violated { .. } | Verdict::Holds(_) | Verdict::HoldsWithin { .. } => {
                panic!("no verdict of a goal: {}", message())
            }
        }
    }
    (n_decided, goals.len())
}

#[test]
fn no_verdict_is_wrong() {
    let first = std::env::var("GLASSBOX_FIRST_SEED").ok().and_then(|text| text.parse().ok());
    let count = std::env::var("GLASSBOX_SEEDS").ok().and_then(|text| text.parse().ok());
    let first: u64 = first.unwrap_or(0);
    let (mut n_decided, mut n_all) = (0, 0);
    for seed in first..first + count.unwrap_or(4) {
        let (decided, all) = compare(seed);
        n_decided += decided;
        n_all += all;
    }
    assert!(n_decided * 10 > n_all * 9, "{n_decided} of {n_all} goals are decided");
}
