//! Verdicts as sentences for editors.

use glassbox_report::data::{Function, Goal, GoalKind, Outcome};
use glassbox_report::input_lines;
use glassbox_report::verdict_text::on_one_line;

/// What a goal is about, as the source spells it, without the side: `x > 3 is true` is about `x > 3`.
pub(crate) fn subject(goal: &Goal) -> &str {
    let text = goal.text.as_str();
    text.strip_suffix(" is true").or(text.strip_suffix(" is false")).unwrap_or(text)
}

/// Which side of its subject a goal is.
pub(crate) fn side(goal: &Goal) -> &str {
    let text = goal.text.as_str();
    ["true", "false"]
        .into_iter()
        .find(|side| text.ends_with(&format!(" is {side}")))
        .unwrap_or(text)
}

pub(crate) fn is_statement(goal: &Goal) -> bool {
    matches!(goal.kind.known(), Some(GoalKind::Statement | GoalKind::Instruction))
}

/// The inputs of a test, on one line.
pub(crate) fn inputs(function: &Function, test: Option<&str>) -> Option<String> {
    let test = function.test(test?)?;
    let lines = input_lines::lines(&test.inputs);
    Some(if lines.is_empty() { "any input".to_owned() } else { lines.join(", ") })
}

/// What is known about a goal, as one sentence.
pub(crate) fn verdict(function: &Function, goal: &Goal) -> String {
    let with = |test: &Option<String>| {
        let name = test.as_deref().unwrap_or("a test");
        match inputs(function, test.as_deref()) {
            Some(inputs) => format!("`{name}` with {inputs}"),
            None => format!("`{name}`"),
        }
    };
    match &goal.outcome {
        Outcome::Covered { test } => format!("reached by {}", with(test)),
        Outcome::Violated { test } => format!("violated by {}", with(test)),
        Outcome::Infeasible { proof, .. } => {
            let contract = if is_removed(function, goal) { " under the contract" } else { "" };
            format!("impossible{contract}: {proof}")
        }
        Outcome::Holds { proof, .. } => format!("holds: {proof}"),
        Outcome::InfeasibleWithin { bounds } => {
            format!("not reached within bounds: {}", on_one_line(bounds))
        }
        Outcome::HoldsWithin { bounds } => format!("holds within bounds: {}", on_one_line(bounds)),
        Outcome::Unknown { reason } => {
            let text = reason.text.lines().next().unwrap_or_default();
            format!("unknown ({}): {text}", reason.code.name())
        }
    }
}

/// Whether a clause of the contract makes it impossible.
pub(crate) fn is_removed(function: &Function, goal: &Goal) -> bool {
    function.contract.iter().any(|clause| clause.removes.contains(&goal.id))
}

/// Conditions that cannot hold together where the goal would be reached, with their lines.
pub(crate) fn contradictions(function: &Function, goal: &Goal) -> Vec<(Option<u32>, String)> {
    let mut found = Vec::new();
    for condition in goal
        .refutations
        .iter()
        .filter_map(|&at| function.refutations.get(at))
        .flat_map(|refutation| &refutation.core)
    {
        let new = (condition.line, condition.text.clone());
        if !found.contains(&new) {
            found.push(new);
        }
    }
    found
}

/// What went wrong, in the words of the source: `division by zero in `a / b``.
pub(crate) fn violation(goal: &Goal) -> String {
    let kind = goal.kind.to_string().replace('-', " ");
    let code = goal.text.strip_prefix('`').and_then(|rest| rest.split_once("`: "));
    match code {
        Some((code, _)) => format!("{kind} in `{code}`"),
        None => format!("{kind}: {}", goal.text),
    }
}
