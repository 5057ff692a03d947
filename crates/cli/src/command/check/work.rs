//! One entry function: search, proofs, confirmation of counter-examples.

use std::time::{Duration, Instant};

use glassbox_coverage::property::scope;
use glassbox_coverage::{Goal, Properties, Property, Target};
use glassbox_emit::naming::test_names;
use glassbox_explore::{Budget, Question, Supervision, Violation, verify};
use glassbox_interp::Libc;
use glassbox_ir::library::is_nondet;
use glassbox_ir::{FuncId, OverflowMode, Program};
use glassbox_model::Config;
use glassbox_replay::Evidence;
use glassbox_report::input_text;
use glassbox_report::times::FunctionTimes;
use glassbox_solver::{Statistics, StopFlag};
use glassbox_testcase::{GoalResult, Suite, Test, UnknownReason, Verdict};

use super::{Arguments, prove, replay};
use crate::command::generate::contract;
use crate::command::generate::work::{longest, path_text, with_deadline};
use crate::guard::guarded;
use crate::intake::Subject;
use crate::stopwatch::Stopwatch;

/// Everything about one entry.
#[derive(Debug)]
pub(crate) struct EntryWork {
    pub(crate) function: FuncId,
    /// Where runs start: the function, or the harness that its contract became.
    pub(crate) entry: FuncId,
    pub(crate) properties: Vec<Property>,
    pub(crate) verdicts: Vec<Verdict>,
    /// How something was proved, where a prover said more than the verdict.
    pub(crate) proofs: Vec<Option<String>>,
    pub(crate) violations: Vec<Violation>,
    /// By violation; `None` when nothing was run.
    pub(crate) evidence: Vec<Option<Evidence>>,
    pub(crate) suite: Suite,
    /// Properties in the form of goals, for `suite.json`.
    pub(crate) goals: Vec<Goal>,
    pub(crate) n_paths: usize,
    pub(crate) n_runs: usize,
    pub(crate) notes: Vec<String>,
    /// What each layer of the solver did.
    pub(crate) statistics: Statistics,
    pub(crate) times: FunctionTimes,
    /// The work ended in an internal error: nothing is known.
    pub(crate) is_broken: bool,
}

/// Where runs of a function start, and what is asked about them.
fn properties_of(
    subject: &Subject,
    function: FuncId,
    functions: &[FuncId],
    arguments: &Arguments,
) -> (FuncId, Properties) {
    let program = &subject.program;
    let entry = subject.contract(function).map_or(function, |(_, _, entry)| entry);
    let others: Vec<FuncId> =
        functions.iter().copied().filter(|&other| other != function).collect();
    let mut properties = Properties::of(program, &scope(program, entry, &others));
    if arguments.leak {
        properties.add_leaks(program, &scope(program, entry, &[]));
    }
    // What goes wrong inside a contract's expressions is no error of the function.
    if arguments.assertions_only || entry != function {
        properties.retain(|property| {
            let is_own = property.function != entry || entry == function;
            let is_asked = !arguments.assertions_only || property.kind.is_about_the_end();
            property.kind.is_assertion() || (is_own && is_asked)
        });
    }
    (entry, properties)
}

/// What is left of a function whose work broke: every property unknown.
pub(crate) fn broken(
    subject: &Subject,
    function: FuncId,
    functions: &[FuncId],
    arguments: &Arguments,
    message: &str,
) -> EntryWork {
    let asked = guarded(|| {
        let (entry, properties) = properties_of(subject, function, functions, arguments);
        (entry, properties.list().to_vec())
    });
    let (entry, properties) = asked.unwrap_or((function, Vec::new()));
    let verdict = Verdict::Unknown(UnknownReason::Internal(message.to_owned()));
    let verdicts = vec![verdict; properties.len()];
    let places = (function, entry);
    EntryWork {
        function,
        entry,
        suite: suite(&subject.program, places, &properties, &verdicts, &[]),
        goals: properties.iter().map(goal).collect(),
        proofs: vec![None; properties.len()],
        properties,
        verdicts,
        violations: Vec::new(),
        evidence: Vec::new(),
        n_paths: 0,
        n_runs: 0,
        notes: vec![format!("internal error: {message}")],
        statistics: Statistics::default(),
        times: FunctionTimes::default(),
        is_broken: true,
    }
}

pub(crate) fn work(
    subject: &Subject,
    function: FuncId,
    functions: &[FuncId],
    arguments: &Arguments,
    watch: &Stopwatch<'_>,
) -> EntryWork {
    let program = &subject.program;
    let (entry, properties) = properties_of(subject, function, functions, arguments);
    let budget = Budget { seed: arguments.seed, paths: arguments.max_paths, ..Budget::default() };
    // The program says itself what overflow means.
    let config = Config {
        max_length: arguments.max_length.max(longest(subject, function)),
        globals_are_inputs: program.function(function).name != "main",
        allocation_may_fail: arguments.malloc_may_fail,
        ..Config::default()
    };
    // Proofs get what the search leaves, and at least a third.
    let begun = Instant::now();
    let limit = Duration::from_secs(arguments.timeout);
    let ahead = if arguments.no_proofs {
        None
    } else {
        with_deadline(limit / 3, |stop| {
            let stop = StopFlag::new(stop);
            prove::ahead(program, entry, (&config, &stop), properties.list())
        })
    };
    // Where all is proved, concrete runs and one path show what is reached.
    let is_proved = ahead.as_ref().is_some_and(|ahead| ahead.iter().all(Option::is_some));
    let paths = if is_proved { 1 } else { arguments.max_paths };
    let budget = Budget { paths, ..budget };
    let search_limit = if arguments.no_proofs { limit } else { limit * 2 / 3 };
    let found = with_deadline(search_limit.saturating_sub(begun.elapsed()), |stop| {
        let question = Question {
            program,
            entry,
            properties,
            config: &config,
            budget: &budget,
            max_turns: arguments.unwind,
        };
        verify(question, Box::new(Libc::new()), Supervision::watched(stop, watch))
    });
    let statistics = found.statistics;
    let mut verdicts = found.verdicts;
    let properties = found.properties.list().to_vec();
    let proofs = if arguments.no_proofs {
        vec![None; properties.len()]
    } else {
        with_deadline(limit.saturating_sub(begun.elapsed()), |stop| {
            let stop = StopFlag::new(stop);
            let asked = (&*properties, ahead);
            prove::improve(program, entry, (&config, &stop), asked, &mut verdicts)
        })
    };
    let mut notes = Vec::new();
    if found.n_divergences > 0 {
        notes.push(format!(
            "{} paths went elsewhere in the interpreter: please report this",
            found.n_divergences
        ));
    }
    if let Some(input) = &found.endless {
        let inputs = input_text::line(program, input);
        notes.push(format!("a run never ends, because it comes back to a state it had: {inputs}"));
    }
    let mut suite = suite(program, (function, entry), &properties, &verdicts, &found.violations);
    suite.contract = contract::clauses(subject, function);
    let mut work = EntryWork {
        function,
        entry,
        suite,
        goals: properties.iter().map(goal).collect(),
        properties,
        verdicts,
        proofs,
        evidence: vec![None; found.violations.len()],
        violations: found.violations,
        n_paths: found.n_paths,
        n_runs: found.n_runs,
        notes,
        times: watch.search_ended(&statistics),
        statistics,
        is_broken: false,
    };
    work.suite.assumptions = assumptions(program, &work, arguments);
    if !arguments.no_exec && !work.violations.is_empty() {
        replay::replay(subject, &mut work, arguments);
    }
    work
}

fn goal(property: &Property) -> Goal {
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
    }
}

fn suite(
    program: &Program,
    (function, entry): (FuncId, FuncId),
    properties: &[Property],
    verdicts: &[Verdict],
    violations: &[Violation],
) -> Suite {
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
    });
    let goals = properties.iter().zip(verdicts).map(|(property, verdict)| GoalResult {
        goal: property.id.clone(),
        verdict: verdict.clone(),
    });
    Suite {
        function,
        goals: goals.collect(),
        tests: tests.collect(),
        assumptions: Vec::new(),
        limits: Vec::new(),
        contract: Vec::new(),
        solutions: None,
    }
}

/// What the verdicts take for granted.
fn assumptions(program: &Program, work: &EntryWork, arguments: &Arguments) -> Vec<String> {
    let mut list = Vec::new();
    match OverflowMode::from(arguments.overflow) {
        OverflowMode::Reject => {
            list.push("runs with signed overflow are left out (--overflow reject)".to_owned());
        }
        OverflowMode::Wrap => {
            list.push(
                "signed arithmetic wraps around, as with -fwrapv (--overflow wrap)".to_owned(),
            );
        }
        OverflowMode::Report => {}
    }
    let mut stubs: Vec<&str> = work
        .violations
        .iter()
        .flat_map(|violation| &violation.test.input.stubs)
        .map(|stub| program.function(stub.function).name.as_str())
        .filter(|name| !is_nondet(name))
        .collect();
    stubs.sort_unstable();
    stubs.dedup();
    let is_stand_in = |name: &str| {
        program.stand_ins.iter().any(|&stand_in| program.function(stand_in).name == name)
    };
    list.extend(stubs.iter().map(|name| {
        if is_stand_in(name) {
            format!("`{name}` stands for functions that callers pass: it returns anything")
        } else {
            format!("`{name}` is not defined: it returns anything")
        }
    }));
    list
}
