//! Every integer and boolean propagator on all boxes of small universes.

#![allow(clippy::disallowed_methods, reason = "variables widen what is tested")]

mod array;
mod bit;
mod boolean;
mod cmp;
mod int;
mod kit;

use glassbox_checkers::holds;
use glassbox_propagators::Relation;
use glassbox_terms::{BvOp, Op, Value};
use glassbox_values::Bits;
use kit::{Case, Width, check};

fn value(width: Width, number: u64) -> Value {
    match width {
        Width::Bool => Value::Bool(number == 1),
        Width::Bits(width) => Value::Bv(Bits::new(number.into(), width)),
    }
}

/// An operator on two vectors, at 1 to 4 bits and with shared variables.
#[track_caller]
fn check_binary(op: BvOp, relation: impl Relation + Copy + 'static) {
    for width in 1..=2 {
        check_op(op, Box::new(relation), &[Width::Bits(width); 3], 1);
    }
    check_op(op, Box::new(relation), &[Width::Bits(3); 3], 5);
    check_op(op, Box::new(relation), &[Width::Bits(4); 3], 1481);
    for args in [[0, 1, 1], [0, 0, 1], [0, 1, 0]] {
        check_shared(op, Box::new(relation), &[Width::Bits(3); 2], &args, 1);
    }
}

/// The relation against the checker of an operator, on `[result, operands...]`.
fn check_op(op: impl Into<Op>, relation: Box<dyn Relation>, widths: &[Width], every: usize) {
    check_shared(op, relation, widths, &(0..widths.len()).collect::<Vec<_>>(), every);
}

/// The same with the variable of each argument given.
fn check_shared(
    op: impl Into<Op>,
    relation: Box<dyn Relation>,
    widths: &[Width],
    args: &[usize],
    every: usize,
) {
    let op = op.into();
    let case = Case {
        name: format!("{op:?} {widths:?} {args:?}"),
        widths: widths.to_vec(),
        args: args.to_vec(),
        every,
    };
    let sorts: Vec<Width> = args.iter().map(|&var| widths[var]).collect();
    check(&case, relation, &|numbers| {
        let values: Vec<Value> =
            sorts.iter().zip(numbers).map(|(&width, &number)| value(width, number)).collect();
        holds(op, &values[1..], &values[0]).expect("a checked operator")
    });
}

/// The relation against a truth of its own.
fn check_truth(
    name: &str,
    relation: Box<dyn Relation>,
    widths: &[Width],
    every: usize,
    truth: impl Fn(&[u64]) -> bool,
) {
    let args = (0..widths.len()).collect();
    let name = name.to_owned();
    check(&Case { name, widths: widths.to_vec(), args, every }, relation, &truth);
}
