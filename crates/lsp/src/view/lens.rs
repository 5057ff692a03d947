//! Lenses over functions: generate tests, and why something is unreachable.

use glassbox_driver::live::Portrait;
use glassbox_report::data::{Counts, Outcome};
use lsp_types::{CodeLens, Command, Range};
use serde_json::json;

use super::Page;
use crate::command;

pub(crate) fn lenses(page: &Page<'_>, uri: &str) -> Vec<CodeLens> {
    let side = &page.analysis.goals;
    let mut all = Vec::new();
    for (portrait, looked) in side.portraits.iter().zip(&side.looked) {
        if !page.is_here(portrait.file.as_deref()) {
            continue;
        }
        let range = head(page, portrait);
        let arguments = vec![json!(uri), json!(portrait.name)];
        let lens = |title: String, command: &str| CodeLens {
            range,
            command: Some(Command {
                title,
                command: command.to_owned(),
                arguments: Some(arguments.clone()),
            }),
            data: None,
        };
        let function = looked.as_ref().and_then(|looked| looked.suite.functions.first());
        let counts = function.map(|function| function.counts());
        all.push(lens(generate(counts), command::GENERATE));
        let is_unreachable = |outcome: &Outcome| match outcome {
            Outcome::Infeasible { .. } | Outcome::InfeasibleWithin { .. } => true,
            Outcome::Covered { .. }
            | Outcome::Unknown { .. }
            | Outcome::Violated { .. }
            | Outcome::Holds { .. }
            | Outcome::HoldsWithin { .. } => false,
        };
        let goals = function.map(|function| function.goals.as_slice()).unwrap_or_default();
        let n_unreachable = goals.iter().filter(|goal| is_unreachable(&goal.outcome)).count();
        if n_unreachable > 0 {
            all.push(lens(format!("why unreachable? ({n_unreachable})"), command::WHY));
        }
    }
    all
}

/// `generate tests (7 of 9 goals reached, 1 unknown)`
fn generate(counts: Option<Counts>) -> String {
    let Some(counts) = counts else { return "generate tests".to_owned() };
    let unknown = match counts.unknown {
        0 => String::new(),
        n => format!(", {n} unknown"),
    };
    format!("generate tests ({} of {} goals reached{unknown})", counts.covered, counts.goals)
}

fn head(page: &Page<'_>, portrait: &Portrait) -> Range {
    page.text.whole_line(portrait.lines.0)
}
