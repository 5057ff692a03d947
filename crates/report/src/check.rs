//! Properties and their verdicts in words and as JSON.

use glassbox_coverage::Property;
use glassbox_ir::{CheckKind, FuncId, Program};
use glassbox_testcase::{Assumption, TestInput, Verdict};
use serde_json::{Value, json};

use crate::dismissal::Dismissal;
use crate::suite_json::title::title;
use crate::{input_text, verdict_text};

/// Everything that is known about one property.
#[derive(Debug)]
pub struct PropertyResult<'a> {
    /// Where runs start.
    pub entry: FuncId,
    pub property: &'a Property,
    pub verdict: &'a Verdict,
    /// How a prover proved it.
    pub proof: Option<&'a str>,
    /// For violated ones: the counter-example, what exactly went wrong, its test, what confirmed it.
    pub input: Option<&'a TestInput>,
    /// Statements that come before the call, where objects are made by calls.
    pub calls: Option<&'a str>,
    pub kind: Option<CheckKind>,
    pub test: Option<&'a str>,
    pub confirmed: Option<String>,
    /// Why it does not count.
    pub dismissal: Option<&'a Dismissal>,
}

/// The verdict's name as properties are listed: a place that nothing reaches is `unreachable`.
pub fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Infeasible(_) => "unreachable",
        Verdict::InfeasibleWithin { .. } => "unreachable-within",
        Verdict::Covered { .. }
        | Verdict::Unknown(_)
        | Verdict::Violated { .. }
        | Verdict::Holds(_)
        | Verdict::HoldsWithin { .. } => verdict_text::name(verdict),
    }
}

/// `file:line:column: kind (text): verdict …`
pub fn line(program: &Program, result: &PropertyResult<'_>) -> String {
    let place = verdict_text::place(program, result.property.span);
    let (kind, text) = (result.property.kind.name(), &result.property.text);
    let sentence = sentence(program, result);
    let dismissal = result.dismissal.map_or(String::new(), |why| format!(" ({})", why.text()));
    format!("{place}: {kind} ({text}): {sentence}{dismissal}")
}

/// What leads to a violation, on one line.
fn inputs(program: &Program, result: &PropertyResult<'_>) -> Option<String> {
    match result.calls {
        Some(calls) => Some(format!("after {calls}")),
        None => result.input.map(|input| input_text::line(program, input)),
    }
}

/// The verdict with what supports it, on one line.
pub fn sentence(program: &Program, result: &PropertyResult<'_>) -> String {
    let name = verdict_name(result.verdict);
    match result.verdict {
        Verdict::Violated { .. } => {
            let inputs = inputs(program, result).unwrap_or_default();
            let function = title(program, result.entry);
            let exact = match (result.kind, result.property.kind) {
                (Some(kind), stated) if kind.name() != stated.name() => {
                    format!(" ({})", kind.name())
                }
                _ => String::new(),
            };
            let confirmed = result.confirmed.as_deref().unwrap_or_default();
            format!("violated{exact} by {function}: {inputs} [{confirmed}]")
        }
        Verdict::Holds(method) | Verdict::Infeasible(method) => {
            let how = result.proof.unwrap_or_else(|| verdict_text::method(*method));
            format!("{name}: {how}")
        }
        Verdict::HoldsWithin { bounds } | Verdict::InfeasibleWithin { bounds } => {
            format!("{name} {}", within(bounds))
        }
        Verdict::Unknown(why) => {
            let (code, text) = verdict_text::reason(program, why);
            format!("unknown ({}): {}", code.name(), text.lines().next().unwrap_or_default())
        }
        Verdict::Covered { .. } => name.to_owned(),
    }
}

/// What a verdict rests on, as `sentence` says it at its end; `None` where it rests on nothing.
pub fn support(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::HoldsWithin { bounds } | Verdict::InfeasibleWithin { bounds } => {
            Some(within(bounds))
        }
        Verdict::Holds(_)
        | Verdict::Infeasible(_)
        | Verdict::Unknown(_)
        | Verdict::Covered { .. }
        | Verdict::Violated { .. } => None,
    }
}

/// What a verdict holds within: bounds of the search, and errors that are not asked about.
fn within(bounds: &[Assumption]) -> String {
    let (errors, others): (Vec<Assumption>, Vec<Assumption>) =
        bounds.iter().partition(|bound| bound.is_about_errors());
    let mut parts = Vec::new();
    if !others.is_empty() {
        parts.push(format!("bounds: {}", verdict_text::bounds(&others).join("; ")));
    }
    if !errors.is_empty() {
        parts.push(provided(&errors));
    }
    parts.join("; ")
}

/// `provided that line 3 does not overflow and line 7 does not divide by zero`
pub fn provided(errors: &[Assumption]) -> String {
    let mut words = verdict_text::some_errors(verdict_text::bounds(errors));
    let last = (words.len() > 4).then(|| words.pop()).flatten();
    let more = last.map_or(String::new(), |last| format!(", and {last}"));
    format!("provided that {}{more}", words.join(" and "))
}

/// Under which condition everything would be true: no error happens that is not asked about. `None` when that is not
/// all that is missing.
pub fn condition<'a>(
    verdicts: impl Iterator<Item = &'a Verdict>,
    accepts_bounds: bool,
) -> Option<String> {
    let mut errors = Vec::new();
    for verdict in verdicts {
        match verdict {
            Verdict::Holds(_) | Verdict::Infeasible(_) => {}
            Verdict::HoldsWithin { bounds } | Verdict::InfeasibleWithin { bounds }
                if accepts_bounds || bounds.iter().all(|bound| bound.is_about_errors()) =>
            {
                errors.extend(bounds.iter().copied().filter(|bound| bound.is_about_errors()));
            }
            Verdict::HoldsWithin { .. }
            | Verdict::InfeasibleWithin { .. }
            | Verdict::Unknown(_)
            | Verdict::Covered { .. }
            | Verdict::Violated { .. } => return None,
        }
    }
    let errors = Assumption::listed(errors);
    (!errors.is_empty()).then(|| provided(&errors))
}

/// The verdict about all properties together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overall {
    True,
    False,
    Unknown,
}

impl Overall {
    pub fn name(self) -> &'static str {
        match self {
            Overall::True => "true",
            Overall::False => "false",
            Overall::Unknown => "unknown",
        }
    }
}

/// False when something is violated; true when everything holds, within bounds only if that is accepted. That errors
/// do not happen which are not asked about is no bound of the search: it is never accepted unseen.
pub fn overall<'a>(verdicts: impl Iterator<Item = &'a Verdict>, accepts_bounds: bool) -> Overall {
    let mut all = Overall::True;
    for verdict in verdicts {
        match verdict {
            Verdict::Violated { .. } => return Overall::False,
            Verdict::Holds(_) | Verdict::Infeasible(_) => {}
            Verdict::HoldsWithin { bounds } | Verdict::InfeasibleWithin { bounds }
                if accepts_bounds && !bounds.iter().any(|bound| bound.is_about_errors()) => {}
            Verdict::HoldsWithin { .. }
            | Verdict::InfeasibleWithin { .. }
            | Verdict::Unknown(_)
            | Verdict::Covered { .. } => all = Overall::Unknown,
        }
    }
    all
}

/// One entry function's properties.
pub fn entry_json(program: &Program, entry: FuncId, results: &[PropertyResult<'_>]) -> Value {
    json!({
        "entry": program.function(entry).name,
        "properties": results.iter().map(|result| property_json(program, result)).collect::<Vec<_>>(),
    })
}

fn property_json(program: &Program, result: &PropertyResult<'_>) -> Value {
    let property = result.property;
    let file = program.files.get(property.span.file.index()).map(|file| file.path.as_str());
    let mut value = json!({
        "id": property.id,
        "function": program.function(property.function).name,
        "kind": property.kind.name(),
        "file": file,
        "line": property.span.line,
        "column": property.span.column,
        "text": property.text,
        "verdict": verdict_name(result.verdict),
    });
    if let Some(why) = result.dismissal {
        value["dismissed"] = json!({ "by": why.name(), "text": why.text() });
    }
    match result.verdict {
        Verdict::Violated { .. } => {
            value["inputs"] = json!(inputs(program, result));
            value["error"] = json!(result.kind.map(CheckKind::name));
            value["test"] = json!(result.test);
            value["confirmed"] = json!(result.confirmed);
        }
        Verdict::Holds(method) | Verdict::Infeasible(method) => {
            value["proof"] = json!(result.proof.unwrap_or_else(|| verdict_text::method(*method)));
        }
        Verdict::HoldsWithin { bounds } | Verdict::InfeasibleWithin { bounds } => {
            value["bounds"] = json!(verdict_text::bounds(bounds));
        }
        Verdict::Unknown(why) => {
            let (code, text) = verdict_text::reason(program, why);
            value["reason"] = json!({ "code": code.name(), "text": text });
        }
        Verdict::Covered { .. } => {}
    }
    value
}
