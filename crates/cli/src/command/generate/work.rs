//! One function: search, confirmation on the real compiler, verdicts.

mod boundary;
pub(crate) mod evidence;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use glassbox_coverage::criterion::Criterion;
use glassbox_coverage::{Covered, Goal, Target};
use glassbox_emit::c_literal;
use glassbox_emit::c_test::{TestFile, TestText, obstacle};
use glassbox_emit::naming::test_names;
use glassbox_explore::solutions::solutions;
use glassbox_explore::{Aim, Budget, CampaignResult, Supervision, explore};
use glassbox_interp::Libc;
use glassbox_ir::{FuncId, Program, Terminator};
use glassbox_model::{Config, config};
use glassbox_replay::compiler::Compiler;
use glassbox_replay::confirm::{Replay, confirm};
use glassbox_replay::gcov::line_counts;
use glassbox_replay::{Confirmation, ProbeSite};
use glassbox_report::suite_json::Evidence;
use glassbox_report::times::FunctionTimes;
use glassbox_report::verdict_text;
use glassbox_testcase::{
    GoalResult, InputPointer, InputValue, Limit, NamedInput, Suite, Test, UnknownReason, Verdict,
};

use super::{Arguments, Overflow, contract};
use crate::guard::guarded;
use crate::intake::Subject;
use crate::interrupt::is_interrupted;
use crate::stopwatch::Stopwatch;

/// Everything about one function.
#[derive(Debug)]
pub(crate) struct FunctionWork {
    pub(crate) goals: Vec<Goal>,
    pub(crate) suite: Suite,
    pub(crate) n_paths: usize,
    pub(crate) n_runs: usize,
    /// Notes for the user: why tests were not run, what was dropped.
    pub(crate) notes: Vec<String>,
    pub(crate) evidence: Evidence,
    /// Promises of the contract that the function breaks.
    pub(crate) violations: Vec<String>,
    pub(crate) times: FunctionTimes,
    /// The work broke: a bug of ours.
    pub(crate) is_broken: bool,
}

impl FunctionWork {
    pub(crate) fn is_decided(&self) -> bool {
        !self.suite.goals.iter().any(|goal| matches!(goal.verdict, Verdict::Unknown(_)))
    }
}

pub(crate) fn work(
    subject: &Subject,
    function: FuncId,
    criteria: &[Box<dyn Criterion>],
    arguments: &Arguments,
    watch: &Stopwatch<'_>,
) -> FunctionWork {
    let program = &subject.program;
    let goals: Vec<Goal> =
        criteria.iter().flat_map(|criterion| criterion.goals(program, function)).collect();
    let budget = Budget {
        seed: arguments.seed,
        paths: arguments.max_paths,
        solver_time: Some(Duration::from_secs(arguments.timeout)),
        // Functions whose turn comes after an interrupt are only listed.
        seeds: if is_interrupted() { 0 } else { Budget::default().seeds },
        ..Budget::default()
    };
    let config = Config {
        max_length: arguments.max_length.max(longest(subject, function)),
        overflow: match arguments.overflow {
            Overflow::Wrap => config::Overflow::Wrap,
            Overflow::Reject => config::Overflow::Reject,
            Overflow::Report => config::Overflow::Report,
        },
        globals_are_inputs: program.function(function).name != "main",
        stub_writes: arguments.stub_writes.into(),
        ..Config::default()
    };
    let limit = limit_of(arguments);
    let aim = contract::aim(subject, function);
    let result = with_deadline(limit, |stop| {
        let supervision = Supervision::watched(stop, watch);
        explore(program, aim, &goals, &config, &budget, Box::new(Libc::new()), supervision)
    });
    let mut work = assemble(program, function, goals, &result);
    if evidence::needs_reasons(program, &work.suite) {
        let library = Box::new(Libc::new());
        let budget = evidence::budget_of_reasons(&budget);
        let again = with_deadline(limit, |stop| {
            explore(program, aim, &work.goals, &config, &budget, library, stop)
        });
        evidence::add_reasons(&mut work.evidence, &again);
    }
    work.times = watch.search_ended(&result.statistics);
    work.suite.limits = limits(&config, &result, arguments);
    work.suite.contract = contract::clauses(subject, function);
    with_deadline(limit, |stop| {
        let (goals, verdicts) = (&work.goals, &result.verdicts);
        let clauses = &mut work.suite.contract;
        contract::note_removed_goals(subject, function, goals, verdicts, clauses, (&config, stop));
    });
    note_contract(program, aim, &mut work, &result);
    if aim.entry != function && work.suite.contract.is_empty() {
        let assumption = "`main` gets at least the program's name, and `argc` arguments";
        work.suite.assumptions.push(assumption.to_owned());
    }
    if let Some(limit) = arguments.all {
        let goals = &work.goals;
        work.suite.solutions = Some(with_deadline(limit_of(arguments), |stop| {
            let library = Box::new(Libc::new());
            solutions(program, aim, goals, limit, (&config, &budget), library, stop)
        }));
    }
    if arguments.no_exec && work.suite.tests.is_empty() {
        // Nothing to confirm.
    } else if arguments.no_exec {
        work.notes.push("tests were not run (--no-exec): nothing is confirmed".to_owned());
    } else if !work.suite.tests.is_empty() {
        replay(subject, &mut work, &result, arguments);
    }
    work
}

/// What the search was limited to.
fn limits(config: &Config, result: &CampaignResult, arguments: &Arguments) -> Vec<Limit> {
    let used = Config { max_length: result.max_length, ..*config };
    let mut limits = vec![
        ("max-paths", arguments.max_paths.to_string()),
        ("timeout", arguments.timeout.to_string()),
    ];
    limits.extend(used.limits());
    let limit = |(name, value): (&'static str, String)| Limit { name: name.to_owned(), value };
    limits.into_iter().map(limit).collect()
}

/// A function on which the work broke: nothing is known, and the others are not touched by it.
pub(crate) fn broken(
    program: &Program,
    function: FuncId,
    criteria: &[Box<dyn Criterion>],
    message: &str,
) -> FunctionWork {
    let goals = || criteria.iter().flat_map(|criterion| criterion.goals(program, function));
    let goals: Vec<Goal> = guarded(|| goals().collect()).unwrap_or_default();
    let verdict = Verdict::Unknown(UnknownReason::Internal(message.to_owned()));
    let result = |goal: &Goal| GoalResult { goal: goal.id.clone(), verdict: verdict.clone() };
    let suite = Suite {
        function,
        goals: goals.iter().map(result).collect(),
        tests: Vec::new(),
        assumptions: Vec::new(),
        limits: Vec::new(),
        contract: Vec::new(),
        solutions: None,
    };
    let evidence = Evidence {
        covered: vec![None; goals.len()],
        reached_after: vec![None; goals.len()],
        ..Evidence::default()
    };
    let notes = vec![format!("internal error: {message}")];
    let (n_paths, n_runs, violations) = (0, 0, Vec::new());
    let times = FunctionTimes::default();
    let is_broken = true;
    FunctionWork { goals, suite, n_paths, n_runs, notes, evidence, violations, times, is_broken }
}

pub(super) fn limit_of(arguments: &Arguments) -> Duration {
    Duration::from_secs(arguments.timeout)
}

/// Elements that the function's contract asks for behind a pointer.
pub(crate) fn longest(subject: &Subject, function: FuncId) -> u64 {
    subject.contract(function).and_then(|(_, contract, _)| contract.longest()).unwrap_or(0)
}

/// What the search showed about the contract itself.
fn note_contract(program: &Program, aim: Aim, work: &mut FunctionWork, result: &CampaignResult) {
    if aim.entry == aim.function {
        return;
    }
    let is_gone = |verdict: &Verdict| matches!(verdict, Verdict::Infeasible(_));
    if !work.goals.is_empty() && result.verdicts.iter().all(is_gone) {
        work.notes.push("no input satisfies the contract".to_owned());
    }
    for violation in &result.violations {
        let place = verdict_text::place(program, violation.span);
        let clause = work.suite.contract.iter().find(|clause| clause.place == place);
        let text = clause.map_or("a promise", |clause| clause.text.as_str());
        let given: Vec<String> = violation
            .input
            .params
            .iter()
            .map(|param| format!("{} = {}", param.name, short_value(program, param)))
            .collect();
        work.violations.push(format!("{place}: {text}: violated with {}", given.join(", ")));
    }
}

/// A parameter's value in a message.
fn short_value(program: &Program, param: &NamedInput) -> String {
    match &param.value {
        InputValue::Int(bits) => c_literal::integer(program, param.source_type, *bits),
        InputValue::Float(float) => c_literal::float(*float),
        InputValue::Pointer(InputPointer::Null) => "0".to_owned(),
        InputValue::Pointer(_)
        | InputValue::Struct(_)
        | InputValue::Union { .. }
        | InputValue::Array(_)
        | InputValue::Bytes(_) => "…".to_owned(),
    }
}

/// How often the clock and the keyboard are looked at.
const TICK: Duration = Duration::from_millis(50);

/// Runs `work` with a flag that is set when the time is over or the user interrupts.
pub(crate) fn with_deadline<T>(limit: Duration, work: impl FnOnce(&Arc<AtomicBool>) -> T) -> T {
    let stop = Arc::new(AtomicBool::new(is_interrupted()));
    let (finished, wait) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        let flag = &stop;
        let _ = scope.spawn(move || {
            let end = std::time::Instant::now() + limit;
            loop {
                let left = end.saturating_duration_since(std::time::Instant::now());
                let is_over = left.is_zero() || is_interrupted();
                flag.store(is_over, Ordering::Relaxed);
                let is_running =
                    wait.recv_timeout(left.min(TICK)) == Err(RecvTimeoutError::Timeout);
                if is_over || !is_running {
                    break;
                }
            }
        });
        let result = work(&stop);
        drop(finished);
        result
    })
}

/// Names the tests and says what each covers.
pub(super) fn assemble(
    program: &Program,
    function: FuncId,
    goals: Vec<Goal>,
    result: &CampaignResult,
) -> FunctionWork {
    let mut covers: Vec<Vec<usize>> = vec![Vec::new(); result.tests.len()];
    for (goal, how) in result.covered.iter().enumerate() {
        for test in how.map(Covered::runs).unwrap_or_default() {
            covers[test].push(goal);
        }
    }
    let first: Vec<Option<String>> = covers
        .iter()
        .map(|covered| covered.first().map(|&goal| goals[goal].text.clone()))
        .collect();
    let names = test_names(&program.function(function).name, &first);
    let tests = result.tests.iter().zip(names).zip(&covers).map(|((found, name), covered)| Test {
        name,
        input: found.input.clone(),
        expected: found.observation.clone(),
        covers: covered.iter().map(|&goal| goals[goal].id.clone()).collect(),
        path: path_text(program, function, &found.condition_trace),
        constraints: found.constraints.clone(),
    });
    let goal_results = goals
        .iter()
        .zip(&result.verdicts)
        .map(|(goal, verdict)| GoalResult { goal: goal.id.clone(), verdict: verdict.clone() });
    let suite = Suite {
        function,
        goals: goal_results.collect(),
        tests: tests.collect(),
        assumptions: assumptions(program, result),
        limits: Vec::new(),
        contract: Vec::new(),
        solutions: None,
    };
    let (n_paths, n_runs) = (result.n_paths, result.n_runs);
    let mut notes = Vec::new();
    if result.n_divergences > 0 {
        notes.push(format!(
            "{} paths went elsewhere in the interpreter: please report this",
            result.n_divergences
        ));
    }
    let mut evidence = evidence::of(result);
    evidence.invariants = evidence::invariants(program, &suite);
    FunctionWork {
        goals,
        suite,
        n_paths,
        n_runs,
        notes,
        evidence,
        violations: Vec::new(),
        times: FunctionTimes::default(),
        is_broken: false,
    }
}

/// The decisions taken, for people; long paths are cut.
pub(crate) fn path_text(
    program: &Program,
    function: FuncId,
    trace: &[glassbox_explore::facts::ConditionEvent],
) -> Vec<String> {
    let body = program.body(function);
    let step = |event: &glassbox_explore::facts::ConditionEvent| {
        let decision = &body.decisions[event.decision.index()];
        let condition = &decision.conditions[usize::from(event.condition)];
        format!("{}: {} is {}", condition.span.line, condition.text, event.value)
    };
    trace.iter().take(50).map(step).collect()
}

fn assumptions(program: &Program, result: &CampaignResult) -> Vec<String> {
    let stubs = result.tests.iter().flat_map(|test| &test.input.stubs);
    let mut told: Vec<String> = stubs
        .map(|stub| {
            let name = program.function(stub.function).name.as_str();
            if program.stand_ins.contains(&stub.function) {
                format!(
                    "`{name}` stands for functions that callers pass: it returns what a test says"
                )
            } else {
                format!("`{name}` is not defined here: it is a stub that returns what a test says")
            }
        })
        .collect();
    told.sort_unstable();
    told.dedup();
    let writes = result.tests.iter().flat_map(|test| &test.input.stubs);
    if writes.clone().any(|stub| !stub.writes.is_empty()) {
        let story = "stubs write what a test says behind their pointer arguments, and nothing else";
        told.push(story.to_owned());
    }
    told
}

/// The test file of a function, as data.
pub(crate) fn test_file<'a>(
    subject: &'a Subject,
    work: &'a FunctionWork,
    include: String,
) -> TestFile<'a> {
    let text_of = |id: &String| {
        work.goals.iter().find(|goal| goal.id == *id).map_or(id.clone(), |goal| {
            format!("{}:{}: {}", goal.span.line, goal.span.column, goal.text)
        })
    };
    let tests = work.suite.tests.iter().map(|test| TestText {
        name: test.name.clone(),
        input: &test.input,
        expected: &test.expected,
        covers: test.covers.iter().map(text_of).collect(),
        constraints: test.constraints.clone(),
    });
    let function = work.suite.function;
    let spec = contract::spec(subject, function);
    let requirements = Vec::new();
    let program = &subject.program;
    TestFile { program, function, include, spec, requirements, tests: tests.collect() }
}

/// The source file of a function, absolute.
pub(crate) fn source_path(program: &Program, function: FuncId) -> Option<PathBuf> {
    let span = program.function(function).span;
    let file = program.files.get(span.file.index())?;
    std::fs::canonicalize(Path::new(&file.path)).ok()
}

/// Include paths hold from wherever the compiler runs.
pub(crate) fn absolute_flags(flags: &[String]) -> Vec<String> {
    let current = std::env::current_dir().unwrap_or_default();
    let absolute = |path: &str| current.join(path).display().to_string();
    let mut result = Vec::new();
    let mut is_path = false;
    for flag in flags {
        if is_path {
            result.push(absolute(flag));
            is_path = false;
            continue;
        }
        is_path = matches!(flag.as_str(), "-I" | "-include" | "-isystem" | "-iquote");
        match flag.strip_prefix("-I") {
            Some(path) if !path.is_empty() => result.push(format!("-I{}", absolute(path))),
            _ => result.push(flag.clone()),
        }
    }
    result
}

/// Runs the tests for real; what is not confirmed is no longer covered.
fn replay(
    subject: &Subject,
    work: &mut FunctionWork,
    result: &CampaignResult,
    arguments: &Arguments,
) {
    let program = &subject.program;
    let function = work.suite.function;
    if let Some(why) = obstacle(program, function) {
        return disagree(work, None, &format!("no test can be written: {why}"));
    }
    let Some(source) = source_path(program, function) else {
        return disagree(work, None, "the source file cannot be found again");
    };
    let folder = match tempfile::tempdir() {
        Ok(folder) => folder,
        Err(error) => return disagree(work, None, &format!("no temporary folder: {error}")),
    };
    let expected: Vec<Vec<(ProbeSite, bool)>> = result
        .tests
        .iter()
        .map(|test| {
            let site = |event: &glassbox_explore::facts::ConditionEvent| {
                let (decision, condition) = (event.decision, event.condition);
                (ProbeSite { decision, condition }, event.value)
            };
            test.condition_trace.iter().map(site).collect()
        })
        .collect();
    let compiler = Compiler {
        command: arguments.intake.cc.clone(),
        flags: absolute_flags(&arguments.cc_flags),
    };
    let counts_lines = work.goals.iter().any(|goal| is_seen_by_gcov(program, goal));
    let (comparisons, relations) = boundary::watched(program, &work.goals, &work.suite.tests);
    let confirmations = {
        let file = test_file(subject, work, String::new());
        confirm(&Replay {
            compiler: &compiler,
            folder: folder.path(),
            file: &file,
            source: &source,
            source_file: program.function(function).span.file,
            expected: &expected,
            comparisons: &comparisons,
            relations: &relations,
            counts_lines,
        })
    };
    match confirmations {
        Err(error) => disagree(work, None, &error.to_string()),
        Ok(confirmations) => {
            work.evidence.replays = confirmations.iter().map(evidence::replay_state).collect();
            for (test, confirmation) in confirmations.iter().enumerate() {
                match confirmation {
                    Confirmation::Confirmed => {}
                    Confirmation::Failed(story) | Confirmation::Diverged(story) => {
                        disagree(work, Some(test), story);
                    }
                    Confirmation::Flaky => disagree(work, Some(test), "passes and fails by turns"),
                }
            }
            if counts_lines && let Some(counts) = line_counts(folder.path(), &source) {
                compare_lines(program, work, &counts);
            }
        }
    }
}

/// Whether a goal is about what lines are executed: statements and cases, which have no probes.
fn is_seen_by_gcov(program: &Program, goal: &Goal) -> bool {
    match &goal.target {
        Target::Site(_) => true,
        Target::Edge { block, .. } => {
            let terminator = &program.body(goal.function).block(*block).terminator;
            matches!(terminator, Terminator::Switch { .. })
        }
        _ => false,
    }
}

/// Takes back goals whose line the real program has never executed. Lines that gcov does not list have no
/// code of their own.
fn compare_lines(program: &Program, work: &mut FunctionWork, counts: &BTreeMap<u32, u64>) {
    let own_file = program.function(work.suite.function).span.file;
    for (goal, result) in work.goals.iter().zip(&mut work.suite.goals) {
        let is_here = goal.span.file == own_file && is_seen_by_gcov(program, goal);
        let is_covered = matches!(result.verdict, Verdict::Covered { .. });
        if is_here && is_covered && counts.get(&goal.span.line) == Some(&0) {
            let story = format!("gcov counts no execution of line {}", goal.span.line);
            result.verdict = Verdict::Unknown(UnknownReason::Disagreement(story));
        }
    }
}

/// Takes back what rests on a test that the real program does not confirm (`None`: all of them).
pub(super) fn disagree(work: &mut FunctionWork, test: Option<usize>, story: &str) {
    let name = test.map_or("all tests".to_owned(), |test| work.suite.tests[test].name.clone());
    work.notes.push(format!("{name} not confirmed: {}", story.lines().next().unwrap_or(story)));
    for goal in &mut work.suite.goals {
        let is_touched = match goal.verdict {
            Verdict::Covered { test: by } => test.is_none_or(|test| {
                // A pair of tests is named by its first: be careful and compare what they cover.
                by == test || work.suite.tests[test].covers.contains(&goal.goal)
            }),
            _ => false,
        };
        if is_touched {
            goal.verdict = Verdict::Unknown(UnknownReason::Disagreement(story.to_owned()));
        }
    }
}
