//! Integer arithmetic and overflow.

use glassbox_propagators::dispatch::{Direction, Remainder};
use glassbox_propagators::{Kind, Table};
use glassbox_terms::{BvOp, Op};
use glassbox_values::Signedness::{self, Signed, Unsigned};

use crate::kit::Width::{Bits, Bool};
use crate::{check_op, check_shared, check_truth};

#[track_caller]
fn check_binary(op: Op, kind: Kind) {
    for width in 1..=2 {
        check_op(op, kind, &[Bits(width); 3], 1);
    }
    check_op(op, kind, &[Bits(3); 3], 5);
    check_op(op, kind, &[Bits(4); 3], 1481);
    for args in [[0, 1, 1], [0, 0, 1], [0, 1, 0]] {
        check_shared(op, kind, &[Bits(3); 2], &args, 1);
    }
}

#[test]
fn add() {
    check_binary(Op::Bv(BvOp::Add), Kind::Add);
}

#[test]
fn sub_as_a_sum_with_exchanged_parts() {
    let differs = |n: &[u64], mask: u64| n[1] == n[0].wrapping_sub(n[2]) & mask;
    let sum = || (Table::default(), Kind::Add);
    check_truth("sub at 1 bit", sum(), &[Bits(1); 3], 1, |n| differs(n, 1));
    check_truth("sub at 3 bits", sum(), &[Bits(3); 3], 5, |n| differs(n, 7));
}

#[test]
fn neg() {
    for width in 1..=4 {
        check_op(Op::Bv(BvOp::Neg), Kind::Neg, &[Bits(width); 2], 1);
    }
    check_shared(Op::Bv(BvOp::Neg), Kind::Neg, &[Bits(3)], &[0, 0], 1);
}

#[test]
fn scale_by_every_constant() {
    for width in 1..=4u8 {
        let mask = (1u64 << width) - 1;
        for factor in 0..=mask {
            let mut table = Table::default();
            let kind = table.scale(factor);
            let name = format!("{factor} * x at {width} bits");
            check_truth(&name, (table, kind), &[Bits(width); 2], 1, |n| {
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
        let mut table = Table::default();
        let kind = table.linear(constant, factors.clone());
        let name = format!("{constant} + {factors:?}");
        check_truth(&name, (table, kind), &[Bits(3); 3], 7, |n| {
            n[0] == (constant + n[1] * factors[0] + n[2] * factors[1]) & 7
        });
    }
    for (constant, factors) in [(1, vec![1, 2, 3]), (0, vec![3, 3, 3]), (2, vec![1, 1, 1])] {
        let mut table = Table::default();
        let kind = table.linear(constant, factors.clone());
        let name = format!("{constant} + {factors:?} at 2 bits");
        check_truth(&name, (table, kind), &[Bits(2); 4], 1, |n| {
            let sum: u64 = n[1..].iter().zip(&factors).map(|(x, factor)| x * factor).sum();
            n[0] == (constant + sum) & 3
        });
    }
}

#[test]
fn mul() {
    check_binary(Op::Bv(BvOp::Mul), Kind::Mul);
}

#[test]
fn square() {
    for width in 1..=4u8 {
        let mask = (1u64 << width) - 1;
        let square = (Table::default(), Kind::Square);
        check_truth("square", square, &[Bits(width); 2], 1, |n| n[0] == (n[1] * n[1]) & mask);
    }
    check_shared(Op::Bv(BvOp::Mul), Kind::Mul, &[Bits(3)], &[0, 0, 0], 1);
}

#[test]
fn unsigned_division() {
    check_binary(Op::Bv(BvOp::Udiv), Kind::Div(Unsigned));
}

#[test]
fn signed_division() {
    check_binary(Op::Bv(BvOp::Sdiv), Kind::Div(Signed));
}

#[test]
fn unsigned_remainder() {
    check_binary(Op::Bv(BvOp::Urem), Kind::Rem(Remainder::Unsigned));
}

#[test]
fn signed_remainder() {
    check_binary(Op::Bv(BvOp::Srem), Kind::Rem(Remainder::SignOfDividend));
}

#[test]
fn signed_modulo() {
    check_binary(Op::Bv(BvOp::Smod), Kind::Rem(Remainder::SignOfDivisor));
}

fn overflow_kinds(sign: Signedness) -> [(Op, Kind); 3] {
    [
        (Op::Bv(BvOp::AddOverflow(sign)), Kind::AddOverflow(Direction::Add, sign)),
        (Op::Bv(BvOp::SubOverflow(sign)), Kind::AddOverflow(Direction::Sub, sign)),
        (Op::Bv(BvOp::MulOverflow(sign)), Kind::MulOverflow(sign)),
    ]
}

#[test]
fn overflow_predicates() {
    for sign in [Signed, Unsigned] {
        for (op, kind) in overflow_kinds(sign) {
            for width in 1..=3 {
                check_op(op, kind, &[Bool, Bits(width), Bits(width)], 1);
            }
            check_op(op, kind, &[Bool, Bits(4), Bits(4)], 23);
            check_shared(op, kind, &[Bool, Bits(3)], &[0, 1, 1], 1);
        }
    }
}

#[test]
fn overflow_predicates_with_their_sum() {
    for sign in [Signed, Unsigned] {
        for (op, kind) in &overflow_kinds(sign)[..2] {
            let overflows = |n: &[u64]| {
                let vector =
                    |n: u64| glassbox_terms::Value::Bv(glassbox_values::Bits::new(n.into(), 3));
                let truth = glassbox_terms::Value::Bool(n[0] == 1);
                glassbox_checkers::holds(*op, &[vector(n[1]), vector(n[2])], &truth)
            };
            let subtracts = matches!(op, Op::Bv(BvOp::SubOverflow(_)));
            let name = format!("{op:?} with its result");
            let relation = (Table::default(), *kind);
            check_truth(&name, relation, &[Bool, Bits(3), Bits(3), Bits(3)], 23, |n| {
                let result = if subtracts { n[1].wrapping_sub(n[2]) } else { n[1] + n[2] };
                n[3] == result & 7 && overflows(n) == Some(true)
            });
        }
    }
}
