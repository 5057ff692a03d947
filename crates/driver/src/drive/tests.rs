//! Work that breaks costs only its function.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use glassbox_ir::{OverflowMode, UninitializedMode};
use glassbox_model::config::StubWrites;
use glassbox_testcase::{UnknownReason, Verdict};

use super::functions::{Item, Known, work_on};
use super::*;
use crate::crew::Crew;
use crate::language::Selection;
use crate::listener::{Counted, Standing};
use crate::plan::{self, Budget, Check, CheckScope, Entries, Environment, Generate, Intake, Scope};
use glassbox_emit::java_test::Mocks;

/// Hears nothing and never interrupts.
#[derive(Debug, Clone, Copy)]
struct Silence;

impl Listener for Silence {
    fn diagnostic(&self, _: &str) {}
    fn starts(&self, _: Counted, _: usize) {}
    fn begins(&self, _: &str) {}
    fn stands(&self, _: &str, _: Standing) {}
    fn ends(&self, _: &str, _: &FunctionReport) {}
    fn all_ended(&self) {}
    fn report(&self, _: &Program, _: &FunctionReport) {}
    fn is_interrupted(&self) -> bool {
        false
    }
}

fn plan(path: PathBuf, jobs: usize, task: Task) -> Plan {
    Plan {
        intake: Intake { paths: vec![path], compiler: "cc".to_owned(), ..Intake::default() },
        functions: Vec::new(),
        out: PathBuf::new(),
        budget: Budget {
            clock: crate::plan::Clock::Wall,
            seed: 0,
            paths: 2000,
            length: 8,
            time: Duration::from_secs(20),
            memory: crate::plan::MemoryLimits::default(),
            jobs: NonZeroUsize::new(jobs),
        },
        overflow: OverflowMode::Report,
        executes: false,
        task,
        environment: Environment::default(),
        second_opinion: None,
        keeping: crate::plan::Keeping::default(),
        only: None,
        replaces_tests: false,
    }
}

/// Works on all functions of a source; the one named `bad` breaks.
fn reports(source: &str, jobs: usize, task: Task) -> Vec<FunctionReport> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("some.c");
    std::fs::write(&file, source).expect("writable");
    let plan = plan(file, jobs, task);
    let language = language::read(&plan.intake, plan.task.purpose(), &Silence).expect("a program");
    let all = Selection { names: &[], place: "", is_partial: false };
    let functions = language::select(&*language, all).expect("functions");
    let case = Case::new(&*language, &plan, &functions, &Silence);
    let cache = Cache::default();
    let items = functions.iter().map(|&function| Item { function, key: None }).collect();
    let known = Known::of(&case, &cache, items);
    let crew = Crew::new(plan.budget.jobs);
    let work = |function: FuncId, watch: &Stopwatch<'_>| {
        let name = case.program().function(function).name.as_str();
        assert!(name != "bad", "{name} should be good");
        work(&case, function, watch)
    };
    let (reports, lost) = work_on(&case, &crew, known, work, |_| {});
    assert_eq!(lost, None);
    reports
}

fn is_internal(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Unknown(UnknownReason::Internal(message))
        if message == "bad should be good")
}

#[test]
fn tests_of_other_functions_are_still_found() {
    let source = "int a(int x) { if (x) return 1; return 2; }
int bad(int x) { if (x) return 1; return 2; }
int c(int x) { if (x > 7) return 1; return 2; }
";
    for jobs in [1, 2] {
        let task = Task::Generate(Generate {
            scope: Scope::Unit,
            describes_lines: false,
            criteria: plan::criteria(&["branch".to_owned()]).expect("known"),
            framework: None,
            formats: Vec::new(),
            stub_writes: StubWrites::Pointees,
            all: None,
            random: None,
            allows_reflection: true,
            mocks: Mocks::default(),
            wanted: crate::wanted::Wanted::default(),
        });
        let reports = reports(source, jobs, task);
        let broken: Vec<bool> = reports.iter().map(|report| report.is_broken).collect();
        assert_eq!(broken, [false, true, false], "{jobs} jobs");
        for report in &reports {
            assert_eq!(report.suite.goals.len(), 2);
            for verdict in report.verdicts() {
                assert_eq!(is_internal(verdict), report.is_broken, "{verdict:?}");
            }
        }
    }
}

#[test]
fn properties_of_other_functions_are_still_decided() {
    let source = "int bad(int x) { return 8 / x; }\nint good(int x) { return 8 % x; }\n";
    let task = Task::Check(Check {
        formats: Vec::new(),
        unwind: 32,
        scope: CheckScope::default(),
        allocation_may_fail: false,
        uninitialized: UninitializedMode::Error,
        proves: true,
        entries: Entries::All,
        baseline: None,
        framework: None,
    });
    let reports = reports(source, 2, task);
    assert!(reports[0].is_broken && reports[0].verdicts().all(is_internal));
    assert!(!reports[0].suite.goals.is_empty());
    assert!(!reports[1].is_broken && !reports[1].checked.counter_examples.is_empty());
}
