//! Inlay hints: what the prover knows about variables whenever control comes to a line.

use glassbox_report::data::{Function, Known};
use glassbox_report::explain::is_trivial;
use lsp_types::{InlayHint, InlayHintLabel, InlayHintTooltip, Position, Range};

use super::Page;
use crate::text::utf16_length;

/// Facts on one line; relations between variables come last and are left out first.
const MAX_FACTS: usize = 3;

pub(crate) fn hints(page: &Page<'_>, range: Range) -> Vec<InlayHint> {
    let mut all = Vec::new();
    for looked in page.analysis.goals.results() {
        for function in &looked.suite.functions {
            if page.is_here(function.file.as_deref()) {
                all.extend(of_function(page, function, range));
            }
        }
    }
    all.sort_by_key(|hint| (hint.position.line, hint.position.character));
    all
}

fn of_function(page: &Page<'_>, function: &Function, range: Range) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    let mut before: Vec<&str> = Vec::new();
    for (line, facts) in first_facts(function) {
        // What was said above is not said again.
        let new: Vec<&str> =
            facts.iter().copied().filter(|fact| !before.contains(fact)).take(MAX_FACTS).collect();
        before = facts;
        let at = line - 1;
        if new.is_empty() || at < range.start.line || at > range.end.line {
            continue;
        }
        let label = new.join(", ");
        let tooltip =
            format!("For every input, whenever control comes to this line: {}", before.join(", "));
        hints.push(InlayHint {
            position: Position::new(at, utf16_length(page.text.line(at))),
            label: InlayHintLabel::String(label),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(tooltip)),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        });
    }
    hints
}

/// By line: what holds when control comes to its first part.
fn first_facts(function: &Function) -> Vec<(u32, Vec<&str>)> {
    let mut lines: Vec<(u32, Vec<&str>)> = Vec::new();
    for invariant in function.invariants.iter().filter(|invariant| invariant.line > 0) {
        if lines.iter().any(|(line, _)| *line == invariant.line) {
            continue;
        }
        let facts = match &invariant.known {
            Known::Dead => vec!["never reached"],
            Known::Facts(facts) => {
                facts.iter().map(String::as_str).filter(|fact| !is_trivial(fact)).collect()
            }
        };
        lines.push((invariant.line, facts));
    }
    lines.sort_by_key(|(line, _)| *line);
    lines
}
