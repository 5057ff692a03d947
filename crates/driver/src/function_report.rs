//! Everything about one function when the work on it is done: the same for `gen` and `check`, in every
//! language.

use std::collections::BTreeMap;

use glassbox_coverage::{Goal, Property, PropertyKind};
pub use glassbox_explore::cover::history::{Fork, Step, Worker};
use glassbox_explore::facts::ConditionEvent;
use glassbox_explore::{FoundViolation, Violation};
use glassbox_ir::{CheckKind, FuncId};
use glassbox_replay::{Confirmation, Evidence as Sighting};
use glassbox_report::check::PropertyResult;
use glassbox_report::data::test::Rerun;
use glassbox_report::dismissal::Dismissal;
use glassbox_report::suite_json::{Evidence, FunctionResult};
use glassbox_report::times::FunctionTimes;
use glassbox_testcase::java::JavaObservation;
use glassbox_testcase::{Assumption, GoalResult, Suite, Test, UnknownReason, Verdict};

use crate::mutate::Judgement;

/// One function: what was asked, what was found, what supports it.
#[derive(Debug)]
pub struct FunctionReport {
    /// Where runs start: the function, or a harness that calls it.
    pub entry: FuncId,
    /// Functions that runs start in, where it is not this one but others that may come to it.
    pub starts: Vec<FuncId>,
    /// What the suite has verdicts about; properties of `check` have the form of goals here.
    pub goals: Vec<Goal>,
    /// Tests and verdicts, nowhere else.
    pub suite: Suite,
    pub n_paths: usize,
    pub n_runs: usize,
    /// Who decided what when.
    pub history: Vec<Step>,
    /// Where paths parted most often.
    pub forks: Vec<Fork>,
    /// For the user: why tests were not run, what was dropped.
    pub notes: Vec<String>,
    /// What the function does with inputs of earlier suites.
    pub(crate) reruns: Vec<Rerun>,
    /// What makes verdicts worth little although nothing is wrong with them.
    pub warnings: Vec<String>,
    pub evidence: Evidence,
    /// Promises of the contract that the function breaks, in words.
    pub violations: Vec<String>,
    /// Runs that break promises, one per promise.
    pub(crate) broken_promises: Vec<FoundViolation>,
    /// By test: the conditions of the function as the interpreter evaluated them.
    pub(crate) condition_traces: Vec<Vec<ConditionEvent>>,
    /// What `check` asked and found.
    pub checked: Checked,
    /// By test, in languages with objects.
    pub objects: Vec<ObjectTest>,
    /// What the real program did otherwise than the search says: no proof about the function is trusted then.
    pub(crate) contradiction: Option<String>,
    /// What the real program did, for the reviewers.
    pub(crate) replayed: Option<Replayed>,
    pub times: FunctionTimes,
    /// What became of its mutants, where that is asked.
    pub(crate) judged: Option<Judgement>,
    /// The work ended in an internal error: nothing is known.
    pub is_broken: bool,
}

/// Properties and counter-examples; empty for `gen`.
#[derive(Debug, Default)]
pub struct Checked {
    pub properties: Vec<Property>,
    /// By property: how it was proved, where a prover said more than the verdict.
    pub proofs: Vec<Option<String>>,
    /// One for each test of the suite.
    pub counter_examples: Vec<CounterExample>,
    /// Something that runs may come to and that is not understood: it may do what no property is about.
    pub blind_spot: Option<String>,
    /// By property: why it does not count.
    pub dismissals: Vec<Option<Dismissal>>,
    /// That findings which do not count do not happen: runs end with them, so all else is judged as if they did not.
    pub accepted: Vec<Assumption>,
}

impl Checked {
    /// Why a property does not count.
    pub fn dismissal(&self, property: usize) -> Option<&Dismissal> {
        self.dismissals.get(property).and_then(Option::as_ref)
    }
}

/// A run that violates a property.
#[derive(Debug)]
pub struct CounterExample {
    pub violation: Violation,
    /// What the real program did; `None` when nothing was run.
    pub sighting: Option<Sighting>,
    /// What makes the objects, where calls do.
    pub calls: Option<String>,
}

/// What a test shows of objects.
#[derive(Debug)]
pub struct ObjectTest {
    pub observed: JavaObservation,
    /// The harness that made its objects, by position among the program's.
    pub harness: Option<usize>,
    /// What the test calls, where it is not the method under test but one that calls it.
    pub through: Option<FuncId>,
}

/// What the real program did with the tests of one function.
#[derive(Debug, Default)]
pub struct Replayed {
    /// By test; `None` where it was not run.
    pub confirmations: Vec<Option<Confirmation>>,
    /// By line: how often it was executed.
    pub line_counts: Option<BTreeMap<u32, u64>>,
    /// By goal: what probes saw of it.
    pub seen: Option<Vec<Seen>>,
    /// Tests that compare calls and do not pass: which relation, with the input of which test, and why.
    pub failed_follow_ups: Vec<(FuncId, usize, String)>,
}

/// What probes say about a goal that a test should reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    Reached,
    NotReached,
    /// No probe shows it.
    Unseen,
}

impl FunctionReport {
    /// Verdicts about goals; tests and what supports the verdicts come later.
    pub(crate) fn new(
        function: FuncId,
        entry: FuncId,
        goals: Vec<Goal>,
        verdicts: &[Verdict],
    ) -> FunctionReport {
        let results = goals
            .iter()
            .zip(verdicts)
            .map(|(goal, verdict)| GoalResult { goal: goal.id.clone(), verdict: verdict.clone() });
        FunctionReport {
            entry,
            starts: Vec::new(),
            suite: Suite {
                function,
                goals: results.collect(),
                tests: Vec::new(),
                premises: Vec::new(),
                confirmation: None,
                limits: Vec::new(),
                contract: Vec::new(),
                requirements: Vec::new(),
                solutions: None,
            },
            goals,
            n_paths: 0,
            n_runs: 0,
            history: Vec::new(),
            forks: Vec::new(),
            notes: Vec::new(),
            reruns: Vec::new(),
            warnings: Vec::new(),
            evidence: Evidence::default(),
            violations: Vec::new(),
            broken_promises: Vec::new(),
            condition_traces: Vec::new(),
            checked: Checked::default(),
            objects: Vec::new(),
            contradiction: None,
            replayed: None,
            times: FunctionTimes::default(),
            judged: None,
            is_broken: false,
        }
    }

    /// A function on which the work broke: nothing is known.
    pub(crate) fn broken(
        function: FuncId,
        entry: FuncId,
        goals: Vec<Goal>,
        message: &str,
    ) -> FunctionReport {
        let verdict = Verdict::Unknown(UnknownReason::Internal(message.to_owned()));
        let verdicts = vec![verdict; goals.len()];
        let mut report = FunctionReport::new(function, entry, goals, &verdicts);
        report.breaks(message);
        report
    }

    pub fn function(&self) -> FuncId {
        self.suite.function
    }

    /// What a test calls.
    pub fn called(&self, test: &Test) -> FuncId {
        test.through.unwrap_or(self.suite.function)
    }

    /// The functions that tests call, in the order of the tests, each with the positions of its tests.
    pub(crate) fn all_called(&self) -> Vec<(FuncId, Vec<usize>)> {
        let mut all: Vec<(FuncId, Vec<usize>)> = Vec::new();
        for (position, test) in self.suite.tests.iter().enumerate() {
            let called = self.called(test);
            match all.iter_mut().find(|(known, _)| *known == called) {
                Some((_, tests)) => tests.push(position),
                None => all.push((called, vec![position])),
            }
        }
        all
    }

    pub fn verdicts(&self) -> impl Iterator<Item = &Verdict> {
        self.suite.goals.iter().map(|goal| &goal.verdict)
    }

    /// Verdicts about what counts.
    pub fn counted_verdicts(&self) -> impl Iterator<Item = &Verdict> {
        let counts = |position: usize| self.checked.dismissal(position).is_none();
        self.verdicts().enumerate().filter(move |(position, _)| counts(*position)).map(|(_, it)| it)
    }

    /// Whether nothing is unknown.
    pub fn is_decided(&self) -> bool {
        !self.verdicts().any(|verdict| matches!(verdict, Verdict::Unknown(_)))
    }

    /// A bug of ours: nothing found here counts.
    pub(crate) fn breaks(&mut self, message: &str) {
        self.notes.push(format!("internal error: {message}"));
        self.is_broken = true;
    }

    /// Drops what is not needed once it is written: there may be many functions.
    pub(crate) fn shed(&mut self) {
        if let Some(judged) = &mut self.judged {
            judged.settle(&self.suite.tests, &self.evidence.replays);
        }
        self.goals = Vec::new();
        self.suite.tests = Vec::new();
        self.history = Vec::new();
        self.evidence = Evidence::default();
        self.condition_traces = Vec::new();
        self.objects = Vec::new();
        self.replayed = None;
    }

    /// As the reports take it.
    pub(crate) fn as_result(&self) -> FunctionResult<'_> {
        FunctionResult {
            suite: &self.suite,
            goals: &self.goals,
            n_paths: self.n_paths,
            n_runs: self.n_runs,
            evidence: &self.evidence,
            dismissals: &self.checked.dismissals,
        }
    }

    /// Takes back what rests on a test that the real program does not confirm (`None`: all of them), and notes
    /// it.
    pub(crate) fn unconfirm(&mut self, test: Option<usize>, message: &str, reason: UnknownReason) {
        let name = test.map_or("all tests", |test| self.suite.tests[test].name.as_str());
        self.notes.push(format!("{name} not confirmed: {}", first_line(message)));
        self.take_back(test, &reason);
    }

    /// Takes back what rests on a test that the real program contradicts.
    pub(crate) fn contradict(&mut self, test: usize, message: &str) {
        self.unconfirm(Some(test), message, UnknownReason::Disagreement(message.to_owned()));
        let name = &self.suite.tests[test].name;
        self.contradiction = Some(format!("{name}: {}", first_line(message)));
    }

    /// Goals that rest on a test (`None`: on any) are unknown from now on.
    pub(crate) fn take_back(&mut self, test: Option<usize>, reason: &UnknownReason) {
        for goal in &mut self.suite.goals {
            let is_touched = match goal.verdict {
                Verdict::Covered { test: by } => test.is_none_or(|test| {
                    // A pair of tests is named by its first: be careful and compare what they cover.
                    by == test || self.suite.tests[test].covers.contains(&goal.goal)
                }),
                Verdict::Infeasible(_)
                | Verdict::InfeasibleWithin { .. }
                | Verdict::Unknown(_)
                | Verdict::Violated { .. }
                | Verdict::Holds(_)
                | Verdict::HoldsWithin { .. } => false,
            };
            if is_touched {
                goal.verdict = Verdict::Unknown(reason.clone());
            }
        }
    }

    /// One property after the other, with everything known about it.
    pub fn properties(&self) -> Vec<PropertyResult<'_>> {
        let checked = &self.checked;
        let pairs = checked.properties.iter().zip(self.verdicts()).zip(&checked.proofs);
        pairs
            .enumerate()
            .map(|(position, ((property, verdict), proof))| {
                let violation =
                    if let Verdict::Violated { test } = verdict { Some(*test) } else { None };
                let example = violation.map(|test| &checked.counter_examples[test]);
                PropertyResult {
                    entry: self.function(),
                    property,
                    verdict,
                    proof: proof.as_deref(),
                    input: example.map(|example| &example.violation.test.input),
                    calls: example.and_then(|example| example.calls.as_deref()),
                    kind: example.map(|example| example.violation.report.kind),
                    test: violation.map(|test| self.suite.tests[test].name.as_str()),
                    confirmed: example.map(|example| self.confirmed(property, example)),
                    dismissal: self.checked.dismissal(position),
                }
            })
            .collect()
    }

    /// What confirmed a counter-example, in words.
    fn confirmed(&self, property: &Property, example: &CounterExample) -> String {
        let is_promise = property.function == self.entry && self.entry != self.function();
        let is_call = property.kind == PropertyKind::Check(CheckKind::Precondition);
        let is_relation = property.kind == PropertyKind::Check(CheckKind::Relation);
        let broken = match (is_promise, is_call) {
            _ if is_relation => "shows it",
            (true, _) => "breaks the promise",
            (false, true) => "makes the call",
            (false, false) => "aborts",
        };
        match &example.sighting {
            None => "confirmed by the interpreter only (--no-exec)".to_owned(),
            Some(Sighting::Aborted) => format!("confirmed: the compiled program {broken}"),
            Some(Sighting::Sanitizer(words)) => format!("confirmed by gcc's sanitizer: {words}"),
            Some(Sighting::Thrown(class)) => format!("confirmed: the JVM throws {class}"),
            Some(Sighting::Specified(words)) => format!("confirmed: {words} show it"),
            Some(Sighting::Signal(_)) => "confirmed: the compiled program crashes".to_owned(),
            Some(Sighting::NotSeen(instead)) => {
                format!("confirmed by the interpreter only: with sanitizers {instead}")
            }
            Some(Sighting::NotRun(why) | Sighting::NotWritten(why)) => {
                format!("confirmed by the interpreter only: {}", first_line(why))
            }
        }
    }
}

pub(crate) fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default()
}
