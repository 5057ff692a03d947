//! docs/papers/relaxation.md, rule 3.3: the two properties of `tritype` over unsigned short, by relaxation alone.

#![allow(clippy::print_stdout, reason = "the work done is the output of these tests")]

use glassbox_relax::bounds::NoBounds;
use glassbox_relax::relaxation::{Limits, Outcome, Relaxation, Shaving};
use glassbox_terms::{Sort, TermId, Terms};

struct Triangle {
    t: Terms,
    sides: [TermId; 3],
    result: TermId,
    /// The three ways to be no triangle.
    degenerate: [TermId; 3],
}

fn tritype() -> Triangle {
    let mut t = Terms::new();
    let inputs = ["i", "j", "k"].map(|name| t.fresh_var(name, Sort::Bv(16)));
    let [i, j, k] = inputs.map(|v| t.bv_zero_extend(32, v));
    let n: Vec<TermId> = (0..5).map(|v| t.bv_s(v, 32)).collect();
    let weight = |t: &mut Terms, a, b, w: usize| {
        let same = t.eq(a, b);
        t.ite(same, n[w], n[0])
    };
    let (ij, ik, jk) = (weight(&mut t, i, j, 1), weight(&mut t, i, k, 2), weight(&mut t, j, k, 3));
    let sum = t.bv_add(ij, ik);
    let kind = t.bv_add(sum, jk);
    let at_most = |t: &mut Terms, a, b, c| {
        let sum = t.bv_add(a, b);
        t.bv_sle(sum, c)
    };
    let (flat_k, flat_i, flat_j) =
        (at_most(&mut t, i, j, k), at_most(&mut t, j, k, i), at_most(&mut t, i, k, j));
    let scalene_flat = t.or(&[flat_k, flat_i, flat_j]);
    let scalene = t.ite(scalene_flat, n[4], n[1]);
    // The last cases first.
    let mut result = n[4];
    for (which, flat) in [(3, flat_i), (2, flat_j), (1, flat_k)] {
        let is = t.eq(kind, n[which]);
        let fits = t.not(flat);
        let both = t.and2(is, fits);
        result = t.ite(both, n[2], result);
    }
    let many = t.bv_slt(n[3], kind);
    result = t.ite(many, n[3], result);
    let none = t.eq(kind, n[0]);
    result = t.ite(none, scalene, result);
    let zeros = [i, j, k].map(|v| t.eq(v, n[0]));
    let zero = t.or(&zeros);
    result = t.ite(zero, n[4], result);
    Triangle { t, sides: [i, j, k], result, degenerate: [flat_k, flat_i, flat_j] }
}

fn limits() -> Limits {
    Limits {
        rounds: 4,
        steps: 60_000_000,
        branch_nodes: 400,
        shaving: Shaving::All,
        ..Limits::default()
    }
}

fn check(t: &Terms, assertions: &[TermId]) -> Outcome {
    let mut relaxation = Relaxation::new();
    for &assertion in assertions {
        relaxation.assert(assertion);
    }
    let outcome = relaxation.check(t, &NoBounds, &limits());
    println!("{:?}", relaxation.statistics());
    outcome
}

#[test]
fn degenerate_triangles_are_no_triangles() {
    let Triangle { mut t, result, degenerate, .. } = tritype();
    let any = t.or(&degenerate);
    let four = t.bv_s(4, 32);
    let is_four = t.eq(result, four);
    let other = t.not(is_four);
    assert!(matches!(check(&t, &[any, other]), Outcome::Infeasible(_)), "PT1 should be proved");
    assert!(matches!(check(&t, &[any, is_four]), Outcome::Open { .. }), "a satisfiable control");
}

#[test]
fn equal_sides_are_equilateral() {
    let Triangle { mut t, sides, result, degenerate } = tritype();
    let [i, j, k] = sides;
    let any = t.or(&degenerate);
    let proper = t.not(any);
    let (ij, jk) = (t.eq(i, j), t.eq(j, k));
    let three = t.bv_s(3, 32);
    let is_three = t.eq(result, three);
    let other = t.not(is_three);
    let outcome = check(&t, &[proper, ij, jk, other]);
    assert!(matches!(outcome, Outcome::Infeasible(_)), "PT2 should be proved");
    let control = check(&t, &[proper, ij, jk, is_three]);
    assert!(matches!(control, Outcome::Open { .. }), "a satisfiable control");
}
