//! Decisions and their conditions, kept as structure.
//!
//! A decision is a Boolean expression that steers control flow or joins conditions with `&&`, `||`,
//! `!`. Short-circuit lowering turns it into branches; each branch remembers decision, condition and
//! polarity (`BranchOrigin`), so that criteria such as MC/DC read the IR and not the syntax.

use crate::source::Span;

/// One decision of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    pub kind: DecisionKind,
    pub span: Span,
    /// In evaluation order: condition 0 is evaluated in every evaluation of the decision.
    pub conditions: Vec<Condition>,
    pub formula: Formula,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DecisionKind {
    If,
    While,
    DoWhile,
    For,
    /// The first operand of `?:`.
    Ternary,
    /// `a && b` used as a value: returned, assigned, passed, compared.
    Value,
    Assertion,
    /// An instruction of the JVM that may throw by itself: true when it does.
    Throws,
    /// A bytecode branch without a source construct known.
    Branch,
}

/// One condition: an operand of a decision without `&&`, `||`, `!` of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    pub span: Span,
    /// As the source spells it.
    pub text: String,
}

/// How conditions make the decision's outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Formula {
    /// The condition with this index. A condition occurs once.
    Condition(u16),
    Not(Box<Formula>),
    /// Short-circuit, left first.
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
}
