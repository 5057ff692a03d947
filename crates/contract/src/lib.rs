//! `glassbox.toml`: contracts of functions as code that every engine understands, and defaults of options.
//!
//! The file lies beside the source or in a folder above it, or is named by `--config`. A contract
//! becomes a function of the program, the harness, that assumes what is required, calls the function
//! and asserts what is ensured: the search starts in the harness, so that a contract is a constraint
//! from the first step on and not a filter behind the search.
//!
//! Not here: the search, the command line. No engine knows contracts.

pub mod acsl;
mod asserted;
mod assigned;
pub mod callee;
mod checked_source;
pub mod complaint;
mod conditions;
pub mod declared;
pub mod ending;
mod expanded;
mod expression;
pub mod harness;
pub mod mapping;
mod outcome;
mod quantifier;
mod read;
mod read_behavior;
pub mod relation;
pub mod separate;
pub mod similar;
pub mod stub;

pub use asserted::asserted;
pub use checked_source::{checked_source, stub_requirements};

use std::ops::Range;
use std::path::{Path, PathBuf};

use complaint::Complaint;
use stub::Stub;

/// A configuration file that was read.
#[derive(Debug, Clone)]
pub struct Config {
    /// As messages show it.
    pub path: String,
    pub text: String,
    /// It was named, or lies beside the source: what it speaks of should be there.
    pub is_near: bool,
    pub contracts: Vec<Contract>,
    /// What undefined functions do.
    pub stubs: Vec<Stub>,
    /// Invariants of classes, in languages that have some; the name is the class's.
    pub classes: Vec<Contract>,
    /// By command: options and where they stand.
    pub defaults: Vec<CommandDefaults>,
    /// How specifications are looked into, and what implements them.
    pub rules: mapping::Mapping,
}

/// The options of one command.
#[derive(Debug, Clone)]
pub struct CommandDefaults {
    pub command: String,
    pub options: Vec<OptionDefault>,
}

#[derive(Debug, Clone)]
pub struct OptionDefault {
    /// Without the dashes.
    pub name: String,
    pub key: Range<usize>,
    pub value: OptionValue,
    pub span: Range<usize>,
}

#[derive(Debug, Clone)]
pub enum OptionValue {
    /// Present or not.
    Flag(bool),
    /// One value, or several for an option that may be repeated.
    Values(Vec<String>),
}

/// What a function's callers promise and what it promises them.
#[derive(Debug, Clone)]
pub struct Contract {
    pub function: String,
    /// The function's name in the file.
    pub name: Range<usize>,
    /// Where the program begins to say it, if no file of contracts does.
    pub declared: Option<Declared>,
    pub clauses: Vec<Clause>,
    /// Cases in which clauses hold that name them.
    pub behaviors: Vec<Behavior>,
    /// What holds between several calls.
    pub relations: Vec<Relation>,
    /// What the function is there for, as the requirements of the project number it. Nothing is decided by it.
    pub requirements: Vec<String>,
}

/// A case of a function: what is promised there is promised of calls before which all this holds.
#[derive(Debug, Clone)]
pub struct Behavior {
    pub name: String,
    pub assumes: Vec<Expression>,
}

impl Behavior {
    /// In one expression, in parentheses.
    pub fn condition(&self) -> String {
        if self.assumes.is_empty() {
            return "(1)".to_owned();
        }
        let parts: Vec<String> = self.assumes.iter().map(|it| format!("({})", it.text)).collect();
        format!("({})", parts.join(" && "))
    }
}

/// An expression and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    pub text: String,
    /// In the file of contracts.
    pub offset: usize,
    /// In the program.
    pub declared: Option<Declared>,
}

/// What several calls of a function have to do with each other.
#[derive(Debug, Clone)]
pub struct Relation {
    pub kind: RelationKind,
    /// Where it starts in the file.
    pub offset: usize,
}

#[derive(Debug, Clone)]
pub enum RelationKind {
    /// These parameters may change places.
    Symmetric(Vec<String>),
    /// The elements of these arrays may change places, all in the same way.
    Permute(Vec<Permuted>),
    /// A C expression over calls.
    Relate(String),
    /// Another function does the same.
    Reference {
        function: String,
        /// It is the same function of an older file, whose definitions have names that end in this.
        older: Option<String>,
    },
}

/// An array whose elements change places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Permuted {
    pub array: String,
    pub effect: Effect,
    /// Where the name stands in the file.
    pub offset: usize,
}

/// What the elements of an array change by changing places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: afterwards the array has the same content.
    Invariant,
    /// What the array has afterwards has changed places in the same way.
    Natural,
    /// The same, and the result is an index that goes along.
    Index,
}

/// One promise.
#[derive(Debug, Clone)]
pub struct Clause {
    pub kind: ClauseKind,
    /// As people read it: `require target > 0`.
    pub shown: String,
    /// Where it starts in the file.
    pub offset: usize,
    /// Where the program says it itself, in its source: then it is in no file of contracts.
    pub declared: Option<Declared>,
    /// The case that a promise is about.
    pub behavior: Option<usize>,
}

/// A place in a source of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    pub path: String,
    pub line: u32,
    pub column: u32,
}

impl Declared {
    /// Whether this is the place.
    pub fn is_at(&self, path: &str, line: u32, column: u32) -> bool {
        path.ends_with(&self.path) && (self.line, self.column) == (line, column)
    }
}

#[derive(Debug, Clone)]
pub enum ClauseKind {
    /// A C expression over parameters and globals, before the call.
    Require(String),
    /// A C expression that may also mention `result` and `old(expression)`, after the call.
    Ensure(String),
    /// A place stays between two C expressions; `a[]` means all elements.
    Range { place: String, bounds: Bounds },
    /// The memory behind a pointer has so many elements.
    Length { pointer: String, count: String },
    /// The elements behind these pointers, as many as `length` says, are not elements behind the others.
    Separate(Vec<String>),
    /// Nothing but these places changes.
    Assigns(Vec<Expression>),
}

/// The least and the greatest value of a place, as C expressions.
#[derive(Debug, Clone)]
pub struct Bounds {
    pub low: Option<String>,
    pub high: Option<String>,
}

impl Bounds {
    /// C expressions that say that a place is within the bounds. A negative bound of an unsigned place would
    /// be converted to a large number, so it is looked at first.
    fn conditions(&self, place: &str) -> Vec<String> {
        let minus_one = format!("(__typeof__({place}))-1");
        let guard = |bound: &str, guard: &str| match bound.starts_with('-') {
            true => format!("{minus_one} {guard} "),
            false => String::new(),
        };
        let low = self.low.as_deref();
        let high = self.high.as_deref();
        let low = low.map(|low| format!("{}{place} >= ({low})", guard(low, "> 0 ||")));
        let high = high.map(|high| format!("{}{place} <= ({high})", guard(high, "< 0 &&")));
        low.into_iter().chain(high).collect()
    }
}

impl Effect {
    /// As the file writes it.
    pub fn name(self) -> &'static str {
        match self {
            Effect::Invariant => "invariant",
            Effect::Natural => "natural",
            Effect::Index => "index",
        }
    }
}

impl Contract {
    pub fn ensures(&self) -> impl Iterator<Item = (&Clause, &str)> {
        self.clauses.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::Ensure(text) => Some((clause, text.as_str())),
            ClauseKind::Require(_)
            | ClauseKind::Range { .. }
            | ClauseKind::Length { .. }
            | ClauseKind::Separate(_)
            | ClauseKind::Assigns(_) => None,
        })
    }

    /// A contract that says nothing.
    pub fn empty(function: &str, name: Range<usize>) -> Contract {
        Contract {
            function: function.to_owned(),
            name,
            declared: None,
            clauses: Vec::new(),
            behaviors: Vec::new(),
            relations: Vec::new(),
            requirements: Vec::new(),
        }
    }

    /// Whether callers have to keep to something.
    pub fn has_requirements(&self) -> bool {
        self.clauses.iter().any(|clause| !clause.is_promise())
    }

    /// The number of elements behind a pointer, if a length clause says it with a number.
    fn known_length(&self, array: &str) -> Option<u64> {
        self.clauses.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Length { pointer, count } if pointer.trim() == array.trim() => {
                count.parse().ok()
            }
            ClauseKind::Length { .. }
            | ClauseKind::Require(_)
            | ClauseKind::Ensure(_)
            | ClauseKind::Range { .. }
            | ClauseKind::Separate(_)
            | ClauseKind::Assigns(_) => None,
        })
    }

    /// The number of elements behind a pointer, as a length clause says it.
    pub(crate) fn length_of(&self, array: &str) -> Option<String> {
        self.clauses.iter().find_map(|clause| match &clause.kind {
            ClauseKind::Length { pointer, count } if pointer.trim() == array => Some(count.clone()),
            ClauseKind::Length { .. }
            | ClauseKind::Require(_)
            | ClauseKind::Ensure(_)
            | ClauseKind::Range { .. }
            | ClauseKind::Separate(_)
            | ClauseKind::Assigns(_) => None,
        })
    }

    /// The longest memory that a length clause asks for with a number.
    pub fn longest(&self) -> Option<u64> {
        let count = |clause: &Clause| match &clause.kind {
            ClauseKind::Length { count, .. } => count.parse().ok(),
            ClauseKind::Require(_)
            | ClauseKind::Ensure(_)
            | ClauseKind::Range { .. }
            | ClauseKind::Separate(_)
            | ClauseKind::Assigns(_) => None,
        };
        self.clauses.iter().filter_map(count).max()
    }
}

impl Clause {
    /// Whether the function promises it, and callers have nothing to do with it.
    pub fn is_promise(&self) -> bool {
        match self.kind {
            ClauseKind::Ensure(_) | ClauseKind::Assigns(_) => true,
            ClauseKind::Require(_)
            | ClauseKind::Range { .. }
            | ClauseKind::Length { .. }
            | ClauseKind::Separate(_) => false,
        }
    }
}

impl Config {
    /// What is said of a function that is compared with itself in an older file, whose names end in `older`.
    pub fn compared(config: Option<Config>, function: &str, older: &str) -> Config {
        let mut config = config.unwrap_or_else(Config::nothing);
        for contract in &mut config.contracts {
            contract.relations.clear();
        }
        if !config.contracts.iter().any(|contract| contract.function == function) {
            config.contracts.push(Contract::empty(function, 0..0));
        }
        let own = config.contracts.iter_mut().filter(|contract| contract.function == function);
        for contract in own {
            let kind = RelationKind::Reference {
                function: format!("{function}{older}"),
                older: Some(older.to_owned()),
            };
            contract.relations.push(Relation { kind, offset: contract.name.start });
        }
        config
    }

    /// What a file says that is not there.
    pub(crate) fn nothing() -> Config {
        Config {
            path: "<no configuration>".to_owned(),
            text: String::new(),
            is_near: false,
            contracts: Vec::new(),
            stubs: Vec::new(),
            classes: Vec::new(),
            defaults: Vec::new(),
            rules: mapping::Mapping::default(),
        }
    }

    /// Line and column, both from 1, of a byte.
    pub fn place(&self, offset: usize) -> (usize, usize) {
        complaint::place(&self.text, offset)
    }

    /// The file, line and column of a clause.
    pub fn stands_at<'a>(&'a self, clause: &'a Clause) -> (&'a str, usize, usize) {
        if let Some(Declared { path, line, column }) = &clause.declared {
            return (path, *line as usize, *column as usize);
        }
        let (line, column) = self.place(clause.offset);
        (&self.path, line, column)
    }
}

/// The configuration for these sources: the file that was named, or the nearest `glassbox.toml` beside or
/// above the first source.
pub fn load(named: Option<&Path>, sources: &[PathBuf]) -> Result<Option<Config>, Box<Complaint>> {
    let Some((path, is_near)) = named.map(|path| (path.to_owned(), true)).or_else(|| find(sources))
    else {
        return Ok(None);
    };
    let shown = path.display().to_string();
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Box::new(Complaint::whole_file(&shown, &error.to_string())))?;
    read::read(shown, text, is_near).map(Some)
}

/// What a text says that is or will be in this file.
pub fn parse(path: &Path, text: &str) -> Result<Config, Box<Complaint>> {
    read::read(path.display().to_string(), text.to_owned(), true)
}

/// The file that `load` reads for these sources where none is named.
pub fn nearest(sources: &[PathBuf]) -> Option<PathBuf> {
    find(sources).map(|(path, _)| path)
}

fn find(sources: &[PathBuf]) -> Option<(PathBuf, bool)> {
    let first = sources.first()?;
    // A folder is given where all that is in it counts.
    let inside = first.join("glassbox.toml");
    if inside.is_file() {
        return Some((inside, true));
    }
    let beside = first.parent().unwrap_or(Path::new("")).join("glassbox.toml");
    if beside.is_file() {
        return Some((beside, true));
    }
    let folder = std::fs::canonicalize(first.parent().filter(|p| !p.as_os_str().is_empty())?)
        .or_else(|_| std::env::current_dir())
        .ok()?;
    let above = folder.ancestors().skip(1).map(|folder| folder.join("glassbox.toml"));
    above.into_iter().find(|path| path.is_file()).map(|path| (path, false))
}
