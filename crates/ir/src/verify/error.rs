//! What the verifier can complain about.

use crate::id::{BlockId, LocalId, ValueId};
use crate::ty::Ty;

/// A broken rule and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyError {
    /// The function, or the global, that breaks the rule.
    pub entity: String,
    pub place: Option<Place>,
    pub rule: BrokenRule,
}

/// A place inside a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub block: BlockId,
    /// Position in the block; `None` for its parameters or terminator.
    pub instr: Option<usize>,
}

/// Each variant is a rule that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BrokenRule {
    NoEntry,
    EntryParams,
    EntryHasPredecessor,
    UnknownId { what: &'static str, index: usize },
    DefinedTwice { value: ValueId },
    NeverDefined { value: ValueId },
    NotDominated { value: ValueId },
    ResultMissing { expected: Ty },
    ResultUnexpected { value: ValueId },
    ResultType { expected: Ty, found: Ty },
    OperandType { expected: Expected, found: Ty },
    OperandsDiffer { lhs: Ty, rhs: Ty },
    TargetArity { target: BlockId, expected: usize, found: usize },
    BadCast { from: Ty, to: Ty },
    BadBitRange { start: u8, width: u8 },
    OverlappingCases,
    CallArity { expected: usize, found: usize },
    CallResult { expected: Option<Ty>, found: Option<Ty> },
    ReturnMismatch { expected: Option<Ty>, found: Option<Ty> },
    ConditionOutOfRange { condition: u16, n_conditions: usize },
    ConditionOccurrence { condition: u16, times: usize },
    ParamVarsNotFirst,
    LocalOfVarDisagrees { local: LocalId },
    IndirectParamNotPtr,
    InitializerTooLong { bytes: usize, size: u64 },
    RelocationOutOfRange { offset: u64 },
    RelocationsNotSorted,
    BadAlign { align: u64 },
}

/// What kind of operand belongs there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Exactly(Ty),
    AnyInt,
    AnyFloat,
}

impl std::fmt::Display for Expected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Expected::Exactly(ty) => write!(f, "{ty}"),
            Expected::AnyInt => f.write_str("an integer"),
            Expected::AnyFloat => f.write_str("a float"),
        }
    }
}

fn show(ty: Option<Ty>) -> String {
    ty.map_or_else(|| "nothing".to_owned(), |ty| ty.to_string())
}

impl std::fmt::Display for BrokenRule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BrokenRule::NoEntry => f.write_str("a body should have an entry block"),
            BrokenRule::EntryParams => {
                f.write_str("the entry's parameters should be the function's")
            }
            BrokenRule::EntryHasPredecessor => f.write_str("nothing should jump to the entry"),
            BrokenRule::UnknownId { what, index } => write!(f, "there is no {what} {index}"),
            BrokenRule::DefinedTwice { value } => write!(f, "{value} is defined twice"),
            BrokenRule::NeverDefined { value } => write!(f, "{value} is never defined"),
            BrokenRule::NotDominated { value } => {
                write!(f, "{value} is used where its definition does not reach")
            }
            BrokenRule::ResultMissing { expected } => {
                write!(f, "the instruction should define a value of type {expected}")
            }
            BrokenRule::ResultUnexpected { value } => {
                write!(f, "the instruction has no result and should not define {value}")
            }
            BrokenRule::ResultType { expected, found } => {
                write!(f, "the result should be {expected}, not {found}")
            }
            BrokenRule::OperandType { expected, found } => {
                write!(f, "an operand should be {expected}, not {found}")
            }
            BrokenRule::OperandsDiffer { lhs, rhs } => {
                write!(f, "operands should have one type, not {lhs} and {rhs}")
            }
            BrokenRule::TargetArity { target, expected, found } => {
                write!(f, "{target} takes {expected} arguments, not {found}")
            }
            BrokenRule::BadCast { from, to } => {
                write!(f, "this cast cannot go from {from} to {to}")
            }
            BrokenRule::BadBitRange { start, width } => {
                write!(f, "no bit-field starts at bit {start} with {width} bits")
            }
            BrokenRule::OverlappingCases => f.write_str("cases should be disjoint"),
            BrokenRule::CallArity { expected, found } => {
                write!(f, "the callee takes {expected} arguments, not {found}")
            }
            BrokenRule::CallResult { expected, found } => {
                write!(f, "the callee gives {}, not {}", show(*expected), show(*found))
            }
            BrokenRule::ReturnMismatch { expected, found } => {
                write!(f, "the function returns {}, not {}", show(*expected), show(*found))
            }
            BrokenRule::ConditionOutOfRange { condition, n_conditions } => {
                write!(f, "condition {condition} of a decision with {n_conditions} conditions")
            }
            BrokenRule::ConditionOccurrence { condition, times } => {
                write!(
                    f,
                    "condition {condition} should occur once in its formula, not {times} times"
                )
            }
            BrokenRule::ParamVarsNotFirst => {
                f.write_str("parameter variables should come first and in order")
            }
            BrokenRule::LocalOfVarDisagrees { local } => {
                write!(f, "{local} and its variable should name each other")
            }
            BrokenRule::IndirectParamNotPtr => {
                f.write_str("an indirectly passed value should travel as a pointer")
            }
            BrokenRule::InitializerTooLong { bytes, size } => {
                write!(f, "{bytes} initial bytes for an object of {size}")
            }
            BrokenRule::RelocationOutOfRange { offset } => {
                write!(f, "the pointer at offset {offset} should fit the object")
            }
            BrokenRule::RelocationsNotSorted => {
                f.write_str("relocations should be sorted and not overlap")
            }
            BrokenRule::BadAlign { align } => write!(f, "alignment {align} is not a power of two"),
        }
    }
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.entity)?;
        if let Some(place) = self.place {
            write!(f, ", {}", place.block)?;
            if let Some(instr) = place.instr {
                write!(f, " instruction {instr}")?;
            }
        }
        write!(f, ": {}", self.rule)
    }
}
