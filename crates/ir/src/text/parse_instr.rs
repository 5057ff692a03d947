//! Parsing instructions.

use glassbox_values::{RoundingMode, Signedness};

use super::names::Named;
use super::parse::{Parsed, Parser};
use super::parse_body::define_value;
use super::print_instr::{cast_name, float_unary_name};
use crate::check::{Check, CheckKind, Demand};
use crate::func::Body;
use crate::id::{FuncId, GlobalId, LocalId, SourceVarId};
use crate::instr::{
    BinaryOp, Call, Callee, CastOp, CompareOp, FloatBinaryOp, FloatClassifyOp, FloatCompareOp,
    FloatUnaryOp, HeapFill, Instr, InstrKind, MemoryOp, Operand, OverflowOp, PointerOp, PureOp,
    UnaryOp, VarArgsOp,
};
use crate::mark::{Access, Mark, Part, Presumption, UseKind, VarRef};
use crate::ty::Ty;

const CASTS: [CastOp; 12] = [
    CastOp::Truncate,
    CastOp::ZeroExtend,
    CastOp::SignExtend,
    CastOp::IntToFloat(Signedness::Signed),
    CastOp::IntToFloat(Signedness::Unsigned),
    CastOp::FloatToInt(Signedness::Signed),
    CastOp::FloatToInt(Signedness::Unsigned),
    CastOp::FloatToIntSaturating,
    CastOp::FloatToFloat,
    CastOp::Reinterpret,
    CastOp::PtrToInt,
    CastOp::IntToPtr,
];

const FLOAT_UNARY: [FloatUnaryOp; 8] = [
    FloatUnaryOp::Neg,
    FloatUnaryOp::Abs,
    FloatUnaryOp::Sqrt,
    FloatUnaryOp::Round(RoundingMode::NearestEven),
    FloatUnaryOp::Round(RoundingMode::NearestAway),
    FloatUnaryOp::Round(RoundingMode::TowardPositive),
    FloatUnaryOp::Round(RoundingMode::TowardNegative),
    FloatUnaryOp::Round(RoundingMode::TowardZero),
];

impl Parser {
    pub(super) fn instr(&mut self, body: &mut Body) -> Parsed<Instr> {
        let result = if self.peek_id("%").is_some() {
            let (value, ty) = self.typed_value()?;
            define_value(body, value, ty);
            self.punct('=')?;
            Some((value, ty))
        } else {
            None
        };
        let name = self.word()?;
        let ty = result.map(|(_, ty)| ty);
        let kind = match self.operator(&name, ty)? {
            Some(kind) => kind,
            None => match self.memory(&name, ty)? {
                Some(kind) => kind,
                None => return self.unexpected("an instruction"),
            },
        };
        Ok(Instr { result: result.map(|(value, _)| value), kind, span: self.span()? })
    }

    /// As many operands as asked for, separated by commas.
    fn operands<const N: usize>(&mut self) -> Parsed<[Operand; N]> {
        let mut operands = [Operand::NullPtr; N];
        for (position, operand) in operands.iter_mut().enumerate() {
            if position > 0 {
                self.punct(',')?;
            }
            *operand = self.operand()?;
        }
        Ok(operands)
    }

    fn result_type(&mut self, ty: Option<Ty>) -> Parsed<Ty> {
        ty.map_or_else(|| self.unexpected("a result with its type before the instruction"), Ok)
    }

    /// Operators, calls, checks, marks.
    fn operator(&mut self, name: &str, ty: Option<Ty>) -> Parsed<Option<InstrKind>> {
        if let Some(op) = UnaryOp::from_name(name) {
            let [arg] = self.operands()?;
            return Ok(Some(InstrKind::Pure(PureOp::Unary { op, arg })));
        }
        if let Some(op) = BinaryOp::from_name(name) {
            let [lhs, rhs] = self.operands()?;
            return Ok(Some(InstrKind::Pure(PureOp::Binary { op, lhs, rhs })));
        }
        if let Some(op) = FloatBinaryOp::from_name(name) {
            let [lhs, rhs] = self.operands()?;
            return Ok(Some(InstrKind::Pure(PureOp::FloatBinary { op, lhs, rhs })));
        }
        if let Some(&op) = CASTS.iter().find(|op| cast_name(**op) == name) {
            let to = self.result_type(ty)?;
            let [arg] = self.operands()?;
            return Ok(Some(InstrKind::Pure(PureOp::Cast { op, arg, to })));
        }
        if let Some(&op) = FLOAT_UNARY.iter().find(|op| float_unary_name(**op) == name) {
            let [arg] = self.operands()?;
            return Ok(Some(InstrKind::Pure(PureOp::FloatUnary { op, arg })));
        }
        Ok(Some(match name {
            "select" => {
                let [condition, if_true, if_false] = self.operands()?;
                InstrKind::Pure(PureOp::Select { condition, if_true, if_false })
            }
            "fma" => {
                let [x, y, z] = self.operands()?;
                InstrKind::Pure(PureOp::FloatFma { x, y, z })
            }
            "call" | "call_indirect" => InstrKind::Call(self.call(name, ty)?),
            "check" => InstrKind::Check(self.check()?),
            "assume" => {
                let [condition] = self.operands()?;
                InstrKind::Assume { condition }
            }
            "mark" => InstrKind::Mark(self.mark()?),
            "unsupported" => InstrKind::Unsupported { what: self.text()?, ty },
            _ => return self.suffixed(name),
        }))
    }

    /// Operators whose name has parts after a dot.
    fn suffixed(&mut self, name: &str) -> Parsed<Option<InstrKind>> {
        let Some((head, suffix)) = name.split_once('.') else { return Ok(None) };
        Ok(match head {
            "cmp" => match CompareOp::from_name(suffix) {
                Some(op) => {
                    let [lhs, rhs] = self.operands()?;
                    Some(InstrKind::Pure(PureOp::Compare { op, lhs, rhs }))
                }
                None => None,
            },
            "ptr_cmp" => match CompareOp::from_name(suffix) {
                Some(op) => {
                    let [lhs, rhs] = self.operands()?;
                    Some(InstrKind::Pointer(PointerOp::Compare { op, lhs, rhs }))
                }
                None => None,
            },
            "fcmp" => match FloatCompareOp::from_name(suffix) {
                Some(op) => {
                    let [lhs, rhs] = self.operands()?;
                    Some(InstrKind::Pure(PureOp::FloatCompare { op, lhs, rhs }))
                }
                None => None,
            },
            "fclass" => match FloatClassifyOp::from_name(suffix) {
                Some(op) => {
                    let [arg] = self.operands()?;
                    Some(InstrKind::Pure(PureOp::FloatClassify { op, arg }))
                }
                None => None,
            },
            "overflows" => {
                let parts = suffix.split_once('.').and_then(|(op, signedness)| {
                    Some((OverflowOp::from_name(op)?, Signedness::from_name(signedness)?))
                });
                match parts {
                    Some((op, signedness)) => {
                        let [lhs, rhs] = self.operands()?;
                        Some(InstrKind::Pure(PureOp::Overflows { op, signedness, lhs, rhs }))
                    }
                    None => None,
                }
            }
            _ => None,
        })
    }

    fn call(&mut self, name: &str, result: Option<Ty>) -> Parsed<Call> {
        let callee = match name {
            "call" => Callee::Direct(FuncId::new(self.id("fn")?)),
            "call_indirect" => Callee::Indirect(self.operand()?),
            _ => return self.unexpected("a call"),
        };
        let args = self.arguments()?;
        Ok(Call { callee, args, result, n_fixed_args: self.labeled("fixed")? })
    }

    fn check(&mut self) -> Parsed<Check> {
        let mut name = self.word()?;
        while self.accept('-') {
            name.push('-');
            name.push_str(&self.word()?);
        }
        Ok(match name.as_str() {
            "readable" => {
                let [ptr, size] = self.operands()?;
                Check::Readable { ptr, size }
            }
            "accessible" => {
                let [ptr, size] = self.operands()?;
                Check::Accessible { ptr, size }
            }
            "writable" => {
                let [ptr, size] = self.operands()?;
                Check::Writable { ptr, size }
            }
            "freeable" => Check::Freeable { ptr: self.operand()? },
            "callable" => {
                let ptr = self.operand()?;
                let has_type = self.accept_word("as");
                let ty = if has_type { Some(self.source_type_id()?) } else { None };
                Check::Callable { ptr, ty }
            }
            "in_bounds" => {
                let [ptr, offset] = self.operands()?;
                Check::InBoundsOffset { ptr, offset }
            }
            "same_object" => {
                let [lhs, rhs] = self.operands()?;
                Check::SameObject { lhs, rhs }
            }
            kind => {
                let Some(kind) = <CheckKind as Named>::from_name(kind) else {
                    return self.unexpected("a kind of check");
                };
                let condition = self.operand()?;
                let mut values = Vec::new();
                if self.accept_word("values") {
                    values.push(self.operand()?);
                    while self.accept(',') {
                        values.push(self.operand()?);
                    }
                }
                let demand = if self.accept_word("message") {
                    Some(Demand::Words(self.text()?))
                } else if self.accept_word("not-entered") {
                    Some(Demand::NotEntered(self.text()?))
                } else if self.accept_word("not-called") {
                    Some(Demand::NotCalled(self.text()?))
                } else {
                    None
                };
                Check::Condition { kind, condition, values, demand }
            }
        })
    }

    fn mark(&mut self) -> Parsed<Mark> {
        let name = self.word()?;
        Ok(match name.as_str() {
            "statement" => Mark::Statement,
            "instruction" => Mark::Instruction,
            "unsigned" => Mark::Unsigned,
            "def" => Mark::Def(self.access()?),
            "pointee" => Mark::Pointee { ptr: self.operand()?, target: self.source_type_id()? },
            "opened" => Mark::Opened { ptr: self.operand()?, size: self.number()? },
            "promised" => Mark::Promised,
            "presumes" => {
                let name = self.word()?;
                let known = Presumption::ALL.into_iter().find(|known| known.name() == name);
                match known {
                    Some(known) => Mark::Presumes(known),
                    None => return self.unexpected("what is presumed"),
                }
            }
            kind => match UseKind::from_name(kind) {
                Some(kind) => Mark::Use(self.access()?, kind),
                None => return self.unexpected("a kind of mark"),
            },
        })
    }

    fn access(&mut self) -> Parsed<Access> {
        let var = self.var_ref()?;
        let is_behind = self.accept_word("behind");
        let part = if self.accept_word("somewhere") {
            Part::Somewhere
        } else if self.accept_word("part") {
            Part::Bits { first: self.number()?, count: self.number()? }
        } else {
            Part::Whole
        };
        Ok(Access { var, is_behind, part })
    }

    fn var_ref(&mut self) -> Parsed<VarRef> {
        match self.accept_id("global") {
            Some(global) => Ok(VarRef::Global(GlobalId::new(global))),
            None => Ok(VarRef::Local(SourceVarId::new(self.id("var")?))),
        }
    }

    fn bits(&mut self) -> Parsed<(u8, u8)> {
        self.keyword("bits")?;
        Ok((self.number()?, self.number()?))
    }

    /// Byte memory and variable arguments.
    fn memory(&mut self, name: &str, ty: Option<Ty>) -> Parsed<Option<InstrKind>> {
        Ok(Some(match name {
            "local_addr" => {
                InstrKind::Pointer(PointerOp::LocalAddr(LocalId::new(self.id("local")?)))
            }
            "local_start" => {
                InstrKind::Memory(MemoryOp::LocalStart(LocalId::new(self.id("local")?)))
            }
            "local_end" => InstrKind::Memory(MemoryOp::LocalEnd(LocalId::new(self.id("local")?))),
            "stack_alloc" => InstrKind::Memory(MemoryOp::StackAlloc {
                size: self.operand()?,
                align: self.labeled("align")?,
                source_type: self.source_type_id()?,
            }),
            "stack_free" => InstrKind::Memory(MemoryOp::StackFree { ptr: self.operand()? }),
            "heap_alloc.uninitialized" => InstrKind::Memory(MemoryOp::HeapAlloc {
                size: self.operand()?,
                fill: HeapFill::Uninitialized,
            }),
            "heap_alloc.zeros" => InstrKind::Memory(MemoryOp::HeapAlloc {
                size: self.operand()?,
                fill: HeapFill::Zeros,
            }),
            "heap_free" => InstrKind::Memory(MemoryOp::HeapFree { ptr: self.operand()? }),
            "object_size" => InstrKind::Pointer(PointerOp::ObjectSize { ptr: self.operand()? }),
            "object_offset" => InstrKind::Pointer(PointerOp::ObjectOffset { ptr: self.operand()? }),
            "is_whole" => {
                let [ptr, size] = self.operands()?;
                InstrKind::Pointer(PointerOp::IsWhole { ptr, size })
            }
            "load" | "load.volatile" => InstrKind::Memory(MemoryOp::Load {
                ty: self.result_type(ty)?,
                ptr: self.operand()?,
                is_volatile: name != "load",
            }),
            "store" | "store.volatile" => {
                let [ptr, value] = self.operands()?;
                InstrKind::Memory(MemoryOp::Store { ptr, value, is_volatile: name != "store" })
            }
            "load_bits.signed"
            | "load_bits.unsigned"
            | "load_bits.signed.volatile"
            | "load_bits.unsigned.volatile" => {
                let ty = self.result_type(ty)?;
                let ptr = self.operand()?;
                let (start, width) = self.bits()?;
                let plain = name.trim_end_matches(".volatile");
                let (is_signed, is_volatile) = (plain == "load_bits.signed", plain != name);
                let signedness = if is_signed { Signedness::Signed } else { Signedness::Unsigned };
                InstrKind::Memory(MemoryOp::LoadBits {
                    ty,
                    ptr,
                    start,
                    width,
                    signedness,
                    is_volatile,
                })
            }
            "store_bits" => {
                let [ptr, value] = self.operands()?;
                let (start, width) = self.bits()?;
                InstrKind::Memory(MemoryOp::StoreBits { ptr, start, width, value })
            }
            "mem_copy" | "mem_copy.volatile" => {
                let [dst, src, len] = self.operands()?;
                let is_volatile = name != "mem_copy";
                InstrKind::Memory(MemoryOp::Copy { dst, src, len, is_volatile })
            }
            "mem_set" => {
                let [dst, byte, len] = self.operands()?;
                InstrKind::Memory(MemoryOp::Fill { dst, byte, len })
            }
            "ptr_add" => {
                let [base, offset] = self.operands()?;
                InstrKind::Pointer(PointerOp::Add { base, offset })
            }
            "ptr_diff" => {
                let [lhs, rhs] = self.operands()?;
                InstrKind::Pointer(PointerOp::Diff { lhs, rhs })
            }
            "va_start" => InstrKind::VarArgs(VarArgsOp::Start { list: self.operand()? }),
            "va_arg" | "va_arg.indirect" => InstrKind::VarArgs(VarArgsOp::Next {
                ty: self.result_type(ty)?,
                list: self.operand()?,
                source_type: self.source_type_id()?,
                is_indirect: name != "va_arg",
            }),
            "va_copy" => {
                let [dst, src] = self.operands()?;
                InstrKind::VarArgs(VarArgsOp::Copy { dst, src })
            }
            "va_end" => InstrKind::VarArgs(VarArgsOp::End { list: self.operand()? }),
            _ => return Ok(None),
        }))
    }
}
