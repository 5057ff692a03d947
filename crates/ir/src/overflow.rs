//! The meaning of signed overflow, written into the program: whoever runs, explores or proves it then
//! agrees on it.

use crate::check::{Check, CheckKind};
use crate::instr::{BinaryOp, Instr, InstrKind, PureOp};
use crate::program::Program;

/// What a signed operation does when its exact result does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OverflowMode {
    /// It wraps around and goes on. A quotient that does not fit stays an error: the machine traps.
    Wrap,
    /// Runs that overflow are none of ours.
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
    for body in program.functions.iter_mut().filter_map(|function| function.body.as_mut()) {
        for block in &mut body.blocks {
            let old = std::mem::take(&mut block.instrs);
            let mut rest = old.into_iter().peekable();
            while let Some(instr) = rest.next() {
                let is_division = rest.peek().is_some_and(is_signed_division);
                match (overflow_condition(&instr), mode) {
                    (Some(_), OverflowMode::Wrap) if !is_division => {}
                    (Some(condition), OverflowMode::Reject) => {
                        let kind = InstrKind::Assume { condition };
                        block.instrs.push(Instr { result: None, kind, span: instr.span });
                    }
                    _ => block.instrs.push(instr),
                }
            }
        }
    }
}

fn overflow_condition(instr: &Instr) -> Option<crate::instr::Operand> {
    match &instr.kind {
        InstrKind::Check(Check::Condition {
            kind: CheckKind::SignedOverflow | CheckKind::ShiftOverflow,
            condition,
            ..
        }) => Some(*condition),
        _ => None,
    }
}

fn is_signed_division(instr: &Instr) -> bool {
    matches!(
        instr.kind,
        InstrKind::Pure(PureOp::Binary { op: BinaryOp::Sdiv | BinaryOp::Srem, .. })
    )
}

#[cfg(test)]
mod tests {
    use super::{OverflowMode, apply};
    use crate::text;

    const TEXT: &str = "language c
file0 = \"a.c\"
type0 = int \"int\" 32 signed
fn0 = \"f\" external (i32 type0 \"x\", i32 type0 \"y\") -> i32 type0 @0:1:5-1:6 {
b0(%0: i32, %1: i32):
  %2: i1 = overflows.add.signed %0, %1 @0:1:1-1:2
  %3: i1 = not %2 @0:1:1-1:2
  check signed-overflow %3 values %0, %1 @0:1:1-1:2
  %4: i32 = add %0, %1 @0:1:1-1:2
  %5: i1 = cmp.ne %1, 4294967295:i32 @0:1:1-1:2
  check signed-overflow %5 values %4, %1 @0:1:1-1:2
  %6: i32 = sdiv %4, %1 @0:1:1-1:2
  return %6 @0:1:1-1:2
}
";

    fn count(mode: OverflowMode, word: &str) -> usize {
        let mut program = text::parse_program(TEXT).expect("the text is right");
        apply(&mut program, mode);
        text::print_program(&program).matches(word).count()
    }

    #[test]
    fn each_mode_keeps_what_it_should() {
        assert_eq!(count(OverflowMode::Report, "check signed-overflow"), 2);
        assert_eq!(count(OverflowMode::Wrap, "check signed-overflow"), 1);
        assert_eq!(count(OverflowMode::Reject, "check signed-overflow"), 0);
        assert_eq!(count(OverflowMode::Reject, "assume"), 2);
    }
}
