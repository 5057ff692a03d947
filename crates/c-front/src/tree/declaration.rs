//! Declared things: variables, functions, labels, string literals.

use super::init::Init;
use super::stmt::StmtId;
use crate::front::HarnessShape;
use crate::names::Name;
use crate::span::Span;
use crate::ty::kind::TypeId;

/// A variable of any storage, by number, unique in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// A function, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// A label, by number, unique in the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub u32);

/// A string literal, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StringId(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Linkage {
    /// Visible to other units: one object or function per name in the program.
    External,
    /// `static` at file scope: visible in its unit.
    Internal,
    /// Locals, parameters, static locals.
    None,
}

/// How long an object lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Storage {
    /// As long as its block runs.
    Automatic,
    /// As long as the program runs. `_Thread_local` counts as static: there is one thread.
    Static,
}

/// Where a variable comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VariableRole {
    /// Declared by name in the source.
    Named,
    /// Parameter number of the function that owns it.
    Parameter(u32),
    /// The object of a compound literal.
    CompoundLiteral,
    /// Holds the length of a variable length array (type `unsigned long`); never visible to the user.
    VlaLength,
}

/// An object with a name, or an unnamed one made by the checker.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Unnamed objects get a name that cannot be written in C, for dumps.
    pub name: Name,
    /// Its type, completed by a later declaration or by its initializer.
    pub ty: TypeId,
    pub role: VariableRole,
    pub storage: Storage,
    pub linkage: Linkage,
    /// The declarator's name.
    pub span: Span,
    /// Where the name means this variable: from its declarator to the end of its block (or unit).
    pub scope: Span,
    /// The function it is declared in, static locals included.
    pub function: Option<FunctionId>,
    /// Bytes; at least the type's own alignment, more if declared so.
    pub align: u64,
    /// Of static storage and defined in this program (a tentative definition counts: then `init` is
    /// `None` and the object is all zero). False for an `extern` that no unit defines.
    pub is_defined: bool,
    /// Of static storage: the initial content, as constants; `None` is all zero. Automatic variables
    /// have theirs in [`super::StmtKind::Declare`].
    pub init: Option<Init>,
}

/// A function that runs without being called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AroundMain {
    /// Before `main`, in the order of definitions.
    Before,
    /// After it, or in an order of its own.
    NotModeled,
}

/// What attributes let compilers take for granted about a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// It changes nothing, and returns.
    Pure,
    /// It reads no memory that changes, either.
    Const,
    /// Something about the pointer that it returns: that it is not null, or new.
    Result,
}

/// What declarations of a function ask callers to pass for a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Asked {
    /// Attribute `nonnull`, or `[static n]`.
    pub is_nonnull: bool,
    pub elements: Option<AskedLength>,
}

/// The length in `[static n]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskedLength {
    Fixed(u64),
    /// Another parameter, most likely.
    Named(Name),
    /// Some other expression.
    Unknown,
}

/// A function, defined or only declared.
#[derive(Debug, Clone)]
pub struct Function {
    pub name: Name,
    /// A function type.
    pub ty: TypeId,
    pub linkage: Linkage,
    /// The declarator's name in the definition, else in the first declaration.
    pub span: Span,
    /// Declared `_Noreturn` or with the attribute.
    pub is_noreturn: bool,
    /// The strongest that any declaration makes.
    pub promise: Option<Promise>,
    pub around_main: Option<AroundMain>,
    /// The function that this one was made to call or judge.
    pub harness_of: Option<(HarnessShape, FunctionId)>,
    pub is_inline: bool,
    /// No unit declares it: it is called without a declaration (C89) or through a builtin.
    pub is_implicit: bool,
    /// Names of parameters in a declaration that is not a definition, for reports and contracts.
    pub declared_names: Vec<Option<Name>>,
    /// By parameter; shorter where the rest have no requirement.
    pub asked: Vec<Asked>,
    /// Present if some unit defines it.
    pub body: Option<FunctionBody>,
}

#[derive(Debug, Clone)]
pub struct FunctionBody {
    /// In order; of storage `Automatic`, role `Parameter`. An old-style parameter of type `float`,
    /// `char` or `short` is passed promoted and converted on entry.
    pub parameters: Vec<VariableId>,
    /// Every automatic variable, parameters first, in order of declaration, hidden ones included.
    pub locals: Vec<VariableId>,
    pub labels: Vec<LabelId>,
    /// Runs before the body: sets lengths of variably modified parameter types.
    pub prologue: Vec<StmtId>,
    /// A block.
    pub body: StmtId,
    /// The whole definition, from its first specifier to the closing brace.
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct Label {
    pub name: Name,
    pub span: Span,
    /// Some `&&label` takes its address.
    pub is_address_taken: bool,
}

/// A string literal's object: static storage, not to be modified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringLiteral {
    /// Array type; element `char`, `wchar_t` (int), `char16_t` (unsigned short) or `char32_t`.
    pub ty: TypeId,
    /// The content byte for byte, little-endian elements, terminating zero element included.
    pub bytes: Box<[u8]>,
    pub element_size: u8,
}
