//! What all elements of an array are, read off the stores that made it.

use glassbox_kernel::BitsDomain;
use glassbox_relax::optimum::TermSum;
use glassbox_terms::{ArrayOp, Op, Sort, TermId, Terms};

/// What is known of arrays at some point: looked up by variable.
#[derive(Debug, Default, Clone)]
pub(crate) struct ArrayFacts {
    pub(crate) elements: Vec<(TermId, BitsDomain)>,
    /// Sums that are at most zero.
    pub(crate) sums: Vec<TermSum>,
}

/// What every element of an array term is, given what is known of array variables and of scalar terms.
pub(crate) fn elements_of(
    terms: &Terms,
    array: TermId,
    known: &[(TermId, BitsDomain)],
    domain: &dyn Fn(TermId) -> Option<BitsDomain>,
) -> BitsDomain {
    let mut at = array;
    let mut found: Option<BitsDomain> = None;
    let mut add = |more: BitsDomain| {
        found = Some(found.map_or(more, |all: BitsDomain| all.join(&more)));
    };
    let width = match terms.sort(array) {
        Sort::Array { element: glassbox_terms::sort::Scalar::Bv(width), .. } if width <= 64 => {
            width
        }
        Sort::Array { .. } | Sort::Bool | Sort::Bv(_) | Sort::Float(_) => {
            return BitsDomain::full(1);
        }
    };
    let full = BitsDomain::full(width);
    loop {
        match terms.op(at) {
            Op::Array(ArrayOp::Store) => {
                add(domain(terms.arg(at, 2)).unwrap_or(full));
                at = terms.arg(at, 0);
            }
            Op::Array(ArrayOp::Const { .. }) => {
                add(domain(terms.arg(at, 0)).unwrap_or(full));
                break;
            }
            Op::Ite => {
                add(elements_of(terms, terms.arg(at, 1), known, domain));
                at = terms.arg(at, 2);
            }
            Op::Var(_) => {
                let known = known.iter().rev().find(|(term, _)| *term == at);
                add(known.map_or(full, |(_, domain)| *domain));
                break;
            }
            Op::True
            | Op::False
            | Op::BvConst(_)
            | Op::FloatConst(_)
            | Op::Bool(_)
            | Op::Eq
            | Op::Bv(_)
            | Op::Fp(_)
            | Op::Array(_) => {
                add(full);
                break;
            }
        }
    }
    found.unwrap_or(full)
}
