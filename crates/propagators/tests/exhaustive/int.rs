//! Integer arithmetic and overflow.

use glassbox_propagators::Relation;
use glassbox_propagators::int::add::Add;
use glassbox_propagators::int::add_overflow::{AddOverflow, Direction};
use glassbox_propagators::int::div::Div;
use glassbox_propagators::int::linear::Linear;
use glassbox_propagators::int::mul::Mul;
use glassbox_propagators::int::mul_overflow::MulOverflow;
use glassbox_propagators::int::neg::Neg;
use glassbox_propagators::int::rem::Remainder;
use glassbox_propagators::int::scale::Scale;
use glassbox_propagators::int::square::Square;
use glassbox_terms::BvOp;
use glassbox_values::Signedness::{self, Signed, Unsigned};

use crate::kit::Width::{Bits, Bool};
use crate::{check_binary, check_op, check_shared, check_truth};

#[test]
fn add() {
    check_binary(BvOp::Add, Add);
}

#[test]
fn sub_as_a_sum_with_exchanged_parts() {
    let differs = |n: &[u64], mask: u64| n[1] == n[0].wrapping_sub(n[2]) & mask;
    let sum = || Box::new(Add);
    check_truth("sub at 1 bit", sum(), &[Bits(1); 3], 1, |n| differs(n, 1));
    check_truth("sub at 3 bits", sum(), &[Bits(3); 3], 5, |n| differs(n, 7));
}

#[test]
fn neg() {
    for width in 1..=4 {
        check_op(BvOp::Neg, Box::new(Neg), &[Bits(width); 2], 1);
    }
    check_shared(BvOp::Neg, Box::new(Neg), &[Bits(3)], &[0, 0], 1);
}

#[test]
fn scale_by_every_constant() {
    for width in 1..=4u8 {
        let mask = (1u64 << width) - 1;
        for factor in 0..=mask {
            let name = format!("{factor} * x at {width} bits");
            check_truth(&name, Box::new(Scale(factor)), &[Bits(width); 2], 1, |n| {
                n[0] == (n[1] * factor) & mask
            });
        }
    }
}

#[test]
fn linear_sums() {
    for (constant, factors) in
        [(0, vec![1, 1]), (3, vec![2, 7]), (5, vec![3, 5]), (1, vec![6, 4]), (7, vec![7, 1])]
    {
        let sum = Box::new(Linear { constant, factors: factors.clone() });
        let name = format!("{constant} + {factors:?}");
        check_truth(&name, sum, &[Bits(3); 3], 7, |n| {
            n[0] == (constant + n[1] * factors[0] + n[2] * factors[1]) & 7
        });
    }
    for (constant, factors) in [(1, vec![1, 2, 3]), (0, vec![3, 3, 3]), (2, vec![1, 1, 1])] {
        let sum = Box::new(Linear { constant, factors: factors.clone() });
        let name = format!("{constant} + {factors:?} at 2 bits");
        check_truth(&name, sum, &[Bits(2); 4], 1, |n| {
            let sum: u64 = n[1..].iter().zip(&factors).map(|(x, factor)| x * factor).sum();
            n[0] == (constant + sum) & 3
        });
    }
}

#[test]
fn mul() {
    check_binary(BvOp::Mul, Mul);
}

#[test]
fn square() {
    for width in 1..=4u8 {
        let mask = (1u64 << width) - 1;
        let square = Box::new(Square);
        check_truth("square", square, &[Bits(width); 2], 1, |n| n[0] == (n[1] * n[1]) & mask);
    }
    check_shared(BvOp::Mul, Box::new(Mul), &[Bits(3)], &[0, 0, 0], 1);
}

#[test]
fn unsigned_division() {
    check_binary(BvOp::Udiv, Div(Unsigned));
}

#[test]
fn signed_division() {
    check_binary(BvOp::Sdiv, Div(Signed));
}

#[test]
fn unsigned_remainder() {
    check_binary(BvOp::Urem, Remainder::Unsigned);
}

#[test]
fn signed_remainder() {
    check_binary(BvOp::Srem, Remainder::SignOfDividend);
}

#[test]
fn signed_modulo() {
    check_binary(BvOp::Smod, Remainder::SignOfDivisor);
}

fn overflow_of_sum(direction: Direction, signedness: Signedness) -> (BvOp, AddOverflow) {
    let op = match direction {
        Direction::Add => BvOp::AddOverflow(signedness),
        Direction::Sub => BvOp::SubOverflow(signedness),
    };
    (op, AddOverflow { direction, signedness })
}

fn check_overflow(op: BvOp, relation: impl Relation + Copy + 'static) {
    for width in 1..=3 {
        check_op(op, Box::new(relation), &[Bool, Bits(width), Bits(width)], 1);
    }
    check_op(op, Box::new(relation), &[Bool, Bits(4), Bits(4)], 23);
    check_shared(op, Box::new(relation), &[Bool, Bits(3)], &[0, 1, 1], 1);
}

#[test]
fn overflow_predicates() {
    for sign in [Signed, Unsigned] {
        for direction in [Direction::Add, Direction::Sub] {
            let (op, relation) = overflow_of_sum(direction, sign);
            check_overflow(op, relation);
        }
        check_overflow(BvOp::MulOverflow(sign), MulOverflow(sign));
    }
}

#[test]
fn overflow_predicates_with_their_sum() {
    for sign in [Signed, Unsigned] {
        for direction in [Direction::Add, Direction::Sub] {
            let (op, relation) = overflow_of_sum(direction, sign);
            let overflows = |n: &[u64]| {
                let vector =
                    |n: u64| glassbox_terms::Value::Bv(glassbox_values::Bits::new(n.into(), 3));
                let truth = glassbox_terms::Value::Bool(n[0] == 1);
                glassbox_checkers::holds(op.into(), &[vector(n[1]), vector(n[2])], &truth)
            };
            let name = format!("{op:?} with its result");
            let relation = Box::new(relation);
            check_truth(&name, relation, &[Bool, Bits(3), Bits(3), Bits(3)], 23, |n| {
                let result = match direction {
                    Direction::Add => n[1] + n[2],
                    Direction::Sub => n[1].wrapping_sub(n[2]),
                };
                n[3] == result & 7 && overflows(n) == Some(true)
            });
        }
    }
}
