//! Reads of arrays.

use glassbox_propagators::array::congruence::SameArray;
use glassbox_propagators::array::element::{Base, Element};

use crate::check_truth;
use crate::kit::Width::{Bits, Bool};

#[test]
fn read_of_one_store_over_a_constant_array() {
    // z = if i == j then v else d.
    let relation = || Box::new(Element(Base::Default));
    let truth = |n: &[u64]| n[0] == if n[1] == n[2] { n[3] } else { n[4] };
    check_truth("element of bits", relation(), &[Bits(1); 5], 1, truth);
    check_truth("element", relation(), &[Bits(2); 5], 37, truth);
    let widths = [Bool, Bits(2), Bits(2), Bool, Bool];
    check_truth("element of booleans", relation(), &widths, 1, truth);
}

#[test]
fn read_of_two_stores_the_first_match_wins() {
    let relation = Box::new(Element(Base::Default));
    check_truth("two stores", relation, &[Bits(1); 7], 1, |n| {
        n[0] == if n[1] == n[2] {
            n[3]
        } else if n[1] == n[4] {
            n[5]
        } else {
            n[6]
        }
    });
}

#[test]
fn read_of_a_free_array_below_a_store() {
    let relation = Box::new(Element(Base::Free));
    check_truth("free base", relation, &[Bits(2); 4], 1, |n| n[1] != n[2] || n[0] == n[3]);
    let relation = Box::new(Element(Base::Free));
    check_truth("no store", relation, &[Bits(2); 2], 1, |_| true);
}

#[test]
fn two_reads_of_one_array() {
    let relation = Box::new(SameArray);
    check_truth("same array", relation, &[Bits(2); 4], 1, |n| n[1] != n[3] || n[0] == n[2]);
}
