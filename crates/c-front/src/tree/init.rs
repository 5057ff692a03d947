//! Initializers, desugared: no braces, designators or elision are left.

use glassbox_values::{Bits, Float};

use super::Unsupported;
use super::declaration::{FunctionId, StringId, VariableId};
use super::expr::ExprId;
use crate::span::Span;
use crate::ty::kind::TypeId;
use crate::ty::record::BitField;

/// How an object gets its first content.
#[derive(Debug, Clone)]
pub enum Init {
    /// One value for the whole object: a scalar, or a record copied from an expression.
    Value(InitValue),
    /// First every byte of the object is zero, then the items are stored in order; a later item may
    /// overwrite an earlier one. A variable with a flexible array member is larger than its type when
    /// items lie beyond it.
    Items(Vec<InitItem>),
}

/// One store of an aggregate's initializer.
#[derive(Debug, Clone)]
pub struct InitItem {
    /// Bytes from the start of the object. For a bit-field: of the record that holds it, see `bits`.
    pub offset: u64,
    /// Type of the piece that is set: a scalar, a record (copied from a value) or, for
    /// [`InitValue::String`], an array.
    pub ty: TypeId,
    /// Set for a bit-field: `bit_offset` counts from `offset`.
    pub bits: Option<BitField>,
    /// GNU ranges `[a ... b]`, outermost first: the value is evaluated once and stored at
    /// `offset + i * stride` for all `i < count`, for all combinations.
    pub repeats: Box<[Repeat]>,
    pub value: InitValue,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repeat {
    pub count: u64,
    pub stride: u64,
}

/// What is stored.
#[derive(Debug, Clone)]
pub enum InitValue {
    /// Evaluated at run time; already converted to the piece's unqualified type. Automatic only.
    Expr(ExprId),
    /// Already converted to the piece's type. Always so for static storage.
    Constant(Constant),
    /// The bytes of the literal, as many as fit in the array; what is left of the array is zero.
    String(StringId),
    Unsupported(Unsupported),
}

/// A value known at compile time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constant {
    /// Of integer, enum or `_Bool` type (then 8 bits wide), width as the type's; of pointer type: an
    /// absolute address, 64 bits, 0 being null.
    Int(Bits),
    Float(Float),
    /// An address constant, of pointer type or converted to a 64-bit integer.
    Address {
        base: AddressBase,
        offset: i64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressBase {
    /// Of static storage.
    Variable(VariableId),
    Function(FunctionId),
    String(StringId),
    /// GNU `&&label` in a static table.
    Label(super::declaration::LabelId),
}
