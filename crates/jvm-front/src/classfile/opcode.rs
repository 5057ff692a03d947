//! Opcodes without operands.

use super::decode::kind;
use super::insn::{ArithOp, Comparison, Constant, Conversion, Element, Insn, StackOp};
use crate::descriptor::Kind;

/// The instruction of an opcode that no operand bytes follow.
pub(super) fn simple(opcode: u8) -> Option<Insn> {
    Some(match opcode {
        0x00 => Insn::Nop,
        0x01..=0x0f => Insn::Const(constant(opcode)),
        0x1a..=0x2d => Insn::Load(kind((opcode - 0x1a) / 4), u16::from((opcode - 0x1a) % 4)),
        0x3b..=0x4e => Insn::Store(kind((opcode - 0x3b) / 4), u16::from((opcode - 0x3b) % 4)),
        0x2e..=0x35 => Insn::ArrayLoad(element(opcode - 0x2e)),
        0x4f..=0x56 => Insn::ArrayStore(element(opcode - 0x4f)),
        0x57..=0x5f => Insn::Stack(stack_op(opcode)),
        0x60..=0x73 => {
            let op = match (opcode - 0x60) / 4 {
                0 => ArithOp::Add,
                1 => ArithOp::Sub,
                2 => ArithOp::Mul,
                3 => ArithOp::Div,
                _ => ArithOp::Rem,
            };
            Insn::Arith(op, kind((opcode - 0x60) % 4))
        }
        0x74..=0x77 => Insn::Neg(kind(opcode - 0x74)),
        0x78..=0x83 => {
            let op = match (opcode - 0x78) / 2 {
                0 => ArithOp::Shl,
                1 => ArithOp::Shr,
                2 => ArithOp::Ushr,
                3 => ArithOp::And,
                4 => ArithOp::Or,
                _ => ArithOp::Xor,
            };
            Insn::Arith(op, kind((opcode - 0x78) % 2))
        }
        0x85..=0x93 => Insn::Convert(conversion(opcode)),
        0x94 => Insn::Compare(Comparison::Long),
        0x95 => Insn::Compare(Comparison::FloatLess(Kind::Float)),
        0x96 => Insn::Compare(Comparison::FloatGreater(Kind::Float)),
        0x97 => Insn::Compare(Comparison::FloatLess(Kind::Double)),
        0x98 => Insn::Compare(Comparison::FloatGreater(Kind::Double)),
        0xac..=0xb0 => Insn::Return(Some(kind(opcode - 0xac))),
        0xb1 => Insn::Return(None),
        0xbe => Insn::ArrayLength,
        0xbf => Insn::Throw,
        0xc2 => Insn::MonitorEnter,
        0xc3 => Insn::MonitorExit,
        _ => return None,
    })
}

fn constant(opcode: u8) -> Constant {
    match opcode {
        0x01 => Constant::Null,
        0x02..=0x08 => Constant::Int(i32::from(opcode) - 3),
        0x09 | 0x0a => Constant::Long(i64::from(opcode - 0x09)),
        0x0b..=0x0d => Constant::Float(f32::from(opcode - 0x0b).to_bits()),
        _ => Constant::Double(f64::from(opcode - 0x0e).to_bits()),
    }
}

fn element(index: u8) -> Element {
    match index {
        0 => Element::Int,
        1 => Element::Long,
        2 => Element::Float,
        3 => Element::Double,
        4 => Element::Ref,
        5 => Element::Byte,
        6 => Element::Char,
        _ => Element::Short,
    }
}

fn stack_op(opcode: u8) -> StackOp {
    match opcode {
        0x57 => StackOp::Pop,
        0x58 => StackOp::Pop2,
        0x59 => StackOp::Dup,
        0x5a => StackOp::DupX1,
        0x5b => StackOp::DupX2,
        0x5c => StackOp::Dup2,
        0x5d => StackOp::Dup2X1,
        0x5e => StackOp::Dup2X2,
        _ => StackOp::Swap,
    }
}

fn conversion(opcode: u8) -> Conversion {
    let kinds = [Kind::Int, Kind::Long, Kind::Float, Kind::Double];
    match opcode {
        0x91 => Conversion::IntToByte,
        0x92 => Conversion::IntToChar,
        0x93 => Conversion::IntToShort,
        _ => {
            // Three targets for each source, in the order of kinds without the source itself.
            let index = usize::from(opcode - 0x85);
            let from = kinds[index / 3];
            let mut others = kinds.into_iter().filter(|&kind| kind != from);
            let to = others.nth(index % 3).unwrap_or(Kind::Int);
            Conversion::Kinds(from, to)
        }
    }
}
