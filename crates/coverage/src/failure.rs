//! In which ways a check can fail: what its operands show needs no property of its own.

use std::collections::BTreeMap;

use glassbox_ir::{
    Body, Check, CheckKind, GlobalId, InstrKind, LocalId, Operand, PointerOp, Program, ValueId,
};

use crate::facts::Site;
use crate::lifetime::Lifetimes;
use crate::property::{PropertyKind, group};

/// The ways in which a check can fail that are worth telling.
pub(crate) fn kinds_of(
    program: &Program,
    check: &Check,
    site: Site,
    definitions: &Definitions<'_>,
) -> Vec<PropertyKind> {
    let kinds: Vec<CheckKind> = match check {
        Check::Condition { kind, .. } => vec![*kind],
        Check::Readable { ptr, size } => {
            let mut kinds = access_kinds(program, definitions, site, *ptr, *size);
            if !matches!(definitions.base(*ptr).0, Base::Global(_)) {
                kinds.push(CheckKind::Uninitialized);
            }
            kinds
        }
        Check::Accessible { ptr, size } => access_kinds(program, definitions, site, *ptr, *size),
        Check::Writable { ptr, size } => {
            let mut kinds = access_kinds(program, definitions, site, *ptr, *size);
            match definitions.base(*ptr).0 {
                Base::Local(_) => {}
                Base::Global(global) if !program.global(global).is_const => {}
                Base::Global(_) | Base::Other => kinds.push(CheckKind::WriteToConstant),
            }
            kinds
        }
        Check::Freeable { .. } => vec![CheckKind::DoubleFree, CheckKind::BadFree],
        Check::Callable { .. } => vec![CheckKind::NullDereference, CheckKind::BadCall],
        Check::InBoundsOffset { .. } => vec![CheckKind::OutOfBounds],
        Check::SameObject { .. } => vec![CheckKind::PointerCompare],
    };
    kinds.into_iter().map(|kind| PropertyKind::Check(group(kind))).collect()
}

fn access_kinds(
    program: &Program,
    definitions: &Definitions<'_>,
    site: Site,
    ptr: Operand,
    size: Operand,
) -> Vec<CheckKind> {
    let (base, offset) = definitions.base(ptr);
    let object_size = match base {
        Base::Other => {
            return vec![
                CheckKind::NullDereference,
                CheckKind::OutOfBounds,
                CheckKind::UseAfterFree,
            ];
        }
        Base::Local(local) => definitions.body.local(local).size,
        Base::Global(global) => program.global(global).size,
    };
    let end = match (offset, size) {
        (Some(offset), Operand::Int(size)) => {
            size.to_u64().and_then(|size| offset.checked_add(size))
        }
        _ => None,
    };
    // What the declaration already shows needs no line of its own.
    let mut kinds = Vec::new();
    if end.is_none_or(|end| end > object_size) {
        kinds.push(CheckKind::OutOfBounds);
    }
    if let Base::Local(local) = base
        && definitions.lifetimes.may_have_ended(local, site)
    {
        kinds.push(CheckKind::UseAfterScope);
    }
    kinds
}

/// What a pointer is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Base {
    Local(LocalId),
    Global(GlobalId),
    Other,
}

/// What values of a body are computed from.
pub(crate) struct Definitions<'a> {
    body: &'a Body,
    by_value: BTreeMap<ValueId, &'a InstrKind>,
    lifetimes: Lifetimes<'a>,
}

impl<'a> Definitions<'a> {
    pub(crate) fn of(body: &'a Body) -> Definitions<'a> {
        let instrs = body.blocks.iter().flat_map(|block| &block.instrs);
        let by_value = instrs.filter_map(|instr| Some((instr.result?, &instr.kind))).collect();
        Definitions { body, by_value, lifetimes: Lifetimes::of(body) }
    }

    /// The object, and the offset where it is a constant.
    fn base(&self, ptr: Operand) -> (Base, Option<u64>) {
        let mut at = ptr;
        let mut offset = Some(0u64);
        loop {
            match at {
                Operand::Global(global) => return (Base::Global(global), offset),
                Operand::Value(value) => match self.by_value.get(&value) {
                    Some(InstrKind::Pointer(PointerOp::LocalAddr(local))) => {
                        return (Base::Local(*local), offset);
                    }
                    Some(InstrKind::Pointer(PointerOp::Add { base, offset: added })) => {
                        offset = match (offset, added) {
                            (Some(offset), Operand::Int(added)) => {
                                added.to_u64().and_then(|added| offset.checked_add(added))
                            }
                            _ => None,
                        };
                        at = *base;
                    }
                    _ => return (Base::Other, None),
                },
                Operand::Int(_) | Operand::Float(_) | Operand::NullPtr | Operand::Func(_) => {
                    return (Base::Other, None);
                }
            }
        }
    }
}
