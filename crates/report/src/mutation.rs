//! Mutants and what became of them, as text and in the format of Stryker's mutation-testing-report-schema (version 2),
//! which viewers of several tools read.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_testcase::ProofMethod;
use serde_json::{Map, Value, json};

/// The mutants of one function.
#[derive(Debug, Clone)]
pub struct Function {
    pub name: String,
    pub mutants: Vec<Judged>,
    /// Names of all tests that mutants were run with; the first `n_given` were there before.
    pub tests: Vec<String>,
    pub n_given: usize,
    /// Mutants that those killed.
    pub n_killed_first: usize,
    /// Mutants that tests of the user killed before, where there are such tests.
    pub n_killed_by_user: Option<usize>,
    pub notes: Vec<String>,
}

/// A mutant and what became of it.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The name of its operator.
    pub operator: &'static str,
    pub file: String,
    /// Lines and columns from 1; the last column is one past the end.
    pub start: (u32, u32),
    pub end: (u32, u32),
    pub original: String,
    pub replacement: String,
    pub fate: Fate,
}

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// A test fails with it; how.
    Killed {
        by: String,
        how: String,
    },
    /// A test takes many times as long with it.
    TimedOut {
        by: String,
    },
    /// The change makes no program.
    NotCompiled,
    /// Proved to do the same for every input with which the function is defined.
    Equivalent {
        method: ProofMethod,
    },
    /// The same within these bounds.
    EquivalentWithin {
        bounds: Vec<String>,
    },
    Unknown {
        reason: String,
    },
}

impl Fate {
    pub fn name(&self) -> &'static str {
        match self {
            Fate::Killed { .. } => "killed",
            Fate::TimedOut { .. } => "timed-out",
            Fate::NotCompiled => "not-compiled",
            Fate::Equivalent { .. } => "equivalent",
            Fate::EquivalentWithin { .. } => "equivalent-within",
            Fate::Unknown { .. } => "unknown",
        }
    }

    /// Whether a test notices it.
    pub fn is_killed(&self) -> bool {
        matches!(self, Fate::Killed { .. } | Fate::TimedOut { .. })
    }

    /// Whether nothing is left to find out.
    pub fn is_decided(&self) -> bool {
        match self {
            Fate::Killed { .. }
            | Fate::TimedOut { .. }
            | Fate::NotCompiled
            | Fate::Equivalent { .. } => true,
            Fate::EquivalentWithin { .. } | Fate::Unknown { .. } => false,
        }
    }

    /// The word of the schema, and why. Equivalent mutants do not count in its score.
    fn status(&self) -> (&'static str, Option<String>) {
        match self {
            Fate::Killed { how, .. } => ("Killed", Some(how.clone())),
            Fate::TimedOut { .. } => ("Timeout", None),
            Fate::NotCompiled => ("CompileError", None),
            Fate::Equivalent { .. } => ("Ignored", Some("proved equivalent".to_owned())),
            Fate::EquivalentWithin { bounds } => {
                ("Survived", Some(format!("equivalent within bounds: {}", bounds.join(", "))))
            }
            Fate::Unknown { reason } => ("Survived", Some(reason.clone())),
        }
    }
}

/// Counts of one function or of several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub all: usize,
    pub killed: usize,
    pub equivalent: usize,
    pub not_compiled: usize,
    pub unknown: usize,
}

impl Counts {
    pub fn of<'a>(functions: impl IntoIterator<Item = &'a Function>) -> Counts {
        let mut counts = Counts::default();
        for mutant in functions.into_iter().flat_map(|function| &function.mutants) {
            counts.all += 1;
            match mutant.fate {
                Fate::Killed { .. } | Fate::TimedOut { .. } => counts.killed += 1,
                Fate::Equivalent { .. } => counts.equivalent += 1,
                Fate::NotCompiled => counts.not_compiled += 1,
                Fate::EquivalentWithin { .. } | Fate::Unknown { .. } => counts.unknown += 1,
            }
        }
        counts
    }

    /// Those that a test could notice, as far as is known.
    pub fn n_mortal(self) -> usize {
        self.all - self.equivalent - self.not_compiled
    }
}

/// One line about a mutant.
pub fn line(function: &Function, mutant: &Judged) -> String {
    let Judged { operator, file, start, original, replacement, fate, .. } = mutant;
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let what = match fate {
        Fate::Killed { by, how } => format!("killed by {by}: {how}"),
        Fate::TimedOut { by } => format!("killed by {by}: it does not end in a hundredfold time"),
        Fate::NotCompiled => "not-compiled: the change makes no program".to_owned(),
        Fate::Equivalent { .. } => "equivalent: proved".to_owned(),
        Fate::EquivalentWithin { bounds } => {
            format!("equivalent-within bounds: {}", bounds.join(", "))
        }
        Fate::Unknown { reason } => format!("unknown: {reason}"),
    };
    let (original, replacement) = (plain(original), plain(replacement));
    format!(
        "{file}:{}:{}: {operator} in {}: `{original}` becomes `{replacement}`: {what}",
        start.0, start.1, function.name
    )
}

/// The report in Stryker's format; `source` gives the text of a file.
pub fn stryker(functions: &[Function], source: &dyn Fn(&str) -> String) -> Value {
    let mut files: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    let mut tests = Vec::new();
    let mut number = 0;
    let mut known = BTreeSet::new();
    for function in functions {
        for test in function.tests.iter().filter(|test| known.insert(test.as_str())) {
            tests.push(json!({ "id": test, "name": test }));
        }
        for mutant in &function.mutants {
            number += 1;
            let (status, reason) = mutant.fate.status();
            let place = |(line, column): (u32, u32)| json!({ "line": line, "column": column });
            let mut entry = json!({
                "id": number.to_string(),
                "mutatorName": mutant.operator,
                "replacement": mutant.replacement,
                "location": { "start": place(mutant.start), "end": place(mutant.end) },
                "status": status,
            });
            if let Some(reason) = reason {
                entry["statusReason"] = json!(reason);
            }
            if let Fate::Killed { by, .. } | Fate::TimedOut { by } = &mutant.fate {
                entry["killedBy"] = json!([by]);
                entry["coveredBy"] = json!([by]);
            }
            files.entry(&mutant.file).or_default().push(entry);
        }
    }
    let files: Map<String, Value> = files
        .into_iter()
        .map(|(name, mutants)| {
            let language = if name.ends_with(".java") { "java" } else { "c" };
            let file = json!({ "language": language, "source": source(name), "mutants": mutants });
            (name.to_owned(), file)
        })
        .collect();
    json!({
        "$schema": "https://git.io/mutation-testing-schema",
        "schemaVersion": "2",
        "thresholds": { "high": 80, "low": 60 },
        "files": files,
        "testFiles": { "tests": { "tests": tests } },
    })
}
