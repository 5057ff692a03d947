//! SARIF 2.1.0 of a suite: violated properties as errors; goals that are unknown or proved unreachable as notes.
//!
//! Made from suite.json's data alone, beside `sarif`, which writes what `check` finds with its paths. Covered
//! goals stay out: reviewers have nothing to do there. All rules are declared, also those that did not
//! fire, so that consumers can close old alerts.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::data::{Function, Goal, Outcome, SuiteData};
use crate::sarif::{Run, artifact, prints};
use crate::utf16;
use crate::verdict_text::on_one_line;

/// GitHub takes this many results of a run; the more severe come first.
const MAX_RESULTS: usize = 25_000;

/// (verdict, rule, level, what it means), most severe first.
const RULES: &[(&str, &str, &str, &str)] = &[
    ("violated", "violated", "error", "A property fails; a replayed test shows it"),
    ("unknown", "undecided-goal", "note", "Neither a test nor a proof was found for a goal"),
    ("infeasible", "unreachable-goal", "note", "No input reaches this goal: proved without bounds"),
    (
        "infeasible-within",
        "unreachable-goal-within-bounds",
        "note",
        "No input within the stated bounds reaches this goal",
    ),
];

/// The whole log. `root` is the folder that paths are relative to, as a file URI ending in a slash.
pub fn log(data: &SuiteData, root: &str) -> Value {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|(_, id, level, text)| {
            json!({
                "id": id,
                "shortDescription": { "text": text },
                "fullDescription": { "text": format!("{text}.") },
                "help": { "text": "`glassbox explain GOAL` says why; the HTML report shows it." },
                "defaultConfiguration": { "level": level },
            })
        })
        .collect();
    let mut seen = BTreeMap::new();
    let mut results = Vec::new();
    for (rule, (verdict, ..)) in RULES.iter().enumerate() {
        for function in &data.functions {
            let goals = function.goals.iter().filter(|goal| goal.outcome.name() == *verdict);
            results.extend(goals.map(|goal| result(data, root, function, goal, rule, &mut seen)));
        }
    }
    results.truncate(MAX_RESULTS);
    Run { command: "gen", version: &data.tool.version, root, rules, results }.log()
}

fn result(
    data: &SuiteData,
    root: &str,
    function: &Function,
    goal: &Goal,
    rule: usize,
    seen: &mut BTreeMap<String, u32>,
) -> Value {
    let (_, id, level, _) = RULES[rule];
    let base = fingerprint(data, function, goal, id);
    let number = seen.entry(base.clone()).or_default();
    *number += 1;
    let path = goal.file.as_deref().or(function.file.as_deref()).unwrap_or_default();
    let line = goal.line.max(1);
    let end_line = goal.end_line.max(line);
    let text = |number: u32| data.source(path)?.lines().nth((number as usize).saturating_sub(1));
    let region = if data.language.has_columns() {
        json!({
            "startLine": line,
            "startColumn": utf16::column(text(line), goal.column),
            "endLine": end_line,
            "endColumn": utf16::column(text(end_line), goal.end_column),
        })
    } else {
        json!({ "startLine": line })
    };
    json!({
        "ruleId": id,
        "ruleIndex": rule,
        "level": level,
        "message": { "text": message(function, goal) },
        "locations": [{ "physicalLocation": {
            "artifactLocation": artifact(root, path),
            "region": region,
        } }],
        "partialFingerprints": prints("glassboxGoal/v1", &base, *number),
        "properties": { "verdict": goal.outcome.name(), "id": goal.id, "criterion": goal.kind },
    })
}

fn message(function: &Function, goal: &Goal) -> String {
    let (name, text) = (function.title(), &goal.text);
    match &goal.outcome {
        Outcome::Infeasible { proof, .. } | Outcome::Holds { proof, .. } => {
            format!("in {name}, nothing reaches this: {text} ({proof})")
        }
        Outcome::InfeasibleWithin { bounds } | Outcome::HoldsWithin { bounds } => {
            let bounds = on_one_line(bounds);
            format!("in {name}, nothing reaches this within bounds: {text} ({bounds})")
        }
        Outcome::Violated { test } | Outcome::Covered { test } => {
            let test = test.as_deref().unwrap_or("a test");
            format!("in {name}: {text}: {test} shows it")
        }
        Outcome::Unknown { reason } => {
            let first = reason.text.lines().next().unwrap_or_default();
            format!("in {name}, undecided: {text} ({}: {first})", reason.code.name())
        }
    }
}

/// Depends on the function, the goal's words and the text of its line, not on line numbers.
fn fingerprint(data: &SuiteData, function: &Function, goal: &Goal, rule: &str) -> String {
    let path = goal.file.as_deref().unwrap_or_default();
    let line = (goal.line as usize).saturating_sub(1);
    let text = data.source(path).and_then(|text| text.lines().nth(line)).unwrap_or_default();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for part in [function.name.as_str(), rule, &goal.kind.to_string(), &goal.text, text.trim()] {
        // FNV-1a, with a separator between parts.
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}
