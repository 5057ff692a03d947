//! All models of small formulas, counted out, against the answers in every setup.

mod oracle;

use glassbox_terms::{Evaluator, Model, Sort, Value};
use glassbox_values::{Bits, Float, Format};
use oracle::compare::{Setup, Truth, fault};
use oracle::formula::Formula;
use oracle::random_terms::{Generator, Shape};

/// Whether some model of all variables satisfies the formula.
fn truth_by_enumeration(formula: &Formula) -> Truth {
    let terms = &formula.terms;
    let width = |var| terms.var_sort(var).scalar().expect("scalars only").width();
    let n_bits: u32 = terms.vars().map(|var| u32::from(width(var))).sum();
    let mut evaluator = Evaluator::new();
    for code in 0..1_u128 << n_bits {
        let mut rest = code;
        let model: Model = terms
            .vars()
            .map(|var| {
                let bits = Bits::new(rest, width(var));
                rest >>= width(var);
                (var, value(terms.var_sort(var), bits))
            })
            .collect();
        if evaluator.under(terms, &model).all_hold(&formula.assertions) {
            return Truth::Sat;
        }
    }
    Truth::Unsat
}

fn value(sort: Sort, bits: Bits) -> Value {
    match sort {
        Sort::Bool => Value::Bool(bits.is_true()),
        Sort::Bv(_) => Value::Bv(bits),
        Sort::Float(format) => Value::Float(Float::from_encoding(bits, format)),
        Sort::Array { .. } => unreachable!("scalars only"),
    }
}

fn check(seeds: std::ops::Range<u64>, shape: &Shape, sorts: &[Sort]) {
    let setups = Setup::all();
    let mut n_sat = 0;
    let n_formulas = seeds.end - seeds.start;
    for seed in seeds {
        let mut generator = Generator::new(seed, shape.clone());
        for (position, &sort) in sorts.iter().enumerate() {
            generator.add_var(&format!("v{position}"), sort);
        }
        let n_assertions = 2 + seed % 4;
        let assertions = (0..n_assertions).map(|_| generator.term(Sort::Bool, 3)).collect();
        let formula = Formula { terms: generator.terms, assertions };
        let truth = truth_by_enumeration(&formula);
        n_sat += u64::from(truth == Truth::Sat);
        assert_eq!(fault(&formula, &setups, truth), None, "seed {seed}");
    }
    assert!(n_sat > 0 && n_sat < n_formulas, "both answers should occur");
}

#[test]
fn integers_of_3_bits() {
    let shape = Shape { widths: vec![1, 3, 4], formats: vec![], arrays: false };
    check(0..120, &shape, &[Sort::Bv(3), Sort::Bv(3), Sort::Bv(4), Sort::Bool, Sort::Bv(1)]);
}

#[test]
fn floats_of_6_bits_with_integers() {
    let tiny = Format { exponent: 3, significand: 3 };
    let shape = Shape { widths: vec![3], formats: vec![tiny], arrays: false };
    check(1000..1060, &shape, &[Sort::Float(tiny), Sort::Float(tiny), Sort::Bv(3)]);
}
