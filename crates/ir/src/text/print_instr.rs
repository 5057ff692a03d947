//! Printing instructions.

use std::fmt::{self, Write};

use super::names::Named;
use super::print::quoted;
use crate::check::{Check, Demand};
use crate::func::Body;
use crate::instr::{
    Call, Callee, CastOp, FloatUnaryOp, Instr, InstrKind, MemoryOp, Operand, PointerOp, PureOp,
    VarArgsOp,
};
use crate::mark::{Access, Mark, Part, VarRef};

pub(super) fn write_operand(out: &mut String, operand: Operand) -> fmt::Result {
    match operand {
        Operand::Value(value) => write!(out, "{value}"),
        Operand::Int(bits) => write!(out, "{}:i{}", bits.unsigned(), bits.width()),
        Operand::Float(float) => {
            let format = float.format();
            write!(out, "{:#x}:f{}.{}", float.to_bits(), format.exponent, format.significand)
        }
        Operand::NullPtr => write!(out, "null"),
        Operand::Global(global) => write!(out, "{global}"),
        Operand::Func(func) => write!(out, "{func}"),
    }
}

fn list(out: &mut String, name: &str, operands: &[Operand]) -> fmt::Result {
    out.push_str(name);
    for (position, &operand) in operands.iter().enumerate() {
        out.push_str(if position == 0 { " " } else { ", " });
        write_operand(out, operand)?;
    }
    Ok(())
}

pub(super) fn write_instr(out: &mut String, body: &Body, instr: &Instr) -> fmt::Result {
    if let Some(result) = instr.result {
        write!(out, "{result}: {} = ", body.value_ty(result))?;
    }
    write_kind(out, &instr.kind)
}

fn write_kind(out: &mut String, kind: &InstrKind) -> fmt::Result {
    match kind {
        InstrKind::Pure(op) => write_pure(out, op),
        InstrKind::Pointer(op) => write_pointer(out, op),
        InstrKind::Memory(op) => write_memory(out, op),
        InstrKind::VarArgs(op) => write_var_args(out, op),
        InstrKind::Call(call) => write_call(out, call),
        InstrKind::Check(check) => write_check(out, check),
        InstrKind::Assume { condition } => list(out, "assume", &[*condition]),
        InstrKind::Mark(mark) => write_mark(out, *mark),
        InstrKind::Unsupported { what, .. } => write!(out, "unsupported {}", quoted(what)),
    }
}

fn write_pure(out: &mut String, op: &PureOp) -> fmt::Result {
    match *op {
        PureOp::Unary { op, arg } => list(out, op.name(), &[arg]),
        PureOp::Binary { op, lhs, rhs } => list(out, op.name(), &[lhs, rhs]),
        PureOp::Compare { op, lhs, rhs } => list(out, &format!("cmp.{}", op.name()), &[lhs, rhs]),
        PureOp::Overflows { op, signedness, lhs, rhs } => {
            let name = format!("overflows.{}.{}", op.name(), signedness.name());
            list(out, &name, &[lhs, rhs])
        }
        PureOp::Select { condition, if_true, if_false } => {
            list(out, "select", &[condition, if_true, if_false])
        }
        PureOp::Cast { op, arg, .. } => list(out, &cast_name(op), &[arg]),
        PureOp::FloatUnary { op, arg } => list(out, &float_unary_name(op), &[arg]),
        PureOp::FloatBinary { op, lhs, rhs } => list(out, op.name(), &[lhs, rhs]),
        PureOp::FloatFma { x, y, z } => list(out, "fma", &[x, y, z]),
        PureOp::FloatCompare { op, lhs, rhs } => {
            list(out, &format!("fcmp.{}", op.name()), &[lhs, rhs])
        }
        PureOp::FloatClassify { op, arg } => list(out, &format!("fclass.{}", op.name()), &[arg]),
    }
}

pub(super) fn cast_name(op: CastOp) -> String {
    match op {
        CastOp::Truncate => "trunc".to_owned(),
        CastOp::ZeroExtend => "zext".to_owned(),
        CastOp::SignExtend => "sext".to_owned(),
        CastOp::IntToFloat(signedness) => format!("int_to_float.{}", signedness.name()),
        CastOp::FloatToInt(signedness) => format!("float_to_int.{}", signedness.name()),
        CastOp::FloatToIntSaturating => "float_to_int_saturating".to_owned(),
        CastOp::FloatToFloat => "float_to_float".to_owned(),
        CastOp::Reinterpret => "reinterpret".to_owned(),
        CastOp::PtrToInt => "ptr_to_int".to_owned(),
        CastOp::IntToPtr => "int_to_ptr".to_owned(),
    }
}

pub(super) fn float_unary_name(op: FloatUnaryOp) -> String {
    match op {
        FloatUnaryOp::Neg => "fneg".to_owned(),
        FloatUnaryOp::Abs => "fabs".to_owned(),
        FloatUnaryOp::Sqrt => "fsqrt".to_owned(),
        FloatUnaryOp::Round(mode) => format!("fround.{}", mode.name()),
    }
}

fn write_pointer(out: &mut String, op: &PointerOp) -> fmt::Result {
    match *op {
        PointerOp::LocalAddr(local) => write!(out, "local_addr {local}"),
        PointerOp::Add { base, offset } => list(out, "ptr_add", &[base, offset]),
        PointerOp::Diff { lhs, rhs } => list(out, "ptr_diff", &[lhs, rhs]),
        PointerOp::Compare { op, lhs, rhs } => {
            list(out, &format!("ptr_cmp.{}", op.name()), &[lhs, rhs])
        }
        PointerOp::ObjectSize { ptr } => list(out, "object_size", &[ptr]),
        PointerOp::ObjectOffset { ptr } => list(out, "object_offset", &[ptr]),
        PointerOp::IsWhole { ptr, size } => list(out, "is_whole", &[ptr, size]),
    }
}

fn write_memory(out: &mut String, op: &MemoryOp) -> fmt::Result {
    match *op {
        MemoryOp::LocalStart(local) => write!(out, "local_start {local}"),
        MemoryOp::LocalEnd(local) => write!(out, "local_end {local}"),
        MemoryOp::StackAlloc { size, align, source_type } => {
            list(out, "stack_alloc", &[size])?;
            write!(out, " align {align} {source_type}")
        }
        MemoryOp::StackFree { ptr } => list(out, "stack_free", &[ptr]),
        MemoryOp::HeapAlloc { size, fill } => {
            list(out, &format!("heap_alloc.{}", fill.name()), &[size])
        }
        MemoryOp::HeapFree { ptr } => list(out, "heap_free", &[ptr]),
        MemoryOp::Load { ptr, is_volatile, .. } => {
            list(out, if is_volatile { "load.volatile" } else { "load" }, &[ptr])
        }
        MemoryOp::Store { ptr, value, is_volatile } => {
            list(out, if is_volatile { "store.volatile" } else { "store" }, &[ptr, value])
        }
        MemoryOp::LoadBits { ptr, start, width, signedness, is_volatile, .. } => {
            let volatile = if is_volatile { ".volatile" } else { "" };
            list(out, &format!("load_bits.{}{volatile}", signedness.name()), &[ptr])?;
            write!(out, " bits {start} {width}")
        }
        MemoryOp::StoreBits { ptr, start, width, value } => {
            list(out, "store_bits", &[ptr, value])?;
            write!(out, " bits {start} {width}")
        }
        MemoryOp::Copy { dst, src, len, is_volatile } => {
            let name = if is_volatile { "mem_copy.volatile" } else { "mem_copy" };
            list(out, name, &[dst, src, len])
        }
        MemoryOp::Fill { dst, byte, len } => list(out, "mem_set", &[dst, byte, len]),
    }
}

fn write_var_args(out: &mut String, op: &VarArgsOp) -> fmt::Result {
    match *op {
        VarArgsOp::Start { list: va } => list(out, "va_start", &[va]),
        VarArgsOp::Next { list: va, is_indirect, source_type, ty: _ } => {
            list(out, if is_indirect { "va_arg.indirect" } else { "va_arg" }, &[va])?;
            write!(out, " {source_type}")
        }
        VarArgsOp::Copy { dst, src } => list(out, "va_copy", &[dst, src]),
        VarArgsOp::End { list: va } => list(out, "va_end", &[va]),
    }
}

fn write_call(out: &mut String, call: &Call) -> fmt::Result {
    match call.callee {
        Callee::Direct(func) => write!(out, "call {func}")?,
        Callee::Indirect(pointer) => list(out, "call_indirect", &[pointer])?,
    }
    out.push_str(" (");
    for (position, &arg) in call.args.iter().enumerate() {
        out.push_str(if position == 0 { "" } else { ", " });
        write_operand(out, arg)?;
    }
    write!(out, ") fixed {}", call.n_fixed_args)
}

fn write_check(out: &mut String, check: &Check) -> fmt::Result {
    match check {
        Check::Condition { kind, condition, values, demand } => {
            list(out, &format!("check {}", kind.name()), &[*condition])?;
            if !values.is_empty() {
                list(out, " values", values)?;
            }
            match demand {
                None => Ok(()),
                Some(Demand::Words(words)) => write!(out, " message {}", quoted(words)),
                Some(Demand::NotEntered(name)) => write!(out, " not-entered {}", quoted(name)),
                Some(Demand::NotCalled(name)) => write!(out, " not-called {}", quoted(name)),
            }
        }
        Check::Readable { ptr, size } => list(out, "check readable", &[*ptr, *size]),
        Check::Accessible { ptr, size } => list(out, "check accessible", &[*ptr, *size]),
        Check::Writable { ptr, size } => list(out, "check writable", &[*ptr, *size]),
        Check::Freeable { ptr } => list(out, "check freeable", &[*ptr]),
        Check::Callable { ptr, ty } => {
            list(out, "check callable", &[*ptr])?;
            ty.map_or(Ok(()), |ty| write!(out, " as {ty}"))
        }
        Check::InBoundsOffset { ptr, offset } => list(out, "check in_bounds", &[*ptr, *offset]),
        Check::SameObject { lhs, rhs } => list(out, "check same_object", &[*lhs, *rhs]),
    }
}

fn write_mark(out: &mut String, mark: Mark) -> fmt::Result {
    let var = |access: Access| {
        let mut text = match access.var {
            VarRef::Local(var) => var.to_string(),
            VarRef::Global(global) => global.to_string(),
        };
        if access.is_behind {
            text.push_str(" behind");
        }
        match access.part {
            Part::Whole => {}
            Part::Bits { first, count } => text.push_str(&format!(" part {first} {count}")),
            Part::Somewhere => text.push_str(" somewhere"),
        }
        text
    };
    match mark {
        Mark::Statement => write!(out, "mark statement"),
        Mark::Instruction => write!(out, "mark instruction"),
        Mark::Unsigned => write!(out, "mark unsigned"),
        Mark::Def(of) => write!(out, "mark def {}", var(of)),
        Mark::Use(of, kind) => write!(out, "mark {} {}", kind.name(), var(of)),
        Mark::Pointee { ptr, target } => {
            list(out, "mark pointee", &[ptr])?;
            write!(out, " {target}")
        }
        Mark::Opened { ptr, size } => {
            list(out, "mark opened", &[ptr])?;
            write!(out, " {size}")
        }
        Mark::Promised => write!(out, "mark promised"),
        Mark::Presumes(what) => write!(out, "mark presumes {}", what.name()),
    }
}
