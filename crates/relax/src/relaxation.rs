//! The façade: asserted terms and bounds in, a refutation or tighter bounds out.

use glassbox_terms::{Sort, TermId, Terms};
use glassbox_values::{Bits, Signedness};

use crate::bounds::Bounds;
use crate::branch;
use crate::fact::{Explanation, FactId};
use crate::linear::Var;
use crate::nonlinear::{self, Bisected};
use crate::range::{Range, Ranges};
use crate::rational::Rational;
use crate::simplex::{Side, Steps};
use crate::system::{Conflict, Kind, LpOutcome, System};
use crate::translate::{Leaf, Translator};

/// How much work a check may do. Everything is counted, nothing is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Rounds of "relax again with the new bounds". Default 8.
    pub rounds: u32,
    /// Work of the whole check, see `Steps`. Default 100 000, some three milliseconds.
    pub steps: u64,
    /// Nodes of branch and bound after the rounds; 0 switches it off. Default 16.
    pub branch_nodes: u32,
    /// Boxes of the polynomial layer; 0 switches it off. Default 200.
    pub polynomial_boxes: u32,
    /// Whether ranges are shaved by optimization, two linear programs for each column.
    pub shaving: Shaving,
}

/// Overflow quotients shaved along with the inputs of nonlinear relations.
const MAX_QUOTIENTS: usize = 6;

/// Which columns are shaved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shaving {
    /// None: one feasibility check for each round.
    Off,
    /// Columns that nonlinear relations read: their rows get better with every bound.
    Nonlinear,
    /// Every column that stands for a term.
    All,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            rounds: 8,
            steps: 100_000,
            branch_nodes: 16,
            polynomial_boxes: 200,
            shaving: Shaving::Nonlinear,
        }
    }
}

/// A bound that the assertions and the caller's bounds imply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tightening {
    pub term: TermId,
    pub signedness: Signedness,
    pub side: Side,
    pub value: i128,
    pub because: Explanation,
}

/// Values for variables that might satisfy the assertions: to be evaluated, never to be trusted.
/// Variables that are missing may have any value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidate {
    pub values: Vec<(TermId, Bits)>,
    pub truths: Vec<(TermId, bool)>,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// No assignment satisfies the named assertions within the named bounds.
    Infeasible(Explanation),
    /// Not refuted. The bounds hold for every solution.
    Open { tightened: Vec<Tightening>, candidate: Option<Candidate> },
}

/// Work done, for the statistics of the layer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Statistics {
    pub columns: usize,
    pub work: u64,
    pub rounds: u32,
    pub nodes: u32,
    pub boxes: u32,
}

/// Assertions to be relaxed.
#[derive(Debug, Clone, Default)]
pub struct Relaxation {
    assertions: Vec<TermId>,
    statistics: Statistics,
}

impl Relaxation {
    pub fn new() -> Relaxation {
        Relaxation::default()
    }

    /// Asserts a boolean term. Explanations name it by its position, counted from zero.
    pub fn assert(&mut self, term: TermId) -> usize {
        self.assertions.push(term);
        self.assertions.len() - 1
    }

    pub fn assertions(&self) -> &[TermId] {
        &self.assertions
    }

    /// What the latest check cost.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Relaxes the assertions within the bounds. The answer depends on nothing else: the system is
    /// built for each check, since other bounds make other rows.
    pub fn check(&mut self, terms: &Terms, bounds: &dyn Bounds, limits: &Limits) -> Outcome {
        let mut system = System::default();
        let mut assertions = Vec::with_capacity(self.assertions.len());
        for (position, term) in self.assertions.iter().enumerate() {
            assertions.push((*term, system.facts.assertion(position)));
        }
        let mut translator = Translator::new(terms, bounds, &mut system);
        translator.assert_all(&assertions);
        let leaves = std::mem::take(&mut translator.reported);
        let mut work = Work::new(limits);
        let outcome = solve(terms, bounds, &mut system, &leaves, limits, &mut work);
        self.statistics = Statistics {
            columns: system.n_columns(),
            work: limits.steps - work.steps.left(),
            ..work.statistics
        };
        outcome
    }
}

/// The budgets of one check.
pub(crate) struct Work {
    pub(crate) steps: Steps,
    pub(crate) statistics: Statistics,
}

impl Work {
    fn new(limits: &Limits) -> Work {
        Work { steps: Steps::new(limits.steps), statistics: Statistics::default() }
    }
}

fn solve(
    terms: &Terms,
    bounds: &dyn Bounds,
    system: &mut System,
    leaves: &[Leaf],
    limits: &Limits,
    work: &mut Work,
) -> Outcome {
    if let Err(conflict) = relax_rounds(system, leaves, limits, work) {
        return Outcome::Infeasible(explain(system, &conflict.0));
    }
    let (bisected, boxes) = nonlinear::bisect(system, limits.polynomial_boxes);
    work.statistics.boxes = boxes;
    let mut point: Vec<Rational> =
        (0..system.n_columns()).map(|index| system.lp_value(Var::new(index)).clone()).collect();
    match bisected {
        Bisected::Refuted(conflict) => return Outcome::Infeasible(explain(system, &conflict.0)),
        Bisected::Point(values) => {
            for (var, value) in values {
                point[var.index()] = Rational::int(value);
            }
        }
        Bisected::Nothing => {}
    }
    match branch::search(system, limits, work) {
        branch::Found::Refuted(explanation) => return Outcome::Infeasible(explanation),
        branch::Found::Point(integers) => point = integers,
        branch::Found::Nothing => {}
    }
    let tightened = report(bounds, terms, system, leaves);
    let candidate = Some(propose(terms, system, leaves, &point));
    Outcome::Open { tightened, candidate }
}

pub(crate) fn explain(system: &System, facts: &[FactId]) -> Explanation {
    system.facts.leaves(facts).explanation
}

/// Propagate, relax, shave, until nothing changes or the budget ends.
pub(crate) fn relax_rounds(
    system: &mut System,
    leaves: &[Leaf],
    limits: &Limits,
    work: &mut Work,
) -> Result<(), Conflict> {
    for round in 0..limits.rounds.max(1) {
        work.statistics.rounds += 1;
        system.propagate()?;
        if round == 0 {
            crate::diophantine::refute(system)?;
        }
        if crate::factoring::factor_products(system)? {
            system.propagate()?;
        }
        match system.check_lp(&mut work.steps) {
            LpOutcome::Feasible => {}
            LpOutcome::Infeasible(conflict) => return Err(conflict),
            LpOutcome::Exhausted => break,
        }
        let targets = shaving_targets(system, leaves, limits.shaving);
        if !system.shave(&targets, &mut work.steps)? {
            break;
        }
    }
    Ok(())
}

fn shaving_targets(system: &System, leaves: &[Leaf], shaving: Shaving) -> Vec<Var> {
    let mut targets: Vec<Var> = Vec::new();
    match shaving {
        Shaving::Off => {}
        Shaving::Nonlinear | Shaving::All => {
            for definition in system.definitions().filter(|d| d.is_nonlinear()) {
                targets.extend(definition.inputs());
            }
            // Undecided overflow keeps products loose. Beyond a few, shaving them does not pay.
            let quotients = system.vars().filter(|var| system.kind(*var) == Kind::Quotient);
            if !targets.is_empty() {
                targets.extend(quotients.take(MAX_QUOTIENTS));
            }
        }
    }
    if shaving == Shaving::All {
        targets.extend(leaves.iter().map(|leaf| leaf.var));
        targets.extend(system.vars().filter(|var| system.kind(*var) != Kind::Value));
    }
    let mut seen = vec![false; system.n_columns()];
    targets.retain(|var| {
        !std::mem::replace(&mut seen[var.index()], true) && !system.range(*var).is_point()
    });
    targets
}

fn report(bounds: &dyn Bounds, terms: &Terms, system: &System, leaves: &[Leaf]) -> Vec<Tightening> {
    let mut found = Vec::new();
    for leaf in leaves {
        let Some(sort) = crate::bounds::sort_range(terms, leaf.term, leaf.signedness) else {
            continue;
        };
        let known = bounds
            .range(leaf.term, leaf.signedness)
            .map_or(sort, |(lo, hi)| Range::new(lo.max(sort.lo), hi.min(sort.hi)));
        let range = system.range(leaf.var);
        for side in [Side::Lower, Side::Upper] {
            if range.end(side) != known.end(side) {
                found.push(Tightening {
                    term: leaf.term,
                    signedness: leaf.signedness,
                    side,
                    value: range.end(side),
                    because: explain(system, &[system.bound_fact(leaf.var, side)]),
                });
            }
        }
    }
    found
}

/// The point, rounded into the ranges, for the variables.
fn propose(terms: &Terms, system: &System, leaves: &[Leaf], point: &[Rational]) -> Candidate {
    let mut candidate = Candidate::default();
    for leaf in leaves {
        if !matches!(terms.op(leaf.term), glassbox_terms::Op::Var(_)) {
            continue;
        }
        let value = &point[leaf.var.index()];
        let half = Rational::ratio(1, 2);
        let range = system.range(leaf.var);
        let value = (value + &half).floor_i128().clamp(range.lo, range.hi);
        match terms.sort(leaf.term) {
            Sort::Bool => candidate.truths.push((leaf.term, value != 0)),
            Sort::Bv(width) => {
                candidate.values.push((leaf.term, Bits::from_signed(value, width)));
            }
            Sort::Float(_) | Sort::Array { .. } => {}
        }
    }
    candidate
}
