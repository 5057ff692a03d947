//! Reduced cores are still refuted, and small.

#[path = "oracle/mod.rs"]
mod oracle;

use glassbox_solver::reduce::reduce;
use glassbox_solver::{Answer, Layer, Layers, Options, Solver};
use glassbox_terms::{Sort, TermId, Terms};

/// The complete layer alone.
fn check(terms: &mut Terms, assertions: &[TermId]) -> Answer {
    let options = Options { layers: Layers::NONE.with(Layer::Blast), ..Options::default() };
    let mut solver = Solver::new(options);
    for &assertion in assertions {
        solver.assert(terms, assertion);
    }
    solver.check(terms)
}

#[test]
fn what_is_not_needed_goes_and_what_is_needed_stays() {
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", Sort::Bv(8));
    let y = terms.fresh_var("y", Sort::Bv(8));
    let (five, seven) = (terms.bv_u(5, 8), terms.bv_u(7, 8));
    let small = terms.bv_ult(x, five);
    let less = terms.bv_ult(y, x);
    let large = terms.bv_ult(seven, x);
    assert_eq!(reduce(&mut terms, &[], &[small, less, large]), [0, 2]);
    assert_eq!(reduce(&mut terms, &[small], &[less, large]), [1]);
    assert_eq!(reduce(&mut terms, &[small, large], &[less]), [0_usize; 0]);
    let never = terms.bool_const(false);
    assert_eq!(reduce(&mut terms, &[], &[never]), [0]);
}

#[test]
fn reduced_cores_of_random_formulas_are_refuted() {
    let (mut n_members, mut n_kept, mut n_refuted) = (0, 0, 0);
    for seed in 0..400 {
        let formula = oracle::formula::random_formula(seed);
        let mut terms = formula.terms.clone();
        let options = Options {
            layers: Layers::ALL.without(Layer::Blast).without(Layer::Descent),
            ..Options::default()
        };
        let mut solver = Solver::new(options);
        for &assertion in &formula.assertions {
            solver.assert(&mut terms, assertion);
        }
        if !matches!(solver.check(&mut terms), Answer::Unsat(_)) {
            continue;
        }
        n_refuted += 1;
        n_members += formula.assertions.len();
        let kept = reduce(&mut terms, &[], &formula.assertions);
        assert!(kept.is_sorted(), "seed {seed}");
        n_kept += kept.len();
        let core: Vec<TermId> = kept.iter().map(|&place| formula.assertions[place]).collect();
        assert!(!check(&mut terms, &core).is_sat(), "seed {seed}: {kept:?} is satisfiable");
    }
    assert!(n_refuted > 20 && n_kept < n_members, "{n_refuted} {n_kept} of {n_members}");
}
