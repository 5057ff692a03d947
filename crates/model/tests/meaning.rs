//! Instructions as terms against the interpreter: every operand of small widths, corners and random floats.

use glassbox_interp::pure;
use glassbox_ir::instr::{
    BinaryOp, CastOp, CompareOp, FloatBinaryOp, FloatClassifyOp, FloatCompareOp, FloatUnaryOp,
    OverflowOp, UnaryOp,
};
use glassbox_ir::{Operand, PureOp, Ty};
use glassbox_model::meaning::number;
use glassbox_terms::{Evaluator, Model, Terms, Value};
use glassbox_values::{Bits, Float, Format, RoundingMode, Signedness};

const SIGNEDNESS: [Signedness; 2] = [Signedness::Signed, Signedness::Unsigned];

/// The interpreter's result on constant operands.
fn interpreted(op: &PureOp) -> u128 {
    let read = |operand: Operand| match operand {
        Operand::Int(bits) => (bits.unsigned(), Ty::Int(bits.width())),
        Operand::Float(float) => (float.to_bits().into(), Ty::Float(float.format())),
        Operand::Value(_) | Operand::NullPtr | Operand::Global(_) | Operand::Func(_) => {
            panic!("{operand:?} is no number")
        }
    };
    pure::evaluate(op, read)
}

/// The bits of the same as a closed term; `None` for NaN, which has many.
fn evaluated(terms: &mut Terms, op: &PureOp) -> Option<u128> {
    let mut args = Vec::new();
    op.for_each_operand(|operand| {
        args.push(match *operand {
            Operand::Int(bits) if bits.width() == 1 => terms.bool_const(bits.is_true()),
            Operand::Int(bits) => terms.bv_const(bits),
            Operand::Float(float) => terms.float_const(float),
            Operand::Value(_) | Operand::NullPtr | Operand::Global(_) | Operand::Func(_) => {
                panic!("{operand:?} is no number")
            }
        });
    });
    let term = number(terms, op, &args).expect("no pointer takes part");
    match Evaluator::new().under(terms, &Model::new()).value(term) {
        Value::Bool(truth) => Some((*truth).into()),
        Value::Bv(bits) => Some(bits.unsigned()),
        Value::Float(float) => (!float.is_nan()).then(|| float.to_bits().into()),
        Value::Array(_) => panic!("an array"),
    }
}

#[track_caller]
fn agree(terms: &mut Terms, op: &PureOp) {
    assert_eq!(evaluated(terms, op), Some(interpreted(op)), "{op:?}");
}

#[test]
fn integers_of_small_widths_mean_what_the_interpreter_computes() {
    let unary = [UnaryOp::Neg, UnaryOp::Not, UnaryOp::Clz, UnaryOp::Ctz, UnaryOp::Popcount];
    let binary = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Udiv,
        BinaryOp::Urem,
        BinaryOp::Sdiv,
        BinaryOp::Srem,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Shl,
        BinaryOp::Lshr,
        BinaryOp::Ashr,
    ];
    let compare = [
        CompareOp::Eq,
        CompareOp::Ne,
        CompareOp::Ult,
        CompareOp::Ule,
        CompareOp::Slt,
        CompareOp::Sle,
    ];
    for width in 1..=4 {
        let mut terms = Terms::new();
        for a in (0..1 << width).map(|word| Bits::new(word, width)) {
            for op in unary {
                agree(&mut terms, &PureOp::Unary { op, arg: a.into() });
            }
            for b in (0..1 << width).map(|word| Bits::new(word, width)) {
                let (lhs, rhs) = (Operand::Int(a), Operand::Int(b));
                for op in binary {
                    agree(&mut terms, &PureOp::Binary { op, lhs, rhs });
                }
                for op in compare {
                    agree(&mut terms, &PureOp::Compare { op, lhs, rhs });
                }
                for op in [OverflowOp::Add, OverflowOp::Sub, OverflowOp::Mul] {
                    for signedness in SIGNEDNESS {
                        agree(&mut terms, &PureOp::Overflows { op, signedness, lhs, rhs });
                    }
                }
            }
        }
    }
}

#[test]
fn integers_of_different_widths_are_cast_alike() {
    let mut terms = Terms::new();
    for from in 1..=5u8 {
        for word in 0..1 << from {
            let bits = Bits::new(word, from);
            for to in 1..=6u8 {
                let ops: &[CastOp] = if to < from {
                    &[CastOp::Truncate]
                } else {
                    &[CastOp::ZeroExtend, CastOp::SignExtend]
                };
                for &op in ops {
                    let to = Ty::Int(to);
                    agree(&mut terms, &PureOp::Cast { op, arg: bits.into(), to });
                }
            }
            for signedness in SIGNEDNESS {
                for format in [Format::F32, Format::F64] {
                    let (op, to) = (CastOp::IntToFloat(signedness), Ty::Float(format));
                    agree(&mut terms, &PureOp::Cast { op, arg: bits.into(), to });
                }
            }
        }
    }
}

fn floats(format: Format) -> Vec<Float> {
    let numbers = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.1,
        2.5,
        -3.5,
        127.5,
        -128.5,
        255.0,
        1e10,
        -1e10,
        3e38,
        -1e300,
        1e-40,
        5e-324,
        2_147_483_648.0,
        -2_147_483_649.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let nearest = RoundingMode::NearestEven;
    numbers.iter().map(|&number| Float::from_f64(number).convert(format, nearest)).collect()
}

/// NaN on both sides, or the same bits.
#[track_caller]
fn agree_floats(terms: &mut Terms, op: &PureOp, format: Format) {
    let expected = Float::from_bits(u64::try_from(interpreted(op)).expect("64 bits"), format);
    let expected = (!expected.is_nan()).then(|| u128::from(expected.to_bits()));
    assert_eq!(evaluated(terms, op), expected, "{op:?}");
}

#[test]
fn floats_mean_what_the_interpreter_computes() {
    let unary = [
        FloatUnaryOp::Neg,
        FloatUnaryOp::Abs,
        FloatUnaryOp::Sqrt,
        FloatUnaryOp::Round(RoundingMode::TowardZero),
        FloatUnaryOp::Round(RoundingMode::TowardPositive),
    ];
    let binary = [
        FloatBinaryOp::Add,
        FloatBinaryOp::Sub,
        FloatBinaryOp::Mul,
        FloatBinaryOp::Div,
        FloatBinaryOp::Fmod,
        FloatBinaryOp::Remainder,
        FloatBinaryOp::JavaMin,
        FloatBinaryOp::JavaMax,
    ];
    let compare = [FloatCompareOp::Eq, FloatCompareOp::Ne, FloatCompareOp::Lt, FloatCompareOp::Le];
    let classify = [
        FloatClassifyOp::IsNan,
        FloatClassifyOp::IsInfinite,
        FloatClassifyOp::IsFinite,
        FloatClassifyOp::IsNormal,
        FloatClassifyOp::IsSubnormal,
        FloatClassifyOp::IsZero,
    ];
    for format in [Format::F32, Format::F64] {
        let mut terms = Terms::new();
        for a in floats(format) {
            let arg = Operand::Float(a);
            for op in unary {
                agree_floats(&mut terms, &PureOp::FloatUnary { op, arg }, format);
            }
            for op in classify {
                agree(&mut terms, &PureOp::FloatClassify { op, arg });
            }
            for width in [8, 32, 64] {
                let (op, to) = (CastOp::FloatToIntSaturating, Ty::Int(width));
                agree(&mut terms, &PureOp::Cast { op, arg, to });
            }
            for other in [Format::F32, Format::F64] {
                let (op, to) = (CastOp::FloatToFloat, Ty::Float(other));
                agree_floats(&mut terms, &PureOp::Cast { op, arg, to }, other);
            }
            for b in floats(format) {
                let (lhs, rhs) = (arg, Operand::Float(b));
                for op in binary {
                    agree_floats(&mut terms, &PureOp::FloatBinary { op, lhs, rhs }, format);
                }
                for op in compare {
                    agree(&mut terms, &PureOp::FloatCompare { op, lhs, rhs });
                }
            }
        }
    }
}
