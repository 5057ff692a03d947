//! Bit operations, shifts and slices.

use glassbox_propagators::Kind;
use glassbox_propagators::dispatch::Shift;
use glassbox_terms::{BvOp, Op};
use glassbox_values::Signedness;

use crate::kit::Width::Bits;
use crate::{check_op, check_shared};

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
fn and() {
    check_binary(Op::Bv(BvOp::And), Kind::BitAnd);
}

#[test]
fn or() {
    check_binary(Op::Bv(BvOp::Or), Kind::BitOr);
}

#[test]
fn xor() {
    check_binary(Op::Bv(BvOp::Xor), Kind::BitXor);
}

#[test]
fn not() {
    for width in 1..=4 {
        check_op(Op::Bv(BvOp::Not), Kind::BitNot, &[Bits(width); 2], 1);
    }
    check_shared(Op::Bv(BvOp::Not), Kind::BitNot, &[Bits(3)], &[0, 0], 1);
}

#[test]
fn shift_left() {
    check_binary(Op::Bv(BvOp::Shl), Kind::Shift(Shift::Left));
}

#[test]
fn shift_right_logical() {
    check_binary(Op::Bv(BvOp::Lshr), Kind::Shift(Shift::RightLogical));
}

#[test]
fn shift_right_arithmetic() {
    check_binary(Op::Bv(BvOp::Ashr), Kind::Shift(Shift::RightArithmetic));
}

#[test]
fn extract() {
    for width in 1..=4 {
        for hi in 0..width {
            for lo in 0..=hi {
                let op = Op::Bv(BvOp::Extract { hi, lo });
                check_op(op, Kind::Extract { lo }, &[Bits(hi - lo + 1), Bits(width)], 1);
            }
        }
    }
}

#[test]
fn extend() {
    for narrow in 1..=3 {
        for wide in narrow..=4 {
            let widths = [Bits(wide), Bits(narrow)];
            let op = Op::Bv(BvOp::ZeroExtend { width: wide });
            check_op(op, Kind::Extend(Signedness::Unsigned), &widths, 1);
            let op = Op::Bv(BvOp::SignExtend { width: wide });
            check_op(op, Kind::Extend(Signedness::Signed), &widths, 1);
        }
    }
}

#[test]
fn concat() {
    for (high, low) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        check_op(Op::Bv(BvOp::Concat), Kind::Concat, &[Bits(high + low), Bits(high), Bits(low)], 1);
    }
    for (high, low) in [(1, 3), (3, 1)] {
        check_op(Op::Bv(BvOp::Concat), Kind::Concat, &[Bits(4), Bits(high), Bits(low)], 1);
    }
    check_shared(Op::Bv(BvOp::Concat), Kind::Concat, &[Bits(4), Bits(2)], &[0, 1, 1], 1);
}
