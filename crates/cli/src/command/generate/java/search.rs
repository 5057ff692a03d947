//! One Java method: search with inputs as they are, then, where objects are hidden, with objects that a
//! harness makes by constructors and calls.

use std::time::Duration;

use glassbox_coverage::criterion::Criterion;
use glassbox_coverage::{Covered, Facts, Goal};
use glassbox_emit::java_test::{FloatEquality, JavaTest, JavaTestClass, body, obstacle};
use glassbox_explore::facts::facts_of;
use glassbox_explore::{Aim, Budget, CampaignResult, Supervision, explore};
use glassbox_interp::harness::StubbedExternals;
use glassbox_interp::java::JavaLibrary;
use glassbox_interp::{Machine, Options, Outcome, Stubs, java_observe, run_test};
use glassbox_ir::recipe::Harness;
use glassbox_ir::{FuncId, Program, SourceType, SourceTypeId};
use glassbox_jvm_front::JavaProgram;
use glassbox_model::{Config, config};
use glassbox_testcase::java::{JavaEnding, JavaObservation};
use glassbox_testcase::{Ending, ProofMethod, Test, TestInput, UnknownReason, Verdict};

use super::{MethodWork, class_of, surroundings, texts};
use crate::command::generate::Arguments;
use crate::command::generate::work::{self, FunctionWork, with_deadline};
use crate::stopwatch::Stopwatch;

pub(super) fn search(
    java: &JavaProgram,
    function: FuncId,
    criteria: &[Box<dyn Criterion>],
    arguments: &Arguments,
    watch: &Stopwatch<'_>,
) -> MethodWork {
    let program = &java.program;
    let goals: Vec<Goal> =
        criteria.iter().flat_map(|criterion| criterion.goals(program, function)).collect();
    let result = campaign(program, function.into(), &goals, arguments, watch);
    let mut work = work::assemble(program, function, goals, &result);
    work.times = watch.search_ended(&result.statistics);
    weaken(program, function, &mut work);
    surroundings::weaken(java, function, &mut work);
    let observed = observe(program, function, &mut work);
    let harnesses = vec![None; observed.len()];
    let mut method = MethodWork { work, observed, harnesses };
    let harness = java.recipes.harnesses.iter().position(|harness| harness.target == function);
    if let Some(harness) = harness {
        search_by_harness(java, harness, &mut method, arguments, watch);
    }
    method
}

fn campaign(
    program: &Program,
    aim: Aim,
    goals: &[Goal],
    arguments: &Arguments,
    watch: &Stopwatch<'_>,
) -> CampaignResult {
    let budget = Budget {
        seed: arguments.seed,
        paths: arguments.max_paths,
        solver_time: Some(Duration::from_secs(arguments.timeout)),
        ..Budget::default()
    };
    let config = Config {
        max_length: arguments.max_length,
        overflow: config::Overflow::Wrap,
        globals_are_inputs: false,
        ..Config::default()
    };
    with_deadline(work::limit_of(arguments), |stop| {
        let supervision = Supervision::watched(stop, watch);
        let library = Box::new(JavaLibrary::new());
        explore(program, aim, goals, &config, &budget, library, supervision)
    })
}

/// Searches again for goals that are open, or covered only by tests that force objects into their state.
fn search_by_harness(
    java: &JavaProgram,
    position: usize,
    method: &mut MethodWork,
    arguments: &Arguments,
    watch: &Stopwatch<'_>,
) {
    let program = &java.program;
    let harness = &java.recipes.harnesses[position];
    let function = harness.target;
    let forced: Vec<bool> =
        (0..method.observed.len()).map(|test| is_forced(java, method, test)).collect();
    let is_open = |goal: usize| match &method.work.suite.goals[goal].verdict {
        Verdict::Unknown(_) | Verdict::InfeasibleWithin { .. } => true,
        Verdict::Covered { test } => forced.get(*test).copied().unwrap_or(false),
        _ => false,
    };
    let open: Vec<usize> = (0..method.work.goals.len()).filter(|&goal| is_open(goal)).collect();
    if open.is_empty() {
        return;
    }
    let goals: Vec<Goal> = open.iter().map(|&goal| method.work.goals[goal].clone()).collect();
    let aim = Aim { function, entry: harness.function };
    let result = campaign(program, aim, &goals, arguments, watch);
    let mut work = work::assemble(program, function, goals, &result);
    let observed = observe_made(program, harness, &mut work);
    merge(method, &open, work, observed, position);
}

/// Whether a test gives objects a state by reflection.
fn is_forced(java: &JavaProgram, method: &MethodWork, test: usize) -> bool {
    let function = method.work.suite.function;
    let Some(observed) = method.observed.get(test).filter(|seen| obstacle(seen).is_none()) else {
        return true;
    };
    let shown = JavaTest {
        name: String::new(),
        function,
        input: &method.work.suite.tests[test].input,
        observed,
        harness: None,
        covers: Vec::new(),
    };
    let class = class_of(&java.program, function);
    let class =
        JavaTestClass::new(&java.program, &java.recipes, class, "Test".to_owned(), Vec::new());
    body(&class, &shown, FloatEquality::Delta, false).n_forced > 0
}

/// Adds what the second search covered; tests that nothing rests on any more go.
fn merge(
    method: &mut MethodWork,
    open: &[usize],
    work: FunctionWork,
    observed: Vec<JavaObservation>,
    harness: usize,
) {
    let base = method.work.suite.tests.len();
    let is_shown = |test: usize| observed.get(test).is_some_and(|seen| obstacle(seen).is_none());
    for (position, &goal) in open.iter().enumerate() {
        let own = &mut method.work.suite.goals[goal].verdict;
        // What stopped the second search is what is missing.
        if let (Verdict::Unknown(_), Verdict::Unknown(_)) =
            (&*own, &work.suite.goals[position].verdict)
        {
            *own = work.suite.goals[position].verdict.clone();
        }
        let Some(covered) = work.evidence.covered.get(position).copied().flatten() else {
            continue;
        };
        let Verdict::Covered { test } = work.suite.goals[position].verdict else { continue };
        if !covered.runs().into_iter().all(is_shown) {
            continue;
        }
        method.work.suite.goals[goal].verdict = Verdict::Covered { test: base + test };
        method.work.evidence.covered[goal] = Some(renumbered(covered, |test| base + test));
        let after = work.evidence.reached_after.get(position).copied().flatten();
        method.work.evidence.reached_after[goal] = after.map(|runs| method.work.n_runs + runs);
    }
    method.work.n_runs += work.n_runs;
    method.work.n_paths += work.n_paths;
    method.harnesses.extend(observed.iter().map(|_| Some(harness)));
    method.observed.extend(observed);
    method.work.suite.tests.extend(work.suite.tests);
    method.work.evidence.facts.extend(work.evidence.facts);
    keep_useful(method);
}

fn renumbered(covered: Covered, number: impl Fn(usize) -> usize) -> Covered {
    match covered {
        Covered::By(test) => Covered::By(number(test)),
        Covered::ByPair(one, other) => Covered::ByPair(number(one), number(other)),
    }
}

/// Leaves out tests that no goal rests on, and says of the others what they cover.
fn keep_useful(method: &mut MethodWork) {
    let work = &mut method.work;
    let mut covers: Vec<Vec<String>> = vec![Vec::new(); work.suite.tests.len()];
    for (goal, covered) in work.suite.goals.iter().zip(&work.evidence.covered) {
        if !matches!(goal.verdict, Verdict::Covered { .. }) {
            continue;
        }
        for test in covered.map(Covered::runs).unwrap_or_default() {
            covers[test].push(goal.goal.clone());
        }
    }
    let mut numbers: Vec<usize> = Vec::new();
    let mut n_kept = 0;
    for covered in &covers {
        numbers.push(n_kept);
        n_kept += usize::from(!covered.is_empty());
    }
    let is_kept = |test: usize| !covers[test].is_empty();
    let tests = std::mem::take(&mut work.suite.tests).into_iter().zip(&covers);
    work.suite.tests = tests
        .filter(|(_, covered)| !covered.is_empty())
        .map(|(test, covered)| Test { covers: covered.clone(), ..test })
        .collect();
    for goal in &mut work.suite.goals {
        if let Verdict::Covered { test } = &mut goal.verdict {
            *test = numbers[*test];
        }
    }
    for covered in &mut work.evidence.covered {
        *covered = covered
            .filter(|covered| covered.runs().into_iter().all(is_kept))
            .map(|covered| renumbered(covered, |test| numbers[test]));
    }
    retain(&mut work.evidence.facts, is_kept);
    retain(&mut method.observed, is_kept);
    retain(&mut method.harnesses, is_kept);
}

fn retain<T>(list: &mut Vec<T>, is_kept: impl Fn(usize) -> bool) {
    let mut position = 0;
    list.retain(|_| {
        position += 1;
        is_kept(position - 1)
    });
}

/// Runs tests once more and looks at results, exceptions and objects; `look` does it for one input. Texts
/// become easier to read where a run does not notice.
fn observe_tests(
    program: &Program,
    function: FuncId,
    work: &mut FunctionWork,
    mut look: impl FnMut(&mut Machine<'_>, &Stubs, &TestInput) -> Option<(JavaObservation, Outcome)>,
) -> Vec<JavaObservation> {
    let stubs = Stubs::default();
    let Some(mut machine) = machine(program, &stubs) else { return Vec::new() };
    let mut whole = |input: &TestInput| match look(&mut machine, &stubs, input) {
        Some((seen, outcome)) => (seen, facts_of(program, function, machine.coverage(), &outcome)),
        None => (unfit(), Facts::default()),
    };
    let mut observed = Vec::new();
    for test in &mut work.suite.tests {
        let mut seen = whole(&test.input);
        if let Some((input, twins)) = texts::merged(program, &test.input) {
            let other = whole(&input);
            if (texts::renamed(seen.0.clone(), &twins), &seen.1) == (other.0.clone(), &other.1) {
                (test.input, seen) = (input, other);
            }
        }
        if let Some(input) = texts::lettered(&test.input) {
            let other = whole(&input);
            if other.0.ending == seen.0.ending && other.1 == seen.1 {
                (test.input, seen) = (input, other);
            }
        }
        if let JavaEnding::Thrown(class) = &seen.0.ending {
            test.expected.ending = Ending::Thrown(class.clone());
            test.expected.result = None;
        }
        observed.push(seen.0);
    }
    observed
}

/// For tests whose objects a harness makes.
fn observe_made(
    program: &Program,
    harness: &Harness,
    work: &mut FunctionWork,
) -> Vec<JavaObservation> {
    observe_tests(program, harness.target, work, |machine, stubs, input| {
        let before = run_test(machine, stubs, harness.setup, input)?;
        let before = java_observe::made_by_setup(machine, harness, &before);
        let run = run_test(machine, stubs, harness.function, input)?;
        Some((java_observe::observe_made(machine, harness, &run, before), run.outcome))
    })
}

fn machine<'p>(program: &'p Program, stubs: &Stubs) -> Option<Machine<'p>> {
    let options = Options {
        max_steps: 1_000_000,
        max_bytes: 1 << 28,
        coverage: true,
        trace: true,
        ..Options::default()
    };
    let externals = StubbedExternals { stubs: stubs.clone(), library: JavaLibrary::new() };
    Machine::new(program, options, Box::new(externals))
}

fn unfit() -> JavaObservation {
    let ending = JavaEnding::Other("the input does not fit".to_owned());
    JavaObservation { ending, after: Vec::new(), made: Vec::new() }
}

/// Proofs over the whole method know the loaded classes only: where a reference may be to an object of
/// another class, they hold within that bound. Proofs over all paths track their bounds themselves.
fn weaken(program: &Program, function: FuncId, work: &mut FunctionWork) {
    let layout = program.object_layout.as_ref();
    let is_open = |ty: SourceTypeId| match program.source_type(ty) {
        SourceType::Class(_) | SourceType::ClassArray { .. } => {
            let number = layout.and_then(|layout| layout.number_of_source(ty));
            let known = layout.zip(number).and_then(|(layout, number)| layout.get(number));
            known.is_none_or(|known| !known.is_final)
        }
        SourceType::Opaque { .. } => true,
        _ => false,
    };
    // Inputs that nobody makes yet: what only they could reach is not known.
    let is_gap = |verdict: &Verdict| match verdict {
        Verdict::InfeasibleWithin { bounds } => bounds.iter().any(|bound| bound == GAP),
        _ => false,
    };
    let has_gap = work.suite.goals.iter().any(|goal| is_gap(&goal.verdict));
    let span = program.function(function).span;
    let mut params = program.function(function).params.iter();
    if !has_gap && !params.any(|param| is_open(param.source_type)) {
        return;
    }
    for goal in &mut work.suite.goals {
        let is_proved = match &goal.verdict {
            Verdict::Infeasible(method) => *method != ProofMethod::PathEnumeration,
            verdict => is_gap(verdict),
        };
        if is_proved && has_gap {
            let what = "input objects of the JDK's classes and of enums".to_owned();
            goal.verdict = Verdict::Unknown(UnknownReason::Unsupported { what, span });
        } else if is_proved {
            let bounds = vec!["classes of input objects: the loaded ones".to_owned()];
            goal.verdict = Verdict::InfeasibleWithin { bounds };
        }
    }
}

/// The bound that `model` notes for classes whose objects it does not make.
const GAP: &str = "no input objects of the JDK's classes and of enums";

/// For tests whose objects are as the input says.
fn observe(program: &Program, function: FuncId, work: &mut FunctionWork) -> Vec<JavaObservation> {
    observe_tests(program, function, work, |machine, stubs, input| {
        let run = run_test(machine, stubs, function, input)?;
        Some((java_observe::observe(machine, function, &run), run.outcome))
    })
}
