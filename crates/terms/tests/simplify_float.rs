//! The law of the simplifier on floats: `eval(simplify(t)) == eval(t)`, to the last bit.

mod random_terms;

use glassbox_terms::family::{FP_EXACT, FP_RELATION, FP_TEST, fp_rounded};
use glassbox_terms::{BvOp, Evaluator, FpOp, Op, Sort, TermId, Terms};
use glassbox_values::{Bits, Float, Format, RoundingMode, Sign, Signedness};
use random_terms::{Checker, Generator, Shape};

const TINY: Format = Format { exponent: 3, significand: 3 };
const SMALLER: Format = Format { exponent: 2, significand: 2 };
const LONGER: Format = Format { exponent: 3, significand: 5 };

/// The direction where zeros differ, and one of those where they do not.
const TWO_ROUNDINGS: [RoundingMode; 2] = [RoundingMode::TowardNegative, RoundingMode::NearestEven];

fn binary_ops(roundings: &[RoundingMode]) -> Vec<Op> {
    let rounded = roundings.iter().flat_map(|&rounding| fp_rounded(rounding));
    [Op::Eq].into_iter().chain(FP_EXACT).chain(FP_RELATION).chain(rounded).collect()
}

fn unary_ops() -> Vec<Op> {
    let mut ops = [FpOp::Abs, FpOp::Neg, FpOp::ToBits].map(Op::Fp).to_vec();
    ops.extend(FP_TEST);
    for rounding in RoundingMode::ALL {
        ops.extend([Op::Fp(FpOp::Sqrt(rounding)), Op::Fp(FpOp::RoundToIntegral(rounding))]);
        for format in [TINY, SMALLER, LONGER] {
            ops.push(Op::Fp(FpOp::ToFp { format, rounding }));
        }
        for signedness in [Signedness::Signed, Signedness::Unsigned] {
            ops.push(Op::Fp(FpOp::ToInt { width: 4, rounding, signedness }));
            ops.push(Op::Fp(FpOp::ToInt { width: 3, rounding, signedness }));
        }
    }
    ops
}

fn all_floats(format: Format) -> Vec<Float> {
    (0..1_u128 << format.width())
        .map(|code| Float::from_encoding(Bits::new(code, format.width()), format))
        .filter(|float| !float.is_nan())
        .chain([Float::nan(format)])
        .collect()
}

#[test]
fn every_operator_on_variables_and_every_constant_of_a_tiny_format() {
    let mut terms = Terms::new();
    let mut checker = Checker::default();
    let x = terms.fresh_var("x", Sort::Float(TINY));
    let y = terms.fresh_var("y", Sort::Float(TINY));
    let constants: Vec<TermId> =
        all_floats(TINY).into_iter().map(|float| terms.float_const(float)).collect();
    for op in binary_ops(&RoundingMode::ALL) {
        for args in [[x, y], [y, x], [x, x]] {
            let raw = terms.intern(op, &args);
            checker.check_all_inputs(&mut terms, raw);
        }
        for &constant in &constants {
            for args in [[x, constant], [constant, x]] {
                let raw = terms.intern(op, &args);
                checker.check_all_inputs(&mut terms, raw);
            }
            let raw = terms.intern(op, &[constant, constants[5]]);
            checker.check_all_inputs(&mut terms, raw);
        }
    }
    for rounding in RoundingMode::ALL {
        for &constant in &constants {
            for args in [[x, constant, y], [constant, x, y], [x, x, constant], [x, constant, x]] {
                let raw = terms.intern(FpOp::Fma(rounding), &args);
                checker.check_all_inputs(&mut terms, raw);
            }
        }
    }
}

/// Every operator over every operator on one variable and some constants, NaN, zeros, infinities
/// and ones among them.
#[test]
fn every_operator_over_every_operator_on_a_tiny_format() {
    let mut terms = Terms::new();
    let mut checker = Checker::default();
    let x = terms.fresh_var("x", Sort::Float(TINY));
    let some: Vec<TermId> = all_floats(TINY)
        .into_iter()
        .filter(|float| !float.is_normal() || float.abs() == Float::one(Sign::Positive, TINY))
        .map(|float| terms.float_const(float))
        .collect();
    let mut inner = vec![x];
    for op in unary_ops() {
        let term = terms.intern(op, &[x]);
        inner.push(term);
    }
    for op in binary_ops(&TWO_ROUNDINGS) {
        for &constant in &some {
            inner.push(terms.intern(op, &[x, constant]));
            inner.push(terms.intern(op, &[constant, x]));
        }
    }
    let fits = |terms: &Terms, op, args: &[TermId]| terms.sort_of(op, args).is_some();
    for &a in &inner {
        for op in unary_ops() {
            if fits(&terms, op, &[a]) {
                let raw = terms.intern(op, &[a]);
                checker.check_all_inputs(&mut terms, raw);
            }
        }
        for op in binary_ops(&TWO_ROUNDINGS) {
            let minus_x = terms.intern(FpOp::Neg, &[x]);
            for b in [x, minus_x, a, some[0], some[3]] {
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
fn comparisons_after_widening_with_every_constant() {
    let mut terms = Terms::new();
    let mut checker = Checker::default();
    let x = terms.fresh_var("x", Sort::Float(SMALLER));
    let y = terms.fresh_var("y", Sort::Float(SMALLER));
    let rounding = RoundingMode::NearestEven;
    for format in [TINY, LONGER] {
        let wide_x = terms.intern(FpOp::ToFp { format, rounding }, &[x]);
        let wide_y = terms.intern(FpOp::ToFp { format, rounding }, &[y]);
        for op in [Op::Fp(FpOp::Eq), Op::Fp(FpOp::Lt), Op::Fp(FpOp::Le), Op::Eq] {
            let raw = terms.intern(op, &[wide_x, wide_y]);
            checker.check_all_inputs(&mut terms, raw);
            for float in all_floats(format) {
                let constant = terms.float_const(float);
                for args in [[wide_x, constant], [constant, wide_x]] {
                    let raw = terms.intern(op, &args);
                    checker.check_all_inputs(&mut terms, raw);
                }
            }
        }
    }
}

#[test]
fn conversions_from_every_small_integer() {
    for width in 1..=6 {
        let mut terms = Terms::new();
        let mut checker = Checker::default();
        let x = terms.fresh_var("x", Sort::Bv(width));
        let wide = terms.intern(BvOp::ZeroExtend { width: width + 2 }, &[x]);
        let signed_wide = terms.intern(BvOp::SignExtend { width: width + 2 }, &[x]);
        for format in [TINY, SMALLER, LONGER] {
            for rounding in RoundingMode::ALL {
                for signedness in [Signedness::Signed, Signedness::Unsigned] {
                    for source in [x, wide, signed_wide] {
                        let op = Op::Fp(FpOp::FromInt { format, rounding, signedness });
                        let float = terms.intern(op, &[source]);
                        checker.check_all_inputs(&mut terms, float);
                        for class in [
                            Op::Fp(FpOp::IsNan),
                            Op::Fp(FpOp::IsZero),
                            Op::Fp(FpOp::IsNegative),
                            Op::Fp(FpOp::IsPositive),
                            Op::Fp(FpOp::IsInfinite),
                        ] {
                            let raw = terms.intern(class, &[float]);
                            checker.check_all_inputs(&mut terms, raw);
                        }
                        for back in [Signedness::Signed, Signedness::Unsigned] {
                            let op = Op::Fp(FpOp::ToInt { width, rounding, signedness: back });
                            let raw = terms.intern(op, &[float]);
                            checker.check_all_inputs(&mut terms, raw);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn comparisons_of_converted_integers() {
    for (format, widths) in [(TINY, 1..=4), (LONGER, 1..=5)] {
        for width in widths {
            for signedness in [Signedness::Signed, Signedness::Unsigned] {
                let mut terms = Terms::new();
                let mut checker = Checker::default();
                let x = terms.fresh_var("x", Sort::Bv(width));
                let y = terms.fresh_var("y", Sort::Bv(width));
                let rounding = RoundingMode::NearestEven;
                let op = Op::Fp(FpOp::FromInt { format, rounding, signedness });
                let (x, y) = (terms.intern(op, &[x]), terms.intern(op, &[y]));
                for op in [Op::Fp(FpOp::Eq), Op::Fp(FpOp::Lt), Op::Fp(FpOp::Le), Op::Eq] {
                    let raw = terms.intern(op, &[x, y]);
                    checker.check_all_inputs(&mut terms, raw);
                    for float in all_floats(format) {
                        let constant = terms.float_const(float);
                        for args in [[x, constant], [constant, x]] {
                            let raw = terms.intern(op, &args);
                            checker.check_all_inputs(&mut terms, raw);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn operations_between_widening_and_narrowing() {
    let rounding = RoundingMode::NearestEven;
    let pairs = [
        (TINY, Format { exponent: 5, significand: 8 }),
        (Format { exponent: 2, significand: 4 }, Format { exponent: 4, significand: 10 }),
        (Format { exponent: 4, significand: 2 }, Format { exponent: 6, significand: 6 }),
        // Too few digits or too small a range, where the operation must stay wide.
        (TINY, Format { exponent: 5, significand: 6 }),
        (TINY, Format { exponent: 3, significand: 8 }),
    ];
    let mut n_narrowed = 0;
    for (narrow, wide) in pairs {
        let mut terms = Terms::new();
        let mut checker = Checker::default();
        let x = terms.fresh_var("x", Sort::Float(narrow));
        let y = terms.fresh_var("y", Sort::Float(narrow));
        let widen = Op::Fp(FpOp::ToFp { format: wide, rounding });
        let (wide_x, wide_y) = (terms.intern(widen, &[x]), terms.intern(widen, &[y]));
        let mut results: Vec<TermId> = [
            Op::Fp(FpOp::Add(rounding)),
            Op::Fp(FpOp::Sub(rounding)),
            Op::Fp(FpOp::Mul(rounding)),
            Op::Fp(FpOp::Div(rounding)),
        ]
        .into_iter()
        .map(|op| terms.intern(op, &[wide_x, wide_y]))
        .collect();
        results.push(terms.intern(FpOp::Sqrt(rounding), &[wide_x]));
        for float in [0.5, 3.0, 0.1] {
            let constant = Float::from_f64(float).convert(wide, rounding);
            let constant = terms.float_const(constant);
            results.push(terms.intern(FpOp::Mul(rounding), &[wide_x, constant]));
        }
        for result in results {
            let raw = terms.intern(FpOp::ToFp { format: narrow, rounding }, &[result]);
            checker.check_all_inputs(&mut terms, raw);
            let simple = terms.simplify(raw);
            n_narrowed += usize::from(!matches!(terms.op(simple), Op::Fp(FpOp::ToFp { .. })));
        }
    }
    assert_eq!(n_narrowed, 3 * 7, "in three formats all but the inexact constant");
}

#[test]
fn random_terms_of_tiny_formats_on_all_inputs() {
    for round in 0..30 {
        let shape = Shape { widths: vec![3, 6], formats: vec![TINY, SMALLER], arrays: false };
        let mut generator = Generator::new(round, shape);
        let mut checker = Checker::default();
        generator.add_var("x", Sort::Float(TINY));
        generator.add_var("z", Sort::Float(SMALLER));
        generator.add_var("n", Sort::Bv(3));
        for _ in 0..40 {
            generator.restart();
            let depth = 2 + u32::try_from(generator.random.below(3)).expect("small");
            let sort = generator.random.pick(&[Sort::Bool, Sort::Float(TINY), Sort::Bv(3)]);
            let raw = generator.term(sort, depth);
            checker.check_all_inputs(&mut generator.terms, raw);
        }
    }
}

#[test]
fn random_terms_of_machine_formats() {
    let mut evaluator = Evaluator::new();
    for round in 0..200 {
        let formats = vec![Format::F32, Format::F64, Format::F16];
        let shape = Shape { widths: vec![32, 64, 16], formats: formats.clone(), arrays: false };
        let mut generator = Generator::new(round, shape);
        for &format in &formats {
            generator.add_var("x", Sort::Float(format));
            generator.add_var("y", Sort::Float(format));
            generator.add_var("n", Sort::Bv(format.width()));
        }
        for _ in 0..20 {
            generator.restart();
            let sort = generator.random.pick(&[
                Sort::Bool,
                Sort::Float(Format::F32),
                Sort::Float(Format::F64),
                Sort::Bv(32),
            ]);
            let raw = generator.term(sort, 4);
            let simple = generator.terms.simplify(raw);
            for _ in 0..12 {
                let model = generator.model();
                let mut evaluation = evaluator.under(&generator.terms, &model);
                let expected = evaluation.value(raw).clone();
                assert_eq!(*evaluation.value(simple), expected, "seed {round}, {model:?}");
            }
        }
    }
}
