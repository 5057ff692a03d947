//! Bounded branch and bound over the columns of a relaxed system.
//!
//! **What**: after the rounds, split a range and relax both halves, depth first, within a node budget.
//! A column whose value in the linear program is fractional is split there (flags first, then overflow
//! quotients, then values); when all are integers, a column of the most violated nonlinear relation is
//! split at its value, or in the middle. **Strength**: refutes when every leaf is refuted; otherwise says
//! nothing, or gives an integer point that satisfies all rows and relations. **Explanation**: the union
//! over the leaves, without the cases, since the two halves of a split cover everything.
//! **Source**: docs/papers/relaxation.md, rule 1.1.5; node limit and GCD test because `2x - 2y = 1` needs `8R + 1` nodes otherwise.

use crate::definition::Definition;
use crate::fact::{Explanation, Leaves};
use crate::linear::Var;
use crate::range::Ranges;
use crate::rational::Rational;
use crate::relaxation::{Limits, Work};
use crate::simplex::Side;
use crate::system::{Conflict, LpOutcome, System};

/// What the search found.
pub(crate) enum Found {
    Refuted(Explanation),
    /// Values of all columns at an integer point of all rows and relations.
    Point(Vec<Rational>),
    Nothing,
}

/// A place to split: left is `var <= at`, right is `var >= at + 1`.
struct Split {
    var: Var,
    at: i128,
}

struct Search<'a> {
    limits: &'a Limits,
    work: &'a mut Work,
    nodes: u32,
    next_case: u32,
}

enum Node {
    Refuted(Leaves),
    Point(Vec<Rational>),
    GaveUp,
}

/// Searches below a system that has been relaxed.
pub(crate) fn search(system: &System, limits: &Limits, work: &mut Work) -> Found {
    if limits.branch_nodes == 0 {
        return Found::Nothing;
    }
    let mut search = Search { limits, work, nodes: 0, next_case: 0 };
    let result = search.node(system.clone());
    work.statistics.nodes = search.nodes;
    match result {
        Node::Refuted(leaves) => {
            debug_assert!(leaves.cases.is_empty(), "all cases should be closed at the root");
            Found::Refuted(leaves.explanation)
        }
        Node::Point(point) => Found::Point(point),
        Node::GaveUp => Found::Nothing,
    }
}

impl Search<'_> {
    fn node(&mut self, mut system: System) -> Node {
        self.nodes += 1;
        let relaxed =
            system.propagate().and_then(|()| match system.check_lp(&mut self.work.steps) {
                LpOutcome::Feasible => Ok(true),
                LpOutcome::Infeasible(conflict) => Err(conflict),
                LpOutcome::Exhausted => Ok(false),
            });
        match relaxed {
            Err(Conflict(facts)) => return Node::Refuted(system.facts.leaves(&facts)),
            Ok(false) => return Node::GaveUp,
            Ok(true) => {}
        }
        let Some(split) = choose(&system) else {
            let point = (0..system.n_columns()).map(|i| system.lp_value(Var::new(i)).clone());
            return Node::Point(point.collect());
        };
        if self.nodes + 2 > self.limits.branch_nodes {
            return Node::GaveUp;
        }
        let case = self.next_case;
        self.next_case += 1;
        let left = match self.half(system.clone(), case, &split, Side::Upper) {
            Node::Refuted(leaves) => leaves,
            other @ (Node::Point(_) | Node::GaveUp) => return other,
        };
        if !left.cases.contains(&case) {
            return Node::Refuted(left);
        }
        match self.half(system, case, &split, Side::Lower) {
            Node::Refuted(right) if !right.cases.contains(&case) => Node::Refuted(right),
            Node::Refuted(right) => Node::Refuted(union(left, right, case)),
            other @ (Node::Point(_) | Node::GaveUp) => other,
        }
    }

    fn half(&mut self, mut system: System, case: u32, split: &Split, side: Side) -> Node {
        let fact = system.facts.case(case);
        let value = match side {
            Side::Upper => split.at,
            Side::Lower => split.at + 1,
        };
        match system.tighten(split.var, side, value, fact) {
            Ok(_) => self.node(system),
            Err(Conflict(facts)) => Node::Refuted(system.facts.leaves(&facts)),
        }
    }
}

/// Both refutations together, with the case between them closed.
fn union(left: Leaves, right: Leaves, case: u32) -> Leaves {
    let mut all = left;
    all.explanation.assertions.extend(right.explanation.assertions);
    all.explanation.assertions.sort_unstable();
    all.explanation.assertions.dedup();
    all.explanation.bounds.extend(right.explanation.bounds);
    all.explanation.bounds.sort_unstable();
    all.explanation.bounds.dedup();
    all.cases.extend(right.cases);
    all.cases.sort_unstable();
    all.cases.dedup();
    all.cases.retain(|open| *open != case);
    all
}

/// Where to split next; `None` when the point of the linear program is an integer point of everything.
fn choose(system: &System) -> Option<Split> {
    let fractional = system
        .vars()
        .filter(|var| !system.lp_value(*var).is_integer())
        .min_by_key(|var| (system.kind(*var), *var));
    if let Some(var) = fractional {
        return Some(Split { var, at: system.lp_value(var).floor_i128() });
    }
    let value = |var: Var| system.lp_value(var);
    let mut worst: Option<(Rational, Var)> = None;
    for definition in system.definitions() {
        let (violation, inputs) = match definition {
            Definition::Product { a, b, p } => {
                ((&(value(*a) * value(*b)) - value(*p)).abs(), vec![*a, *b])
            }
            Definition::Square { a, p } => ((&(value(*a) * value(*a)) - value(*p)).abs(), vec![*a]),
            Definition::PowerOfTwo { s, p } => {
                let exponent = value(*s).to_i128().and_then(|s| u32::try_from(s).ok());
                let power = exponent.map_or(Rational::ZERO, Rational::power_of_two);
                ((&power - value(*p)).abs(), vec![*s])
            }
            Definition::Remainder { a, b, .. } => {
                // The identity is in the rows; what is left is the size of the remainder.
                (Rational::ZERO, vec![*a, *b])
            }
            // Exact at integer points.
            Definition::AtMostZero { .. } | Definition::Sign { .. } | Definition::Choice { .. } => {
                continue;
            }
        };
        if violation.is_zero() {
            continue;
        }
        let widest = inputs
            .into_iter()
            .max_by_key(|var| (system.range(*var).hi - system.range(*var).lo, *var))?;
        let wider = worst.as_ref().is_none_or(|(most, _)| violation > *most);
        if wider && !system.range(widest).is_point() {
            worst = Some((violation, widest));
        }
    }
    let (_, var) = worst?;
    let range = system.range(var);
    let at = value(var).floor_i128().clamp(range.lo, range.hi - 1);
    // An end of the range would leave one half as it is; the middle is better.
    let middle = range.lo + (range.hi - range.lo) / 2;
    let at = if at == range.lo || at == range.hi - 1 { middle } else { at };
    Some(Split { var, at: at.clamp(range.lo, range.hi - 1) })
}
