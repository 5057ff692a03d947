//! Typed expressions.

use glassbox_values::{Bits, Float};

use super::Unsupported;
use super::builtin::Builtin;
use super::declaration::{FunctionId, LabelId, StringId, VariableId};
use super::init::Init;
use super::stmt::StmtId;
use crate::span::Span;
use crate::ty::kind::TypeId;
use crate::ty::record::BitField;

/// An expression, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// A typed expression.
#[derive(Debug, Clone)]
pub struct Expr {
    pub kind: ExprKind,
    /// Of a `Value`: unqualified. Of a `Place`: the type of the object, qualifiers included.
    pub ty: TypeId,
    pub category: Category,
    /// The expression without parentheses around it.
    pub span: Span,
}

/// What evaluating an expression gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Category {
    /// A value (C's rvalue), possibly of record type, or nothing if the type is `void`.
    Value,
    /// An object (C's lvalue): a place in memory, or a bit-field of one.
    Place,
    /// A function designator.
    Function,
}

/// The expression forms. Operands have category `Value` unless said otherwise.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// An integer constant of integer or enum type; width as the type's. Also null pointer constants
    /// after conversion stay `Convert(NullToPointer, Int 0)`.
    Int(Bits),
    /// A `float` or `double` constant.
    Float(Float),

    // -- Places and designators ---------------------------------------------------------------
    /// *Place.* A variable of any storage.
    Variable(VariableId),
    /// *Function.* A function by name.
    Function(FunctionId),
    /// *Place.* A string literal: an array object of static storage.
    String(StringId),
    /// *Place.* A compound literal inside a function: each evaluation initializes the unnamed automatic
    /// `variable` anew (it lives as long as the enclosing block). At file scope compound literals are
    /// plain `Variable`s.
    CompoundLiteral { variable: VariableId, init: Init },
    /// *Place.* `*pointer`; also stands for `a[i]`.
    Deref(ExprId),
    /// *Place* if `base` is a place, else *Value* (a member of a returned struct). `base` has record type.
    Member { base: ExprId, field: FieldRef },

    // -- Conversions ----------------------------------------------------------------------------
    /// The operand converted to this node's type; the operand's category is said by the conversion.
    Convert { conversion: Conversion, operand: ExprId, origin: Origin },

    // -- Arithmetic -----------------------------------------------------------------------------
    /// Operand already promoted; same type as the result.
    Unary { op: UnaryOp, operand: ExprId },
    /// Both operands already converted to the common type, which is the result's; for shifts each is
    /// promoted by itself and the result has the left one's type.
    Binary { op: BinaryOp, left: ExprId, right: ExprId },
    /// Both operands have the same arithmetic type, or both are pointers. Result `int` 0 or 1.
    Compare { op: CompareOp, left: ExprId, right: ExprId },
    /// `pointer + index` (or minus): `index` has any integer type, counted in elements of the pointed-to
    /// type (1 byte for `void` and functions, as GNU C). The sign of `index` is its type's.
    PointerAdd { pointer: ExprId, index: ExprId, step: Step },
    /// Difference of two pointers in elements; type `long`.
    PointerDiff { left: ExprId, right: ExprId },

    // -- Decisions (kept as written; lowering derives conditions and polarity) --------------------
    /// `!operand`: result `int`.
    LogicalNot(ExprId),
    /// `&&`, `||` with short circuit: result `int` 0 or 1.
    Logical { op: LogicalOp, left: ExprId, right: ExprId },
    /// `condition ? then : otherwise`; both arms converted to this node's type (or `void`).
    /// For GNU `a ?: b`, `then` contains the leaf `Reuse(condition)`.
    Conditional { condition: ExprId, then: ExprId, otherwise: ExprId },
    /// The value that the named expression had when it was evaluated just before; occurs only inside
    /// the `then` arm of the conditional whose `condition` it names.
    Reuse(ExprId),

    // -- Effects --------------------------------------------------------------------------------
    /// `left, right`: left is evaluated for its effects (any category, any type).
    Comma { left: ExprId, right: ExprId },
    /// `target = value`; `target` is a place, `value` already converted to its unqualified type. The
    /// result is the value stored (for a bit-field: as truncated), of that type.
    Assign { target: ExprId, value: ExprId },
    /// `target op= value` on arithmetic: the target is read once, converted to `compute`, combined with
    /// `value` (already of type `compute`, or promoted by itself for shifts), converted back and stored.
    CompoundAssign { op: BinaryOp, target: ExprId, value: ExprId, compute: TypeId },
    /// `pointer += index`, `pointer -= index`; `target` is a place of pointer type.
    PointerAssign { target: ExprId, index: ExprId, step: Step },
    /// `++`/`--` on an arithmetic or pointer place. Arithmetic is done in `compute` (the promoted type;
    /// the pointer type itself for pointers) and converted back. Result: new value if prefix, old if
    /// postfix. `_Bool`: `++` sets 1, `--` toggles, which falls out of the conversion.
    IncDec { target: ExprId, step: Step, fixity: Fixity, compute: TypeId },
    /// `&operand` of a place or a function.
    AddressOf(ExprId),
    /// GNU `&&label`, type `void *`.
    AddressOfLabel(LabelId),
    /// A call. Arguments are converted to the parameter types, or promoted where none is known. The
    /// number of arguments agrees with a prototype; without one it may not.
    Call { callee: Callee, arguments: Box<[ExprId]> },
    /// A compiler builtin that is more than a library function.
    Builtin { builtin: Builtin, arguments: Box<[ExprId]> },
    /// GNU `({ ... })`: run the statements, then the value of `result` (absent: `void`). Names declared
    /// in `statements` are visible in `result`.
    StatementExpr { statements: Box<[StmtId]>, result: Option<ExprId> },
    /// Set the hidden length variables of variable length types (in order), then give `then`. Arises
    /// from `sizeof(int[n])` and casts to variably modified types.
    SetVlaLength { lengths: Box<[(VariableId, ExprId)]>, then: ExprId },

    /// Not modelled. Reaching it makes everything that depends on it unknown.
    Unsupported(Unsupported),
}

/// A member: which record type it belongs to is the base's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FieldRef {
    /// Index into [`crate::ty::record::RecordBody::fields`].
    pub index: u32,
    /// Byte offset, as in the field.
    pub offset: u64,
    /// Present for bit-fields. Reads extend by the signedness of the field's type, which this node has.
    pub bits: Option<BitField>,
}

/// What a conversion does. "From" and "to" types are the operand's and the node's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// Place → value: read the object. Of a record: copy it whole.
    Load,
    /// Place of array type → pointer to its first element. The operand may also be a value: an array
    /// member of a returned struct, a temporary object that lives until the full expression ends.
    ArrayDecay,
    /// Function designator → pointer to it.
    FunctionDecay,
    /// Integer or enum → integer or enum (not `_Bool`): truncate, or extend by the operand's sign.
    IntToInt,
    /// Any scalar → `_Bool`: 1 if it compares unequal to zero.
    ToBool,
    IntToFloat,
    /// Truncates toward zero; undefined if the result does not fit.
    FloatToInt,
    FloatToFloat,
    IntToPointer,
    PointerToInt,
    /// A null pointer constant (integer constant 0 or `(void *)0`) → any pointer.
    NullToPointer,
    /// Changes only the pointed-to type.
    PointerToPointer,
    /// A value thrown away: any category → `void`.
    ToVoid,
    /// Value → value of the same representation (qualifiers, compatible records of two units).
    Same,
    /// GNU cast of a value to a union type: the member it initializes.
    ToUnion {
        field: FieldRef,
    },
}

/// Who asked for a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Origin {
    Implicit,
    /// A cast written in the source.
    Explicit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `~`
    BitNot,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LogicalOp {
    And,
    Or,
}

/// Direction of pointer arithmetic and of `++`/`--`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    Forward,
    Backward,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fixity {
    Prefix,
    Postfix,
}

/// Who is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Callee {
    Direct(FunctionId),
    /// A value of type pointer to function.
    Indirect(ExprId),
}
