//! Specifications by rewriting rules: tests as data, and of implementations in C or Java.

mod c_tests;
mod data;
mod intake;
mod java_tests;
mod judge;
mod template;

use glassbox_contract::Config;
use glassbox_emit::Framework;
use glassbox_interp::Externals;
use glassbox_ir::{FuncId, OverflowMode, Program};
use glassbox_libc::Libc;
use glassbox_model::config;
use glassbox_replay::Evidence as Sighting;
use glassbox_report::data::SuiteData;
use glassbox_rules_front::Spec;
use glassbox_rules_front::lower::Lowered;
use glassbox_testcase::{Assumption, UnknownReason, Verdict};

use crate::c;
use crate::drive::Case;
use crate::function_report::{FunctionReport, Replayed};
use crate::language::{Entry, Grouping, Language, Refusal, Unwritable, Written};
use crate::plan::{Entries, Generate, Plan, Scope, Task};
use crate::run::{Execution, Ran};
use crate::stopwatch::Stopwatch;

pub static ENTRY: Entry = Entry {
    accepts: intake::accepts,
    refuses,
    overflow: OverflowMode::Wrap,
    criterion: "rule",
    parts: |intake, _, _| intake::parts(intake),
    join: c::test_files::join,
};

fn refuses(plan: &Plan) -> Option<String> {
    let task = match &plan.task {
        Task::Check(task) => task,
        Task::Generate(task) if task.scope != Scope::Unit => {
            return Some("--scope is about programs".to_owned());
        }
        Task::Generate(task) => {
            let what =
                "--random is about programs: parts of terms that no rule looks at are not drawn";
            return task.random.map(|_| what.to_owned());
        }
    };
    let is_of_programs = task.scope.unsigned_wrap
        || task.scope.conversions
        || task.scope.exact_calls
        || task.scope.heap.is_some()
        || task.scope.leaks
        || task.scope.uncaught
        || task.allocation_may_fail
        || task.entries != Entries::All;
    is_of_programs.then(|| {
        "--leak, --unsigned-wrap, --lossy-conversion, --exact-calls, --heap, --malloc-may-fail, --entries and --uncaught are about programs"
            .to_owned()
    })
}

/// A specification.
#[derive(Debug)]
pub struct Rules {
    program: Program,
    spec: Spec,
    /// By function of the specification.
    lowered: Vec<Lowered>,
    config: Option<Config>,
    /// Where its tests go, below the folder of all tests.
    folder: String,
    depth: u32,
    recursion: u32,
}

impl Rules {
    /// The position in the specification of a function of the program.
    fn position(&self, function: FuncId) -> usize {
        let found = self.lowered.iter().position(|lowered| lowered.function == function);
        found.unwrap_or_default()
    }

    /// Adds the tests of an implementation.
    fn emit_implemented(
        &self,
        plan: &Plan,
        task: &Generate,
        reports: &[FunctionReport],
        written: &mut Written,
    ) {
        let is_java = self.config.as_ref().is_some_and(|config| {
            config.rules.source.as_deref().is_some_and(|source| source.ends_with(".java"))
        });
        let framework = task.framework.unwrap_or(Framework::Plain);
        match (framework.c(), framework.java()) {
            (Some(tests), None) => c_tests::emit(self, plan, tests, reports, written),
            (Some(tests), Some(_)) if !is_java => {
                c_tests::emit(self, plan, tests, reports, written);
            }
            (_, Some(style)) => java_tests::emit(self, plan, style, reports, written),
            (None, None) => {}
        }
    }
}

impl Language for Rules {
    fn program(&self) -> &Program {
        &self.program
    }

    fn parts_mut(&mut self) -> (&mut Program, Option<&Config>) {
        (&mut self.program, None)
    }

    fn own_functions(&self) -> Vec<FuncId> {
        self.lowered.iter().map(|lowered| lowered.function).collect()
    }

    fn overflow(&self, _plan: &Plan) -> OverflowMode {
        OverflowMode::Wrap
    }

    fn complete(&mut self, _length: u64) {}

    fn inputs(&self, _plan: &Plan, _function: FuncId) -> config::Config {
        config::Config { globals_are_inputs: false, ..config::Config::default() }
    }

    fn library(&self) -> Box<dyn Externals> {
        Box::new(Libc::new())
    }

    /// Proofs do not speak of runs that were left out.
    fn weaken(&self, report: &mut FunctionReport) {
        let function = report.function();
        let hits = self.lowered[self.position(function)].hits;
        let depth = hits.depth.then_some(Assumption::TermDepth(self.depth));
        let recursion = hits.recursion.then_some(Assumption::LoopTurns(self.recursion));
        let bounds: Vec<Assumption> = depth.into_iter().chain(recursion).collect();
        for goal in &mut report.suite.goals {
            goal.verdict.rest_on(&bounds);
            if hits.size && goal.verdict.is_proof() {
                let what = "the calls of this function are too many to be looked into".to_owned();
                let span = self.program.function(function).span;
                goal.verdict = Verdict::Unknown(UnknownReason::Unsupported { what, span });
            }
        }
    }

    fn search_further(&self, case: &Case<'_>, report: &mut FunctionReport, _: &Stopwatch<'_>) {
        if let Task::Generate(task) = &case.plan.task
            && let Some(framework) = task.framework
        {
            report.notes.extend(template::missing(self, report.function(), framework));
        }
    }

    fn grouping(&self) -> Grouping {
        Grouping::Some
    }

    fn judges_apart(&self) -> bool {
        true
    }

    fn unwritable(&self, _plan: &Plan, _report: &FunctionReport) -> Vec<Unwritable> {
        Vec::new()
    }

    fn replay(&self, _plan: &Plan, reports: &[FunctionReport]) -> Vec<Result<Replayed, String>> {
        reports.iter().map(|report| Ok(judge::replay(self, report))).collect()
    }

    fn replay_violations(
        &self,
        _plan: &Plan,
        reports: &[FunctionReport],
    ) -> Vec<Result<Vec<Sighting>, String>> {
        reports.iter().map(|report| Ok(judge::violations(self, report))).collect()
    }

    fn describe(&self, reports: &[FunctionReport], suite: &mut SuiteData) {
        data::describe(self, reports, suite);
    }

    fn emit(&self, plan: &Plan, reports: &[FunctionReport]) -> Written {
        let mut written = data::emit(self, reports);
        if let Task::Generate(task) = &plan.task {
            self.emit_implemented(plan, task, reports, &mut written);
        }
        if !self.folder.is_empty() {
            for file in &mut written.files {
                file.name = format!("{}/{}", self.folder, file.name);
            }
        }
        written
    }

    fn run(&self, _execution: Execution) -> Result<Ran, Refusal> {
        Err(Refusal::error(
            "a specification is not run: `gen` makes tests of it, `check` proves it complete",
        ))
    }
}
