//! From what a campaign found to the evidence that reports show.

use glassbox_explore::facts::Places;
use glassbox_explore::{Budget, CampaignResult, FoundTest, Refutation};
use glassbox_ir::{FuncId, Program};
use glassbox_prove::{Options, Prover};
use glassbox_report::data::Layer;
use glassbox_report::suite_json::Evidence;
use glassbox_report::suite_json::evidence::{Elsewhere, RefutedWay};
use glassbox_solver::Statistics;
use glassbox_testcase::{GoalResult, ProofMethod, Suite, Verdict};

pub(crate) fn of(result: &CampaignResult) -> Evidence {
    Evidence {
        covered: result.covered.clone(),
        reached_after: result.reached_after.clone(),
        facts: result.tests.iter().map(|test| test.facts.clone()).collect(),
        elsewhere: result.tests.iter().map(elsewhere).collect(),
        replays: Vec::new(),
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
fn elsewhere(test: &FoundTest) -> Vec<Elsewhere> {
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

/// Blocks of a function beyond which nobody reads why single ways are closed.
const MAX_BLOCKS: usize = 60;

/// Whether goals were excluded by a prover, which gives no conditions that contradict each other.
pub(crate) fn needs_reasons(program: &Program, suite: &Suite) -> bool {
    let is_whole = |goal: &GoalResult| match goal.verdict {
        Verdict::Infeasible(method) => match method {
            ProofMethod::WholeFunction
            | ProofMethod::LoopSummary
            | ProofMethod::Induction
            | ProofMethod::CallSummaries => true,
            ProofMethod::ControlFlow | ProofMethod::PathEnumeration | ProofMethod::Covering => {
                false
            }
        },
        _ => false,
    };
    let n_blocks = program.body(suite.function).block_ids().count();
    n_blocks <= MAX_BLOCKS && suite.goals.iter().any(is_whole)
}

/// A few paths, followed also after every goal is decided: ways that are refuted leave their reasons.
pub(crate) fn budget_of_reasons(budget: &Budget) -> Budget {
    Budget { paths: 24, seeds: 0, exhaust: true, ..*budget }
}

/// Adds why ways are closed that the search itself did not come to.
pub(crate) fn add_reasons(evidence: &mut Evidence, again: &CampaignResult) {
    for refutation in &again.refutations {
        let way = refuted_way(refutation);
        let is_known = |known: &RefutedWay| (known.block, known.edge) == (way.block, way.edge);
        if !evidence.refutations.iter().any(is_known) {
            evidence.refutations.push(way);
        }
    }
}

/// What holds at each line, where a proof rests on it: asked again, because the search keeps no words.
pub(crate) fn invariants(program: &Program, suite: &Suite) -> Vec<(u32, String)> {
    let rests = |goal: &GoalResult| {
        matches!(
            goal.verdict,
            Verdict::Infeasible(
                ProofMethod::LoopSummary | ProofMethod::Induction | ProofMethod::CallSummaries
            )
        )
    };
    if !suite.goals.iter().any(rests) {
        return Vec::new();
    }
    let mut prover = Prover::new(program, suite.function, Options::default());
    let lines = prover.describe().unwrap_or_default();
    let told = lines.into_iter().map(|line| {
        let facts = if line.is_dead { "never reached".to_owned() } else { line.facts.join("; ") };
        (line.line, facts)
    });
    told.filter(|(_, facts)| !facts.is_empty()).collect()
}
