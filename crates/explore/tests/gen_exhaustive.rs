//! Verdicts about goals against the truth: small random functions of bytes, every input run in the
//! interpreter, under all criteria at once.

#![allow(clippy::disallowed_methods, reason = "variables widen what is tested")]

use std::sync::atomic::AtomicBool;

use glassbox_c_front::compile::compile_text;
use glassbox_coverage::{Criterion, Tracker, criterion};
use glassbox_explore::facts::facts_of;
use glassbox_explore::{Aim, Budget, PathSearch, Subject};
use glassbox_interp::{Machine, Options, Outcome};
use glassbox_ir::{CheckKind, Function, Origin, Program};
use glassbox_libc::Libc;
use glassbox_model::Config;
use glassbox_testcase::Verdict;
use glassbox_testkit::programs::{assertions, decisions};

const CRITERIA: &[&str] = &["branch", "mcdc", "mcdc:unique-cause", "def-use", "path:2", "boundary"];

/// A program whose runs start in `f`, with as many bytes as parameters.
struct Enumerated {
    seed: u64,
    text: String,
    n_bytes: u32,
}

impl Enumerated {
    fn program(&self) -> Program {
        compile_text(&self.text).program.unwrap_or_else(|| panic!("bad C:\n{}", self.text))
    }
}

/// How many goals of the function of this name are decided, and how many there are.
fn compare(enumerated: &Enumerated, name: &str) -> (usize, usize) {
    let Enumerated { seed, text, n_bytes } = enumerated;
    let mut program = enumerated.program();
    let function = program.function_named(name).expect("it is defined");
    let entry = program.function_named("f").expect("f is defined");
    let criteria: Vec<Box<dyn Criterion>> =
        CRITERIA.iter().map(|name| criterion::by_name(name).expect("a criterion")).collect();
    for criterion in &criteria {
        criterion.prepare(&mut program, function);
    }
    let goals: Vec<_> =
        criteria.iter().flat_map(|criterion| criterion.goals(&program, function)).collect();
    let budget = Budget { paths: 300, seeds: 4, ..Budget::default() };
    // Every run of the truth begins with what globals are initialized with.
    let config = Config { globals_are_inputs: false, ..Config::default() };
    let stop = AtomicBool::new(false);
    let subject = Subject { program: &program, aim: Aim { function, entry }, config, budget };
    let found = PathSearch::new(subject, Box::new(Libc::new()), &stop).cover(&goals);
    assert_eq!(found.n_divergences, 0, "the interpreter should agree, seed {seed}:\n{text}");

    let options = Options { max_steps: 100_000, coverage: true, trace: true, ..Options::default() };
    let mut machine = Machine::new(&program, options, Box::new(Libc::new())).expect("small");
    let mut truth = Tracker::new(program.body(function), &goals);
    // A failed assertion of the function is an end that tests may expect.
    let mut dying = Tracker::new(program.body(function), &goals);
    for word in 0..1_u128 << (8 * n_bytes) {
        if truth.n_open() == 0 {
            break;
        }
        machine.reset();
        let bytes = [word & 0xff, word >> 8];
        let outcome = machine.run(entry, &bytes[..*n_bytes as usize]);
        if matches!(outcome, Outcome::Returned(_)) {
            let facts = facts_of(&program, function, machine.coverage(), &outcome);
            truth.add(usize::try_from(word).expect("small"), &facts);
        } else if let Outcome::Undefined(report) = &outcome
            && report.kind == CheckKind::Assertion
            && report.stack.last().is_some_and(|entry| entry.function == function)
        {
            let facts = facts_of(&program, function, machine.coverage(), &outcome);
            dying.add(usize::try_from(word).expect("small"), &facts);
        }
    }
    let mut n_decided = 0;
    for (index, (goal, verdict)) in goals.iter().zip(&found.verdicts).enumerate() {
        let is_reachable = truth.is_covered(index);
        let message = || format!("{}: {} is {verdict:?}, seed {seed}:\n{text}", goal.id, goal.text);
        match verdict {
            Verdict::Covered { .. } => {
                assert!(is_reachable || dying.is_covered(index), "{}", message());
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

/// Longer runs begin at `GLASSBOX_FIRST_SEED` and try `GLASSBOX_SEEDS` programs.
fn seeds() -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first: u64 = number("GLASSBOX_FIRST_SEED").unwrap_or(0);
    first..first + number("GLASSBOX_SEEDS").unwrap_or(4)
}

#[test]
fn no_verdict_is_wrong() {
    let (mut n_decided, mut n_all) = (0, 0);
    for seed in seeds() {
        let enumerated = Enumerated { seed, text: decisions::function(seed), n_bytes: 2 };
        let (decided, all) = compare(&enumerated, "f");
        n_decided += decided;
        n_all += all;
    }
    assert!(n_decided * 10 > n_all * 9, "{n_decided} of {n_all} goals are decided");
}

/// Goals of functions that the entry comes to, which call each other and themselves.
#[test]
fn no_verdict_about_what_is_called_is_wrong() {
    let (mut n_decided, mut n_all) = (0, 0);
    for seed in seeds() {
        let text = assertions::program_with_calls(seed);
        let enumerated = Enumerated { seed, text, n_bytes: 1 };
        let program = enumerated.program();
        let is_called = |function: &&Function| {
            function.body.is_some() && function.origin == Origin::User && function.name != "f"
        };
        for function in program.functions.iter().filter(is_called) {
            let (decided, all) = compare(&enumerated, &function.name);
            n_decided += decided;
            n_all += all;
        }
    }
    assert!(n_all > 0 && n_decided * 2 > n_all, "{n_decided} of {n_all} goals are decided");
}
