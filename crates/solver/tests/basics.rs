//! The solver as its clients see it: models, cores, levels, assumptions.

use glassbox_solver::{Answer, Layer, Layers, Options, Solver, Why};
use glassbox_terms::{Sort, TermId, Terms, eval};

fn var(terms: &mut Terms, name: &str, width: u8) -> TermId {
    terms.fresh_var(name, Sort::Bv(width))
}

#[test]
fn a_model_holds_and_an_added_assertion_is_refuted_with_its_core() {
    let mut terms = Terms::new();
    let (x, y) = (var(&mut terms, "x", 32), var(&mut terms, "y", 32));
    let mut solver = Solver::default();
    let (five, ten) = (terms.bv_u(5, 32), terms.bv_u(10, 32));
    let above = terms.bv_ult(five, x);
    let elsewhere = terms.bv_ult(y, ten);
    let first = solver.assert(&mut terms, above);
    solver.assert(&mut terms, elsewhere);
    let Answer::Sat(model) = solver.check(&mut terms) else { panic!("satisfiable") };
    assert_eq!(eval(&terms, &model, above).as_bool(), Some(true));
    solver.push();
    let below = terms.bv_ult(x, five);
    let second = solver.assert(&mut terms, below);
    let Answer::Unsat(core) = solver.check(&mut terms) else { panic!("unsatisfiable") };
    assert_eq!(core.assertions, [first, second]);
    solver.pop(1);
    assert!(solver.check(&mut terms).is_sat());
    let Answer::Unsat(core) = solver.check_assuming(&mut terms, &[elsewhere, below]) else {
        panic!("unsatisfiable")
    };
    assert_eq!((core.assertions, core.assumptions), (vec![first], vec![below]));
    assert!(solver.check(&mut terms).is_sat());
}

#[test]
fn substituted_variables_get_values_and_appear_in_cores() {
    let mut terms = Terms::new();
    let (x, y, z) = (var(&mut terms, "x", 8), var(&mut terms, "y", 8), var(&mut terms, "z", 8));
    let one = terms.bv_u(1, 8);
    let y_plus = terms.bv_add(y, one);
    let define_x = terms.eq(x, y_plus);
    let z_plus = terms.bv_add(z, one);
    let define_y = terms.eq(y, z_plus);
    let seven = terms.bv_u(7, 8);
    let fix = terms.eq(z, seven);
    let mut solver = Solver::default();
    let mut ids = Vec::new();
    for term in [define_x, define_y, fix] {
        ids.push(solver.assert(&mut terms, term));
    }
    let Answer::Sat(model) = solver.check(&mut terms) else { panic!("satisfiable") };
    assert_eq!(eval(&terms, &model, x).as_bits().map(|bits| bits.unsigned()), Some(9));
    let eight = terms.bv_u(8, 8);
    let wrong = terms.eq(x, eight);
    ids.push(solver.assert(&mut terms, wrong));
    let Answer::Unsat(core) = solver.check(&mut terms) else { panic!("unsatisfiable") };
    assert_eq!(core.assertions, ids);
}

#[test]
fn without_the_complete_layer_a_hard_question_is_unknown() {
    let mut terms = Terms::new();
    let (x, y) = (var(&mut terms, "x", 64), var(&mut terms, "y", 64));
    let product = terms.bv_mul(x, y);
    let mixed = terms.bv_xor(product, y);
    let target = terms.bv_u(0x1234_5678_9abc_def1, 64);
    let goal = terms.eq(mixed, target);
    let layers = Layers::NONE.with(Layer::Rewrite).with(Layer::Reuse);
    let mut solver = Solver::new(Options { layers, ..Options::default() });
    solver.assert(&mut terms, goal);
    assert_eq!(solver.check(&mut terms), Answer::Unknown(Why::Incomplete));
    assert_eq!(solver.statistics().unknown, 1);
}
