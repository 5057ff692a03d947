//! What differs between input languages, and the list of those there are.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use glassbox_contract::similar;
use glassbox_contract::{Config, Contract, harness};
use glassbox_coverage::Properties;
use glassbox_emit::Spellings;
use glassbox_emit::framework::TextFile;
use glassbox_explore::Aim;
use glassbox_interp::Externals;
use glassbox_ir::{Change, FuncId, OverflowMode, Program, Span};
use glassbox_model::config;
use glassbox_replay::Evidence as Sighting;
use glassbox_replay::clang::ConditionCounts;
use glassbox_report::data::SuiteData;
use glassbox_report::data::test::Inputs;
use glassbox_report::suite_json;
use glassbox_report::suite_json::evidence::Moment;
use glassbox_testcase::java::JvmConfirmation;
use glassbox_testcase::{NotCompared, TestInput};

use crate::drive::Case;
use crate::function_report::{FunctionReport, Replayed};
use crate::listener::Listener;
use crate::plan::{Check, Entries, Intake, Operator, Plan, Scope};
use crate::run::{Execution, Ran};
use crate::stopwatch::Stopwatch;
use crate::{c, jvm, rules};

/// Says which files are one program each.
type Parting = fn(&Intake, Purpose, &dyn Listener) -> Result<Vec<Part>, Refusal>;

/// A language: whether files are written in it, and how they become a program.
#[derive(Debug)]
pub struct Entry {
    /// Whether what is named is in this language.
    pub accepts: fn(&Intake) -> bool,
    /// Why a plan cannot be carried out in this language.
    pub refuses: fn(&Plan) -> Option<String>,
    /// What overflow means by default.
    pub overflow: OverflowMode,
    /// The criterion where none is named.
    pub criterion: &'static str,
    /// What is read as one program each. The listener hears diagnostics.
    pub parts: Parting,
    /// What the tests of several programs need besides their own files; `folders` are those of their tests.
    pub join: fn(plan: &Plan, folders: &[String]) -> Written,
}

/// Files that are read as one program.
pub struct Part {
    /// For people, where there are several.
    pub name: String,
    /// The file that most of it is in, where there are several programs.
    pub source: Option<PathBuf>,
    /// Reads the files. The listener hears diagnostics.
    pub read: Box<Reading>,
}

impl Part {
    /// How much there is to read, roughly.
    pub(crate) fn size(&self) -> u64 {
        let found = self.source.as_ref().and_then(|source| std::fs::metadata(source).ok());
        found.map_or(0, |found| found.len())
    }
}

impl fmt::Debug for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("name", &self.name).finish_non_exhaustive()
    }
}

pub type Reading =
    dyn Fn(Purpose, &dyn Listener) -> Result<Box<dyn Language>, Refusal> + Send + Sync;

/// Every language; the first that accepts the paths reads them.
pub static LANGUAGES: &[&Entry] = &[&rules::ENTRY, &jvm::ENTRY, &c::ENTRY];

/// What a program is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// `gen`
    Generate,
    /// `check`
    Check {
        /// Unsigned arithmetic that wraps around is an error.
        unsigned_wrap: bool,
        /// Implicit conversions that change the value of an integer are errors.
        conversions: bool,
        /// Calls through pointers to functions of other types are errors.
        exact_calls: bool,
        /// Allocations of more bytes are errors.
        heap: Option<u64>,
        /// Exceptions of `throw` statements are errors where they leave a method undeclared.
        uncaught: bool,
        /// Runs start in `main` where there is one, as SV-COMP says.
        is_of_main: bool,
        /// Where runs start elsewhere.
        entries: Entries,
    },
    /// To be looked at.
    Look,
    /// To be run.
    Run,
}

/// Why nothing is done: text for people, which ends in a line break, and is empty where diagnostics have
/// said all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);

impl Refusal {
    pub(crate) fn error(message: impl fmt::Display) -> Refusal {
        Refusal(format!("error: {message}\n"))
    }
}

/// The language of these files.
pub fn of(intake: &Intake) -> Result<&'static Entry, Refusal> {
    let entry = LANGUAGES.iter().find(|entry| (entry.accepts)(intake));
    entry
        .copied()
        .ok_or_else(|| Refusal::error("these files are in no language that is known here"))
}

/// What is read as one program each, in whatever language it is.
pub fn parts(
    intake: &Intake,
    purpose: Purpose,
    listener: &dyn Listener,
) -> Result<Vec<Part>, Refusal> {
    (of(intake)?.parts)(intake, purpose, listener)
}

/// Reads the only program there is, in whatever language it is.
pub fn read(
    intake: &Intake,
    purpose: Purpose,
    listener: &dyn Listener,
) -> Result<Box<dyn Language>, Refusal> {
    let parts = parts(intake, purpose, listener)?;
    match parts.as_slice() {
        [part] => {
            let language = (part.read)(purpose, listener)?;
            // Without one of its files it is another program.
            match language.left_out() {
                [] => Ok(language),
                files => Err(Refusal::error(format!("{} could not be read", files.join(", ")))),
            }
        }
        several => Err(Refusal::error(format!(
            "there are {} programs here\nhelp: name the files of one",
            several.len()
        ))),
    }
}

/// Functions to be worked on.
#[derive(Debug, Clone, Copy)]
pub struct Selection<'a> {
    /// All of the user's where there are none.
    pub names: &'a [String],
    /// Where they are looked for.
    pub place: &'a str,
    /// Whether other programs may have what this one does not.
    pub is_partial: bool,
}

/// The functions with these names, or all of the user's where there are none.
pub fn select(language: &dyn Language, selection: Selection<'_>) -> Result<Vec<FuncId>, Refusal> {
    let Selection { names, place, is_partial } = selection;
    let own = language.own_functions();
    if names.is_empty() && own.is_empty() && !is_partial {
        return Err(Refusal::error(match place {
            "" => "no function is defined here".to_owned(),
            file => format!("no function is defined in {file}"),
        }));
    }
    if names.is_empty() {
        return Ok(own);
    }
    let program = language.program();
    let mut selected = Vec::new();
    for name in names {
        let is_it = |id: &FuncId| {
            program.function(*id).name == *name && program.function(*id).body.is_some()
        };
        // Several files may each have a static function of this name.
        let mut found: Vec<FuncId> = own.iter().copied().filter(is_it).collect();
        if found.is_empty() && !is_partial {
            found.extend(program.function_ids().find(is_it));
        }
        if found.is_empty() && !is_partial {
            return Err(unknown_function(name, &own, program));
        }
        selected.extend(found);
    }
    Ok(selected)
}

fn unknown_function(name: &str, own: &[FuncId], program: &Program) -> Refusal {
    let known: Vec<&str> = own.iter().map(|&id| program.function(id).name.as_str()).collect();
    let help = similar::help(name, &known);
    Refusal::error(format!("no function `{name}` is defined here\nhelp: {help}"))
}

/// When the tests of functions are reviewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// Some functions at a time, while others are still searched.
    Some,
    /// All functions at once, because their tests are built together.
    Together,
}

/// Files with tests.
#[derive(Debug, Default)]
pub struct Written {
    /// Names are relative to the folder of tests.
    pub files: Vec<TextFile>,
    /// Files that belong to people as soon as they are there: they are never overwritten.
    pub kept: Vec<TextFile>,
    /// A command that builds and runs them.
    pub command: Option<String>,
    /// The folders with tests that can be built, below the folder of all tests.
    pub folders: Vec<String>,
    /// How single tests are run, by file.
    pub alone: Vec<Alone>,
}

/// How one test of a file is run.
#[derive(Debug)]
pub struct Alone {
    /// As in [`Written::files`].
    pub file: String,
    /// The name of the test comes directly after it.
    pub command: String,
}

/// Why tests use reflection.
pub(crate) const WHY_REFLECTION: &[&str] =
    &["the method is private", "no constructor and no calls were found that lead there"];

/// Tests of one function that use reflection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reflective {
    /// By position.
    pub tests: Vec<usize>,
    pub why: &'static str,
}

/// A mutant of a function.
#[derive(Debug, Clone)]
pub struct Variant {
    pub operator: Operator,
    /// First and last line and column of what is replaced, from 1; the last column is one past the end.
    pub start: (u32, u32),
    pub end: (u32, u32),
    pub file: String,
    pub original: String,
    pub replacement: String,
    /// The mutant; `None` where the change makes no program.
    pub function: Option<FuncId>,
    /// What compares it with the function; why nothing does.
    pub comparison: Result<FuncId, String>,
    /// What the language knows that the comparison leaves out.
    pub not_compared: Vec<NotCompared>,
    /// The number by which all mutants together choose it; why it is not among them.
    pub chosen: Result<usize, String>,
}

/// All mutants of a program, of which the environment chooses one when a test suite runs.
#[derive(Debug, Default)]
pub struct Schemata {
    /// Sources: the file that each takes the place of, and its text.
    pub files: Vec<(String, Vec<u8>)>,
    /// Variables that the suite needs beside the choice.
    pub environment: Vec<(&'static str, String)>,
    /// A file that is there as soon as something that has mutants was used; `None` where that is not known.
    pub trace: Option<PathBuf>,
}

impl Variant {
    /// What is changed into what.
    pub(crate) fn words(&self) -> String {
        let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("`{}` becomes `{}`", plain(&self.original), plain(&self.replacement))
    }

    /// The mutant of a function as criteria see it; `None` where it makes no program.
    pub(crate) fn change(&self, program: &Program, of: FuncId) -> Option<Change> {
        let ((line, column), (end_line, end_column)) = (self.start, self.end);
        let file = program.function(of).span.file;
        Some(Change {
            of,
            mutant: self.function?,
            operator: self.operator.name(),
            span: Span::new(file, line, column, end_line, end_column),
            text: self.words(),
        })
    }
}

/// A test that cannot be written, or all tests of a function.
#[derive(Debug)]
pub enum Unwritable {
    All(String),
    One { test: usize, why: String },
}

/// What other tools counted in the written tests of one function.
#[derive(Debug, Default)]
pub struct Recount {
    /// By line of the function's file: how often it was executed.
    pub lines: Option<BTreeMap<u32, u64>>,
    pub conditions: Option<ConditionCounts>,
    /// What counted the conditions.
    pub tool: Option<String>,
    /// Tests that do not compile or do not pass, in the words of the tools.
    pub failures: Vec<String>,
    pub notes: Vec<String>,
}

/// A program in its language.
pub trait Language: fmt::Debug + Send + Sync {
    fn program(&self) -> &Program;

    /// The program to be changed, with the contracts of its functions.
    fn parts_mut(&mut self) -> (&mut Program, Option<&Config>);

    fn program_mut(&mut self) -> &mut Program {
        self.parts_mut().0
    }

    /// The contracts of functions.
    fn config(&self) -> Option<&Config> {
        None
    }

    /// The contract of a function, with the harness that it became.
    fn contract(&self, function: FuncId) -> Option<(&Config, &Contract, FuncId)> {
        let config = self.config()?;
        let name = &self.program().function(function).name;
        let contract = config.contracts.iter().find(|contract| contract.function == *name)?;
        Some((config, contract, harness::entry(self.program(), function)?))
    }

    /// How the source spells the numbers that a function returns.
    fn spellings(&self, _function: FuncId) -> Spellings {
        Spellings::default()
    }

    /// Functions that are worked on where the user names none.
    fn own_functions(&self) -> Vec<FuncId>;

    /// Functions that runs start in for the goals of another, none where that is the function itself; `None` where no
    /// run comes to it.
    fn starts(&self, _scope: Scope, _function: FuncId) -> Option<Vec<FuncId>> {
        Some(Vec::new())
    }

    /// What signed overflow means.
    fn overflow(&self, plan: &Plan) -> OverflowMode {
        plan.overflow
    }

    /// What of flags and files changes verdicts and is not in the program; `None` where it cannot be said whether functions
    /// of two programs are the same.
    fn manner(&self) -> Option<String> {
        None
    }

    /// Files that could not be read and were left out.
    fn left_out(&self) -> &[String] {
        &[]
    }

    /// What the program still needs before anything is searched; `length` is that of the longest arrays that
    /// searches come to.
    fn complete(&mut self, length: u64);

    /// What inputs of the function are, and their bounds.
    fn inputs(&self, plan: &Plan, function: FuncId) -> config::Config;

    /// The library that runs of the program call.
    fn library(&self) -> Box<dyn Externals>;

    /// A demand of the sources that is not understood, so that nothing can be said about it.
    fn unread(&self) -> Option<&str> {
        None
    }

    /// Whether inputs of the function keep what `restrict` parameters point to apart from all else.
    fn keeps_apart(&self, _function: FuncId) -> bool {
        false
    }

    /// Adds to proofs what they rest on besides the inputs.
    fn weaken(&self, _report: &mut FunctionReport) {}

    /// Looks at what tests do, where that is more than the search saw.
    fn look(&self, _report: &mut FunctionReport) {}

    /// Looks at what tests do that were added since, where tests are looked at.
    fn look_at_added(&self, _report: &mut FunctionReport) {}

    /// Inputs like this one, with other numbers in objects.
    fn similar(&self, _input: &TestInput) -> Vec<TestInput> {
        Vec::new()
    }

    /// Whether a test of a function with this input, as it is written, fails with a mutant; asked where a comparison of both found a
    /// difference.
    fn tells_apart(&self, _function: FuncId, _mutant: FuncId, _input: &TestInput) -> bool {
        true
    }

    /// Puts the program whose locals are all in memory into the place of the other one, or back. False where there is
    /// none.
    fn exchange_unpromoted(&mut self) -> bool {
        false
    }

    /// By test: what variables hold on its way, where that can be seen.
    fn follow(&self, _report: &FunctionReport) -> Vec<Vec<Moment>> {
        Vec::new()
    }

    /// Tries counter-examples again in further ways, where the language has some.
    fn retry(
        &self,
        _case: &Case<'_>,
        _task: &Check,
        _report: &mut FunctionReport,
        _watch: &Stopwatch<'_>,
    ) {
    }

    /// Searches in further ways, where the language has some.
    fn search_further(
        &self,
        _case: &Case<'_>,
        _report: &mut FunctionReport,
        _watch: &Stopwatch<'_>,
    ) {
    }

    fn grouping(&self) -> Grouping;

    /// What results depend on besides the program and the plan: compilers, their flags, libraries. `None` where that is not
    /// known, so that no result is kept.
    fn surroundings(&self, _plan: &Plan) -> Option<String> {
        None
    }

    /// Gives tests of all functions their final names.
    fn name_tests(&self, _reports: &mut [FunctionReport]) {}

    /// Tests that cannot be written, with the reason.
    fn unwritable(&self, plan: &Plan, report: &FunctionReport) -> Vec<Unwritable>;

    /// By report: tests that use reflection.
    fn reflective(&self, reports: &[FunctionReport]) -> Vec<Reflective> {
        vec![Reflective::default(); reports.len()]
    }

    /// Builds and runs the tests; by report: what the real program did, or why nothing was run.
    fn replay(&self, plan: &Plan, reports: &[FunctionReport]) -> Vec<Result<Replayed, String>>;

    /// What is confirmed by goals that probes saw, where there were probes, among those covered.
    fn confirmation(&self, _n_seen: Option<usize>, _n_covered: usize) -> Option<JvmConfirmation> {
        None
    }

    /// Builds and runs the counter-examples; by report: what they showed, or why nothing was run.
    fn replay_violations(
        &self,
        plan: &Plan,
        reports: &[FunctionReport],
    ) -> Vec<Result<Vec<Sighting>, String>>;

    /// Whether every run-time error shows when the real program runs.
    fn defines_errors(&self) -> bool {
        false
    }

    /// Counter-examples that the program may never come to, by position, with the reason.
    fn doubtful(&self, _report: &FunctionReport) -> Vec<(usize, String)> {
        Vec::new()
    }

    /// Whether what is said of `other` by itself is said of its calls by `function`, too.
    fn answers_for_itself(&self, _function: FuncId, _other: FuncId) -> bool {
        true
    }

    /// Leaves out properties that are not about the function or about what only it calls (`own`).
    fn narrow(
        &self,
        properties: &mut Properties,
        start: FuncId,
        function: FuncId,
        _own: &[FuncId],
    ) {
        if start != function {
            properties.leave_out_harness(self.program(), start, function);
        }
    }

    /// Whether each assertion of a function is about all its runs, whatever becomes of those before it.
    fn judges_apart(&self) -> bool {
        false
    }

    /// An input of an earlier suite as one of the program as it is now, and where runs with it start; `None` where it is none any more.
    fn read_input(&self, aim: Aim, inputs: &Inputs) -> Option<(FuncId, TestInput)> {
        let input = suite_json::read_input(self.program(), aim.entry, inputs)?;
        inputs.calls.is_empty().then_some((aim.entry, input))
    }

    /// Adds to the tests in suite.json what the language says of them.
    fn describe(&self, _reports: &[FunctionReport], _suite: &mut SuiteData) {}

    /// The tests as files.
    fn emit(&self, plan: &Plan, reports: &[FunctionReport]) -> Written;

    /// Builds the written tests once more and lets other tools count what they execute, by function; why not.
    fn recount(
        &self,
        _plan: &Plan,
        _functions: &[FuncId],
    ) -> Result<BTreeMap<FuncId, Recount>, String> {
        Err("no tool that counts is known for this language".to_owned())
    }

    /// What the language knows that a relation between calls leaves out.
    fn not_compared(&self, _relation: FuncId) -> Vec<NotCompared> {
        Vec::new()
    }

    /// The mutants of a function that were read with it.
    fn variants(&self, _function: FuncId) -> Vec<Variant> {
        Vec::new()
    }

    /// How a suite of the user runs with mutants. `folder` is there as long as the suite is run.
    fn schemata(&self, _folder: &Path) -> Result<Schemata, String> {
        Ok(Schemata::default())
    }

    /// Runs the program in the interpreter.
    fn run(&self, execution: Execution) -> Result<Ran, Refusal>;
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::ptr;

    use super::{Entry, of};
    use crate::plan::Intake;
    use crate::{c, jvm, rules};

    fn language(paths: &[&str]) -> &'static Entry {
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        of(&Intake { paths, ..Intake::default() }).expect("a language")
    }

    #[test]
    fn files_say_their_language() {
        assert!(ptr::eq(language(&["a.c", "b.i"]), &c::ENTRY));
        assert!(ptr::eq(language(&["a.c", "B.java"]), &jvm::ENTRY));
        assert!(ptr::eq(language(&["b.jar"]), &jvm::ENTRY));
        assert!(ptr::eq(language(&["a.rules"]), &rules::ENTRY));
        assert!(ptr::eq(language(&[]), &jvm::ENTRY), "a class of the JDK is named");
        let database = Intake { database: Some("c.json".into()), ..Intake::default() };
        assert!(ptr::eq(of(&database).expect("a language"), &c::ENTRY));
    }
}
