//! SARIF 2.1.0: violated properties as errors, undecided ones as notes, with the path of each
//! counter-example. Proofs stay out: they would drown what a reviewer has to look at.

use std::collections::BTreeMap;

use glassbox_coverage::property::snippet;
use glassbox_coverage::{Property, PropertyKind};
use glassbox_ir::{Program, Span};
use glassbox_testcase::Verdict;
use serde_json::{Value, json};

use crate::dismissal::Dismissal;
use crate::{utf16, verdict_text};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Below every finding.
const HELP: &str = "A test in the output folder shows the error on the compiled program; its path is the \
                    code flow. `glassbox explain` says more.";

/// Steps of a path that are written down; readers show at most a thousand.
const MAX_STEPS: usize = 1000;

/// One property and what is known about it.
#[derive(Debug)]
pub struct Finding<'a> {
    pub property: &'a Property,
    pub verdict: &'a Verdict,
    /// The message: the counter-example's inputs, or why nothing is known.
    pub message: String,
    /// The counter-example's path: place and what happens there, in order.
    pub steps: Vec<Step>,
    /// Why it does not count.
    pub dismissal: Option<&'a Dismissal>,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub span: Span,
    pub text: String,
    /// Calls on the stack.
    pub depth: usize,
}

/// A log that is filled program by program.
#[derive(Debug)]
pub struct Log {
    root: String,
    fingerprints: BTreeMap<String, u32>,
    results: Vec<Value>,
}

impl Log {
    /// `root` is the folder that paths are relative to, as a file URI ending in a slash.
    pub fn new(root: String) -> Log {
        Log { root, fingerprints: BTreeMap::new(), results: Vec::new() }
    }

    pub fn add(&mut self, program: &Program, findings: &[Finding<'_>]) {
        let Log { root, fingerprints, results } = self;
        let found = findings.iter().filter_map(|it| result(program, root, it, fingerprints));
        results.extend(found);
    }

    /// The whole log.
    pub fn finish(self) -> Value {
        let rules: Vec<Value> = PropertyKind::ALL.iter().map(|kind| rule(*kind)).collect();
        let (version, root, results) = (env!("CARGO_PKG_VERSION"), &self.root, self.results);
        Run { command: "check", version, root, rules, results }.log()
    }
}

/// What logs of all commands have in common.
pub(crate) struct Run<'a> {
    pub(crate) command: &'a str,
    pub(crate) version: &'a str,
    pub(crate) root: &'a str,
    pub(crate) rules: Vec<Value>,
    pub(crate) results: Vec<Value>,
}

impl Run<'_> {
    pub(crate) fn log(self) -> Value {
        json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": { "driver": {
                    "name": "glassbox",
                    "semanticVersion": self.version,
                    "informationUri": env!("CARGO_PKG_REPOSITORY"),
                    "rules": self.rules,
                } },
                "automationDetails": { "id": format!("glassbox/{}/", self.command) },
                "invocations": [{ "executionSuccessful": true }],
                "originalUriBaseIds": { "SRCROOT": { "uri": self.root } },
                "columnKind": "utf16CodeUnits",
                "results": self.results,
            }],
        })
    }
}

/// A rule is titled by what goes wrong, since a result of it is an error.
fn rule(kind: PropertyKind) -> Value {
    let title = sentence_case(kind.name());
    json!({
        "id": kind.name(),
        "name": pascal(kind.name()),
        "shortDescription": { "text": title },
        "fullDescription": { "text": format!("{title}. What should hold: {}.", kind.demand()) },
        "help": { "text": HELP },
        "defaultConfiguration": { "level": "error" },
        "properties": { "precision": "very-high", "problem.severity": "error" },
    })
}

fn sentence_case(name: &str) -> String {
    let mut words = name.replace('-', " ");
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    words
}

fn pascal(name: &str) -> String {
    let words = name.split('-').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(letters).collect::<String>()
    });
    words.collect()
}

fn result(
    program: &Program,
    root: &str,
    finding: &Finding<'_>,
    fingerprints: &mut BTreeMap<String, u32>,
) -> Option<Value> {
    let level = match finding.verdict {
        Verdict::Violated { .. } => "error",
        Verdict::Unknown(_) => "note",
        Verdict::Covered { .. }
        | Verdict::Infeasible(_)
        | Verdict::InfeasibleWithin { .. }
        | Verdict::Holds(_)
        | Verdict::HoldsWithin { .. } => return None,
    };
    // What stands for it is in the log.
    if matches!(finding.dismissal, Some(Dismissal::SameCause { .. })) {
        return None;
    }
    let property = finding.property;
    let rule = PropertyKind::ALL.iter().position(|kind| *kind == property.kind)?;
    let base = fingerprint(program, property);
    let number = fingerprints.entry(base.clone()).or_default();
    *number += 1;
    let mut value = json!({
        "ruleId": property.kind.name(),
        "ruleIndex": rule,
        "level": level,
        "message": { "text": format!("{} ({})", finding.message, property.text) },
        "locations": [location(program, root, property.span)],
        "partialFingerprints": prints("glassboxProperty/v1", &base, *number),
        "properties": { "verdict": verdict_text::name(finding.verdict), "id": property.id },
    });
    // Readers hide what is suppressed, and count it.
    match finding.dismissal {
        Some(Dismissal::InSource { reason }) => {
            value["suppressions"] = json!([{ "kind": "inSource", "justification": reason }]);
        }
        Some(Dismissal::Known) => {
            value["baselineState"] = json!("unchanged");
            value["suppressions"] = json!([{ "kind": "external" }]);
        }
        Some(Dismissal::SameCause { .. }) | None => {}
    }
    if !finding.steps.is_empty() {
        let steps: Vec<Value> = finding
            .steps
            .iter()
            .take(MAX_STEPS)
            .enumerate()
            .map(|(order, step)| {
                let mut place = location(program, root, step.span);
                place["message"] = json!({ "text": step.text });
                json!({
                    "location": place,
                    "executionOrder": order + 1,
                    "nestingLevel": step.depth,
                })
            })
            .collect();
        value["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    Some(value)
}

/// What makes a result the same as one of an earlier run. GitHub looks at its own key only.
pub(crate) fn prints(key: &str, base: &str, number: u32) -> Value {
    let print = format!("{base}:{number}");
    json!({ key: print, "primaryLocationLineHash": print })
}

/// Depends on the function, the kind and the text at the place, not on line numbers: unrelated edits
/// above do not change it.
pub fn fingerprint(program: &Program, property: &Property) -> String {
    let function = &program.function(property.function).name;
    let text = snippet(program, property.span).unwrap_or_default();
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for part in [function.as_str(), property.kind.name(), &text, &property.text] {
        // FNV-1a, with a separator between parts.
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

fn location(program: &Program, root: &str, span: Span) -> Value {
    let path = program.files.get(span.file.index()).map_or("", |file| file.path.as_str());
    let mut physical = json!({ "artifactLocation": artifact(root, path) });
    if !span.is_nowhere() {
        let text = program.files.get(span.file.index()).and_then(|file| file.text.as_deref());
        let line = |number: u32| text?.lines().nth((number as usize).saturating_sub(1));
        let end_line = span.end_line.max(span.line);
        physical["region"] = json!({
            "startLine": span.line,
            "startColumn": utf16::column(line(span.line), span.column),
            "endLine": end_line,
            "endColumn": utf16::column(line(end_line), span.end_column),
        });
    }
    json!({ "physicalLocation": physical })
}

/// Relative to the root where the path is; absolute elsewhere.
pub(crate) fn artifact(root: &str, path: &str) -> Value {
    let clean = path.strip_prefix("./").unwrap_or(path);
    let root_path = root.strip_prefix("file://").unwrap_or(root);
    if let Some(rest) = encode(clean).strip_prefix(root_path) {
        return json!({ "uri": rest, "uriBaseId": "SRCROOT" });
    }
    if clean.starts_with('/') {
        return json!({ "uri": format!("file://{}", encode(clean)) });
    }
    json!({ "uri": encode(clean), "uriBaseId": "SRCROOT" })
}

/// A path as part of a URI.
pub fn encode(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{artifact, encode, pascal};

    #[test]
    fn paths_are_relative_uris() {
        assert_eq!(encode("src/a b.c"), "src/a%20b.c");
        let inside = artifact("file:///work/", "/work/src/a.c");
        assert_eq!(inside["uri"], "src/a.c");
        assert_eq!(inside["uriBaseId"], "SRCROOT");
        assert_eq!(artifact("file:///work/", "./a.c")["uri"], "a.c");
        assert_eq!(artifact("file:///work/", "/usr/a.h")["uri"], "file:///usr/a.h");
    }

    #[test]
    fn rules_have_names() {
        assert_eq!(pascal("division-by-zero"), "DivisionByZero");
        assert_eq!(super::sentence_case("division-by-zero"), "Division by zero");
    }
}
