//! The comparison of the prover's verdicts about random programs with runs of the interpreter.

#![allow(clippy::disallowed_methods, reason = "tests start programs and write files")]
#![allow(dead_code, reason = "each test and example uses its part")]

pub(crate) mod memory;
pub(crate) mod pointers;
pub(crate) mod simulate;

use std::collections::BTreeSet;

use glassbox_c_front::compile::compile;
use glassbox_c_front::front::Front;
use glassbox_c_front::lower::Promotion;
use glassbox_c_front::preprocess::{Preprocessor, read_original};
use glassbox_interp::StubbedExternals;
use glassbox_interp::{Externals, Machine, Outcome, Stubs, run_test};
use glassbox_ir::{BlockId, Check, CheckKind, FuncId, InstrKind, Program, Ty};
use glassbox_libc::Libc;
use glassbox_prove::{Answer, Options, Place, Prover, Question};
use glassbox_testcase::{InputValue, NamedInput, TestInput};
use glassbox_testkit::Random;
use glassbox_values::Bits;
use simulate::Simulator;

pub(crate) fn read_text(text: &str) -> Program {
    let path = std::env::temp_dir().join(format!(
        "glassbox-prove-{}-{:x}.c",
        std::process::id(),
        text.len()
    ));
    std::fs::write(&path, text).expect("a temporary file can be written");
    let mut front = Front::new();
    let preprocessed = Preprocessor::default().run(&path).expect("the text should be preprocessed");
    front.add_unit("random.c", preprocessed, &mut |name| read_original(None, name));
    let _ = std::fs::remove_file(&path);
    let compiled = compile(front, Promotion::Promote);
    compiled.program.expect("the text should compile")
}

/// What happened in all runs of a function.
#[derive(Debug, Default)]
pub(crate) struct Happened {
    edges: BTreeSet<(FuncId, BlockId, u32)>,
    failures: BTreeSet<Place>,
    /// Those that are not about what an access finds.
    bad_accesses: BTreeSet<Place>,
}

/// Counts of one comparison.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) questions: usize,
    pub(crate) impossible: usize,
    pub(crate) runs: usize,
    pub(crate) simulated: usize,
}

/// Asks about every edge and every check of a function and its callees, and compares with runs.
/// The complaint says what was claimed to be impossible and happened.
pub(crate) fn compare(
    program: &Program,
    function: FuncId,
    options: &Options,
    random: &mut Random,
    n_runs: usize,
) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let mut prover = Prover::new(program, function, options.clone());
    let simulator = Simulator::new(program, function, options);
    let mut happened = Happened::default();
    let stubs = Stubs::default();
    let mut machine = machine(program, &stubs);
    for _ in 0..n_runs {
        let has_memory = program.function(function).params.iter().any(|p| p.ty == Ty::Ptr);
        let (input, bits) = if has_memory {
            let has_lists = program.global_ids().any(|id| program.global(id).name == "head");
            let input = if has_lists {
                pointers::random_input(program, function, random)
            } else {
                memory::random_input(program, function, random)
            };
            (input, Vec::new())
        } else {
            random_input(program, function, random)
        };
        let Some(run) = run_test(&mut machine, &stubs, function, &input) else { continue };
        tally.runs += 1;
        let trace: Vec<(FuncId, BlockId, u32)> =
            machine.coverage().trace.iter().map(|e| (e.function, e.block, e.edge)).collect();
        note(program, &trace, &run.outcome, &mut happened);
        if !has_memory
            && let Some(simulation) = simulator.as_ref().and_then(|s| s.run(&bits, 3_000))
        {
            tally.simulated += 1;
            if let Some(message) = simulation.contradiction {
                return Err(format!("{message} for {bits:?}"));
            }
            let n = simulation.edges.len().min(trace.len());
            let is_cut = !simulation.is_complete || run.outcome == Outcome::OutOfSteps;
            if simulation.edges[..n] != trace[..n]
                || (!is_cut && simulation.edges.len() != trace.len())
            {
                return Err(format!(
                    "the graph goes another way for {bits:?}: {:?} and {trace:?}",
                    simulation.edges
                ));
            }
        }
    }
    contradict(program, function, &mut prover, &happened, &mut tally)?;
    Ok(tally)
}

/// The same on given inputs.
pub(crate) fn compare_on(
    program: &Program,
    function: FuncId,
    options: &Options,
    inputs: &[TestInput],
) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let mut happened = Happened::default();
    let stubs = Stubs::default();
    let mut machine = machine(program, &stubs);
    for input in inputs {
        let Some(run) = run_test(&mut machine, &stubs, function, input) else { continue };
        tally.runs += 1;
        let trace: Vec<(FuncId, BlockId, u32)> =
            machine.coverage().trace.iter().map(|e| (e.function, e.block, e.edge)).collect();
        note(program, &trace, &run.outcome, &mut happened);
    }
    let mut prover = Prover::new(program, function, options.clone());
    contradict(program, function, &mut prover, &happened, &mut tally)?;
    Ok(tally)
}

fn machine<'a>(program: &'a Program, stubs: &Stubs) -> Machine<'a> {
    let options = glassbox_interp::Options {
        max_steps: 20_000,
        max_bytes: 1 << 24,
        coverage: true,
        trace: true,
        ..glassbox_interp::Options::default()
    };
    let library: Box<dyn Externals> = Box::new(Libc::default());
    let externals = StubbedExternals { stubs: stubs.clone(), library };
    Machine::new(program, options, Box::new(externals)).expect("a machine")
}

/// Looks for something that is claimed to be impossible and happened.
fn contradict(
    program: &Program,
    function: FuncId,
    prover: &mut Prover<'_>,
    happened: &Happened,
    tally: &mut Tally,
) -> Result<(), String> {
    for question in questions(program, function) {
        tally.questions += 1;
        let answer = prover.decide(&question);
        if !matches!(answer, Answer::Impossible(_)) {
            continue;
        }
        tally.impossible += 1;
        let does_happen = match &question {
            Question::Edge { function, block, edge } => {
                happened.edges.contains(&(*function, *block, *edge))
            }
            Question::CheckFails(place) => happened.failures.contains(place),
            Question::AccessFails(place) => happened.bad_accesses.contains(place),
            Question::Reached(_) | Question::AnyEdge { .. } => false,
        };
        if does_happen {
            return Err(format!("{question:?} happens, but {answer:?}"));
        }
    }
    Ok(())
}

fn random_input(
    program: &Program,
    function: FuncId,
    random: &mut Random,
) -> (TestInput, Vec<Bits>) {
    let mut input = TestInput::default();
    let mut all = Vec::new();
    for param in &program.function(function).params {
        let Ty::Int(width) = param.ty else { continue };
        let value = match random.below(4) {
            0 => i128::from(random.below(24)) - 4,
            1 => i128::from(random.below(300)) - 40,
            2 => [0, 1, 127, 128, 255, -1, -128, i128::from(i32::MAX), i128::from(i32::MIN)]
                [usize::try_from(random.below(9)).expect("small")],
            _ => i128::from(random.draw()),
        };
        let bits = Bits::from_signed(value, width);
        all.push(bits);
        input.params.push(NamedInput {
            name: param.name.clone(),
            source_type: param.source_type,
            value: InputValue::Int(bits),
        });
    }
    (input, all)
}

fn note(
    program: &Program,
    trace: &[(FuncId, BlockId, u32)],
    outcome: &Outcome,
    happened: &mut Happened,
) {
    happened.edges.extend(trace.iter().copied());
    let Outcome::Undefined(report) = outcome else { return };
    let Some(function) = report.stack.last().map(|entry| entry.function) else { return };
    let Some(body) = &program.function(function).body else { return };
    let mut places = Vec::new();
    for block in body.block_ids() {
        for (instr, at) in body.block(block).instrs.iter().zip(0..) {
            let InstrKind::Check(check) = &instr.kind else { continue };
            if is_about(check, report.kind) && instr.span == report.span {
                places.push(Place { function, block, instr: at });
            }
        }
    }
    // With several candidates it is not known which one failed.
    if let [only] = places[..] {
        happened.failures.insert(only);
        if !matches!(report.kind, CheckKind::Uninitialized | CheckKind::WriteToConstant) {
            happened.bad_accesses.insert(only);
        }
    }
}

/// Whether a failure of this kind may be one of the check.
fn is_about(check: &Check, reported: CheckKind) -> bool {
    let is_memory = matches!(
        reported,
        CheckKind::NullDereference
            | CheckKind::OutOfBounds
            | CheckKind::UseAfterFree
            | CheckKind::Uninitialized
            | CheckKind::PointerOverflow
            | CheckKind::BadFree
            | CheckKind::DoubleFree
    );
    match check {
        Check::Condition { kind, .. } => *kind == reported,
        Check::Readable { .. }
        | Check::Accessible { .. }
        | Check::Writable { .. }
        | Check::Freeable { .. }
        | Check::InBoundsOffset { .. } => is_memory,
        Check::Callable { .. } | Check::SameObject { .. } => false,
    }
}

fn questions(program: &Program, root: FuncId) -> Vec<Question> {
    let mut questions = Vec::new();
    for function in program.function_ids() {
        let name = program.function(function).name.as_str();
        if function != root
            && !matches!(name, "clamp" | "bump" | "sum_to" | "put" | "swap" | "both")
            && !matches!(name, "r0" | "r1" | "r2" | "r3")
        {
            continue;
        }
        let Some(body) = &program.function(function).body else { continue };
        for block in body.block_ids() {
            for (edge, _) in (0..).zip(body.block(block).terminator.targets()) {
                questions.push(Question::Edge { function, block, edge });
            }
            for (instr, at) in body.block(block).instrs.iter().zip(0..) {
                if matches!(instr.kind, InstrKind::Check(_)) {
                    let place = Place { function, block, instr: at };
                    questions.extend([Question::CheckFails(place), Question::AccessFails(place)]);
                }
            }
        }
    }
    questions
}
