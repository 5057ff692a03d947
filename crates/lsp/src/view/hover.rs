//! Hover: the verdicts about what stands under the pointer, both sides of a condition.

use std::fmt::Write;

use glassbox_driver::live::Looked;
use glassbox_report::data::{Function, Goal, Known, Outcome};
use glassbox_report::explain::is_trivial;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Range};

use super::{Page, goals, words};

/// A goal with its function, and where it stands.
type Around<'a> = (Range, &'a Function, &'a Goal);

/// What stands below every verdict.
const FOOTER: &str = "Found in the text of the editor, by the interpreter alone: *generate tests* compiles and runs.";

pub(crate) fn hover(page: &Page<'_>, position: Position) -> Option<Hover> {
    let found = at(page, position);
    let range = found.first().map(|(range, ..)| *range)?;
    let mut text = String::new();
    let (conditions, rest): (Vec<&Around<'_>>, Vec<&Around<'_>>) = found
        .iter()
        .filter(|(own, ..)| *own == range)
        .partition(|(.., goal)| words::subject(goal) != goal.text);
    if let Some((.., goal)) = conditions.first() {
        let _ = writeln!(text, "`{}`\n", words::subject(goal));
    }
    for (_, function, goal) in &conditions {
        let _ = writeln!(text, "- **{}**: {}", words::side(goal), words::verdict(function, goal));
        explain(&mut text, function, goal);
    }
    for (_, function, goal) in &rest {
        let what = if words::is_statement(goal) { "this statement" } else { goal.text.as_str() };
        let _ = writeln!(text, "- {what}: {}", words::verdict(function, goal));
        explain(&mut text, function, goal);
    }
    let facts = facts(page, range.start.line + 1);
    if !facts.is_empty() {
        let _ = writeln!(text, "\nOn this line, for every input: {}", facts.join(", "));
    }
    let _ = write!(text, "\n*{FOOTER}*");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text });
    Some(Hover { contents, range: Some(range) })
}

/// Goals and properties around a position, the smallest first.
fn at<'a>(page: &Page<'a>, position: Position) -> Vec<Around<'a>> {
    let analysis = page.analysis;
    let contains = |range: &Range| range.start <= position && position <= range.end;
    let around = |(looked, function, goal): (&'a Looked, &'a Function, &'a Goal)| {
        let is_here = page.is_here(goal.file.as_deref());
        let range = page.range(&looked.suite, goal);
        (is_here && contains(&range)).then_some((range, function, goal))
    };
    let mut found: Vec<_> = goals(&analysis.goals).filter_map(around).collect();
    found.extend(goals(&analysis.properties).filter_map(around));
    let size = |range: &Range| {
        (
            range.end.line - range.start.line,
            i64::from(range.end.character) - i64::from(range.start.character),
        )
    };
    found.sort_by_key(|(range, ..)| size(range));
    found
}

/// Why, where it needs more than a sentence.
fn explain(text: &mut String, function: &Function, goal: &Goal) {
    match &goal.outcome {
        Outcome::Infeasible { .. } | Outcome::InfeasibleWithin { .. } => {
            for (line, condition) in words::contradictions(function, goal) {
                let _ = match line {
                    Some(line) => writeln!(text, "    - line {line} needs `{condition}`"),
                    None => writeln!(text, "    - of inputs: `{condition}`"),
                };
            }
            for clause in function.contract.iter().filter(|it| it.removes.contains(&goal.id)) {
                let _ =
                    writeln!(text, "    - the contract says `{}` ({})", clause.text, clause.place);
            }
        }
        Outcome::Covered { .. }
        | Outcome::Unknown { .. }
        | Outcome::Violated { .. }
        | Outcome::Holds { .. }
        | Outcome::HoldsWithin { .. } => {}
    }
}

/// What holds on a line, counted from 1.
fn facts(page: &Page<'_>, line: u32) -> Vec<String> {
    let functions = page.analysis.goals.results().flat_map(|looked| &looked.suite.functions);
    let own = functions.filter(|function| page.is_here(function.file.as_deref()));
    let invariant = own.flat_map(|it| &it.invariants).find(|invariant| invariant.line == line);
    match invariant.map(|invariant| &invariant.known) {
        Some(Known::Facts(facts)) => {
            facts.iter().filter(|fact| !is_trivial(fact)).map(|fact| format!("`{fact}`")).collect()
        }
        Some(Known::Dead) => vec!["never reached".to_owned()],
        None => Vec::new(),
    }
}
