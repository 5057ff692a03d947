//! Decisions of a function as data: conditions, how they combine, which evaluations the tests showed.

use std::collections::BTreeMap;

use glassbox_coverage::Evaluation;
use glassbox_ir::{Decision, DecisionId, DecisionKind, Formula, Program};
use serde_json::{Value, json};

use super::FunctionResult;

pub(super) fn decisions(program: &Program, result: &FunctionResult<'_>) -> Vec<Value> {
    let body = program.body(result.suite.function);
    let numbered = body.decisions.iter().enumerate();
    numbered.map(|(index, decision)| one(result, DecisionId::new(index), decision)).collect()
}

fn one(result: &FunctionResult<'_>, id: DecisionId, decision: &Decision) -> Value {
    let conditions = decision.conditions.iter().map(|condition| {
        json!({
            "text": condition.text,
            "line": condition.span.line,
            "column": condition.span.column,
        })
    });
    json!({
        "kind": kind(decision.kind),
        "line": decision.span.line,
        "column": decision.span.column,
        "formula": formula(&decision.formula, false),
        "conditions": conditions.collect::<Vec<_>>(),
        "evaluations": evaluations(result, id),
    })
}

/// Distinct evaluations with the tests that show each.
fn evaluations(result: &FunctionResult<'_>, id: DecisionId) -> Vec<Value> {
    let mut seen: BTreeMap<&Evaluation, Vec<&str>> = BTreeMap::new();
    for (facts, test) in result.evidence.facts.iter().zip(&result.suite.tests) {
        for evaluation in facts.evaluations.get(&id).into_iter().flatten() {
            seen.entry(evaluation).or_default().push(&test.name);
        }
    }
    let row = |(evaluation, tests): (&Evaluation, Vec<&str>)| {
        json!({
            "values": evaluation.conditions,
            "outcome": evaluation.outcome,
            "tests": tests,
        })
    };
    seen.into_iter().map(row).collect()
}

fn kind(kind: DecisionKind) -> &'static str {
    match kind {
        DecisionKind::If => "if",
        DecisionKind::While => "while",
        DecisionKind::DoWhile => "do",
        DecisionKind::For => "for",
        DecisionKind::Ternary => "?:",
        DecisionKind::Value => "value",
        DecisionKind::Assertion => "assertion",
        DecisionKind::Throws => "throws",
        DecisionKind::Branch => "branch",
    }
}

/// `c1 && (c2 || !c3)`: conditions are numbered from 1, as tables show them.
fn formula(formula: &Formula, is_inside: bool) -> String {
    let pair = |left: &Formula, operator: &str, right: &Formula| {
        let text =
            format!("{} {operator} {}", self::formula(left, true), self::formula(right, true));
        if is_inside { format!("({text})") } else { text }
    };
    match formula {
        Formula::Condition(index) => format!("c{}", u32::from(*index) + 1),
        Formula::Not(inner) => format!("!{}", self::formula(inner, true)),
        Formula::And(left, right) => pair(left, "&&", right),
        Formula::Or(left, right) => pair(left, "||", right),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_have_the_parentheses_they_need() {
        let condition = |index| Box::new(Formula::Condition(index));
        let or = Formula::Or(condition(1), Box::new(Formula::Not(condition(2))));
        let and = Formula::And(condition(0), Box::new(or));
        assert_eq!(formula(&and, false), "c1 && (c2 || !c3)");
    }
}
