//! The float checkers against the reference semantics, in both directions: what `eval` computes holds,
//! and nothing else does.

use glassbox_checkers::holds;
use glassbox_terms::family::{FP_EXACT, FP_RELATION, FP_TEST, fp_rounded};
use glassbox_terms::{FpOp, Op, Value, eval};
use glassbox_testkit::Random;
use glassbox_values::{Bits, Float, Format, RoundingMode, Signedness};

/// Three exponent bits, two stored significand bits: 58 numbers and NaN.
const TINY: Format = Format { exponent: 3, significand: 3 };
const NARROW: Format = Format { exponent: 3, significand: 2 };
const WIDE: Format = Format { exponent: 4, significand: 4 };

fn all_floats(format: Format) -> Vec<Value> {
    let infinity =
        i64::try_from(Float::infinity(glassbox_values::Sign::Positive, format).to_bits())
            .expect("small");
    (-1 - infinity..=infinity)
        .filter_map(|index| Float::from_order_index(index, format))
        .chain([Float::nan(format)])
        .map(Value::Float)
        .collect()
}

fn all_bits(width: u8) -> Vec<Value> {
    (0..1_u128 << width).map(|value| Value::Bv(Bits::new(value, width))).collect()
}

/// For these operands exactly one candidate holds: the one `eval` computes.
#[track_caller]
fn check(op: Op, operands: &[Value], candidates: &[Value]) {
    let value = eval::apply(op, operands.len(), |position| &operands[position]);
    for candidate in candidates {
        assert_eq!(
            holds(op, operands, candidate),
            Some(*candidate == value),
            "{op:?} {operands:?} = {value:?}, candidate {candidate:?}"
        );
    }
}

#[test]
fn binary_operations_on_all_tiny_floats() {
    let floats = all_floats(TINY);
    let rounded = RoundingMode::ALL.into_iter().flat_map(fp_rounded);
    for op in FP_EXACT.into_iter().chain(rounded) {
        for x in &floats {
            for (index, y) in floats.iter().enumerate() {
                let operands = [x.clone(), y.clone()];
                // The right candidate and its neighbors always, the others in turn.
                let value = eval::apply(op, 2, |position| &operands[position]);
                let place = floats.iter().position(|float| *float == value).expect("a tiny float");
                let near = floats[place.saturating_sub(2)..floats.len().min(place + 3)].to_vec();
                check(op, &operands, &near);
                check(op, &operands, &floats[index..=index]);
            }
        }
    }
}

#[test]
fn unary_operations_on_all_tiny_floats() {
    let floats = all_floats(TINY);
    for mode in RoundingMode::ALL {
        for op in [
            Op::Fp(FpOp::Sqrt(mode)),
            Op::Fp(FpOp::RoundToIntegral(mode)),
            Op::Fp(FpOp::Abs),
            Op::Fp(FpOp::Neg),
        ] {
            for x in &floats {
                check(op, std::slice::from_ref(x), &floats);
            }
        }
        for format in [NARROW, WIDE] {
            for (from, to) in [(TINY, format), (format, TINY)] {
                for x in &all_floats(from) {
                    let op = Op::Fp(FpOp::ToFp { format: to, rounding: mode });
                    check(op, std::slice::from_ref(x), &all_floats(to));
                }
            }
        }
    }
}

#[test]
fn predicates_on_all_tiny_floats() {
    let floats = all_floats(TINY);
    let truths = [Value::Bool(false), Value::Bool(true)];
    for op in FP_TEST {
        for x in &floats {
            check(op, std::slice::from_ref(x), &truths);
        }
    }
    for op in [Op::Eq].into_iter().chain(FP_RELATION) {
        for x in &floats {
            for y in &floats {
                check(op, &[x.clone(), y.clone()], &truths);
            }
        }
    }
}

#[test]
fn conversions_with_integers_and_encodings() {
    let floats = all_floats(TINY);
    for x in &floats {
        check(Op::Fp(FpOp::ToBits), std::slice::from_ref(x), &all_bits(6));
    }
    for x in &all_bits(6) {
        check(Op::Fp(FpOp::FromBits(TINY)), std::slice::from_ref(x), &floats);
    }
    for mode in RoundingMode::ALL {
        for signedness in [Signedness::Signed, Signedness::Unsigned] {
            for width in [1, 3, 5] {
                let op = Op::Fp(FpOp::ToInt { width, rounding: mode, signedness });
                for x in &floats {
                    check(op, std::slice::from_ref(x), &all_bits(width));
                }
                let op = Op::Fp(FpOp::FromInt { format: TINY, rounding: mode, signedness });
                for x in &all_bits(width) {
                    check(op, std::slice::from_ref(x), &floats);
                }
            }
        }
    }
}

#[test]
fn fused_products_on_a_sample_of_tiny_floats() {
    let floats = all_floats(TINY);
    for mode in RoundingMode::ALL {
        for (index, x) in floats.iter().enumerate() {
            for y in floats.iter().skip(index % 3).step_by(3) {
                for z in floats.iter().skip(index % 4).step_by(4) {
                    let operands = [x.clone(), y.clone(), z.clone()];
                    let op = Op::Fp(FpOp::Fma(mode));
                    let value = eval::apply(op, 3, |position| &operands[position]);
                    let place = floats.iter().position(|f| *f == value).expect("a tiny float");
                    check(
                        op,
                        &operands,
                        &floats[place.saturating_sub(1)..floats.len().min(place + 2)],
                    );
                }
            }
        }
    }
}

/// On the large formats: the value of `eval` holds, and its neighbors do not.
#[test]
fn single_and_double_on_corner_and_random_operands() {
    let mut random = Random::new(1);
    let mut next = || random.draw();
    for format in [Format::F32, Format::F64] {
        for round in 0..250 {
            let middle = 1 << (format.width() - 2);
            let mut operand = || match next() % 3 {
                0 => Float::from_bits(next(), format),
                1 => Float::from_bits(middle ^ (next() & 0xff), format),
                _ => {
                    let spread = 8 << (format.significand - 1);
                    Float::from_bits(middle - spread / 2 + next() % spread, format)
                }
            };
            let operands = [operand(), operand(), operand()].map(Value::Float);
            let mode = RoundingMode::ALL[round % 5];
            for op in fp_rounded(mode) {
                check_near(op, &operands[..2]);
            }
            check_near(Op::Fp(FpOp::Fma(mode)), &operands);
            check_near(Op::Fp(FpOp::Sqrt(mode)), &operands[..1]);
            check_near(Op::Fp(FpOp::RoundToIntegral(mode)), &operands[..1]);
            check_near(Op::Fp(FpOp::ToFp { format: Format::F32, rounding: mode }), &operands[..1]);
            check_near(Op::Fp(FpOp::Fmod), &operands[..2]);
            check_near(Op::Fp(FpOp::Rem), &operands[..2]);
        }
    }
}

#[track_caller]
fn check_near(op: Op, operands: &[Value]) {
    let Value::Float(value) = eval::apply(op, operands.len(), |position| &operands[position])
    else {
        panic!("{op:?} should give a float")
    };
    let candidates = [value, value.next_up(), value.next_down(), value.neg()].map(Value::Float);
    check(op, operands, &candidates);
}
