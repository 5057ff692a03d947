//! Mutation: a test fails with each mutant of the function, or nothing tells the mutant from it. The front-end has read the
//! mutants with the function (`Program::changes`).

use super::{Criterion, Goals};
use crate::goal::Target;

#[derive(Debug, Clone, Copy)]
pub(super) struct Mutation;

impl Criterion for Mutation {
    fn name(&self) -> &'static str {
        "mutation"
    }

    fn asks_for_mutants(&self) -> bool {
        true
    }

    fn add_goals(&self, goals: &mut Goals<'_>) {
        let (program, function) = (goals.program, goals.function);
        for change in program.changes.iter().filter(|change| change.of == function) {
            let target = Target::Killed { mutant: change.mutant };
            goals.add(change.span, change.operator, change.text.clone(), target);
        }
    }
}
