//! From the bytes of a `Code` attribute to instructions.

use rustc_hash::FxHashMap;

use super::cursor::Cursor;
use super::insn::{
    Code, Condition, Constant, DynamicCall, Handler, Insn, InvokeKind, Label, Variable,
};
use super::opcode;
use super::pool::Pool;
use super::{Bootstrap, ClassFileError, attributes};
use crate::descriptor::{Kind, Prim, Signature, Type};
use std::rc::Rc;

/// The largest table that a `tableswitch` may have, in entries: code is at most 64 KiB.
const MAX_SWITCH: i64 = 1 << 14;

pub(super) fn decode(
    pool: &Pool,
    bootstraps: &[Bootstrap],
    bytes: &[u8],
) -> Result<Code, ClassFileError> {
    let mut cursor = Cursor::new(bytes);
    let _max_stack = cursor.u16()?;
    let _max_locals = cursor.u16()?;
    let len = cursor.u32()? as usize;
    let part = cursor.part(len)?;
    let mut decoder = Decoder { pool, bootstraps, cursor: part, code: Code::default() };
    while !decoder.cursor.is_at_end() {
        let pc = decoder.cursor.position();
        let insn = decoder.insn(pc)?;
        decoder.code.pcs.push(u32::try_from(pc).unwrap_or(u32::MAX));
        decoder.code.insns.push(insn);
    }
    let mut code = decoder.code;
    if code.insns.is_empty() {
        return Err(cursor.error("a method without instructions"));
    }
    let labels = Labels::new(&code.pcs, len);
    for insn in &mut code.insns {
        labels.fix(insn)?;
    }
    for _ in 0..cursor.u16()? {
        let (start, end) = (cursor.u16()?, cursor.u16()?);
        let target = cursor.u16()?;
        let catch = match cursor.u16()? {
            0 => None,
            index => Some(pool.class(index)?),
        };
        let (start, end) = (labels.find(start.into())?, labels.find(end.into())?);
        let target = labels.start(target.into())?;
        code.handlers.push(Handler { start, end, target, catch });
    }
    code.lines = vec![0; code.insns.len()];
    let mut lines = Vec::new();
    attributes(pool, &mut cursor, |name, mut part| {
        match name {
            "LineNumberTable" => {
                for _ in 0..part.u16()? {
                    let (start, line) = (part.u16()?, part.u16()?);
                    lines.push((labels.find(start.into())?, u32::from(line)));
                }
            }
            "LocalVariableTable" => read_variables(pool, &mut part, &labels, &mut code)?,
            _ => {}
        }
        Ok(())
    })?;
    lines.sort_unstable();
    for (position, &(start, line)) in lines.iter().enumerate() {
        let end = lines.get(position + 1).map_or(code.insns.len(), |next| next.0);
        code.lines[start..end.max(start)].fill(line);
    }
    Ok(code)
}

fn read_variables(
    pool: &Pool,
    part: &mut Cursor<'_>,
    labels: &Labels,
    code: &mut Code,
) -> Result<(), ClassFileError> {
    for _ in 0..part.u16()? {
        let start = u32::from(part.u16()?);
        let end = start + u32::from(part.u16()?);
        let name = pool.name(part.u16()?)?;
        let descriptor = pool.name(part.u16()?)?;
        let slot = part.u16()?;
        if Type::parse(&descriptor).is_none() {
            return Err(part.error("a variable without a type"));
        }
        let (start, end) = (labels.find(start)?, labels.find(end)?);
        code.variables.push(Variable { name, descriptor, slot, start, end });
    }
    Ok(())
}

/// Where each bytecode offset is among the instructions.
struct Labels {
    by_pc: FxHashMap<u32, Label>,
    n_insns: usize,
}

impl Labels {
    fn new(pcs: &[u32], len: usize) -> Labels {
        let mut by_pc: FxHashMap<u32, Label> =
            pcs.iter().enumerate().map(|(label, &pc)| (pc, label)).collect();
        // The end of the code closes ranges.
        by_pc.insert(u32::try_from(len).unwrap_or(u32::MAX), pcs.len());
        Labels { by_pc, n_insns: pcs.len() }
    }

    fn find(&self, pc: u32) -> Result<Label, ClassFileError> {
        self.by_pc.get(&pc).copied().ok_or_else(|| ClassFileError {
            what: format!("offset {pc} is not the start of an instruction"),
            offset: 0,
        })
    }

    /// The label of an instruction, not the end.
    fn start(&self, pc: u32) -> Result<Label, ClassFileError> {
        let label = self.find(pc)?;
        if label < self.n_insns {
            Ok(label)
        } else {
            Err(ClassFileError { what: "a jump behind the code".into(), offset: 0 })
        }
    }

    /// Turns offsets into labels.
    #[expect(clippy::wildcard_enum_match_arm, reason = "the class file format has no other jumps")]
    fn fix(&self, insn: &mut Insn) -> Result<(), ClassFileError> {
        match insn {
            Insn::If(_, label)
            | Insn::IfInts(_, label)
            | Insn::IfSame(_, label)
            | Insn::IfNull(_, label)
            | Insn::Goto(label)
            | Insn::Jsr(label) => *label = self.start(u32::try_from(*label).unwrap_or(u32::MAX))?,
            Insn::Switch { cases, default } => {
                for (_, label) in cases {
                    *label = self.start(u32::try_from(*label).unwrap_or(u32::MAX))?;
                }
                *default = self.start(u32::try_from(*default).unwrap_or(u32::MAX))?;
            }
            _ => {}
        }
        Ok(())
    }
}

struct Decoder<'a> {
    pool: &'a Pool,
    bootstraps: &'a [Bootstrap],
    cursor: Cursor<'a>,
    code: Code,
}

impl Decoder<'_> {
    fn insn(&mut self, pc: usize) -> Result<Insn, ClassFileError> {
        let opcode = self.cursor.u8()?;
        if let Some(insn) = opcode::simple(opcode) {
            return Ok(insn);
        }
        Ok(match opcode {
            0x10 => Insn::Const(Constant::Int(self.cursor.i8()?.into())),
            0x11 => Insn::Const(Constant::Int(self.cursor.i16()?.into())),
            0x12 => Insn::Const(self.pool.constant(self.cursor.u8()?.into())?),
            0x13 | 0x14 => Insn::Const(self.pool.constant(self.cursor.u16()?)?),
            0x15..=0x19 => Insn::Load(kind(opcode - 0x15), self.cursor.u8()?.into()),
            0x36..=0x3a => Insn::Store(kind(opcode - 0x36), self.cursor.u8()?.into()),
            0x84 => Insn::Increment(self.cursor.u8()?.into(), self.cursor.i8()?.into()),
            0x99..=0x9e => Insn::If(condition(opcode - 0x99), self.near(pc)?),
            0x9f..=0xa4 => Insn::IfInts(condition(opcode - 0x9f), self.near(pc)?),
            0xa5 | 0xa6 => Insn::IfSame(opcode == 0xa5, self.near(pc)?),
            0xa7 => Insn::Goto(self.near(pc)?),
            0xa8 => Insn::Jsr(self.near(pc)?),
            0xa9 => Insn::Ret(self.cursor.u8()?.into()),
            0xaa => self.table_switch(pc)?,
            0xab => self.lookup_switch(pc)?,
            0xb2 => Insn::GetStatic(self.field()?),
            0xb3 => Insn::PutStatic(self.field()?),
            0xb4 => Insn::GetField(self.field()?),
            0xb5 => Insn::PutField(self.field()?),
            0xb6 => Insn::Invoke(InvokeKind::Virtual, self.method()?),
            0xb7 => Insn::Invoke(InvokeKind::Special, self.method()?),
            0xb8 => Insn::Invoke(InvokeKind::Static, self.method()?),
            0xb9 => {
                let method = self.method()?;
                let _count_and_zero = self.cursor.u16()?;
                Insn::Invoke(InvokeKind::Interface, method)
            }
            0xba => self.invoke_dynamic()?,
            0xbb => Insn::New(self.pool.class(self.cursor.u16()?)?),
            0xbc => Insn::NewPrimArray(self.element_type()?),
            0xbd => Insn::NewRefArray(self.pool.class(self.cursor.u16()?)?),
            0xc0 => Insn::CheckCast(self.pool.class(self.cursor.u16()?)?),
            0xc1 => Insn::InstanceOf(self.pool.class(self.cursor.u16()?)?),
            0xc4 => self.wide()?,
            0xc5 => {
                let class = self.pool.class(self.cursor.u16()?)?;
                let n_dimensions = self.cursor.u8()?;
                let depth = class.bytes().take_while(|&byte| byte == b'[').count();
                if n_dimensions == 0 || usize::from(n_dimensions) > depth {
                    return Err(self.cursor.error("an array with a wrong number of dimensions"));
                }
                Insn::NewMultiArray(class, n_dimensions)
            }
            0xc6 | 0xc7 => Insn::IfNull(opcode == 0xc6, self.near(pc)?),
            0xc8 => Insn::Goto(self.far(pc)?),
            0xc9 => Insn::Jsr(self.far(pc)?),
            _ => return Err(self.cursor.error(format!("unknown opcode {opcode:#04x}"))),
        })
    }

    fn field(&mut self) -> Result<Rc<super::insn::MemberRef>, ClassFileError> {
        let member = self.pool.member(self.cursor.u16()?)?;
        if Type::parse(&member.descriptor).is_none() {
            return Err(self.cursor.error("a field without a type"));
        }
        Ok(member)
    }

    fn method(&mut self) -> Result<Rc<super::insn::MemberRef>, ClassFileError> {
        let member = self.pool.member(self.cursor.u16()?)?;
        if Signature::parse(&member.descriptor).is_none() {
            return Err(self.cursor.error("a method without a type"));
        }
        Ok(member)
    }

    fn target(&self, pc: usize, distance: i64) -> Result<usize, ClassFileError> {
        let target = i64::try_from(pc).unwrap_or(i64::MAX).saturating_add(distance);
        usize::try_from(target).map_err(|_| self.cursor.error("a jump before the code"))
    }

    fn near(&mut self, pc: usize) -> Result<usize, ClassFileError> {
        let distance = self.cursor.i16()?;
        self.target(pc, distance.into())
    }

    fn far(&mut self, pc: usize) -> Result<usize, ClassFileError> {
        let distance = self.cursor.i32()?;
        self.target(pc, distance.into())
    }

    fn align(&mut self, pc: usize) -> Result<(), ClassFileError> {
        let padding = 3 - pc % 4;
        self.cursor.take(padding).map(|_| ())
    }

    fn table_switch(&mut self, pc: usize) -> Result<Insn, ClassFileError> {
        self.align(pc)?;
        let default = self.far(pc)?;
        let (low, high) = (self.cursor.i32()?, self.cursor.i32()?);
        let n_cases = i64::from(high) - i64::from(low) + 1;
        if !(1..=MAX_SWITCH).contains(&n_cases) {
            return Err(self.cursor.error("a switch with a wrong number of cases"));
        }
        let mut cases = Vec::new();
        for value in low..=high {
            cases.push((value, self.far(pc)?));
        }
        Ok(Insn::Switch { cases, default })
    }

    fn lookup_switch(&mut self, pc: usize) -> Result<Insn, ClassFileError> {
        self.align(pc)?;
        let default = self.far(pc)?;
        let n_cases = self.cursor.i32()?;
        if !(0..=MAX_SWITCH).contains(&i64::from(n_cases)) {
            return Err(self.cursor.error("a switch with a wrong number of cases"));
        }
        let mut cases: Vec<(i32, usize)> = Vec::new();
        for _ in 0..n_cases {
            let value = self.cursor.i32()?;
            if cases.last().is_some_and(|last| last.0 >= value) {
                return Err(self.cursor.error("a switch whose cases are not in order"));
            }
            cases.push((value, self.far(pc)?));
        }
        Ok(Insn::Switch { cases, default })
    }

    fn element_type(&mut self) -> Result<Prim, ClassFileError> {
        Ok(match self.cursor.u8()? {
            4 => Prim::Boolean,
            5 => Prim::Char,
            6 => Prim::Float,
            7 => Prim::Double,
            8 => Prim::Byte,
            9 => Prim::Short,
            10 => Prim::Int,
            11 => Prim::Long,
            _ => return Err(self.cursor.error("an array of an unknown type")),
        })
    }

    fn wide(&mut self) -> Result<Insn, ClassFileError> {
        let opcode = self.cursor.u8()?;
        let slot = self.cursor.u16()?;
        Ok(match opcode {
            0x15..=0x19 => Insn::Load(kind(opcode - 0x15), slot),
            0x36..=0x3a => Insn::Store(kind(opcode - 0x36), slot),
            0x84 => Insn::Increment(slot, self.cursor.i16()?),
            0xa9 => Insn::Ret(slot),
            _ => return Err(self.cursor.error(format!("wide opcode {opcode:#04x}"))),
        })
    }

    fn invoke_dynamic(&mut self) -> Result<Insn, ClassFileError> {
        let entry = self.pool.dynamic(self.cursor.u16()?)?;
        let _zero = self.cursor.u16()?;
        if Signature::parse(&entry.descriptor).is_none() {
            return Err(self.cursor.error("a dynamic call without a type"));
        }
        let bootstrap = self.bootstraps.get(usize::from(entry.bootstrap));
        let Some(bootstrap) = bootstrap else {
            return Err(self.cursor.error("a dynamic call without a bootstrap method"));
        };
        Ok(Insn::InvokeDynamic(Rc::new(DynamicCall {
            name: entry.name,
            descriptor: entry.descriptor,
            bootstrap: bootstrap.handle.clone(),
            args: bootstrap.args.clone(),
        })))
    }
}

/// Types in the order of opcode families: int, long, float, double, reference.
pub(super) fn kind(index: u8) -> Kind {
    match index {
        0 => Kind::Int,
        1 => Kind::Long,
        2 => Kind::Float,
        3 => Kind::Double,
        _ => Kind::Ref,
    }
}

fn condition(index: u8) -> Condition {
    match index {
        0 => Condition::Eq,
        1 => Condition::Ne,
        2 => Condition::Lt,
        3 => Condition::Ge,
        4 => Condition::Gt,
        _ => Condition::Le,
    }
}
