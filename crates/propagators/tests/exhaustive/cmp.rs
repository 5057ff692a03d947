//! Comparisons.

use glassbox_propagators::Relation;
use glassbox_propagators::cmp::equal::Equal;
use glassbox_propagators::cmp::gap::Gap;
use glassbox_propagators::cmp::member::Member;
use glassbox_propagators::cmp::order::{Order, Strictness};
use glassbox_terms::{BvOp, Op};
use glassbox_values::Signedness;

use crate::kit::Width::{Bits, Bool};
use crate::{check_op, check_shared};

fn orders() -> [(Op, Box<dyn Relation>); 5] {
    use Signedness::{Signed, Unsigned};
    use Strictness::{OrEqual, Strict};
    let order = |signedness, strictness| Box::new(Order { signedness, strictness });
    [
        (Op::Bv(BvOp::Ult), order(Unsigned, Strict)),
        (Op::Bv(BvOp::Ule), order(Unsigned, OrEqual)),
        (Op::Bv(BvOp::Slt), order(Signed, Strict)),
        (Op::Bv(BvOp::Sle), order(Signed, OrEqual)),
        (Op::Eq, Box::new(Equal)),
    ]
}

#[test]
fn comparisons_of_small_vectors() {
    for width in 1..=3 {
        for (op, relation) in orders() {
            check_op(op, relation, &[Bool, Bits(width), Bits(width)], 1);
        }
    }
}

#[test]
fn comparisons_of_4_bit_vectors() {
    for (op, relation) in orders() {
        check_op(op, relation, &[Bool, Bits(4), Bits(4)], 23);
    }
}

#[test]
fn comparisons_with_itself() {
    for (op, relation) in orders() {
        check_shared(op, relation, &[Bool, Bits(3)], &[0, 1, 1], 1);
    }
}

#[test]
fn membership_in_every_arc() {
    use glassbox_kernel::domain::Clockwise;
    for lo in 0..8 {
        for span in 0..7 {
            let arc = Clockwise::new(lo, lo + span, 3);
            let name = format!("member of {arc:?}");
            crate::check_truth(&name, Box::new(Member(arc)), &[Bool, Bits(3)], 1, |n| {
                (n[0] == 1) == arc.contains(n[1])
            });
        }
    }
}

#[test]
fn comparisons_with_a_known_gap() {
    use Signedness::{Signed, Unsigned};
    use Strictness::{OrEqual, Strict};
    for (signedness, strictness) in
        [(Signed, Strict), (Signed, OrEqual), (Unsigned, Strict), (Unsigned, OrEqual)]
    {
        let flip = if signedness == Signed { 4 } else { 0 };
        let name = format!("gap {signedness:?} {strictness:?}");
        let relation = Box::new(Gap { signedness, strictness });
        crate::check_truth(&name, relation, &[Bool, Bits(3), Bits(3), Bits(3)], 17, |n| {
            let (x, y) = (n[1] ^ flip, n[2] ^ flip);
            let truth = if strictness == Strict { x < y } else { x <= y };
            (n[0] == 1) == truth && n[3] == n[2].wrapping_sub(n[1]) & 7
        });
    }
}
