//! A method with other instructions in the place of one.

use super::code::{Attribute, Plan, Room, instruction};
use super::{Constants, with_code};
use crate::classfile::ClassFileError;
use crate::classfile::insn::{ArithOp, Code, Condition, Constant, Insn, Label, StackOp};
use crate::descriptor::Kind;

/// A change of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// The offset of the instruction whose place is taken.
    pc: usize,
    pieces: Vec<Piece>,
}

/// An instruction as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    bytes: Vec<u8>,
    /// What the two bytes behind the opcode say.
    operand: Operand,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Operand {
    /// What they say already.
    None,
    /// How far it is to what was at this offset.
    Jump(usize),
    /// The index of this entry of the pool.
    Constant(Vec<u8>),
}

impl Patch {
    /// Instructions in the place of one; their labels are those of the code. `None` where one is not known here.
    pub fn new(code: &Code, at: Label, insns: &[Insn]) -> Option<Patch> {
        let offset = |label: Label| usize::try_from(*code.pcs.get(label)?).ok();
        let pieces = insns.iter().map(|insn| encode(insn, &offset)).collect::<Option<_>>()?;
        Some(Patch { pc: offset(at)?, pieces })
    }

    fn code(&self, code: &[u8], indices: &[u16]) -> Option<(Plan, Vec<u8>)> {
        let len = self.pieces.iter().map(|piece| piece.bytes.len()).sum();
        let room = |pc: usize, _| Room { own: (pc == self.pc).then_some(len), ..Room::default() };
        let plan = Plan::new(code, room)?;
        let mut out = Vec::with_capacity(plan.new_len);
        for moved in &plan.moved {
            if moved.old != self.pc {
                instruction(&mut out, code, moved, &plan)?;
                continue;
            }
            for (Piece { bytes, operand }, index) in self.pieces.iter().zip(indices) {
                let start = out.len();
                out.extend(bytes);
                let operand = match operand {
                    Operand::None => continue,
                    Operand::Jump(old) => {
                        let target = i64::try_from(plan.label(*old)?).ok()?;
                        let distance = target - i64::try_from(start).ok()?;
                        i16::try_from(distance).ok()?.to_be_bytes()
                    }
                    Operand::Constant(_) => index.to_be_bytes(),
                };
                out[start + 1..start + 3].copy_from_slice(&operand);
            }
        }
        Some((plan, out))
    }
}

/// The class with a change in one of its methods, which is named by name and descriptor; `None` where it has no room for it, or is
/// not there. New ways may lack frames, which the verifier would ask for.
pub fn patched(
    bytes: &[u8],
    (name, descriptor): (&str, &str),
    patch: &Patch,
) -> Result<Option<Vec<u8>>, ClassFileError> {
    let indices = |constants: &mut Constants| -> Option<Vec<u16>> {
        let index = |piece: &Piece| match &piece.operand {
            Operand::Constant(entry) => constants.add(entry),
            Operand::None | Operand::Jump(_) => Some(0),
        };
        patch.pieces.iter().map(index).collect()
    };
    let mut is_done = false;
    let changed = with_code(bytes, indices, |pool, indices, method, contents| {
        if method != (name, descriptor) {
            return Ok(None);
        }
        let attribute = Attribute::read(contents)?;
        let Some((plan, code)) = patch.code(attribute.code, indices) else { return Ok(None) };
        let changed = attribute.with(pool, &plan, &code, 0)?;
        is_done = changed.is_some();
        Ok(changed)
    })?;
    Ok(is_done.then_some(changed))
}

/// Which of four opcodes in a row is that of a kind.
fn by_kind(kind: Kind) -> u8 {
    match kind {
        Kind::Int => 0,
        Kind::Long => 1,
        Kind::Float => 2,
        Kind::Double => 3,
        Kind::Ref => 4,
    }
}

fn by_condition(condition: Condition) -> u8 {
    match condition {
        Condition::Eq => 0,
        Condition::Ne => 1,
        Condition::Lt => 2,
        Condition::Ge => 3,
        Condition::Gt => 4,
        Condition::Le => 5,
    }
}

fn arithmetic(op: ArithOp, kind: Kind) -> u8 {
    let first = match op {
        ArithOp::Add => 0x60,
        ArithOp::Sub => 0x64,
        ArithOp::Mul => 0x68,
        ArithOp::Div => 0x6c,
        ArithOp::Rem => 0x70,
        ArithOp::Shl => 0x78,
        ArithOp::Shr => 0x7a,
        ArithOp::Ushr => 0x7c,
        ArithOp::And => 0x7e,
        ArithOp::Or => 0x80,
        ArithOp::Xor => 0x82,
    };
    first + by_kind(kind)
}

/// An instruction that changes have; `None` for the others.
#[expect(clippy::wildcard_enum_match_arm, reason = "no change needs the others")]
fn encode(insn: &Insn, offset: &dyn Fn(Label) -> Option<usize>) -> Option<Piece> {
    let plain = |bytes: &[u8]| Piece { bytes: bytes.to_vec(), operand: Operand::None };
    let jump = |opcode: u8, label: Label| {
        Some(Piece { bytes: vec![opcode, 0, 0], operand: Operand::Jump(offset(label)?) })
    };
    Some(match insn {
        Insn::Nop => plain(&[0x00]),
        Insn::Stack(StackOp::Pop) => plain(&[0x57]),
        Insn::Stack(StackOp::Pop2) => plain(&[0x58]),
        Insn::Arith(op, kind) => plain(&[arithmetic(*op, *kind)]),
        Insn::Neg(kind) => plain(&[0x74 + by_kind(*kind)]),
        Insn::Load(kind, slot) => {
            let opcode = 0x15 + by_kind(*kind);
            match slot.to_be_bytes() {
                [0, low] => plain(&[opcode, low]),
                [high, low] => plain(&[0xc4, opcode, high, low]),
            }
        }
        Insn::Increment(slot, step) => match (u8::try_from(*slot), i8::try_from(*step)) {
            (Ok(slot), Ok(step)) => plain(&[0x84, slot, step.cast_unsigned()]),
            (Ok(_) | Err(_), _) => {
                plain(&[&[0xc4, 0x84][..], &slot.to_be_bytes(), &step.to_be_bytes()].concat())
            }
        },
        Insn::If(condition, label) => jump(0x99 + by_condition(*condition), *label)?,
        Insn::IfInts(condition, label) => jump(0x9f + by_condition(*condition), *label)?,
        Insn::IfSame(is_same, label) => jump(if *is_same { 0xa5 } else { 0xa6 }, *label)?,
        Insn::IfNull(is_null, label) => jump(if *is_null { 0xc6 } else { 0xc7 }, *label)?,
        Insn::Const(constant) => push(constant)?,
        _ => return None,
    })
}

/// An instruction that pushes a number.
fn push(constant: &Constant) -> Option<Piece> {
    let entry = |opcode: u8, tag: u8, value: &[u8]| Piece {
        bytes: vec![opcode, 0, 0],
        operand: Operand::Constant([&[tag][..], value].concat()),
    };
    Some(match constant {
        Constant::Int(value) => match i16::try_from(*value) {
            Ok(short) => Piece {
                bytes: [&[0x11][..], &short.to_be_bytes()].concat(),
                operand: Operand::None,
            },
            Err(_) => entry(0x13, 3, &value.to_be_bytes()),
        },
        Constant::Float(bits) => entry(0x13, 4, &bits.to_be_bytes()),
        Constant::Long(value) => entry(0x14, 5, &value.to_be_bytes()),
        Constant::Double(bits) => entry(0x14, 6, &bits.to_be_bytes()),
        Constant::Null
        | Constant::String(_)
        | Constant::Class(_)
        | Constant::MethodType(_)
        | Constant::MethodHandle(_)
        | Constant::Dynamic(_) => return None,
    })
}
