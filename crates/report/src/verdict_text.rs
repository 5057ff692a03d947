//! Verdicts in words.

use glassbox_ir::{Program, Span};
use glassbox_testcase::{Assumption, ProofMethod, Spent, UnknownReason, Verdict};

use crate::data::ReasonCode;
use crate::data::words::Words;

/// The verdict's name, as suite.json and reports spell it.
pub fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Covered { .. } => "covered",
        Verdict::Infeasible(_) => "infeasible",
        Verdict::InfeasibleWithin { .. } => "infeasible-within",
        Verdict::Unknown(_) => "unknown",
        Verdict::Violated { .. } => "violated",
        Verdict::Holds(_) => "holds",
        Verdict::HoldsWithin { .. } => "holds-within",
    }
}

/// How something was proved.
pub fn method(method: ProofMethod) -> &'static str {
    match method {
        ProofMethod::ControlFlow => "no way leads there, or its condition has one value only",
        ProofMethod::PathEnumeration => "every path was followed or refuted",
        ProofMethod::WholeFunction => "the whole function's constraints have no solution",
        ProofMethod::LoopSummary => "what holds at each line, for every input, excludes it",
        ProofMethod::Induction => "induction",
        ProofMethod::CallSummaries => "what its calls do, whatever they are given, excludes it",
        ProofMethod::Covering => "all inputs were cut into boxes, and in none of them it happens",
    }
}

/// `file:line:column`; class files know lines only.
pub fn place(program: &Program, span: Span) -> String {
    match program.files.get(span.file.index()) {
        Some(file) if !span.is_nowhere() => {
            if program.language.columns_are_in_the_text() {
                format!("{}:{}:{}", file.path, span.line, span.column)
            } else {
                format!("{}:{}", file.path, span.line)
            }
        }
        _ => "somewhere".to_owned(),
    }
}

/// What ended a search.
fn ended(spent: &Spent) -> String {
    let paths = |n: &usize| format!("{n} path{}", if *n == 1 { "" } else { "s" });
    match spent {
        Spent::Paths { n_paths } => format!("the search ended after {}", paths(n_paths)),
        Spent::Time { n_paths } => {
            format!("the time limit ended the search after {}", paths(n_paths))
        }
        Spent::Memory { n_paths } => {
            format!("the memory limit ended the search after {}", paths(n_paths))
        }
        Spent::QuestionOfSolver { .. }
        | Spent::LengthOfPath { .. }
        | Spent::AvoidingFailures
        | Spent::StepsOfEndlessRuns { .. } => format!("the budget ended after {spent}"),
    }
}

/// The code of a reason, and its text.
pub fn reason(program: &Program, reason: &UnknownReason) -> (ReasonCode, String) {
    match reason {
        UnknownReason::Budget(spent) => (ReasonCode::Budget, ended(spent)),
        UnknownReason::Unsupported { what, span } => {
            (ReasonCode::Unsupported, format!("{what} at {}", place(program, *span)))
        }
        UnknownReason::Disagreement(seen) => (ReasonCode::Disagreement, seen.clone()),
        UnknownReason::Unconfirmed(why) => (ReasonCode::Unconfirmed, why.clone()),
        UnknownReason::OnlyUndefined => {
            let text = "every run that reaches it goes on to a run-time error";
            (ReasonCode::UndefinedBehavior, text.to_owned())
        }
        UnknownReason::Internal(message) => {
            (ReasonCode::InternalError, format!("an internal error of glassbox: {message}"))
        }
    }
}

/// What a verdict rests on, one by one.
pub fn bounds(bounds: &[Assumption]) -> Vec<String> {
    bounds.iter().map(ToString::to_string).collect()
}

/// What a verdict rests on, in one line: all bounds, and the first of the errors that must not happen, which may be
/// hundreds in a function that calls many others.
fn listed(all: impl Iterator<Item = (String, bool)>) -> String {
    let (errors, others): (Vec<_>, Vec<_>) = all.partition(|(_, is_about_errors)| *is_about_errors);
    let mut words: Vec<String> = others.into_iter().map(|(words, _)| words).collect();
    words.extend(some_errors(errors.into_iter().map(|(words, _)| words).collect()));
    words.join(", ")
}

/// The first of what must not happen, and how much more there is.
pub(crate) fn some_errors(mut words: Vec<String>) -> Vec<String> {
    const SHOWN: usize = 4;
    if words.len() > SHOWN + 1 {
        let rest = words.split_off(SHOWN);
        words.push(format!("nothing else goes wrong in {} other ways", rest.len()));
    }
    words
}

/// The same for what a suite says.
pub fn on_one_line(bounds: &[Words<Assumption>]) -> String {
    let is_error = |bound: &Words<Assumption>| bound.known().is_some_and(|it| it.is_about_errors());
    listed(bounds.iter().map(|bound| (bound.to_string(), is_error(bound))))
}

/// What a verdict rests on, as `listed` takes it.
fn with_kind(bounds: &[Assumption]) -> impl Iterator<Item = (String, bool)> {
    bounds.iter().map(|bound| (bound.to_string(), bound.is_about_errors()))
}

/// One line about a verdict.
pub fn sentence(program: &Program, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Covered { .. } => "covered".to_owned(),
        Verdict::Violated { .. } => "violated".to_owned(),
        Verdict::Infeasible(how) => format!("infeasible: {}", method(*how)),
        Verdict::Holds(how) => format!("holds: {}", method(*how)),
        Verdict::InfeasibleWithin { bounds: within } => {
            format!("infeasible within bounds: {}", listed(with_kind(within)))
        }
        Verdict::HoldsWithin { bounds: within } => {
            format!("holds within bounds: {}", listed(with_kind(within)))
        }
        Verdict::Unknown(why) => {
            let (code, text) = reason(program, why);
            format!("unknown ({}): {}", code.name(), text.lines().next().unwrap_or_default())
        }
    }
}
