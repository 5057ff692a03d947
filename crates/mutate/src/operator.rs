//! Kinds of changes, by the names that the literature has for them (Offutt and others, *An experimental determination of
//! sufficient mutant operators*, TOSEM 1996).

/// A kind of change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// An arithmetic operator becomes another.
    Arithmetic,
    /// A comparison becomes another.
    Relational,
    /// `&&`, `||` and bit operators become others.
    Logical,
    /// A value changes its sign, a condition its truth.
    Unary,
    /// A number becomes a neighbor or 0.
    Constant,
    /// A statement is left out.
    Deletion,
}

impl Operator {
    pub const ALL: &'static [Operator] = &[
        Operator::Arithmetic,
        Operator::Relational,
        Operator::Logical,
        Operator::Unary,
        Operator::Constant,
        Operator::Deletion,
    ];

    /// As options and reports write it.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Arithmetic => "aor",
            Operator::Relational => "ror",
            Operator::Logical => "lcr",
            Operator::Unary => "uoi",
            Operator::Constant => "constant",
            Operator::Deletion => "deletion",
        }
    }

    pub fn description(self) -> &'static str {
        match self {
            Operator::Arithmetic => "an arithmetic operator becomes another",
            Operator::Relational => "a comparison becomes another",
            Operator::Logical => "a logical or bit operator becomes another",
            Operator::Unary => "a value changes its sign, a condition its truth",
            Operator::Constant => "a number becomes a neighbor or 0",
            Operator::Deletion => "a statement is left out",
        }
    }
}
