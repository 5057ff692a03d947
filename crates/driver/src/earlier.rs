//! Tests that there are already: those of the suite that an earlier run left where this one writes.
//!
//! A function that has changed since begins with the inputs of its tests: those that still reach something are kept, and
//! those that do not, or with which it does something else, are named. What it does with all of them is part of its result,
//! so that suites are compared by inputs that no test has any more. A function that is as it was begins as it did then, so that the same run leaves the same
//! bytes.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use glassbox_coverage::{Goal, Tracker};
use glassbox_explore::{Aim, TestRunner};
use glassbox_ir::{FuncId, Program};
use glassbox_report::data;
use glassbox_report::data::begun::{self, Begun, begun};
use glassbox_report::data::test::{Expected, Inputs, Rerun, Test};
use glassbox_report::{diff, suite_json};
use glassbox_testcase::{TestInput, suite};

use crate::contract;
use crate::depends::{Dependence, dependences};
use crate::drive::Case;
use crate::function_report::FunctionReport;
use crate::language::Language;
use crate::listener::Listener;
use crate::plan::{Keeping, Plan, Task};
use crate::save::save;
use crate::shard::{Division, entries};

const SUITE: &str = "suite.json";

/// What the functions of a part began with, beside its results.
const EARLIER: &str = "earlier.json";

/// Instructions of one run.
const RUN_STEPS: u64 = 1_000_000;

/// Inputs of earlier suites that a function is run with; those of the last one are all taken.
const MOST_INPUTS: usize = 50;

/// The suite of an earlier run; what parts began with are several files.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    /// By name; several files may have one of the same name.
    functions: BTreeMap<String, Vec<Known>>,
}

/// A function of an earlier suite, and the file that has the suite.
#[derive(Debug)]
struct Known {
    path: PathBuf,
    begun: Begun,
}

/// How the work on one function begins.
#[derive(Debug)]
pub(crate) struct Beginning {
    pub(crate) dependence: Dependence,
    /// What is tried first.
    pub(crate) seeds: Vec<Inputs>,
    /// Inputs of earlier suites, the last one first: what is done with them is looked at.
    again: Vec<Inputs>,
    /// The function as it was, where it has changed.
    before: Option<data::Function>,
}

/// By function.
pub(crate) type Beginnings = BTreeMap<FuncId, Beginning>;

impl Earlier {
    /// A part of a run has its own folder, and begins with the suite that it is given. What parts began with is what they make
    /// together begins with.
    pub(crate) fn of(plan: &Plan, listener: &dyn Listener) -> Earlier {
        let Keeping { shard, shard_earlier, parts, .. } = &plan.keeping;
        let mut earlier = Earlier::default();
        let Task::Generate(_) = plan.task else { return earlier };
        match (shard, parts) {
            (Some(_), _) => {
                let Some(folder) = shard_earlier else { return earlier };
                let path = folder.join(SUITE);
                if !earlier.add(&path, listener) {
                    let what = "there is no suite: nothing begins with its tests";
                    listener.diagnostic(&format!("warning: {}: {what}\n", path.display()));
                }
            }
            (None, Some(parts)) => {
                for folder in &parts.folders {
                    earlier.add(&folder.join(EARLIER), listener);
                }
            }
            (None, None) => {
                earlier.add(&plan.out.join(SUITE), listener);
            }
        }
        earlier
    }

    /// Adds the functions of a suite; whether there is one.
    fn add(&mut self, path: &Path, listener: &dyn Listener) -> bool {
        // A device has no end.
        if !std::fs::metadata(path).is_ok_and(|found| found.is_file()) {
            return false;
        }
        let text = std::fs::read_to_string(path).unwrap_or_default();
        if !text.starts_with('{') || !text.trim_end().ends_with('}') {
            let what = "this is no whole suite: nothing begins with its tests";
            listener.diagnostic(&format!("warning: {}: {what}\n", path.display()));
        }
        for begun in begun(&text).into_iter().filter(|it| !it.depends.is_empty()) {
            let name = begun.name.clone();
            let known = Known { path: path.to_path_buf(), begun };
            self.functions.entry(name).or_default().push(known);
        }
        true
    }

    /// The function of this name in this file.
    fn known(&self, name: &str, file: Option<&str>) -> Option<&Known> {
        self.functions.get(name)?.iter().find(|known| known.begun.file.as_deref() == file)
    }

    /// Leaves what the functions of a part began with, for whoever puts the parts together.
    pub(crate) fn leave(&self, plan: &Plan, division: &Division) -> Result<(), String> {
        if plan.keeping.shard.is_none() {
            return Ok(());
        }
        let known = division.own().filter_map(|(name, file)| self.known(name, file));
        let texts: Vec<String> = known.filter_map(Known::text).collect();
        let path = entries(&plan.out).join(EARLIER);
        // Another run of this part may have begun with one.
        if texts.is_empty() && !path.exists() {
            return Ok(());
        }
        save(&path, &begun::text(&texts))
    }

    pub(crate) fn beginnings(&self, language: &dyn Language, functions: &[FuncId]) -> Beginnings {
        let program = language.program();
        let all = dependences(program, functions, language.config());
        let beginning = |(&function, dependence): (&FuncId, Dependence)| {
            let (name, file) = named(program, function);
            let beginning = match self.known(name, file).map(|known| (known, &known.begun)) {
                None => {
                    let (seeds, again) = (Vec::new(), Vec::new());
                    Beginning { dependence, seeds, again, before: None }
                }
                Some((_, begun)) if begun.depends == dependence.digest => Beginning {
                    dependence,
                    seeds: begun.seeds.clone(),
                    again: begun.earlier.iter().map(|run| run.inputs.clone()).collect(),
                    before: None,
                },
                Some((known, begun)) => {
                    let before = known.before();
                    let tests = before.iter().flat_map(own_tests);
                    let seeds: Vec<Inputs> = tests.map(|test| test.inputs.clone()).collect();
                    let mut again = seeds.clone();
                    for Rerun { inputs, .. } in &begun.earlier {
                        if again.len() < MOST_INPUTS && !again.contains(inputs) {
                            again.push(inputs.clone());
                        }
                    }
                    Beginning { dependence, seeds, again, before }
                }
            };
            (function, beginning)
        };
        functions.iter().zip(all).map(beginning).collect()
    }
}

impl Known {
    /// All that the suite has of the function. It is read only now: most functions are as they were, and suites are long.
    fn text(&self) -> Option<String> {
        let place = &self.begun.place;
        let mut file = File::open(&self.path).ok()?;
        file.seek(SeekFrom::Start(u64::try_from(place.start).ok()?)).ok()?;
        let mut text = vec![0; place.len()];
        file.read_exact(&mut text).ok()?;
        String::from_utf8(text).ok()
    }

    /// The function as it was.
    fn before(&self) -> Option<data::Function> {
        let before: data::Function = serde_json::from_str(&self.text()?).ok()?;
        // Another run may have replaced the file.
        let is_it = before.name == self.begun.name && before.depends == self.begun.depends;
        is_it.then_some(before)
    }
}

/// What calls another function has the inputs of that one.
fn own_tests(function: &data::Function) -> impl Iterator<Item = &Test> {
    function.tests.iter().filter(|test| test.through.is_none())
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

    /// What a search is to try first, as far as it still fits and runs start there.
    pub(crate) fn inputs(&self, case: &Case<'_>, aim: Aim) -> Vec<TestInput> {
        let own = contract::aim(case, aim.function);
        let read = self.seeds.iter().filter_map(|seed| case.language.read_input(own, seed));
        read.filter(|(entry, _)| *entry == aim.entry).map(|(_, input)| input).collect()
    }

    /// Runs the function with inputs of earlier suites. Tests of the function as it was that no longer reach what they
    /// reached become notes, with what it did and does, and so does the first of the others that do something else.
    pub(crate) fn look_again(&self, case: &Case<'_>, report: &mut FunctionReport) {
        if self.again.is_empty() {
            return;
        }
        let runs = Runs::of(case, &self.again, report);
        if let Some(before) = &self.before {
            let notes = runs.compared(before, &report.goals);
            report.notes.extend(notes);
        }
        report.reruns = runs.runs.into_iter().map(|(rerun, _)| rerun).collect();
    }
}

/// What a function does with inputs of earlier suites.
struct Runs<'a> {
    /// With the goals that are reached.
    runs: Vec<(Rerun, Vec<usize>)>,
    /// Those that are none for the function as it is.
    unfit: Vec<&'a Inputs>,
}

impl<'a> Runs<'a> {
    fn of(case: &Case<'_>, inputs: &'a [Inputs], report: &FunctionReport) -> Runs<'a> {
        let program = case.program();
        let aim = contract::aim(case, report.function());
        let options = glassbox_interp::Options {
            watch: Some(aim.function),
            ..TestRunner::options(RUN_STEPS)
        };
        let mut runner = TestRunner::new(program, options, case.language.library());
        let (mut ran, mut unfit) = (Vec::new(), Vec::new());
        // Tests are looked at, so these become some, by where they start: what depends on addresses is not expected of
        // them either.
        let mut looked: BTreeMap<FuncId, FunctionReport> = BTreeMap::new();
        for inputs in inputs {
            let Some((entry, input)) = case.language.read_input(aim, inputs) else {
                unfit.push(inputs);
                continue;
            };
            let Ok(run) = runner.run(entry, &input) else { continue };
            let facts = runner.facts(aim.function, &run);
            let mut tracker = Tracker::new(program.body(aim.function), &report.goals);
            ran.push((inputs, entry, tracker.add(0, &facts).reached));
            let new = || FunctionReport::new(aim.function, entry, Vec::new(), &[]);
            let tests = &mut looked.entry(entry).or_insert_with(new).suite.tests;
            tests.push(test_of(input, run.observation));
        }
        let mut expected: BTreeMap<FuncId, VecDeque<Expected>> = BTreeMap::new();
        for (entry, mut looked) in looked {
            case.language.look(&mut looked);
            let tests = looked.suite.tests.iter().map(|test| {
                suite_json::expected(program, aim.function, &test.input, &test.expected)
            });
            expected.insert(entry, tests.collect());
        }
        let run = |(inputs, entry, reached): (&Inputs, FuncId, Vec<usize>)| {
            let expected = expected.get_mut(&entry)?.pop_front()?;
            Some((Rerun { inputs: inputs.clone(), expected }, reached))
        };
        let runs = ran.into_iter().filter_map(run).collect();
        Runs { runs, unfit }
    }

    /// What tests of the function as it was did otherwise, in words.
    fn compared(&self, before: &data::Function, goals: &[Goal]) -> Vec<String> {
        let (mut notes, mut others) = (Vec::new(), Vec::new());
        for test in own_tests(before) {
            let id = &test.id;
            if self.unfit.contains(&&test.inputs) {
                notes.push(format!("the earlier test {id} does not fit the function any more"));
            }
            let run = self.runs.iter().find(|(run, _)| run.inputs == test.inputs);
            let Some((run, reached)) = run else { continue };
            let other = diff::other_words(&test.expected, &run.expected);
            if let Some(lost) = lost((before, goals), test, (reached, &run.expected)) {
                notes.push(format!("the earlier test {id} {lost}"));
            } else if let Some(other) = other {
                others.push(format!("the earlier test {id} does something else: {other}"));
            }
        }
        let n_others = others.len();
        if let Some(first) = others.into_iter().next() {
            let more = if n_others > 1 {
                format!(" (and {} more earlier tests do)", n_others - 1)
            } else {
                String::new()
            };
            notes.push(format!("{first}{more}"));
        }
        notes
    }
}

fn test_of(input: TestInput, expected: glassbox_testcase::Observation) -> suite::Test {
    suite::Test {
        name: String::new(),
        through: None,
        input,
        expected,
        covers: Vec::new(),
        path: Vec::new(),
        constraints: Vec::new(),
        follow_ups: Vec::new(),
    }
}

/// What a test of the function as it was reached and does not reach now, in words.
fn lost(
    (before, goals): (&data::Function, &[Goal]),
    test: &Test,
    (reached, now): (&[usize], &Expected),
) -> Option<String> {
    let is_reached = |text: &str| reached.iter().any(|&goal| goals[goal].text == text);
    // What takes two runs to show is not lost by one of them.
    let covered = before.goals.iter().filter(|goal| test.covers.contains(&goal.id));
    let alone = covered.filter(|goal| goal.pair.is_none());
    let lost = alone.map(|goal| goal.text.as_str()).find(|text| !is_reached(text))?;
    let (was, is) = (diff::words(&test.expected), diff::words(now));
    let is_gone = !goals.iter().any(|goal| goal.text == lost);
    let does = if was == is { is.clone() } else { format!("{was} before, {is} now") };
    match is_gone {
        true if was == is => None,
        true => Some(format!("reached `{lost}`, which is gone: {does}")),
        false => Some(format!("no longer reaches `{lost}`: {does}")),
    }
}
