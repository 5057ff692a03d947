//! Tests of C functions as files, with a Makefile.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use glassbox_emit::c_obstacle::obstacle;
use glassbox_emit::c_test::{RelationText, Spec, TestFile, TestText};
use glassbox_emit::framework::{CTests, TextFile};
use glassbox_emit::makefile::{self, Object};
use glassbox_emit::naming::file_name;
use glassbox_emit::replaced;
use glassbox_emit::{Framework, UnitNames};
use glassbox_ir::{FuncId, Program};
use glassbox_report::data::Replay;
use glassbox_testcase::Test;

use super::C;
use super::intake::unit_of;
use super::objects::{self, absolute_flags};
use super::stub_file;
use super::units::{Role, Unit};
use crate::contract;
use crate::function_report::FunctionReport;
use crate::language::{Alone, Written};
use crate::plan::{Generate, Plan};
use crate::relation::{relations, subject};

/// What contracts and annotations say of a function.
fn spec(c: &C, function: FuncId) -> Spec {
    let name = &c.program.function(function).name;
    let spec = contract::spec(c, function, c.frames.get(name));
    let places = c.assertions.iter().map(|it| (it.place.path.clone(), it.place.line));
    Spec { asserted: places.collect(), ..spec }
}

/// The tests of a function that call this one, as a file.
pub(super) fn test_file<'a>(
    c: &'a C,
    report: &'a FunctionReport,
    called: FuncId,
    include: String,
) -> TestFile<'a> {
    let text_of = |id: &String| {
        report.goals.iter().find(|goal| goal.id == *id).map_or(id.clone(), |goal| {
            format!("{}:{}: {}", goal.span.line, goal.span.column, goal.text)
        })
    };
    let covers = report.suite.tests.iter().map(|test| test.covers.iter().map(text_of).collect());
    test_file_for(c, (report, called), include, covers)
}

/// The tests of a function that call this one as a file, with what each of all its tests is for in words.
pub(super) fn test_file_for<'a>(
    c: &'a C,
    (report, function): (&'a FunctionReport, FuncId),
    include: String,
    purposes: impl Iterator<Item = Vec<String>>,
) -> TestFile<'a> {
    let tests = report.suite.tests.iter().zip(purposes);
    let own = tests.filter(|(test, _)| report.called(test) == function);
    let tests = own.map(|(test, covers)| TestText {
        name: test.name.clone(),
        input: &test.input,
        expected: &test.expected,
        covers,
        constraints: test.constraints.iter().map(|condition| condition.text.clone()).collect(),
        body: None,
    });
    TestFile {
        program: &c.program,
        function,
        include,
        names: names_of(c, function),
        shares_process: false,
        spec: spec(c, function),
        requirements: Vec::new(),
        relation: None,
        tests: tests.collect(),
    }
}

/// Tests that compare calls, by relation, with the positions of the tests whose inputs they have.
pub(super) fn follow_ups<'a>(
    c: &'a C,
    report: &'a FunctionReport,
    include: &str,
) -> Vec<(Vec<usize>, TestFile<'a>)> {
    let mut files = Vec::new();
    for (number, function) in (1..).zip(relations(&c.program, report.function())) {
        let tests = report.suite.tests.iter().enumerate();
        let own: Vec<(usize, &Test)> =
            tests.filter(|(_, test)| test.follow_ups.contains(&function)).collect();
        let mut file = test_file(c, report, report.function(), include.to_owned());
        file.tests = own
            .iter()
            .map(|(_, test)| TestText {
                name: format!("{}_relation_{number}", test.name),
                input: &test.input,
                expected: &test.expected,
                covers: Vec::new(),
                constraints: Vec::new(),
                body: None,
            })
            .collect();
        if !file.tests.is_empty() {
            let (spec, relation) = (Spec::default(), relation_text(c, function));
            let positions = own.iter().map(|(position, _)| *position).collect();
            files.push((positions, TestFile { function, spec, relation, ..file }));
        }
    }
    files
}

/// How a function that compares calls is written down.
pub(super) fn relation_text(c: &C, function: FuncId) -> Option<RelationText> {
    let declared = c.program.function(function);
    let file = c.program.files.get(declared.span.file.index());
    let place = file.map_or(String::new(), |file| format!("{}:{}", file.path, declared.span.line));
    let body = c.relations.get(&declared.name)?.clone();
    Some(RelationText { body, place })
}

/// What the unit of a function calls its own.
pub(super) fn names_of(c: &C, function: FuncId) -> Arc<UnitNames> {
    let unit = unit_of(&c.program, function, &c.units);
    let mut named = c.units.iter().zip(&c.names);
    named
        .find(|(own, _)| Some(*own) == unit)
        .map(|(_, names)| Arc::clone(names))
        .unwrap_or_default()
}

/// Test programs of one unit, one for each function, and the Makefile that builds them.
pub(super) struct Programs<'a> {
    tests: &'static CTests,
    unit: &'a Unit,
    pub(super) files: Vec<TextFile>,
    names: Vec<String>,
}

impl<'a> Programs<'a> {
    pub(super) fn new(tests: &'static CTests, unit: &'a Unit) -> Programs<'a> {
        Programs { tests, unit, files: Vec::new(), names: Vec::new() }
    }

    pub(super) fn add(&mut self, file: &TestFile<'_>, name: String) {
        self.files.extend(self.tests.test_files(file, &name));
        self.names.push(name);
    }

    /// All files; `more` are compiler flags besides the unit's, `objects` its companions.
    pub(super) fn written(mut self, more: Vec<String>, objects: &[Object]) -> UnitTests {
        self.files.extend(self.tests.runtime_files());
        let flags = [absolute_flags(&self.unit.flags), more].concat();
        let mut text = makefile::makefile(&self.tests.build, &self.names, &flags);
        text.push_str(&makefile::objects(objects));
        self.files.push(TextFile { name: "Makefile".to_owned(), text });
        let names = if self.tests.alone.is_some() { self.names.clone() } else { Vec::new() };
        UnitTests {
            files: self.files,
            kept: None,
            has_programs: !self.names.is_empty(),
            alone: self.tests.alone.unwrap_or_default(),
            names,
        }
    }
}

/// The tests of one unit as files of its folder.
pub(super) struct UnitTests {
    files: Vec<TextFile>,
    /// The user's.
    kept: Option<TextFile>,
    has_programs: bool,
    /// Programs that can be told to run a single test, and what stands before its name.
    names: Vec<String>,
    alone: &'static str,
}

/// Writes the tests unit by unit, each in its folder; those without tests get none.
pub(super) fn by_unit(
    c: &C,
    plan: &Plan,
    reports: &[FunctionReport],
    write: impl Fn(&Unit, &[&FunctionReport]) -> UnitTests,
) -> Written {
    let mut all = Written::default();
    for unit in c.units.iter().filter(|unit| unit.role == Role::Tested) {
        let is_its = |report: &&FunctionReport| {
            let is_here = |called: FuncId| unit_of(&c.program, called, &c.units) == Some(unit);
            report.all_called().iter().any(|(called, _)| is_here(*called))
        };
        let own: Vec<&FunctionReport> = reports.iter().filter(is_its).collect();
        let is_only = unit.folder.as_os_str().is_empty();
        if own.is_empty() && !is_only {
            continue;
        }
        let UnitTests { files, kept, has_programs, names, alone } = write(unit, &own);
        let placed = |file: TextFile| {
            let name = unit.folder.join(&file.name).display().to_string();
            TextFile { name, ..file }
        };
        all.files.extend(files.into_iter().map(placed));
        all.kept.extend(kept.into_iter().map(placed));
        all.alone.extend(names.iter().map(|name| {
            let tests = plan.tests_folder();
            let folder = if is_only { tests } else { tests.join(&unit.folder) };
            let folder = shell_word(&folder.display().to_string());
            let file = unit.folder.join(format!("{name}.c")).display().to_string();
            Alone { file, command: format!("make -C {folder} {name} && {folder}/{name}{alone}") }
        }));
        if has_programs {
            all.folders.push(unit.folder.display().to_string());
            all.command = Some(make(plan));
        }
    }
    all
}

/// The Makefile of several units' tests.
pub(crate) fn join(plan: &Plan, folders: &[String]) -> Written {
    let text = makefile::folders(folders);
    let files = vec![TextFile { name: "Makefile".to_owned(), text }];
    Written { files, command: Some(make(plan)), ..Written::default() }
}

/// The tests of all functions for the framework of the plan.
pub(super) fn emit(c: &C, plan: &Plan, task: &Generate, reports: &[FunctionReport]) -> Written {
    let program = &c.program;
    let framework = task.framework.unwrap_or(Framework::Plain);
    let Some(tests) = framework.c() else { return Written::default() };
    let written = by_unit(c, plan, reports, |unit, reports| {
        let folder = tests_folder(plan, unit);
        let mut programs = Programs::new(tests, unit);
        let mut flags = Vec::new();
        // One file that does not compile would keep make from running the others.
        let is_writable = |(_, called, _): &(&FunctionReport, FuncId, Vec<usize>)| {
            obstacle(program, *called).is_none()
                && unit_of(program, *called, &c.units) == Some(unit)
        };
        let called = reports.iter().flat_map(|report| {
            report.all_called().into_iter().map(|(called, tests)| (*report, called, tests))
        });
        for (report, called, tests) in called.filter(is_writable) {
            let Some(source) = source_path(c, called) else { continue };
            let include = relative(&folder, &source).display().to_string();
            let mut file = test_file(c, report, called, include);
            // What the real program contradicts would fail for the user too.
            let mut replays = tests.iter().map(|&test| report.evidence.replays.get(test));
            file.tests.retain(|_| !replays.next().flatten().is_some_and(Replay::is_failed));
            if file.tests.is_empty() {
                continue;
            }
            replaced::add_flags(&mut flags, &file);
            let include = file.include.clone();
            let name = test_program(program, report.function());
            if called != report.function() {
                let caller = file_name(&program.function(called).name);
                programs.add(&file, format!("{name}_through_{caller}"));
                continue;
            }
            programs.add(&file, name);
            for (_, file) in follow_ups(c, report, &include) {
                programs.add(&file, test_program(program, file.function));
            }
        }
        let tests = programs.written(flags, &objects::linked(c, unit, &folder, &[]));
        let kept = stub_file::first(c, unit, &folder).filter(|_| tests.has_programs);
        UnitTests { kept, ..tests }
    });
    Written { command: Some(make(plan)), ..written }
}

/// What the program with the tests of a function is called, in the folder of its unit.
pub(super) fn test_program(program: &Program, function: FuncId) -> String {
    format!("test_{}", file_name(&program.function(function).name))
}

/// What builds and runs the tests.
pub(crate) fn make(plan: &Plan) -> String {
    format!("make -C {}", shell_word(&plan.tests_folder().display().to_string()))
}

/// What a shell would not read as one word is quoted.
pub(crate) fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+".contains(c);
    if text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// Where the tests of a unit go, absolute.
pub(super) fn tests_folder(plan: &Plan, unit: &Unit) -> PathBuf {
    let folder = plan.tests_folder();
    // The folder of all tests is there when tests are written.
    fs::canonicalize(&folder).unwrap_or(folder).join(&unit.folder)
}

/// The source file that tests of a function include, absolute: the one that it is written in, or the one that includes
/// the header that it is written in.
pub(super) fn source_path(c: &C, function: FuncId) -> Option<PathBuf> {
    let unit = unit_of(&c.program, function, &c.units);
    let span = c.program.function(subject(&c.program, function)).span;
    let file = Path::new(&c.program.files.get(span.file.index())?.path);
    // Preprocessed input names the original file in its line markers.
    let is_preprocessed = |path: &Path| path.extension().is_some_and(|it| it == "i");
    let path = unit.map(|unit| unit.path.as_path()).filter(|path| !is_preprocessed(path));
    std::fs::canonicalize(path.unwrap_or(file)).ok()
}

/// `to` as seen from the folder `from`; both absolute.
pub(crate) fn relative(from: &Path, to: &Path) -> PathBuf {
    let (from, to): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (from.components().collect(), to.components().collect());
    let n_shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from[n_shared..].iter().map(|_| Component::ParentDir);
    up.chain(to[n_shared..].iter().copied()).collect()
}
