//! Explanations: single deductions, refuted or confirmed by enumeration.
//!
//! A deduction says: if every argument of a relation lies in its premise, then one argument lies in
//! the conclusion. It is right when `premises and not conclusion` has no solution.

use glassbox_terms::{Op, Value};

use crate::holds;

/// One deduction about `arguments[0] = op(arguments[1..])`.
#[derive(Debug)]
pub struct Deduction<'a> {
    pub op: Op,
    /// The values each argument may have, result first. All values of the sort stand for "no
    /// premise".
    pub premises: &'a [Vec<Value>],
    /// What is deduced: the argument and the values left for it; `None` for a conflict.
    pub conclusion: Option<(usize, &'a [Value])>,
}

/// The verdict on a deduction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Right,
    /// Arguments, result first, that satisfy the premises and the relation but not the conclusion.
    Wrong(Vec<Value>),
    /// The relation is not checked in this room.
    Unchecked,
}

/// Checks a deduction by trying all tuples of the premises.
pub fn check(deduction: &Deduction<'_>) -> Verdict {
    let mut tuple: Vec<Value> = Vec::with_capacity(deduction.premises.len());
    search(deduction, &mut tuple).unwrap_or(Verdict::Right)
}

/// Extends the tuple in all ways; `Some` as soon as the verdict is not `Right`.
fn search(deduction: &Deduction<'_>, tuple: &mut Vec<Value>) -> Option<Verdict> {
    let Some(values) = deduction.premises.get(tuple.len()) else {
        let truth = match holds(deduction.op, &tuple[1..], &tuple[0]) {
            None => return Some(Verdict::Unchecked),
            Some(truth) => truth,
        };
        let concluded =
            deduction.conclusion.is_some_and(|(position, left)| left.contains(&tuple[position]));
        return (truth && !concluded).then(|| Verdict::Wrong(tuple.clone()));
    };
    for value in values {
        tuple.push(value.clone());
        let verdict = search(deduction, tuple);
        tuple.pop();
        if verdict.is_some() {
            return verdict;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use glassbox_terms::BvOp;
    use glassbox_values::Bits;

    fn values(range: std::ops::RangeInclusive<u128>) -> Vec<Value> {
        range.map(|value| Value::Bv(Bits::new(value, 3))).collect()
    }

    #[test]
    fn a_right_bound_is_right_and_a_tighter_one_is_wrong() {
        // z = x + y with x in 1..2 and y in 2..3 lies in 3..5 and nothing less.
        let premises = [values(0..=7), values(1..=2), values(2..=3)];
        let right = values(3..=5);
        let wrong = values(3..=4);
        let deduction = |left| Deduction {
            op: Op::Bv(BvOp::Add),
            premises: &premises,
            conclusion: Some((0, left)),
        };
        assert_eq!(check(&deduction(&right)), Verdict::Right);
        let witness = [5, 2, 3].map(|value| Value::Bv(Bits::new(value, 3))).to_vec();
        assert_eq!(check(&deduction(&wrong)), Verdict::Wrong(witness));
    }

    #[test]
    fn a_conflict_with_a_solution_is_wrong() {
        let premises = [values(4..=4), values(1..=2), values(2..=3)];
        let deduction = Deduction { op: Op::Bv(BvOp::Add), premises: &premises, conclusion: None };
        assert!(matches!(check(&deduction), Verdict::Wrong(_)));
        let premises = [values(6..=7), values(1..=2), values(2..=3)];
        let deduction = Deduction { op: Op::Bv(BvOp::Add), premises: &premises, conclusion: None };
        assert_eq!(check(&deduction), Verdict::Right);
    }
}
