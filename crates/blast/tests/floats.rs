//! Every float operator against `terms::eval`: all operands of a tiny format in every rounding mode,
//! random and corner operands of the binary formats.

mod oracle;

use glassbox_terms::family::{FP_EXACT, FP_RELATION, FP_TEST, fp_rounded};
use glassbox_terms::{FpOp, Op, Sort};
use glassbox_testkit::Random;
use glassbox_values::{Format, Signedness};
use oracle::{Bench, MODES, Operands, TINY};

const BINARY_FORMATS: [Format; 3] = [Format::F16, Format::F32, Format::F64];

fn exact_binary() -> impl Iterator<Item = Op> {
    FP_EXACT.into_iter().chain(FP_RELATION).chain([Op::Eq])
}

fn all_pairs_of_the_tiny_format(op_number: usize) {
    for mode in MODES {
        Bench::new(fp_rounded(mode)[op_number], &[Sort::Float(TINY); 2]).check_all();
    }
}

#[test]
fn tiny_add_in_every_mode() {
    all_pairs_of_the_tiny_format(0);
}

#[test]
fn tiny_sub_in_every_mode() {
    all_pairs_of_the_tiny_format(1);
}

#[test]
fn tiny_mul_in_every_mode() {
    all_pairs_of_the_tiny_format(2);
}

#[test]
fn tiny_div_in_every_mode() {
    all_pairs_of_the_tiny_format(3);
}

#[test]
fn tiny_exact_binary_operators() {
    for op in exact_binary() {
        Bench::new(op, &[Sort::Float(TINY); 2]).check_all();
    }
}

#[test]
fn tiny_unary_operators() {
    for op in [FpOp::Abs, FpOp::Neg, FpOp::ToBits].map(Op::Fp).into_iter().chain(FP_TEST) {
        Bench::new(op, &[Sort::Float(TINY)]).check_all();
    }
    Bench::new(Op::Fp(FpOp::FromBits(TINY)), &[Sort::Bv(TINY.width())]).check_all();
    // The other small formats have their own corners: two exponent bits, a long significand.
    for (exponent, significand) in [(3, 3), (2, 2), (2, 5), (4, 2), (3, 5)] {
        let format = Format { exponent, significand };
        for mode in MODES {
            for op in [Op::Fp(FpOp::Sqrt(mode)), Op::Fp(FpOp::RoundToIntegral(mode))] {
                Bench::new(op, &[Sort::Float(format)]).check_all();
            }
        }
    }
}

#[test]
fn tiny_conversions_between_formats() {
    let formats = [(3, 3), (2, 2), (2, 4), (4, 2), (3, 5), (5, 11)]
        .map(|(exponent, significand)| Format { exponent, significand });
    for from in &formats[..5] {
        for &to in &formats {
            for mode in MODES {
                let op = Op::Fp(FpOp::ToFp { format: to, rounding: mode });
                Bench::new(op, &[Sort::Float(*from)]).check_all();
            }
        }
    }
}

#[test]
fn tiny_conversions_to_and_from_integers() {
    for signedness in [Signedness::Signed, Signedness::Unsigned] {
        for rounding in MODES {
            for width in 1..=5 {
                let op = Op::Fp(FpOp::FromInt { format: TINY, rounding, signedness });
                Bench::new(op, &[Sort::Bv(width)]).check_all();
            }
            for width in [1, 2, 3, 4, 5, 8] {
                let op = Op::Fp(FpOp::ToInt { width, rounding, signedness });
                Bench::new(op, &[Sort::Float(TINY)]).check_all();
            }
        }
    }
}

#[test]
fn tiny_fma_on_samples() {
    let mut random = Random::new(11);
    for mode in MODES {
        let mut bench = Bench::new(Op::Fp(FpOp::Fma(mode)), &[Sort::Float(TINY); 3]);
        for _ in 0..2_000 {
            let operands = [random.float(TINY), random.float(TINY), random.float(TINY)];
            bench.check(&operands);
        }
    }
}

#[test]
fn other_small_formats_on_samples() {
    let mut random = Random::new(12);
    for (exponent, significand) in [(2, 2), (2, 6), (5, 2), (4, 4)] {
        let format = Format { exponent, significand };
        for mode in MODES {
            for op in fp_rounded(mode) {
                let mut bench = Bench::new(op, &[Sort::Float(format); 2]);
                for _ in 0..60 {
                    bench.check(&[random.float(format), random.float(format)]);
                }
            }
            let mut bench = Bench::new(Op::Fp(FpOp::Fma(mode)), &[Sort::Float(format); 3]);
            for _ in 0..60 {
                bench.check(&[random.float(format), random.float(format), random.float(format)]);
            }
        }
        for op in exact_binary() {
            let mut bench = Bench::new(op, &[Sort::Float(format); 2]);
            for _ in 0..60 {
                bench.check(&[random.float(format), random.float(format)]);
            }
        }
    }
}

#[test]
fn binary_formats_on_random_and_corner_operands() {
    let mut random = Random::new(13);
    for format in BINARY_FORMATS {
        let is_wide = format == Format::F64;
        let n_samples = if is_wide { 3 } else { 8 };
        for mode in MODES {
            for op in fp_rounded(mode) {
                let mut bench = Bench::new(op, &[Sort::Float(format); 2]);
                for _ in 0..n_samples {
                    bench.check(&[random.float(format), random.float(format)]);
                }
            }
            for op in [Op::Fp(FpOp::Sqrt(mode)), Op::Fp(FpOp::RoundToIntegral(mode))] {
                let mut bench = Bench::new(op, &[Sort::Float(format)]);
                for _ in 0..n_samples {
                    bench.check(&[random.float(format)]);
                }
            }
            let mut bench = Bench::new(Op::Fp(FpOp::Fma(mode)), &[Sort::Float(format); 3]);
            for _ in 0..n_samples {
                bench.check(&[random.float(format), random.float(format), random.float(format)]);
            }
        }
        for op in exact_binary() {
            if is_wide && matches!(op, Op::Fp(FpOp::Rem | FpOp::Fmod)) {
                continue;
            }
            let mut bench = Bench::new(op, &[Sort::Float(format); 2]);
            for _ in 0..n_samples {
                bench.check(&[random.float(format), random.float(format)]);
            }
        }
    }
}

#[test]
fn binary_conversions_on_random_and_corner_operands() {
    let mut random = Random::new(14);
    for format in BINARY_FORMATS {
        for rounding in MODES {
            for to in BINARY_FORMATS {
                let op = Op::Fp(FpOp::ToFp { format: to, rounding });
                let mut bench = Bench::new(op, &[Sort::Float(format)]);
                for _ in 0..6 {
                    bench.check(&[random.float(format)]);
                }
            }
            for signedness in [Signedness::Signed, Signedness::Unsigned] {
                for width in [1, 8, 16, 32, 64, 128] {
                    let op = Op::Fp(FpOp::FromInt { format, rounding, signedness });
                    let mut bench = Bench::new(op, &[Sort::Bv(width)]);
                    for _ in 0..4 {
                        bench.check(&[random.value(Sort::Bv(width))]);
                    }
                    let op = Op::Fp(FpOp::ToInt { width, rounding, signedness });
                    let mut bench = Bench::new(op, &[Sort::Float(format)]);
                    for _ in 0..4 {
                        bench.check(&[random.float(format)]);
                    }
                }
            }
        }
    }
}
