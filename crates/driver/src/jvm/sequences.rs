//! Sequences of calls that are simply run, the shortest first, before paths look for others: a run costs far less than a
//! path, and objects with an inner state of their own often need a few calls and no special numbers.
//!
//! What has been called stays in a sequence that goes on; a sequence in which something throws does not (den Hollander,
//! Automatic Unit Test Generation, 2010, chapter 4, where sequences are symbolic). Numbers are small ones; texts and arrays are left
//! to the paths.

use std::sync::atomic::Ordering;
use std::time::Duration;

use glassbox_coverage::{Goal, Tracker};
use glassbox_explore::TestRunner;
use glassbox_explore::seeds::Random;
use glassbox_ir::{FuncId, Program, SourceType};
use glassbox_libc::JavaLibrary;
use glassbox_testcase::recipe::{Harness, Making};
use glassbox_testcase::{InputPointer, InputValue, NamedInput, TestInput};
use glassbox_values::{Bits, Float, Sign};

use crate::deadline::Deadline;
use crate::drive::Case;

/// The part of the time for a search by calls that belongs to them.
const PART: u32 = 2;

/// Instructions of one run.
pub(super) const STEPS: u64 = 10_000_000;

/// Ways in which the objects are constructed that sequences begin with, at most.
const MAX_BEGINNINGS: usize = 24;

/// Beginnings with drawn numbers, for each of these ways.
const N_DRAWN: usize = 3;

/// Beginnings of one way that are made longer, at most, unless they reach something.
const N_OF_A_WAY: usize = 2;

/// Sequences that wait for being made longer, at most.
const MAX_WAITING: usize = 4000;

/// Numbers that calls are tried with.
const NUMBERS: [i128; 8] = [0, 1, -1, 2, 3, 5, 10, -2];

/// What a harness lets its parameters choose.
#[derive(Debug, Default)]
struct Choices {
    /// Parameters that choose one of so many ways to make something.
    ways: Vec<(usize, usize)>,
    /// By object: the parameters that choose its calls one after the other, and how many there are.
    calls: Vec<Vec<(usize, usize)>>,
}

impl Choices {
    fn of(harness: &Harness) -> Choices {
        let mut choices = Choices::default();
        harness.receiver.iter().chain(&harness.args).for_each(|making| choices.add(making));
        choices
    }

    fn add(&mut self, making: &Making) {
        match making {
            Making::Param(_) | Making::Null | Making::Earlier(_) | Making::Usual(_) => {}
            Making::Constant { selector, names, .. } => self.ways.push((*selector, names.len())),
            Making::Choice { selector, options } => {
                self.ways.push((*selector, options.len()));
                options.iter().for_each(|option| self.add(option));
            }
            Making::New(object) => {
                object.args.iter().for_each(|arg| self.add(arg));
                let steps = object.steps.iter().map(|step| (step.selector, step.calls.len()));
                let steps: Vec<(usize, usize)> = steps.collect();
                // Ways of which one is taken share their parameters.
                if !steps.is_empty() && !self.calls.contains(&steps) {
                    self.calls.push(steps);
                }
            }
            Making::Array { count, elements, .. } => {
                self.ways.push((*count, elements.len() + 1));
                elements.iter().for_each(|element| self.add(element));
            }
            Making::Collection { count, items, .. } => {
                self.ways.push((*count, items.len() + 1));
                items.iter().flatten().for_each(|item| self.add(item));
            }
        }
    }
}

/// A sequence: its input, and how many calls each object has.
#[derive(Debug, Clone)]
struct Sequence {
    input: TestInput,
    n_calls: Vec<usize>,
    /// Which way of making the objects it begins with.
    way: usize,
}

/// Inputs of a harness with which runs reach goals, found by running sequences in a part of the time.
pub(super) fn tried(
    case: &Case<'_>,
    of: (&Harness, FuncId),
    goals: &[Goal],
    time: Duration,
) -> Vec<TestInput> {
    let deadline = Deadline::new(&case.plan.budget);
    let is_over = || deadline.flag.load(Ordering::Relaxed);
    let work = || reaching(case.program(), of, goals, &is_over);
    deadline.within(time / PART, case.listener, work)
}

/// The same until `is_over` says so.
fn reaching(
    program: &Program,
    (harness, function): (&Harness, FuncId),
    goals: &[Goal],
    is_over: &dyn Fn() -> bool,
) -> Vec<TestInput> {
    let choices = Choices::of(harness);
    let library = Box::new(JavaLibrary::new());
    let mut runner = TestRunner::new(program, TestRunner::options(STEPS), library);
    let Some(first) = nothing(program, harness).filter(|_| runner.is_ready()) else {
        return Vec::new();
    };
    let mut tracker = Tracker::new(program.body(function), goals);
    let mut numbers = Numbers::new(program, &choices, &first);
    let mut found: Vec<TestInput> = Vec::new();
    let mut waiting = beginnings(&choices, first, &mut numbers);
    let n_beginnings = waiting.len();
    let mut n_longer = vec![0; waiting.len()];
    let mut next = 0;
    while let Some(sequence) = waiting.get(next).cloned() {
        next += 1;
        if is_over() || tracker.n_open() == 0 {
            break;
        }
        let Ok(run) = runner.run(harness.function, &sequence.input) else { continue };
        let is_called = runner.machine().is_some_and(|machine| {
            let stage = machine.global_address(harness.stage);
            machine.memory().load(stage, 4) == Ok(1)
        });
        // Something threw, or does not end, before the method was called.
        if !is_called {
            continue;
        }
        let n_open = tracker.n_open();
        tracker.add(found.len(), &runner.facts(function, &run));
        let is_new = tracker.n_open() < n_open;
        if is_new {
            found.push(sequence.input.clone());
        }
        // The same objects with other numbers are worth little.
        let is_beginning = next <= n_beginnings;
        n_longer[sequence.way] += usize::from(is_beginning);
        let is_spare = is_beginning && !is_new && n_longer[sequence.way] > N_OF_A_WAY;
        if !is_spare && waiting.len() < MAX_WAITING {
            waiting.extend(longer(&choices, &sequence, &mut numbers));
        }
    }
    found
}

/// The input with nothing in it; `None` where a parameter is of a kind that has no such value.
fn nothing(program: &Program, harness: &Harness) -> Option<TestInput> {
    let mut input = TestInput::default();
    for param in &program.function(harness.function).params {
        let value = match program.source_type(program.resolve_source_type(param.source_type)) {
            SourceType::Bool => InputValue::Int(Bits::zero(8)),
            SourceType::Int { width, .. } => InputValue::Int(Bits::zero(*width)),
            SourceType::Float { format, .. } => {
                InputValue::Float(Float::zero(Sign::Positive, *format))
            }
            SourceType::Class(_) | SourceType::ClassArray { .. } | SourceType::Opaque { .. } => {
                InputValue::Pointer(InputPointer::Null)
            }
            SourceType::Void
            | SourceType::Named { .. }
            | SourceType::Enum { .. }
            | SourceType::Pointer { .. }
            | SourceType::Array { .. }
            | SourceType::Record { .. }
            | SourceType::Function { .. } => return None,
        };
        let (name, source_type) = (param.name.clone(), param.source_type);
        input.params.push(NamedInput { name, source_type, value });
    }
    Some(input)
}

/// Draws numbers for what is no choice.
struct Numbers {
    random: Random,
    /// By parameter.
    kinds: Vec<Kind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Choice,
    Bool,
    Other,
}

impl Numbers {
    fn new(program: &Program, choices: &Choices, input: &TestInput) -> Numbers {
        let calls = choices.calls.iter().flatten();
        let choosing: Vec<usize> = choices.ways.iter().chain(calls).map(|it| it.0).collect();
        let kind = |(position, param): (usize, &NamedInput)| {
            let ty = program.resolve_source_type(param.source_type);
            if choosing.contains(&position) {
                Kind::Choice
            } else if *program.source_type(ty) == SourceType::Bool {
                Kind::Bool
            } else {
                Kind::Other
            }
        };
        let kinds = input.params.iter().enumerate().map(kind).collect();
        Numbers { random: Random::new(0), kinds }
    }

    /// The same with other numbers.
    fn drawn(&mut self, input: &TestInput) -> TestInput {
        let random = &mut self.random;
        with_numbers(input, &self.kinds, || {
            NUMBERS[usize::try_from(random.draw() % 8).unwrap_or(0)]
        })
    }

    /// The same with this number everywhere.
    fn all(&self, input: &TestInput, number: i128) -> TestInput {
        with_numbers(input, &self.kinds, || number)
    }
}

fn with_numbers(input: &TestInput, kinds: &[Kind], mut next: impl FnMut() -> i128) -> TestInput {
    let mut input = input.clone();
    for (param, kind) in input.params.iter_mut().zip(kinds) {
        let InputValue::Int(bits) = &mut param.value else { continue };
        let number = match kind {
            Kind::Choice => continue,
            Kind::Bool => next() & 1,
            Kind::Other => next(),
        };
        *bits = Bits::from_signed(number, bits.width());
    }
    input
}

/// Every way of making the objects, with zeros and with other numbers; of each way, how many are made longer.
fn beginnings(choices: &Choices, first: TestInput, numbers: &mut Numbers) -> Vec<Sequence> {
    let mut ways = vec![first];
    for &(selector, n_ways) in &choices.ways {
        let others: Vec<TestInput> = ways
            .iter()
            .flat_map(|input| (1..n_ways).map(|way| with_choice(input, selector, way)))
            .collect();
        ways.extend(others);
        ways.truncate(MAX_BEGINNINGS);
    }
    let n_calls = vec![0; choices.calls.len()];
    let mut all: Vec<Sequence> = Vec::new();
    for round in 0..NUMBERS.len() + N_DRAWN {
        for (way, input) in ways.iter().enumerate() {
            let input = match NUMBERS.get(round) {
                Some(&number) => numbers.all(input, number),
                None => numbers.drawn(input),
            };
            if all.iter().all(|known| known.input != input) {
                all.push(Sequence { input, n_calls: n_calls.clone(), way });
            }
        }
    }
    all
}

/// The sequences with one call more.
fn longer(choices: &Choices, sequence: &Sequence, numbers: &mut Numbers) -> Vec<Sequence> {
    let mut all = Vec::new();
    for (object, steps) in choices.calls.iter().enumerate() {
        let Some(&(selector, n_calls)) = steps.get(sequence.n_calls[object]) else { continue };
        for call in 1..=n_calls {
            let mut longer = sequence.clone();
            longer.n_calls[object] += 1;
            longer.input = with_choice(&longer.input, selector, call);
            let other = Sequence { input: numbers.drawn(&longer.input), ..longer.clone() };
            let has_numbers = other.input != longer.input;
            all.push(longer);
            all.extend(has_numbers.then_some(other));
        }
    }
    all
}

fn with_choice(input: &TestInput, selector: usize, way: usize) -> TestInput {
    let mut input = input.clone();
    if let Some(InputValue::Int(bits)) = input.params.get_mut(selector).map(|it| &mut it.value) {
        *bits = Bits::new(way as u128, bits.width());
    }
    input
}
