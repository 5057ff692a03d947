//! Tests that there are already: those of the suite that an earlier run left where this one writes.
//!
//! A function that has changed since begins with the inputs of its tests: those that still reach something are kept, and
//! those that do not are named. A function that is as it was begins as it did then, so that the same run leaves the same
//! bytes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

use glassbox_coverage::{Goal, Tracker};
use glassbox_explore::{Aim, TestRunner};
use glassbox_ir::{FuncId, Program};
use glassbox_report::data;
use glassbox_report::data::begun::{Begun, begun};
use glassbox_report::data::test::{Inputs, Test};
use glassbox_report::{diff, suite_json};
use glassbox_testcase::TestInput;

use crate::depends::{Dependence, dependences};
use crate::drive::Case;
use crate::language::{Grouping, Language};
use crate::listener::Listener;
use crate::plan::{Plan, Task};

/// Instructions of one run.
const RUN_STEPS: u64 = 1_000_000;

/// The suite of an earlier run.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    path: PathBuf,
    /// By name; several files may have one of the same name.
    functions: BTreeMap<String, Vec<Begun>>,
}

/// How the work on one function begins.
#[derive(Debug)]
pub(crate) struct Beginning {
    pub(crate) dependence: Dependence,
    /// What is tried first.
    pub(crate) seeds: Vec<Inputs>,
    /// The function as it was, where it has changed.
    before: Option<data::Function>,
}

/// By function; empty where tests of all functions are built together.
pub(crate) type Beginnings = BTreeMap<FuncId, Beginning>;

impl Earlier {
    /// Parts of a run are worked on elsewhere and begin with nothing.
    pub(crate) fn of(plan: &Plan, listener: &dyn Listener) -> Earlier {
        let is_part = plan.keeping.shard.is_some() || plan.keeping.parts.is_some();
        let Task::Generate(_) = plan.task else { return Earlier::default() };
        let path = plan.out.join("suite.json");
        // A device has no end.
        let is_there = std::fs::metadata(&path).is_ok_and(|found| found.is_file());
        if is_part || !is_there {
            return Earlier::default();
        }
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if !text.starts_with('{') || !text.trim_end().ends_with('}') {
            let what = "this is no whole suite: nothing begins with its tests";
            listener.diagnostic(&format!("warning: {}: {what}\n", path.display()));
        }
        let mut functions: BTreeMap<String, Vec<Begun>> = BTreeMap::new();
        for function in begun(&text).into_iter().filter(|it| !it.depends.is_empty()) {
            functions.entry(function.name.clone()).or_default().push(function);
        }
        Earlier { path, functions }
    }

    pub(crate) fn beginnings(&self, language: &dyn Language, functions: &[FuncId]) -> Beginnings {
        if language.grouping() == Grouping::Together {
            return Beginnings::new();
        }
        let program = language.program();
        let all = dependences(program, functions, language.config());
        let beginning = |(&function, dependence): (&FuncId, Dependence)| {
            let (name, file) = named(program, function);
            let is_it = |known: &&Begun| known.file.as_deref() == file;
            let known = self.functions.get(name).and_then(|known| known.iter().find(is_it));
            let beginning = match known {
                None => Beginning { dependence, seeds: Vec::new(), before: None },
                Some(known) if known.depends == dependence.digest => {
                    Beginning { dependence, seeds: known.seeds.clone(), before: None }
                }
                Some(known) => {
                    let before = self.before(known);
                    // What calls another function has the inputs of that one.
                    let tests = before.iter().flat_map(|before| &before.tests);
                    let tests = tests.filter(|test| test.through.is_none());
                    let seeds = tests.map(|test| test.inputs.clone()).collect();
                    Beginning { dependence, seeds, before }
                }
            };
            (function, beginning)
        };
        functions.iter().zip(all).map(beginning).collect()
    }

    /// The function as it was. It is read only now: most functions are as they were, and suites are long.
    fn before(&self, known: &Begun) -> Option<data::Function> {
        let mut file = File::open(&self.path).ok()?;
        file.seek(SeekFrom::Start(u64::try_from(known.place.start).ok()?)).ok()?;
        let mut text = vec![0; known.place.len()];
        file.read_exact(&mut text).ok()?;
        let before: data::Function = serde_json::from_slice(&text).ok()?;
        // Another run may have replaced the file.
        let is_it = before.name == known.name && before.depends == known.depends;
        is_it.then_some(before)
    }
}

fn named(program: &Program, function: FuncId) -> (&str, Option<&str>) {
    let declared = program.function(function);
    let file = program.files.get(declared.span.file.index());
    (&declared.name, file.map(|file| file.path.as_str()))
}

impl Beginning {
    /// Whether the function is another one than that of the earlier suite.
    pub(crate) fn has_changed(&self) -> bool {
        self.before.is_some()
    }

    /// What is tried first, as far as it still fits.
    pub(crate) fn inputs(&self, program: &Program, aim: Aim) -> Vec<TestInput> {
        let read = |seed: &Inputs| suite_json::read_input(program, aim.entry, seed);
        self.seeds.iter().filter_map(read).collect()
    }

    /// Tests that no longer reach what they reached, with what the function did and does.
    pub(crate) fn lost(&self, case: &Case<'_>, aim: Aim, goals: &[Goal]) -> Vec<String> {
        let Some(before) = &self.before else { return Vec::new() };
        let options = glassbox_interp::Options {
            watch: Some(aim.function),
            ..TestRunner::options(RUN_STEPS)
        };
        let mut runner = TestRunner::new(case.program(), options, case.language.library());
        let own = before.tests.iter().filter(|test| test.through.is_none());
        let looked = own.filter_map(|test| {
            let shown = Looked { case, aim, goals, before }.lost(&mut runner, test)?;
            Some(format!("the earlier test {} {shown}", test.id))
        });
        looked.collect()
    }
}

/// A test of an earlier suite that is run again.
struct Looked<'a> {
    case: &'a Case<'a>,
    aim: Aim,
    goals: &'a [Goal],
    before: &'a data::Function,
}

impl Looked<'_> {
    /// What it reached and does not reach now, in words.
    fn lost(&self, runner: &mut TestRunner<'_>, test: &Test) -> Option<String> {
        let Looked { case, aim, goals, before } = self;
        let program = case.program();
        let Some(input) = suite_json::read_input(program, aim.entry, &test.inputs) else {
            return Some("does not fit the function any more".to_owned());
        };
        let run = runner.run(aim.entry, &input).ok()?;
        let facts = runner.facts(aim.function, &run);
        let mut tracker = Tracker::new(program.body(aim.function), goals);
        let reached = tracker.add(0, &facts).reached;
        let is_reached = |text: &str| reached.iter().any(|&goal| goals[goal].text == text);
        // What takes two runs to show is not lost by one of them.
        let covered = before.goals.iter().filter(|goal| test.covers.contains(&goal.id));
        let alone = covered.filter(|goal| goal.pair.is_none());
        let lost = alone.map(|goal| goal.text.as_str()).find(|text| !is_reached(text))?;
        let now = suite_json::expected(program, aim.function, &input, &run.observation);
        let (was, is) = (diff::words(&test.expected), diff::words(&now));
        let is_gone = !goals.iter().any(|goal| goal.text == lost);
        let does = if was == is { is.clone() } else { format!("{was} before, {is} now") };
        match is_gone {
            true if was == is => None,
            true => Some(format!("reached `{lost}`, which is gone: {does}")),
            false => Some(format!("no longer reaches `{lost}`: {does}")),
        }
    }
}
