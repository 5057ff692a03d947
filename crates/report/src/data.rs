//! The data model of suite.json as reports read it: plain data, tolerant of fields it does not know.
//!
//! Every report is made from this and nothing else, so `glassbox report` gives the same bytes from the
//! file as `glassbox gen` gave from the run. A file of another format version is refused by name.

use std::fmt;

use serde::Deserialize;
use serde_json::Value;

use crate::suite_json::FORMAT;

/// One suite.json.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct SuiteData {
    pub format: u32,
    pub tool: Tool,
    pub command: Vec<String>,
    pub functions: Vec<Function>,
    pub sources: Vec<Source>,
    pub stub_sites: Vec<StubSite>,
}

/// A place where an undefined function is called.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct StubSite {
    pub function: String,
    pub file: String,
    pub line: u32,
    /// Of the closing parenthesis.
    pub column: u32,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Tool {
    pub name: String,
    pub version: String,
}

/// A source file; the text where it could be read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Source {
    pub path: String,
    pub text: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Function {
    pub name: String,
    /// The name as people say it; may be missing in older files.
    pub title: String,
    pub file: Option<String>,
    pub line: u32,
    pub goals: Vec<Goal>,
    pub tests: Vec<Test>,
    pub decisions: Vec<Decision>,
    pub graph: Graph,
    pub refutations: Vec<Refutation>,
    pub invariants: Vec<Invariant>,
    pub assumptions: Vec<String>,
    pub contract: Vec<ContractClause>,
    pub statistics: Statistics,
}

/// A clause of the function's contract, and the goals that it makes impossible.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct ContractClause {
    pub place: String,
    pub text: String,
    pub removes: Vec<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Goal {
    pub id: String,
    pub kind: String,
    pub file: Option<String>,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    pub text: String,
    pub verdict: String,
    /// The test that reaches it.
    pub test: Option<String>,
    /// The two tests that show independence.
    pub pair: Vec<Option<String>>,
    /// The kind of proof: words, or an object whose `method` is.
    pub proof: Value,
    pub bounds: Vec<String>,
    pub reason: Option<Reason>,
    pub at: Anchor,
    pub reached_after: Option<u64>,
    /// Positions in the function's refutations.
    pub refutations: Vec<usize>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Reason {
    pub code: String,
    pub text: String,
}

/// The part of the graph that a goal is about.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Anchor {
    pub block: Option<usize>,
    pub edges: Vec<(usize, u32)>,
    pub decision: Option<usize>,
    pub condition: Option<usize>,
    pub flavor: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Test {
    pub id: String,
    /// As written: a tree of named, typed values.
    pub inputs: Value,
    pub expected: Value,
    pub covers: Vec<String>,
    pub path: Vec<String>,
    pub constraints: Vec<String>,
    pub blocks: Vec<usize>,
    pub edges: Vec<(usize, u32)>,
    /// What the run did in other functions of the suite.
    pub elsewhere: Vec<Elsewhere>,
    pub replay: Replay,
}

/// What a run did in another function of the suite.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Elsewhere {
    /// Its position in the suite.
    pub function: usize,
    pub blocks: Vec<usize>,
    pub edges: Vec<(usize, u32)>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Replay {
    /// `confirmed`, `failed` or `not-run`.
    pub state: String,
    pub story: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Decision {
    pub line: u32,
    pub column: u32,
    pub conditions: Vec<Condition>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Condition {
    pub text: String,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Graph {
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Block {
    pub lines: Vec<u32>,
    pub kind: String,
    pub text: Option<String>,
    pub edges: Vec<Edge>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Edge {
    pub to: usize,
    pub label: Option<String>,
}

/// What holds at a line for every input.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Invariant {
    pub line: u32,
    pub text: String,
}

/// A way that is closed, and why.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Refutation {
    pub edge: (usize, u32),
    pub core: Vec<CoreCondition>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct CoreCondition {
    pub text: String,
    pub line: Option<u32>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Statistics {
    pub paths: u64,
    pub runs: u64,
    pub layers: Vec<Layer>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Layer {
    pub name: String,
    pub asked: u64,
    pub sat: u64,
    pub unsat: u64,
    pub steps: u64,
}

/// Why a suite.json cannot be used.
#[derive(Debug)]
pub enum ReadError {
    NotJson(serde_json::Error),
    /// No `format` in it: some other file.
    NotASuite,
    /// Written by another version of the tool.
    OtherFormat {
        found: u64,
        tool: String,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotJson(error) => write!(f, "not valid JSON: {error}"),
            ReadError::NotASuite => f.write_str("this is not a suite.json of glassbox"),
            ReadError::OtherFormat { found, tool } => write!(
                f,
                "format {found}, written by {tool}; this version reads format {FORMAT}: \
                 run `glassbox gen` again, or use the version that wrote it"
            ),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads the text of a suite.json: as it is, and typed.
pub fn read(text: &str) -> Result<(Value, SuiteData), ReadError> {
    let value: Value = serde_json::from_str(text).map_err(ReadError::NotJson)?;
    let data = from_value(&value)?;
    Ok((value, data))
}

/// The typed form of a suite.
pub fn from_value(value: &Value) -> Result<SuiteData, ReadError> {
    let Some(found) = value.get("format").and_then(Value::as_u64) else {
        return Err(ReadError::NotASuite);
    };
    if found != u64::from(FORMAT) {
        let word = |key: &str| value["tool"][key].as_str().unwrap_or("?").to_owned();
        return Err(ReadError::OtherFormat {
            found,
            tool: format!("{} {}", word("name"), word("version")),
        });
    }
    SuiteData::deserialize(value).map_err(ReadError::NotJson)
}

/// How many goals have each verdict.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub goals: usize,
    pub covered: usize,
    pub infeasible: usize,
    pub infeasible_within: usize,
    pub unknown: usize,
    pub violated: usize,
    pub holds: usize,
    pub holds_within: usize,
    pub tests: usize,
}

impl Counts {
    pub fn add(&mut self, function: &Function) {
        self.tests += function.tests.len();
        for goal in &function.goals {
            self.goals += 1;
            match goal.verdict.as_str() {
                "covered" => self.covered += 1,
                "infeasible" => self.infeasible += 1,
                "infeasible-within" => self.infeasible_within += 1,
                "violated" => self.violated += 1,
                "holds" => self.holds += 1,
                "holds-within" => self.holds_within += 1,
                _ => self.unknown += 1,
            }
        }
    }
}

impl SuiteData {
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.functions.iter().for_each(|function| counts.add(function));
        counts
    }

    /// The text of a source file.
    pub fn source(&self, path: &str) -> Option<&str> {
        self.sources.iter().find(|source| source.path == path)?.text.as_deref()
    }

    /// Paths of the files that functions are in, in order of first mention.
    pub fn files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = Vec::new();
        for file in self.functions.iter().filter_map(|function| function.file.as_deref()) {
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }
}

impl Goal {
    /// The kind of proof in words.
    pub fn proof_text(&self) -> Option<&str> {
        self.proof.as_str().or_else(|| self.proof.get("method")?.as_str())
    }

    /// Places in class files have lines only; what stands for a column is a position in the bytecode.
    pub fn is_bytecode(&self) -> bool {
        self.file.as_deref().is_some_and(|file| file.ends_with(".java"))
    }

    /// Proved that nothing reaches it, without bounds.
    pub fn is_infeasible(&self) -> bool {
        self.verdict == "infeasible"
    }
}

impl Function {
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        counts.add(self);
        counts
    }

    /// What to call it in text for people.
    pub fn title(&self) -> &str {
        if self.title.is_empty() { &self.name } else { &self.title }
    }
}
