//! Java and whatever else becomes JVM bytecode: classes through our own reader, tests through a JVM.

mod allocation;
mod annotation;
mod begun;
mod beyond;
mod calls;
mod changed_state;
mod comparable;
mod confirm;
mod contract;
mod expression;
mod how_to_run;
mod identity;
mod intake;
mod made_method;
mod mutants;
mod named_methods;
pub(crate) mod older;
mod overridden;
mod parts;
mod probes;
mod read_files;
mod relation;
mod relation_runtime;
mod relation_tests;
mod run;
mod search;
mod second_call;
mod sequences;
mod shorten;
mod statics;
mod subject;
mod surroundings;
mod tests;
mod texts;
mod version_tests;
mod versions;
mod violation;
mod written_inputs;

use std::path::Path;

use glassbox_contract::Config;
use glassbox_coverage::{Asked, Properties, PropertyKind};
use glassbox_emit::Framework;
use glassbox_emit::java_test::{Mocks, obstacle};
use glassbox_explore::Aim;
use glassbox_interp::{Externals, Started};
use glassbox_ir::{CheckKind, FileOrigin, FuncId, OverflowMode, Program};
use glassbox_jvm_front::{ErrorOrigin, JavaProgram};
use glassbox_libc::JavaLibrary;
use glassbox_model::config;
use glassbox_replay::Evidence as Sighting;
use glassbox_replay::java::Jdk;
use glassbox_report::data::SuiteData;
use glassbox_report::data::test::Inputs;
use glassbox_testcase::java::JvmConfirmation;
use glassbox_testcase::{NotCompared, TestInput};

use crate::cache::Digest;
use crate::drive::Case;
use crate::function_report::{FunctionReport, Replayed};
use crate::language::{
    Entry, Grouping, Language, Purpose, Reflective, Refusal, Schemata, Unwritable, Variant, Written,
};
use crate::plan::{Check, Entries, Generate, JavaAssertions, Plan, Scope, Task};
use crate::relation::subject;
use crate::run::{Execution, Ran};
use crate::stopwatch::Stopwatch;
use read_files::{add_files, add_program};

pub static ENTRY: Entry = Entry {
    accepts: intake::accepts,
    refuses,
    overflow: OverflowMode::Wrap,
    criterion: "branch",
    parts: |intake, purpose, _| Ok(parts::parts(intake, purpose)),
    // Tests of several programs are in one folder, and one command runs them.
    join: |_, _| Written::default(),
};

fn refuses(plan: &Plan) -> Option<String> {
    match &plan.task {
        Task::Generate(task) if task.scope != Scope::Unit => Some(
            "--scope is about C: private methods are tested through public ones anyway".to_owned(),
        ),
        Task::Generate(task) => {
            if let Some(why) = foreign(task.framework) {
                return Some(why);
            }
            let is_plain = task.framework == Some(Framework::Plain);
            (is_plain && task.mocks == Mocks::Mockito)
                .then(|| "--mocks mockito needs tests for junit4 or junit5".to_owned())
        }
        Task::Check(task) => {
            let is_of_c = task.scope.unsigned_wrap
                || task.scope.conversions
                || task.scope.exact_calls
                || task.scope.heap.is_some()
                || task.scope.leaks
                || task.allocation_may_fail
                || task.entries != Entries::All
                || matches!(task.scope.asked, Asked::Specified(_));
            let foreign = foreign(task.framework);
            foreign.or_else(|| is_of_c.then(|| {
                "--property, --leak, --unsigned-wrap, --lossy-conversion, --exact-calls, --heap, --malloc-may-fail and --entries are about C".to_owned()
            }))
        }
    }
}

/// Why tests are not written for a framework.
fn foreign(framework: Option<Framework>) -> Option<String> {
    let name = framework.filter(|framework| framework.java().is_none())?.name();
    Some(format!("tests for {name} are for C: Java has plain, junit4, junit5"))
}

/// A program for the JVM.
#[derive(Debug)]
pub struct Jvm {
    java: JavaProgram,
    /// `None` where only classes were read.
    jdk: Option<Jdk>,
    classes: intake::Classes,
    assertions: JavaAssertions,
    purpose: Purpose,
    /// Other classes that are worked on are in other programs.
    is_portion: bool,
    contracts: Option<contract::Contracts>,
    /// The methods that are worked on where none are named.
    entries: Vec<FuncId>,
    /// What initializers of the JDK left.
    started: Started,
    /// What static fields hold that methods change, when their classes have started.
    statics: statics::Statics,
    /// By mutant of `java`.
    mutants: Vec<mutants::Described>,
    /// The older version that a method is compared with.
    older: Option<intake::Classes>,
    /// What the comparison with an older version leaves out.
    older_left_out: Vec<NotCompared>,
}

impl Language for Jvm {
    fn program(&self) -> &Program {
        &self.java.program
    }

    fn parts_mut(&mut self) -> (&mut Program, Option<&Config>) {
        (&mut self.java.program, None)
    }

    fn config(&self) -> Option<&Config> {
        self.contracts.as_ref().map(|contracts| &contracts.config)
    }

    fn own_functions(&self) -> Vec<FuncId> {
        self.entries.clone()
    }

    fn complete(&mut self, length: u64) {
        self.java.program.shape_objects(length);
        if let Some(outcomes) = &mut self.java.outcomes {
            outcomes.shape_objects(length);
        }
    }

    fn inputs(&self, plan: &Plan, _function: FuncId) -> config::Config {
        config::Config {
            max_length: plan.budget.length,
            globals_are_inputs: false,
            ..config::Config::default()
        }
    }

    fn surroundings(&self, plan: &Plan) -> Option<String> {
        let jdk = self.jdk.as_ref()?;
        let mut digest = Digest::default();
        let given = std::env::split_paths(&self.classes.given_path);
        let paths = plan.intake.paths.iter().chain(&plan.intake.class_path).cloned();
        // What `equiv` compares with.
        let older = plan.intake.reference.iter().map(|reference| reference.path.clone());
        let release = jdk.home.join("release");
        add_files(paths.chain(given).chain(older).chain([release]), &mut digest);
        add_program(&self.java.program, &mut digest);
        self.java.outcomes.iter().for_each(|program| add_program(program, &mut digest));
        digest.add(&jdk.home.display().to_string());
        let image = std::fs::metadata(jdk.home.join("lib/modules"));
        digest.add_value(&image.ok().map(|found| (found.len(), found.modified().ok())));
        // Sources that were found beside classes, which results quote.
        for file in self.java.program.files.iter().filter(|it| it.origin != FileOrigin::System) {
            digest.add_value(&(&file.path, &file.text));
        }
        if let Some(config) = self.config() {
            digest.add_value(&(&config.path, &config.text));
        }
        digest.add_value(&(self.purpose, self.assertions));
        Some(digest.finish())
    }

    fn library(&self) -> Box<dyn Externals> {
        Box::new(JavaLibrary::new())
    }

    fn weaken(&self, report: &mut FunctionReport) {
        surroundings::weaken(self, report);
    }

    fn look(&self, report: &mut FunctionReport) {
        search::look(&self.java, report);
    }

    fn retry(
        &self,
        case: &Case<'_>,
        task: &Check,
        report: &mut FunctionReport,
        watch: &Stopwatch<'_>,
    ) {
        calls::retry(self, case, task, report, watch);
    }

    fn search_further(&self, case: &Case<'_>, report: &mut FunctionReport, watch: &Stopwatch<'_>) {
        search::search_further(&self.java, case, report, watch);
    }

    fn look_at_added(&self, report: &mut FunctionReport) {
        search::look_at_added(&self.java, report);
    }

    fn similar(&self, input: &TestInput) -> Vec<TestInput> {
        search::similar(&self.java.program, input)
    }

    fn tells_apart(&self, function: FuncId, mutant: FuncId, input: &TestInput) -> bool {
        search::tells_apart(&self.java, function, mutant, input)
    }

    fn not_compared(&self, relation: FuncId) -> Vec<NotCompared> {
        relation_tests::not_compared(self, relation)
    }

    fn variants(&self, function: FuncId) -> Vec<Variant> {
        mutants::variants(self, function)
    }

    fn schemata(&self, folder: &Path) -> Result<Schemata, String> {
        mutants::schemata(self, folder)
    }

    fn grouping(&self) -> Grouping {
        Grouping::Together
    }

    fn name_tests(&self, reports: &mut [FunctionReport]) {
        tests::rename(&self.java, reports);
    }

    fn unwritable(&self, _plan: &Plan, report: &FunctionReport) -> Vec<Unwritable> {
        if let Some(why) = tests::uncallable(&self.java, report.function()) {
            return vec![Unwritable::All(why)];
        }
        let why = |test: usize| match report.objects.get(test) {
            Some(object) => obstacle(&object.observed),
            None => Some("it could not be run again".to_owned()),
        };
        let tests = 0..report.suite.tests.len();
        tests.filter_map(|test| Some(Unwritable::One { test, why: why(test)? })).collect()
    }

    fn reflective(&self, reports: &[FunctionReport]) -> Vec<Reflective> {
        tests::reflective(self, reports)
    }

    fn replay(&self, _plan: &Plan, reports: &[FunctionReport]) -> Vec<Result<Replayed, String>> {
        confirm::replay(self, reports)
    }

    fn confirmation(&self, n_seen: Option<usize>, n_covered: usize) -> Option<JvmConfirmation> {
        Some(match n_seen {
            Some(n_seen) if n_seen == n_covered => JvmConfirmation::Coverage,
            Some(n_seen) => JvmConfirmation::SomeCoverage { n_seen, n_unseen: n_covered - n_seen },
            None => JvmConfirmation::Results,
        })
    }

    fn replay_violations(
        &self,
        plan: &Plan,
        reports: &[FunctionReport],
    ) -> Vec<Result<Vec<Sighting>, String>> {
        violation::replay(self, plan, reports)
    }

    fn defines_errors(&self) -> bool {
        true
    }

    fn doubtful(&self, report: &FunctionReport) -> Vec<(usize, String)> {
        // Whoever wrote a contract of a method has said in which states it is called; an invariant may admit states
        // that are never reached.
        let contracts = self.contracts.as_ref();
        let of = subject(&self.java.program, report.function());
        let is_explicit = self.contract(of).is_some_and(|(_, contract, _)| {
            contracts.is_some_and(|known| !known.only_invariants.contains(&contract.function))
        });
        if is_explicit {
            return Vec::new();
        }
        if self.java.hidden.contains(&report.function()) {
            return violation::doubtful_arguments(&self.java, report);
        }
        violation::doubtful(&self.java, report)
    }

    fn answers_for_itself(&self, function: FuncId, other: FuncId) -> bool {
        // Searches start from fresh classes and from what contracts require.
        self.contract(other).is_none()
            && !self.java.influences.may_change(function, other)
            && !self.java.hidden.contains(&other)
    }

    fn narrow(&self, properties: &mut Properties, start: FuncId, function: FuncId, own: &[FuncId]) {
        if start == function {
            return;
        }
        // What the function requires is assumed, unless it calls itself.
        let is_required = PropertyKind::Check(CheckKind::Precondition);
        let is_recursive = self.java.influences.is_recursive(function);
        properties.keep_places(function, |_, kind| kind != is_required || is_recursive);
        // The function around the method judges errors of all that it calls.
        let origins = &self.java.origins;
        let is_promise = |kind| kind == PropertyKind::Check(CheckKind::Assertion);
        properties.keep_places(start, |span, kind| {
            let is_told = |origin: &&ErrorOrigin| {
                (origin.span, PropertyKind::Check(origin.kind)) == (span, kind)
            };
            let is_judged = origins.iter().any(|origin| is_told(&origin));
            (is_promise(kind) && !is_judged)
                || origins.iter().any(|origin| {
                    (origin.span, PropertyKind::Check(origin.kind)) == (span, kind)
                        && own.contains(&origin.function)
                })
        });
    }

    fn read_input(&self, aim: Aim, inputs: &Inputs) -> Option<(FuncId, TestInput)> {
        written_inputs::read(&self.java, aim, inputs)
    }

    fn describe(&self, reports: &[FunctionReport], suite: &mut SuiteData) {
        written_inputs::describe(&self.java, reports, suite);
    }

    fn emit(&self, plan: &Plan, reports: &[FunctionReport]) -> Written {
        match &plan.task {
            Task::Generate(Generate { framework, mocks, .. }) => {
                let manner = tests::Manner { framework: *framework, mocks: *mocks };
                tests::emit(self, plan, manner, reports)
            }
            Task::Check(Check { framework, .. }) => {
                let manner = tests::Manner { framework: *framework, ..tests::Manner::default() };
                tests::emit(self, plan, manner, reports)
            }
        }
    }

    fn run(&self, execution: Execution) -> Result<Ran, Refusal> {
        run::run(&self.java, execution)
    }
}
