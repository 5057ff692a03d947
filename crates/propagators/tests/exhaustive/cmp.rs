//! Comparisons.

use glassbox_propagators::Kind;
use glassbox_propagators::dispatch::Strictness;
use glassbox_terms::Op;
use glassbox_values::Signedness;

use crate::kit::Width::{Bits, Bool};
use crate::{check_op, check_shared};

fn orders() -> [(Op, Kind); 5] {
    use Signedness::{Signed, Unsigned};
    use Strictness::{OrEqual, Strict};
    [
        (Op::BvUlt, Kind::Order(Unsigned, Strict)),
        (Op::BvUle, Kind::Order(Unsigned, OrEqual)),
        (Op::BvSlt, Kind::Order(Signed, Strict)),
        (Op::BvSle, Kind::Order(Signed, OrEqual)),
        (Op::Eq, Kind::Equal),
    ]
}

#[test]
fn comparisons_of_small_vectors() {
    for (op, kind) in orders() {
        for width in 1..=3 {
            check_op(op, kind, &[Bool, Bits(width), Bits(width)], 1);
        }
    }
}

#[test]
fn comparisons_of_4_bit_vectors() {
    for (op, kind) in orders() {
        check_op(op, kind, &[Bool, Bits(4), Bits(4)], 1);
    }
}

#[test]
fn comparisons_with_itself() {
    for (op, kind) in orders() {
        check_shared(op, kind, &[Bool, Bits(3)], &[0, 1, 1], 1);
    }
}
