//! One formula solved in many ways, each answer judged.

use std::time::Duration;

use glassbox_solver::{Answer, Layer, Layers, Options, Solver, Steps};
use glassbox_terms::{TermId, Terms, eval};

use super::formula::Formula;

/// An answer without its evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Truth {
    Sat,
    Unsat,
    Unknown,
}

/// A way to set the solver up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Setup {
    AllLayers,
    Without(Layer),
    Only(Layer),
    /// All layers; assertions come one by one, with checks between and a detour that is popped.
    StepByStep,
}

impl Setup {
    /// All setups that are complete.
    pub(crate) fn all() -> Vec<Setup> {
        let mut setups = vec![Setup::AllLayers, Setup::StepByStep, Setup::Only(Layer::Blast)];
        let complete = Layer::ALL.into_iter().filter(|&layer| layer != Layer::Blast);
        setups.extend(complete.map(Setup::Without));
        setups
    }

    /// The setups for one formula of many: all layers, step by step, the complete layer alone, and in turn
    /// one layer switched off.
    pub(crate) fn some(seed: u64) -> Vec<Setup> {
        let mut setups = Setup::all();
        let switched_off = setups.split_off(3);
        let turn = usize::try_from(seed % switched_off.len() as u64).expect("few layers");
        setups.push(switched_off[turn]);
        setups
    }

    fn options(self) -> Options {
        let layers = match self {
            Setup::AllLayers | Setup::StepByStep => Layers::ALL,
            Setup::Without(layer) => Layers::ALL.without(layer),
            Setup::Only(layer) => Layers::NONE.with(layer),
        };
        Options {
            layers,
            steps: Steps { descent: 100_000, conflicts: 200_000, ..Steps::default() },
            time_limit: Some(Duration::from_secs(5)),
            ..Options::default()
        }
    }
}

/// Solves the formula; an error says which evidence does not hold.
pub(crate) fn solve(formula: &Formula, setup: Setup) -> Result<Truth, String> {
    let mut terms = formula.terms.clone();
    let mut solver = Solver::new(setup.options());
    let mut ids = Vec::new();
    for (position, &assertion) in formula.assertions.iter().enumerate() {
        if setup == Setup::StepByStep {
            solver.push();
            let detour = terms.not(assertion);
            solver.assert(&mut terms, detour);
            solver.check(&mut terms);
            solver.pop(1);
            if position % 2 == 1 {
                solver.push();
            }
        }
        ids.push(solver.assert(&mut terms, assertion));
        if setup == Setup::StepByStep {
            solver.check(&mut terms);
        }
    }
    let answer = solver.check(&mut terms);
    for (layer, counters) in solver.statistics().layers() {
        if counters.wrong > 0 {
            return Err(format!("{setup:?}: layer {} gave a wrong model", layer.name()));
        }
    }
    match answer {
        Answer::Unknown(_) => Ok(Truth::Unknown),
        Answer::Sat(model) => {
            for &assertion in &formula.assertions {
                if eval(&terms, &model, assertion).as_bool() != Some(true) {
                    return Err(format!("{setup:?}: the model does not hold"));
                }
            }
            Ok(Truth::Sat)
        }
        Answer::Unsat(core) => {
            let members: Vec<TermId> = ids
                .iter()
                .zip(&formula.assertions)
                .filter(|(id, _)| core.assertions.contains(id))
                .map(|(_, &term)| term)
                .collect();
            if refutes(&mut terms, &members) == Truth::Sat {
                return Err(format!("{setup:?}: the core is satisfiable"));
            }
            Ok(Truth::Unsat)
        }
    }
}

/// The complete layer alone on the core.
fn refutes(terms: &mut Terms, core: &[TermId]) -> Truth {
    let mut solver = Solver::new(Setup::Only(Layer::Blast).options());
    for &member in core {
        solver.assert(terms, member);
    }
    match solver.check(terms) {
        Answer::Sat(_) => Truth::Sat,
        Answer::Unsat(_) => Truth::Unsat,
        Answer::Unknown(_) => Truth::Unknown,
    }
}

/// What is wrong with the answers to a formula, given a judge's answer.
pub(crate) fn fault(formula: &Formula, setups: &[Setup], judge: Truth) -> Option<String> {
    fault_counting(formula, setups, judge, &mut 0)
}

/// As `fault`; also counts the answers that are no answer.
pub(crate) fn fault_counting(
    formula: &Formula,
    setups: &[Setup],
    judge: Truth,
    n_unknown: &mut u64,
) -> Option<String> {
    for &setup in setups {
        match solve(formula, setup) {
            Err(what) => return Some(what),
            Ok(truth) => {
                *n_unknown += u64::from(truth == Truth::Unknown);
                if judge != Truth::Unknown && truth != Truth::Unknown && truth != judge {
                    return Some(format!("{setup:?} says {truth:?}, the judge {judge:?}"));
                }
            }
        }
    }
    None
}
