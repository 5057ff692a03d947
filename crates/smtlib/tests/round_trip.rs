//! Random terms, printed and read again, have the same values.

#[path = "../../terms/tests/random_terms/mod.rs"]
mod random_terms;

use glassbox_smtlib::{Command, Front};
use glassbox_terms::{
    Dialect, Evaluator, FpOp, Model, Op, Scalar, Sort, TermId, export, to_smtlib,
};
use glassbox_values::Format;
use random_terms::{Generator, Shape};
use rustc_hash::FxHashMap;

const TINY: Format = Format { exponent: 3, significand: 4 };

fn generator(seed: u64) -> Generator {
    let widths = vec![1, 4, 7, 16, 32, 64, 100];
    let shape = Shape {
        widths: widths.clone(),
        formats: vec![TINY, Format::F32, Format::F64],
        arrays: true,
    };
    let mut generator = Generator::new(seed, shape);
    for width in widths {
        generator.add_var(&format!("x{width}"), Sort::Bv(width));
        generator.add_var(&format!("strange name|\\{width}"), Sort::Bv(width));
    }
    generator.add_var("p", Sort::Bool);
    generator.add_var("and", Sort::Bool);
    for format in [TINY, Format::F32, Format::F64] {
        generator.add_var(&format!("f{}", format.width()), Sort::Float(format));
    }
    generator.add_var("a", Sort::Array { index: 4, element: Scalar::Bv(7) });
    generator.add_var("b", Sort::Array { index: 7, element: Scalar::Float(TINY) });
    generator
}

fn has_op(generator: &Generator, term: TermId, op: Op) -> bool {
    generator.terms.subterms(&[term]).iter().any(|&part| generator.terms.op(part) == op)
}

/// Reads a script in the same arena; its constants by name, and its assertions.
fn read(generator: &mut Generator, text: &str) -> (FxHashMap<String, TermId>, Vec<TermId>) {
    let mut constants = FxHashMap::default();
    let mut assertions = Vec::new();
    let mut front = Front::new(text);
    while let Some(command) = front.next_command(&mut generator.terms) {
        let command = command.unwrap_or_else(|error| panic!("{error}\n{text}"));
        if let Command::Declare { constant, .. } = command {
            constants.insert(constant.name, constant.term);
        } else if let Command::Assert { term, .. } = command {
            assertions.push(term);
        }
    }
    (constants, assertions)
}

/// The model, with the variables of the script set to the values of the ones they stand for.
fn with_copies(
    generator: &Generator,
    model: &Model,
    copies: &[(TermId, glassbox_terms::VarId)],
) -> Model {
    let mut both = model.clone();
    for &(copy, original) in copies {
        let var = generator.terms.as_var(copy).expect("a constant of the script is a variable");
        both.set(var, model.value(&generator.terms, original));
    }
    both
}

#[test]
fn exported_problems_read_back_with_the_same_values() {
    let mut evaluator = Evaluator::new();
    for seed in 0..400 {
        let mut generator = generator(seed);
        let dialect = if seed % 2 == 0 { Dialect::Standard } else { Dialect::Plain };
        let mut roots: Vec<TermId> = (0..3).map(|_| generator.term(Sort::Bool, 5)).collect();
        // The encoding of a float becomes a constant with constraints, which has no value here.
        roots.retain(|&root| !has_op(&generator, root, Op::Fp(FpOp::ToBits)));
        let exported = export(&mut generator.terms, &roots, dialect);
        let (constants, assertions) = read(&mut generator, &exported.text);
        assert_eq!(assertions.len(), roots.len());
        let copies: Vec<_> = exported
            .vars
            .iter()
            .map(|(var, symbol)| (constants[symbol.trim_matches('|')], *var))
            .collect();
        for _ in 0..8 {
            let model = generator.model();
            let model = with_copies(&generator, &model, &copies);
            let mut evaluation = evaluator.under(&generator.terms, &model);
            for (&root, &copy) in roots.iter().zip(&assertions) {
                let expected = evaluation.truth(root);
                assert_eq!(evaluation.truth(copy), expected, "seed {seed}\n{}", exported.text);
            }
        }
    }
}

#[test]
fn printed_terms_read_back_with_the_same_values() {
    let mut evaluator = Evaluator::new();
    for seed in 0..400 {
        let mut generator = generator(seed + 10_000);
        let root = generator.term(Sort::Bool, 6);
        if has_op(&generator, root, Op::Fp(FpOp::Fmod)) {
            continue;
        }
        let mut text = String::new();
        let vars = generator.terms.vars_of(&[root]);
        for &var in &vars {
            let name = generator.terms.var_name(var).to_owned();
            // This name is not a legal one to declare, and printing a term does not rename.
            if name == "and" {
                continue;
            }
            text.push_str(&format!(
                "(declare-const {} {})\n",
                glassbox_terms::print::quote_symbol(&name),
                glassbox_terms::print::sort_to_smtlib(generator.terms.var_sort(var))
            ));
        }
        if vars.iter().any(|&var| generator.terms.var_name(var) == "and") {
            continue;
        }
        text.push_str(&format!("(assert {})", to_smtlib(&generator.terms, root)));
        let (constants, assertions) = read(&mut generator, &text);
        let copies: Vec<_> = vars
            .iter()
            .map(|&var| {
                let symbol = glassbox_terms::print::quote_symbol(generator.terms.var_name(var));
                (constants[symbol.trim_matches('|')], var)
            })
            .collect();
        for _ in 0..8 {
            let model = generator.model();
            let model = with_copies(&generator, &model, &copies);
            let mut evaluation = evaluator.under(&generator.terms, &model);
            let expected = evaluation.truth(root);
            assert_eq!(evaluation.truth(assertions[0]), expected, "seed {seed}\n{text}");
        }
    }
}
