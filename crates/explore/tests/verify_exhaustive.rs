//! Verdicts against the truth: small random programs over bytes, every input run in the interpreter.

#![allow(clippy::disallowed_methods, reason = "variables widen what is tested")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use glassbox_c_front::compile::compile_text;
use glassbox_coverage::{Properties, PropertyKind};
use glassbox_explore::{Budget, Check, Question};
use glassbox_interp::{Machine, Options, Outcome};
use glassbox_ir::{CheckKind, FuncId, OverflowMode, Program, overflow};
use glassbox_libc::Libc;
use glassbox_model::Config;
use glassbox_prove::{Answer, Place, Prover};
use glassbox_testcase::{Assumption, Verdict};
use glassbox_testkit::programs::assertions;

fn read(text: &str, mode: OverflowMode) -> (Program, FuncId) {
    let mut program = compile_text(text).program.unwrap_or_else(|| panic!("bad C:\n{text}"));
    overflow::apply(&mut program, mode);
    let function = program.function_named("f").expect("f is defined");
    (program, function)
}

/// What all runs together show.
#[derive(Default)]
struct Truth {
    /// By property: the fewest turns that a failing run takes.
    failures: BTreeMap<usize, u64>,
    /// Blocks that some run leaves.
    left: BTreeSet<(FuncId, usize)>,
}

fn truth(program: &Program, function: FuncId, properties: &Properties, two: bool) -> Truth {
    let options = Options { max_steps: 100_000, coverage: true, trace: true, ..Options::default() };
    let mut machine = Machine::new(program, options, Box::new(Libc::new())).expect("small");
    let mut truth = Truth::default();
    for b in 0..if two { 256u128 } else { 1 } {
        for a in 0..256u128 {
            machine.reset();
            let n_params = program.function(function).params.len();
            let outcome = machine.run(function, &[a, b][..n_params]);
            let mut visits: BTreeMap<usize, u64> = BTreeMap::new();
            for event in &machine.coverage().trace {
                *visits.entry(event.block.index()).or_default() += 1;
                truth.left.insert((event.function, event.block.index()));
            }
            let turns = visits.values().copied().max().unwrap_or(0);
            if let Outcome::Undefined(report) = outcome {
                let kind = PropertyKind::Check(report.kind);
                let at = report.stack.last().map_or(function, |entry| entry.function);
                let property = properties.find(at, kind, report.span);
                let property = property.unwrap_or_else(|| panic!("a property for {report:?}"));
                let least = truth.failures.entry(property).or_insert(turns);
                *least = turns.min(*least);
            }
        }
    }
    truth
}

/// Compares the verdicts about one program: how many are decided without bounds, and how many there are.
fn compare(seed: u64, mode: OverflowMode) -> (usize, usize) {
    let (text, two) = assertions::program(seed);
    let (program, function) = read(&text, mode);
    let properties = Properties::of(&program, &[function]);
    let truth = truth(&program, function, &properties, two);
    let question = Question {
        program: &program,
        entry: function,
        properties,
        config: &Config::default(),
        budget: &Budget { paths: 400, seeds: 4, ..Budget::default() },
        max_turns: 8,
    };
    let found = Check::new(question, Box::new(Libc::new()), &AtomicBool::new(false)).search();
    let context = || format!("seed {seed}, overflow {}:\n{text}", mode.name());
    assert_eq!(found.n_divergences, 0, "the interpreter should agree, {}", context());
    let mut n_decided = 0;
    for (index, verdict) in found.verdicts.iter().enumerate() {
        let property = &found.properties.list()[index];
        let failure = truth.failures.get(&index);
        let message = format!("{}: {verdict:?}, in truth {failure:?}, {}", property.id, context());
        match verdict {
            Verdict::Violated { test } => {
                assert!(failure.is_some(), "{message}");
                assert_eq!(found.violations[*test].property, index);
                n_decided += 1;
            }
            Verdict::Holds(_) => {
                assert!(failure.is_none(), "{message}");
                n_decided += 1;
            }
            Verdict::Infeasible(_) => {
                assert!(failure.is_none(), "{message}");
                // No run goes on behind a place that nothing comes to.
                let is_passed = |site: &glassbox_coverage::Site| {
                    truth.left.contains(&(function, site.block.index()))
                };
                assert!(!property.sites.iter().any(is_passed), "{message}");
                n_decided += 1;
            }
            Verdict::HoldsWithin { bounds } | Verdict::InfeasibleWithin { bounds } => {
                let turns = bounds.iter().find_map(|bound| {
                    let Assumption::LoopTurns(turns) = bound else { return None };
                    Some(u64::from(*turns))
                });
                let is_beyond = failure.is_none_or(|least| *least > turns.unwrap_or(0));
                assert!(is_beyond, "{message}");
            }
            Verdict::Unknown(_) => {}
            Verdict::Covered { .. } => panic!("no verdict of a property: {message}"),
        }
    }
    (n_decided, found.verdicts.len())
}

#[test]
fn no_verdict_is_wrong() {
    let (mut n_decided, mut n_all) = (0, 0);
    for (seed, mode) in (0..60)
        .zip([OverflowMode::Report, OverflowMode::Wrap, OverflowMode::Reject].into_iter().cycle())
    {
        let (decided, all) = compare(seed, mode);
        n_decided += decided;
        n_all += all;
    }
    assert!(n_decided * 10 > n_all * 9, "{n_decided} of {n_all} properties are decided");
}

/// What the prover excludes of one program: nothing that a run does. How many checks it excludes, and how many
/// there are.
fn compare_proofs(
    seed: u64,
    (text, two): &(String, bool),
    mode: OverflowMode,
    max_call_depth: u32,
) -> (usize, usize) {
    let (program, function) = read(text, mode);
    let functions: Vec<FuncId> =
        program.function_ids().filter(|f| program.function(*f).body.is_some()).collect();
    let properties = Properties::of(&program, &functions);
    let truth = truth(&program, function, &properties, *two);
    let options = glassbox_prove::Options {
        conflicts: 300,
        max_gates: 30_000,
        max_call_depth,
        ..glassbox_prove::Options::default()
    };
    let mut prover = Prover::new(&program, function, options);
    let (mut n_excluded, mut n_all) = (0, 0);
    for (index, property) in properties.list().iter().enumerate() {
        let mut excludes = |question: fn(Place) -> glassbox_prove::Question| {
            property.sites.iter().all(|site| {
                let function = property.function;
                let place = Place { function, block: site.block, instr: site.instr };
                matches!(prover.decide(&question(place)), Answer::Impossible(_))
            })
        };
        let context = || format!("{}: seed {seed}, overflow {}:\n{text}", property.id, mode.name());
        n_all += 1;
        let is_access = matches!(
            property.kind,
            PropertyKind::Check(
                CheckKind::NullDereference | CheckKind::OutOfBounds | CheckKind::UseAfterFree
            )
        );
        if excludes(glassbox_prove::Question::CheckFails)
            || is_access && excludes(glassbox_prove::Question::AccessFails)
        {
            n_excluded += 1;
            assert!(!truth.failures.contains_key(&index), "it fails, {}", context());
        }
        if excludes(glassbox_prove::Question::Reached) {
            let is_left = property
                .sites
                .iter()
                .any(|site| truth.left.contains(&(property.function, site.block.index())));
            assert!(
                !is_left && !truth.failures.contains_key(&index),
                "it is reached, {}",
                context()
            );
        }
    }
    (n_excluded, n_all)
}

#[test]
fn no_proof_is_wrong() {
    let (mut n_excluded, mut n_all) = (0, 0);
    for (seed, mode) in (100..160)
        .zip([OverflowMode::Report, OverflowMode::Wrap, OverflowMode::Reject].into_iter().cycle())
    {
        let (excluded, all) = compare_proofs(seed, &assertions::program(seed), mode, 6);
        n_excluded += excluded;
        n_all += all;
    }
    assert!(n_excluded * 3 > n_all, "{n_excluded} of {n_all} checks are excluded");
}

/// Longer runs begin at `GLASSBOX_FIRST_SEED` and try `GLASSBOX_SEEDS` programs.
#[test]
fn no_proof_about_recursive_functions_is_wrong() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let first = number("GLASSBOX_FIRST_SEED", 200);
    let (mut n_excluded, mut n_all) = (0, 0);
    for (seed, mode) in (first..first + number("GLASSBOX_SEEDS", 24))
        .zip([OverflowMode::Report, OverflowMode::Wrap, OverflowMode::Reject].into_iter().cycle())
    {
        let depth = if seed % 4 < 2 { 6 } else { 0 };
        let text = (assertions::program_with_calls(seed), false);
        let (excluded, all) = compare_proofs(seed, &text, mode, depth);
        n_excluded += excluded;
        n_all += all;
    }
    assert!(n_excluded * 3 > n_all, "{n_excluded} of {n_all} checks are excluded");
}
