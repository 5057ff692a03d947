//! Connectives and the conditional.

use glassbox_propagators::boolean::conjunction::Connective;
use glassbox_propagators::boolean::equivalence::Equivalence;
use glassbox_propagators::boolean::ite::Ite;
use glassbox_propagators::boolean::negation::Not;
use glassbox_terms::{BoolOp, Op};

use crate::kit::Width::{Bits, Bool};
use crate::{check_op, check_shared};

#[test]
fn negation() {
    check_op(BoolOp::Not, Box::new(Not), &[Bool, Bool], 1);
    check_shared(BoolOp::Not, Box::new(Not), &[Bool], &[0, 0], 1);
}

#[test]
fn conjunction_and_disjunction() {
    for n_operands in 2..=4 {
        let widths = vec![Bool; n_operands + 1];
        check_op(BoolOp::And, Box::new(Connective::And), &widths, 1);
        check_op(BoolOp::Or, Box::new(Connective::Or), &widths, 1);
    }
    check_shared(BoolOp::And, Box::new(Connective::And), &[Bool, Bool], &[0, 1, 1], 1);
    check_shared(BoolOp::Or, Box::new(Connective::Or), &[Bool, Bool], &[0, 0, 1], 1);
}

#[test]
fn exclusive_or_and_equivalence() {
    for (op, sense) in [(BoolOp::Xor.into(), Equivalence::Different), (Op::Eq, Equivalence::Equal)]
    {
        check_op(op, Box::new(sense), &[Bool; 3], 1);
        for args in [[0, 1, 1], [0, 0, 1], [0, 1, 0]] {
            check_shared(op, Box::new(sense), &[Bool, Bool], &args, 1);
        }
    }
}

#[test]
fn conditional_of_vectors_and_of_booleans() {
    check_op(Op::Ite, Box::new(Ite), &[Bool; 4], 1);
    check_op(Op::Ite, Box::new(Ite), &[Bits(1), Bool, Bits(1), Bits(1)], 1);
    check_op(Op::Ite, Box::new(Ite), &[Bits(2), Bool, Bits(2), Bits(2)], 1);
    check_op(Op::Ite, Box::new(Ite), &[Bits(3), Bool, Bits(3), Bits(3)], 7);
    check_shared(Op::Ite, Box::new(Ite), &[Bits(3), Bool, Bits(3)], &[0, 1, 0, 2], 1);
    check_shared(Op::Ite, Box::new(Ite), &[Bits(3), Bool, Bits(3)], &[0, 1, 2, 2], 1);
}
