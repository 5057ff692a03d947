//! The meaning of signed overflow, written into the program, so that runs, paths and proofs agree on it.

use crate::check::{Check, CheckKind};
use crate::instr::{BinaryOp, Instr, InstrKind, PureOp};
use crate::program::Program;

/// What a signed operation does when its exact result does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OverflowMode {
    /// It wraps around and goes on. A quotient that does not fit stays an error in C: the machine traps.
    Wrap,
    /// Runs that overflow are excluded.
    Reject,
    /// It is a run-time error.
    Report,
}

impl OverflowMode {
    /// As written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            OverflowMode::Wrap => "wrap",
            OverflowMode::Reject => "reject",
            OverflowMode::Report => "report",
        }
    }
}

/// Removes the checks of signed overflow (`Wrap`) or turns them into assumptions (`Reject`).
pub fn apply(program: &mut Program, mode: OverflowMode) {
    if mode == OverflowMode::Report {
        return;
    }
    let may_trap = program.language.errors_are_undefined();
    for body in program.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        for block in &mut body.blocks {
            let old = std::mem::take(&mut block.instrs);
            let mut rest = old.into_iter().peekable();
            while let Some(instr) = rest.next() {
                let is_division = may_trap && rest.peek().is_some_and(is_signed_division);
                match (overflow_condition(&instr), mode) {
                    (Some(_), OverflowMode::Wrap) if !is_division => {}
                    (Some(condition), OverflowMode::Reject) => {
                        let kind = InstrKind::Assume { condition };
                        block.instrs.push(Instr { result: None, kind, span: instr.span });
                    }
                    (Some(_), OverflowMode::Wrap | OverflowMode::Report) | (None, _) => {
                        block.instrs.push(instr);
                    }
                }
            }
        }
    }
}

fn overflow_condition(instr: &Instr) -> Option<crate::instr::Operand> {
    let InstrKind::Check(Check::Condition { kind, condition, .. }) = &instr.kind else {
        return None;
    };
    matches!(kind, CheckKind::SignedOverflow | CheckKind::ShiftOverflow).then_some(*condition)
}

fn is_signed_division(instr: &Instr) -> bool {
    matches!(
        instr.kind,
        InstrKind::Pure(PureOp::Binary { op: BinaryOp::Sdiv | BinaryOp::Srem, .. })
    )
}
