//! Confirming tests: they compile, pass, pass again in another order, and go where they should.
//!
//! The tests of all functions of a unit that are given together become one program, so that the unit is compiled once.
//! Where the compiler refuses that, the tests that it blames, or one half after the other, are built for themselves.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use glassbox_emit::{TestFile, c_runtime, plain, replaced};
use glassbox_ir::FuncId;

use crate::blame;
use crate::compiler::{Compiler, Included};
use crate::gcov;
use crate::probe::{
    ComparisonSite, Numbers, PlacedCondition, ProbeSite, SeenRelation, Watched, as_source,
    instrument,
};
use crate::test_program::Running;

/// What the real program did with one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confirmation {
    /// Passed twice; conditions went as expected.
    Confirmed,
    /// The assertions failed, or it crashed: the interpreter and the machine disagree.
    Failed(String),
    /// A condition had another value than expected.
    Diverged(String),
    /// Passed once and failed once.
    Flaky,
    /// It did not come to an end: nothing is known about it.
    Unfinished(String),
    /// The compiler does not take it, alone among the tests of its file; its words.
    Rejected(String),
}

/// Why nothing could be run.
#[derive(Debug)]
pub enum ReplayError {
    Io(PathBuf, std::io::Error),
    /// The compiler's own words.
    DoesNotCompile(String),
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReplayError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            ReplayError::DoesNotCompile(output) => {
                write!(f, "the generated tests do not compile: {}\n{output}", blame::first(output))
            }
        }
    }
}

impl std::error::Error for ReplayError {}

/// What to confirm: tests of functions of one unit.
#[derive(Debug, Clone, Copy)]
pub struct Replay<'a> {
    pub compiler: &'a Compiler,
    /// A folder of its own, which exists.
    pub folder: &'a Path,
    pub unit: Unit<'a>,
    pub functions: &'a [Tested<'a>],
}

/// One function and its tests.
#[derive(Debug, Clone)]
pub struct Tested<'a> {
    pub file: TestFile<'a>,
    /// The function whose conditions are looked at.
    pub watched: FuncId,
    /// Conditions of the function in the text of the unit.
    pub conditions: Vec<PlacedCondition>,
    /// By test: the conditions it should evaluate, in order.
    pub expected: Vec<Vec<(ProbeSite, bool)>>,
    /// Comparisons whose boundary values are looked at.
    pub comparisons: Vec<ComparisonSite>,
    /// By test: what it should show of these comparisons, by position.
    pub relations: Vec<Vec<(usize, SeenRelation)>>,
    /// Whether gcov counts lines too: for goals that no probe can see.
    pub counts_lines: bool,
}

impl Tested<'_> {
    fn names(&self) -> impl Iterator<Item = &str> {
        self.file.tests.iter().map(|test| test.name.as_str())
    }
}

/// The unit under test.
#[derive(Debug, Clone, Copy)]
pub struct Unit<'a> {
    /// Preprocessed, with the definitions of its macros.
    pub text: &'a [u8],
    /// What line markers call the source under test.
    pub shown: &'a str,
    /// The source itself, absolute.
    pub source: &'a Path,
}

/// What the real program did with the tests of one function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confirmed {
    /// By test.
    pub confirmations: Vec<Confirmation>,
    /// By line: how often its tests executed it.
    pub line_counts: Option<BTreeMap<u32, u64>>,
}

/// Builds instrumented programs and runs every test twice, the second time in reverse order; by function.
pub fn confirm(replay: &Replay<'_>) -> Vec<Result<Confirmed, ReplayError>> {
    let functions = replay.functions;
    if let [tested] = functions {
        return vec![alone(replay, tested)];
    }
    let parts = match together(replay) {
        Ok(Ok(built)) => {
            let running = |(position, numbers): (usize, Numbers)| {
                let tested = &functions[position];
                let rejected = vec![None; tested.file.tests.len()];
                Running { replay, tested, position, numbers, rejected, has_comparisons: true }
            };
            return built.into_iter().enumerate().map(running).map(|it| it.confirm()).collect();
        }
        Ok(Err(parts)) => parts,
        // Whatever is wrong with the folder will be said of every function.
        Err(_) => (0..functions.len()).map(|position| vec![position]).collect(),
    };
    let mut found: Vec<Option<Result<Confirmed, ReplayError>>> =
        functions.iter().map(|_| None).collect();
    for (index, part) in parts.iter().enumerate() {
        let own: Vec<Tested<'_>> = part.iter().map(|&it| functions[it].clone()).collect();
        let folder = replay.folder.join(format!("part_{index}"));
        let results = match fs::create_dir(&folder) {
            Ok(()) => confirm(&Replay { folder: &folder, functions: &own, ..*replay }),
            Err(error) => {
                let refused = |_: &usize| Err(ReplayError::Io(folder.clone(), error.kind().into()));
                part.iter().map(refused).collect()
            }
        };
        for (&position, result) in part.iter().zip(results) {
            found[position] = Some(result);
        }
    }
    found.into_iter().flatten().collect()
}

/// The tests of several functions as one program: the numbers of their probes, or, where the compiler does not take it,
/// the functions that should be tried again with each other.
fn together(replay: &Replay<'_>) -> Result<Result<Vec<Numbers>, Vec<Vec<usize>>>, ReplayError> {
    let functions = replay.functions;
    let halves = || {
        let (first, second) = (0..functions.len() / 2, functions.len() / 2..functions.len());
        vec![first.collect(), second.collect()]
    };
    let mut known = BTreeSet::new();
    if !functions.iter().flat_map(Tested::names).all(|name| known.insert(name)) {
        return Ok(Err(halves()));
    }
    let files: Vec<TestFile<'_>> = functions.iter().map(|tested| tested.file.clone()).collect();
    let (numbers, refusal) = build(replay, files, true)?;
    let Some(output) = refusal else { return Ok(Ok(numbers)) };
    let text = fs::read_to_string(replay.folder.join(SOURCE)).unwrap_or_default();
    let owners = functions.iter().enumerate();
    let owners = owners.flat_map(|(owner, tested)| tested.names().map(move |name| (name, owner)));
    let (names, owners): (Vec<&str>, Vec<usize>) = owners.unzip();
    let blamed = blame::tests(&output, &text, &names);
    // Alone, a function has a text whose lines do not depend on others.
    let blamed: BTreeSet<usize> = blamed.keys().map(|&test| owners[test]).collect();
    if blamed.is_empty() {
        return Ok(Err(halves()));
    }
    let mut parts: Vec<Vec<usize>> = blamed.iter().map(|&position| vec![position]).collect();
    let rest: Vec<usize> = (0..functions.len()).filter(|it| !blamed.contains(it)).collect();
    if !rest.is_empty() {
        parts.push(rest);
    }
    Ok(Err(parts))
}

/// The tests of one function as a program; what the compiler does not take is left out, test by test, and then all
/// probes.
fn alone(replay: &Replay<'_>, tested: &Tested<'_>) -> Result<Confirmed, ReplayError> {
    let mut rejected: Vec<Option<String>> = vec![None; tested.file.tests.len()];
    let mut has_probes = true;
    let mut first = None;
    loop {
        let mut file = tested.file.clone();
        let mut kept = rejected.iter();
        file.tests.retain(|_| kept.next().is_some_and(Option::is_none));
        let (mut numbers, refusal) = build(replay, vec![file], has_probes)?;
        let numbers = numbers.pop().unwrap_or_default();
        let Some(output) = refusal else {
            let has_comparisons = has_probes;
            let running =
                Running { replay, tested, position: 0, numbers, rejected, has_comparisons };
            return running.confirm();
        };
        let text = fs::read_to_string(replay.folder.join(SOURCE)).unwrap_or_default();
        let names: Vec<&str> = tested.names().collect();
        let blamed = blame::tests(&output, &text, &names);
        let output = first.get_or_insert(output).clone();
        let has_blamed = !blamed.is_empty();
        for (test, words) in blamed {
            rejected[test] = Some(words);
        }
        if rejected.iter().all(Option::is_some) {
            return Err(ReplayError::DoesNotCompile(output));
        }
        if !has_blamed {
            // An expression that has to be constant, for instance, takes no probe.
            if !has_probes || (numbers.sites.is_empty() && tested.comparisons.is_empty()) {
                return Err(ReplayError::DoesNotCompile(output));
            }
            has_probes = false;
        }
    }
}

/// What is compiled.
const SOURCE: &str = "test.c";

fn write(path: &Path, text: &[u8]) -> Result<(), ReplayError> {
    fs::write(path, text).map_err(|error| ReplayError::Io(path.to_owned(), error))
}

/// Builds `test` of these files of the functions: the numbers of their probes, and what the compiler says if it
/// refuses.
fn build(
    replay: &Replay<'_>,
    mut files: Vec<TestFile<'_>>,
    has_probes: bool,
) -> Result<(Vec<Numbers>, Option<String>), ReplayError> {
    let folder = replay.folder;
    let Unit { text, shown, source } = replay.unit;
    let none = Watched { conditions: &[], comparisons: &[] };
    let functions: Vec<Watched<'_>> = replay
        .functions
        .iter()
        .map(|tested| {
            if has_probes {
                Watched { conditions: &tested.conditions, comparisons: &tested.comparisons }
            } else {
                none
            }
        })
        .collect();
    let probes = instrument(text, &functions);
    let path = source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    write(&folder.join("unit.c"), &as_source(&probes.text, shown, &path))?;
    write(&folder.join("glassbox.h"), c_runtime::HEADER.as_bytes())?;
    write(&folder.join("glassbox.c"), c_runtime::SOURCE.as_bytes())?;
    for file in &mut files {
        "unit.c".clone_into(&mut file.include);
    }
    write(&folder.join(SOURCE), plain::program(&files).as_bytes())?;
    let mut extra = Vec::new();
    files.iter().for_each(|file| replaced::add_flags(&mut extra, file));
    let counts_lines = replay.functions.iter().any(|tested| tested.counts_lines);
    extra.extend(counts_lines.then(|| gcov::FLAG.to_owned()));
    let finished = replay
        .compiler
        .build(folder, Included::Preprocessed, &extra, PROGRAM)
        .map_err(|error| ReplayError::Io(source.to_owned(), error))?;
    let refusal = (!finished.succeeded()).then_some(finished.output);
    Ok((probes.numbers, refusal))
}

/// What it becomes.
pub(crate) const PROGRAM: &str = "test";
