//! The code of one method with probes in it.

use super::{ProbeKind, Wanted};
use crate::changed::code::{Attribute, Plan, Room, instruction};
use crate::classfile::ClassFileError;
use crate::classfile::pool::Pool;

/// Constants of the methods that probes call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Methods {
    pub(super) hit: u16,
    pub(super) one: u16,
    pub(super) two: u16,
    pub(super) reference: u16,
    pub(super) references: u16,
}

/// New bytes, and by probe: the offset of its instruction in the old ones, and what it reports.
pub(super) type WithProbes = (Vec<u8>, Vec<(u32, ProbeKind)>);

/// A probe's number and call: five bytes behind an opcode that may copy operands.
const CALL: usize = 6;

/// What probes have on the stack besides what is there.
const STACK: u16 = 4;

/// The contents of a `Code` attribute with probes, and the probes; `None` where they do not fit.
pub(super) fn rewrite(
    pool: &Pool,
    contents: &[u8],
    wanted: &Wanted,
    methods: &Methods,
    first: usize,
) -> Result<Option<WithProbes>, ClassFileError> {
    let attribute = Attribute::read(contents)?;
    let Some(plan) = Plan::new(attribute.code, |pc, opcode| wanted.room(pc, opcode)) else {
        return Ok(None);
    };
    let Some((new_code, sites)) = emit(attribute.code, &plan, wanted, (methods, first)) else {
        return Ok(None);
    };
    let contents = attribute.with(pool, &plan, &new_code, STACK)?;
    Ok(contents.map(|contents| (contents, sites)))
}

/// Bytes that a probe of a branch or a switch needs before it, when `opcode` is one.
fn operand_probe(opcode: u8) -> Option<ProbeKind> {
    match opcode {
        0x99..=0xa6 | 0xc6 | 0xc7 => Some(ProbeKind::Branch(opcode)),
        0xaa | 0xab => Some(ProbeKind::Switch),
        _ => None,
    }
}

fn goes_on(opcode: u8) -> bool {
    !matches!(opcode, 0xa7..=0xb1 | 0xbf | 0xc8 | 0xc9)
}

impl Wanted {
    fn has_hit(&self, pc: usize) -> bool {
        u32::try_from(pc).is_ok_and(|pc| self.hits.contains(&pc))
    }

    fn has_end(&self, pc: usize, opcode: u8) -> bool {
        u32::try_from(pc).is_ok_and(|pc| self.ends.contains(&pc)) && goes_on(opcode)
    }

    fn room(&self, pc: usize, opcode: u8) -> Room {
        let hit = if self.has_hit(pc) { CALL } else { 0 };
        let operands = if operand_probe(opcode).is_some() { CALL + 1 } else { 0 };
        let behind = if self.has_end(pc, opcode) { CALL } else { 0 };
        Room { before: hit + operands, own: None, behind }
    }
}

fn emit(
    code: &[u8],
    plan: &Plan,
    wanted: &Wanted,
    (methods, first): (&Methods, usize),
) -> Option<WithProbes> {
    let mut out = Vec::with_capacity(plan.new_len);
    let mut sites: Vec<(u32, ProbeKind)> = Vec::new();
    let mut probe = |out: &mut Vec<u8>, pc: usize, kind: ProbeKind, method: u16| -> Option<()> {
        let number = i16::try_from(first + sites.len()).ok()?;
        out.push(0x11);
        out.extend(number.to_be_bytes());
        out.push(0xb8);
        out.extend(method.to_be_bytes());
        sites.push((u32::try_from(pc).ok()?, kind));
        Some(())
    };
    for moved in &plan.moved {
        let (pc, opcode) = (moved.old, code[moved.old]);
        if wanted.has_hit(pc) {
            probe(&mut out, pc, ProbeKind::Hit, methods.hit)?;
        }
        if let Some(kind) = operand_probe(opcode) {
            let (copy, method) = match opcode {
                0x9f..=0xa4 => (0x5c, methods.two),
                0xa5 | 0xa6 => (0x5c, methods.references),
                0xc6 | 0xc7 => (0x59, methods.reference),
                _ => (0x59, methods.one),
            };
            out.push(copy);
            probe(&mut out, pc, kind, method)?;
        }
        assert_eq!(out.len(), moved.new, "the plan should say where instructions are");
        instruction(&mut out, code, moved, plan)?;
        if wanted.has_end(pc, opcode) {
            probe(&mut out, pc, ProbeKind::End, methods.hit)?;
        }
    }
    Some((out, sites))
}
