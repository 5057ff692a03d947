//! Modified condition/decision coverage: which two evaluations show independence.
//!
//! Definitions after Chilenski, "An investigation of three forms of the MC/DC criterion" (FAA, 2001).

use glassbox_ir::Formula;

use crate::facts::Evaluation;
use crate::goal::McdcFlavor;

/// Whether the pair shows that `condition` independently affects the outcome of `formula`.
pub fn is_independence_pair(
    formula: &Formula,
    condition: u16,
    flavor: McdcFlavor,
    first: &Evaluation,
    second: &Evaluation,
) -> bool {
    let values = (value(first, condition), value(second, condition));
    let (Some(a), Some(b)) = values else { return false };
    if a == b || first.outcome == second.outcome {
        return false;
    }
    match flavor {
        McdcFlavor::UniqueCause => {
            let others = first.conditions.iter().zip(&second.conditions).enumerate();
            others
                .filter(|(index, _)| *index != usize::from(condition))
                .all(|(_, (a, b))| a.is_none() || b.is_none() || a == b)
        }
        McdcFlavor::Masking => {
            is_unmasked(formula, condition, first) && is_unmasked(formula, condition, second)
        }
    }
}

/// Whether the evaluation can be half of a pair for `condition`.
pub fn may_be_half(
    formula: &Formula,
    condition: u16,
    flavor: McdcFlavor,
    evaluation: &Evaluation,
) -> bool {
    value(evaluation, condition).is_some()
        && match flavor {
            McdcFlavor::UniqueCause => true,
            McdcFlavor::Masking => is_unmasked(formula, condition, evaluation),
        }
}

fn value(evaluation: &Evaluation, condition: u16) -> Option<bool> {
    evaluation.conditions.get(usize::from(condition)).copied().flatten()
}

/// Whether flipping the condition alone would flip the outcome.
pub fn is_unmasked(formula: &Formula, condition: u16, evaluation: &Evaluation) -> bool {
    sensitivity(formula, condition, evaluation).1
}

/// (value where known, whether the sub-formula's value depends on the condition).
fn sensitivity(formula: &Formula, condition: u16, evaluation: &Evaluation) -> (Option<bool>, bool) {
    match formula {
        Formula::Condition(index) => (value(evaluation, *index), *index == condition),
        Formula::Not(inner) => {
            let (known, depends) = sensitivity(inner, condition, evaluation);
            (known.map(|known| !known), depends)
        }
        Formula::And(left, right) => {
            combine(sensitivity_pair(left, right, condition, evaluation), false)
        }
        Formula::Or(left, right) => {
            combine(sensitivity_pair(left, right, condition, evaluation), true)
        }
    }
}

type Side = (Option<bool>, bool);

fn sensitivity_pair(
    left: &Formula,
    right: &Formula,
    condition: u16,
    evaluation: &Evaluation,
) -> (Side, Side) {
    (sensitivity(left, condition, evaluation), sensitivity(right, condition, evaluation))
}

/// `dominant` is the value that settles the operator alone: false for and, true for or. The result
/// depends on the condition if one side does and the other is not dominant. A side that was skipped
/// matters only if the condition's flip would have it evaluated; its value is then unknown, which
/// masking MC/DC accepts (the flip is observed in the other evaluation of the pair).
fn combine(((left, left_depends), (right, right_depends)): (Side, Side), dominant: bool) -> Side {
    let known = match (left, right) {
        (Some(value), _) | (_, Some(value)) if value == dominant => Some(dominant),
        (Some(_), Some(_)) => Some(!dominant),
        _ => None,
    };
    let depends =
        (left_depends && right != Some(dominant)) || (right_depends && left != Some(dominant));
    (known, depends)
}

#[cfg(test)]
mod tests {
    use glassbox_ir::Formula;

    use super::is_independence_pair;
    use crate::facts::Evaluation;
    use crate::goal::McdcFlavor;

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

    fn pair(formula: &Formula, index: u16, flavor: McdcFlavor, a: &str, b: &str) -> bool {
        let outcome = |text: &str| {
            fn eval(formula: &Formula, values: &[Option<bool>]) -> Option<bool> {
                match formula {
                    Formula::Condition(index) => values[usize::from(*index)],
                    Formula::Not(inner) => eval(inner, values).map(|value| !value),
                    Formula::And(a, b) => match eval(a, values) {
                        Some(false) => Some(false),
                        _ => eval(b, values),
                    },
                    Formula::Or(a, b) => match eval(a, values) {
                        Some(true) => Some(true),
                        _ => eval(b, values),
                    },
                }
            }
            eval(formula, &evaluation(text, false).conditions).expect("a full evaluation")
        };
        let (first, second) = (evaluation(a, outcome(a)), evaluation(b, outcome(b)));
        is_independence_pair(formula, index, flavor, &first, &second)
    }

    #[test]
    fn and_needs_the_other_side_true() {
        let and = Formula::And(condition(0), condition(1));
        assert!(pair(&and, 0, McdcFlavor::UniqueCause, "TT", "F-"));
        assert!(pair(&and, 1, McdcFlavor::UniqueCause, "TT", "TF"));
        assert!(!pair(&and, 1, McdcFlavor::UniqueCause, "TT", "F-"));
        assert!(!pair(&and, 0, McdcFlavor::UniqueCause, "TF", "F-"));
    }

    #[test]
    fn masking_lets_masked_conditions_differ() {
        // (a && b) || c: for a, the pair TT- / F-F has c skipped in one; b masked in the other.
        let formula = Formula::Or(Box::new(Formula::And(condition(0), condition(1))), condition(2));
        assert!(pair(&formula, 0, McdcFlavor::Masking, "TT-", "F-F"));
        // c: evaluations F-T and TFF differ in a, which is masked by nothing in unique-cause.
        assert!(pair(&formula, 2, McdcFlavor::Masking, "F-T", "TFF"));
        assert!(!pair(&formula, 2, McdcFlavor::UniqueCause, "F-T", "TFF"));
        assert!(pair(&formula, 2, McdcFlavor::UniqueCause, "TFT", "TFF"));
    }
}
