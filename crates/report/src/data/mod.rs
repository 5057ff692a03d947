//! suite.json as data: what a run writes, what reports read, and what the schema is made from.
//!
//! Every report is made from this and nothing else, so `glassbox report` gives the same bytes from the
//! file as `glassbox gen` gave from the run. A file of another format version is refused by name. Fields that
//! a file does not have are empty, unknown fields are skipped. The order of fields is the order in
//! the file.

pub mod begun;
pub mod goal;
pub mod graph;
pub mod literal;
#[cfg(test)]
mod schema;
pub mod test;
pub mod value;
pub mod words;

use std::fmt;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::sha256;

pub use goal::{Anchor, Goal, GoalKind, Method, Outcome, Reason, ReasonCode};
pub use graph::{Block, BlockKind, Decision, Edge, Graph, Invariant, Known, Refutation};
pub use test::{Confirmation, Inputs, Replay, ReplayState, Rerun, Test};
pub use value::Value;

/// The version of the format; readers refuse others.
pub const FORMAT: u32 = 1;

/// The result of `glassbox gen` or `glassbox check`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields, title = "suite.json"))]
#[serde(default)]
pub struct SuiteData {
    /// The version of this format; readers refuse others.
    #[cfg_attr(test, schemars(extend("const" = FORMAT)))]
    pub format: u32,
    pub tool: Tool,
    /// What the run was for.
    pub task: Task,
    pub command: Vec<String>,
    /// Absent for C.
    #[serde(skip_serializing_if = "Language::is_c")]
    pub language: Language,
    pub functions: Vec<Function>,
    /// The text of every file that a function or a goal is in.
    pub sources: Vec<Source>,
    /// Where functions without a body are called directly.
    pub stub_sites: Vec<StubSite>,
}

impl SuiteData {
    /// Adds what was found in another program of the same run.
    pub fn add(&mut self, other: SuiteData) {
        self.functions.extend(other.functions);
        for source in other.sources {
            // Headers are part of several programs.
            if !self.sources.iter().any(|known| known.path == source.path) {
                self.sources.push(source);
            }
        }
        for site in other.stub_sites {
            if !self.stub_sites.contains(&site) {
                self.stub_sites.push(site);
            }
        }
    }
}

/// What a run is for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Tests that reach goals: `glassbox gen`.
    #[default]
    Generate,
    /// Properties that should hold: `glassbox check`.
    Check,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Tool {
    pub name: String,
    pub version: String,
}

/// The language of the program under test.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Language {
    #[default]
    C,
    Java,
    Rules,
}

impl Language {
    fn is_c(&self) -> bool {
        *self == Language::C
    }

    /// Places in class files have lines only; what stands for a column is a position in the bytecode.
    pub fn has_columns(self) -> bool {
        match self {
            Language::C | Language::Rules => true,
            Language::Java => false,
        }
    }
}

impl From<glassbox_ir::Language> for Language {
    fn from(language: glassbox_ir::Language) -> Language {
        match language {
            glassbox_ir::Language::C => Language::C,
            glassbox_ir::Language::Java => Language::Java,
            glassbox_ir::Language::Rules => Language::Rules,
        }
    }
}

/// A source file; the text where it could be read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Source {
    pub path: String,
    pub text: Option<String>,
}

/// A place where an undefined function is called.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct StubSite {
    pub function: String,
    pub file: String,
    pub line: u32,
    /// Of the closing parenthesis.
    pub column: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Function {
    pub name: String,
    /// The name as people say it: a method without package and descriptor.
    pub title: String,
    /// As a C declaration, roughly.
    pub signature: String,
    pub file: Option<String>,
    pub line: u32,
    pub end_line: u32,
    /// The type of the result.
    pub result: String,
    pub params: Vec<Param>,
    pub goals: Vec<Goal>,
    pub tests: Vec<Test>,
    pub decisions: Vec<Decision>,
    pub graph: Graph,
    pub refutations: Vec<Refutation>,
    /// What holds at a line for every input; filled where a proof rests on it.
    pub invariants: Vec<Invariant>,
    /// Null unless inputs were enumerated.
    pub solutions: Option<Solutions>,
    pub contract: Vec<ContractClause>,
    /// Requirements that the contract traces the function to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub requirements: Vec<String>,
    /// What a JVM confirmed, where tests were run in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
    /// What was taken for granted.
    pub assumptions: Vec<String>,
    /// What the search was limited to: options by their names, and fixed bounds.
    pub limits: Vec<Limit>,
    /// A digest of what the function depends on in the program; absent where it is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub depends: String,
    /// Inputs of an earlier suite that were tried first, because the function has changed since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<Inputs>,
    /// What the function does with inputs of earlier suites that no test has any more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<Rerun>,
    pub statistics: Statistics,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Param {
    pub name: String,
    #[serde(rename = "type")]
    pub type_name: String,
}

/// Enumerated inputs of goals as tables: the names of the inputs once, then a row of values per solution.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Solutions {
    pub goals: Vec<GoalSolutions>,
    pub tables: Vec<SolutionTable>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct GoalSolutions {
    pub goal: String,
    pub count: usize,
    /// There are no others within the bounds of the search.
    pub complete: bool,
}

/// Inputs that take one path.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct SolutionTable {
    pub goals: Vec<Option<String>>,
    pub inputs: Vec<String>,
    pub values: Vec<Vec<Value>>,
}

/// A clause of the function's contract, and the goals that it makes impossible.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct ContractClause {
    pub text: String,
    pub place: String,
    pub removes: Vec<String>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Limit {
    pub name: String,
    pub value: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
#[serde(default)]
pub struct Statistics {
    pub paths: usize,
    pub runs: usize,
    pub layers: Vec<Layer>,
}

/// The account of one layer of the solver. No times: the same run gives the same file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema), schemars(deny_unknown_fields))]
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

/// What says whether a file can be read at all.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Head {
    format: Option<u64>,
    tool: HeadTool,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct HeadTool {
    name: Option<String>,
    version: Option<String>,
}

/// Reads the text of a suite.json.
pub fn read(text: &str) -> Result<SuiteData, ReadError> {
    let head: serde_json::Value = serde_json::from_str(text).map_err(ReadError::NotJson)?;
    let head = Head::deserialize(&head).unwrap_or_default();
    let found = head.format.ok_or(ReadError::NotASuite)?;
    if found != u64::from(FORMAT) {
        let word = |word: Option<String>| word.unwrap_or_else(|| "?".to_owned());
        let tool = format!("{} {}", word(head.tool.name), word(head.tool.version));
        return Err(ReadError::OtherFormat { found, tool });
    }
    serde_json::from_str(text).map_err(ReadError::NotJson)
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
            *match &goal.outcome {
                Outcome::Covered { .. } => &mut self.covered,
                Outcome::Infeasible { .. } => &mut self.infeasible,
                Outcome::InfeasibleWithin { .. } => &mut self.infeasible_within,
                Outcome::Violated { .. } => &mut self.violated,
                Outcome::Holds { .. } => &mut self.holds,
                Outcome::HoldsWithin { .. } => &mut self.holds_within,
                Outcome::Unknown { .. } => &mut self.unknown,
            } += 1;
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

    /// The file's text.
    pub fn to_text(&self) -> String {
        let text =
            serde_json::to_string_pretty(self).expect("keys are strings, numbers are finite");
        format!("{text}\n")
    }

    /// Writes the file's text, which may be long, without holding it.
    pub fn write_text(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, self)?;
        out.write_all(b"\n")
    }

    /// The digest of the file.
    pub fn digest(&self) -> String {
        sha256::of_written(|out| self.write_text(out)).unwrap_or_default()
    }

    /// The same on one line.
    pub fn write_line(&self, out: &mut dyn std::io::Write) -> std::io::Result<()> {
        Ok(serde_json::to_writer(out, self)?)
    }

    /// On one line.
    pub fn to_line(&self) -> String {
        serde_json::to_string(self).expect("keys are strings, numbers are finite")
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

    pub fn test(&self, id: &str) -> Option<&Test> {
        self.tests.iter().find(|test| test.id == id)
    }
}
