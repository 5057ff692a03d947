//! Short names for the instructions that lowering emits.

use glassbox_ir::build::BodyBuilder;
use glassbox_ir::instr::{BinaryOp, CastOp, CompareOp, FloatCompareOp, HeapFill, UnaryOp};
use glassbox_ir::object_layout::CLASS_NUMBER;
use glassbox_ir::{
    BlockId, BranchOrigin, Call, Callee, FuncId, GlobalId, InstrKind, MemoryOp, Operand, PointerOp,
    PureOp, Target, Terminator, Ty,
};
use glassbox_values::{Bits, Float, Format};

use crate::descriptor::{Prim, Type};

/// A body being written.
#[derive(Debug)]
pub(super) struct Emit {
    pub(super) builder: BodyBuilder,
}

pub(super) fn int(value: i32) -> Operand {
    Operand::Int(Bits::from_signed(value.into(), 32))
}

pub(super) fn long(value: i64) -> Operand {
    Operand::Int(Bits::from_signed(value.into(), 64))
}

pub(super) fn number(value: u32) -> Operand {
    Operand::Int(Bits::new(value.into(), 32))
}

/// The value that a type's variables start with.
pub(super) fn zero(ty: Ty) -> Operand {
    match ty {
        Ty::Int(width) => Operand::Int(Bits::new(0, width)),
        Ty::Float(format) => Operand::Float(Float::from_bits(0, format)),
        Ty::Ptr => Operand::NullPtr,
    }
}

pub(super) fn float_const(bits: u32) -> Operand {
    Operand::Float(Float::from_bits(bits.into(), Format::F32))
}

pub(super) fn double_const(bits: u64) -> Operand {
    Operand::Float(Float::from_bits(bits, Format::F64))
}

impl Emit {
    pub(super) fn new(params: &[Ty]) -> Emit {
        Emit { builder: BodyBuilder::new(params) }
    }

    pub(super) fn param(&self, index: usize) -> Operand {
        Operand::Value(self.builder.body().blocks[0].params[index])
    }

    pub(super) fn value(&mut self, kind: impl Into<InstrKind>, ty: Ty) -> Operand {
        Operand::Value(self.builder.push_value(kind, ty))
    }

    pub(super) fn push(&mut self, kind: impl Into<InstrKind>) {
        self.builder.push(kind);
    }

    pub(super) fn ty(&self, operand: Operand) -> Ty {
        self.builder.operand_ty(operand)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, lhs: Operand, rhs: Operand) -> Operand {
        let ty = self.ty(lhs);
        self.value(PureOp::Binary { op, lhs, rhs }, ty)
    }

    pub(super) fn not(&mut self, arg: Operand) -> Operand {
        let ty = self.ty(arg);
        self.value(PureOp::Unary { op: UnaryOp::Not, arg }, ty)
    }

    pub(super) fn compare(&mut self, op: CompareOp, lhs: Operand, rhs: Operand) -> Operand {
        self.value(PureOp::Compare { op, lhs, rhs }, Ty::BOOL)
    }

    pub(super) fn float_compare(
        &mut self,
        op: FloatCompareOp,
        lhs: Operand,
        rhs: Operand,
    ) -> Operand {
        self.value(PureOp::FloatCompare { op, lhs, rhs }, Ty::BOOL)
    }

    pub(super) fn same(&mut self, lhs: Operand, rhs: Operand) -> Operand {
        self.value(PointerOp::Compare { op: CompareOp::Eq, lhs, rhs }, Ty::BOOL)
    }

    pub(super) fn is_null(&mut self, ptr: Operand) -> Operand {
        self.same(ptr, Operand::NullPtr)
    }

    pub(super) fn select(&mut self, condition: Operand, yes: Operand, no: Operand) -> Operand {
        let ty = self.ty(yes);
        self.value(PureOp::Select { condition, if_true: yes, if_false: no }, ty)
    }

    pub(super) fn cast(&mut self, op: CastOp, arg: Operand, to: Ty) -> Operand {
        self.value(PureOp::Cast { op, arg, to }, to)
    }

    pub(super) fn at(&mut self, base: Operand, offset: u64) -> Operand {
        if offset == 0 {
            return base;
        }
        let offset = long(i64::try_from(offset).unwrap_or(i64::MAX));
        self.value(PointerOp::Add { base, offset }, Ty::Ptr)
    }

    pub(super) fn at_dynamic(&mut self, base: Operand, offset: Operand) -> Operand {
        self.value(PointerOp::Add { base, offset }, Ty::Ptr)
    }

    pub(super) fn load(&mut self, ty: Ty, base: Operand, offset: u64) -> Operand {
        self.load_from(ty, base, offset, false)
    }

    /// What other threads may change where `is_volatile`.
    pub(super) fn load_from(
        &mut self,
        ty: Ty,
        base: Operand,
        offset: u64,
        is_volatile: bool,
    ) -> Operand {
        let ptr = self.at(base, offset);
        self.value(MemoryOp::Load { ty, ptr, is_volatile }, ty)
    }

    pub(super) fn store(&mut self, base: Operand, offset: u64, value: Operand) {
        let ptr = self.at(base, offset);
        self.push(MemoryOp::Store { ptr, value, is_volatile: false });
    }

    pub(super) fn class_number(&mut self, object: Operand) -> Operand {
        self.load(Ty::I32, object, CLASS_NUMBER)
    }

    /// Zeroed memory; null when there is none.
    pub(super) fn allocate(&mut self, size: Operand) -> Operand {
        self.value(MemoryOp::HeapAlloc { size, fill: HeapFill::Zeros }, Ty::Ptr)
    }

    /// A new object of this class.
    pub(super) fn new_object(&mut self, class: u32, size: u64) -> Operand {
        let object = self.allocate(long(i64::try_from(size).unwrap_or(i64::MAX)));
        self.store(object, CLASS_NUMBER, number(class));
        object
    }

    /// Whether a class number is in one of these ranges.
    pub(super) fn in_ranges(&mut self, class: Operand, ranges: &[(u32, u32)]) -> Operand {
        let mut result = None;
        for &(low, high) in ranges {
            let is_in = if low == high {
                self.compare(CompareOp::Eq, class, number(low))
            } else {
                let distance = self.binary(BinaryOp::Sub, class, number(low));
                self.compare(CompareOp::Ule, distance, number(high - low))
            };
            result = Some(match result {
                None => is_in,
                Some(before) => self.binary(BinaryOp::Or, before, is_in),
            });
        }
        result.unwrap_or(Operand::Int(Bits::new(0, 1)))
    }

    pub(super) fn new_block(&mut self) -> BlockId {
        self.builder.new_block()
    }

    pub(super) fn switch_to(&mut self, block: BlockId) {
        self.builder.switch_to(block);
    }

    pub(super) fn jump(&mut self, block: BlockId) {
        self.builder.jump(block, Vec::new());
    }

    pub(super) fn branch(
        &mut self,
        condition: Operand,
        if_true: BlockId,
        if_false: BlockId,
        origin: Option<BranchOrigin>,
    ) {
        self.builder.terminate(Terminator::Branch {
            condition,
            if_true: Target::new(if_true),
            if_false: Target::new(if_false),
            origin,
        });
    }

    pub(super) fn ret(&mut self, value: Option<Operand>) {
        self.builder.terminate(Terminator::Return(value));
    }

    pub(super) fn call(
        &mut self,
        function: FuncId,
        args: Vec<Operand>,
        result: Option<Ty>,
    ) -> Option<Operand> {
        let n_fixed_args = u32::try_from(args.len()).unwrap_or(u32::MAX);
        let callee = Callee::Direct(function);
        self.builder.push_call(Call { callee, args, result, n_fixed_args }).map(Operand::Value)
    }

    pub(super) fn unsupported(&mut self, what: &str, ty: Option<Ty>) -> Option<Operand> {
        let kind = InstrKind::Unsupported { what: what.to_owned(), ty };
        match ty {
            Some(ty) => Some(self.value(kind, ty)),
            None => {
                self.push(kind);
                None
            }
        }
    }

    pub(super) fn load_global(&mut self, ty: Ty, global: GlobalId) -> Operand {
        self.load(ty, Operand::Global(global), 0)
    }

    pub(super) fn store_global(&mut self, global: GlobalId, value: Operand) {
        self.store(Operand::Global(global), 0, value);
    }

    /// A value of a field, parameter or result as the operand stack holds it.
    pub(super) fn widen(&mut self, ty: &Type, value: Operand) -> Operand {
        match ty {
            Type::Prim(Prim::Boolean | Prim::Char) => self.cast(CastOp::ZeroExtend, value, Ty::I32),
            Type::Prim(Prim::Byte | Prim::Short) => self.cast(CastOp::SignExtend, value, Ty::I32),
            Type::Prim(Prim::Int | Prim::Long | Prim::Float | Prim::Double) | Type::Ref(_) => value,
        }
    }

    /// The way back.
    pub(super) fn narrow_to(&mut self, ty: &Type, value: Operand) -> Operand {
        match ty {
            Type::Prim(prim @ (Prim::Boolean | Prim::Char | Prim::Byte | Prim::Short)) => {
                if let Operand::Int(bits) = value {
                    let Ty::Int(width) = prim.ty() else { return value };
                    return Operand::Int(Bits::new(bits.unsigned(), width));
                }
                self.cast(CastOp::Truncate, value, prim.ty())
            }
            Type::Prim(Prim::Int | Prim::Long | Prim::Float | Prim::Double) | Type::Ref(_) => value,
        }
    }
}
