//! Random inputs, each uniform among the inputs of a path: path-oriented random testing.
//!
//! Paths are followed until no way is open or enough is spent. Then each draw chooses one of them, all with the same
//! chance, and one of its inputs, all with the same chance (`solver::sample`). A path is what the search calls one: it differs from another
//! by a branch, by what a pointer points to, by a length. Paths that end in an error have no tests, so nothing is drawn from them.

use std::collections::BTreeMap;

use glassbox_model::{Execution, PathEnd};
use glassbox_solver::sample::{Count, Sampler, Sampling};
use glassbox_terms::TermId;
use glassbox_testcase::TestInput;

use crate::guide::GuidedPath;
use crate::search::{PathSearch, Quest};
use crate::seeds::Random;
use crate::tree::OpenWay;

/// Paths to draw from.
#[derive(Debug)]
pub struct DrawnPaths {
    /// By their conditions.
    paths: Vec<Vec<TermId>>,
    /// There are no others.
    pub is_complete: bool,
}

impl DrawnPaths {
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }
}

/// What was drawn from one path.
#[derive(Debug)]
pub struct PathDraws {
    /// Its conditions, readable.
    pub conditions: Vec<String>,
    /// How many inputs it has; why nothing could be drawn.
    pub count: Result<Count, &'static str>,
    /// Draws that fell to it.
    pub n_chosen: usize,
    pub inputs: Vec<TestInput>,
}

impl PathSearch<'_> {
    /// The paths that end well, as far as the budget goes.
    pub fn paths_to_draw_from(&mut self) -> DrawnPaths {
        self.restore_config();
        let path_limit = self.n_paths + self.budget.paths;
        let mut quest = Collect { path_limit, is_complete: true, paths: Vec::new() };
        self.follow_again(&mut quest);
        self.pursue(&mut quest);
        let is_complete = quest.is_complete && self.is_exhausted();
        DrawnPaths { paths: quest.paths, is_complete }
    }

    /// Draws so many inputs; by path, in the order in which they were found.
    pub fn draw_inputs(&mut self, paths: &DrawnPaths, count: usize) -> Vec<PathDraws> {
        if paths.is_empty() {
            return Vec::new();
        }
        let mut random = Random::new(self.budget.seed ^ 0x0d2a_3000);
        let mut shares = BTreeMap::new();
        for _ in 0..count {
            *shares.entry(random.fair(paths.len())).or_insert(0) += 1;
        }
        let numbers = paths.paths.iter().cloned().zip(0..).collect();
        let mut quest = Draw { numbers, shares, random, found: BTreeMap::new() };
        self.follow_again(&mut quest);
        quest.found.into_values().collect()
    }
}

/// The quest for all paths.
struct Collect {
    path_limit: usize,
    is_complete: bool,
    paths: Vec<Vec<TermId>>,
}

impl Quest for Collect {
    fn is_done(&self, search: &PathSearch<'_>) -> bool {
        search.n_paths >= self.path_limit || search.is_stopped()
    }

    fn pick(&mut self, search: &mut PathSearch<'_>) -> Option<OpenWay> {
        search.tree.open_ways().next()
    }

    fn on_path(&mut self, _search: &mut PathSearch<'_>, execution: &Execution, path: &GuidedPath) {
        self.is_complete &= !path.is_unknown;
        match &execution.end {
            PathEnd::Returned(_) | PathEnd::Exited(_) | PathEnd::Aborted => {
                if !self.paths.contains(&path.conditions) {
                    self.paths.push(path.conditions.clone());
                }
            }
            PathEnd::Unsupported { .. }
            | PathEnd::OutOfSteps
            | PathEnd::Cut
            | PathEnd::Stopped
            | PathEnd::Met => {
                self.is_complete = false;
            }
            PathEnd::Failed { .. } | PathEnd::Rejected => {}
        }
    }

    fn on_given_up(&mut self) {
        self.is_complete = false;
    }
}

/// The quest for inputs of known paths.
struct Draw {
    numbers: BTreeMap<Vec<TermId>, usize>,
    /// By path: draws that fall to it.
    shares: BTreeMap<usize, usize>,
    random: Random,
    found: BTreeMap<usize, PathDraws>,
}

impl Quest for Draw {
    fn is_done(&self, search: &PathSearch<'_>) -> bool {
        self.found.len() == self.numbers.len() || search.is_stopped()
    }

    fn pick(&mut self, _search: &mut PathSearch<'_>) -> Option<OpenWay> {
        None
    }

    fn on_path(&mut self, search: &mut PathSearch<'_>, execution: &Execution, path: &GuidedPath) {
        let Some(&number) = self.numbers.get(&path.conditions) else { return };
        let n_chosen = self.shares.get(&number).copied().unwrap_or(0);
        let readable = search.constraints(path);
        let conditions = readable.into_iter().map(|condition| condition.text).collect();
        let sampling =
            Sampling { conditions: &path.conditions, variables: &search.inputs.variables };
        let sampler = match Sampler::new(&mut search.terms, &sampling) {
            Ok(sampler) => sampler,
            Err(obstacle) => {
                let (count, inputs) = (Err(obstacle.text()), Vec::new());
                self.found.insert(number, PathDraws { conditions, count, n_chosen, inputs });
                return;
            }
        };
        // Each path draws for itself, so that what one could not draw changes nothing in the others.
        let mut random = self.random.branch(number);
        let mut count = Ok(sampler.count());
        let mut inputs = Vec::new();
        for _ in 0..n_chosen {
            match sampler.draw(&search.terms, &mut || random.draw()) {
                Ok(model) => inputs.push(search.input_of(&execution.memory, &model)),
                Err(obstacle) => {
                    count = Err(obstacle.text());
                    break;
                }
            }
        }
        self.found.insert(number, PathDraws { conditions, count, n_chosen, inputs });
    }
}
