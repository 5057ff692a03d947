//! Reports of undefined behavior: kind, place, values, memory, stack.

use glassbox_ir::{Check, CheckKind, Instr, InstrKind, Span, Ty};

use crate::code::Code;
use crate::machine::Machine;
use crate::memory::MemoryError;
use crate::outcome::{AccessedMemory, Outcome, StackEntry, UndefinedBehavior};
use crate::step::Stop;

impl Machine<'_> {
    pub(crate) fn stack(&self, span: Span) -> Vec<StackEntry> {
        let mut entries: Vec<StackEntry> = Vec::new();
        for (position, frame) in self.frames.iter().enumerate() {
            let at = self.frames.get(position + 1).map_or(span, |callee| callee.call_span);
            entries.push(StackEntry { function: frame.code.function, span: at });
        }
        entries
    }

    #[cold]
    pub(crate) fn undefined(
        &self,
        kind: CheckKind,
        span: Span,
        addresses: Vec<u128>,
        message: Option<String>,
    ) -> Stop {
        let stack = self.stack(span);
        Box::new(Outcome::Undefined(Box::new(UndefinedBehavior {
            kind,
            span,
            value_types: vec![Ty::Ptr; addresses.len()],
            values: addresses,
            message,
            memory: None,
            stack,
        })))
    }

    #[cold]
    pub(crate) fn at_fixed_address(&self, span: Span) -> Stop {
        let what = glassbox_ir::fixed_memory::NAME.to_owned();
        Box::new(Outcome::Unsupported { what, span })
    }

    #[cold]
    pub(crate) fn undefined_memory(&self, error: MemoryError, span: Span) -> Stop {
        let is_number = matches!(error.kind, CheckKind::NullDereference | CheckKind::BadPointer)
            && error.object.is_none();
        if is_number && self.is_fixed(error.offset.cast_unsigned())
            || error.object.is_some_and(|id| self.fixed_address(id).is_some())
        {
            return self.at_fixed_address(span);
        }
        let memory = error.object.map(|id| {
            let object = self.memory.object(id);
            AccessedMemory {
                kind: object.kind,
                state: object.state,
                origin: object.origin,
                size: object.size(),
                offset: error.offset,
                len: error.len,
            }
        });
        let stack = self.stack(span);
        Box::new(Outcome::Undefined(Box::new(UndefinedBehavior {
            kind: error.kind,
            span,
            values: vec![],
            value_types: vec![],
            message: None,
            memory,
            stack,
        })))
    }

    #[cold]
    pub(crate) fn failed_condition(&self, code: &Code, instr: &Instr) -> Stop {
        let InstrKind::Check(Check::Condition { kind, values, demand, .. }) = &instr.kind else {
            return self.undefined(CheckKind::Unreachable, instr.span, vec![], None);
        };
        Box::new(Outcome::Undefined(Box::new(UndefinedBehavior {
            kind: *kind,
            span: instr.span,
            values: values.iter().map(|&value| self.read(code, value)).collect(),
            value_types: values.iter().map(|&value| Machine::operand_ty(code, value)).collect(),
            message: demand.as_ref().map(ToString::to_string),
            memory: None,
            stack: self.stack(instr.span),
        })))
    }
}
