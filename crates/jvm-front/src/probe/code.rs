//! The code of one method with probes in it: instructions move, offsets follow.

use super::frames;
use super::{ProbeKind, Wanted};
use crate::classfile::cursor::Cursor;
use crate::classfile::pool::Pool;
use crate::classfile::{ClassFileError, attributes};

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

/// One instruction of the old code, and where it goes.
#[derive(Debug)]
struct Moved {
    old: usize,
    len: usize,
    has_hit: bool,
    has_end: bool,
    /// Where jumps to it go: its probes come first.
    label: usize,
    new: usize,
}

/// Where everything is in the new code.
#[derive(Debug)]
pub(super) struct Plan {
    moved: Vec<Moved>,
    old_len: usize,
    new_len: usize,
}

impl Plan {
    /// Where a jump to an old offset goes; also the end of the code.
    pub(super) fn label(&self, old: usize) -> Option<usize> {
        if old == self.old_len {
            return Some(self.new_len);
        }
        self.find(old).map(|moved| moved.label)
    }

    /// Where an old instruction itself is.
    pub(super) fn instruction(&self, old: usize) -> Option<usize> {
        self.find(old).map(|moved| moved.new)
    }

    fn find(&self, old: usize) -> Option<&Moved> {
        let position = self.moved.binary_search_by_key(&old, |moved| moved.old).ok()?;
        self.moved.get(position)
    }
}

/// The contents of a `Code` attribute with probes, and the probes; `None` where they do not fit.
pub(super) fn rewrite(
    pool: &Pool,
    contents: &[u8],
    wanted: &Wanted,
    methods: &Methods,
    first: usize,
) -> Result<Option<WithProbes>, ClassFileError> {
    let mut cursor = Cursor::new(contents);
    let max_stack = cursor.u16()?;
    let max_locals = cursor.u16()?;
    let len = cursor.u32()? as usize;
    let code = cursor.take(len)?;
    let Some(plan) = plan(code, wanted) else { return Ok(None) };
    let Some((new_code, sites)) = emit(code, &plan, methods, first) else { return Ok(None) };
    let mut out = max_stack.saturating_add(4).to_be_bytes().to_vec();
    out.extend(max_locals.to_be_bytes());
    out.extend(u32::try_from(new_code.len()).unwrap_or(0).to_be_bytes());
    out.extend(new_code);
    let n_handlers = cursor.u16()?;
    out.extend(n_handlers.to_be_bytes());
    for _ in 0..n_handlers {
        for _ in 0..3 {
            let old = cursor.u16()?;
            let Some(label) = plan.label(old.into()) else { return Ok(None) };
            let Ok(label) = u16::try_from(label) else { return Ok(None) };
            out.extend(label.to_be_bytes());
        }
        out.extend(cursor.u16()?.to_be_bytes());
    }
    let names_at = cursor.clone();
    let mut frames = None;
    attributes(pool, &mut cursor, |name, mut part| {
        if name == "StackMapTable" {
            frames = Some(part.rest().to_vec());
        }
        Ok(())
    })?;
    match frames {
        None => out.extend(0u16.to_be_bytes()),
        Some(old) => {
            let Some(table) = frames::moved(&old, &plan)? else { return Ok(None) };
            let Some(name) = name_index(pool, names_at)? else { return Ok(None) };
            out.extend(1u16.to_be_bytes());
            out.extend(name.to_be_bytes());
            out.extend(u32::try_from(table.len()).unwrap_or(0).to_be_bytes());
            out.extend(table);
        }
    }
    Ok(Some((out, sites)))
}

/// The constant that names the table of frames.
fn name_index(pool: &Pool, mut cursor: Cursor<'_>) -> Result<Option<u16>, ClassFileError> {
    for _ in 0..cursor.u16()? {
        let index = cursor.u16()?;
        let len = cursor.u32()? as usize;
        cursor.take(len)?;
        if &*pool.name(index)? == "StackMapTable" {
            return Ok(Some(index));
        }
    }
    Ok(None)
}

/// Bytes of an instruction; `None` where it is none.
fn length(code: &[u8], pc: usize) -> Option<usize> {
    Some(match *code.get(pc)? {
        0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => 2,
        0x11
        | 0x13
        | 0x14
        | 0x84
        | 0x99..=0xa8
        | 0xb2..=0xb8
        | 0xbb
        | 0xbd
        | 0xc0
        | 0xc1
        | 0xc6
        | 0xc7 => 3,
        0xc5 => 4,
        0xb9 | 0xba | 0xc8 | 0xc9 => 5,
        0xaa => {
            let at = pc + 1 + padding(pc);
            let (low, high) = (word(code, at + 4)?, word(code, at + 8)?);
            let n_cases = usize::try_from(i64::from(high) - i64::from(low) + 1).ok()?;
            at - pc + 12 + n_cases.checked_mul(4)?
        }
        0xab => {
            let at = pc + 1 + padding(pc);
            let n_cases = usize::try_from(word(code, at + 4)?).ok()?;
            at - pc + 8 + n_cases.checked_mul(8)?
        }
        0xc4 if *code.get(pc + 1)? == 0x84 => 6,
        0xc4 => 4,
        0x00..=0xc3 => 1,
        _ => return None,
    })
}

/// Bytes between the opcode of a switch at `pc` and its table.
fn padding(pc: usize) -> usize {
    3 - pc % 4
}

fn word(code: &[u8], at: usize) -> Option<i32> {
    Some(i32::from_be_bytes(code.get(at..at + 4)?.try_into().ok()?))
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

fn plan(code: &[u8], wanted: &Wanted) -> Option<Plan> {
    let mut moved = Vec::new();
    let mut at = 0;
    let mut pc = 0;
    while pc < code.len() {
        let len = length(code, pc).filter(|len| pc + len <= code.len())?;
        let place = u32::try_from(pc).ok()?;
        let opcode = code[pc];
        let has_hit = wanted.hits.contains(&place);
        let has_end = wanted.ends.contains(&place) && goes_on(opcode);
        let label = at;
        at += if has_hit { CALL } else { 0 };
        at += if operand_probe(opcode).is_some() { CALL + 1 } else { 0 };
        let new = at;
        let is_switch = matches!(opcode, 0xaa | 0xab);
        at += if is_switch { len - padding(pc) + padding(new) } else { len };
        at += if has_end { CALL } else { 0 };
        moved.push(Moved { old: pc, len, has_hit, has_end, label, new });
        pc += len;
    }
    (at < 0xffff).then_some(Plan { moved, old_len: code.len(), new_len: at })
}

fn emit(code: &[u8], plan: &Plan, methods: &Methods, first: usize) -> Option<WithProbes> {
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
        if moved.has_hit {
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
        if moved.has_end {
            probe(&mut out, pc, ProbeKind::End, methods.hit)?;
        }
    }
    Some((out, sites))
}

/// The instruction itself, its jumps to where their targets are now.
fn instruction(out: &mut Vec<u8>, code: &[u8], moved: &Moved, plan: &Plan) -> Option<()> {
    let (pc, opcode) = (moved.old, code[moved.old]);
    let far = |at: usize| -> Option<i32> { distance(plan, moved, word(code, at)?.into()) };
    match opcode {
        0x99..=0xa8 | 0xc6 | 0xc7 => {
            let old = i16::from_be_bytes([*code.get(pc + 1)?, *code.get(pc + 2)?]);
            let new = i16::try_from(distance(plan, moved, old.into())?).ok()?;
            out.push(opcode);
            out.extend(new.to_be_bytes());
        }
        0xc8 | 0xc9 => {
            out.push(opcode);
            out.extend(far(pc + 1)?.to_be_bytes());
        }
        0xaa | 0xab => {
            out.push(opcode);
            out.extend(std::iter::repeat_n(0, padding(moved.new)));
            let table = pc + 1 + padding(pc);
            out.extend(far(table)?.to_be_bytes());
            let is_table = opcode == 0xaa;
            let (n_kept, step) = if is_table { (8, 4) } else { (4, 8) };
            out.extend(code.get(table + 4..table + 4 + n_kept)?);
            let mut at = table + 4 + n_kept;
            while at < pc + moved.len {
                if !is_table {
                    out.extend(code.get(at..at + 4)?);
                }
                out.extend(far(at + step - 4)?.to_be_bytes());
                at += step;
            }
        }
        _ => out.extend(code.get(pc..pc + moved.len)?),
    }
    Some(())
}

/// How far it is to a target that was `old` bytes away.
fn distance(plan: &Plan, moved: &Moved, old: i64) -> Option<i32> {
    let target = usize::try_from(i64::try_from(moved.old).ok()? + old).ok()?;
    let target = i64::try_from(plan.find(target)?.label).ok()?;
    i32::try_from(target - i64::try_from(moved.new).ok()?).ok()
}
