//! Marks: instructions that do nothing and record what the source does here.

use crate::id::{GlobalId, SourceTypeId, SourceVarId};
use crate::instr::Operand;

/// A point of interest for coverage criteria, or what the source says about its inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// A statement of the source begins; the instruction's span is the statement's.
    Statement,
    /// An instruction of the bytecode begins; the instruction's span is its place.
    Instruction,
    /// The comparison that follows, which does not say so itself, is one of unsigned numbers.
    Unsigned,
    /// The source assigns the variable, a part of it, or the memory behind it here.
    Def(Access),
    /// The source reads it here.
    Use(Access, UseKind),
    /// The source takes this pointer, whose type said less, for one to an object of this type.
    Pointee { ptr: Operand, target: SourceTypeId },
    /// A member of a union was stored: so many bytes from here on, beside the member, may be anything now.
    Opened { ptr: Operand, size: u64 },
    /// From here on runs are what this front-end makes of them, where compilers may make something else.
    Presumes(Presumption),
    /// A call did what is promised of the function: other runs end before.
    Promised,
}

/// What the language or the program lets compilers choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Presumption {
    /// Operands are evaluated in this order.
    EvaluationOrder,
    /// A function is called that may not do what its attributes promise.
    Attributes,
    /// No constant is changed through a pointer that forgot that it is one.
    Constants,
    /// Memory is not seen by another type than it has.
    EffectiveTypes,
    /// What is behind a `restrict` parameter is reached through it alone.
    Restrict,
    /// Numbers are rounded to the nearest.
    Rounding,
    /// The library treats equal elements, and compares, in the order that its models do.
    LibraryOrder,
    /// A pointer that is passed or kept here does not say any more which member it was formed from.
    MemberForgotten,
    /// An access by a pointer that may have forgotten its member stays inside of it.
    MemberKept,
    /// A condition of a contract is evaluated here that may run on for ever.
    ConditionEnds,
    /// Assembly stands here that has no outputs and does not say that it changes memory.
    Assembly,
    /// A store through a pointer leaves alone what is seen by other types.
    TypesApart,
    /// Something is no constant to this front-end that an optimizer may know to be one.
    NotConstant,
    /// Of a number only that it is not zero is fixed, and the number itself matters.
    OnlyTruth,
}

impl Presumption {
    pub const ALL: [Presumption; 14] = [
        Presumption::EvaluationOrder,
        Presumption::Attributes,
        Presumption::Constants,
        Presumption::EffectiveTypes,
        Presumption::Restrict,
        Presumption::Rounding,
        Presumption::LibraryOrder,
        Presumption::MemberForgotten,
        Presumption::MemberKept,
        Presumption::ConditionEnds,
        Presumption::Assembly,
        Presumption::TypesApart,
        Presumption::NotConstant,
        Presumption::OnlyTruth,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Presumption::EvaluationOrder => "order",
            Presumption::Attributes => "attributes",
            Presumption::Constants => "constants",
            Presumption::EffectiveTypes => "types",
            Presumption::Restrict => "restrict",
            Presumption::Rounding => "rounding",
            Presumption::LibraryOrder => "library-order",
            Presumption::MemberForgotten => "member-forgotten",
            Presumption::MemberKept => "member-kept",
            Presumption::ConditionEnds => "condition-ends",
            Presumption::Assembly => "assembly",
            Presumption::TypesApart => "types-apart",
            Presumption::NotConstant => "not-constant",
            Presumption::OnlyTruth => "only-truth",
        }
    }
}

/// What of a variable is assigned or read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Access {
    pub var: VarRef,
    /// The variable is a pointer, and this is the memory that it points to.
    pub is_behind: bool,
    pub part: Part,
}

/// A part of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    Whole,
    /// A member, or an element at a constant index.
    Bits {
        first: u64,
        count: u64,
    },
    /// An element that the run chooses, or whatever a callee does with the address.
    Somewhere,
}

impl Access {
    pub fn whole(var: VarRef) -> Access {
        Access { var, is_behind: false, part: Part::Whole }
    }

    /// Whether what one assigns is (or may be) what the other reads.
    pub fn overlaps(&self, other: &Access) -> bool {
        if self.var != other.var || self.is_behind != other.is_behind {
            return false;
        }
        match (self.part, other.part) {
            (
                Part::Bits { first, count },
                Part::Bits { first: other_first, count: other_count },
            ) => {
                first < other_first.saturating_add(other_count)
                    && other_first < first.saturating_add(count)
            }
            (Part::Whole | Part::Somewhere, _) | (_, Part::Whole | Part::Somewhere) => true,
        }
    }

    /// Whether an assignment to this leaves nothing of what `other` was before. A pointer that is assigned
    /// points to other memory.
    pub fn replaces(&self, other: &Access) -> bool {
        if self.var != other.var {
            return false;
        }
        if self.is_behind != other.is_behind {
            return !self.is_behind && self.part == Part::Whole;
        }
        match (self.part, other.part) {
            (Part::Whole, _) => true,
            (Part::Somewhere, _) => false,
            (Part::Bits { .. }, Part::Whole | Part::Somewhere) => false,
            (
                Part::Bits { first, count },
                Part::Bits { first: other_first, count: other_count },
            ) => {
                first <= other_first
                    && other_first.saturating_add(other_count) <= first.saturating_add(count)
            }
        }
    }
}

/// A variable of the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VarRef {
    Local(SourceVarId),
    Global(GlobalId),
}

/// What the read is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UseKind {
    /// In a condition of a decision or the value of a switch.
    Predicate,
    Computation,
}
