//! Random conjunctions of all operators.

use glassbox_terms::{BvOp, Op, Scalar, Sort, TermId, Terms};
use glassbox_values::Format;

use super::random_terms::{Generator, Shape};

/// Terms of one arena to be asserted together.
#[derive(Debug, Clone)]
pub(crate) struct Formula {
    pub(crate) terms: Terms,
    pub(crate) assertions: Vec<TermId>,
}

const TINY: Format = Format { exponent: 3, significand: 3 };
const SMALL: Format = Format { exponent: 4, significand: 5 };

/// The formula of a seed. The kind (integers, with floats, with arrays, path-like) goes with it.
pub(crate) fn random_formula(seed: u64) -> Formula {
    let kind = seed % 8;
    let mut generator =
        Generator::new(seed, Shape { widths: vec![], formats: vec![], arrays: false });
    let widths: Vec<u8> = match kind {
        0 | 1 => vec![1, 3, 8],
        2 | 3 => vec![4, 16, 32],
        _ => vec![
            generator.random.pick(&[1, 2, 5, 7, 8]),
            generator.random.pick(&[8, 13, 16, 24]),
            generator.random.pick(&[31, 32, 33, 64]),
        ],
    };
    let formats = match kind {
        1 | 4 => vec![TINY, SMALL],
        5 => vec![TINY, Format::F16],
        6 if seed.is_multiple_of(3) => vec![Format::F32],
        _ => vec![],
    };
    generator.shape =
        Shape { widths: widths.clone(), formats: formats.clone(), arrays: kind == 3 || kind == 7 };
    for &width in &widths {
        for name in ["x", "y", "z"] {
            generator.add_var(&format!("{name}{width}"), Sort::Bv(width));
        }
    }
    generator.add_var("b", Sort::Bool);
    generator.add_var("c", Sort::Bool);
    for format in formats {
        for name in ["f", "g"] {
            let name = format!("{name}{}", format.width());
            generator.add_var(&name, Sort::Float(format));
        }
    }
    if generator.shape.arrays {
        let sort = Sort::Array { index: widths[0], element: Scalar::Bv(widths[1]) };
        generator.add_var("a", sort);
        generator.add_var("d", sort);
    }
    let n_assertions = 1 + generator.random.below(6);
    let mut assertions: Vec<TermId> = (0..n_assertions)
        .map(|_| {
            let depth = 1 + generator.random.below(4);
            generator.term(Sort::Bool, u32::try_from(depth).expect("small"))
        })
        .collect();
    if seed.is_multiple_of(5) {
        assertions.push(deep_chain(&mut generator, widths[1]));
    }
    let mut terms = generator.terms;
    if seed.is_multiple_of(2) {
        assertions = assertions.iter().map(|&term| terms.simplify(term)).collect();
    }
    Formula { terms, assertions }
}

/// A term that uses each of its subterms twice, so that it is huge as a tree.
fn deep_chain(generator: &mut Generator, width: u8) -> TermId {
    let sort = Sort::Bv(width);
    let mut term = generator.term(sort, 1);
    for _ in 0..20 {
        let op = generator.random.pick(&[
            Op::Bv(BvOp::Add),
            Op::Bv(BvOp::Xor),
            Op::Bv(BvOp::Sub),
            Op::Bv(BvOp::And),
            Op::Bv(BvOp::Or),
        ]);
        let shifted = generator.term(sort, 0);
        let other = generator.terms.intern(BvOp::Xor, &[term, shifted]);
        term = generator.terms.intern(op, &[term, other]);
    }
    let bound = generator.term(sort, 0);
    generator.terms.intern(BvOp::Ule, &[term, bound])
}
