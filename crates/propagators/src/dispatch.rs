//! The table of propagators: from operators to kinds, from kinds to files.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{Conflict, Dispatch, Premises, Priority, Status, Store, VarIdx};
use glassbox_terms::{BoolOp, BvOp, Op, Sort, TermId, Terms};
use glassbox_values::Signedness;

use crate::array::congruence;
use crate::array::element;
use crate::bit::shift;
use crate::bit::{and, concat, extend, extract, not, or, xor};
use crate::boolean::conjunction::{self, Connective};
use crate::boolean::equivalence::{self, Sense};
use crate::boolean::{ite, negation};
use crate::cmp::order;
use crate::cmp::{equal, gap, member};
use crate::float;
use crate::int::add_overflow;
use crate::int::linear::{self, Coefficients};
use crate::int::rem;
use crate::int::scale::{self, Factor};
use crate::int::{add, div, mul, mul_overflow, neg, square};
use crate::wide;

pub use crate::array::element::Base;
pub use crate::bit::shift::Shift;
pub use crate::cmp::order::Strictness;
pub use crate::int::add_overflow::Direction;
pub use crate::int::rem::Remainder;

/// Which relation a propagator keeps. Arguments are `[result, operands...]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Not,
    And,
    Or,
    Xor,
    /// Equality of booleans.
    Iff,
    Ite,
    /// Equality of vectors of any width.
    Equal,
    Order(Signedness, Strictness),
    /// The same with the difference known: `[b, x, y, y - x]`.
    Gap(Signedness, Strictness),
    /// `b = (x in arc)`, arguments `[b, x]`, the arc in the table.
    Member(ArcIdx),
    /// Arguments `[z, x, y]` with z = x + y; a difference is posted with its parts exchanged.
    Add,
    Neg,
    /// `z = k * x`, arguments `[z, x]`, k in the table.
    Scale(ConstIdx),
    Linear(SumIdx),
    Mul,
    /// Arguments `[z, x]`.
    Square,
    Div(Signedness),
    Rem(Remainder),
    BitNot,
    BitAnd,
    BitOr,
    BitXor,
    Shift(Shift),
    Concat,
    Extract {
        lo: u8,
    },
    Extend(Signedness),
    AddOverflow(Direction, Signedness),
    MulOverflow(Signedness),
    Element(Base),
    /// Two reads of one array: `[value, index, value, index]`.
    SameArray,
    /// A relation with a float among its arguments; the index of its operator in the table.
    Float(OpIdx),
    /// A relation with a vector of more than 64 bits among its arguments.
    Wide(OpIdx),
}

/// An operator kept in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpIdx(u32);

/// A constant kept in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConstIdx(u32);

/// An arc kept in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArcIdx(u32);

/// The coefficients of a sum kept in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SumIdx(u32);

/// Parameters that do not fit into a kind.
#[derive(Debug, Clone, Default)]
pub struct Table {
    ops: Vec<Op>,
    constants: Vec<u64>,
    sums: Vec<Coefficients>,
    arcs: Vec<Clockwise>,
}

/// The widest class of sort among a term and its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sorts {
    Bool,
    /// Booleans and vectors of at most 64 bits.
    Narrow,
    /// Some vector of more than 64 bits.
    Wide,
    Float,
    Array,
}

impl Sorts {
    pub(crate) fn of(terms: &Terms, term: TermId) -> Sorts {
        let rank = |sort: Sort| match sort {
            Sort::Bool => Sorts::Bool,
            Sort::Bv(width) if width <= 64 => Sorts::Narrow,
            Sort::Bv(_) => Sorts::Wide,
            Sort::Float(_) => Sorts::Float,
            Sort::Array { .. } => Sorts::Array,
        };
        let mut widest = rank(terms.sort(term));
        for &arg in terms.args(term) {
            let other = rank(terms.sort(arg));
            if (other as u8) > (widest as u8) {
                widest = other;
            }
        }
        widest
    }
}

fn index(length: usize) -> u32 {
    u32::try_from(length).expect("fewer than 2^32 table entries")
}

impl Table {
    fn keep_op(&mut self, op: Op) -> OpIdx {
        let position = self.ops.iter().position(|&kept| kept == op).unwrap_or_else(|| {
            self.ops.push(op);
            self.ops.len() - 1
        });
        OpIdx(index(position))
    }

    /// The relation `z = factor * x`, arguments `[z, x]`.
    pub fn scale(&mut self, factor: u64) -> Kind {
        Kind::Scale(self.keep_constant(factor))
    }

    /// The relation `z = constant + sum of factors[i] * x[i]`, arguments `[z, x...]`; at most eight
    /// different variables.
    pub fn linear(&mut self, constant: u64, factors: Vec<u64>) -> Kind {
        assert!(factors.len() <= linear::MAX_TERMS, "a linear sum should have at most eight terms");
        Kind::Linear(self.keep_sum(Coefficients { constant, factors }))
    }

    /// The relation `b = (x in arc)`, arguments `[b, x]`.
    pub fn member(&mut self, arc: Clockwise) -> Kind {
        self.arcs.push(arc);
        Kind::Member(ArcIdx(index(self.arcs.len() - 1)))
    }

    pub(crate) fn keep_constant(&mut self, constant: u64) -> ConstIdx {
        self.constants.push(constant);
        ConstIdx(index(self.constants.len() - 1))
    }

    pub(crate) fn keep_sum(&mut self, sum: Coefficients) -> SumIdx {
        self.sums.push(sum);
        SumIdx(index(self.sums.len() - 1))
    }
}

/// The kind of propagator for an operator over its arguments as they stand; `None` when there is
/// none (leaves, arrays, conversions of wide vectors without one).
pub(crate) fn kind_of(table: &mut Table, op: Op, sorts: Sorts) -> Option<Kind> {
    match sorts {
        Sorts::Float => float::has_propagator(op).then(|| Kind::Float(table.keep_op(op))),
        Sorts::Array => None,
        Sorts::Wide => match op {
            Op::Ite => Some(Kind::Ite),
            Op::Eq => Some(Kind::Equal),
            _ => wide::has_propagator(op).then(|| Kind::Wide(table.keep_op(op))),
        },
        Sorts::Bool | Sorts::Narrow => narrow_kind(op, sorts),
    }
}

fn narrow_kind(op: Op, sorts: Sorts) -> Option<Kind> {
    match op {
        Op::Var(_) | Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) => None,
        Op::Bool(BoolOp::Not) => Some(Kind::Not),
        Op::Bool(BoolOp::And) => Some(Kind::And),
        Op::Bool(BoolOp::Or) => Some(Kind::Or),
        Op::Bool(BoolOp::Xor) => Some(Kind::Xor),
        Op::Eq if sorts == Sorts::Bool => Some(Kind::Iff),
        Op::Eq => Some(Kind::Equal),
        Op::Ite => Some(Kind::Ite),
        Op::Bv(op) => Some(vector_kind(op)),
        Op::Fp(_) | Op::Array(_) => None,
    }
}

fn vector_kind(op: BvOp) -> Kind {
    use Signedness::{Signed, Unsigned};
    use Strictness::{OrEqual, Strict};
    match op {
        BvOp::Neg => Kind::Neg,
        BvOp::Not => Kind::BitNot,
        // The compiler exchanges the arguments of a difference.
        BvOp::Add | BvOp::Sub => Kind::Add,
        BvOp::Mul => Kind::Mul,
        BvOp::Udiv => Kind::Div(Unsigned),
        BvOp::Urem => Kind::Rem(Remainder::Unsigned),
        BvOp::Sdiv => Kind::Div(Signed),
        BvOp::Srem => Kind::Rem(Remainder::SignOfDividend),
        BvOp::Smod => Kind::Rem(Remainder::SignOfDivisor),
        BvOp::And => Kind::BitAnd,
        BvOp::Or => Kind::BitOr,
        BvOp::Xor => Kind::BitXor,
        BvOp::Shl => Kind::Shift(Shift::Left),
        BvOp::Lshr => Kind::Shift(Shift::RightLogical),
        BvOp::Ashr => Kind::Shift(Shift::RightArithmetic),
        BvOp::Concat => Kind::Concat,
        BvOp::Extract { lo, .. } => Kind::Extract { lo },
        BvOp::ZeroExtend { .. } => Kind::Extend(Unsigned),
        BvOp::SignExtend { .. } => Kind::Extend(Signed),
        BvOp::Ult => Kind::Order(Unsigned, Strict),
        BvOp::Ule => Kind::Order(Unsigned, OrEqual),
        BvOp::Slt => Kind::Order(Signed, Strict),
        BvOp::Sle => Kind::Order(Signed, OrEqual),
        BvOp::AddOverflow(sign) => Kind::AddOverflow(Direction::Add, sign),
        BvOp::SubOverflow(sign) => Kind::AddOverflow(Direction::Sub, sign),
        BvOp::MulOverflow(sign) => Kind::MulOverflow(sign),
        // `compile` posts it as an equality with the least signed number.
        BvOp::NegOverflow => Kind::Equal,
    }
}

impl Dispatch for Table {
    type Kind = Kind;

    #[inline]
    fn propagate(
        &self,
        kind: Kind,
        args: &[VarIdx],
        store: &mut Store,
    ) -> Result<Status, Conflict> {
        match kind {
            Kind::Not => negation::propagate(args, store),
            Kind::And => conjunction::propagate(Connective::And, args, store),
            Kind::Or => conjunction::propagate(Connective::Or, args, store),
            Kind::Xor => equivalence::propagate(Sense::Different, args, store),
            Kind::Iff => equivalence::propagate(Sense::Equal, args, store),
            Kind::Ite => ite::propagate(args, store),
            Kind::Equal => equal::propagate(args, store),
            Kind::Order(sign, strictness) => order::propagate(sign, strictness, args, store),
            Kind::Gap(sign, strictness) => gap::propagate(sign, strictness, args, store),
            Kind::Member(arc) => member::propagate(self.arcs[arc.0 as usize], args, store),
            Kind::Add => add::propagate(args, store),
            Kind::Neg => neg::propagate(args, store),
            Kind::Scale(constant) => {
                let value = self.constants[constant.0 as usize];
                let factor = Factor { value, why: Premises::NONE };
                scale::propagate(factor, (args[0], 0), (args[1], 1), store)
            }
            Kind::Linear(sum) => linear::propagate(&self.sums[sum.0 as usize], args, store),
            Kind::Mul => mul::propagate(args, store),
            Kind::Square => square::propagate(args, store),
            Kind::Div(sign) => div::propagate(sign, args, store),
            Kind::Rem(remainder) => rem::propagate(remainder, args, store),
            Kind::BitNot => not::propagate(args, store),
            Kind::BitAnd => and::propagate(args, store),
            Kind::BitOr => or::propagate(args, store),
            Kind::BitXor => xor::propagate(args, store),
            Kind::Shift(shift) => shift::propagate(shift, args, store),
            Kind::Concat => concat::propagate(args, store),
            Kind::Extract { lo } => extract::propagate(lo, args, store),
            Kind::Extend(sign) => extend::propagate(sign, args, store),
            Kind::AddOverflow(direction, sign) => {
                add_overflow::propagate(direction, sign, args, store)
            }
            Kind::MulOverflow(sign) => mul_overflow::propagate(sign, args, store),
            Kind::Element(base) => element::propagate(base, args, store),
            Kind::SameArray => congruence::propagate(args, store),
            Kind::Float(op) => float::propagate(self.ops[op.0 as usize], args, store),
            Kind::Wide(op) => wide::propagate(self.ops[op.0 as usize], args, store),
        }
    }

    fn priority(&self, kind: Kind) -> Priority {
        match kind {
            Kind::Not
            | Kind::And
            | Kind::Or
            | Kind::Xor
            | Kind::Iff
            | Kind::Equal
            | Kind::Order(..)
            | Kind::Gap(..)
            | Kind::Member(_)
            | Kind::Add
            | Kind::Neg
            | Kind::Scale(_)
            | Kind::Linear(_)
            | Kind::BitNot
            | Kind::BitAnd
            | Kind::BitOr
            | Kind::BitXor
            | Kind::Concat
            | Kind::Extract { .. }
            | Kind::Extend(_) => Priority::Cheap,
            Kind::Ite
            | Kind::Mul
            | Kind::Square
            | Kind::Div(_)
            | Kind::Rem(_)
            | Kind::Shift(_)
            | Kind::AddOverflow(..)
            | Kind::MulOverflow(_)
            | Kind::Element(_)
            | Kind::SameArray
            | Kind::Wide(_) => Priority::Costly,
            Kind::Float(op) => float::priority(self.ops[op.0 as usize]),
        }
    }

    fn is_idempotent(&self, kind: Kind) -> bool {
        // One pass of these reaches their fixpoint; all others are run until they change nothing.
        matches!(kind, Kind::Not | Kind::And | Kind::Or | Kind::Order(..))
    }
}
