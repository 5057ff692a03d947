//! Confirming tests: they compile, pass, pass again in another order, and go where they should.

use std::fs;
use std::path::{Path, PathBuf};

use glassbox_emit::{TestFile, c_runtime, plain};

use crate::blame;
use crate::compiler::{Compiler, Included};
use crate::gcov;
use crate::probe::{
    ComparisonSite, PlacedCondition, ProbeSite, SeenRelation, as_source, instrument, read_events,
    relation_probe,
};
use crate::sandbox::{Finished, Limits, run};

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

/// What to confirm.
#[derive(Debug)]
pub struct Replay<'a> {
    pub compiler: &'a Compiler,
    /// A folder of its own, which exists.
    pub folder: &'a Path,
    pub file: &'a TestFile<'a>,
    pub unit: Unit<'a>,
    /// Conditions of the function under test in the text of the unit.
    pub conditions: &'a [PlacedCondition],
    /// By test: the conditions it should evaluate, in order.
    pub expected: &'a [Vec<(ProbeSite, bool)>],
    /// Comparisons whose boundary values are looked at.
    pub comparisons: &'a [ComparisonSite],
    /// By test: what it should show of these comparisons, by position.
    pub relations: &'a [Vec<(usize, SeenRelation)>],
    /// Whether gcov counts lines too: for goals that no probe can see.
    pub counts_lines: bool,
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

/// What the program that was built reports.
struct Built {
    sites: Vec<ProbeSite>,
    /// Whether the operands of comparisons are reported.
    has_comparisons: bool,
    /// By test: why it is not in the program.
    rejected: Vec<Option<String>>,
}

/// Builds the instrumented program and runs every test twice, the second time in reverse order.
pub fn confirm(replay: &Replay<'_>) -> Result<Vec<Confirmation>, ReplayError> {
    let built = build(replay)?;
    let n_tests = replay.file.tests.len();
    let mut results = Vec::with_capacity(n_tests);
    for test in 0..n_tests {
        results.push(run_one(replay, &built, test)?);
    }
    for test in (0..n_tests).rev() {
        let again = run_one(replay, &built, test)?;
        if let Confirmation::Unfinished(_) = results[test] {
            continue;
        }
        let is_flaky =
            (again == Confirmation::Confirmed) != (results[test] == Confirmation::Confirmed);
        if let Confirmation::Unfinished(_) = again {
            results[test] = again;
        } else if is_flaky {
            results[test] = Confirmation::Flaky;
        }
    }
    Ok(results)
}

fn write(path: &Path, text: &[u8]) -> Result<(), ReplayError> {
    fs::write(path, text).map_err(|error| ReplayError::Io(path.to_owned(), error))
}

/// Builds the program; what the compiler does not take is left out, test by test, and then all probes.
fn build(replay: &Replay<'_>) -> Result<Built, ReplayError> {
    let mut rejected: Vec<Option<String>> = vec![None; replay.file.tests.len()];
    let mut has_probes = true;
    let mut first = None;
    loop {
        let (sites, output) = match build_once(replay, &rejected, has_probes)? {
            (sites, None) => {
                return Ok(Built { sites, has_comparisons: has_probes, rejected });
            }
            (sites, Some(output)) => (sites, output),
        };
        let text = fs::read_to_string(replay.folder.join("test.c")).unwrap_or_default();
        let names: Vec<&str> = replay.file.tests.iter().map(|test| test.name.as_str()).collect();
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
            if !has_probes || (sites.is_empty() && replay.comparisons.is_empty()) {
                return Err(ReplayError::DoesNotCompile(output));
            }
            has_probes = false;
        }
    }
}

/// Sites of the probes, and what the compiler says if it refuses.
fn build_once(
    replay: &Replay<'_>,
    rejected: &[Option<String>],
    has_probes: bool,
) -> Result<(Vec<ProbeSite>, Option<String>), ReplayError> {
    let folder = replay.folder;
    let Unit { text, shown, source } = replay.unit;
    let (conditions, comparisons) =
        if has_probes { (replay.conditions, replay.comparisons) } else { (&[][..], &[][..]) };
    let probes = instrument(text, conditions, comparisons);
    let path = source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    write(&folder.join("unit.c"), &as_source(&probes.text, shown, &path))?;
    write(&folder.join("glassbox.h"), c_runtime::HEADER.as_bytes())?;
    write(&folder.join("glassbox.c"), c_runtime::SOURCE.as_bytes())?;
    let mut file = replay.file.clone();
    file.include = "unit.c".to_owned();
    let mut rejected = rejected.iter();
    file.tests.retain(|_| rejected.next().is_some_and(Option::is_none));
    write(&folder.join("test.c"), plain::test_file(&file).as_bytes())?;
    let extra: &[String] = if replay.counts_lines { &[gcov::FLAG.to_owned()] } else { &[] };
    let finished = replay
        .compiler
        .build(folder, Included::Preprocessed, extra, "test")
        .map_err(|error| ReplayError::Io(source.to_owned(), error))?;
    let refusal = (!finished.succeeded()).then_some(finished.output);
    Ok((probes.sites, refusal))
}

fn run_one(replay: &Replay<'_>, built: &Built, test: usize) -> Result<Confirmation, ReplayError> {
    if let Some(words) = &built.rejected[test] {
        return Ok(Confirmation::Rejected(format!("it does not compile: {words}")));
    }
    let name = replay.file.tests[test].name.clone();
    let events = replay.folder.join("events");
    let _ = fs::remove_file(&events);
    let env = [("GLASSBOX_PROBES", events.display().to_string())];
    let finished = run(replay.folder, "./test", &[name], &env, Limits::test())
        .map_err(|error| ReplayError::Io(replay.folder.join("test"), error))?;
    if finished.status.is_none() {
        return Ok(Confirmation::Unfinished("ran too long".to_owned()));
    }
    if finished.code() != Some(0) {
        return Ok(Confirmation::Failed(failure(&finished)));
    }
    let text = fs::read_to_string(&events).unwrap_or_default();
    let events = read_events(&text);
    let relations = replay.relations.get(test).filter(|_| built.has_comparisons);
    for &(comparison, relation) in relations.into_iter().flatten() {
        let probe = relation_probe(built.sites.len(), comparison, relation);
        if !events.iter().any(|event| event.0 == probe) {
            let line = replay.comparisons[comparison].line;
            return Ok(Confirmation::Diverged(format!(
                "the operands at line {line} should be {}, and in the compiled program they never are",
                relation.words()
            )));
        }
    }
    Ok(compare(replay, &replay.expected[test], &built.sites, &events))
}

/// How a run failed: what it said first, else how it ended.
fn failure(finished: &Finished) -> String {
    let ending = match finished.status {
        None => "ran too long".to_owned(),
        Some(status) => status.to_string(),
    };
    let told = finished.output.lines().find_map(|line| {
        let check = line.find("check failed: ").and_then(|at| line.get(at..));
        check.or_else(|| line.contains(": ended by signal ").then_some(line))
    });
    format!("{}\n{}", told.unwrap_or(&ending), finished.output.trim_end())
}

/// The conditions that probes can see, in order, must be those expected.
fn compare(
    replay: &Replay<'_>,
    expected: &[(ProbeSite, bool)],
    sites: &[ProbeSite],
    seen: &[(usize, bool)],
) -> Confirmation {
    let visible = expected.iter().filter(|(site, _)| sites.contains(site));
    let mut seen = seen.iter().filter_map(|&(probe, value)| Some((*sites.get(probe)?, value)));
    let body = replay.file.program.body(replay.file.function);
    let named = |site: ProbeSite| {
        let condition =
            &body.decisions[site.decision.index()].conditions[usize::from(site.condition)];
        let text = condition.text.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("`{text}` of line {}", condition.span.line)
    };
    // A long expectation was cut: compare as far as it goes.
    for &(site, value) in visible {
        let instead = match seen.next() {
            Some(event) if event == (site, value) => continue,
            Some((other, found)) if other == site => format!("it is {found}"),
            Some((other, found)) => format!("{} comes first and is {found}", named(other)),
            None => "it is not evaluated".to_owned(),
        };
        return Confirmation::Diverged(format!(
            "{} should be {value}, and in the compiled program {instead}",
            named(site)
        ));
    }
    Confirmation::Confirmed
}
