//! C: sources through our own front-end, tests through the user's compiler.

mod addresses;
mod aliasing;
mod annotated;
mod asked;
mod boundary;
mod callees;
mod clauses;
mod entries;
mod follow;
mod header_folders;
mod intake;
mod mutants;
mod named_files;
mod objects;
mod outside;
mod recount;
mod replay;
mod run;
mod schemata;
mod stub_file;
mod system_headers;
mod target;
pub(crate) mod test_files;
mod units;
mod violation;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, OnceLock};

use glassbox_c_front::flags::Meaning;
use glassbox_c_front::linemap::SourceMap;
use glassbox_c_front::lower::TextPlaces;
use glassbox_contract::Config;
use glassbox_contract::acsl::Assertion;
use glassbox_contract::harness::Frame;
use glassbox_emit::c_obstacle::obstacle;
use glassbox_emit::{Framework, Spellings, UnitNames};
use glassbox_interp::Externals;
use glassbox_ir::{FileId, FuncId, GlobalId, Linkage, OverflowMode, Program};
use glassbox_libc::Libc;
use glassbox_model::config;
use glassbox_replay::Evidence as Sighting;
use glassbox_report::suite_json::evidence::Moment;
use glassbox_testcase::Assumption;

use objects::Objects;
pub(crate) use schemata::CHOICE;
use units::Unit;
pub use units::nearest_database;

use crate::cache::compiler::identity;
use crate::contract;
use crate::function_report::{FunctionReport, Replayed};
use crate::language::{
    Entry, Grouping, Language, Purpose, Recount, Refusal, Schemata, Unwritable, Variant, Written,
};
use crate::plan::{Plan, Scope, Task};
use crate::relation::subject;
use crate::run::{Execution, Ran};

/// Takes what no other language takes.
pub static ENTRY: Entry = Entry {
    accepts: |_| true,
    refuses,
    overflow: OverflowMode::Report,
    criterion: "branch",
    parts: |intake, _, listener| intake::parts(intake, listener),
    join: test_files::join,
};

fn refuses(plan: &Plan) -> Option<String> {
    let task = match &plan.task {
        Task::Generate(task) => task,
        Task::Check(task) => {
            let is_plain = task.framework.is_none_or(|framework| framework == Framework::Plain);
            return (!is_plain).then(|| "counter-examples in C are plain tests".to_owned());
        }
    };
    let is_foreign = task.framework.is_some_and(|framework| framework.c().is_none());
    is_foreign.then(|| {
        "JUnit tests are for Java: give class files, jars, folders or `.java` files".to_owned()
    })
}

/// A program in C.
#[derive(Debug)]
pub struct C {
    program: Program,
    /// The same before locals became values, to look at what tests do.
    unpromoted: Option<Program>,
    config: Option<Config>,
    purpose: Purpose,
    /// Those that could be read.
    units: Vec<Unit>,
    /// What their flags mean.
    meaning: Meaning,
    /// Files that could not.
    left_out: Vec<String>,
    /// The units as compiled code, once some test needs them.
    objects: OnceLock<Result<Objects, String>>,
    /// Functions whose calls need not be looked at, once `check` asks.
    independent: OnceLock<BTreeSet<FuncId>>,
    /// Where runs start, once `gen` asks.
    starts: OnceLock<BTreeMap<FuncId, Vec<FuncId>>>,
    /// Functions whose `restrict` parameters get objects of their own.
    restricted: BTreeSet<String>,
    /// Preprocessed texts, and where things stand in them.
    sources: SourceMap,
    places: TextPlaces,
    /// What each unit calls its own.
    names: Vec<Arc<UnitNames>>,
    /// What each unit has outside of bodies, by digest: compilers see more in it than programs have.
    outsides: Vec<String>,
    /// Bodies of functions that compare calls, for compilers, by name.
    relations: BTreeMap<String, String>,
    /// How tests say that nothing changes that may not, by function.
    frames: BTreeMap<String, Frame>,
    /// What comments between statements assert.
    assertions: Vec<Assertion>,
    /// What comments say and is not looked at: the first of it.
    unread: Option<String>,
    mutants: Vec<mutants::Made>,
    schemata: Vec<schemata::Schemata>,
}

impl C {
    /// The file that tests of a function are about, where the program has others.
    fn own_file(&self, function: FuncId) -> Option<FileId> {
        let function = subject(&self.program, function);
        (self.units.len() > 1).then(|| self.program.function(function).span.file)
    }
}

impl Language for C {
    fn program(&self) -> &Program {
        &self.program
    }

    fn parts_mut(&mut self) -> (&mut Program, Option<&Config>) {
        (&mut self.program, self.config.as_ref())
    }

    fn config(&self) -> Option<&Config> {
        self.config.as_ref()
    }

    fn spellings(&self, function: FuncId) -> Spellings {
        Spellings::of(&self.program, &test_files::names_of(self, function), function)
    }

    fn own_functions(&self) -> Vec<FuncId> {
        intake::own_functions(self)
    }

    fn starts(&self, scope: Scope, function: FuncId) -> Option<Vec<FuncId>> {
        if scope == Scope::Unit {
            return Some(Vec::new());
        }
        let found = || entries::starts(&self.program, &self.own_functions(), scope);
        self.starts.get_or_init(found).get(&function).cloned()
    }

    fn overflow(&self, plan: &Plan) -> OverflowMode {
        if self.meaning.overflow_wraps { OverflowMode::Wrap } else { plan.overflow }
    }

    fn weaken(&self, report: &mut FunctionReport) {
        aliasing::rest_on_lengths(&self.program, self.config.as_ref(), report);
        let mut starts = report.starts.iter().copied().chain([report.function()]);
        if self.meaning.has_effective_types
            || !starts.any(|start| aliasing::follows_pointers(&self.program, start))
        {
            return;
        }
        // Paths and graphs take them for granted; without types, objects of one type may overlap in parts, too.
        for goal in &mut report.suite.goals {
            goal.verdict.rest_on(&[Assumption::EffectiveTypes, Assumption::PointersToStarts]);
        }
    }

    /// What tests of a function have no name for is not looked at, nor what depends on addresses.
    fn look(&self, report: &mut FunctionReport) {
        addresses::forget(self, report);
        let function = report.function();
        for test in &mut report.suite.tests {
            let Some(file) = self.own_file(test.through.unwrap_or(function)) else { return };
            let is_known = |global: GlobalId| {
                let declared = self.program.global(global);
                declared.linkage == Linkage::External || declared.span.file == file
            };
            test.expected.changed_globals.retain(|(global, _)| is_known(*global));
            test.expected.written_globals.retain(|written| is_known(written.global));
        }
    }

    fn manner(&self) -> Option<String> {
        let read = (&self.restricted, &self.unread);
        Some(format!("{:?} {:?} {read:?}", self.meaning, self.purpose))
    }

    fn exchange_unpromoted(&mut self) -> bool {
        let Some(other) = &mut self.unpromoted else { return false };
        std::mem::swap(&mut self.program, other);
        true
    }

    fn follow(&self, report: &FunctionReport) -> Vec<Vec<Moment>> {
        follow::moments(self, report)
    }

    fn left_out(&self) -> &[String] {
        &self.left_out
    }

    fn complete(&mut self, _length: u64) {
        if self.purpose == Purpose::Generate {
            outside::replace(&mut self.program, self.config.as_ref());
        }
    }

    fn inputs(&self, plan: &Plan, function: FuncId) -> config::Config {
        let common = config::Config {
            max_length: plan.budget.length.max(contract::longest(self, function)),
            own_file: self.own_file(function),
            follows_text: true,
            globals_are_inputs: self.program.function(function).name != "main",
            ..config::Config::default()
        };
        match &plan.task {
            Task::Generate(task) => config::Config { stub_writes: task.stub_writes, ..common },
            Task::Check(task) => {
                config::Config { allocation_may_fail: task.allocation_may_fail, ..common }
            }
        }
    }

    fn library(&self) -> Box<dyn Externals> {
        Box::new(Libc::new())
    }

    fn unread(&self) -> Option<&str> {
        self.unread.as_deref()
    }

    fn keeps_apart(&self, function: FuncId) -> bool {
        self.restricted.contains(&self.program.function(function).name)
    }

    fn answers_for_itself(&self, _function: FuncId, other: FuncId) -> bool {
        let found = || callees::that_answer_for_themselves(&self.program);
        self.independent.get_or_init(found).contains(&other)
    }

    fn grouping(&self) -> Grouping {
        Grouping::Some
    }

    fn surroundings(&self, plan: &Plan) -> Option<String> {
        // Every part is named here, so that a new one is not forgotten.
        let C {
            // What functions depend on has its own digests.
            program: _,
            unpromoted: _,
            config: _,
            purpose,
            units,
            meaning,
            // Only how the run ends depends on it.
            left_out: _,
            restricted,
            relations,
            frames,
            assertions,
            unread,
            outsides,
            // They are functions of the program.
            mutants: _,
            // What is found out later, and how tests are written.
            objects: _,
            independent: _,
            starts: _,
            sources: _,
            places: _,
            names: _,
            schemata: _,
        } = self;
        let mut compilers = BTreeMap::new();
        let named: Vec<String> =
            units.iter().map(|unit| named_files::digest(&unit.flags)).collect();
        for unit in units.iter().filter(|_| plan.executes) {
            let command = unit.compiler.as_ref().unwrap_or(&plan.intake.compiler);
            compilers.insert(command, identity(command)?);
        }
        let said = (restricted, relations, frames, assertions, unread, outsides);
        Some(format!("{purpose:?} {units:?} {meaning:?} {said:?} {compilers:?} {named:?}"))
    }

    fn unwritable(&self, plan: &Plan, report: &FunctionReport) -> Vec<Unwritable> {
        // Without a compiler nothing is confirmed, and the note about that says it.
        if !plan.executes || report.suite.tests.is_empty() {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (called, tests) in report.all_called() {
            let Some(why) = obstacle(&self.program, called) else { continue };
            if called == report.function() {
                return vec![Unwritable::All(why)];
            }
            let one = |test: usize| Unwritable::One { test, why: format!("{why}, in a caller") };
            found.extend(tests.into_iter().map(one));
        }
        found
    }

    fn replay(&self, plan: &Plan, reports: &[FunctionReport]) -> Vec<Result<Replayed, String>> {
        if let Some(why) = target::obstacle(self.meaning.target.machine) {
            return reports.iter().map(|_| Err(why.clone())).collect();
        }
        replay::replay(self, plan, reports)
    }

    fn replay_violations(
        &self,
        plan: &Plan,
        reports: &[FunctionReport],
    ) -> Vec<Result<Vec<Sighting>, String>> {
        if let Some(why) = target::obstacle(self.meaning.target.machine) {
            return reports.iter().map(|_| Err(why.clone())).collect();
        }
        reports.iter().map(|report| violation::replay(self, plan, report)).collect()
    }

    fn emit(&self, plan: &Plan, reports: &[FunctionReport]) -> Written {
        match &plan.task {
            Task::Generate(task) => test_files::emit(self, plan, task, reports),
            Task::Check(_) => violation::emit(self, plan, reports),
        }
    }

    fn recount(
        &self,
        plan: &Plan,
        functions: &[FuncId],
    ) -> Result<BTreeMap<FuncId, Recount>, String> {
        recount::recount(self, plan, functions)
    }

    fn variants(&self, function: FuncId) -> Vec<Variant> {
        mutants::variants(self, function)
    }

    fn schemata(&self, _folder: &Path) -> Result<Schemata, String> {
        Ok(mutants::schemata(self))
    }

    fn run(&self, execution: Execution) -> Result<Ran, Refusal> {
        run::run(self, execution)
    }
}
