//! Comparisons.

use glassbox_propagators::Kind;
use glassbox_propagators::dispatch::Strictness;
use glassbox_terms::{BvOp, Op};
use glassbox_values::Signedness;

use crate::kit::Width::{Bits, Bool};
use crate::{check_op, check_shared};

fn orders() -> [(Op, Kind); 5] {
    use Signedness::{Signed, Unsigned};
    use Strictness::{OrEqual, Strict};
    [
        (Op::Bv(BvOp::Ult), Kind::Order(Unsigned, Strict)),
        (Op::Bv(BvOp::Ule), Kind::Order(Unsigned, OrEqual)),
        (Op::Bv(BvOp::Slt), Kind::Order(Signed, Strict)),
        (Op::Bv(BvOp::Sle), Kind::Order(Signed, OrEqual)),
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
        check_op(op, kind, &[Bool, Bits(4), Bits(4)], 23);
    }
}

#[test]
fn comparisons_with_itself() {
    for (op, kind) in orders() {
        check_shared(op, kind, &[Bool, Bits(3)], &[0, 1, 1], 1);
    }
}

#[test]
fn membership_in_every_arc() {
    use glassbox_kernel::domain::Clockwise;
    use glassbox_propagators::Table;
    for lo in 0..8 {
        for span in 0..7 {
            let arc = Clockwise::new(lo, lo + span, 3);
            let mut table = Table::default();
            let kind = table.member(arc);
            let name = format!("member of {arc:?}");
            crate::check_truth(&name, (table, kind), &[Bool, Bits(3)], 1, |n| {
                (n[0] == 1) == arc.contains(n[1])
            });
        }
    }
}

#[test]
fn comparisons_with_a_known_gap() {
    use Signedness::{Signed, Unsigned};
    use Strictness::{OrEqual, Strict};
    for (sign, strictness) in
        [(Signed, Strict), (Signed, OrEqual), (Unsigned, Strict), (Unsigned, OrEqual)]
    {
        let flip = if sign == Signed { 4 } else { 0 };
        let name = format!("gap {sign:?} {strictness:?}");
        let relation = (glassbox_propagators::Table::default(), Kind::Gap(sign, strictness));
        crate::check_truth(&name, relation, &[Bool, Bits(3), Bits(3), Bits(3)], 17, |n| {
            let (x, y) = (n[1] ^ flip, n[2] ^ flip);
            let truth = if strictness == Strict { x < y } else { x <= y };
            (n[0] == 1) == truth && n[3] == n[2].wrapping_sub(n[1]) & 7
        });
    }
}
