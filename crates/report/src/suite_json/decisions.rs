//! Decisions of a function as data: conditions, how they combine, which evaluations the tests showed.

use std::collections::BTreeMap;

use glassbox_coverage::Evaluation;
use glassbox_ir::{Body, DecisionId, Formula, Program};

use super::FunctionResult;
use super::truth_table::Table;
use crate::data::graph::{self, Condition, Decision, DecisionKind};

pub(super) fn decisions(program: &Program, result: &FunctionResult<'_>) -> Vec<Decision> {
    let body = program.body(result.suite.function);
    let numbered = body.decisions.iter().enumerate();
    numbered.map(|(index, decision)| one(body, result, DecisionId::new(index), decision)).collect()
}

fn one(
    body: &Body,
    result: &FunctionResult<'_>,
    id: DecisionId,
    decision: &glassbox_ir::Decision,
) -> Decision {
    let seen = observed(result, id);
    let evaluations: Vec<&Evaluation> = seen.keys().copied().collect();
    let table = Table::new(body, result, id, &evaluations);
    let conditions = decision.conditions.iter().map(|condition| Condition {
        text: condition.text.clone(),
        line: condition.span.line,
        column: condition.span.column,
    });
    Decision {
        kind: kind(decision.kind),
        line: decision.span.line,
        column: decision.span.column,
        formula: formula(&decision.formula, false),
        conditions: conditions.collect(),
        unseen: table.unseen(),
        pairs: table.pairs(),
        evaluations: seen.into_iter().map(row).collect(),
    }
}

fn row((evaluation, tests): (&Evaluation, Vec<String>)) -> graph::Evaluation {
    graph::Evaluation { values: evaluation.conditions.clone(), outcome: evaluation.outcome, tests }
}

/// Distinct evaluations with the tests that show each.
fn observed<'a>(
    result: &FunctionResult<'a>,
    id: DecisionId,
) -> BTreeMap<&'a Evaluation, Vec<String>> {
    let mut seen: BTreeMap<&Evaluation, Vec<String>> = BTreeMap::new();
    for (facts, test) in result.evidence.facts.iter().zip(&result.suite.tests) {
        for evaluation in facts.evaluations.get(&id).into_iter().flatten() {
            seen.entry(evaluation).or_default().push(test.name.clone());
        }
    }
    seen
}

fn kind(kind: glassbox_ir::DecisionKind) -> DecisionKind {
    match kind {
        glassbox_ir::DecisionKind::If => DecisionKind::If,
        glassbox_ir::DecisionKind::While => DecisionKind::While,
        glassbox_ir::DecisionKind::DoWhile => DecisionKind::Do,
        glassbox_ir::DecisionKind::For => DecisionKind::For,
        glassbox_ir::DecisionKind::Ternary => DecisionKind::Ternary,
        glassbox_ir::DecisionKind::Value => DecisionKind::Value,
        glassbox_ir::DecisionKind::Assertion => DecisionKind::Assertion,
        glassbox_ir::DecisionKind::Throws => DecisionKind::Throws,
        glassbox_ir::DecisionKind::Branch => DecisionKind::Branch,
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
