//! Facts about a point of a graph: domains of variables, bounds of linear sums, elements of arrays.

pub mod text;

use glassbox_kernel::{BitsDomain, Domain};
use glassbox_relax::optimum::TermSum;
use glassbox_terms::TermId;
use glassbox_values::Signedness;

/// See the module's comment. At a join the lists go with its parameters and templates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts {
    pub domains: Vec<(TermId, Domain)>,
    /// For each template the largest value, where known.
    pub bounds: Vec<(TermSum, Option<i128>)>,
    /// For each array parameter, what all its elements are.
    pub elements: Vec<(TermId, BitsDomain)>,
}

impl Facts {
    /// The bounds as facts.
    pub fn sums(&self) -> impl Iterator<Item = TermSum> + '_ {
        self.bounds.iter().filter_map(|(slope, bound)| {
            let bound = (*bound)?;
            let mut sum = slope.clone();
            sum.constant -= bound;
            Some(sum)
        })
    }

    /// The ranges alone say that the sum is at most zero.
    pub fn implies(&self, sum: &TermSum) -> bool {
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

    pub fn join(&self, other: &Facts) -> Facts {
        let domains = self.domains.iter().zip(&other.domains);
        let bounds = self.bounds.iter().zip(&other.bounds);
        let elements = self.elements.iter().zip(&other.elements);
        Facts {
            domains: domains.map(|((term, a), (_, b))| (*term, a.join(b))).collect(),
            bounds: bounds
                .map(|((slope, a), (_, b))| (slope.clone(), a.zip(*b).map(|(a, b)| a.max(b))))
                .collect(),
            elements: elements.map(|((term, a), (_, b))| (*term, a.join(b))).collect(),
        }
    }

    /// Both hold: the sharper of each part.
    pub fn meet(&self, other: &Facts) -> Facts {
        let domains = self.domains.iter().zip(&other.domains);
        let bounds = self.bounds.iter().zip(&other.bounds);
        let elements = self.elements.iter().zip(&other.elements);
        Facts {
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
