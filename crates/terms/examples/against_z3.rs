//! Compares `eval`, the simplifier and the SMT-LIB exporter with z3 on random terms.
//!
//! For random terms and models it asks z3 to refute that the term has the value that `eval` gives,
//! variables fixed by the model. Usage: `cargo run --release -p glassbox-terms --example against_z3
//! -- [FIRST_SEED [COUNT]]`; needs `z3` in the path. Prints every disagreement with its script.

#![allow(clippy::print_stdout, reason = "a command that reports to a terminal")]

use glassbox_terms::{Dialect, Scalar, Sort, eval, export};
use glassbox_testkit::z3::answers;
use glassbox_values::Format;

#[path = "../tests/random_terms/mod.rs"]
mod random_terms;

use random_terms::{Generator, Shape};

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse().expect("a number"));
    let first: u64 = args.next().unwrap_or(0);
    let count: u64 = args.next().unwrap_or(200);
    let mut n_wrong = 0;
    for seed in first..first + count {
        let (script, n_questions) = script_for(seed);
        let output = answers(&script, 20);
        let expected = vec!["unsat"; n_questions].join("\n");
        if output.trim() != expected {
            n_wrong += 1;
            println!("seed {seed}: z3 said {output}\n{script}");
        }
    }
    println!("{count} terms, {n_wrong} disagreements");
}

fn script_for(seed: u64) -> (String, usize) {
    let tiny = Format { exponent: 3, significand: 4 };
    let formats =
        if seed.is_multiple_of(3) { vec![] } else { vec![tiny, Format::F32, Format::F16] };
    let widths = vec![1, 4, 7, 16, 32];
    let mut generator =
        Generator::new(seed, Shape { widths, formats, arrays: seed.is_multiple_of(2) });
    for width in [1, 4, 7, 16, 32] {
        generator.add_var("x", Sort::Bv(width));
        generator.add_var("strange name", Sort::Bv(width));
    }
    generator.add_var("and", Sort::Bool);
    for format in [tiny, Format::F32, Format::F16] {
        generator.add_var("f", Sort::Float(format));
    }
    generator.add_var("a", Sort::Array { index: 4, element: Scalar::Bv(7) });
    let sort = generator.random.pick(&[Sort::Bool, Sort::Bv(16), Sort::Bv(7)]);
    let raw = generator.term(sort, 5);
    let simple = generator.terms.simplify(raw);
    let model = generator.model();
    let terms = &mut generator.terms;
    let mut text = String::new();
    for term in [raw, simple] {
        let value = terms.constant(&eval(terms, &model, term));
        let same = terms.intern(glassbox_terms::Op::Eq, &[term, value]);
        let mut assertions =
            vec![terms.intern(glassbox_terms::Op::Bool(glassbox_terms::BoolOp::Not), &[same])];
        for var in terms.vars_of(&[term]) {
            let fixed = terms.constant(&model.value(terms, var));
            let is_fixed = terms.intern(glassbox_terms::Op::Eq, &[terms.var_term(var), fixed]);
            assertions.push(is_fixed);
        }
        text.push_str(&export(terms, &assertions, Dialect::Plain).text);
        text.push_str("(check-sat)\n(reset)\n");
    }
    (text, 2)
}
