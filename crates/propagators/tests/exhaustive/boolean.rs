//! Connectives and the conditional.

use glassbox_propagators::Kind;
use glassbox_terms::{BoolOp, Op};

use crate::kit::Width::{Bits, Bool};
use crate::{check_op, check_shared};

#[test]
fn negation() {
    check_op(Op::Bool(BoolOp::Not), Kind::Not, &[Bool, Bool], 1);
    check_shared(Op::Bool(BoolOp::Not), Kind::Not, &[Bool], &[0, 0], 1);
}

#[test]
fn conjunction_and_disjunction() {
    for n_operands in 2..=4 {
        let widths = vec![Bool; n_operands + 1];
        check_op(Op::Bool(BoolOp::And), Kind::And, &widths, 1);
        check_op(Op::Bool(BoolOp::Or), Kind::Or, &widths, 1);
    }
    check_shared(Op::Bool(BoolOp::And), Kind::And, &[Bool, Bool], &[0, 1, 1], 1);
    check_shared(Op::Bool(BoolOp::Or), Kind::Or, &[Bool, Bool], &[0, 0, 1], 1);
}

#[test]
fn exclusive_or_and_equivalence() {
    for (op, kind) in [(Op::Bool(BoolOp::Xor), Kind::Xor), (Op::Eq, Kind::Iff)] {
        check_op(op, kind, &[Bool; 3], 1);
        for args in [[0, 1, 1], [0, 0, 1], [0, 1, 0]] {
            check_shared(op, kind, &[Bool, Bool], &args, 1);
        }
    }
}

#[test]
fn conditional_of_vectors_and_of_booleans() {
    check_op(Op::Ite, Kind::Ite, &[Bool; 4], 1);
    check_op(Op::Ite, Kind::Ite, &[Bits(1), Bool, Bits(1), Bits(1)], 1);
    check_op(Op::Ite, Kind::Ite, &[Bits(2), Bool, Bits(2), Bits(2)], 1);
    check_op(Op::Ite, Kind::Ite, &[Bits(3), Bool, Bits(3), Bits(3)], 7);
    check_shared(Op::Ite, Kind::Ite, &[Bits(3), Bool, Bits(3)], &[0, 1, 0, 2], 1);
    check_shared(Op::Ite, Kind::Ite, &[Bits(3), Bool, Bits(3)], &[0, 1, 2, 2], 1);
}
