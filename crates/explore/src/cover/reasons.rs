//! Why goals are infeasible that a prover excluded: it gives no conditions that contradict each other, paths do.
//!
//! Goes on in the tree of the search, toward those goals, and keeps the reasons of ways that turn out closed. No
//! verdict is made from it.

use glassbox_coverage::Goal;
use glassbox_model::Execution;
use glassbox_terms::TermId;

use super::pick;
use super::refutation::{Refutation, Refutations};
use crate::guide::GuidedPath;
use crate::search::{PathSearch, Quest};
use crate::tree::OpenWay;

/// Paths that are followed for reasons.
const MAX_PATHS: usize = 24;

/// Ways that are refuted for reasons: a large tree has many that show nothing new.
const MAX_REFUTED: usize = 400;

impl PathSearch<'_> {
    /// Why ways to these goals of the function are closed.
    pub fn reasons(&mut self, goals: &[Goal]) -> Vec<Refutation> {
        let path_limit = self.n_paths + MAX_PATHS;
        let refutations = Refutations::default();
        let mut quest = Reasons { goals, refutations, path_limit, n_refuted: 0 };
        self.pursue(&mut quest);
        quest.refutations.finish()
    }
}

/// The quest for reasons.
struct Reasons<'g> {
    goals: &'g [Goal],
    refutations: Refutations,
    path_limit: usize,
    n_refuted: usize,
}

impl Quest for Reasons<'_> {
    fn is_done(&self, search: &PathSearch<'_>) -> bool {
        search.n_paths >= self.path_limit || self.n_refuted >= MAX_REFUTED || search.is_stopped()
    }

    fn pick(&mut self, search: &mut PathSearch<'_>) -> Option<OpenWay> {
        pick::nearest(search, self.goals.iter())
    }

    fn on_path(&mut self, _search: &mut PathSearch<'_>, _end: &Execution, _path: &GuidedPath) {}

    fn on_refuted(&mut self, search: &mut PathSearch<'_>, way: OpenWay, core: &[TermId]) {
        self.n_refuted += 1;
        self.refutations.note(&search.tree, &search.terms, search.function, way, core);
    }
}
