//! Tests for the goals of one function: search, and everything that is known without running a compiler.

use std::time::Duration;

use glassbox_coverage::{Covered, Goal};
use glassbox_emit::naming::{Behavior, behavior_names};
use glassbox_emit::outcome::outcome;
use glassbox_explore::facts::ConditionEvent;
use glassbox_explore::{Aim, Budget, CampaignResult, FoundTest, PathSearch, Subject, Supervision};
use glassbox_ir::{FuncId, Program};
use glassbox_model::Config;
use glassbox_testcase::premise::StubReturns;
use glassbox_testcase::{Limit, Premise, Test, TestInput};

use crate::deadline::{Deadline, Timer};
use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::guard::guarded;
use crate::plan::{Generate, Plan, Random, Uniform};
use crate::stopwatch::Stopwatch;
use crate::{contract, draws, evidence, mutate, premises, relation};

/// The part of the time limit by which explanations may exceed it.
const LITTLE: u32 = 10;

pub(crate) fn search(
    case: &Case<'_>,
    task: &Generate,
    function: FuncId,
    watch: &Stopwatch<'_>,
) -> FunctionReport {
    let Case { language, plan, listener, .. } = *case;
    let program = case.program();
    let goals = goals(program, task, function);
    let aim = contract::aim(case, function);
    let (deadline, limit) = (Deadline::new(&plan.budget), plan.budget.time);
    let begun = Timer::start(plan.budget.clock);
    // What only explains verdicts has the time that the search left over, and a little more.
    let rest = || (limit + limit / LITTLE).saturating_sub(begun.elapsed());
    let mut search = path_search(case, (aim, function), budget(case), &deadline, watch);
    let searched = mutate::goals::without_mutants(&goals);
    let mut result = deadline.within(limit, listener, || search.cover(&searched));
    deadline.explain(&mut result.verdicts);
    let mut report = assemble(case, aim, searched, &result);
    report.evidence.invariants = deadline.within(rest(), listener, || {
        let is_wanted = task.describes_lines || evidence::rests_on_invariants(&report.suite);
        if is_wanted { search.invariants() } else { Vec::new() }
    });
    let unexplained = evidence::without_reasons(program, &report);
    if !unexplained.is_empty() {
        let reasons = deadline.within(rest(), listener, || search.reasons(&unexplained));
        evidence::add_reasons(&mut report.evidence, &reasons);
    }
    language.weaken(&mut report);
    language.look(&mut report);
    language.search_further(case, &mut report, watch);
    relation::cover_references(case, task, &mut report, watch);
    mutate::goals::judge(case, &mut report, &goals, watch);
    if let Some(Random { count, uniform: Uniform::Path }) = task.random {
        let within = |work: &mut dyn FnMut()| deadline.within(limit, listener, work);
        draws::add(case, &mut search, &mut report, count, within);
    }
    language.look_at_added(&mut report);
    relation::follow_up(case, &mut report);
    report.times = watch.search_ended(&result.statistics);
    report.suite.limits = limits(&language.inputs(plan, function), &result, plan);
    report.suite.contract = contract::clauses(language, function);
    report.suite.requirements = contract::requirements(language, function);
    deadline
        .within(rest(), listener, || contract::note_removed_goals(case, &mut search, &mut report));
    if let Some(n_solutions) = task.all {
        let found =
            deadline.within(limit, listener, || search.solutions(&report.goals, n_solutions));
        report.suite.solutions = Some(found);
    }
    report
}

/// The goals of a function that are asked for.
pub(crate) fn goals(program: &Program, task: &Generate, function: FuncId) -> Vec<Goal> {
    let all = task.criteria.iter().flat_map(|criterion| criterion.goals(program, function));
    all.filter(|goal| task.wanted.includes(program, goal)).collect()
}

/// How long a search may take, and inputs that it begins with.
pub(crate) struct Turn {
    pub(crate) time: Duration,
    pub(crate) given: Vec<TestInput>,
}

impl Turn {
    /// Without inputs.
    pub(crate) fn of(time: Duration) -> Turn {
        Turn { time, given: Vec::new() }
    }
}

/// One search for goals, watched and with the plan's budget.
pub(crate) fn campaign(
    case: &Case<'_>,
    aim: Aim,
    goals: &[Goal],
    watch: &Stopwatch<'_>,
    turn: Turn,
) -> CampaignResult {
    campaign_of((aim, aim.function), case, goals, watch, turn)
}

/// The same with the inputs of a function that tests call.
pub(crate) fn campaign_of(
    aim: (Aim, FuncId),
    case: &Case<'_>,
    goals: &[Goal],
    watch: &Stopwatch<'_>,
    turn: Turn,
) -> CampaignResult {
    let Turn { time, given } = turn;
    let deadline = Deadline::new(&case.plan.budget);
    // Runs that were tried before may be long ones.
    let usual = budget(case);
    let run_steps = if given.is_empty() { usual.run_steps } else { usual.run_steps * 10 };
    let budget = Budget { run_steps, ..usual };
    let mut search = path_search(case, aim, budget, &deadline, watch);
    search.begin_with(given);
    let mut result = deadline.within(time, case.listener, || search.cover(goals));
    deadline.explain(&mut result.verdicts);
    result
}

fn path_search<'a>(
    case: &Case<'a>,
    (aim, called): (Aim, FuncId),
    budget: Budget,
    deadline: &'a Deadline,
    watch: &'a Stopwatch<'_>,
) -> PathSearch<'a> {
    let config = case.language.inputs(case.plan, called);
    let subject = Subject { program: case.program(), aim, config, budget };
    let second_opinion = case.plan.second_opinion.clone();
    let supervision = Supervision { second_opinion, ..Supervision::watched(&deadline.flag, watch) };
    let mut search = PathSearch::new(subject, case.language.library(), supervision);
    if let Some(beginning) = case.beginnings.get(&aim.function) {
        search.begin_with(beginning.inputs(case, aim));
    }
    search
}

fn budget(case: &Case<'_>) -> Budget {
    let planned = &case.plan.budget;
    Budget {
        seed: planned.seed,
        paths: planned.paths,
        solver_time: Some(planned.time),
        // Functions whose turn comes after an interrupt are only listed.
        seeds: if case.listener.is_interrupted() { 0 } else { Budget::default().seeds },
        ..Budget::default()
    }
}

/// What the search was limited to.
pub(crate) fn limits(config: &Config, result: &CampaignResult, plan: &Plan) -> Vec<Limit> {
    let used = Config { max_length: result.max_length, ..*config };
    let mut limits = vec![
        ("max-paths", plan.budget.paths.to_string()),
        ("timeout", plan.budget.time.as_secs().to_string()),
    ];
    let memory = plan.budget.memory.function.map(|bytes| ("memory", bytes.to_string()));
    limits.extend(memory);
    limits.extend(used.limits());
    let limit = |(name, value): (&'static str, String)| Limit { name: name.to_owned(), value };
    limits.into_iter().map(limit).collect()
}

/// A function on which the work broke: nothing is known.
pub(crate) fn broken(
    case: &Case<'_>,
    task: &Generate,
    function: FuncId,
    message: &str,
) -> FunctionReport {
    let program = case.program();
    let goals = guarded(|| goals(program, task, function)).unwrap_or_default();
    let mut report = FunctionReport::broken(function, function, goals, message);
    report.evidence.covered = vec![None; report.goals.len()];
    report.evidence.reached_after = vec![None; report.goals.len()];
    report
}

/// Names the tests and says what each covers.
pub(crate) fn assemble(
    case: &Case<'_>,
    aim: Aim,
    goals: Vec<Goal>,
    result: &CampaignResult,
) -> FunctionReport {
    assemble_through(case, aim, &[], goals, result)
}

/// The same with what tests call, by test, where it is not the function.
pub(crate) fn assemble_through(
    case: &Case<'_>,
    aim: Aim,
    through: &[FuncId],
    goals: Vec<Goal>,
    result: &CampaignResult,
) -> FunctionReport {
    let Aim { function, entry } = aim;
    let program = case.program();
    let through = |test: usize| through.get(test).copied();
    let mut covers: Vec<Vec<usize>> = vec![Vec::new(); result.tests.len()];
    for (goal, how) in result.covered.iter().enumerate() {
        for test in how.map(Covered::runs).unwrap_or_default() {
            covers[test].push(goal);
        }
    }
    // The last of its goals is where a test gets to; `while (0)` is nowhere.
    let is_constant = |text: &str| !text.starts_with(|c: char| !c.is_ascii_digit());
    let last = |covered: &[usize]| -> Option<String> {
        let texts = || covered.iter().rev().map(|&goal| &goals[goal].text);
        texts().find(|text| !is_constant(text)).or_else(|| texts().next()).cloned()
    };
    let behavior = |(test, (covered, found)): (usize, (&Vec<usize>, &FoundTest))| {
        let called = through(test).unwrap_or(function);
        let spellings = case.language.spellings(called);
        let outcome = outcome(program, called, &found.observation, &spellings);
        Behavior { goal: last(covered), outcome }
    };
    let behaviors: Vec<Behavior> =
        covers.iter().zip(&result.tests).enumerate().map(behavior).collect();
    let names = behavior_names(&program.function(function).name, &behaviors);
    let found = result.tests.iter().zip(names).zip(&covers).enumerate();
    let tests = found.map(|(test, ((found, name), covered))| Test {
        name,
        through: through(test),
        input: found.input.clone(),
        expected: found.observation.clone(),
        covers: covered.iter().map(|&goal| goals[goal].id.clone()).collect(),
        path: path_text(program, function, &found.condition_trace),
        constraints: found.constraints.clone(),
        follow_ups: Vec::new(),
    });
    let tests = tests.collect();
    let mut report = FunctionReport::new(function, entry, goals, &result.verdicts);
    report.suite.tests = tests;
    report.suite.premises = premises(program, result);
    report.n_paths = result.n_paths;
    report.n_runs = result.n_runs;
    report.history = result.history.clone();
    report.forks = result.forks.clone();
    report.broken_promises = result.violations.clone();
    report.condition_traces =
        result.tests.iter().map(|test| test.condition_trace.clone()).collect();
    report.notes.extend(divergence_note(result.n_divergences));
    report.evidence = evidence::of(result);
    report
}

/// Where the interpreter contradicted the solver.
pub(crate) fn divergence_note(n_divergences: usize) -> Option<String> {
    (n_divergences > 0).then(|| {
        format!("{n_divergences} paths went elsewhere in the interpreter: please report this")
    })
}

/// The decisions taken, for people; long paths are cut.
pub(crate) fn path_text(
    program: &Program,
    function: FuncId,
    trace: &[ConditionEvent],
) -> Vec<String> {
    let body = program.body(function);
    let step = |event: &ConditionEvent| {
        let decision = &body.decisions[event.decision.index()];
        let condition = &decision.conditions[usize::from(event.condition)];
        format!("{}: {} is {}", condition.span.line, condition.text, event.value)
    };
    trace.iter().take(50).map(step).collect()
}

fn premises(program: &Program, result: &CampaignResult) -> Vec<Premise> {
    let stubs = || result.tests.iter().flat_map(|test| &test.input.stubs);
    let mut premises = premises::of_stubs(program, stubs(), StubReturns::ValuesOfTests);
    if stubs().any(|stub| !stub.writes.is_empty()) {
        premises.push(Premise::StubsWriteBehindPointers);
    }
    premises
}
