//! All solutions of a conjunction, up to a number: by search over small domains, then by solving for one
//! more that differs.
//!
//! Integers and truth values are enumerated in the propagation engine: variable by variable in the given
//! order, values ascending (as signed numbers), large domains by halves, so that a refuted half costs one
//! propagation. No box is searched twice, and no blocking clause is needed. Where the engine runs out of
//! steps, and for floats and integers beyond 64 bits, a solver finds models that differ from those
//! found so far. Every solution is evaluated before it leaves.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{AssertId, BitsDomain, Budget, Domain};
use glassbox_propagators::{Engine, Propagation};
use glassbox_terms::{Evaluator, Model, Sort, TermId, Terms, Value};
use glassbox_values::{Bits, Signedness};

use crate::answer::Answer;
use crate::limits;
use crate::options::Options;
use crate::solver::Solver;

/// What to enumerate and how far.
#[derive(Debug, Clone, Copy)]
pub struct Enumeration<'a> {
    pub conditions: &'a [TermId],
    /// Variables whose values make a solution, in order of importance. Others that occur in the
    /// conditions should not be there: solutions that differ only in them would be listed twice.
    pub variables: &'a [TermId],
    /// Solutions wanted at most.
    pub limit: usize,
    /// Propagator runs for one solution, on average.
    pub steps_per_solution: u64,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solutions {
    /// Distinct, as models of the variables; in ascending order as far as the engine found them.
    pub models: Vec<Model>,
    /// There are no others.
    pub is_complete: bool,
}

/// Enumerates. `options` are for the solver that takes over where the engine does not suffice.
pub fn enumerate(terms: &mut Terms, task: &Enumeration<'_>, options: &Options) -> Solutions {
    let is_small = |&variable: &TermId| match terms.sort(variable) {
        Sort::Bool => true,
        Sort::Bv(width) => width <= 64,
        Sort::Float(_) | Sort::Array { .. } => false,
    };
    let mut found = Solutions { models: Vec::new(), is_complete: false };
    if task.variables.iter().all(is_small) {
        let steps = task.steps_per_solution.saturating_mul(task.limit.max(1) as u64);
        let mut search = Search {
            terms,
            task,
            engine: Engine::new(),
            evaluator: Evaluator::new(),
            budget: Budget::steps(steps),
            found: Vec::new(),
            is_full: false,
        };
        let is_done = search.run();
        found = Solutions { is_complete: is_done, models: search.found };
        if is_done || found.models.len() >= task.limit {
            return found;
        }
    }
    ask_for_others(terms, task, options, found)
}

struct Search<'a> {
    terms: &'a Terms,
    task: &'a Enumeration<'a>,
    engine: Engine,
    evaluator: Evaluator,
    budget: Budget,
    found: Vec<Model>,
    // One more solution exists than is wanted.
    is_full: bool,
}

impl Search<'_> {
    /// Whether everything was searched.
    fn run(&mut self) -> bool {
        for (position, &condition) in (0u32..).zip(self.task.conditions) {
            self.engine.assert(self.terms, condition, AssertId(position));
        }
        match self.engine.propagate(&mut self.budget) {
            Propagation::Conflict(_) => true,
            Propagation::OutOfBudget => false,
            Propagation::Consistent => self.branch(0) && !self.is_full,
        }
    }

    /// Tries all values of the variables from `position` on; false when steps or room ran out.
    fn branch(&mut self, position: usize) -> bool {
        let Some(&variable) = self.task.variables.get(position) else {
            return self.leaf();
        };
        match self.terms.sort(variable) {
            Sort::Bool => [false, true]
                .into_iter()
                .all(|truth| self.under(variable, &Domain::point(&Value::Bool(truth)), position)),
            Sort::Bv(width) => {
                let (low, high) = match self.engine.domain(variable) {
                    Some(Domain::Bits(bits)) => bits.range(Signedness::Signed),
                    _ => {
                        let half = 1i128 << (width - 1);
                        (-half, half - 1)
                    }
                };
                self.interval(variable, width, low, high, position)
            }
            Sort::Float(_) | Sort::Array { .. } => unreachable!("not enumerated here"),
        }
    }

    /// Tries the values of a variable between two signed numbers.
    fn interval(
        &mut self,
        variable: TermId,
        width: u8,
        low: i128,
        high: i128,
        position: usize,
    ) -> bool {
        if high - low < limits::FEW_VALUES {
            return (low..=high).all(|value| {
                let bits = Bits::from_signed(value, width);
                let is_possible = match self.engine.domain(variable) {
                    Some(domain) => domain.contains(&Value::Bv(bits)),
                    None => true,
                };
                !is_possible || self.under(variable, &Domain::point(&Value::Bv(bits)), position)
            });
        }
        let middle = low + (high - low) / 2;
        [(low, middle), (middle + 1, high)].into_iter().all(|(low, high)| {
            let half = BitsDomain::from_interval(Clockwise::from_integers(low, high, width));
            self.engine.push();
            let is_alive = self.engine.narrow(self.terms, variable, &Domain::Bits(half), &[]);
            let goes_on = match is_alive.then(|| self.engine.propagate(&mut self.budget)) {
                None | Some(Propagation::Conflict(_)) => true,
                Some(Propagation::OutOfBudget) => false,
                Some(Propagation::Consistent) => {
                    // Propagation may have cut the half further.
                    let (low, high) = match self.engine.domain(variable) {
                        Some(Domain::Bits(bits)) => {
                            (low.max(bits.signed_min().into()), high.min(bits.signed_max().into()))
                        }
                        _ => (low, high),
                    };
                    self.interval(variable, width, low, high, position)
                }
            };
            self.engine.pop();
            goes_on
        })
    }

    /// Continues with the next variable, this one being in `domain`.
    fn under(&mut self, variable: TermId, domain: &Domain, position: usize) -> bool {
        self.engine.push();
        let is_alive = self.engine.narrow(self.terms, variable, domain, &[]);
        let goes_on = match is_alive.then(|| self.engine.propagate(&mut self.budget)) {
            None | Some(Propagation::Conflict(_)) => true,
            Some(Propagation::OutOfBudget) => false,
            Some(Propagation::Consistent) => self.branch(position + 1),
        };
        self.engine.pop();
        goes_on
    }

    fn leaf(&mut self) -> bool {
        let mut model = Model::new();
        for &variable in self.task.variables {
            let value = self.engine.domain(variable).and_then(Domain::value);
            // A variable that no condition mentions was fixed all the same on the way here.
            let (Some(var), Some(value)) = (self.terms.as_var(variable), value) else {
                return true;
            };
            model.set(var, value);
        }
        let holds = self.evaluator.under(self.terms, &model).all_hold(self.task.conditions);
        if !holds {
            return true;
        }
        if self.found.len() >= self.task.limit {
            self.is_full = true;
            return false;
        }
        self.found.push(model);
        true
    }
}

/// Models that differ from those found, one question each.
fn ask_for_others(
    terms: &mut Terms,
    task: &Enumeration<'_>,
    options: &Options,
    mut found: Solutions,
) -> Solutions {
    let mut solver = Solver::new(options.clone());
    for &condition in task.conditions {
        solver.assert(terms, condition);
    }
    for model in &found.models {
        exclude(terms, task, &mut solver, model);
    }
    loop {
        match solver.check(terms) {
            Answer::Sat(model) => {
                if found.models.len() >= task.limit {
                    return found;
                }
                let mut own = Model::new();
                for &variable in task.variables {
                    if let Some(var) = terms.as_var(variable) {
                        own.set(var, model.value(terms, var));
                    }
                }
                exclude(terms, task, &mut solver, &own);
                found.models.push(own);
            }
            Answer::Unsat(_) => {
                found.is_complete = true;
                return found;
            }
            Answer::Unknown(_) => return found,
        }
    }
}

fn exclude(terms: &mut Terms, task: &Enumeration<'_>, solver: &mut Solver, model: &Model) {
    let mut same = terms.bool_const(true);
    for &variable in task.variables {
        let Some(var) = terms.as_var(variable) else { continue };
        let value = model.value(terms, var);
        let constant = terms.constant(&value);
        let equal = terms.eq(variable, constant);
        same = terms.and2(same, equal);
    }
    let other = terms.not(same);
    solver.assert(terms, other);
}

#[cfg(test)]
mod tests {
    use glassbox_terms::{Sort, TermId, Terms};

    use super::{Enumeration, Solutions, enumerate};
    use crate::options::Options;

    fn run(
        terms: &mut Terms,
        conditions: &[TermId],
        variables: &[TermId],
        limit: usize,
    ) -> Solutions {
        let task = Enumeration { conditions, variables, limit, steps_per_solution: 10_000 };
        enumerate(terms, &task, &Options::default())
    }

    fn values(terms: &Terms, solutions: &Solutions, variables: &[TermId]) -> Vec<Vec<i128>> {
        let one = |model: &glassbox_terms::Model| {
            let value = |&variable: &TermId| {
                let var = terms.as_var(variable).expect("a variable");
                model.value(terms, var).as_bits().expect("a number").signed()
            };
            variables.iter().map(value).collect()
        };
        solutions.models.iter().map(one).collect()
    }

    /// Against all pairs, for every comparison with a sum, at four bits.
    #[test]
    fn finds_exactly_the_solutions_in_order() {
        for wanted in -8..8 {
            let mut terms = Terms::new();
            let x = terms.fresh_var("x", Sort::Bv(4));
            let y = terms.fresh_var("y", Sort::Bv(4));
            let product = terms.bv_mul(x, y);
            let constant = terms.bv_s(wanted, 4);
            let is_product = terms.eq(product, constant);
            let is_less = terms.bv_slt(x, y);
            let solutions = run(&mut terms, &[is_product, is_less], &[x, y], 1000);
            let mut expected = Vec::new();
            for a in -8i128..8 {
                for b in a + 1..8 {
                    if (a * b - wanted).rem_euclid(16) == 0 {
                        expected.push(vec![a, b]);
                    }
                }
            }
            assert!(solutions.is_complete);
            assert_eq!(values(&terms, &solutions, &[x, y]), expected, "{wanted}");
        }
    }

    #[test]
    fn stops_at_the_limit_and_says_so() {
        let mut terms = Terms::new();
        let x = terms.fresh_var("x", Sort::Bv(32));
        let ten = terms.bv_u(10, 32);
        let is_small = terms.bv_ult(x, ten);
        let first = run(&mut terms, &[is_small], &[x], 3);
        assert_eq!(values(&terms, &first, &[x]), [[0], [1], [2]]);
        assert!(!first.is_complete);
        assert!(run(&mut terms, &[is_small], &[x], 10).is_complete);
        assert!(!run(&mut terms, &[is_small], &[x], 9).is_complete);
    }

    #[test]
    fn sparse_solutions_of_large_domains_are_found() {
        let mut terms = Terms::new();
        let x = terms.fresh_var("x", Sort::Bv(32));
        let square = terms.bv_mul(x, x);
        let wanted = terms.bv_u(1_000_000, 32);
        let is_root = terms.eq(square, wanted);
        let (low, high) = (terms.bv_s(-2000, 32), terms.bv_s(2000, 32));
        let bounds = [terms.bv_sle(low, x), terms.bv_sle(x, high), is_root];
        let solutions = run(&mut terms, &bounds, &[x], 10);
        assert_eq!(values(&terms, &solutions, &[x]), [[-1000], [1000]]);
        assert!(solutions.is_complete);
    }

    #[test]
    fn floats_are_told_apart_by_questions() {
        let mut terms = Terms::new();
        let x = terms.fresh_var("x", Sort::Float(glassbox_values::Format::F64));
        let two = terms.float_const(glassbox_values::Float::from_f64(2.0));
        let is_two = terms.fp_eq(x, two);
        let solutions = run(&mut terms, &[is_two], &[x], 10);
        assert_eq!((solutions.models.len(), solutions.is_complete), (1, true));
    }
}
