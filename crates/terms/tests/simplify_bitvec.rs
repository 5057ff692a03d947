//! The law of the simplifier on bit-vectors and booleans: `eval(simplify(t)) == eval(t)`.

mod random_terms;

use glassbox_terms::family::{BV_COMBINE, bv_relations};
use glassbox_terms::{BoolOp, BvOp, Evaluator, Op, Sort, TermId, Terms};
use glassbox_testkit::Random;
use glassbox_values::Bits;
use random_terms::{Checker, Generator, Shape};

fn binary_ops() -> impl Iterator<Item = Op> {
    BV_COMBINE.into_iter().chain([Op::Bv(BvOp::Concat)]).chain(bv_relations())
}

fn unary_ops(width: u8) -> Vec<Op> {
    let mut ops = vec![Op::Bv(BvOp::Neg), Op::Bv(BvOp::Not), Op::Bv(BvOp::NegOverflow)];
    for lo in 0..width {
        ops.extend((lo..width).map(|hi| Op::Bv(BvOp::Extract { hi, lo })));
    }
    for more in 0..3 {
        ops.push(Op::Bv(BvOp::ZeroExtend { width: width + more }));
        ops.push(Op::Bv(BvOp::SignExtend { width: width + more }));
    }
    ops
}

#[test]
fn every_operator_on_variables_and_constants_up_to_4_bits() {
    for width in 1..=4 {
        let mut terms = Terms::new();
        let mut checker = Checker::default();
        let x = terms.fresh_var("x", Sort::Bv(width));
        let y = terms.fresh_var("y", Sort::Bv(width));
        let mut operands = vec![x, y];
        operands.extend((0..1 << width).map(|value| terms.bv_u(value, width)));
        for op in binary_ops() {
            for &a in &operands {
                for &b in &operands {
                    let raw = terms.intern(op, &[a, b]);
                    checker.check_all_inputs(&mut terms, raw);
                }
            }
        }
        for op in unary_ops(width) {
            for &a in &operands {
                let raw = terms.intern(op, &[a]);
                checker.check_all_inputs(&mut terms, raw);
            }
        }
    }
}

/// Every pair of operators, the inner one on variables and constants.
#[test]
fn every_operator_over_every_operator_at_3_bits() {
    let width = 3;
    let mut terms = Terms::new();
    let mut checker = Checker::default();
    let x = terms.fresh_var("x", Sort::Bv(width));
    let y = terms.fresh_var("y", Sort::Bv(width));
    let leaves: Vec<TermId> = [0, 1, 3, 4, 6, 7].map(|value| terms.bv_u(value, width)).into();
    let mut inner: Vec<TermId> = Vec::new();
    for op in binary_ops() {
        for &a in [x, y].iter().chain(&leaves) {
            for &b in [x, y].iter().chain(&leaves) {
                inner.push(terms.intern(op, &[a, b]));
            }
        }
    }
    for op in unary_ops(width) {
        inner.push(terms.intern(op, &[x]));
    }
    let fits = |terms: &Terms, op, args: &[TermId]| terms.sort_of(op, args).is_some();
    for &a in &inner {
        for op in unary_ops(width) {
            if fits(&terms, op, &[a]) {
                let raw = terms.intern(op, &[a]);
                checker.check_all_inputs(&mut terms, raw);
            }
        }
        for op in binary_ops() {
            for &b in [x].iter().chain(&leaves[1..4]) {
                for args in [[a, b], [b, a]] {
                    if fits(&terms, op, &args) {
                        let raw = terms.intern(op, &args);
                        checker.check_all_inputs(&mut terms, raw);
                    }
                }
            }
        }
    }
}

#[test]
fn comparisons_of_widened_numbers_with_every_constant() {
    let mut terms = Terms::new();
    let mut checker = Checker::default();
    let x = terms.fresh_var("x", Sort::Bv(2));
    let y = terms.fresh_var("y", Sort::Bv(3));
    for width in 3..=5 {
        for widen in [Op::Bv(BvOp::ZeroExtend { width }), Op::Bv(BvOp::SignExtend { width })] {
            let wide = terms.intern(widen, &[x]);
            let other = terms.intern(widen, &[y]);
            for op in binary_ops() {
                if op == Op::Bv(BvOp::Concat) {
                    continue;
                }
                for value in 0..1 << width {
                    let constant = terms.bv_u(value, width);
                    for args in [[wide, constant], [constant, wide], [wide, other], [other, wide]] {
                        let raw = terms.intern(op, &args);
                        checker.check_all_inputs(&mut terms, raw);
                    }
                }
            }
        }
    }
}

#[test]
fn connectives_of_comparisons() {
    let width = 2;
    let mut terms = Terms::new();
    let mut checker = Checker::default();
    let x = terms.fresh_var("x", Sort::Bv(width));
    let y = terms.fresh_var("y", Sort::Bv(width));
    let p = terms.fresh_var("p", Sort::Bool);
    let operands = [x, y, terms.bv_u(1, width), terms.bv_u(2, width)];
    let mut atoms = vec![p];
    for op in [Op::Eq, Op::Bv(BvOp::Ult), Op::Bv(BvOp::Ule), Op::Bv(BvOp::Slt), Op::Bv(BvOp::Sle)] {
        for a in operands {
            for b in operands {
                atoms.push(terms.intern(op, &[a, b]));
            }
        }
    }
    let negated: Vec<TermId> =
        atoms.iter().map(|&atom| terms.intern(BoolOp::Not, &[atom])).collect();
    atoms.extend(negated);
    for &a in &atoms {
        for &b in &atoms {
            for op in [Op::Bool(BoolOp::And), Op::Bool(BoolOp::Or), Op::Bool(BoolOp::Xor), Op::Eq] {
                let raw = terms.intern(op, &[a, b]);
                checker.check_all_inputs(&mut terms, raw);
            }
        }
        let either = terms.intern(BoolOp::Or, &[a, p]);
        let both = terms.intern(BoolOp::And, &[a, p]);
        for &b in atoms.iter().step_by(3) {
            for (op, inner) in [
                (Op::Bool(BoolOp::And), either),
                (Op::Bool(BoolOp::Or), both),
                (Op::Bool(BoolOp::And), both),
            ] {
                let raw = terms.intern(op, &[inner, b]);
                checker.check_all_inputs(&mut terms, raw);
            }
        }
    }
}

#[test]
fn masks_pieces_and_joined_bytes() {
    let mut terms = Terms::new();
    let mut checker = Checker::default();
    let x = terms.fresh_var("x", Sort::Bv(4));
    let a = terms.fresh_var("a", Sort::Bv(2));
    let joined = terms.intern(BvOp::Concat, &[a, x]);
    let swapped = terms.intern(BvOp::Concat, &[x, a]);
    for value in 0..64 {
        let constant = terms.bv_u(value, 6);
        for whole in [joined, swapped] {
            let raw = terms.intern(Op::Eq, &[whole, constant]);
            checker.check_all_inputs(&mut terms, raw);
        }
    }
    for mask in 0..16 {
        let mask = terms.bv_u(mask, 4);
        let masked = terms.intern(BvOp::And, &[x, mask]);
        for value in 0..16 {
            let value = terms.bv_u(value, 4);
            let raw = terms.intern(Op::Eq, &[masked, value]);
            checker.check_all_inputs(&mut terms, raw);
        }
    }
    for extend in [Op::Bv(BvOp::ZeroExtend { width: 6 }), Op::Bv(BvOp::SignExtend { width: 6 })] {
        for shifted_extend in
            [Op::Bv(BvOp::ZeroExtend { width: 6 }), Op::Bv(BvOp::SignExtend { width: 6 })]
        {
            for amount in 0..7 {
                let amount = terms.bv_u(amount, 6);
                for (low, high) in [(a, x), (x, a)] {
                    let low = terms.intern(extend, &[low]);
                    let high = terms.intern(shifted_extend, &[high]);
                    let high = terms.intern(BvOp::Shl, &[high, amount]);
                    for op in [Op::Bv(BvOp::Or), Op::Bv(BvOp::Xor), Op::Bv(BvOp::Add)] {
                        let raw = terms.intern(op, &[low, high]);
                        checker.check_all_inputs(&mut terms, raw);
                    }
                }
            }
        }
    }
}

#[test]
fn random_terms_up_to_4_bits_on_all_inputs() {
    for round in 0..250 {
        let width = 1 + u8::try_from(round % 4).expect("small");
        let shape = Shape { widths: vec![width], formats: vec![], arrays: false };
        let mut generator = Generator::new(round, shape);
        let mut checker = Checker::default();
        generator.add_var("x", Sort::Bv(width));
        generator.add_var("y", Sort::Bv(width));
        generator.add_var("p", Sort::Bool);
        generator.add_var("q", Sort::Bool);
        for _ in 0..60 {
            generator.restart();
            let depth = 2 + u32::try_from(generator.random.below(4)).expect("small");
            let sort = generator.random.pick(&[Sort::Bool, Sort::Bv(width)]);
            let raw = generator.term(sort, depth);
            checker.check_all_inputs(&mut generator.terms, raw);
        }
    }
}

#[test]
fn random_wide_terms_on_random_inputs() {
    let mut evaluator = Evaluator::new();
    for round in 0..400 {
        let mut random = Random::new(round);
        let width = random.pick(&[8, 16, 31, 32, 33, 63, 64, 65, 127, 128]);
        let shape = Shape { widths: vec![width, 8], formats: vec![], arrays: true };
        let mut generator = Generator::new(round + 7777, shape);
        for name in ["x", "y", "z"] {
            generator.add_var(name, Sort::Bv(width));
            generator.add_var(name, Sort::Bv(8));
        }
        generator.add_var("p", Sort::Bool);
        let array = Sort::Array { index: 8, element: glassbox_terms::Scalar::Bv(width) };
        generator.add_var("a", array);
        for _ in 0..30 {
            generator.restart();
            let sort = generator.random.pick(&[Sort::Bool, Sort::Bv(width), array]);
            let raw = generator.term(sort, 4);
            let simple = generator.terms.simplify(raw);
            assert_eq!(generator.terms.simplify(simple), simple, "seed {round} is not stable");
            for _ in 0..8 {
                let model = generator.model();
                let mut evaluation = evaluator.under(&generator.terms, &model);
                let expected = evaluation.value(raw).clone();
                assert_eq!(*evaluation.value(simple), expected, "seed {round}, {model:?}");
            }
        }
    }
}

#[test]
fn multiplicative_inverse_solves_every_odd_product() {
    for width in 1..=4 {
        for factor in 0..1 << width {
            for product in 0..1 << width {
                let mut terms = Terms::new();
                let mut checker = Checker::default();
                let x = terms.fresh_var("x", Sort::Bv(width));
                let factor = terms.bv_const(Bits::new(factor, width));
                let product = terms.bv_const(Bits::new(product, width));
                let multiplied = terms.intern(BvOp::Mul, &[x, factor]);
                let raw = terms.intern(Op::Eq, &[multiplied, product]);
                checker.check_all_inputs(&mut terms, raw);
            }
        }
    }
}
