//! From what a campaign found to the evidence that reports show.

use glassbox_explore::{CampaignResult, Refutation};
use glassbox_replay::Confirmation;
use glassbox_report::suite_json::Evidence;
use glassbox_report::suite_json::evidence::{LayerCount, RefutedWay, ReplayState};

pub(super) fn of(result: &CampaignResult) -> Evidence {
    let layers = result.statistics.layers().map(|(layer, account)| LayerCount {
        name: layer.name().to_owned(),
        asked: account.asked,
        sat: account.sat,
        unsat: account.unsat,
        steps: account.steps,
    });
    Evidence {
        covered: result.covered.clone(),
        reached_after: result.reached_after.clone(),
        facts: result.tests.iter().map(|test| test.facts.clone()).collect(),
        replays: Vec::new(),
        refutations: result.refutations.iter().map(refuted_way).collect(),
        layers: layers.collect(),
    }
}

fn refuted_way(refutation: &Refutation) -> RefutedWay {
    let core = refutation.core.iter().map(|condition| (condition.text.clone(), condition.span));
    RefutedWay { block: refutation.block, edge: refutation.edge, core: core.collect() }
}

pub(super) fn replay_state(confirmation: &Confirmation) -> ReplayState {
    match confirmation {
        Confirmation::Confirmed => ReplayState::Confirmed,
        Confirmation::Failed(story) | Confirmation::Diverged(story) => {
            ReplayState::Failed(story.clone())
        }
        Confirmation::Flaky => ReplayState::Failed("passes and fails by turns".to_owned()),
    }
}
