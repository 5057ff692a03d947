//! Verdicts against the truth: small random programs over bytes, every input run in the interpreter.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use glassbox_c_front::compile::compile;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_coverage::{Properties, PropertyKind};
use glassbox_explore::seeds::Random;
use glassbox_explore::{Budget, Question, verify};
use glassbox_interp::{Libc, Machine, Options, Outcome};
use glassbox_ir::{CheckKind, FuncId, OverflowMode, Program, overflow};
use glassbox_model::Config;
use glassbox_prove::{Answer, Place, Prover};
use glassbox_testcase::{Assumption, Verdict};

/// Makes programs `int f(signed char a, unsigned char b)`.
struct Maker {
    random: Random,
    text: String,
    has_two_inputs: bool,
    /// What calls give as fuel for recursion; empty where nothing is called.
    fuel: &'static str,
}

impl Maker {
    fn below(&mut self, bound: u64) -> u64 {
        self.random.draw() % bound
    }

    fn atom(&mut self) -> String {
        if !self.fuel.is_empty() && self.below(6) == 0 {
            return "g".to_owned();
        }
        match self.below(6) {
            0 => "a".to_owned(),
            1 if self.has_two_inputs => "b".to_owned(),
            2 | 3 => format!("v{}", self.below(2)),
            4 => format!("{}", i128::from(self.below(300)) - 150),
            _ => format!("{}", i128::from(self.below(9)) - 4),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(4) == 0 {
            let atom = self.atom();
            return format!("({atom})");
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.below(12) {
            0..=2 => format!("({left} + {right})"),
            3 | 4 => format!("({left} - {right})"),
            5 => format!("({left} * {right})"),
            6 => format!("({left} / {right})"),
            7 => format!("({left} % {right})"),
            8 => format!("({left} & {right})"),
            9 => format!("({left} << ({right} & 31))"),
            10 => format!("({left} * 16777216)"),
            _ => format!("t[{left}]"),
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.expression(1), self.expression(1));
        let operators = ["<", "<=", "==", "!=", ">"];
        let operator = operators[usize::try_from(self.below(5)).expect("small")];
        format!("{left} {operator} {right}")
    }

    /// Calls of functions that call each other, and a global that all of them see.
    fn call(&mut self) {
        let (argument, fuel, function) = (self.expression(1), self.fuel, self.below(3));
        let call = format!("h{function}({argument}, {fuel}, t)");
        let _ = match self.below(4) {
            0 => writeln!(self.text, "g = {call};"),
            1 => writeln!(self.text, "g = ({argument}) & 15;"),
            2 => writeln!(self.text, "v0 = {call};"),
            _ => writeln!(self.text, "v1 = {call} & 7;"),
        };
    }

    fn statement(&mut self, depth: usize) {
        if !self.fuel.is_empty() && self.below(4) == 0 {
            return self.call();
        }
        match self.below(8) {
            0 | 1 if depth > 0 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.statement(depth - 1);
                self.text.push_str("} else {\n");
                self.statement(depth - 1);
                self.text.push_str("}\n");
            }
            2 if depth > 0 => {
                let bound = self.atom();
                let _ = writeln!(self.text, "for (int i = 0; i < (({bound}) & 3); i++) {{");
                self.statement(0);
                self.text.push_str("}\n");
            }
            3 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "__VERIFIER_assert({condition});");
            }
            4 => {
                let condition = self.condition();
                let _ = writeln!(self.text, "__VERIFIER_assume({condition});");
            }
            5 => {
                let (index, value) = (self.expression(1), self.expression(1));
                let _ = writeln!(self.text, "t[({index}) & 7] = {value};");
            }
            _ => {
                let target = self.below(2);
                let value = self.expression(2);
                let _ = writeln!(self.text, "v{target} = {value};");
            }
        }
    }

    fn program(seed: u64) -> (String, bool) {
        let mut random = Random::new(seed);
        let has_two_inputs = random.draw().is_multiple_of(8);
        let text = "extern void __VERIFIER_assert(int); extern void __VERIFIER_assume(int);\n\
                    int f(signed char a, unsigned char b)\n{\nint t[8] = {0}, v0 = a, v1 = 1;\n"
            .to_owned();
        let mut maker = Maker { random, text, has_two_inputs, fuel: "" };
        for _ in 0..5 {
            maker.statement(2);
        }
        let condition = maker.condition();
        let _ = writeln!(maker.text, "__VERIFIER_assert({condition});\nreturn v0;\n}}");
        (maker.text, has_two_inputs)
    }

    /// A program with three functions that call each other and themselves.
    fn program_with_calls(seed: u64) -> String {
        let text = "extern void __VERIFIER_assert(int); extern void __VERIFIER_assume(int);\n\
                    static int g;\n\
                    static int h0(int a, int b, int *t); static int h1(int a, int b, int *t);\n\
                    static int h2(int a, int b, int *t);\n"
            .to_owned();
        let random = Random::new(seed);
        let mut maker = Maker { random, text, has_two_inputs: true, fuel: "b - 1" };
        for function in 0..3 {
            let _ = writeln!(maker.text, "static int h{function}(int a, int b, int *t)\n{{");
            maker.text.push_str("int v0 = a, v1 = 1;\n");
            if maker.below(2) == 0 {
                maker.statement(0);
            }
            let value = maker.expression(1);
            let _ = writeln!(maker.text, "if (b <= 0) return {value} & 63;");
            maker.statement(1);
            maker.statement(1);
            maker.text.push_str("return v0;\n}\n");
        }
        maker.has_two_inputs = false;
        maker.fuel = "a & 3";
        maker.text.push_str("int f(signed char a)\n{\nint t[8] = {0}, v0 = a, v1 = 1;\n");
        for _ in 0..3 {
            maker.statement(1);
        }
        maker.call();
        let condition = maker.condition();
        let _ = writeln!(maker.text, "__VERIFIER_assert({condition});\nreturn v0;\n}}");
        maker.text
    }
}

fn read(text: &str, mode: OverflowMode) -> (Program, FuncId) {
    let mut front = Front::new();
    front.add_unit("f.c", text.as_bytes().to_vec(), &mut |_| None);
    let mut program =
        compile(front, Promotion::Promote).program.unwrap_or_else(|| panic!("bad C:\n{text}"));
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
                let _ = truth.left.insert((event.function, event.block.index()));
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
    let (text, two) = Maker::program(seed);
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
    let found = verify(question, Box::new(Libc::new()), &AtomicBool::new(false));
    let story = || format!("seed {seed}, overflow {}:\n{text}", mode.name());
    assert_eq!(found.n_divergences, 0, "the interpreter should agree, {}", story());
    let mut n_decided = 0;
    for (index, verdict) in found.verdicts.iter().enumerate() {
        let property = &found.properties.list()[index];
        let failure = truth.failures.get(&index);
        let told = format!("{}: {verdict:?}, in truth {failure:?}, {}", property.id, story());
        match verdict {
            Verdict::Violated { test } => {
                assert!(failure.is_some(), "{told}");
                assert_eq!(found.violations[*test].property, index);
                n_decided += 1;
            }
            Verdict::Holds(_) => {
                assert!(failure.is_none(), "{told}");
                n_decided += 1;
            }
            Verdict::Infeasible(_) => {
                assert!(failure.is_none(), "{told}");
                // No run goes on behind a place that nothing comes to.
                let is_passed = |site: &glassbox_coverage::Site| {
                    truth.left.contains(&(function, site.block.index()))
                };
                assert!(!property.sites.iter().any(is_passed), "{told}");
                n_decided += 1;
            }
            Verdict::HoldsWithin { bounds } | Verdict::InfeasibleWithin { bounds } => {
                let turns = bounds.iter().find_map(|bound| match bound {
                    Assumption::LoopTurns(turns) => Some(u64::from(*turns)),
                    _ => None,
                });
                let is_beyond = failure.is_none_or(|least| *least > turns.unwrap_or(0));
                assert!(is_beyond, "{told}");
            }
            Verdict::Unknown(_) => {}
            Verdict::Covered { .. } => panic!("no verdict of a property: {told}"),
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
        let story = || format!("{}: seed {seed}, overflow {}:\n{text}", property.id, mode.name());
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
            assert!(!truth.failures.contains_key(&index), "it fails, {}", story());
        }
        if excludes(glassbox_prove::Question::Reached) {
            let is_left = property
                .sites
                .iter()
                .any(|site| truth.left.contains(&(property.function, site.block.index())));
            assert!(!is_left && !truth.failures.contains_key(&index), "it is reached, {}", story());
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
        let (excluded, all) = compare_proofs(seed, &Maker::program(seed), mode, 6);
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
        let text = (Maker::program_with_calls(seed), false);
        let (excluded, all) = compare_proofs(seed, &text, mode, depth);
        n_excluded += excluded;
        n_all += all;
    }
    assert!(n_excluded * 3 > n_all, "{n_excluded} of {n_all} checks are excluded");
}
