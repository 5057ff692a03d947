//! What is to be done, checked and complete: options in the words of the engines, not of the command line.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

pub use glassbox_c_front::preprocess::Overlay;
use glassbox_contract::similar;
use glassbox_coverage::Asked;
use glassbox_coverage::criterion::{self, Criterion};
use glassbox_emit::Framework;
use glassbox_emit::java_test::Mocks;
use glassbox_ir::{OverflowMode, UninitializedMode};
pub use glassbox_library::environment::JavaAssertions;
use glassbox_model::config::StubWrites;
pub use glassbox_mutate::Operator;
use glassbox_solver::SecondOpinion;

use crate::language::Purpose;
use crate::listener::Counted;
pub use crate::memory::MemoryLimits;
use crate::report_files::Format;
use crate::revision::RevisionPlace;
use crate::shard::{Parts, Shard};
use crate::since::Named;
use crate::wanted::Wanted;

/// Everything that a run of `gen` or `check` has to do.
#[derive(Debug)]
pub struct Plan {
    pub intake: Intake,
    /// Functions by name; all that the files define where there are none.
    pub functions: Vec<String>,
    /// Only these of them, where it is said.
    pub only: Option<BTreeSet<Named>>,
    /// Tests are replaced even if somebody has changed them.
    pub replaces_tests: bool,
    /// Where files go.
    pub out: PathBuf,
    pub budget: Budget,
    /// What signed overflow means.
    pub overflow: OverflowMode,
    /// Whether tests are compiled and run.
    pub executes: bool,
    pub task: Task,
    pub environment: Environment,
    /// Another solver that is asked about every refutation.
    pub second_opinion: Option<SecondOpinion>,
    pub keeping: Keeping,
}

/// What is known from earlier runs and other machines, and what is kept for later ones. Nothing is, by default.
#[derive(Debug, Clone, Default)]
pub struct Keeping {
    /// Where results are looked for and kept.
    pub folder: Option<PathBuf>,
    /// The part of the work that is done here; all of it where none is named.
    pub shard: Option<Shard>,
    /// `times.json` of an earlier run, by which parts take equally long.
    pub shard_times: Option<PathBuf>,
    /// The folder of the suite that a part begins with.
    pub shard_earlier: Option<PathBuf>,
    /// Results of all parts: nothing else is searched.
    pub parts: Option<Parts>,
}

/// Where the program is.
#[derive(Debug, Clone, Default)]
pub struct Intake {
    pub paths: Vec<PathBuf>,
    /// C files whose functions are called as they are, and have no tests.
    pub links: Vec<PathBuf>,
    /// The folder of tests, with what people wrote in the place of undefined functions.
    pub own_stubs: Option<PathBuf>,
    /// A compilation database.
    pub database: Option<PathBuf>,
    /// The C compiler.
    pub compiler: String,
    /// Whether it was named, so that it stands for whatever compiler a database has.
    pub is_compiler_given: bool,
    pub compiler_flags: Vec<String>,
    /// The triple of the machine that the program is for.
    pub target: Option<String>,
    /// The file with contracts; the nearest one where none is named.
    pub config: Option<PathBuf>,
    /// Classes by name; all in the paths where there are none.
    pub classes: Vec<String>,
    /// Methods by name, or by name and descriptor.
    pub methods: Vec<String>,
    /// Where further classes are.
    pub class_path: Vec<PathBuf>,
    /// Whether Java evaluates `assert`.
    pub assertions: JavaAssertions,
    /// Whether diagnostics are shown in color.
    pub is_colored: bool,
    /// Functions whose mutants are read with them.
    pub mutated: Option<Mutated>,
    /// A C file with another version of the program.
    pub reference: Option<Reference>,
    /// Where files of other revisions are: what flags say about headers is about those of the same revision.
    pub revisions: Vec<RevisionPlace>,
    /// The revision that all files are taken from, wherever today's are named.
    pub moved_to: Option<RevisionPlace>,
    /// Text that is read instead of a C file: what an editor shows and has not saved.
    pub overlay: Option<Overlay>,
    /// Where preprocessed texts are looked for and kept.
    pub texts: Option<TextKeeping>,
}

/// How preprocessed texts are kept from one run to the next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextKeeping {
    /// Where they are looked for, in this order.
    pub from: Vec<PathBuf>,
    /// Where they are put.
    pub into: Vec<PathBuf>,
    /// Variables that compilers look at.
    pub variables: Vec<(String, String)>,
}

/// What mutants there are to be.
#[derive(Debug, Clone)]
pub struct Mutated {
    /// By name; all that the files define where there are none.
    pub functions: Vec<String>,
    pub operators: Vec<Operator>,
}

impl Mutated {
    /// The mutants that criteria ask for, of functions with these names.
    pub fn asked_by(criteria: &[Box<dyn Criterion>], functions: &[String]) -> Option<Mutated> {
        let is_asked = criteria.iter().any(|criterion| criterion.asks_for_mutants());
        let (functions, operators) = (functions.to_vec(), Operator::ALL.to_vec());
        is_asked.then_some(Mutated { functions, operators })
    }
}

/// A file that defines what the program defines, under other names.
#[derive(Debug, Clone)]
pub struct Reference {
    pub path: PathBuf,
    /// What of it is compared.
    pub function: String,
    /// Definitions that the program has, too, with the names that they get.
    pub renamed: Vec<(String, String)>,
}

/// What the work on one function may cost.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// Of the concrete inputs.
    pub seed: u64,
    /// Symbolic paths.
    pub paths: usize,
    /// Elements of memory behind a pointer input.
    pub length: u64,
    /// The emergency stop.
    pub time: Duration,
    /// What measures it.
    pub clock: Clock,
    pub memory: MemoryLimits,
    /// Functions at the same time; one per processor where nothing is said.
    pub jobs: Option<NonZeroUsize>,
}

/// What measures the time of a search.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Clock {
    /// That of people who wait.
    #[default]
    Wall,
    /// What the processor does for the search: the same on a machine that has other things to do.
    Processor,
}

/// What to find out about each function.
#[derive(Debug)]
pub enum Task {
    Generate(Generate),
    Check(Check),
}

impl Task {
    pub fn purpose(&self) -> Purpose {
        match self {
            Task::Generate(_) => Purpose::Generate,
            Task::Check(check) => Purpose::Check {
                unsigned_wrap: check.scope.unsigned_wrap,
                conversions: check.scope.conversions,
                exact_calls: check.scope.exact_calls,
                heap: check.scope.heap,
                uncaught: check.scope.uncaught,
                is_of_main: matches!(check.scope.asked, Asked::Specified(_)),
                entries: check.entries,
            },
        }
    }

    pub(crate) fn counted(&self) -> Counted {
        match self {
            Task::Generate(_) => Counted::Goals,
            Task::Check(_) => Counted::Properties,
        }
    }
}

/// Tests for goals.
#[derive(Debug)]
pub struct Generate {
    pub criteria: Vec<Box<dyn Criterion>>,
    /// What the tests are written for; the language chooses where nothing is said.
    pub framework: Option<Framework>,
    pub formats: Vec<Format>,
    /// What undefined functions change.
    pub stub_writes: StubWrites,
    /// Inputs of every goal to enumerate.
    pub all: Option<usize>,
    /// Random inputs to draw.
    pub random: Option<Random>,
    /// Whether tests may use reflection.
    pub allows_reflection: bool,
    /// How Java tests write what stands in for interfaces.
    pub mocks: Mocks,
    /// Which goals are asked for.
    pub wanted: Wanted,
    /// Where runs start.
    pub scope: Scope,
    /// Whether it is wanted what holds at each line, even where no proof rests on it.
    pub describes_lines: bool,
}

/// Where runs of tests start.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Scope {
    /// In each function by itself.
    #[default]
    Unit,
    /// In functions that other files can call: static ones are tested through those that call them.
    Calls,
    /// In `main`, or in the functions that no other calls: goals are those of all that runs may come to.
    Program,
}

/// Random inputs of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Random {
    pub count: usize,
    pub uniform: Uniform,
}

/// What random inputs are equally likely among.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Uniform {
    /// The inputs of a path, and each path is as likely as the others.
    Path,
}

/// Properties that hold or fail.
#[derive(Debug)]
pub struct Check {
    pub formats: Vec<CheckFormat>,
    /// Turns of a loop and activations of a function on one path.
    pub unwind: u32,
    pub scope: CheckScope,
    /// Whether allocations may fail.
    pub allocation_may_fail: bool,
    /// What numbers hold that were never set.
    pub uninitialized: UninitializedMode,
    /// Whether more is tried than following paths.
    pub proves: bool,
    /// Where runs start where no function is named.
    pub entries: Entries,
    pub baseline: Option<Baseline>,
    /// What counter-examples are written for; the one of the language where none is asked for.
    pub framework: Option<Framework>,
}

/// Where runs of `check` start where no function is named. What is left out is looked at where it is called.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Entries {
    #[default]
    All,
    /// Functions that other files can call.
    Public,
    /// Functions that no other calls.
    Roots,
}

/// A file with findings that somebody has looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Baseline {
    pub path: PathBuf,
    /// What is found becomes the new content; else what it contains is not reported again.
    pub is_written: bool,
}

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct CheckScope {
    /// Unsigned arithmetic that wraps around, too.
    pub unsigned_wrap: bool,
    /// Implicit conversions that change the value of an integer, too.
    pub conversions: bool,
    /// Calls through pointers to functions of other types, too.
    pub exact_calls: bool,
    /// Allocations of more bytes than this, too.
    pub heap: Option<u64>,
    /// Memory that is lost, too.
    pub leaks: bool,
    /// Java: exceptions of `throw` statements that leave a method without being declared, too.
    pub uncaught: bool,
    /// What counts as a failure.
    pub asked: Asked,
}

impl CheckScope {
    /// Whether memory is judged when a run has ended.
    pub fn finds_leaks(&self) -> bool {
        self.leaks || self.asked.lost_memory() || self.asked.kept_memory()
    }
}

/// What `check` can leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckFormat {
    /// `suite.json`
    Suite,
    /// `tests/`: counter-examples as tests
    Tests,
    /// `glassbox.sarif`
    Sarif,
    /// A report made from the suite alone.
    Report(Format),
}

/// What a run takes from the world around it, so that nothing below asks again.
#[derive(Debug, Clone, Default)]
pub struct Environment {
    /// The command line, as `suite.json` shows it.
    pub command: Vec<String>,
    /// `SOURCE_DATE_EPOCH`, as it was set: with it, the same run gives the same bytes.
    pub source_date: Option<String>,
    /// Variables that compilers, programs and JVMs look at.
    pub variables: Vec<(String, String)>,
}

/// The criterion with this name, or a message that lists them.
pub fn criterion(name: &str) -> Result<Box<dyn Criterion>, String> {
    let unknown = || match name.split(':').next() {
        Some("path") => format!(
            "no criterion `{name}`\nhelp: paths have 1 to {0} branches: `path:1` to `path:{0}`",
            criterion::LONGEST_PATH
        ),
        _ => format!("no criterion `{name}`\nhelp: {}", similar::help(name, &criterion::names())),
    };
    criterion::by_name(name).ok_or_else(unknown)
}

/// The criteria with these names; a message when one does not exist or two do not go together.
pub fn criteria(names: &[String]) -> Result<Vec<Box<dyn Criterion>>, String> {
    let criteria: Result<Vec<Box<dyn Criterion>>, String> =
        names.iter().map(|name| criterion(name)).collect();
    let criteria = criteria?;
    let has = |name: &str| criteria.iter().any(|criterion| criterion.name() == name);
    // Their goals are branches too, which would count as steps of paths and as operators of each other.
    let branching: Vec<&str> =
        ["boundary", "mutation:weak"].into_iter().filter(|name| has(name)).collect();
    let others: Vec<&str> = ["path"].into_iter().filter(|name| has(name)).collect();
    if let [first, second, ..] = [branching.as_slice(), others.as_slice()].concat()[..] {
        return Err(format!(
            "`{first}` and `{second}` do not go together: goals of the one are branches, which the other would count, too\n\
             help: run them one after the other"
        ));
    }
    Ok(criteria)
}

impl Plan {
    /// Where tests go.
    pub fn tests_folder(&self) -> PathBuf {
        self.out.join("tests")
    }
}
