//! A short run of the comparison with z3; the long one is the example `fuzz_z3`.

mod oracle;

use glassbox_testkit::z3::Z3;
use glassbox_testkit::{Tool, require};
use oracle::compare::{Setup, Truth, fault};
use oracle::formula::random_formula;
use oracle::z3::judge;

#[test]
fn random_formulas_get_the_answer_of_z3() {
    let Some(_) = require(Tool::Program("z3")) else { return };
    let mut z3 = Z3::start(&[]).expect("z3 starts");
    // All setups for some, the three most different ones for all.
    let few = [Setup::AllLayers, Setup::StepByStep, Setup::Only(glassbox_solver::Layer::Blast)];
    let mut n_judged = 0;
    for seed in 0..150 {
        let formula = random_formula(seed);
        let truth = judge(&mut z3, &formula, 200);
        n_judged += usize::from(truth != Truth::Unknown);
        let setups = if seed % 10 == 0 { Setup::all() } else { few.to_vec() };
        assert_eq!(fault(&formula, &setups, truth), None, "seed {seed}");
    }
    assert!(n_judged > 75, "z3 should decide most, decided {n_judged}");
}
