//! Confirming tests: they compile, pass, pass again in another order, and go where they should.

use std::fs;
use std::path::{Path, PathBuf};

use glassbox_emit::{TestFile, c_runtime, plain};
use glassbox_ir::FileId;

use crate::compiler::Compiler;
use crate::gcov;
use crate::probe::{
    ComparisonSite, Macros, ProbeSite, SeenRelation, instrument, read_events, relation_probe,
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
                write!(f, "the generated tests do not compile:\n{output}")
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
    /// The source under test, absolute.
    pub source: &'a Path,
    pub source_file: FileId,
    /// By test: the conditions it should evaluate, in order.
    pub expected: &'a [Vec<(ProbeSite, bool)>],
    /// Comparisons whose boundary values are looked at.
    pub comparisons: &'a [ComparisonSite],
    /// By test: what it should show of these comparisons, by position.
    pub relations: &'a [Vec<(usize, SeenRelation)>],
    /// Whether gcov counts lines too: for goals that no probe can see.
    pub counts_lines: bool,
}

/// What the program that was built reports.
struct Built {
    sites: Vec<ProbeSite>,
    /// Whether the operands of comparisons are reported.
    has_comparisons: bool,
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

fn write(path: &Path, text: &str) -> Result<(), ReplayError> {
    fs::write(path, text).map_err(|error| ReplayError::Io(path.to_owned(), error))
}

fn build(replay: &Replay<'_>) -> Result<Built, ReplayError> {
    let built = build_with(replay, Macros::Trusted);
    // A macro may be more than an expression; without probes at macros and operands, more compiles.
    match built {
        Err(ReplayError::DoesNotCompile(first)) => {
            build_with(replay, Macros::Avoided).map_err(|_| ReplayError::DoesNotCompile(first))
        }
        other => other,
    }
}

fn build_with(replay: &Replay<'_>, macros: Macros) -> Result<Built, ReplayError> {
    let folder = replay.folder;
    let io = |error| ReplayError::Io(replay.source.to_owned(), error);
    let source = fs::read_to_string(replay.source).map_err(io)?;
    let body = replay.file.program.body(replay.file.function);
    let comparisons = match macros {
        Macros::Trusted => replay.comparisons,
        Macros::Avoided => &[],
    };
    let probes = instrument(&source, replay.source_file, body, comparisons, macros);
    let shown = replay.source.display().to_string().replace('\\', "\\\\").replace('"', "\\\"");
    write(&folder.join("probed.c"), &format!("#line 1 \"{shown}\"\n{}", probes.text))?;
    write(&folder.join("glassbox.h"), c_runtime::HEADER)?;
    write(&folder.join("glassbox.c"), c_runtime::SOURCE)?;
    let mut file = replay.file.clone();
    file.include = "probed.c".to_owned();
    write(&folder.join("test.c"), &plain::test_file(&file))?;
    let mut extra = vec!["-include".to_owned(), "glassbox.h".to_owned()];
    if let Some(parent) = replay.source.parent() {
        extra.extend(["-iquote".to_owned(), parent.display().to_string()]);
    }
    if replay.counts_lines {
        extra.push(gcov::FLAG.to_owned());
    }
    let finished =
        replay.compiler.build(folder, &["test.c", "glassbox.c"], &extra, "test").map_err(io)?;
    if !finished.succeeded() {
        return Err(ReplayError::DoesNotCompile(finished.output));
    }
    Ok(Built { sites: probes.sites, has_comparisons: macros == Macros::Trusted })
}

fn run_one(replay: &Replay<'_>, built: &Built, test: usize) -> Result<Confirmation, ReplayError> {
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
            let line = replay.comparisons[comparison].span.line;
            return Ok(Confirmation::Diverged(format!(
                "the operands at line {line} should be {relation:?}, the program says they never are"
            )));
        }
    }
    Ok(compare(&replay.expected[test], &built.sites, &events))
}

fn failure(finished: &Finished) -> String {
    let ending = match finished.status {
        None => "ran too long".to_owned(),
        Some(status) => status.to_string(),
    };
    format!("{ending}\n{}", finished.output.trim_end())
}

/// The conditions that probes can see, in order, must be those expected.
fn compare(
    expected: &[(ProbeSite, bool)],
    sites: &[ProbeSite],
    seen: &[(usize, bool)],
) -> Confirmation {
    let visible = expected.iter().filter(|(site, _)| sites.contains(site));
    let seen = seen.iter().filter_map(|&(probe, value)| Some((*sites.get(probe)?, value)));
    // A long expectation was cut: compare as far as it goes.
    let mut seen = seen.peekable();
    for (step, &(site, value)) in visible.enumerate() {
        match seen.next() {
            Some(event) if event == (site, value) => {}
            other => {
                return Confirmation::Diverged(format!(
                    "step {step}: condition {} of {} should be {value}, the program says {other:?}",
                    site.condition, site.decision
                ));
            }
        }
    }
    Confirmation::Confirmed
}
