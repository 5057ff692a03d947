//! Runs that end in a failed assertion of the function: `assert` calls `abort`, so the program wants them to end there, and
//! a test can expect it. Such a run shows how the assertion was evaluated and nothing else: what comes before it
//! should have tests that come back.

use glassbox_coverage::Facts;
use glassbox_interp::{Outcome, TestRun};
use glassbox_ir::{BlockId, CheckKind, DecisionKind, FuncId};
use glassbox_model::{Execution, PathEnd};

use crate::search::PathSearch;

/// What a run shows that ends in a failed check.
pub(super) fn facts_of_failure(search: &PathSearch<'_>, run: &TestRun, facts: Facts) -> Facts {
    let failure = Facts { failed_check: facts.failed_check, ..Facts::default() };
    let Outcome::Undefined(report) = &run.outcome else { return failure };
    let failing = report.stack.last().map(|entry| entry.function);
    let (Some(site), true) = (facts.failed_check, is_own_assertion(search, report.kind, failing))
    else {
        return failure;
    };
    let body = search.program.body(search.function);
    let leads_there = |(block, edge): &(BlockId, u32)| {
        let targets = body.block(*block).terminator.targets();
        targets.get(*edge as usize).is_some_and(|target| target.block == site.block)
    };
    let last = search.runner.condition_trace(search.function).last().map(|event| event.decision);
    let is_assertion = |kind: DecisionKind| kind == DecisionKind::Assertion;
    let decision = last.filter(|it| is_assertion(body.decisions[it.index()].kind));
    let evaluations = decision.and_then(|it| Some((it, facts.evaluations.get(&it)?.clone())));
    Facts {
        edges: facts.edges.into_iter().filter(leads_there).collect(),
        evaluations: evaluations.into_iter().collect(),
        ..failure
    }
}

/// Whether a path ends where `assert` calls `abort`.
pub(super) fn ends_in_assertion(search: &PathSearch<'_>, execution: &Execution) -> bool {
    let failing = execution.stack.last().map(|place| place.function);
    matches!(execution.end, PathEnd::Failed { kind, .. } if is_own_assertion(search, kind, failing))
}

fn is_own_assertion(search: &PathSearch<'_>, kind: CheckKind, failing: Option<FuncId>) -> bool {
    kind == CheckKind::Assertion
        && failing == Some(search.function)
        && search.program.language.errors_are_undefined()
}
