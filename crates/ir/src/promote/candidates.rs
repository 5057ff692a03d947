//! Candidates: locals that are only ever read and written whole, by name.

use crate::check::Check;
use crate::func::Body;
use crate::id::{LocalId, ValueId};
use crate::instr::{InstrKind, MemoryOp, Operand, PointerOp};
use crate::ty::{PointerSize, Ty};

/// The locals that may be promoted, each with its type, and their addresses.
#[derive(Debug)]
pub(super) struct Candidates {
    /// In the order of locals.
    pub(super) list: Vec<(LocalId, Ty)>,
    /// Position in `list`, by local.
    pub(super) of_local: Vec<Option<usize>>,
    /// Position in `list`, by value: the value is the local's address.
    pub(super) of_value: Vec<Option<usize>>,
}

/// What an instruction does to a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Reads it, or checks that it can be read.
    Read(usize),
    Write(usize),
    /// Its content becomes indeterminate.
    Forget(usize),
    /// Concerns it without reading or writing.
    Touch(usize),
}

impl Candidates {
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Only those for which `keep` holds, by position.
    pub(super) fn filtered(mut self, keep: &[bool]) -> Candidates {
        let mut new_position = vec![None; self.list.len()];
        let mut list = Vec::new();
        for (position, &entry) in self.list.iter().enumerate() {
            if keep[position] {
                new_position[position] = Some(list.len());
                list.push(entry);
            }
        }
        for position in self.of_local.iter_mut().chain(&mut self.of_value) {
            *position = position.and_then(|old| new_position[old]);
        }
        Candidates { list, ..self }
    }

    fn of_operand(&self, operand: Operand) -> Option<usize> {
        let Operand::Value(value) = operand else { return None };
        self.of_value[value.index()]
    }

    /// How an instruction concerns a candidate, if it does.
    pub(super) fn access(&self, kind: &InstrKind) -> Option<Access> {
        match kind {
            InstrKind::Pointer(PointerOp::LocalAddr(local)) => {
                self.of_local[local.index()].map(Access::Touch)
            }
            InstrKind::Memory(MemoryOp::LocalStart(local) | MemoryOp::LocalEnd(local)) => {
                self.of_local[local.index()].map(Access::Forget)
            }
            InstrKind::Memory(MemoryOp::Load { ptr, .. }) => {
                self.of_operand(*ptr).map(Access::Read)
            }
            InstrKind::Memory(MemoryOp::Store { ptr, .. }) => {
                self.of_operand(*ptr).map(Access::Write)
            }
            InstrKind::Check(Check::Readable { ptr, .. }) => {
                self.of_operand(*ptr).map(Access::Read)
            }
            InstrKind::Check(Check::Writable { ptr, .. } | Check::Accessible { ptr, .. }) => {
                self.of_operand(*ptr).map(Access::Touch)
            }
            InstrKind::Pure(_)
            | InstrKind::Pointer(_)
            | InstrKind::Memory(_)
            | InstrKind::VarArgs(_)
            | InstrKind::Call(_)
            | InstrKind::Check(_)
            | InstrKind::Assume { .. }
            | InstrKind::Mark(_)
            | InstrKind::Unsupported { .. } => None,
        }
    }
}

pub(super) fn find(body: &Body, pointers: PointerSize) -> Candidates {
    let mut address_of: Vec<Option<LocalId>> = vec![None; body.values.len()];
    for block in &body.blocks {
        for instr in &block.instrs {
            if let (InstrKind::Pointer(PointerOp::LocalAddr(local)), Some(result)) =
                (&instr.kind, instr.result)
            {
                address_of[result.index()] = Some(*local);
            }
        }
    }
    let local_of = |operand: Operand| {
        let Operand::Value(value) = operand else { return None };
        address_of[value.index()]
    };
    let mut types: Vec<Verdict> = vec![Verdict::Untouched; body.locals.len()];
    for block in &body.blocks {
        for instr in &block.instrs {
            judge(body, &instr.kind, &local_of, &mut types);
        }
        block.terminator.for_each_operand(|operand| {
            if let Some(local) = local_of(*operand) {
                types[local.index()] = Verdict::Escapes;
            }
        });
    }
    let mut candidates = Candidates {
        list: Vec::new(),
        of_local: vec![None; body.locals.len()],
        of_value: vec![None; body.values.len()],
    };
    for (index, verdict) in types.iter().enumerate() {
        let local = LocalId::new(index);
        if let Verdict::Scalar(ty) = *verdict
            && ty.size(pointers) == body.local(local).size
        {
            candidates.of_local[index] = Some(candidates.list.len());
            candidates.list.push((local, ty));
        }
    }
    for (index, local) in address_of.iter().enumerate() {
        let value = ValueId::new(index);
        candidates.of_value[value.index()] =
            local.and_then(|local| candidates.of_local[local.index()]);
    }
    candidates
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Untouched,
    Scalar(Ty),
    Escapes,
}

/// Notes what one instruction shows about the locals whose addresses it uses.
fn judge(
    body: &Body,
    kind: &InstrKind,
    local_of: &impl Fn(Operand) -> Option<LocalId>,
    types: &mut [Verdict],
) {
    let mut see = |local: LocalId, ty: Ty| {
        let verdict = &mut types[local.index()];
        *verdict = match *verdict {
            Verdict::Untouched => Verdict::Scalar(ty),
            Verdict::Scalar(known) if known == ty => Verdict::Scalar(ty),
            Verdict::Scalar(_) | Verdict::Escapes => Verdict::Escapes,
        };
    };
    match kind {
        InstrKind::Memory(MemoryOp::Load { ty, ptr, is_volatile: false }) => {
            if let Some(local) = local_of(*ptr) {
                see(local, *ty);
            }
        }
        InstrKind::Memory(MemoryOp::Store { ptr, value, is_volatile: false }) => {
            if let Some(local) = local_of(*ptr) {
                see(local, value.ty(body));
            }
            if let Some(local) = local_of(*value) {
                types[local.index()] = Verdict::Escapes;
            }
        }
        InstrKind::Check(
            Check::Readable { ptr, size }
            | Check::Writable { ptr, size }
            | Check::Accessible { ptr, size },
        ) => {
            if let Some(local) = local_of(*ptr)
                && !matches!(size, Operand::Int(bits)
                    if bits.unsigned() <= u128::from(body.local(local).size))
            {
                types[local.index()] = Verdict::Escapes;
            }
        }
        InstrKind::Pure(_)
        | InstrKind::Pointer(_)
        | InstrKind::Memory(_)
        | InstrKind::VarArgs(_)
        | InstrKind::Call(_)
        | InstrKind::Check(_)
        | InstrKind::Assume { .. }
        | InstrKind::Mark(_)
        | InstrKind::Unsupported { .. } => kind.for_each_operand(|operand| {
            if let Some(local) = local_of(*operand) {
                types[local.index()] = Verdict::Escapes;
            }
        }),
    }
}
