//! From what a search found to the evidence that reports show.

use glassbox_coverage::Goal;
use glassbox_explore::cover::history::reached_after;
use glassbox_explore::facts::Places;
use glassbox_explore::{CampaignResult, FoundTest, Refutation};
use glassbox_ir::{FuncId, Program};
use glassbox_report::data::Layer;
use glassbox_report::suite_json::Evidence;
use glassbox_report::suite_json::evidence::{Elsewhere, RefutedWay};
use glassbox_solver::Statistics;
use glassbox_testcase::{GoalResult, ProofMethod, Suite, Verdict};

use crate::function_report::FunctionReport;

pub(crate) fn of(result: &CampaignResult) -> Evidence {
    Evidence {
        covered: result.covered.clone(),
        reached_after: reached_after(&result.history, result.verdicts.len()),
        facts: result.tests.iter().map(|test| test.facts.clone()).collect(),
        elsewhere: result.tests.iter().map(elsewhere).collect(),
        replays: Vec::new(),
        moments: Vec::new(),
        refutations: result.refutations.iter().map(refuted_way).collect(),
        invariants: Vec::new(),
        layers: layer_counts(&result.statistics),
    }
}

/// What each layer of the solver was asked and answered.
pub(crate) fn layer_counts(statistics: &Statistics) -> Vec<Layer> {
    let layers = statistics.layers().map(|(layer, account)| Layer {
        name: layer.name().to_owned(),
        asked: account.asked,
        sat: account.sat,
        unsat: account.unsat,
        steps: account.steps,
    });
    layers.collect()
}

/// What a test's run did in functions that it calls.
pub(crate) fn elsewhere(test: &FoundTest) -> Vec<Elsewhere> {
    let other = |(&function, places): (&FuncId, &Places)| Elsewhere {
        function,
        blocks: places.blocks.iter().copied().collect(),
        edges: places.edges.iter().copied().collect(),
    };
    test.elsewhere.iter().map(other).collect()
}

fn refuted_way(refutation: &Refutation) -> RefutedWay {
    let core = refutation.core.iter().map(|condition| (condition.text.clone(), condition.span));
    RefutedWay { block: refutation.block, edge: refutation.edge, core: core.collect() }
}

/// Functions with more blocks get no list of why single ways are closed: it would be too long to read.
const MAX_BLOCKS: usize = 60;

/// Goals that a prover excluded, which gives no conditions that contradict each other.
pub(crate) fn without_reasons(program: &Program, report: &FunctionReport) -> Vec<Goal> {
    let is_whole = |verdict: &Verdict| match verdict {
        Verdict::Infeasible(method) => match method {
            ProofMethod::WholeFunction
            | ProofMethod::LoopSummary
            | ProofMethod::Induction
            | ProofMethod::CallSummaries => true,
            ProofMethod::ControlFlow | ProofMethod::PathEnumeration | ProofMethod::Covering => {
                false
            }
        },
        Verdict::Covered { .. }
        | Verdict::InfeasibleWithin { .. }
        | Verdict::Unknown(_)
        | Verdict::Violated { .. }
        | Verdict::Holds(_)
        | Verdict::HoldsWithin { .. } => false,
    };
    if program.body(report.function()).blocks.len() > MAX_BLOCKS {
        return Vec::new();
    }
    let goals = report.goals.iter().zip(report.verdicts());
    goals.filter(|(_, verdict)| is_whole(verdict)).map(|(goal, _)| goal.clone()).collect()
}

/// Adds why ways are closed that the search itself did not come to.
pub(crate) fn add_reasons(evidence: &mut Evidence, reasons: &[Refutation]) {
    let known: Vec<_> = evidence.refutations.iter().map(|way| (way.block, way.edge)).collect();
    let is_new = |reason: &&Refutation| !known.contains(&(reason.block, reason.edge));
    evidence.refutations.extend(reasons.iter().filter(is_new).map(refuted_way));
}

/// Whether a proof rests on what holds at lines.
pub(crate) fn rests_on_invariants(suite: &Suite) -> bool {
    let rests = |goal: &GoalResult| {
        matches!(
            goal.verdict,
            Verdict::Infeasible(
                ProofMethod::LoopSummary | ProofMethod::Induction | ProofMethod::CallSummaries
            )
        )
    };
    suite.goals.iter().any(rests)
}
