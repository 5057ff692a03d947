//! What instructions without effects mean, as terms: one place for all engines that reason.
//!
//! The interpreter's `pure` is the same for numbers; tests compare the two. Not here: memory, pointers, control.

pub mod cast;
pub mod float;
pub mod integer;

use glassbox_ir::{PureOp, SwitchCase};
use glassbox_terms::{TermId, Terms};

/// The result of an instruction over the terms of its operands, in order; `None` where a pointer takes part.
pub fn number(terms: &mut Terms, op: &PureOp, args: &[TermId]) -> Option<TermId> {
    Some(match *op {
        PureOp::Unary { op, .. } => integer::unary(terms, op, args[0]),
        PureOp::Binary { op, .. } => integer::binary(terms, op, args[0], args[1]),
        PureOp::Compare { op, .. } => integer::compare(terms, op, args[0], args[1]),
        PureOp::Overflows { op, signedness, .. } => {
            integer::overflows(terms, op, signedness, args[0], args[1])
        }
        PureOp::Select { .. } => terms.ite(args[0], args[1], args[2]),
        PureOp::Cast { op, to, .. } => return cast::cast(terms, op, args[0], to),
        PureOp::FloatUnary { op, .. } => float::unary(terms, op, args[0]),
        PureOp::FloatBinary { op, .. } => float::binary(terms, op, args[0], args[1]),
        PureOp::FloatFma { .. } => terms.fp_fma(float::NEAREST, args[0], args[1], args[2]),
        PureOp::FloatCompare { op, .. } => float::compare(terms, op, args[0], args[1]),
        PureOp::FloatClassify { op, .. } => float::classify(terms, op, args[0]),
    })
}

/// When each way of a switch is taken: one per case, then the default.
pub fn switch_ways(terms: &mut Terms, value: TermId, cases: &[SwitchCase]) -> Vec<TermId> {
    let mut ways = Vec::new();
    for case in cases {
        let low = terms.bv_const(case.low);
        ways.push(if case.low == case.high {
            terms.eq(value, low)
        } else {
            // Distance from the lowest value, counted upward: right in both signednesses.
            let distance = terms.bv_sub(value, low);
            let span = terms.bv_const(case.high.sub(case.low));
            terms.bv_ule(distance, span)
        });
    }
    let others: Vec<TermId> = ways.iter().map(|&way| terms.not(way)).collect();
    ways.push(match others.as_slice() {
        [] => terms.bool_const(true),
        [only] => *only,
        several => terms.and(several),
    });
    ways
}
