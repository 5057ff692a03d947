//! Checks: the undefined behavior that an instruction guards against.

use crate::id::SourceTypeId;
use crate::instr::Operand;

/// What must hold here. When it does not, the run has undefined behavior (or a failed assertion) of
/// kind `Check::kind`. A front-end puts the check before the operation that it protects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Check {
    /// `condition` (an `Int(1)`) must be true. `values` are shown to the user when it is not.
    Condition { kind: CheckKind, condition: Operand, values: Vec<Operand>, demand: Option<Demand> },
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

/// What a condition demands, where its kind alone does not say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Demand {
    /// In words: the text of an assertion, the clauses of a contract.
    Words(String),
    /// A function that must not run, checked where it begins.
    NotEntered(String),
    /// A function that must not be called, checked before the call.
    NotCalled(String),
}

impl Demand {
    /// The function that must not run.
    pub fn forbidden(&self) -> Option<&str> {
        match self {
            Demand::NotEntered(name) | Demand::NotCalled(name) => Some(name),
            Demand::Words(_) => None,
        }
    }
}

impl std::fmt::Display for Demand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Demand::Words(words) => f.write_str(words),
            Demand::NotEntered(name) => write!(f, "{name}() is never called"),
            Demand::NotCalled(name) => write!(f, "`{name}()` is not reached"),
        }
    }
}

macro_rules! check_kinds {
    ($(#[$of_enum:meta])* pub enum CheckKind { $($(#[$doc:meta])* $kind:ident $name:literal,)* }) => {
        $(#[$of_enum])*
        pub enum CheckKind {
            $($(#[$doc])* $kind,)*
        }

        impl CheckKind {
            pub const ALL: &'static [CheckKind] = &[$(CheckKind::$kind,)*];

            /// The name used in reports and in the textual form.
            pub fn name(self) -> &'static str {
                match self {
                    $(CheckKind::$kind => $name,)*
                }
            }
        }
    };
}

check_kinds! {
    /// Kinds of run-time errors. `Readable`, `Accessible` and `Writable` fail with one of `NullDereference`,
    /// `OutOfBounds`, `UseAfterFree`, `UseAfterScope`, `Uninitialized`, `WriteToConstant`, `BadPointer`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum CheckKind {
        DivisionByZero "division-by-zero",
        /// Signed + - * and unary minus, and MIN / -1.
        SignedOverflow "signed-overflow",
        /// Unsigned + - * that wrap around, which C allows (only when asked for).
        UnsignedWrap "unsigned-wrap",
        /// An implicit conversion of an integer that changes its value, which C allows (only when asked for).
        LossyConversion "lossy-conversion",
        /// A shift amount that is negative or not below the width.
        ShiftAmount "shift-amount",
        /// A signed left shift of a negative value or out of range.
        ShiftOverflow "shift-overflow",
        /// A float that does not fit the integer type it is converted to.
        FloatToInt "float-to-int",
        NullDereference "null-dereference",
        OutOfBounds "out-of-bounds",
        UseAfterFree "use-after-free",
        UseAfterScope "use-after-scope",
        Uninitialized "uninitialized",
        WriteToConstant "write-to-constant",
        /// An integer that was never a valid pointer, or a pointer of the wrong kind.
        BadPointer "bad-pointer",
        DoubleFree "double-free",
        /// `free` of something that `malloc` did not return.
        BadFree "bad-free",
        BadCall "bad-call",
        PointerOverflow "pointer-overflow",
        PointerCompare "pointer-compare",
        /// `memcpy` and friends on overlapping memory.
        Overlap "overlap",
        /// A variable length that is not positive.
        VlaSize "vla-size",
        /// Control reached the end of a function whose result is used.
        MissingReturn "missing-return",
        /// `__builtin_unreachable` reached.
        Unreachable "unreachable",
        /// `assert`, `__VERIFIER_assert`, `reach_error`, …
        Assertion "assertion",
        /// A builtin called outside its domain, such as `__builtin_clz(0)`.
        BadArgument "bad-argument",
        /// An allocation that is larger than the heap (only when asked for).
        HeapLimit "heap-limit",
        /// A memory object that is never freed (only when asked for).
        Leak "leak",
        /// A function is called against its contract.
        Precondition "precondition",
        /// Calls that a relation speaks of do not agree.
        Relation "relation",
        /// A run that never ends (only when asked for).
        Endless "endless",
        /// A reference is cast to a class that its object is not of.
        ClassCast "class-cast",
        /// An array gets an object that its elements cannot be.
        ArrayStore "array-store",
        /// An array of negative length is made.
        NegativeArraySize "negative-array-size",
        /// An exception leaves the method, though no `throws` clause says so.
        UncaughtException "uncaught-exception",
    }
}
