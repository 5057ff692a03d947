//! Instructions: what one step does. Each defines at most one value.
//!
//! Arithmetic is total and wraps; where the source language leaves a case undefined, a `Check` stands
//! before the instruction. What happens after a failed check is never observed.

use glassbox_values::{Bits, Float, RoundingMode, Signedness};

use crate::check::Check;
use crate::func::{Function, ResultPassing};
use crate::id::{FuncId, GlobalId, LocalId, SourceTypeId, ValueId};
use crate::mark::Mark;
use crate::source::Span;
use crate::ty::Ty;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instr {
    /// Present exactly when `kind` has a result type.
    pub result: Option<ValueId>,
    pub kind: InstrKind,
    pub span: Span,
}

/// An input of an instruction: a value of this function, or a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operand {
    Value(ValueId),
    Int(Bits),
    Float(Float),
    /// The null pointer (`Ty::Ptr`).
    NullPtr,
    /// The address of a global's first byte.
    Global(GlobalId),
    /// The address of a function.
    Func(FuncId),
}

impl From<ValueId> for Operand {
    fn from(value: ValueId) -> Operand {
        Operand::Value(value)
    }
}

impl From<Bits> for Operand {
    fn from(bits: Bits) -> Operand {
        Operand::Int(bits)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstrKind {
    // Integers; operands and result of one type unless said.
    Unary {
        op: UnaryOp,
        arg: Operand,
    },
    Binary {
        op: BinaryOp,
        lhs: Operand,
        rhs: Operand,
    },
    /// `Int(1)`: the comparison of two integers.
    Compare {
        op: CompareOp,
        lhs: Operand,
        rhs: Operand,
    },
    /// `Int(1)`: whether the exact result does not fit.
    Overflows {
        op: OverflowOp,
        signedness: Signedness,
        lhs: Operand,
        rhs: Operand,
    },
    /// Operands of one type, any type.
    Select {
        condition: Operand,
        if_true: Operand,
        if_false: Operand,
    },
    Cast {
        op: CastOp,
        arg: Operand,
        to: Ty,
    },

    // Floats, rounding to nearest even unless the operator says otherwise.
    FloatUnary {
        op: FloatUnaryOp,
        arg: Operand,
    },
    FloatBinary {
        op: FloatBinaryOp,
        lhs: Operand,
        rhs: Operand,
    },
    /// x*y + z, rounded once.
    FloatFma {
        x: Operand,
        y: Operand,
        z: Operand,
    },
    /// `Int(1)`.
    FloatCompare {
        op: FloatCompareOp,
        lhs: Operand,
        rhs: Operand,
    },
    /// `Int(1)`.
    FloatClassify {
        op: FloatClassifyOp,
        arg: Operand,
    },

    // Byte memory.
    /// The address of a live local (`Ptr`).
    LocalAddr(LocalId),
    LocalStart(LocalId),
    LocalEnd(LocalId),
    /// A new object of this activation (variable-length arrays, `alloca`); lives until the matching
    /// `StackFree` or the function's return.
    StackAlloc {
        size: Operand,
        align: u64,
        source_type: SourceTypeId,
    },
    StackFree {
        ptr: Operand,
    },
    /// A new heap object, or null if the engine's policy says that allocation fails.
    HeapAlloc {
        size: Operand,
        fill: HeapFill,
    },
    HeapFree {
        ptr: Operand,
    },
    /// Bytes of the object that `ptr` points into (`Int(64)`), 0 for null.
    ObjectSize {
        ptr: Operand,
    },
    /// Bytes between the start of the object and `ptr` (`Int(64)`).
    ObjectOffset {
        ptr: Operand,
    },
    Load {
        ty: Ty,
        ptr: Operand,
        is_volatile: bool,
    },
    Store {
        ptr: Operand,
        value: Operand,
        is_volatile: bool,
    },
    /// Reads a bit-field of `width` bits whose lowest bit is bit `start` (0..=7) of the byte at `ptr`,
    /// extends it to `ty` as `signedness` says.
    LoadBits {
        ty: Ty,
        ptr: Operand,
        start: u8,
        width: u8,
        signedness: Signedness,
    },
    /// Writes the low `width` bits of `value`.
    StoreBits {
        ptr: Operand,
        start: u8,
        width: u8,
        value: Operand,
    },
    /// Copies bytes with their initialization and pointer provenance. Overlap is allowed.
    MemCopy {
        dst: Operand,
        src: Operand,
        len: Operand,
    },
    /// `byte` is an `Int(8)`.
    MemSet {
        dst: Operand,
        byte: Operand,
        len: Operand,
    },
    /// `offset` is an `Int(64)` count of bytes.
    PtrAdd {
        base: Operand,
        offset: Operand,
    },
    /// `lhs - rhs` in bytes (`Int(64)`).
    PtrDiff {
        lhs: Operand,
        rhs: Operand,
    },
    /// `Int(1)`. Equality is defined for all pointers; orders for one object's.
    PtrCompare {
        op: CompareOp,
        lhs: Operand,
        rhs: Operand,
    },

    // Variable arguments; `list` is the address of a `va_list` object.
    VaStart {
        list: Operand,
    },
    /// Scalars give the value; `Ty::Ptr` with `is_indirect` gives the address of a record argument.
    VaArg {
        list: Operand,
        ty: Ty,
        is_indirect: bool,
    },
    VaCopy {
        dst: Operand,
        src: Operand,
    },
    VaEnd {
        list: Operand,
    },

    // Calls, checks and notes.
    /// Has a result exactly when the callee's result is passed directly.
    Call(Call),
    Check(Check),
    /// Runs that make `condition` false are none of ours.
    Assume {
        condition: Operand,
    },
    Mark(Mark),
    /// The front-end cannot translate this; with `ty` it stands for an expression's value.
    Unsupported {
        what: String,
        ty: Option<Ty>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub callee: Callee,
    pub args: Vec<Operand>,
    /// What the call site expects; checked against the callee for indirect calls.
    pub result: Option<Ty>,
    /// Arguments from here on are the variable ones.
    pub n_fixed_args: u32,
}

impl Call {
    /// Whether the call can work with this function: the arguments, of these types, are what it takes, and it
    /// returns what a call through a pointer expects.
    pub fn fits(&self, function: &Function, types: impl Iterator<Item = Ty>) -> bool {
        let n_fixed = function.params.len();
        let returns = match (self.callee, self.result) {
            (Callee::Indirect(_), Some(ty)) => function.result == ResultPassing::Direct(ty),
            (Callee::Direct(_) | Callee::Indirect(_), _) => true,
        };
        returns
            && self.args.len() >= n_fixed
            && (function.is_variadic || self.args.len() == n_fixed)
            && function.params.iter().zip(types).all(|(param, ty)| param.ty == ty)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    Direct(FuncId),
    /// Through a function pointer.
    Indirect(Operand),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Neg,
    Not,
    /// Leading zeros; the width for zero.
    Clz,
    /// Trailing zeros; the width for zero.
    Ctz,
    Popcount,
    /// Reverses the bytes.
    Bswap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    /// The total meanings of `glassbox_values::Bits` where a check forbids the case.
    Udiv,
    Urem,
    Sdiv,
    Srem,
    And,
    Or,
    Xor,
    /// Amounts at or beyond the width shift everything out; the JVM's masking is an explicit `And`.
    Shl,
    Lshr,
    Ashr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Slt,
    Sle,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OverflowOp {
    Add,
    Sub,
    Mul,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CastOp {
    /// To a narrower integer.
    Truncate,
    ZeroExtend,
    SignExtend,
    IntToFloat(Signedness),
    /// Toward zero. What does not fit gives zero; a check stands before where C forbids it.
    FloatToInt(Signedness),
    /// Toward zero, clamped to the type, NaN gives zero: the JVM's conversion.
    FloatToIntSaturating,
    FloatToFloat,
    /// Same bits, other kind: integer to float or back.
    Reinterpret,
    PtrToInt,
    IntToPtr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatUnaryOp {
    Neg,
    Abs,
    Sqrt,
    /// To an integral value, in this direction.
    Round(RoundingMode),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatBinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    /// C `fmod`, JVM `frem`.
    Fmod,
    /// C `remainder`.
    Remainder,
    /// C `fmin` and `fmax`: a NaN gives the other operand.
    Fmin,
    Fmax,
    /// JVM `Math.min` and `Math.max`: NaN wins, -0 < +0.
    JavaMin,
    JavaMax,
    CopySign,
}

/// IEEE comparisons: all but `Ne` are false on NaN.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatCompareOp {
    Eq,
    Ne,
    Lt,
    Le,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatClassifyOp {
    IsNan,
    IsInfinite,
    IsFinite,
    IsNormal,
    IsSubnormal,
    IsZero,
    /// The sign bit, of NaN too.
    SignBit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum HeapFill {
    /// Indeterminate contents.
    Uninitialized,
    Zeros,
}
