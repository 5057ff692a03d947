//! Terminators: arguments match parameters, cases are disjoint, returns match the function.

use glassbox_values::Bits;

use super::Verifier;
use super::error::BrokenRule;
use crate::block::{SwitchCase, Target, Terminator};
use crate::instr::Operand;
use crate::ty::Ty;

pub(super) fn verify_terminators(verifier: &mut Verifier<'_>) {
    let body = verifier.body;
    for block in body.block_ids() {
        verifier.at(block, None);
        let terminator = &body.block(block).terminator;
        match terminator {
            Terminator::Jump(goal) => target(verifier, goal),
            Terminator::Branch { condition, if_true, if_false, .. } => {
                verifier.expect(*condition, Ty::BOOL);
                target(verifier, if_true);
                target(verifier, if_false);
            }
            Terminator::Switch { value, cases: list, default } => {
                verifier.expect_int(*value);
                cases(verifier, *value, list);
                target(verifier, default);
            }
            Terminator::Return(value) => returned(verifier, *value),
            Terminator::Unreachable => {}
        }
    }
    verifier.place = None;
}

fn target(verifier: &mut Verifier<'_>, target: &Target) {
    let params = &verifier.body.block(target.block).params;
    let expected = params.len();
    let found = target.args.len();
    if expected != found {
        verifier.report(BrokenRule::TargetArity { target: target.block, expected, found });
        return;
    }
    for (&param, &arg) in params.iter().zip(&target.args) {
        let ty = verifier.value_ty(param);
        verifier.expect(arg, ty);
    }
}

fn returned(verifier: &mut Verifier<'_>, value: Option<Operand>) {
    let expected = verifier.function.result.direct();
    let found = value.map(|value| verifier.ty(value));
    verifier.require(expected == found, BrokenRule::ReturnMismatch { expected, found });
}

fn cases(verifier: &mut Verifier<'_>, value: Operand, cases: &[SwitchCase]) {
    let ty = verifier.ty(value);
    let mut ranges: Vec<(u128, u128)> = Vec::new();
    for case in cases {
        verifier.expect(Operand::Int(case.low), ty);
        verifier.expect(Operand::Int(case.high), ty);
        target(verifier, &case.target);
        push_range(&mut ranges, case.low, case.high);
    }
    ranges.sort_unstable();
    let is_disjoint = ranges.windows(2).all(|pair| pair[0].1 < pair[1].0);
    verifier.require(is_disjoint, BrokenRule::OverlappingCases);
}

/// Counts up from `low` to `high`; a range that is signed (low is negative) wraps in unsigned terms and
/// becomes two.
fn push_range(ranges: &mut Vec<(u128, u128)>, low: Bits, high: Bits) {
    if low.unsigned() <= high.unsigned() {
        ranges.push((low.unsigned(), high.unsigned()));
    } else {
        ranges.push((low.unsigned(), Bits::ones(low.width()).unsigned()));
        ranges.push((0, high.unsigned()));
    }
}
