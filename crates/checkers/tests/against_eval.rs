//! The naive relations against the evaluator, in both directions, on all small operands.

use glassbox_checkers::holds;
use glassbox_terms::eval::apply;
use glassbox_terms::family::{BV_COMBINE, bv_relations};
use glassbox_terms::{BoolOp, BvOp, Op, Value};
use glassbox_values::Bits;

fn vectors(width: u8) -> Vec<Value> {
    (0..1u128 << width).map(|value| Value::Bv(Bits::new(value, width))).collect()
}

fn results(op: Op, operands: &[Value]) -> Vec<Value> {
    match apply(op, operands.len(), |position| &operands[position]) {
        Value::Bool(_) => vec![Value::Bool(false), Value::Bool(true)],
        Value::Bv(bits) => vectors(bits.width()),
        other @ (Value::Float(_) | Value::Array(_)) => panic!("{op:?} gives {other:?}"),
    }
}

/// The checker accepts exactly the value of the evaluator.
fn check(op: Op, operands: &[Value]) {
    let value = apply(op, operands.len(), |position| &operands[position]);
    for result in results(op, operands) {
        let expected = Some(result == value);
        assert_eq!(holds(op, operands, &result), expected, "{op:?} {operands:?} = {result:?}");
    }
}

fn binary_ops() -> impl Iterator<Item = Op> {
    BV_COMBINE.into_iter().chain([Op::Bv(BvOp::Concat)]).chain(bv_relations())
}

#[test]
fn binary_relations_agree_with_eval_at_1_to_3_bits() {
    for width in 1..=3 {
        for x in vectors(width) {
            for y in vectors(width) {
                for op in binary_ops() {
                    check(op, &[x.clone(), y.clone()]);
                }
            }
        }
    }
}

#[test]
fn unary_relations_agree_with_eval_at_1_to_4_bits() {
    for width in 1..=4 {
        for x in vectors(width) {
            let mut ops = vec![
                Op::Bv(BvOp::Not),
                Op::Bv(BvOp::Neg),
                Op::Bv(BvOp::NegOverflow),
                Op::Bv(BvOp::ZeroExtend { width: width + 2 }),
                Op::Bv(BvOp::SignExtend { width: width + 2 }),
            ];
            for hi in 0..width {
                ops.extend((0..=hi).map(|lo| Op::Bv(BvOp::Extract { hi, lo })));
            }
            for op in ops {
                check(op, std::slice::from_ref(&x));
            }
        }
    }
}

#[test]
fn wide_relations_agree_with_eval_at_the_corners() {
    for width in [64, 65, 127, 128] {
        let top = u128::MAX >> (128 - width);
        let corners: Vec<Value> = [0, 1, 2, 7, top / 2, top / 2 + 1, top / 3, top - 1, top]
            .map(|value| Value::Bv(Bits::new(value, width)))
            .to_vec();
        for x in &corners {
            for y in &corners {
                for op in binary_ops().filter(|&op| op != Op::Bv(BvOp::Concat)) {
                    let operands = [x.clone(), y.clone()];
                    let value = apply(op, 2, |position| &operands[position]);
                    assert_eq!(holds(op, &operands, &value), Some(true), "{op:?} {operands:?}");
                    for other in &corners {
                        if *other != value && other.sort() == value.sort() {
                            assert_eq!(holds(op, &operands, other), Some(false));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn connectives_agree_with_eval() {
    let truths = [false, true].map(Value::Bool);
    for x in &truths {
        check(Op::Bool(BoolOp::Not), std::slice::from_ref(x));
        for y in &truths {
            for op in [Op::Bool(BoolOp::And), Op::Bool(BoolOp::Or), Op::Bool(BoolOp::Xor), Op::Eq] {
                check(op, &[x.clone(), y.clone()]);
            }
            for z in &truths {
                for op in [Op::Bool(BoolOp::And), Op::Bool(BoolOp::Or), Op::Ite] {
                    check(op, &[x.clone(), y.clone(), z.clone()]);
                }
            }
        }
        for then in vectors(2) {
            for otherwise in vectors(2) {
                check(Op::Ite, &[x.clone(), then.clone(), otherwise]);
            }
        }
    }
}
