//! Every integer and boolean operator against `terms::eval`: all operands at 1 to 4 bits, random and
//! corner operands at larger widths.

mod oracle;

use glassbox_terms::{Op, Sort};
use glassbox_values::Signedness;
use oracle::{Bench, Random};

const BINARY: [Op; 14] = [
    Op::BvAdd,
    Op::BvSub,
    Op::BvMul,
    Op::BvUdiv,
    Op::BvUrem,
    Op::BvSdiv,
    Op::BvSrem,
    Op::BvSmod,
    Op::BvAnd,
    Op::BvOr,
    Op::BvXor,
    Op::BvShl,
    Op::BvLshr,
    Op::BvAshr,
];

const RELATIONS: [Op; 11] = [
    Op::Eq,
    Op::BvUlt,
    Op::BvUle,
    Op::BvSlt,
    Op::BvSle,
    Op::BvAddOverflow(Signedness::Signed),
    Op::BvAddOverflow(Signedness::Unsigned),
    Op::BvSubOverflow(Signedness::Signed),
    Op::BvSubOverflow(Signedness::Unsigned),
    Op::BvMulOverflow(Signedness::Signed),
    Op::BvMulOverflow(Signedness::Unsigned),
];

const UNARY: [Op; 3] = [Op::BvNeg, Op::BvNot, Op::BvNegOverflow];

#[test]
fn booleans() {
    for op in [Op::And, Op::Or] {
        for n_args in 2..=5 {
            Bench::new(op, &vec![Sort::Bool; n_args]).check_all();
        }
    }
    for op in [Op::Xor, Op::Eq] {
        Bench::new(op, &[Sort::Bool; 2]).check_all();
    }
    Bench::new(Op::Not, &[Sort::Bool]).check_all();
    Bench::new(Op::Ite, &[Sort::Bool; 3]).check_all();
}

#[test]
fn binary_operators_at_1_to_4_bits() {
    for width in 1..=4 {
        for op in BINARY {
            Bench::new(op, &[Sort::Bv(width); 2]).check_all();
        }
    }
}

#[test]
fn relations_at_1_to_4_bits() {
    for width in 1..=4 {
        for op in RELATIONS {
            Bench::new(op, &[Sort::Bv(width); 2]).check_all();
        }
    }
}

#[test]
fn unary_operators_and_slices_at_1_to_4_bits() {
    for width in 1..=4 {
        for op in UNARY {
            Bench::new(op, &[Sort::Bv(width)]).check_all();
        }
        Bench::new(Op::Ite, &[Sort::Bool, Sort::Bv(width), Sort::Bv(width)]).check_all();
        for low_width in 1..=3 {
            Bench::new(Op::BvConcat, &[Sort::Bv(width), Sort::Bv(low_width)]).check_all();
        }
        for lo in 0..width {
            for hi in lo..width {
                Bench::new(Op::BvExtract { hi, lo }, &[Sort::Bv(width)]).check_all();
            }
        }
        for wide in width..=width + 3 {
            Bench::new(Op::BvZeroExtend { width: wide }, &[Sort::Bv(width)]).check_all();
            Bench::new(Op::BvSignExtend { width: wide }, &[Sort::Bv(width)]).check_all();
        }
    }
}

#[test]
fn wider_operators_on_random_and_corner_operands() {
    let mut random = Random::new(7);
    for width in [5, 8, 13, 16, 31, 32, 33, 64, 128] {
        let is_slow = |op: Op| {
            matches!(op, Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod | Op::BvMul)
        };
        for op in BINARY.into_iter().chain(RELATIONS) {
            let mut bench = Bench::new(op, &[Sort::Bv(width); 2]);
            let n_samples = if is_slow(op) && width > 33 { 4 } else { 12 };
            for _ in 0..n_samples {
                let operands = [random.value(Sort::Bv(width)), random.value(Sort::Bv(width))];
                bench.check(&operands);
            }
        }
        for op in UNARY {
            let mut bench = Bench::new(op, &[Sort::Bv(width)]);
            for _ in 0..12 {
                bench.check(&[random.value(Sort::Bv(width))]);
            }
        }
    }
}
