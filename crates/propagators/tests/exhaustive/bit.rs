//! Bit operations, shifts and slices.

use glassbox_propagators::bit::and::And;
use glassbox_propagators::bit::concat::Concat;
use glassbox_propagators::bit::extend::Extend;
use glassbox_propagators::bit::extract::Extract;
use glassbox_propagators::bit::not::Not;
use glassbox_propagators::bit::or::Or;
use glassbox_propagators::bit::shift::Shift;
use glassbox_propagators::bit::xor::Xor;
use glassbox_terms::BvOp;
use glassbox_values::Signedness;

use crate::kit::Width::Bits;
use crate::{check_binary, check_op, check_shared};

#[test]
fn and() {
    check_binary(BvOp::And, And);
}

#[test]
fn or() {
    check_binary(BvOp::Or, Or);
}

#[test]
fn xor() {
    check_binary(BvOp::Xor, Xor);
}

#[test]
fn not() {
    for width in 1..=4 {
        check_op(BvOp::Not, Box::new(Not), &[Bits(width); 2], 1);
    }
    check_shared(BvOp::Not, Box::new(Not), &[Bits(3)], &[0, 0], 1);
}

#[test]
fn shift_left() {
    check_binary(BvOp::Shl, Shift::Left);
}

#[test]
fn shift_right_logical() {
    check_binary(BvOp::Lshr, Shift::RightLogical);
}

#[test]
fn shift_right_arithmetic() {
    check_binary(BvOp::Ashr, Shift::RightArithmetic);
}

#[test]
fn extract() {
    for width in 1..=4 {
        for hi in 0..width {
            for lo in 0..=hi {
                let op = BvOp::Extract { hi, lo };
                check_op(op, Box::new(Extract { lo }), &[Bits(hi - lo + 1), Bits(width)], 1);
            }
        }
    }
}

#[test]
fn extend() {
    for narrow in 1..=3 {
        for wide in narrow..=4 {
            let widths = [Bits(wide), Bits(narrow)];
            let op = BvOp::ZeroExtend { width: wide };
            check_op(op, Box::new(Extend(Signedness::Unsigned)), &widths, 1);
            let op = BvOp::SignExtend { width: wide };
            check_op(op, Box::new(Extend(Signedness::Signed)), &widths, 1);
        }
    }
}

#[test]
fn concat() {
    for (high, low) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
        check_op(BvOp::Concat, Box::new(Concat), &[Bits(high + low), Bits(high), Bits(low)], 1);
    }
    for (high, low) in [(1, 3), (3, 1)] {
        check_op(BvOp::Concat, Box::new(Concat), &[Bits(4), Bits(high), Bits(low)], 1);
    }
    check_shared(BvOp::Concat, Box::new(Concat), &[Bits(4), Bits(2)], &[0, 1, 1], 1);
}
