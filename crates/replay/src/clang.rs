//! What clang counts: how often each condition was true and false, and with which values of its conditions each
//! decision was evaluated.
//!
//! clang's own verdict on MC/DC is not used: it knows only pairs in which nothing but one condition changes, and masking
//! allows more.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::sandbox::{Limits, run};
use crate::tools::version;

/// The flags that make the compiler count.
pub const FLAGS: &str = "-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc";

/// Releases that have MC/DC, newest first.
const RELEASES: &[&str] = &["-22", "-21", "-20", "-19", "-18"];

/// clang and the tools of its release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clang {
    release: &'static str,
}

/// By line and column.
pub type At = (u32, u32);

/// One evaluation of a decision: the conditions, where they were evaluated, and the outcome.
pub type Vector = (Vec<Option<bool>>, bool);

/// What was counted in one source file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConditionCounts {
    /// Where a condition begins: how often it was true, how often false.
    pub conditions: BTreeMap<At, (u64, u64)>,
    /// Where a decision of several conditions begins: the different evaluations of it.
    pub decisions: BTreeMap<At, Vec<Vector>>,
}

impl Clang {
    /// The newest release that is installed with everything it needs.
    pub fn find() -> Option<Clang> {
        let has = |tool: &str, release: &str| version(&format!("{tool}{release}"), "--version");
        let is_there = |release: &&&str| {
            ["clang", "llvm-profdata", "llvm-cov"].iter().all(|tool| has(tool, release).is_some())
        };
        RELEASES.iter().find(is_there).map(|release| Clang { release })
    }

    /// The compiler's name.
    pub fn command(&self) -> String {
        self.tool("clang")
    }

    fn tool(&self, tool: &str) -> String {
        format!("{tool}{}", self.release)
    }

    /// What the runs of `program` in `folder` counted in `source`; `None` when the tools say nothing that can be
    /// read.
    pub fn counts(&self, folder: &Path, program: &str, source: &Path) -> Option<ConditionCounts> {
        let names = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name());
        let own = format!("{program}-");
        let is_profile = |name: &String| name.starts_with(&own) && name.ends_with(".profraw");
        let profile = format!("{program}.profdata");
        let tell = |tool: &str, args: &[&str], more: Vec<String>| {
            let args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).chain(more).collect();
            let limits = Limits { output: 256 << 20, ..Limits::compiler() };
            run(folder, &self.tool(tool), &args, &[], limits).ok()
        };
        let profiles = names.filter_map(|name| name.into_string().ok()).filter(is_profile);
        tell("llvm-profdata", &["merge", "-failure-mode=all", "-o", &profile], profiles.collect())?;
        let export = ["export", "-skip-functions", "-instr-profile", &profile, program];
        let mut found = counts(&tell("llvm-cov", &export, Vec::new())?.output, source)?;
        let show = ["show", "-show-mcdc", "-instr-profile", &profile, program];
        let shown = tell("llvm-cov", &show, vec![source.display().to_string()])?;
        found.decisions = vectors(&shown.output);
        Some(found)
    }
}

/// A region in the export: four numbers for its place, then what was counted there.
fn place(region: &[Value]) -> Option<At> {
    let number = |at: usize| region.get(at)?.as_u64()?.try_into().ok();
    Some((number(0)?, number(1)?))
}

fn counts(json: &str, source: &Path) -> Option<ConditionCounts> {
    let text = json.lines().find(|line| line.starts_with('{'))?;
    let report: Value = serde_json::from_str(text).ok()?;
    let files = report["data"].as_array()?.iter().flat_map(|part| part["files"].as_array());
    let mut found = None;
    let is_it = |file: &&Value| file["filename"].as_str().map(Path::new) == Some(source);
    for file in files.flatten().filter(is_it) {
        let all: &mut ConditionCounts = found.get_or_insert_default();
        for region in file["branches"].as_array().into_iter().flatten() {
            let region = region.as_array()?;
            let count = |at: usize| region.get(at).and_then(Value::as_u64);
            let known = all.conditions.entry(place(region)?).or_default();
            known.0 += count(4)?;
            known.1 += count(5)?;
        }
    }
    found
}

/// The evaluations of decisions, out of the text for people: no other form has them.
fn vectors(text: &str) -> BTreeMap<At, Vec<Vector>> {
    let mut found: BTreeMap<At, Vec<Vector>> = BTreeMap::new();
    let mut decision = None;
    for line in text.lines() {
        if let Some((_, place)) = line.split_once("MC/DC Decision Region (") {
            let numbers = place.split_once(')').and_then(|(at, _)| at.split_once(':'));
            decision = numbers.and_then(|(l, c)| Some((l.parse().ok()?, c.parse().ok()?)));
        } else if let Some((_, values)) = line.split_once(" { ")
            && let Some((conditions, outcome)) = values.split_once('=')
            && let Some(at) = decision
        {
            let value = |word: &str| match word.trim() {
                "T" => Some(true),
                "F" => Some(false),
                _ => None,
            };
            let outcome = value(outcome.trim_end_matches(['}', ' ']));
            let vector = (conditions.split(',').map(value).collect(), outcome == Some(true));
            found.entry(at).or_default().push(vector);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{counts, vectors};

    #[test]
    fn conditions_of_the_source_are_read() {
        let json = r#"{"data":[{"files":[
{"filename":"test.c","branches":[[1,1,1,2,9,9,0,0,4]]},
{"filename":"/x/mine.c","branches":[[9,9,9,15,1,13,0,0,6],[9,19,9,25,0,12,0,0,6]]}]}]}"#
            .replace('\n', "");
        let found = counts(&json, Path::new("/x/mine.c")).expect("readable");
        assert_eq!(found.conditions[&(9, 9)], (1, 13));
        assert_eq!(found.conditions[&(9, 19)], (0, 12));
        assert!(counts("error: no profile", Path::new("/x/mine.c")).is_none());
    }

    #[test]
    fn evaluations_of_decisions_are_read() {
        let text = "  |---> MC/DC Decision Region (47:9) to (47:80)\n  |  Executed MC/DC Test Vectors:\n\
                    |     C1, C2    Result\n  |  1 { F,  -  = F      }\n  |  2 { T,  T  = T      }\n\
                    |  C1-Pair: covered: (1,2)\n";
        let found = vectors(text);
        let expected = [(vec![Some(false), None], false), (vec![Some(true), Some(true)], true)];
        assert_eq!(found[&(47, 9)], expected);
    }
}
