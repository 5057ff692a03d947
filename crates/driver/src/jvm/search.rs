//! What tests of a Java method show, and, where objects are hidden, a second search with objects that a harness
//! makes by constructors and calls.

use std::time::Duration;

use glassbox_coverage::{Covered, Facts, Goal, Tracker};
use glassbox_emit::java_test::{Body, FloatEquality, JavaTest, JavaTestClass, body, obstacle};
use glassbox_explore::{Aim, TestRunner};
use glassbox_interp::{Outcome, TestRun, java_observe};
use glassbox_ir::{FuncId, Program, TypeKind};
use glassbox_jvm_front::JavaProgram;
use glassbox_libc::JavaLibrary;
use glassbox_testcase::java::{JavaEnding, JavaObservation, JavaStatic};
use glassbox_testcase::recipe::{Harness, Visibility};
use glassbox_testcase::{Ending, InputValue, Test, TestInput, Verdict};
use glassbox_values::Bits;

use super::shorten::shorten;
use super::statics::Watched;
use super::surroundings::initializer_of;
use super::tests::class_of;
use super::{overridden, sequences, texts, version_tests};
use crate::deadline::Timer;
use crate::drive::Case;
use crate::function_report::{FunctionReport, ObjectTest};
use crate::search::{Turn, assemble, campaign};
use crate::stopwatch::Stopwatch;

/// Looks at what tests do.
pub(super) fn look(java: &JavaProgram, report: &mut FunctionReport) {
    report.notes.extend(endless_start(&java.program, report));
    // Counter-examples end where an error begins; what tests show is what the exception does then.
    let program = java.outcomes.as_ref().unwrap_or(&java.program);
    let entry = report.entry;
    let harness = java.recipes.harnesses.iter().position(|harness| harness.function == entry);
    let observed = match harness {
        Some(position) => observe_made(program, &java.recipes.harnesses[position], report),
        None => observe_given(java, program, report.function(), report),
    };
    report.objects = objects(observed, harness, None);
    version_tests::look(java, report);
    for (example, test) in report.checked.counter_examples.iter_mut().zip(&report.suite.tests) {
        example.violation.test.input = test.input.clone();
    }
}

/// Where nothing was found because the class of the method does not come to its start.
fn endless_start(program: &Program, report: &FunctionReport) -> Option<String> {
    let is_open = report.suite.goals.iter().any(|goal| matches!(goal.verdict, Verdict::Unknown(_)));
    if !is_open || !report.suite.tests.is_empty() {
        return None;
    }
    let method = program.function(report.function()).method;
    let class = method.map(|id| program.methods[id.index()].class)?;
    let start = initializer_of(program, class)?;
    let library = Box::new(JavaLibrary::new());
    let mut runner = TestRunner::new(program, TestRunner::options(RUN_STEPS), library);
    let run = runner.is_ready().then(|| runner.run(start, &TestInput::default()).ok())??;
    let name = &program.class(class).name;
    matches!(run.outcome, Outcome::OutOfSteps).then(|| {
        format!("the static initializer of {name} does not end within {RUN_STEPS} steps of a run")
    })
}

/// Looks at what tests do that were added since.
pub(super) fn look_at_added(java: &JavaProgram, report: &mut FunctionReport) {
    let n_known = report.objects.len();
    if n_known >= report.suite.tests.len() {
        return;
    }
    let added = report.suite.tests.split_off(n_known);
    let known = std::mem::replace(&mut report.suite.tests, added);
    let program = java.outcomes.as_ref().unwrap_or(&java.program);
    let observed = observe_given(java, program, report.function(), report);
    let added = std::mem::replace(&mut report.suite.tests, known);
    report.suite.tests.extend(added);
    report.objects.extend(objects(observed, None, None));
}

/// Numbers that fields are tried with.
const OTHERS: [u128; 3] = [0, 1, 77];

/// Inputs with other numbers in the fields of the program's own objects.
pub(super) fn similar(program: &Program, input: &TestInput) -> Vec<TestInput> {
    let is_own = |values: &[InputValue]| {
        let number = values.first().and_then(InputValue::as_int);
        let number = number.and_then(|number| u32::try_from(number.unsigned()).ok());
        let layout = program.object_layout.as_ref();
        let ty = layout.zip(number).and_then(|(layout, number)| layout.get(number));
        ty.is_some_and(|ty| !ty.is_library && matches!(ty.kind, TypeKind::Class { .. }))
    };
    let with = |number: u128| {
        let mut input = input.clone();
        for object in &mut input.objects {
            let Some(InputValue::Struct(values)) = object.elements.first_mut() else { continue };
            if !is_own(values) {
                continue;
            }
            for value in values.iter_mut().skip(2) {
                if let InputValue::Int(bits) = value {
                    *bits = Bits::new(number, bits.width());
                }
            }
        }
        input
    };
    let others = OTHERS.into_iter().map(with);
    others.filter(|other| other != input).collect()
}

/// What a call shows in a JVM that starts.
pub(super) fn seen(
    java: &JavaProgram,
    called: FuncId,
    input: &TestInput,
    watched: &Watched,
) -> Option<JavaObservation> {
    let program = java.outcomes.as_ref().unwrap_or(&java.program);
    let library = Box::new(JavaLibrary::new());
    let mut runner = TestRunner::new(program, TestRunner::options(RUN_STEPS), library);
    let run = runner.is_ready().then(|| runner.run(called, input).ok())??;
    let machine = runner.machine()?;
    let observed = java_observe::observe(machine, called, &run);
    let observed = JavaObservation { statics: watched.seen(machine), ..observed };
    obstacle(&observed).is_none().then_some(observed)
}

/// Whether a test of a method fails with a mutant: what it asserts of the method does not hold of the mutant in a JVM that starts.
pub(super) fn tells_apart(
    java: &JavaProgram,
    function: FuncId,
    mutant: FuncId,
    input: &TestInput,
) -> bool {
    let watched = Watched::of(java, &[function], function);
    let pair = seen(java, function, input, &watched).zip(seen(java, mutant, input, &watched));
    pair.is_some_and(|(own, other)| asserts_more(java, function, input, [&own, &other], false))
}

/// Whether a test that asserts the first of two observations asserts what does not hold of the second.
pub(super) fn asserts_more(
    java: &JavaProgram,
    function: FuncId,
    input: &TestInput,
    [own, other]: [&JavaObservation; 2],
    asserts_unchanged: bool,
) -> bool {
    let program = &java.program;
    // What is not known of the second is taken for the same.
    let is_known = |it: &JavaStatic| other.statics.iter().any(|known| known.field == it.field);
    let mut own = own.clone();
    own.statics.retain(is_known);
    let asserted = |observed: &JavaObservation| {
        let shown = JavaTest {
            name: String::new(),
            function,
            called: function,
            input,
            observed,
            harness: None,
            resets: Vec::new(),
            covers: Vec::new(),
            relation: None,
            asserts_unchanged,
        };
        let (class, name) = (class_of(program, function), "Test".to_owned());
        let class = JavaTestClass::new(program, &java.recipes, class, name, Vec::new());
        body(&class, &shown, FloatEquality::Delta, false).lines
    };
    let others = asserted(other);
    asserted(&own).iter().any(|line| !others.contains(line))
}

fn objects(
    observed: Vec<JavaObservation>,
    harness: Option<usize>,
    through: Option<FuncId>,
) -> Vec<ObjectTest> {
    observed.into_iter().map(|observed| ObjectTest { observed, harness, through }).collect()
}

/// Where a further search starts.
#[derive(Debug, Clone, Copy)]
struct Way {
    entry: FuncId,
    /// What makes the objects, by position.
    harness: Option<usize>,
    /// The method that is called, where it is not the one under test.
    through: Option<FuncId>,
}

/// The part of the time limit that tests are looked at in after the last search.
const LITTLE: u32 = 5;

/// The part of the time limit without which another search is not worth its beginning.
const LEAST: u32 = 50;

/// Methods through which a private one is tested, at most.
const MAX_CALLERS: usize = 3;

/// Searches with objects that a harness makes, and through callers of private methods.
pub(super) fn search_further(
    java: &JavaProgram,
    case: &Case<'_>,
    report: &mut FunctionReport,
    watch: &Stopwatch<'_>,
) {
    let ways = ways(java, case, report.function());
    let budget = &case.plan.budget;
    // They have the time of one search together, and what is done around searches is part of it.
    let most = budget.time * 2 - budget.time / LITTLE;
    for (position, &way) in ways.iter().enumerate() {
        let left = most.saturating_sub(watch.elapsed(budget.clock)).min(budget.time);
        let parts = u32::try_from(ways.len() - position).unwrap_or(u32::MAX);
        if left < budget.time / LEAST || case.listener.is_interrupted() {
            break;
        }
        search_by(java, way, case, report, watch, left / parts);
    }
}

/// Those with few calls come first.
fn ways(java: &JavaProgram, case: &Case<'_>, function: FuncId) -> Vec<Way> {
    // Objects that calls make would not keep to a contract.
    let has_contract = |function: FuncId| case.language.contract(function).is_some();
    if has_contract(function) {
        return Vec::new();
    }
    let by_harness = |called: FuncId, through: Option<FuncId>| {
        let all = java.recipes.harnesses.iter().enumerate();
        let own = all.filter(move |(_, harness)| harness.target == called);
        own.map(move |(position, harness)| Way {
            entry: harness.function,
            harness: Some(position),
            through,
        })
    };
    let mut ways = Vec::new();
    let callers = if is_private(java, function) {
        let all = java.entries.iter().copied();
        all.filter(|&caller| java.influences.may_call(caller, function)).collect()
    } else {
        overridden::overriding(java, function)
    };
    let callers =
        callers.into_iter().filter(|&caller| !is_private(java, caller) && !has_contract(caller));
    for caller in callers.take(MAX_CALLERS) {
        ways.push(Way { entry: caller, harness: None, through: Some(caller) });
        ways.extend(by_harness(caller, Some(caller)));
    }
    ways.extend(by_harness(function, None));
    ways
}

fn is_private(java: &JavaProgram, function: FuncId) -> bool {
    java.recipes.method(function) == Visibility::Private
}

/// Searches again for goals that are open, or covered only by tests that force objects into their state or call
/// what cannot be called.
fn search_by(
    java: &JavaProgram,
    way: Way,
    case: &Case<'_>,
    report: &mut FunctionReport,
    watch: &Stopwatch<'_>,
    time: Duration,
) {
    let program = &java.program;
    let function = report.function();
    let is_private = is_private(java, function);
    let is_poor = |test: usize| {
        let is_direct = report.objects.get(test).is_none_or(|object| object.through.is_none());
        let is_other =
            || overridden::runs_another(program, function, &report.suite.tests[test].input);
        (is_direct && (is_private || is_other())) || is_forced(java, report, test)
    };
    let poor: Vec<bool> = (0..report.objects.len()).map(is_poor).collect();
    let is_open = |goal: usize| match &report.suite.goals[goal].verdict {
        Verdict::Unknown(_) | Verdict::InfeasibleWithin { .. } => true,
        Verdict::Covered { test } => poor.get(*test).copied().unwrap_or(false),
        Verdict::Infeasible(_)
        | Verdict::Violated { .. }
        | Verdict::Holds(_)
        | Verdict::HoldsWithin { .. } => false,
    };
    let at_start = match way.through {
        Some(_) => reached_at_start(program, function, &report.goals),
        None => Vec::new(),
    };
    let is_left = |goal: usize| is_open(goal) && at_start.get(goal) != Some(&true);
    let open: Vec<usize> = (0..report.goals.len()).filter(|&goal| is_left(goal)).collect();
    if open.is_empty() {
        return;
    }
    let goals: Vec<Goal> = open.iter().map(|&goal| report.goals[goal].clone()).collect();
    let aim = Aim { function, entry: way.entry };
    let harness = way.harness.map(|position| &java.recipes.harnesses[position]);
    let begun = Timer::start(case.plan.budget.clock);
    let given = match harness {
        Some(harness) => sequences::tried(case, (harness, function), &goals, time),
        None => Vec::new(),
    };
    let left = time.saturating_sub(begun.elapsed());
    let result = campaign(case, aim, &goals, watch, Turn { time: left, given });
    let mut found = assemble(case, aim, goals, &result);
    let observed = match harness {
        Some(harness) => {
            shorten(program, harness, &mut found);
            observe_made(program, harness, &mut found)
        }
        None => observe_given(java, program, way.entry, &mut found),
    };
    found.objects = objects(observed, way.harness, way.through);
    merge(report, &open, found);
}

/// By goal: whether the class reaches it when it starts. A JVM starts a class once, maybe for another test, so that a call
/// of something else shows nothing about such a goal.
fn reached_at_start(program: &Program, function: FuncId, goals: &[Goal]) -> Vec<bool> {
    let method = program.function(function).method.map(|id| &program.methods[id.index()]);
    let Some(start) = method.and_then(|method| initializer_of(program, method.class)) else {
        return Vec::new();
    };
    let library = Box::new(JavaLibrary::new());
    let mut runner = TestRunner::new(program, TestRunner::options(RUN_STEPS), library);
    let Some(run) =
        runner.is_ready().then(|| runner.run(start, &TestInput::default()).ok()).flatten()
    else {
        return Vec::new();
    };
    let mut tracker = Tracker::new(program.body(function), goals);
    tracker.add(0, &runner.facts(function, &run));
    (0..goals.len()).map(|goal| tracker.is_covered(goal)).collect()
}

/// Whether a test gives objects a state by reflection, or by constructors that may give them another one.
pub(super) fn is_forced(java: &JavaProgram, report: &FunctionReport, test: usize) -> bool {
    let is_made = report.objects.get(test).is_some_and(|object| object.harness.is_some());
    !is_made && written(java, report, test).is_none_or(|body| body.n_forced > 0)
}

/// Whether a test makes objects by constructors that may give them another state, or refuse them.
pub(super) fn is_guessed(java: &JavaProgram, report: &FunctionReport, test: usize) -> bool {
    let is_made = report.objects.get(test).is_some_and(|object| object.harness.is_some());
    !is_made && written(java, report, test).is_some_and(|body| body.n_guessed > 0)
}

/// A test whose objects are as the input says.
fn written(java: &JavaProgram, report: &FunctionReport, test: usize) -> Option<Body> {
    let object = report.objects.get(test)?;
    let called = object.through.unwrap_or(report.function());
    let input = &report.suite.tests[test].input;
    let observed = Some(&object.observed).filter(|seen| obstacle(seen).is_none())?;
    Some(body_of(java, (report.function(), called), input, observed, None))
}

/// A test of a function that calls this one.
fn body_of(
    java: &JavaProgram,
    (function, called): (FuncId, FuncId),
    input: &TestInput,
    observed: &JavaObservation,
    harness: Option<&Harness>,
) -> Body {
    let shown = JavaTest {
        name: String::new(),
        function,
        called,
        input,
        observed,
        harness,
        resets: Vec::new(),
        covers: Vec::new(),
        relation: None,
        asserts_unchanged: false,
    };
    let class = class_of(&java.program, function);
    let class =
        JavaTestClass::new(&java.program, &java.recipes, class, "Test".to_owned(), Vec::new());
    body(&class, &shown, FloatEquality::Delta, false)
}

/// Adds what the second search covered; tests that nothing rests on any more go.
fn merge(report: &mut FunctionReport, open: &[usize], found: FunctionReport) {
    let base = report.suite.tests.len();
    let is_shown = |test: usize| {
        found.objects.get(test).is_some_and(|object| obstacle(&object.observed).is_none())
    };
    for (position, &goal) in open.iter().enumerate() {
        let own = &mut report.suite.goals[goal].verdict;
        let other = &found.suite.goals[position].verdict;
        // What stopped the second search is what is missing.
        if let (Verdict::Unknown(_), Verdict::Unknown(_)) = (&*own, other) {
            *own = other.clone();
        }
        let Some(covered) = found.evidence.covered.get(position).copied().flatten() else {
            continue;
        };
        let Verdict::Covered { test } = *other else { continue };
        if !covered.runs().into_iter().all(is_shown) {
            continue;
        }
        report.suite.goals[goal].verdict = Verdict::Covered { test: base + test };
        report.evidence.covered[goal] = Some(renumbered(covered, |test| base + test));
        let after = found.evidence.reached_after.get(position).copied().flatten();
        report.evidence.reached_after[goal] = after.map(|runs| report.n_runs + runs);
    }
    report.n_runs += found.n_runs;
    report.n_paths += found.n_paths;
    report.objects.extend(found.objects);
    report.suite.tests.extend(found.suite.tests);
    report.evidence.facts.extend(found.evidence.facts);
    keep_useful(report);
}

fn renumbered(covered: Covered, number: impl Fn(usize) -> usize) -> Covered {
    match covered {
        Covered::By(test) => Covered::By(number(test)),
        Covered::ByPair(one, other) => Covered::ByPair(number(one), number(other)),
    }
}

/// Leaves out tests that no goal rests on, and says of the others what they cover.
fn keep_useful(report: &mut FunctionReport) {
    let mut covers: Vec<Vec<String>> = vec![Vec::new(); report.suite.tests.len()];
    for (goal, covered) in report.suite.goals.iter().zip(&report.evidence.covered) {
        if !goal.verdict.is_covered() {
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
    let tests = std::mem::take(&mut report.suite.tests).into_iter().zip(&covers);
    report.suite.tests = tests
        .filter(|(_, covered)| !covered.is_empty())
        .map(|(test, covered)| Test { covers: covered.clone(), ..test })
        .collect();
    for goal in &mut report.suite.goals {
        if let Verdict::Covered { test } = &mut goal.verdict {
            *test = numbers[*test];
        }
    }
    for covered in &mut report.evidence.covered {
        *covered = covered
            .filter(|covered| covered.runs().into_iter().all(is_kept))
            .map(|covered| renumbered(covered, |test| numbers[test]));
    }
    retain(&mut report.evidence.facts, is_kept);
    retain(&mut report.objects, is_kept);
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
    report: &mut FunctionReport,
    mut look: impl FnMut(&mut TestRunner<'_>, &TestInput) -> Option<(JavaObservation, TestRun)>,
) -> Vec<JavaObservation> {
    let function = report.function();
    let library = Box::new(JavaLibrary::new());
    let mut runner = TestRunner::new(program, TestRunner::options(RUN_STEPS), library);
    if !runner.is_ready() {
        return Vec::new();
    }
    let mut whole = |input: &TestInput| match look(&mut runner, input) {
        Some((seen, run)) => (seen, runner.facts(function, &run)),
        None => (unfit(), Facts::default()),
    };
    let mut observed = Vec::new();
    for test in &mut report.suite.tests {
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

/// What a test shows whose objects a harness makes.
pub(super) fn observe_violation(
    program: &Program,
    harness: &Harness,
    input: &TestInput,
) -> Option<JavaObservation> {
    let library = Box::new(JavaLibrary::new());
    let mut runner = TestRunner::new(program, TestRunner::options(RUN_STEPS), library);
    runner
        .is_ready()
        .then(|| look_at_made(&mut runner, harness, input))
        .flatten()
        .map(|seen| seen.0)
}

fn look_at_made(
    runner: &mut TestRunner<'_>,
    harness: &Harness,
    input: &TestInput,
) -> Option<(JavaObservation, TestRun)> {
    let before = runner.run(harness.setup, input).ok()?;
    let before = java_observe::made_by_setup(runner.machine()?, harness, &before);
    let run = runner.run(harness.function, input).ok()?;
    let machine = runner.machine()?;
    Some((java_observe::observe_made(machine, harness, &run, before), run))
}

/// The statements of a test before its last call.
pub(super) fn statements(java: &JavaProgram, report: &FunctionReport, test: usize) -> Vec<String> {
    let Some(object) = report.objects.get(test) else { return Vec::new() };
    let harness = object.harness.and_then(|position| java.recipes.harnesses.get(position));
    let called = object.through.unwrap_or(report.function());
    let input = &report.suite.tests[test].input;
    before_call(java, (report.function(), called), input, &object.observed, harness)
}

/// The statements before the call in a test with this input.
pub(super) fn before_call(
    java: &JavaProgram,
    of: (FuncId, FuncId),
    input: &TestInput,
    observed: &JavaObservation,
    harness: Option<&Harness>,
) -> Vec<String> {
    // Whatever comes of the call is one statement then.
    let ending = JavaEnding::Thrown("java.lang.Throwable".to_owned());
    let observed = JavaObservation { ending, ..observed.clone() };
    let body = body_of(java, of, input, &observed, harness);
    body.lines.into_iter().take_while(|line| !line.starts_with("assertThrows(")).collect()
}

/// For tests whose objects a harness makes.
fn observe_made(
    program: &Program,
    harness: &Harness,
    report: &mut FunctionReport,
) -> Vec<JavaObservation> {
    observe_tests(program, report, |runner, input| look_at_made(runner, harness, input))
}

/// Instructions of one run.
pub(super) const RUN_STEPS: u64 = sequences::STEPS;

fn unfit() -> JavaObservation {
    let ending = JavaEnding::Other("the input does not fit".to_owned());
    JavaObservation { ending, after: Vec::new(), made: Vec::new(), statics: Vec::new() }
}

/// For tests whose objects are as the input says, and that call this.
fn observe_given(
    java: &JavaProgram,
    program: &Program,
    called: FuncId,
    report: &mut FunctionReport,
) -> Vec<JavaObservation> {
    let watched = Watched::of(java, &[called], called);
    observe_tests(program, report, |runner, input| {
        let run = runner.run(called, input).ok()?;
        let machine = runner.machine()?;
        let observed = java_observe::observe(machine, called, &run);
        Some((JavaObservation { statics: watched.seen(machine), ..observed }, run))
    })
}
