//! Where a pointer comes from: dereferences of one pointer that may be null have one cause.

use std::collections::{BTreeMap, BTreeSet};

use glassbox_ir::{
    BlockId, Body, Check, CheckKind, FuncId, GlobalId, InstrKind, LocalId, MemoryOp, Operand,
    PointerOp, Program, ValueId,
};

use crate::property::{Property, PropertyKind};

/// What is wrong behind a finding; equal ones are mended in one place.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cause {
    function: FuncId,
    origin: Origin,
}

/// What a pointer is computed from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    Value(ValueId),
    Global(GlobalId),
    Local(LocalId),
    /// What lies at an offset.
    Content(Box<Origin>, u64),
    Null,
}

/// Pointers behind pointers that are distinguished.
const DEPTH: u32 = 8;

impl Cause {
    /// The cause of a null dereference: the pointer, wherever it is used in its function. Other properties have no
    /// cause that could be seen in the program: two indices that leave one array may be two mistakes.
    pub fn of(program: &Program, property: &Property) -> Option<Cause> {
        if property.kind != PropertyKind::Check(CheckKind::NullDereference) {
            return None;
        }
        let body = program.body(property.function);
        let [site] = property.sites.as_slice() else { return None };
        let instr = body.block(site.block).instrs.get(site.instr as usize)?;
        let InstrKind::Check(
            Check::Readable { ptr, .. }
            | Check::Accessible { ptr, .. }
            | Check::Writable { ptr, .. }
            | Check::Callable { ptr, .. },
        ) = instr.kind
        else {
            return None;
        };
        let origin = Origins::of(body).of_pointer(ptr, DEPTH)?;
        Some(Cause { function: property.function, origin })
    }
}

/// What values of a body are computed from.
struct Origins<'a> {
    defined: BTreeMap<ValueId, &'a InstrKind>,
    passed: BTreeMap<ValueId, BTreeSet<Passed>>,
}

/// What a block is given for one of its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Passed {
    Value(ValueId),
    Global(GlobalId),
    Other,
}

impl<'a> Origins<'a> {
    fn of(body: &'a Body) -> Origins<'a> {
        let instrs = body.blocks.iter().flat_map(|block| &block.instrs);
        let defined = instrs.filter_map(|instr| Some((instr.result?, &instr.kind))).collect();
        let mut passed: BTreeMap<ValueId, BTreeSet<Passed>> = BTreeMap::new();
        for target in body.blocks.iter().flat_map(|block| block.terminator.targets()) {
            for (param, arg) in body.block(target.block).params.iter().zip(&target.args) {
                passed.entry(*param).or_default().insert(match arg {
                    Operand::Value(value) => Passed::Value(*value),
                    Operand::Global(global) => Passed::Global(*global),
                    Operand::NullPtr | Operand::Func(_) | Operand::Int(_) | Operand::Float(_) => {
                        Passed::Other
                    }
                });
            }
        }
        // Callers pass these, too.
        for param in &body.block(BlockId::new(Body::ENTRY)).params {
            passed.remove(param);
        }
        Origins { defined, passed }
    }

    /// Without offsets: a part of nothing is nothing. `depth` is how many pointers are still followed.
    fn of_pointer(&self, ptr: Operand, depth: u32) -> Option<Origin> {
        let mut at = ptr;
        // Each step goes to an operand or leaves a loop that passes its own value on.
        let mut seen = BTreeSet::new();
        loop {
            let value = match at {
                Operand::Value(value) => value,
                Operand::Global(global) => return Some(Origin::Global(global)),
                Operand::NullPtr => return Some(Origin::Null),
                Operand::Func(_) | Operand::Int(_) | Operand::Float(_) => return None,
            };
            if !seen.insert(value) {
                return Some(Origin::Value(value));
            }
            match self.defined.get(&value) {
                Some(InstrKind::Pointer(PointerOp::Add { base, .. })) => at = *base,
                Some(InstrKind::Pointer(PointerOp::LocalAddr(local))) => {
                    return Some(Origin::Local(*local));
                }
                Some(InstrKind::Memory(MemoryOp::Load { ptr, .. })) => {
                    let (base, offset) = self.offset(*ptr);
                    let of = depth.checked_sub(1).and_then(|depth| self.of_pointer(base, depth));
                    let content = offset.zip(of);
                    return Some(match content {
                        Some((offset, of)) => Origin::Content(Box::new(of), offset),
                        None => Origin::Value(value),
                    });
                }
                Some(
                    InstrKind::Pure(_)
                    | InstrKind::Pointer(_)
                    | InstrKind::Memory(_)
                    | InstrKind::VarArgs(_)
                    | InstrKind::Call(_)
                    | InstrKind::Check(_)
                    | InstrKind::Assume { .. }
                    | InstrKind::Mark(_)
                    | InstrKind::Unsupported { .. },
                ) => return Some(Origin::Value(value)),
                None => match self.only_passed(value) {
                    Some(Passed::Value(other)) => at = Operand::Value(other),
                    Some(Passed::Global(global)) => at = Operand::Global(global),
                    Some(Passed::Other) | None => return Some(Origin::Value(value)),
                },
            }
        }
    }

    /// A base and the constant bytes behind it.
    fn offset(&self, ptr: Operand) -> (Operand, Option<u64>) {
        let (mut at, mut offset) = (ptr, Some(0u64));
        while let Operand::Value(value) = at
            && let Some(InstrKind::Pointer(PointerOp::Add { base, offset: added })) =
                self.defined.get(&value)
        {
            offset = match (offset, added) {
                (Some(offset), Operand::Int(added)) => {
                    added.to_u64().map(|added| offset.wrapping_add(added))
                }
                _ => None,
            };
            at = *base;
        }
        (at, offset)
    }

    /// What a parameter of a block always is, when there is only one such thing besides itself.
    fn only_passed(&self, param: ValueId) -> Option<Passed> {
        let mut others =
            self.passed.get(&param)?.iter().filter(|passed| **passed != Passed::Value(param));
        let first = others.next()?;
        others.next().is_none().then_some(*first)
    }
}
