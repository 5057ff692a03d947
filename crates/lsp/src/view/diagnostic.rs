//! Diagnostics: code that nothing reaches with the lines of the proof, violations with the way to them, and what the
//! front-end could not read.

use glassbox_driver::listener::Problem;
use glassbox_driver::live::Found;
use glassbox_report::data::{Function, Goal, Known, Outcome, SuiteData};
use glassbox_report::explain::is_trivial;
use glassbox_report::verdict_text::on_one_line;
use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, NumberOrString,
    Range,
};
use serde_json::json;

use super::{Page, goals, words};

/// Places beside a diagnostic.
const MAX_RELATED: usize = 12;

/// What to show, in the order of the document.
pub(crate) fn diagnostics(page: &Page<'_>) -> Vec<Diagnostic> {
    let mut all: Vec<Diagnostic> = Vec::new();
    let analysis = page.analysis;
    for problem in analysis.goals.problems.iter().chain(&analysis.properties.problems) {
        all.push(of_problem(page, problem));
    }
    for (looked, function, goal) in goals(&analysis.goals) {
        if page.is_here(goal.file.as_deref()) {
            all.extend(unreachable(page, &looked.suite, function, goal));
        }
    }
    for looked in analysis.properties.results() {
        let Some(function) = looked.suite.functions.first() else { continue };
        for found in looked.findings.iter().filter(|found| !found.is_dismissed) {
            all.extend(violation(page, &looked.suite, function, found));
        }
    }
    // The same error is found from every function that leads to it.
    all.sort_by_key(|it| (it.range.start.line, it.range.start.character, it.message.clone()));
    all.dedup_by(|later, first| {
        later.range == first.range
            && later.code == first.code
            && later.source == first.source
            && (later.data.is_none() || later.message == first.message || is_violation(first))
    });
    all
}

fn is_violation(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Some(DiagnosticSeverity::WARNING)
}

fn plain(range: Range, severity: DiagnosticSeverity, code: &str, message: String) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        code: Some(NumberOrString::String(code.to_owned())),
        source: Some("glassbox".to_owned()),
        message,
        ..Diagnostic::default()
    }
}

fn of_problem(page: &Page<'_>, problem: &Problem) -> Diagnostic {
    let severity =
        if problem.is_error { DiagnosticSeverity::ERROR } else { DiagnosticSeverity::WARNING };
    let place = problem.place.as_ref();
    let (range, message) = match place.filter(|place| page.is_here(Some(&place.file))) {
        Some(place) => (page.text.range(place.start, place.end), problem.message.clone()),
        None => {
            let elsewhere = place.map(|place| format!("{}:{}: ", place.file, place.start.0));
            let message = format!("{}{}", elsewhere.unwrap_or_default(), problem.message);
            // The preprocessor names the place in its message.
            (place_in_words(page, &message).unwrap_or(page.text.whole_line(1)), message)
        }
    };
    plain(range, severity, "not-read", message)
}

/// The line that a message starts with, where it is one of this document: `file:line:column: …`.
fn place_in_words(page: &Page<'_>, message: &str) -> Option<Range> {
    let mut parts = message.splitn(4, ':');
    let (file, line) = (parts.next()?, parts.next()?.parse().ok()?);
    let column = parts.next().and_then(|column| column.trim().parse().ok());
    if !page.is_here(Some(file)) {
        return None;
    }
    Some(match column {
        Some(column) => page.text.range((line, column), (0, 0)),
        None => page.text.whole_line(line),
    })
}

fn unreachable(
    page: &Page<'_>,
    suite: &SuiteData,
    function: &Function,
    goal: &Goal,
) -> Option<Diagnostic> {
    let what = if words::is_statement(goal) {
        "no run executes this".to_owned()
    } else {
        format!("never: {}", goal.text)
    };
    let (code, message, is_proved) = match &goal.outcome {
        Outcome::Infeasible { proof, .. } => {
            let contract =
                if words::is_removed(function, goal) { ", under the contract" } else { "" };
            ("unreachable", format!("{what}{contract} ({proof})"), true)
        }
        Outcome::InfeasibleWithin { bounds } => {
            let bounds = on_one_line(bounds);
            ("unreachable-within", format!("{what}, within bounds: {bounds}"), false)
        }
        Outcome::Covered { .. }
        | Outcome::Unknown { .. }
        | Outcome::Violated { .. }
        | Outcome::Holds { .. }
        | Outcome::HoldsWithin { .. } => return None,
    };
    let range = page.range(suite, goal);
    let mut diagnostic = plain(range, DiagnosticSeverity::HINT, code, message);
    // What may be reached beyond the bounds is not shown as superfluous.
    diagnostic.tags = is_proved.then(|| vec![DiagnosticTag::UNNECESSARY]);
    let related = proof(page, function, goal);
    diagnostic.related_information = (!related.is_empty()).then_some(related);
    diagnostic.data = Some(json!({ "function": function.name, "goal": goal.id }));
    Some(diagnostic)
}

/// The lines that a proof speaks of.
fn proof(page: &Page<'_>, function: &Function, goal: &Goal) -> Vec<DiagnosticRelatedInformation> {
    let file = function.file.as_deref().unwrap_or_default();
    let mut related = Vec::new();
    let mut add = |line: u32, message: String| {
        related.extend(page.line(file, line).map(|location| related_at(location, message)));
    };
    for (line, text) in words::contradictions(function, goal) {
        match line {
            Some(line) => add(line, format!("needs {text}")),
            None => add(function.line, format!("of inputs: {text}")),
        }
    }
    for clause in function.contract.iter().filter(|clause| clause.removes.contains(&goal.id)) {
        let mut place = clause.place.rsplitn(3, ':');
        let (_, line, path) = (place.next(), place.next(), place.next());
        if let (Some(line), Some(path)) = (line.and_then(|line| line.parse().ok()), path) {
            let message = format!("the contract: {}", clause.text);
            related.extend(page.line(path, line).map(|it| related_at(it, message)));
        }
    }
    if related.is_empty() {
        let before = function.invariants.iter().filter(|known| known.line <= goal.line);
        for invariant in before {
            let Known::Facts(facts) = &invariant.known else { continue };
            let facts: Vec<&str> =
                facts.iter().map(String::as_str).filter(|fact| !is_trivial(fact)).collect();
            let location = page.line(file, invariant.line).filter(|_| !facts.is_empty());
            related.extend(location.map(|it| related_at(it, format!("here {}", facts.join(", ")))));
        }
        // The nearest say most.
        let n_far = related.len().saturating_sub(MAX_RELATED / 2);
        related.drain(..n_far);
    }
    related.truncate(MAX_RELATED);
    related
}

fn related_at(location: lsp_types::Location, message: String) -> DiagnosticRelatedInformation {
    DiagnosticRelatedInformation { location, message }
}

fn violation(
    page: &Page<'_>,
    suite: &SuiteData,
    function: &Function,
    found: &Found,
) -> Option<Diagnostic> {
    let goal = function.goals.get(found.goal)?;
    let inputs = words::inputs(function, goal.outcome.test()).unwrap_or_default();
    // An error in another file is shown where this one calls it.
    let range = if page.is_here(goal.file.as_deref()) {
        page.range(suite, goal)
    } else {
        let own = found.steps.iter().rev().find(|(place, _)| page.is_here(Some(&place.file)))?;
        page.text.range(own.0.start, own.0.end)
    };
    let what = words::violation(goal);
    let message = format!("{what}: `{}` with {inputs}", function.title());
    let code = goal.kind.to_string();
    let mut diagnostic = plain(range, DiagnosticSeverity::WARNING, &code, message);
    let file = function.file.as_deref().unwrap_or_default();
    let start = page.line(file, function.line);
    let start =
        start.map(|it| related_at(it, format!("`{}` is called with {inputs}", function.title())));
    let steps = found
        .steps
        .iter()
        .filter_map(|(place, text)| Some(related_at(page.location(place)?, text.clone())));
    let mut related: Vec<DiagnosticRelatedInformation> = start.into_iter().collect();
    let steps: Vec<DiagnosticRelatedInformation> = steps.collect();
    let n_early = steps.len().saturating_sub(MAX_RELATED);
    related.extend(steps.into_iter().skip(n_early));
    diagnostic.related_information = Some(related);
    diagnostic.data = Some(json!({ "function": function.name, "goal": goal.id }));
    Some(diagnostic)
}
