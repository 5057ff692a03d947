//! The whole truth table of a decision: what tests did not show, what is proved impossible, and which rows are pairs.
//!
//! A row is impossible where a verdict excludes it. Infeasible conditions and outcomes exclude rows directly. An
//! infeasible independence goal says that no two evaluations that can happen form a pair for the condition; so
//! whatever would form one together with an evaluation that a test shows cannot happen.

use glassbox_coverage::mcdc::is_independence_pair;
use glassbox_coverage::{Evaluation, McdcFlavor, Target};
use glassbox_ir::{Body, DecisionId, Formula, Terminator};
use glassbox_testcase::Verdict;

use super::FunctionResult;
use crate::data::graph::{Impossible, Pair, Unseen};

/// Tables of more conditions or rows are too long to read.
const MAX_CONDITIONS: usize = 10;
const MAX_ROWS: usize = 64;
/// Pairs kept of one decision.
const MAX_PAIRS: usize = 200;

pub(super) struct Table<'a> {
    formula: &'a Formula,
    n_conditions: usize,
    seen: &'a [&'a Evaluation],
    /// What is infeasible about the decision, with the position of the goal.
    excluded: Vec<(usize, Excluded)>,
    /// What is asked of each condition.
    asked: Vec<(u16, McdcFlavor)>,
}

/// What a proof says about a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Excluded {
    Value { condition: u16, value: bool },
    Outcome(bool),
    Pairs { condition: u16, flavor: McdcFlavor },
}

impl<'a> Table<'a> {
    pub(super) fn new(
        body: &'a Body,
        result: &FunctionResult<'_>,
        id: DecisionId,
        seen: &'a [&'a Evaluation],
    ) -> Table<'a> {
        let decision = &body.decisions[id.index()];
        let goals = result.goals.iter().zip(&result.suite.goals).enumerate();
        let is_excluded = |verdict: &Verdict| {
            matches!(verdict, Verdict::Infeasible(_) | Verdict::InfeasibleWithin { .. })
        };
        let mut excluded = Vec::new();
        let mut asked = Vec::new();
        for (position, (goal, known)) in goals {
            if let Target::Independence { decision, condition, flavor } = &goal.target
                && *decision == id
            {
                asked.push((*condition, *flavor));
            }
            if is_excluded(&known.verdict)
                && let Some(what) = what_is_excluded(body, id, &goal.target)
            {
                excluded.push((position, what));
            }
        }
        let n_conditions = decision.conditions.len();
        Table { formula: &decision.formula, n_conditions, seen, excluded, asked }
    }

    /// The ways to evaluate the decision that no test takes.
    pub(super) fn unseen(&self) -> Vec<Unseen> {
        // One condition has two rows, which its goals say all about.
        if self.n_conditions < 2 && self.asked.is_empty() || self.n_conditions > MAX_CONDITIONS {
            return Vec::new();
        }
        let mut rows: Vec<Evaluation> = Vec::new();
        for bits in 0..1_u32 << self.n_conditions {
            let mut conditions = vec![None; self.n_conditions];
            let Some(outcome) = evaluate(self.formula, bits, &mut conditions) else {
                return Vec::new();
            };
            let row = Evaluation { conditions, outcome };
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
        if rows.len() > MAX_ROWS {
            return Vec::new();
        }
        rows.retain(|row| !self.seen.contains(&row));
        let unseen = |row: Evaluation| Unseen {
            impossible: self.impossible(&row),
            values: row.conditions,
            outcome: row.outcome,
        };
        rows.into_iter().map(unseen).collect()
    }

    fn impossible(&self, row: &Evaluation) -> Option<Impossible> {
        let value = |condition: u16| row.conditions.get(usize::from(condition)).copied().flatten();
        self.excluded.iter().find_map(|&(goal, excluded)| match excluded {
            Excluded::Value { condition, value: never } => {
                (value(condition) == Some(never)).then_some(Impossible { goal, with: None })
            }
            Excluded::Outcome(never) => {
                (row.outcome == never).then_some(Impossible { goal, with: None })
            }
            Excluded::Pairs { condition, flavor } => {
                let with = self.seen.iter().position(|seen| {
                    is_independence_pair(self.formula, condition, flavor, seen, row)
                });
                with.map(|with| Impossible { goal, with: Some(with) })
            }
        })
    }

    /// Every pair that tests show.
    pub(super) fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for &(condition, flavor) in &self.asked {
            for (first, one) in self.seen.iter().enumerate() {
                for (second, other) in self.seen.iter().enumerate().skip(first + 1) {
                    let is_pair = is_independence_pair(self.formula, condition, flavor, one, other);
                    let pair = Pair { condition, first, second };
                    if is_pair && pairs.len() < MAX_PAIRS && !pairs.contains(&pair) {
                        pairs.push(pair);
                    }
                }
            }
        }
        pairs
    }
}

/// The value of a formula where condition `i` has bit `i`, looking at no more conditions than a run would.
fn evaluate(formula: &Formula, bits: u32, seen: &mut [Option<bool>]) -> Option<bool> {
    match formula {
        Formula::Condition(index) => {
            let value = bits >> *index & 1 == 1;
            *seen.get_mut(usize::from(*index))? = Some(value);
            Some(value)
        }
        Formula::Not(inner) => evaluate(inner, bits, seen).map(|value| !value),
        Formula::And(left, right) => {
            if evaluate(left, bits, seen)? {
                evaluate(right, bits, seen)
            } else {
                Some(false)
            }
        }
        Formula::Or(left, right) => {
            if evaluate(left, bits, seen)? {
                Some(true)
            } else {
                evaluate(right, bits, seen)
            }
        }
    }
}

/// What an infeasible goal says about the rows of a decision.
fn what_is_excluded(body: &Body, id: DecisionId, target: &Target) -> Option<Excluded> {
    match target {
        Target::Outcome { decision, outcome } if *decision == id => {
            Some(Excluded::Outcome(*outcome))
        }
        Target::Condition { decision, condition, value } if *decision == id => {
            Some(Excluded::Value { condition: *condition, value: *value })
        }
        Target::Independence { decision, condition, flavor } if *decision == id => {
            Some(Excluded::Pairs { condition: *condition, flavor: *flavor })
        }
        Target::Edge { block, edge } => {
            let origin = |at: &Terminator| match at {
                Terminator::Branch { origin: Some(origin), .. } => Some(*origin),
                Terminator::Branch { origin: None, .. }
                | Terminator::Jump(_)
                | Terminator::Switch { .. }
                | Terminator::Return(_)
                | Terminator::Unreachable => None,
            };
            let own = origin(&body.block(*block).terminator).filter(|own| own.decision == id)?;
            // A condition that the program evaluates in several places has a goal for each of them.
            let same = body.block_ids().filter_map(|block| origin(&body.block(block).terminator));
            let is_only = same
                .filter(|other| other.decision == id && other.condition == own.condition)
                .count()
                == 1;
            let value = (*edge == 0) == own.is_positive;
            is_only.then_some(Excluded::Value { condition: own.condition, value })
        }
        Target::Outcome { .. }
        | Target::Condition { .. }
        | Target::Independence { .. }
        | Target::Site(_)
        | Target::CheckFails(_)
        | Target::Killed { .. }
        | Target::AnyEdge(_)
        | Target::Path(_)
        | Target::DefUse { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use glassbox_coverage::{Evaluation, McdcFlavor};
    use glassbox_ir::Formula;

    use super::{Excluded, Table};
    use crate::data::graph::{Impossible, Pair};

    fn condition(index: u16) -> Box<Formula> {
        Box::new(Formula::Condition(index))
    }

    fn evaluation(text: &str, outcome: bool) -> Evaluation {
        let value = |letter| match letter {
            'T' => Some(true),
            'F' => Some(false),
            _ => None,
        };
        Evaluation { conditions: text.chars().map(value).collect(), outcome }
    }

    fn text(values: &[Option<bool>]) -> String {
        let letter =
            |value: &Option<bool>| value.map_or('-', |value| if value { 'T' } else { 'F' });
        values.iter().map(letter).collect()
    }

    #[test]
    fn every_row_is_there_and_impossible_ones_say_why() {
        // c1 && (c2 || c3), of which c3 never matters.
        let formula = Formula::And(condition(0), Box::new(Formula::Or(condition(1), condition(2))));
        let seen = [evaluation("TT-", true), evaluation("TFF", false)];
        let seen: Vec<&Evaluation> = seen.iter().collect();
        let excluded = Excluded::Pairs { condition: 2, flavor: McdcFlavor::Masking };
        let asked = (0..3).map(|condition| (condition, McdcFlavor::Masking)).collect();
        let table = Table {
            formula: &formula,
            n_conditions: 3,
            seen: &seen,
            excluded: vec![(7, excluded)],
            asked,
        };
        let unseen = table.unseen();
        let rows: Vec<String> = unseen.iter().map(|row| text(&row.values)).collect();
        assert_eq!(rows, ["F--", "TFT"]);
        assert_eq!(unseen[0].impossible, None);
        assert_eq!(unseen[1].impossible, Some(Impossible { goal: 7, with: Some(1) }));
        assert_eq!(table.pairs(), [Pair { condition: 1, first: 0, second: 1 }]);
    }

    #[test]
    fn a_value_that_is_excluded_excludes_its_rows_only_where_it_is_looked_at() {
        let formula = Formula::Or(condition(0), condition(1));
        let excluded = Excluded::Value { condition: 1, value: false };
        let table = Table {
            formula: &formula,
            n_conditions: 2,
            seen: &[],
            excluded: vec![(3, excluded)],
            asked: Vec::new(),
        };
        let impossible: Vec<(String, bool)> = table
            .unseen()
            .iter()
            .map(|row| (text(&row.values), row.impossible.is_some()))
            .collect();
        let expected = [("FF", true), ("T-", false), ("FT", false)];
        assert_eq!(impossible, expected.map(|(row, is)| (row.to_owned(), is)));
    }
}
