//! Whether the tests that a suite names for a covered goal are those that show it, by what the suite recorded of them.

use glassbox_coverage::mcdc::is_independence_pair;
use glassbox_coverage::{Evaluation, Goal, Target};
use glassbox_ir::Program;
use glassbox_report::data;

use super::{Audited, Contradiction, Inspected};

/// Every test that is named is there and says so itself, and those of a pair evaluated the decision as a pair does.
pub(super) fn compare(program: &Program, inspected: &Inspected<'_>, audited: &mut Audited) {
    for known in inspected.data.goals.iter().filter(|goal| goal.is_covered()) {
        let found = inspected.goals.iter().find(|goal| goal.id == known.id);
        let seen =
            named(inspected.data, known).or_else(|| pair(program, inspected.data, found?, known));
        if let Some(seen) = seen {
            let said = format!("{} is covered", known.id);
            audited.contradictions.push(Contradiction { said, seen });
        }
    }
}

/// What is wrong with the tests themselves.
fn named(function: &data::Function, goal: &data::Goal) -> Option<String> {
    goal.tests().find_map(|id| match function.test(id) {
        None => Some(format!("there is no test {id}")),
        Some(test) if !test.covers.contains(&goal.id) => {
            Some(format!("{id} does not say that it covers it"))
        }
        Some(_) => None,
    })
}

/// What is wrong with a pair.
fn pair(
    program: &Program,
    function: &data::Function,
    goal: &Goal,
    known: &data::Goal,
) -> Option<String> {
    let Target::Independence { decision, condition, flavor } = &goal.target else { return None };
    let (Some(first), Some(second)) = known.pair.as_ref()? else { return None };
    let recorded = &function.decisions.get(decision.index())?.evaluations;
    if recorded.is_empty() {
        return None;
    }
    let formula = &program.body(goal.function).decisions[decision.index()].formula;
    let of = |test: &String| -> Vec<Evaluation> {
        let own = recorded.iter().filter(|one| one.tests.contains(test));
        own.map(|one| Evaluation { conditions: one.values.clone(), outcome: one.outcome }).collect()
    };
    let (first_ones, second_ones) = (of(first), of(second));
    let is_pair = |one: &Evaluation, other: &Evaluation| {
        is_independence_pair(formula, *condition, *flavor, one, other)
    };
    let is_shown = first_ones.iter().any(|one| second_ones.iter().any(|other| is_pair(one, other)));
    let seen = || format!("what {first} and {second} evaluated is no such pair");
    (!is_shown).then(seen)
}
