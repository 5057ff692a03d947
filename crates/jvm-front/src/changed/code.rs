//! The code of one method in which something is put before, behind or in the place of instructions: they move, offsets follow.

use super::frames;
use crate::classfile::cursor::Cursor;
use crate::classfile::pool::Pool;
use crate::classfile::{ClassFileError, attributes};

/// Bytes around an instruction of the old code.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Room {
    pub(crate) before: usize,
    /// Where something else takes its place.
    pub(crate) own: Option<usize>,
    pub(crate) behind: usize,
}

/// One instruction of the old code, and where it goes.
#[derive(Debug)]
pub(crate) struct Moved {
    pub(crate) old: usize,
    len: usize,
    /// Where jumps to it go: what is put before it comes first.
    label: usize,
    pub(crate) new: usize,
}

/// Where everything is in the new code.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) moved: Vec<Moved>,
    old_len: usize,
    pub(crate) new_len: usize,
}

impl Plan {
    /// `room` is asked with the offset and the opcode of each instruction; `None` where the method grows too long.
    pub(crate) fn new(code: &[u8], room: impl Fn(usize, u8) -> Room) -> Option<Plan> {
        let mut moved = Vec::new();
        let mut at = 0;
        let mut pc = 0;
        while pc < code.len() {
            let len = length(code, pc).filter(|len| pc + len <= code.len())?;
            let opcode = code[pc];
            let Room { before, own, behind } = room(pc, opcode);
            let label = at;
            let new = at + before;
            let is_switch = matches!(opcode, 0xaa | 0xab);
            let padded = if is_switch { len - padding(pc) + padding(new) } else { len };
            at = new + own.unwrap_or(padded) + behind;
            moved.push(Moved { old: pc, len, label, new });
            pc += len;
        }
        (at < 0xffff).then_some(Plan { moved, old_len: code.len(), new_len: at })
    }

    /// Where a jump to an old offset goes; also the end of the code.
    pub(crate) fn label(&self, old: usize) -> Option<usize> {
        if old == self.old_len {
            return Some(self.new_len);
        }
        self.find(old).map(|moved| moved.label)
    }

    /// Where an old instruction itself is.
    pub(crate) fn instruction(&self, old: usize) -> Option<usize> {
        self.find(old).map(|moved| moved.new)
    }

    fn find(&self, old: usize) -> Option<&Moved> {
        let position = self.moved.binary_search_by_key(&old, |moved| moved.old).ok()?;
        self.moved.get(position)
    }
}

/// A `Code` attribute, taken apart.
#[derive(Debug)]
pub(crate) struct Attribute<'a> {
    max_stack: u16,
    max_locals: u16,
    pub(crate) code: &'a [u8],
    /// Handlers and attributes.
    rest: Cursor<'a>,
}

impl<'a> Attribute<'a> {
    pub(crate) fn read(contents: &'a [u8]) -> Result<Attribute<'a>, ClassFileError> {
        let mut cursor = Cursor::new(contents);
        let max_stack = cursor.u16()?;
        let max_locals = cursor.u16()?;
        let len = cursor.u32()? as usize;
        let code = cursor.take(len)?;
        Ok(Attribute { max_stack, max_locals, code, rest: cursor })
    }

    /// The same around new code; `None` where it does not fit. Debug tables are dropped.
    pub(crate) fn with(
        mut self,
        pool: &Pool,
        plan: &Plan,
        new_code: &[u8],
        more_stack: u16,
    ) -> Result<Option<Vec<u8>>, ClassFileError> {
        let mut out = self.max_stack.saturating_add(more_stack).to_be_bytes().to_vec();
        out.extend(self.max_locals.to_be_bytes());
        out.extend(u32::try_from(new_code.len()).unwrap_or(0).to_be_bytes());
        out.extend(new_code);
        let cursor = &mut self.rest;
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
        attributes(pool, cursor, |name, mut part| {
            if name == "StackMapTable" {
                frames = Some(part.rest().to_vec());
            }
            Ok(())
        })?;
        match frames {
            None => out.extend(0u16.to_be_bytes()),
            Some(old) => {
                let Some(table) = frames::moved(&old, plan)? else { return Ok(None) };
                let Some(name) = name_index(pool, names_at)? else { return Ok(None) };
                out.extend(1u16.to_be_bytes());
                out.extend(name.to_be_bytes());
                out.extend(u32::try_from(table.len()).unwrap_or(0).to_be_bytes());
                out.extend(table);
            }
        }
        Ok(Some(out))
    }
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

/// The instruction itself, its jumps to where their targets are now.
pub(crate) fn instruction(
    out: &mut Vec<u8>,
    code: &[u8],
    moved: &Moved,
    plan: &Plan,
) -> Option<()> {
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
