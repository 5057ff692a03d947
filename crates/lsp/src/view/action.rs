//! Code actions: a requirement of callers that keeps a violation away.

use std::collections::BTreeSet;

use glassbox_driver::live::{Found, Looked};
use glassbox_report::data::{Function, Goal};
use lsp_types::Range;

use super::Page;
use crate::contract_edit::clauses;

/// A clause that may be written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Proposal {
    pub(crate) function: String,
    pub(crate) clause: String,
    /// The violation that it keeps away.
    pub(crate) goal: String,
}

/// What could be required because of violations in a range.
pub(crate) fn proposals(page: &Page<'_>, range: Range) -> Vec<Proposal> {
    let mut all = Vec::new();
    let mut known = BTreeSet::new();
    for looked in page.analysis.properties.results() {
        // Contracts of Java name methods in a way of their own.
        if !looked.suite.language.has_columns() {
            continue;
        }
        let Some(function) = looked.suite.functions.first() else { continue };
        let open = looked.findings.iter().filter(|found| !found.is_dismissed);
        for found in open {
            let Some(goal) = function.goals.get(found.goal) else { continue };
            for clause in of_finding(page, looked, (function, goal), found, range) {
                if known.insert((function.name.clone(), clause.clone())) {
                    let (function, goal) = (function.name.clone(), goal.id.clone());
                    all.push(Proposal { function, clause, goal });
                }
            }
        }
    }
    all
}

fn of_finding(
    page: &Page<'_>,
    looked: &Looked,
    (function, goal): (&Function, &Goal),
    found: &Found,
    range: Range,
) -> Vec<String> {
    let is_here = page.is_here(goal.file.as_deref());
    let own = page.range(&looked.suite, goal);
    let overlaps = own.start <= range.end && range.start <= own.end;
    // The run has to be one of this function alone: a callee has parameters of its own.
    // A contract is a function around it.
    let own_call = format!("calls `{}`", function.name);
    let is_call = |text: &String| text.starts_with("calls `") && *text != own_call;
    let is_direct = !found.steps.iter().any(|(_, text)| is_call(text));
    if !is_here || !overlaps || !is_direct {
        return Vec::new();
    }
    clauses(function, goal, page.text.slice(own))
}
