//! Typed statements.

use glassbox_values::Bits;

use super::Unsupported;
use super::declaration::{LabelId, VariableId};
use super::expr::ExprId;
use super::init::Init;
use crate::span::Span;

/// A statement, by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(pub u32);

#[derive(Debug, Clone)]
pub struct Stmt {
    pub kind: StmtKind,
    /// From the first token to the last, the closing `;` or `}` included.
    pub span: Span,
}

/// The statement forms. Conditions are scalar values, true when unequal to zero.
#[derive(Debug, Clone)]
pub enum StmtKind {
    Empty,
    /// Evaluated for its effects; may have any type and category.
    Expr(ExprId),
    /// A block: its variables end their lives at its end.
    Block(Box<[StmtId]>),
    /// An automatic variable's declaration is reached: its content is undefined without `init`.
    /// (A variable exists from the start of its block; a `goto` may jump past this.)
    Declare {
        variable: VariableId,
        init: Option<Init>,
    },
    /// Set the hidden length of a variable length array type; the value has type `unsigned long`.
    SetVlaLength {
        variable: VariableId,
        length: ExprId,
    },
    If {
        condition: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    While {
        condition: ExprId,
        body: StmtId,
    },
    DoWhile {
        body: StmtId,
        condition: ExprId,
    },
    /// `init` holds declarations or one expression statement; the whole is a scope.
    For {
        init: Box<[StmtId]>,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    /// `value` is promoted. `labels` names the `Case` and `Default` statements that belong to this
    /// switch, in source order; they sit anywhere inside `body` (Duff's device), even inside loops.
    Switch {
        value: ExprId,
        labels: Box<[StmtId]>,
        body: StmtId,
    },
    /// `case low ... high:` with bounds of the switch value's width, compared by its type's sign; a
    /// plain case has `low == high`. Control falls through it like an empty statement.
    Case {
        low: Bits,
        high: Bits,
        body: StmtId,
    },
    Default {
        body: StmtId,
    },
    /// Leaves the nearest enclosing loop or switch.
    Break,
    /// Goes to the step or test of the nearest enclosing loop.
    Continue,
    Goto(LabelId),
    /// GNU `goto *target`: to one of the function's labels whose address is taken.
    GotoComputed(ExprId),
    Label {
        label: LabelId,
        body: StmtId,
    },
    /// The value is already converted to the function's result type.
    Return(Option<ExprId>),
    /// Not modelled. Reaching it makes everything behind it unknown.
    Unsupported(Unsupported),
    /// Not modelled, and control may go on at any of the labels as well as behind it.
    UnsupportedJump {
        what: Unsupported,
        labels: Box<[LabelId]>,
    },
}
