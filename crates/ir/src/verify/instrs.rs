//! Instructions: operand types, result types.

use super::Verifier;
use super::error::BrokenRule;
use crate::check::Check;
use crate::instr::{Call, Callee, CastOp, Instr, InstrKind, MemoryOp, Operand, PointerOp, PureOp};
use crate::mark::Mark;
use crate::ty::Ty;

pub(super) fn verify_instrs(verifier: &mut Verifier<'_>) {
    let body = verifier.body;
    for block in body.block_ids() {
        for (position, instr) in body.block(block).instrs.iter().enumerate() {
            verifier.at(block, Some(position));
            result(verifier, instr);
            operands(verifier, &instr.kind);
        }
    }
    verifier.place = None;
}

fn result(verifier: &mut Verifier<'_>, instr: &Instr) {
    let expected = instr.kind.result_ty(verifier.body);
    match (expected, instr.result) {
        (Some(expected), Some(value)) => {
            let found = verifier.value_ty(value);
            verifier.require(expected == found, BrokenRule::ResultType { expected, found });
        }
        (Some(expected), None) => verifier.report(BrokenRule::ResultMissing { expected }),
        (None, Some(value)) => verifier.report(BrokenRule::ResultUnexpected { value }),
        (None, None) => {}
    }
}

fn operands(verifier: &mut Verifier<'_>, kind: &InstrKind) {
    match kind {
        InstrKind::Pure(op) => pure(verifier, op),
        InstrKind::Pointer(op) => pointer(verifier, op),
        InstrKind::Memory(op) => memory(verifier, op),
        // Every operand is the address of a list.
        InstrKind::VarArgs(op) => op.for_each_operand(|list| verifier.expect(*list, Ty::Ptr)),
        InstrKind::Call(call) => call_matches(verifier, call),
        InstrKind::Check(check) => check_operands(verifier, check),
        InstrKind::Assume { condition } => verifier.expect(*condition, Ty::BOOL),
        InstrKind::Mark(Mark::Pointee { ptr, .. } | Mark::Opened { ptr, .. }) => {
            verifier.expect(*ptr, Ty::Ptr)
        }
        InstrKind::Mark(
            Mark::Statement
            | Mark::Instruction
            | Mark::Unsigned
            | Mark::Def(_)
            | Mark::Use(..)
            | Mark::Presumes(_)
            | Mark::Promised,
        )
        | InstrKind::Unsupported { .. } => {}
    }
}

fn pure(verifier: &mut Verifier<'_>, op: &PureOp) {
    match *op {
        PureOp::Unary { arg, .. } => verifier.expect_int(arg),
        PureOp::Binary { lhs, rhs, .. }
        | PureOp::Compare { lhs, rhs, .. }
        | PureOp::Overflows { lhs, rhs, .. } => verifier.expect_ints(lhs, rhs),
        PureOp::Select { condition, if_true, if_false } => {
            verifier.expect(condition, Ty::BOOL);
            verifier.expect_same(if_true, if_false);
        }
        PureOp::Cast { op, arg, to } => cast(verifier, op, arg, to),
        PureOp::FloatUnary { arg, .. } | PureOp::FloatClassify { arg, .. } => {
            verifier.expect_float(arg);
        }
        PureOp::FloatBinary { lhs, rhs, .. } | PureOp::FloatCompare { lhs, rhs, .. } => {
            verifier.expect_floats(lhs, rhs);
        }
        PureOp::FloatFma { x, y, z } => {
            verifier.expect_floats(x, y);
            verifier.expect_floats(x, z);
        }
    }
}

fn pointer(verifier: &mut Verifier<'_>, op: &PointerOp) {
    match *op {
        PointerOp::LocalAddr(_) => {}
        PointerOp::Add { base, offset } => {
            verifier.expect(base, Ty::Ptr);
            verifier.expect(offset, Ty::I64);
        }
        PointerOp::Diff { lhs, rhs } | PointerOp::Compare { lhs, rhs, .. } => {
            verifier.expect_all(&[lhs, rhs], Ty::Ptr);
        }
        PointerOp::ObjectSize { ptr } | PointerOp::ObjectOffset { ptr } => {
            verifier.expect(ptr, Ty::Ptr);
        }
        PointerOp::IsWhole { ptr, size } => {
            verifier.expect(ptr, Ty::Ptr);
            verifier.expect(size, Ty::I64);
        }
    }
}

fn memory(verifier: &mut Verifier<'_>, op: &MemoryOp) {
    match *op {
        MemoryOp::LocalStart(_) | MemoryOp::LocalEnd(_) => {}
        MemoryOp::StackAlloc { size, align, .. } => {
            verifier.expect(size, Ty::I64);
            verifier.require(align.is_power_of_two(), BrokenRule::BadAlign { align });
        }
        MemoryOp::HeapAlloc { size, .. } => verifier.expect(size, Ty::I64),
        MemoryOp::StackFree { ptr }
        | MemoryOp::HeapFree { ptr }
        | MemoryOp::Load { ptr, .. }
        | MemoryOp::Store { ptr, .. } => verifier.expect(ptr, Ty::Ptr),
        MemoryOp::LoadBits { ty, ptr, start, width, .. } => {
            verifier.expect(ptr, Ty::Ptr);
            bit_range(verifier, start, width, ty);
        }
        MemoryOp::StoreBits { ptr, start, width, value } => {
            verifier.expect(ptr, Ty::Ptr);
            verifier.expect_int(value);
            let ty = verifier.ty(value);
            bit_range(verifier, start, width, ty);
        }
        MemoryOp::Copy { dst, src, len, .. } => {
            verifier.expect_all(&[dst, src], Ty::Ptr);
            verifier.expect(len, Ty::I64);
        }
        MemoryOp::Fill { dst, byte, len } => {
            verifier.expect(dst, Ty::Ptr);
            verifier.expect(byte, Ty::I8);
            verifier.expect(len, Ty::I64);
        }
    }
}

fn bit_range(verifier: &mut Verifier<'_>, start: u8, width: u8, ty: Ty) {
    let fits = matches!(ty, Ty::Int(bits) if width <= bits);
    verifier.require(start <= 7 && 1 <= width && fits, BrokenRule::BadBitRange { start, width });
}

fn cast(verifier: &mut Verifier<'_>, op: CastOp, arg: Operand, to: Ty) {
    let from = verifier.ty(arg);
    let is_possible = match (op, from, to) {
        (CastOp::Truncate, Ty::Int(from), Ty::Int(to)) => to < from,
        (CastOp::ZeroExtend | CastOp::SignExtend, Ty::Int(from), Ty::Int(to)) => from < to,
        (CastOp::IntToFloat(_), Ty::Int(_), Ty::Float(_))
        | (CastOp::FloatToInt(_) | CastOp::FloatToIntSaturating, Ty::Float(_), Ty::Int(_)) => true,
        (CastOp::FloatToFloat, Ty::Float(from), Ty::Float(to)) => from != to,
        (CastOp::Reinterpret, Ty::Int(width), Ty::Float(format))
        | (CastOp::Reinterpret, Ty::Float(format), Ty::Int(width)) => width == format.width(),
        (CastOp::PtrToInt, Ty::Ptr, Ty::Int(width))
        | (CastOp::IntToPtr, Ty::Int(width), Ty::Ptr) => width == 64,
        (
            CastOp::Truncate
            | CastOp::ZeroExtend
            | CastOp::SignExtend
            | CastOp::IntToFloat(_)
            | CastOp::FloatToInt(_)
            | CastOp::FloatToIntSaturating
            | CastOp::FloatToFloat
            | CastOp::Reinterpret
            | CastOp::PtrToInt
            | CastOp::IntToPtr,
            _,
            _,
        ) => false,
    };
    verifier.require(is_possible, BrokenRule::BadCast { from, to });
}

fn call_matches(verifier: &mut Verifier<'_>, call: &Call) {
    let found = call.args.len();
    match call.callee {
        Callee::Indirect(pointer) => {
            verifier.expect(pointer, Ty::Ptr);
            let n_fixed = call.n_fixed_args as usize;
            verifier.require(n_fixed <= found, BrokenRule::CallArity { expected: n_fixed, found });
        }
        Callee::Direct(func) => {
            let callee = verifier.program.function(func);
            let expected = callee.params.len();
            let is_right_number =
                if callee.is_variadic { found >= expected } else { found == expected };
            let is_right_split =
                if callee.is_variadic { call.n_fixed_args as usize == expected } else { true };
            verifier.require(
                is_right_number && is_right_split,
                BrokenRule::CallArity { expected, found },
            );
            for (param, &arg) in callee.params.iter().zip(&call.args) {
                verifier.expect(arg, param.ty);
            }
            let result = callee.result.direct();
            verifier.require(
                result == call.result,
                BrokenRule::CallResult { expected: result, found: call.result },
            );
        }
    }
}

fn check_operands(verifier: &mut Verifier<'_>, check: &Check) {
    match *check {
        Check::Condition { condition, .. } => verifier.expect(condition, Ty::BOOL),
        Check::Readable { ptr, size }
        | Check::Accessible { ptr, size }
        | Check::Writable { ptr, size } => {
            verifier.expect(ptr, Ty::Ptr);
            verifier.expect(size, Ty::I64);
        }
        Check::Freeable { ptr } | Check::Callable { ptr, .. } => verifier.expect(ptr, Ty::Ptr),
        Check::InBoundsOffset { ptr, offset } => {
            verifier.expect(ptr, Ty::Ptr);
            verifier.expect(offset, Ty::I64);
        }
        Check::SameObject { lhs, rhs } => verifier.expect_all(&[lhs, rhs], Ty::Ptr),
    }
}
