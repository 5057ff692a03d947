//! Properties of one function: search, proofs, counter-examples.

use std::time::Duration;

use glassbox_coverage::scope::scope;
use glassbox_coverage::{Asked, Goal, Properties, Property, Target};
use glassbox_emit::naming::test_names;
use glassbox_explore::{Budget, Question, Supervision, Verification, Violation};
use glassbox_ir::{FuncId, Origin, OverflowMode, Program};
use glassbox_report::data::Replay;
use glassbox_report::input_text;
use glassbox_report::verdict_text::place;
use glassbox_testcase::premise::StubReturns;
use glassbox_testcase::{Premise, Test, UnknownReason, Verdict};

use crate::deadline::{Deadline, Timer};
use crate::drive::Case;
use crate::function_report::{Checked, CounterExample, FunctionReport};
use crate::guard::guarded;
use crate::plan::Check;
use crate::search::{divergence_note, path_text};
use crate::stopwatch::Stopwatch;
use crate::{compared, contract, evidence, premises, promises, relation};

/// What is asked, as goals.
pub(crate) fn goals(case: &Case<'_>, task: &Check, function: FuncId) -> Vec<Goal> {
    properties_of(case, task, function).1.list().iter().map(goal).collect()
}

/// Where runs of a function start, and what is asked about them.
pub(crate) fn properties_of(
    case: &Case<'_>,
    task: &Check,
    function: FuncId,
) -> (FuncId, Properties) {
    let program = case.program();
    let entry = contract::aim(case, function).entry;
    let is_apart =
        |other: &FuncId| *other != function && case.language.answers_for_itself(function, *other);
    let others: Vec<FuncId> = case.functions.iter().copied().filter(is_apart).collect();
    // Exceptions of the library begin where the user's code calls it.
    let is_reported = |id: &FuncId| !program.language.calls_may_throw() || !is_system(program, *id);
    let own: Vec<FuncId> = scope(program, entry, &others).into_iter().filter(is_reported).collect();
    let all: Vec<FuncId> = scope(program, entry, &[]).into_iter().filter(is_reported).collect();
    let is_relation = relation::related(program, function).is_some();
    let asked = if is_relation { &Asked::Relations } else { &task.scope.asked };
    let mut properties = Properties::of(program, &own);
    if task.scope.finds_leaks() && !is_relation {
        properties.add_leaks(program, &all);
    }
    if asked.termination() {
        properties.add_termination(program, function);
    }
    case.language.narrow(&mut properties, entry, function, &own);
    properties.ask(program, asked);
    let elsewhere: Vec<FuncId> =
        all.into_iter().filter(|id| !own.contains(id) && *id != entry).collect();
    properties.add_elsewhere(program, &elsewhere);
    (entry, properties)
}

fn is_system(program: &Program, function: FuncId) -> bool {
    !matches!(
        program.function(function).origin,
        Origin::User | Origin::Harness { .. } | Origin::Relation { .. }
    )
}

/// What is left of a function whose work broke: every property unknown.
pub(crate) fn broken(
    case: &Case<'_>,
    task: &Check,
    function: FuncId,
    message: &str,
) -> FunctionReport {
    let asked = guarded(|| {
        let (entry, mut properties) = properties_of(case, task, function);
        properties.keep_asked();
        (entry, properties.list().to_vec())
    });
    let (entry, properties) = asked.unwrap_or((function, Vec::new()));
    let goals = properties.iter().map(goal).collect();
    let mut report = FunctionReport::broken(function, entry, goals, message);
    let proofs = vec![None; properties.len()];
    report.checked = Checked { properties, proofs, ..Checked::default() };
    report
}

pub(crate) fn verify(
    case: &Case<'_>,
    task: &Check,
    function: FuncId,
    watch: &Stopwatch<'_>,
) -> FunctionReport {
    let program = case.program();
    let language = case.language;
    let asking = Asking::of(case, task, function);
    let entry = asking.entry;
    let mut found = answer(case, asking, watch);
    if entry != function || language.judges_apart() {
        promises::judge_hidden(case, task, function, watch, &mut found);
    }
    let properties = own_properties(case, function, &mut found);
    let (verdicts, proofs) = (found.verdicts, found.proofs);
    let goals = properties.iter().map(goal).collect();
    let mut report = FunctionReport::new(function, entry, goals, &verdicts);
    report.suite.tests = tests(program, function, entry, &properties, &found.violations);
    report.suite.contract = contract::clauses(language, function);
    report.suite.requirements = contract::requirements(language, function);
    report.suite.premises = premises(case, &found.violations);
    if program.function(function).is_variadic {
        report.suite.premises.push(Premise::VariableArguments);
    }
    if let Some(of) = relation::related(program, function) {
        report.suite.premises.push(Premise::RelatedCallsReturn);
        if !contract::clauses(language, of).is_empty() {
            report.suite.premises.push(Premise::PermutationsCompose);
        }
    }
    case.language.weaken(&mut report);
    if relation::related(program, function).is_some() {
        let bounds = compared::bounds(case, function);
        for (goal, result) in report.goals.iter().zip(&mut report.suite.goals) {
            result.verdict.rest_on(&bounds);
            // Where every run ends before it, in an error or an exception of an initializer, nothing was compared.
            if matches!(result.verdict, Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. }) {
                let what = "a comparison that no run comes to".to_owned();
                let reason = UnknownReason::Unsupported { what, span: goal.span };
                result.verdict = Verdict::Unknown(reason);
            }
        }
    }
    report.notes.extend(divergence_note(found.n_divergences));
    if let Some(input) = &found.endless {
        let inputs = input_text::line(program, input);
        let what = "a run never ends, because it comes back to a state it had";
        report.notes.push(format!("{what}: {inputs}"));
    }
    report.n_paths = found.n_paths;
    report.n_runs = found.n_runs;
    report.evidence.layers = evidence::layer_counts(&found.statistics);
    report.evidence.replays = vec![Replay::default(); found.violations.len()];
    report.times = watch.search_ended(&found.statistics);
    let examples = found.violations.into_iter();
    let counter_examples = examples
        .map(|violation| CounterExample { violation, sighting: None, calls: None })
        .collect();
    let blind_spot =
        found.blind_spot.map(|(what, span)| format!("{what} at {}", place(program, span)));
    let blind_spot = blind_spot.or_else(|| language.unread().map(str::to_owned));
    report.checked =
        Checked { properties, proofs, counter_examples, blind_spot, ..Checked::default() };
    language.look(&mut report);
    language.retry(case, task, &mut report, watch);
    report
}

/// The properties that are reported here: not those of functions that are asked about themselves, where they hold as
/// this one calls them.
fn own_properties(case: &Case<'_>, function: FuncId, found: &mut Verification) -> Vec<Property> {
    let is_proved = |index: usize| {
        matches!(found.verdicts[index], Verdict::Holds(_) | Verdict::Infeasible(_))
            || found.is_after_finding.get(index) == Some(&true)
    };
    let list = found.properties.list();
    let is_left = |index: usize| {
        let property = &list[index];
        case.program().language.errors_are_undefined()
            && property.function != function
            && case.functions.contains(&property.function)
            && is_proved(index)
    };
    let kept: Vec<usize> = (0..list.len()).filter(|&index| !is_left(index)).collect();
    let properties = kept.iter().map(|&index| list[index].clone()).collect();
    for violation in &mut found.violations {
        violation.property = kept.binary_search(&violation.property).unwrap_or_default();
    }
    found.verdicts = kept.iter().map(|&index| found.verdicts[index].clone()).collect();
    found.proofs = kept.iter().map(|&index| found.proofs.get(index).cloned().flatten()).collect();
    properties
}

/// A question about runs of a function.
pub(crate) struct Asking<'a> {
    pub(crate) program: &'a Program,
    pub(crate) function: FuncId,
    /// Where they start.
    pub(crate) entry: FuncId,
    pub(crate) properties: Properties,
    /// Turns of a loop and activations of a function on one path.
    pub(crate) unwind: u32,
    /// Whether more is tried than following paths.
    pub(crate) proves: bool,
    pub(crate) time: Duration,
}

impl<'a> Asking<'a> {
    /// All that a task asks about a function.
    pub(crate) fn of(case: &Case<'a>, task: &Check, function: FuncId) -> Asking<'a> {
        let (entry, properties) = properties_of(case, task, function);
        Asking {
            program: case.program(),
            function,
            entry,
            properties,
            unwind: task.unwind,
            proves: task.proves,
            time: case.plan.budget.time,
        }
    }
}

/// Looks for runs that fail, then for proofs that there are none.
pub(crate) fn answer(case: &Case<'_>, asking: Asking<'_>, watch: &Stopwatch<'_>) -> Verification {
    let Case { language, plan, listener, .. } = *case;
    let Asking { program, function, entry, properties, unwind, proves, time } = asking;
    let has_others = properties.list().iter().any(|property| !property.is_asked);
    let config = language.inputs(plan, function);
    let budget = Budget { seed: plan.budget.seed, paths: plan.budget.paths, ..Budget::default() };
    let (config, budget, max_turns) = (&config, &budget, unwind);
    let question = Question { program, entry, properties, config, budget, max_turns };
    let deadline = Deadline::new(&plan.budget);
    let second_opinion = plan.second_opinion.clone();
    let supervision = Supervision { second_opinion, ..Supervision::watched(&deadline.flag, watch) };
    let mut check = glassbox_explore::Check::new(question, language.library(), supervision);
    // Proofs get what the search leaves, and at least a third. A quarter of all is kept for errors that may hide
    // what comes after them, where some do not count.
    let begun = Timer::start(plan.budget.clock);
    let limit = if has_others { time * 3 / 4 } else { time };
    if proves {
        deadline.within(limit / 3, listener, || check.prove_ahead());
    }
    let search_limit = if proves { limit * 2 / 3 } else { limit };
    let left = search_limit.saturating_sub(begun.elapsed());
    let mut found = deadline.within(left, listener, || check.search());
    if proves {
        let left = limit.saturating_sub(begun.elapsed());
        deadline.within(left, listener, || check.prove_open(&mut found));
    }
    let left = || time.saturating_sub(begun.elapsed());
    if deadline.within(left() / 2, listener, || check.weigh_errors(&found))
        && deadline.within(left() / 2, listener, || check.search_errors())
        && proves
    {
        deadline.within(left(), listener, || check.prove_errors());
    }
    if proves {
        deadline.within(left(), listener, || check.prove_after_findings(&found));
    }
    check.name_errors(&mut found);
    deadline.explain(&mut found.verdicts);
    found
}

pub(crate) fn goal(property: &Property) -> Goal {
    let site = property.sites.first().copied();
    let site =
        site.unwrap_or(glassbox_coverage::Site { block: glassbox_ir::BlockId::new(0), instr: 0 });
    Goal {
        id: property.id.clone(),
        criterion: property.kind.name(),
        function: property.function,
        span: property.span,
        text: property.text.clone(),
        target: Target::CheckFails(site),
        relation: None,
    }
}

/// Counter-examples as tests, one for each.
fn tests(
    program: &Program,
    function: FuncId,
    entry: FuncId,
    properties: &[Property],
    violations: &[Violation],
) -> Vec<Test> {
    let first: Vec<Option<String>> = violations
        .iter()
        .map(|violation| {
            let property = &properties[violation.property];
            let kind = property.kind.name().replace('-', " ");
            Some(format!("{kind} line {}", property.span.line))
        })
        .collect();
    let names = test_names(&program.function(function).name, &first);
    let tests = violations.iter().zip(names).map(|(violation, name)| Test {
        name,
        input: violation.test.input.clone(),
        expected: violation.test.observation.clone(),
        covers: vec![properties[violation.property].id.clone()],
        path: path_text(program, entry, &violation.test.condition_trace),
        constraints: violation.test.constraints.clone(),
        through: None,
        follow_ups: Vec::new(),
    });
    tests.collect()
}

/// What the verdicts take for granted.
fn premises(case: &Case<'_>, violations: &[Violation]) -> Vec<Premise> {
    let program = case.program();
    let overflow = match case.language.overflow(case.plan) {
        // What the language says is not taken for granted.
        OverflowMode::Wrap if program.language.overflow_wraps() => None,
        OverflowMode::Reject => Some(Premise::OverflowIsRejected),
        OverflowMode::Wrap => Some(Premise::OverflowWraps),
        OverflowMode::Report => None,
    };
    let stubs = violations
        .iter()
        .flat_map(|violation| &violation.test.input.stubs)
        .filter(|stub| !glassbox_library::is_input(&program.function(stub.function).name));
    let stubs = premises::of_stubs(program, stubs, StubReturns::Anything);
    let has_registers = program.globals.iter().any(|global| global.kind.fixed_address().is_some());
    let registers = has_registers.then_some(Premise::Registers);
    overflow.into_iter().chain(registers).chain(stubs).collect()
}
