//! What holds at a join: domains of its parameters, bounds of its templates, elements of its arrays.

use glassbox_kernel::{BitsDomain, Domain};
use glassbox_relax::optimum::TermSum;
use glassbox_terms::{ArrayOp, Op, Sort, TermId, Terms};
use glassbox_values::Signedness;

/// See the module's comment. The lists go with the parameters and templates of the node.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct State {
    pub(crate) domains: Vec<(TermId, Domain)>,
    /// For each template the largest value, where known.
    pub(crate) bounds: Vec<(TermSum, Option<i128>)>,
    /// For each array parameter, what all its elements are.
    pub(crate) elements: Vec<(TermId, BitsDomain)>,
}

/// What is known of arrays at some point: looked up by variable.
#[derive(Debug, Default, Clone)]
pub(crate) struct Facts {
    pub(crate) elements: Vec<(TermId, BitsDomain)>,
    /// Sums that are at most zero.
    pub(crate) sums: Vec<TermSum>,
}

impl State {
    /// The bounds as facts.
    pub(crate) fn sums(&self) -> impl Iterator<Item = TermSum> + '_ {
        self.bounds.iter().filter_map(|(slope, bound)| {
            let bound = (*bound)?;
            let mut sum = slope.clone();
            sum.constant -= bound;
            Some(sum)
        })
    }

    /// The ranges alone say that the sum is at most zero.
    pub(crate) fn implies(&self, sum: &TermSum) -> bool {
        let mut largest = sum.constant;
        for &(variable, signedness, c) in &sum.terms {
            let domain = self.domains.iter().find(|(known, _)| *known == variable);
            let Some((_, Domain::Bits(bits))) = domain else { return false };
            let (lo, hi) = match signedness {
                Signedness::Signed => {
                    (i128::from(bits.signed_min()), i128::from(bits.signed_max()))
                }
                Signedness::Unsigned => {
                    (i128::from(bits.unsigned_min()), i128::from(bits.unsigned_max()))
                }
            };
            largest = largest.saturating_add(c.saturating_mul(if c > 0 { hi } else { lo }));
        }
        largest <= 0
    }

    pub(crate) fn join(&self, other: &State) -> State {
        let domains = self.domains.iter().zip(&other.domains);
        let bounds = self.bounds.iter().zip(&other.bounds);
        let elements = self.elements.iter().zip(&other.elements);
        State {
            domains: domains.map(|((term, a), (_, b))| (*term, a.join(b))).collect(),
            bounds: bounds
                .map(|((slope, a), (_, b))| (slope.clone(), a.zip(*b).map(|(a, b)| a.max(b))))
                .collect(),
            elements: elements.map(|((term, a), (_, b))| (*term, a.join(b))).collect(),
        }
    }

    /// Both hold: the sharper of each part.
    pub(crate) fn meet(&self, other: &State) -> State {
        let domains = self.domains.iter().zip(&other.domains);
        let bounds = self.bounds.iter().zip(&other.bounds);
        let elements = self.elements.iter().zip(&other.elements);
        State {
            domains: domains.map(|((term, a), (_, b))| (*term, sharper(a, b))).collect(),
            bounds: bounds
                .map(|((slope, a), (_, b))| {
                    let bound = match (a, b) {
                        (Some(a), Some(b)) => Some(*a.min(b)),
                        (Some(one), None) | (None, Some(one)) => Some(*one),
                        (None, None) => None,
                    };
                    (slope.clone(), bound)
                })
                .collect(),
            elements: elements
                .map(|((term, a), (_, b))| (*term, a.meet(b).unwrap_or(*b)))
                .collect(),
        }
    }
}

/// The values in both; when there are none, the second, which is as right as the first.
fn sharper(a: &Domain, b: &Domain) -> Domain {
    match (a, b) {
        (Domain::Bits(a), Domain::Bits(b)) => Domain::Bits(a.meet(b).unwrap_or(*b)),
        (Domain::Float(a), Domain::Float(b)) => Domain::Float(a.meet(b).unwrap_or(*b)),
        (Domain::Wide(a), Domain::Wide(b)) => Domain::Wide(a.meet(b).unwrap_or(*b)),
        _ => *b,
    }
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
            _ => {
                add(full);
                break;
            }
        }
    }
    found.unwrap_or(full)
}
