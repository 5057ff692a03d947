//! The whole function as one formula: guards for nodes, choices at joins, invariants in place of loops.
//!
//! A *region* is everything that control can reach from a start, as one acyclic formula: every node has a guard
//! (control comes here), every variable its value there, merged by choices where ways meet. A loop inside the
//! region is cut at its head: its variables there are anything that the head's invariant allows. Regions are
//! over-approximations, so a guard without a model is a proof; where nothing was cut and nothing is opaque,
//! they are exact.

mod region;

pub(crate) use region::{Region, Start};

use glassbox_solver::{Answer, Layer, Layers, Solver, Steps, Why};
use glassbox_terms::{Model as TermModel, TermId, Terms};

use crate::budget;
use crate::contents::is_costly;
use crate::options::Options;

/// What a formula is.
#[derive(Debug)]
pub(crate) enum Formula {
    Impossible,
    Possible(TermModel),
    Unknown,
}

/// Whether the linear relaxation takes part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Relaxing {
    /// It decides most steps of an induction, where circuits need thousands of conflicts.
    On,
    /// Products of variables make it costly and weak.
    Off,
}

/// Questions that share facts: their circuits are made once, and what was learned from one is known to the
/// next.
#[derive(Debug)]
pub(crate) struct Inquiry {
    solver: Solver,
    relaxing: Relaxing,
    facts: Vec<TermId>,
    is_impossible: bool,
    /// Questions that were given up.
    n_unknown: u32,
}

impl Inquiry {
    pub(crate) fn new(options: &Options, relaxing: Relaxing) -> Inquiry {
        Inquiry {
            solver: new_solver(options, relaxing),
            relaxing,
            facts: Vec::new(),
            is_impossible: false,
            n_unknown: 0,
        }
    }

    /// Adds facts for all questions to come.
    pub(crate) fn assert(&mut self, terms: &mut Terms, facts: &[TermId]) {
        for &fact in facts {
            self.is_impossible |= terms.as_bool_const(fact) == Some(false);
            self.solver.assert(terms, fact);
            self.facts.push(fact);
        }
    }

    /// Whether the facts and these terms can hold together.
    pub(crate) fn ask(&mut self, terms: &mut Terms, more: &[TermId], options: &Options) -> Formula {
        let is_false = |fact: &TermId| terms.as_bool_const(*fact) == Some(false);
        if self.is_impossible || more.iter().any(is_false) {
            return Formula::Impossible;
        }
        let mut answer = self.solver.check_assuming(terms, more);
        if matches!(answer, Answer::Unknown(Why::TooLarge)) {
            // The circuits of earlier questions may be what is too large.
            self.restart(terms, options);
            answer = self.solver.check_assuming(terms, more);
        }
        match answer {
            Answer::Unsat(_) => Formula::Impossible,
            Answer::Sat(model) => Formula::Possible(model),
            Answer::Unknown(_) => {
                self.n_unknown += 1;
                if self.n_unknown == budget::GIVEN_UP {
                    self.restart(terms, options);
                }
                Formula::Unknown
            }
        }
    }

    fn restart(&mut self, terms: &mut Terms, options: &Options) {
        let conflicts = match self.n_unknown {
            ..budget::GIVEN_UP => options.conflicts,
            _ => options.conflicts / budget::FRACTION,
        };
        self.solver = new_solver(&Options { conflicts, ..options.clone() }, self.relaxing);
        for &fact in &self.facts {
            self.solver.assert(terms, fact);
        }
    }
}

/// The options for questions about these facts.
pub(crate) fn with_patience(terms: &Terms, facts: &[TermId], options: &Options) -> Options {
    let is_plain = terms.subterms(facts).into_iter().all(|term| !is_costly(terms, term));
    let least = if is_plain {
        budget::PLAIN_CONFLICTS.min(options.conflicts.saturating_mul(10))
    } else {
        0
    };
    Options { conflicts: options.conflicts.max(least), ..options.clone() }
}

/// A solver for refutations: local search and labelling, which find models only, are left out.
fn new_solver(options: &Options, relaxing: Relaxing) -> Solver {
    let refuting = Layers::ALL.without(Layer::Descent).without(Layer::Label);
    let layers = match relaxing {
        Relaxing::On => refuting,
        Relaxing::Off => refuting.without(Layer::Relax),
    };
    Solver::new(glassbox_solver::Options {
        layers,
        steps: Steps { conflicts: options.conflicts, ..Steps::default() },
        max_gates: options.max_gates,
        time_limit: options.time_limit,
        stop: options.stop.clone(),
        second_opinion: options.second_opinion.clone(),
        ..glassbox_solver::Options::default()
    })
}
