//! Checks: the undefined behavior that an instruction guards against.

use crate::id::SourceTypeId;
use crate::instr::Operand;

/// What must hold here. When it does not, the run has undefined behavior (or a failed assertion) of
/// kind `Check::kind`. A front-end puts the check before the operation that it protects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// `condition` (an `Int(1)`) must be true. `values` are shown to the user when it is not.
    Condition { kind: CheckKind, condition: Operand, values: Vec<Operand>, message: Option<String> },
    /// `size` bytes at `ptr` must be readable and initialized: not null, inside a live object.
    Readable { ptr: Operand, size: Operand },
    /// `size` bytes at `ptr` must be inside a live object; their content may be indeterminate. Copies of
    /// whole records ask for this, since padding is rarely initialized.
    Accessible { ptr: Operand, size: Operand },
    /// `size` bytes at `ptr` must be writable: not null, inside a live object that is not constant.
    Writable { ptr: Operand, size: Operand },
    /// `ptr` must be null or the start of a live heap object.
    Freeable { ptr: Operand },
    /// `ptr` must be a function with a signature compatible with the call that follows, whose pointer has type `ty`;
    /// `None` where that says nothing about parameters.
    Callable { ptr: Operand, ty: Option<SourceTypeId> },
    /// `ptr` + `offset` must stay inside its object or one past its end.
    InBoundsOffset { ptr: Operand, offset: Operand },
    /// Both pointers must be into (or one past) one object, as `<` and `-` demand.
    SameObject { lhs: Operand, rhs: Operand },
}

/// Kinds of run-time errors. `Readable`, `Accessible` and `Writable` fail with one of `NullDereference`,
/// `OutOfBounds`, `UseAfterFree`, `UseAfterScope`, `Uninitialized`, `WriteToConstant`, `BadPointer`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CheckKind {
    DivisionByZero,
    /// Signed + - * and unary minus, and MIN / -1.
    SignedOverflow,
    /// Unsigned + - * that wrap around, which C allows (only when asked for).
    UnsignedWrap,
    /// A shift amount that is negative or not below the width.
    ShiftAmount,
    /// A signed left shift of a negative value or out of range.
    ShiftOverflow,
    /// A float that does not fit the integer type it is converted to.
    FloatToInt,
    NullDereference,
    OutOfBounds,
    UseAfterFree,
    UseAfterScope,
    Uninitialized,
    WriteToConstant,
    /// An integer that was never a valid pointer, or a pointer of the wrong kind.
    BadPointer,
    DoubleFree,
    /// `free` of something that `malloc` did not return.
    BadFree,
    BadCall,
    PointerOverflow,
    PointerCompare,
    /// `memcpy` and friends on overlapping memory.
    Overlap,
    /// A variable length that is not positive.
    VlaSize,
    /// Control reached the end of a function whose result is used.
    MissingReturn,
    /// `__builtin_unreachable` reached.
    Unreachable,
    /// `assert`, `__VERIFIER_assert`, `reach_error`, …
    Assertion,
    /// A builtin called outside its domain, such as `__builtin_clz(0)`.
    BadArgument,
    /// A memory object that is never freed (only when asked for).
    Leak,
    /// A function is called against its contract.
    Precondition,
    /// A run that never ends (only when asked for).
    Endless,
    /// A reference is cast to a class that its object is not of.
    ClassCast,
    /// An array gets an object that its elements cannot be.
    ArrayStore,
    /// An array of negative length is made.
    NegativeArraySize,
    /// An exception leaves the method, though no `throws` clause says so.
    UncaughtException,
}

impl CheckKind {
    /// The name used in reports and in the textual form.
    pub fn name(self) -> &'static str {
        match self {
            CheckKind::DivisionByZero => "division-by-zero",
            CheckKind::SignedOverflow => "signed-overflow",
            CheckKind::UnsignedWrap => "unsigned-wrap",
            CheckKind::ShiftAmount => "shift-amount",
            CheckKind::ShiftOverflow => "shift-overflow",
            CheckKind::FloatToInt => "float-to-int",
            CheckKind::NullDereference => "null-dereference",
            CheckKind::OutOfBounds => "out-of-bounds",
            CheckKind::UseAfterFree => "use-after-free",
            CheckKind::UseAfterScope => "use-after-scope",
            CheckKind::Uninitialized => "uninitialized",
            CheckKind::WriteToConstant => "write-to-constant",
            CheckKind::BadPointer => "bad-pointer",
            CheckKind::DoubleFree => "double-free",
            CheckKind::BadFree => "bad-free",
            CheckKind::BadCall => "bad-call",
            CheckKind::PointerOverflow => "pointer-overflow",
            CheckKind::PointerCompare => "pointer-compare",
            CheckKind::Overlap => "overlap",
            CheckKind::VlaSize => "vla-size",
            CheckKind::MissingReturn => "missing-return",
            CheckKind::Unreachable => "unreachable",
            CheckKind::Assertion => "assertion",
            CheckKind::BadArgument => "bad-argument",
            CheckKind::Leak => "leak",
            CheckKind::Precondition => "precondition",
            CheckKind::Endless => "endless",
            CheckKind::ClassCast => "class-cast",
            CheckKind::ArrayStore => "array-store",
            CheckKind::NegativeArraySize => "negative-array-size",
            CheckKind::UncaughtException => "uncaught-exception",
        }
    }
}
