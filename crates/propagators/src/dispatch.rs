//! The table of propagators: from operators to kinds, from kinds to files.

use glassbox_kernel::{Conflict, Dispatch, Priority, Status, Store, VarIdx};
use glassbox_terms::{Op, Sort, TermId, Terms};

use crate::float;

/// Which relation a propagator keeps. Arguments are `[result, operands...]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Not,
    And,
    Or,
    Xor,
    /// A relation with a float among its arguments; the index of its operator in the table.
    Float(OpIdx),
    /// A relation with a vector of more than 64 bits among its arguments.
    Wide(OpIdx),
}

/// An operator kept in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpIdx(u32);

/// Parameters that do not fit into a kind.
#[derive(Debug, Clone, Default)]
pub struct Table {
    ops: Vec<Op>,
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
    fn keep(&mut self, op: Op) -> OpIdx {
        let index = self.ops.iter().position(|&kept| kept == op).unwrap_or_else(|| {
            self.ops.push(op);
            self.ops.len() - 1
        });
        OpIdx(u32::try_from(index).expect("fewer than 2^32 operators"))
    }
}

/// The kind of propagator for an operator; `None` when it has none (leaves, arrays).
pub(crate) fn kind_of(table: &mut Table, op: Op, sorts: Sorts) -> Option<Kind> {
    match sorts {
        Sorts::Float => return float::has_propagator(op).then(|| Kind::Float(table.keep(op))),
        Sorts::Wide => return None,
        Sorts::Bool | Sorts::Narrow | Sorts::Array => {}
    }
    let kind = match op {
        Op::Var(_) | Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) => return None,
        Op::Not => Kind::Not,
        Op::And => Kind::And,
        Op::Or => Kind::Or,
        Op::Xor => Kind::Xor,
        _ => return None,
    };
    Some(kind)
}

impl Dispatch for Table {
    type Kind = Kind;

    fn propagate(
        &self,
        kind: Kind,
        args: &[VarIdx],
        store: &mut Store,
    ) -> Result<Status, Conflict> {
        match kind {
            Kind::Float(op) => float::propagate(self.ops[op.0 as usize], args, store),
            _ => Ok(Status::Stay),
        }
    }

    fn priority(&self, kind: Kind) -> Priority {
        match kind {
            Kind::Not | Kind::And | Kind::Or | Kind::Xor => Priority::Cheap,
            Kind::Float(op) => float::priority(self.ops[op.0 as usize]),
            Kind::Wide(_) => Priority::Costly,
        }
    }

    fn is_idempotent(&self, _kind: Kind) -> bool {
        false
    }
}
