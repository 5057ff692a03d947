//! Which view each column should have: the one its users ask for.

use glassbox_terms::{BvOp, Op, TermId};
use glassbox_values::Signedness;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Translator;
use super::root::Literal;
use crate::bounds::sort_range;

/// Terms looked at, at most.
const MAX_VISITS: usize = 200_000;

#[derive(Default, Clone, Copy)]
struct Asked {
    signed: bool,
    unsigned: bool,
}

impl Translator<'_> {
    /// Walks the literals and notes for every column-to-be the view it is read in. The caller's bounds
    /// decide when they are narrower in one view; then the users, unsigned only if all agree.
    pub(super) fn collect_demands(&mut self, literals: &[Literal]) {
        let mut asked: FxHashMap<TermId, Asked> = FxHashMap::default();
        let mut leaves: Vec<TermId> = Vec::new();
        let mut seen: FxHashSet<(TermId, Option<Signedness>)> = FxHashSet::default();
        let mut stack: Vec<(TermId, Option<Signedness>)> =
            literals.iter().map(|literal| (literal.term, None)).collect();
        while let Some((term, demand)) = stack.pop() {
            if seen.len() > MAX_VISITS || !seen.insert((term, demand)) {
                continue;
            }
            if let Some(below) = self.demand_below(term, demand) {
                stack.extend(self.terms.args(term).iter().map(|arg| (*arg, below)));
                continue;
            }
            if self.width(term).is_some() && self.constant(term).is_none() {
                let entry = asked.entry(term).or_insert_with(|| {
                    leaves.push(term);
                    Asked::default()
                });
                entry.signed |= demand == Some(Signedness::Signed);
                entry.unsigned |= demand == Some(Signedness::Unsigned);
            }
            // A choice passes the demand on to its branches.
            stack.extend(self.terms.args(term).iter().map(|arg| (*arg, demand)));
        }
        for term in leaves {
            let span = |signedness| {
                let sort = sort_range(self.terms, term, signedness)?;
                let (lo, hi) = self.bounds.range(term, signedness)?;
                Some(hi.min(sort.hi) - lo.max(sort.lo))
            };
            let spans = (span(Signedness::Signed), span(Signedness::Unsigned));
            let view = match spans {
                (Some(signed), Some(unsigned)) if signed < unsigned => Some(Signedness::Signed),
                (Some(signed), Some(unsigned)) if signed > unsigned => Some(Signedness::Unsigned),
                _ => match asked[&term] {
                    Asked { signed: false, unsigned: true } => Some(Signedness::Unsigned),
                    Asked { signed: true, .. } => Some(Signedness::Signed),
                    Asked { signed: false, unsigned: false } => None,
                },
            };
            if let Some(view) = view {
                self.demands.insert(term, view);
            }
        }
    }

    /// The view an operator asks of its arguments; `None` when the term itself becomes a column.
    fn demand_below(&self, term: TermId, demand: Option<Signedness>) -> Option<Option<Signedness>> {
        use Signedness::{Signed, Unsigned};
        match self.terms.op(term) {
            Op::Bv(BvOp::Add | BvOp::Sub | BvOp::Mul | BvOp::Neg | BvOp::Not | BvOp::Shl) => {
                Some(demand)
            }
            Op::Bv(BvOp::Extract { lo: 0, .. }) | Op::Eq => Some(None),
            Op::Bv(BvOp::Udiv | BvOp::Urem | BvOp::Lshr | BvOp::Ult | BvOp::Ule)
            | Op::Bv(BvOp::And | BvOp::Or | BvOp::Xor | BvOp::Concat)
            | Op::Bv(BvOp::Extract { .. } | BvOp::ZeroExtend { .. }) => Some(Some(Unsigned)),
            Op::Bv(BvOp::Sdiv | BvOp::Srem | BvOp::Smod | BvOp::Ashr | BvOp::SignExtend { .. })
            | Op::Bv(BvOp::Slt | BvOp::Sle | BvOp::NegOverflow) => Some(Some(Signed)),
            Op::Bv(BvOp::AddOverflow(s) | BvOp::SubOverflow(s) | BvOp::MulOverflow(s)) => {
                Some(Some(s))
            }
            Op::Bool(_) => Some(None),
            // Columns, and what lies outside integers.
            Op::Var(_) | Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) => None,
            Op::Ite | Op::Fp(_) | Op::Array(_) => None,
        }
    }
}
