//! Tests and counter-examples by the reference meaning: rules applied to terms, which shares nothing with the program.

use glassbox_ir::{FuncId, Span};
use glassbox_replay::{Confirmation, Evidence as Sighting};
use glassbox_rules_front::lower::Question;
use glassbox_rules_front::lower::input::Argument;
use glassbox_rules_front::rewrite::{Fired, Result, fired};
use glassbox_rules_front::term::Term;
use glassbox_testcase::{InputValue, TestInput, Verdict};

use super::Rules;
use crate::function_report::{FunctionReport, Replayed, Seen};

/// The arguments that an input stands for.
pub(super) fn arguments(rules: &Rules, function: FuncId, input: &TestInput) -> Vec<Argument> {
    let position = rules.position(function);
    let values: Vec<_> = input.params.iter().filter_map(|param| param.value.as_int()).collect();
    let n_arguments = rules.spec.functions[position].params.len();
    rules.lowered[position].inputs.arguments(&rules.spec, n_arguments, &values)
}

/// The rules that apply to an input; `None` where that would need endless calls.
pub(super) fn applied(rules: &Rules, function: FuncId, input: &TestInput) -> Option<Vec<Fired>> {
    let terms: Vec<Term> =
        arguments(rules, function, input).into_iter().map(|argument| argument.term).collect();
    fired(&rules.spec, rules.position(function), &terms)
}

/// What is asked at a place.
fn question(rules: &Rules, function: FuncId, span: Span) -> Option<&Question> {
    let questions = &rules.lowered[rules.position(function)].questions;
    questions.iter().find(|(place, _)| *place == span).map(|(_, question)| question)
}

/// Whether it is so with these rules.
fn is_so(question: &Question, fired: &[Fired]) -> bool {
    let result =
        |rule: usize| fired.iter().find(|fired| fired.rule == rule).map(|fired| &fired.result);
    match question {
        Question::Rule(rule) => result(*rule).is_some(),
        Question::Overlap(first, second) => result(*first).is_some() && result(*second).is_some(),
        Question::Gap => fired.is_empty(),
        Question::Complete => !fired.is_empty(),
        Question::Agree(first, second) => match (result(*first), result(*second)) {
            (Some(first), Some(second)) => first == second,
            (None, _) | (_, None) => true,
        },
        Question::Exclude(others, rule) => {
            result(*rule).is_none() || others.iter().all(|other| result(*other).is_none())
        }
        Question::Defined(rule) => result(*rule) != Some(&Result::Undefined),
    }
}

const ENDLESS: &str = "applying the rules to it needs too many calls inside of each other";

/// Applies the rules to every test.
pub(super) fn replay(rules: &Rules, report: &FunctionReport) -> Replayed {
    let function = report.function();
    let all: Vec<Option<Vec<Fired>>> =
        report.suite.tests.iter().map(|test| applied(rules, function, &test.input)).collect();
    let n_rules = rules.spec.functions[rules.position(function)].rules.len();
    let confirmations = report.suite.tests.iter().zip(&all).map(|(test, fired)| {
        let Some(fired) = fired else {
            return Some(Confirmation::Unfinished(ENDLESS.to_owned()));
        };
        let first = fired.first().map_or(n_rules, |fired| fired.rule);
        let seen = match &test.expected.result {
            Some(InputValue::Int(bits)) => bits.to_u64(),
            Some(_) | None => None,
        };
        Some(if seen == u64::try_from(first).ok() {
            Confirmation::Confirmed
        } else {
            let name = |rule: Option<&Fired>| match rule {
                Some(fired) => {
                    rules.spec.functions[rules.position(function)].rules[fired.rule].label.clone()
                }
                None => "no rule".to_owned(),
            };
            Confirmation::Failed(format!("by the rules, {} applies first", name(fired.first())))
        })
    });
    let confirmations = confirmations.collect();
    let seen = report.goals.iter().zip(&report.suite.goals).map(|(goal, result)| {
        let Verdict::Covered { test } = result.verdict else { return Seen::Unseen };
        match (question(rules, function, goal.span), all.get(test)) {
            (Some(question), Some(Some(fired))) if is_so(question, fired) => Seen::Reached,
            (Some(_), Some(Some(_))) => Seen::NotReached,
            (_, _) => Seen::Unseen,
        }
    });
    let seen = Some(seen.collect());
    Replayed { confirmations, seen, ..Replayed::default() }
}

/// Applies the rules to every counter-example.
pub(super) fn violations(rules: &Rules, report: &FunctionReport) -> Vec<Sighting> {
    let function = report.function();
    let examples = report.checked.counter_examples.iter();
    let sightings = examples.map(|example| {
        let property = &report.checked.properties[example.violation.property];
        let input = &example.violation.test.input;
        match (question(rules, function, property.span), applied(rules, function, input)) {
            (Some(question), Some(fired)) if !is_so(question, &fired) => {
                Sighting::Specified("the rules applied to it".to_owned())
            }
            (Some(_), Some(_)) => Sighting::NotSeen("the rules keep the promise".to_owned()),
            (_, None) => Sighting::NotRun(ENDLESS.to_owned()),
            (None, _) => Sighting::NotRun("nothing is known of this property".to_owned()),
        }
    });
    sightings.collect()
}
