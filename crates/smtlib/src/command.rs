//! The commands of a script, as plain data.

use glassbox_terms::TermId;

/// How a constant or a value is written in the script, where its term does not show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// As the sort of the term.
    Plain,
    /// A rounding mode, encoded in 3 bits.
    Rounding,
    /// An integer, encoded in two's complement.
    Integer,
}

/// A constant that the script declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// The name without bars.
    pub name: String,
    pub kind: Kind,
    /// The variable.
    pub term: TermId,
}

/// A term of `get-value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// As it was written.
    pub text: String,
    pub kind: Kind,
    pub term: TermId,
}

/// One command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    SetLogic(String),
    /// The value as it was written.
    SetOption {
        keyword: String,
        value: String,
    },
    SetInfo {
        keyword: String,
        value: String,
    },
    /// The constraints hold always and are to be asserted at the current level.
    Declare {
        constant: Constant,
        constraints: Vec<TermId>,
    },
    /// A function, constant or sort that needs no execution.
    Define {
        name: String,
    },
    Assert {
        term: TermId,
        name: Option<String>,
    },
    Push(usize),
    Pop(usize),
    /// `unbounded`: the integer variables that the script mentions without bounding them on both
    /// sides in the assertions in force. While there are any, no `unsat` may be claimed.
    CheckSat {
        unbounded: Vec<TermId>,
    },
    /// As `CheckSat`, the bounds of the assumptions included.
    CheckSatAssuming {
        assumptions: Vec<Query>,
        unbounded: Vec<TermId>,
    },
    GetModel,
    GetValue(Vec<Query>),
    GetUnsatCore,
    GetUnsatAssumptions,
    /// The texts of the assertions in force, as they were written.
    GetAssertions(Vec<String>),
    GetInfo(String),
    GetOption(String),
    Echo(String),
    /// All assertions and levels are gone; declarations too, unless they are global.
    ResetAssertions,
    Reset,
    Exit,
}
