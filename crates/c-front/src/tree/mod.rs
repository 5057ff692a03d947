//! The typed tree: a checked, desugared C program.
//!
//! All nodes live in flat tables of [`Program`] and are named by small ids, so trees of any depth can
//! be built, kept and dropped without recursion. Read nodes with `program.expr(id)`,
//! `program.stmt(id)`, `program.variable(id)`, `program.function(id)`.
//!
//! What holds of every tree (lowering may rely on it):
//! - Every expression has a type and a [`Category`]; every conversion C makes implicitly is a
//!   [`ExprKind::Convert`] node. Where a value is needed the node has category `Value`.
//! - Operands of `&&`, `||`, `!`, `?:`, `if`, `while`, `do`, `for` are scalars of any type, *not*
//!   converted to `_Bool`; true means "compares unequal to zero".
//! - `a[i]` is `Deref(PointerAdd(a, i))`, `p->f` is `Member(Deref(p), f)`, unary `+` is only its
//!   promotion, `sizeof`, `_Alignof`, `offsetof`, `_Generic`, enum constants and the folding builtins
//!   are gone (a literal or the chosen operand stands in their place).
//! - A name of static storage is a [`Variable`] of the program even when declared inside a function.
//! - [`ExprKind::Unsupported`] / [`StmtKind::Unsupported`] stand where a construct is not modelled.

pub mod assembly;
pub mod builtin;
pub mod declaration;
pub mod expr;
pub mod init;
pub mod limits;
pub mod program;
pub mod stmt;
pub mod touched;

pub use assembly::{AssemblyRole, AssemblyUse};
pub use builtin::{AtomicOp, Builtin, CountBits, FloatTest, OverflowOp};
pub use declaration::{
    AroundMain, Asked, AskedLength, Function, FunctionBody, FunctionId, Label, LabelId, Linkage,
    Promise, Storage, StringId, StringLiteral, Variable, VariableId, VariableRole,
};
pub use expr::{
    BinaryOp, Callee, Category, CompareOp, Conversion, Expr, ExprId, ExprKind, FieldRef, Fixity,
    LogicalOp, Origin, Step, UnaryOp,
};
pub use init::{AddressBase, Constant, Init, InitItem, InitValue, Repeat};
pub use program::Program;
pub use stmt::{Stmt, StmtId, StmtKind};
pub use touched::Touched;

/// Why a construct is not modelled; the text a user sees comes from its `Display`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unsupported {
    /// Arithmetic or a value of `long double`, `__float128`, `_Float16`.
    LongDouble,
    /// Arithmetic or a value of a `_Complex` type.
    Complex,
    /// GNU vector types.
    Vector,
    /// `asm` with operands or templates.
    InlineAssembly,
    /// `goto *p` where it cannot be resolved, `&&label` in a static initializer.
    ComputedGoto,
    /// A nested function of GNU C.
    NestedFunction,
    /// A struct member of variable length.
    VariableLengthMember,
    /// A builtin that is known to exist but has no meaning here, with its name.
    Builtin(Box<str>),
    /// A static initializer that is no constant of C but that gcc may accept.
    NonConstantInitializer,
    /// An initializer of which a later one overrides a part.
    OverriddenInitializer,
    /// An attribute that is not known to be harmless, with its name.
    Attribute(Box<str>),
    /// A pragma that changes meaning, with its name.
    Pragma(Box<str>),
    /// A name for a symbol that other names, or assembly, may change too.
    SharedSymbol(Box<str>),
    /// A variable of the library, with its name, that functions change which the program uses.
    LibraryVariable(Box<str>),
    /// `__label__`, or another rare construct, in plain words.
    Construct(&'static str),
}

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unsupported::LongDouble => write!(f, "a value of an extended floating type"),
            Unsupported::Complex => write!(f, "a value of a complex type"),
            Unsupported::Vector => write!(f, "a value of a vector type"),
            Unsupported::InlineAssembly => write!(f, "inline assembly"),
            Unsupported::ComputedGoto => write!(f, "a computed goto"),
            Unsupported::NestedFunction => write!(f, "a nested function"),
            Unsupported::VariableLengthMember => write!(f, "a member of variable length"),
            Unsupported::Builtin(name) => write!(f, "the builtin `{name}`"),
            Unsupported::NonConstantInitializer => {
                write!(f, "a static initializer that is not a constant")
            }
            Unsupported::OverriddenInitializer => {
                write!(f, "an initializer that overrides a part of an earlier one")
            }
            Unsupported::Attribute(name) => write!(f, "the attribute `{name}`"),
            Unsupported::Pragma(name) => write!(f, "the pragma `{name}`"),
            Unsupported::SharedSymbol(name) => {
                write!(f, "the symbol `{name}`, which has another name or is used in assembly")
            }
            Unsupported::LibraryVariable(name) => {
                write!(f, "the variable `{name}`, which functions of the library change")
            }
            Unsupported::Construct(what) => write!(f, "{what}"),
        }
    }
}
