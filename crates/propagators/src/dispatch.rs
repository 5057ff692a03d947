//! Which relation an operator posts, and the table of all that were posted.

use glassbox_kernel::{Conflict, Dispatch, Priority, Status, Store, VarIdx};
use glassbox_terms::{BoolOp, BvOp, Op, Sort, TermId, Terms};
use glassbox_values::Signedness;

use crate::bit::shift::Shift;
use crate::boolean::conjunction::Connective;
use crate::boolean::equivalence::Equivalence;
use crate::boolean::ite::Ite;
use crate::cmp::equal::Equal;
use crate::cmp::order::{Order, Strictness};
use crate::int::add_overflow::{AddOverflow, Direction};
use crate::int::rem::Remainder;
use crate::relation::Relation;
use crate::wide::Wide;
use crate::{bit, boolean, float, int};

/// A relation of one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind(u32);

/// The relations that were posted, in order.
#[derive(Debug, Default)]
pub struct Table {
    relations: Vec<Box<dyn Relation>>,
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

impl Table {
    pub fn keep(&mut self, relation: Box<dyn Relation>) -> Kind {
        let kind = Kind(u32::try_from(self.relations.len()).expect("fewer than 2^32 relations"));
        self.relations.push(relation);
        kind
    }

    #[inline]
    pub(crate) fn relation(&self, kind: Kind) -> &dyn Relation {
        &*self.relations[kind.0 as usize]
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
        self.relation(kind).propagate(args, store)
    }

    fn priority(&self, kind: Kind) -> Priority {
        self.relation(kind).priority()
    }

    fn is_idempotent(&self, kind: Kind) -> bool {
        self.relation(kind).is_idempotent()
    }
}

/// The relation of an operator over its arguments as they stand; `None` when there is none (leaves,
/// arrays).
pub(crate) fn relation_of(op: Op, sorts: Sorts) -> Option<Box<dyn Relation>> {
    if sorts == Sorts::Array {
        return None;
    }
    match op {
        Op::Var(_) | Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) => None,
        Op::Bool(op) => Some(bool_relation(op)),
        Op::Eq => Some(match sorts {
            Sorts::Bool => Box::new(Equivalence::Equal),
            Sorts::Narrow | Sorts::Wide | Sorts::Array => Box::new(Equal),
            Sorts::Float => Box::new(float::compare::Comparison::Same),
        }),
        Op::Ite => Some(match sorts {
            Sorts::Bool | Sorts::Narrow | Sorts::Wide | Sorts::Array => Box::new(Ite),
            Sorts::Float => Box::new(float::ite::Ite),
        }),
        Op::Bv(op) if sorts == Sorts::Wide => Some(Box::new(Wide(op))),
        Op::Bv(op) => Some(narrow_relation(op)),
        Op::Fp(op) => Some(float::relation_of(op)),
        Op::Array(_) => None,
    }
}

fn bool_relation(op: BoolOp) -> Box<dyn Relation> {
    match op {
        BoolOp::Not => Box::new(boolean::negation::Not),
        BoolOp::And => Box::new(Connective::And),
        BoolOp::Or => Box::new(Connective::Or),
        BoolOp::Xor => Box::new(Equivalence::Different),
    }
}

/// For vectors of at most 64 bits.
fn narrow_relation(op: BvOp) -> Box<dyn Relation> {
    use Signedness::{Signed, Unsigned};
    use Strictness::{OrEqual, Strict};
    let order = |signedness, strictness| Box::new(Order { signedness, strictness });
    match op {
        BvOp::Neg => Box::new(int::neg::Neg),
        BvOp::Not => Box::new(bit::not::Not),
        // `plan` exchanges the arguments of a difference.
        BvOp::Add | BvOp::Sub => Box::new(int::add::Add),
        BvOp::Mul => Box::new(int::mul::Mul),
        BvOp::Udiv => Box::new(int::div::Div(Unsigned)),
        BvOp::Urem => Box::new(Remainder::Unsigned),
        BvOp::Sdiv => Box::new(int::div::Div(Signed)),
        BvOp::Srem => Box::new(Remainder::SignOfDividend),
        BvOp::Smod => Box::new(Remainder::SignOfDivisor),
        BvOp::And => Box::new(bit::and::And),
        BvOp::Or => Box::new(bit::or::Or),
        BvOp::Xor => Box::new(bit::xor::Xor),
        BvOp::Shl => Box::new(Shift::Left),
        BvOp::Lshr => Box::new(Shift::RightLogical),
        BvOp::Ashr => Box::new(Shift::RightArithmetic),
        BvOp::Concat => Box::new(bit::concat::Concat),
        BvOp::Extract { lo, .. } => Box::new(bit::extract::Extract { lo }),
        BvOp::ZeroExtend { .. } => Box::new(bit::extend::Extend(Unsigned)),
        BvOp::SignExtend { .. } => Box::new(bit::extend::Extend(Signed)),
        BvOp::Ult => order(Unsigned, Strict),
        BvOp::Ule => order(Unsigned, OrEqual),
        BvOp::Slt => order(Signed, Strict),
        BvOp::Sle => order(Signed, OrEqual),
        BvOp::AddOverflow(signedness) => {
            Box::new(AddOverflow { direction: Direction::Add, signedness })
        }
        BvOp::SubOverflow(signedness) => {
            Box::new(AddOverflow { direction: Direction::Sub, signedness })
        }
        BvOp::MulOverflow(signedness) => Box::new(int::mul_overflow::MulOverflow(signedness)),
        // `plan` posts it as an equality with the least signed number.
        BvOp::NegOverflow => Box::new(Equal),
    }
}
