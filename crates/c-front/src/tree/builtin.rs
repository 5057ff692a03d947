//! Compiler builtins that are more than a library function.
//!
//! Gone from the tree, because the checker resolves them: `__builtin_expect` (its first operand),
//! `constant_p`, `types_compatible_p`, `choose_expr`, `offsetof`, `object_size`, `huge_val`, `inf`,
//! `nan` (literals), `prefetch`, `assume_aligned` (their operands), and every `__builtin_memcpy`-like
//! name, which is a call of the library function.

use super::expr::BinaryOp;

/// A builtin and what its arguments are. Arguments are values, converted as said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// `(va_list)`: the list is a pointer to the `__va_list_tag` record. The last parameter's name is
    /// dropped.
    VaStart,
    VaEnd,
    /// `(destination, source)`, both pointers to `__va_list_tag`.
    VaCopy,
    /// `(va_list)`: gives the next argument, of this node's type.
    VaArg,
    /// `(x)`, unsigned 16/32/64/128 bits, by its type.
    ByteSwap,
    /// `(x)`: x keeps its own width; result `int`.
    Count(CountBits),
    /// `(a, b, pointer)`: a and b keep their own types; the exact mathematical result is stored through
    /// the pointer, truncated to the pointed-to type; gives `_Bool` 1 if it did not fit.
    Overflow(OverflowOp),
    /// `(a, b, c)`: would the exact result not fit the type of c? c is evaluated for effects only.
    OverflowPredicate(OverflowOp),
    /// Undefined if reached.
    Unreachable,
    /// Abnormal termination.
    Trap,
    /// `(size)`: a fresh object of the current function call; `void *`.
    Alloca,
    /// `(x)` of type float or double; result `int`.
    FloatTest(FloatTest),
    /// `(nan, inf, normal, subnormal, zero, x)`: picks one of the five ints.
    FpClassify,
    /// `(x, y)` of the same float type: the quiet comparisons; result `int`.
    IsGreater,
    IsGreaterEqual,
    IsLess,
    IsLessEqual,
    IsLessGreater,
    IsUnordered,
    /// Atomic and `__sync` operations, as plain operations: memory orders are dropped.
    Atomic(AtomicOp),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CountBits {
    /// Undefined for 0.
    LeadingZeros,
    /// Undefined for 0.
    TrailingZeros,
    PopCount,
    /// 1 + index of the lowest set bit, 0 for 0.
    FindFirstSet,
    Parity,
    /// Number of bits after the sign bit that equal it.
    RedundantSignBits,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OverflowOp {
    Add,
    Sub,
    Mul,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FloatTest {
    IsNan,
    /// 1 for either infinity.
    IsInf,
    /// 1 for +inf, -1 for -inf, 0 otherwise.
    IsInfSign,
    IsFinite,
    IsNormal,
    /// Nonzero if the sign bit is set (NaN included).
    SignBit,
}

/// `pointer` arguments point to the object's type; values are converted to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    /// `(pointer)`: the value read.
    Load,
    /// `(pointer, value)`: void.
    Store,
    /// `(pointer, value)`: the old value.
    Exchange,
    /// `(pointer, expected pointer, desired)`: if `*pointer == *expected` store desired and give 1,
    /// else store `*pointer` through expected and give 0. `_Bool`.
    CompareExchange,
    /// `(pointer, old, new)`: gives the previous value (`__sync_val_compare_and_swap`).
    CompareAndSwapValue,
    /// `(pointer, old, new)`: gives whether it swapped (`__sync_bool_compare_and_swap`).
    CompareAndSwapBool,
    /// `(pointer, value)`: combine in the object's own type with wrap-around, give the old value.
    FetchThen(BinaryOp),
    /// The same, giving the new value.
    ThenFetch(BinaryOp),
    /// Like `FetchThen` with `~(old & value)`.
    FetchThenNand,
    NandThenFetch,
    /// `()`: void.
    Fence,
    /// `(pointer to a byte)`: sets it to 1, gives `_Bool` whether it was nonzero.
    TestAndSet,
    /// `(pointer to a byte)`: sets it to 0.
    Clear,
}
