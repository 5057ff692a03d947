//! Terms of any size and shape get an answer: no stack or memory is exhausted.

use glassbox_relax::bounds::NoBounds;
use glassbox_relax::relaxation::{Limits, Outcome, Relaxation};
use glassbox_terms::eval::eval;
use glassbox_terms::family::BV_COMBINE;
use glassbox_terms::model::Model;
use glassbox_terms::{BoolOp, BvOp, Op, Sort, TermId, Terms, Value};
use glassbox_values::Bits;

const SIZE: usize = 100_000;

fn check(terms: &Terms, assertions: &[TermId]) -> Outcome {
    let mut relaxation = Relaxation::new();
    for &assertion in assertions {
        relaxation.assert(assertion);
    }
    relaxation.check(terms, &NoBounds, &Limits::default())
}

/// A chain of one binary operator, compared with a constant.
fn chain(op: Op) -> (Terms, TermId) {
    let mut t = Terms::new();
    let (x, y) = (t.fresh_var("x", Sort::Bv(32)), t.fresh_var("y", Sort::Bv(32)));
    let mut term = x;
    for step in 0..SIZE {
        let other = if step % 3 == 0 { y } else { t.bv_u(step as u128 + 2, 32) };
        term = t.intern(op, &[term, other]);
    }
    let limit = t.bv_u(17, 32);
    let compared = t.intern(BvOp::Ult, &[term, limit]);
    (t, compared)
}

#[test]
fn deep_chains_of_every_binary_operator() {
    for op in BV_COMBINE {
        let (t, compared) = chain(op);
        check(&t, &[compared]);
    }
}

#[test]
fn deep_choices_and_connectives() {
    let mut t = Terms::new();
    let x = t.fresh_var("x", Sort::Bv(32));
    let mut value = x;
    let mut truth = t.fresh_var("b", Sort::Bool);
    for step in 0..SIZE {
        let number = t.bv_u(step as u128, 32);
        let less = t.intern(BvOp::Slt, &[value, number]);
        truth = t.intern(
            [Op::Bool(BoolOp::And), Op::Bool(BoolOp::Or), Op::Bool(BoolOp::Xor), Op::Eq][step % 4],
            &[truth, less],
        );
        if step % 2 == 0 {
            truth = t.intern(BoolOp::Not, &[truth]);
        }
        value = t.intern(Op::Ite, &[truth, value, number]);
    }
    // Made true where x is zero and b is false.
    let model = Model::new();
    let planted = eval(&t, &model, value).as_bits().expect("a vector");
    if eval(&t, &model, truth) == Value::Bool(false) {
        truth = t.intern(BoolOp::Not, &[truth]);
    }
    let planted = t.intern(Op::BvConst(planted), &[]);
    let equal = t.intern(Op::Eq, &[value, planted]);
    assert!(matches!(check(&t, &[truth, equal]), Outcome::Open { .. }));
}

#[test]
fn wide_vectors_and_wide_sums() {
    let mut t = Terms::new();
    let wide: Vec<TermId> = (0..40).map(|i| t.fresh_var(format!("w{i}"), Sort::Bv(128))).collect();
    let mut sum = wide[0];
    for &w in &wide {
        let square = t.intern(BvOp::Mul, &[w, w]);
        sum = t.intern(BvOp::Add, &[sum, square]);
    }
    let limit = t.intern(Op::BvConst(Bits::ones(128)), &[]);
    let compared = t.intern(BvOp::Ult, &[sum, limit]);
    assert!(matches!(check(&t, &[compared]), Outcome::Open { .. }));
    // Hundred-bit products are beyond machine integers, and their sums are long.
    let mut t = Terms::new();
    let vars: Vec<TermId> = (0..300).map(|i| t.fresh_var(format!("v{i}"), Sort::Bv(100))).collect();
    let mut sum = vars[0];
    for pair in vars.windows(2) {
        let product = t.intern(BvOp::Mul, &[pair[0], pair[1]]);
        sum = t.intern(BvOp::Add, &[sum, product]);
        sum = t.intern(BvOp::Add, &[sum, pair[0]]);
    }
    let limit = t.intern(Op::BvConst(Bits::one(100)), &[]);
    let compared = t.intern(BvOp::Slt, &[sum, limit]);
    assert!(matches!(check(&t, &[compared]), Outcome::Open { .. }));
}

#[test]
fn many_assertions() {
    let mut t = Terms::new();
    let vars: Vec<TermId> = (0..500).map(|i| t.fresh_var(format!("v{i}"), Sort::Bv(64))).collect();
    let mut assertions = Vec::new();
    for pair in vars.windows(2) {
        assertions.push(t.intern(BvOp::Ult, &[pair[0], pair[1]]));
    }
    assert!(matches!(check(&t, &assertions), Outcome::Open { .. }));
    assertions.push(t.intern(BvOp::Ult, &[vars[499], vars[0]]));
    check(&t, &assertions);
}

#[test]
fn numbers_wider_than_our_own_are_left_alone() {
    for width in [99, 100, 101, 127, 128] {
        for op in BV_COMBINE {
            let mut t = Terms::new();
            let x = t.fresh_var("x", Sort::Bv(width));
            let y = t.fresh_var("y", Sort::Bv(width));
            let term = t.intern(op, &[x, y]);
            // Every operator has such operands: 0, or 1 on the right.
            let same = t.intern(Op::Eq, &[term, x]);
            let outcome = check(&t, &[same]);
            assert!(!matches!(outcome, Outcome::Infeasible(_)), "{op:?} at {width}");
        }
    }
}
