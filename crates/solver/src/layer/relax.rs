//! Layer 5: the linear relaxation of one system within the domains.
//!
//! A refutation rests on conjuncts and on domains, which rest on conjuncts. Bounds that it tightens go
//! back to the domains, which are propagated again; the point it proposes is evaluated like any model.

use glassbox_kernel::domain::{BitsDomain, Clockwise, Domain};
use glassbox_relax::bounds::NoBounds;
use glassbox_relax::fact::Explanation;
use glassbox_relax::relaxation::{Limits, Outcome, Relaxation, Tightening};
use glassbox_relax::simplex::Side;
use glassbox_terms::{Model, Sort, Terms, Value};
use glassbox_values::Signedness;

use crate::layer::propagate::Domains;
use crate::layer::{System, Verdict};

/// What came of a relaxation.
#[derive(Debug)]
pub(crate) struct Relaxed {
    pub(crate) verdict: Verdict,
    /// Whether domains became smaller, so that propagating again may pay.
    pub(crate) has_narrowed: bool,
    pub(crate) n_pivots: u64,
    /// Whether steps or boxes were used up, so that more of them might decide.
    pub(crate) is_cut: bool,
}

/// Relaxes a system. The domains, where given, must have seen the whole stack: what is added to them
/// is undone with its last level.
pub(crate) fn solve(
    terms: &Terms,
    system: &System,
    domains: Option<&mut Domains>,
    steps: u64,
    boxes: u32,
) -> Relaxed {
    let mut relaxation = Relaxation::new();
    for &term in &system.terms {
        relaxation.assert(term);
    }
    let limits = Limits { steps, polynomial_boxes: boxes, ..Limits::default() };
    let outcome = match &domains {
        Some(domains) => relaxation.check(terms, &**domains, &limits),
        None => relaxation.check(terms, &NoBounds, &limits),
    };
    let statistics = relaxation.statistics();
    let n_pivots = statistics.work;
    let is_cut = statistics.work >= steps || statistics.boxes >= boxes;
    match outcome {
        Outcome::Infeasible(because) => {
            let conjuncts = premises(system, domains, &because);
            Relaxed { verdict: Verdict::Refuted(conjuncts), has_narrowed: false, n_pivots, is_cut }
        }
        Outcome::Open { tightened, candidate } => {
            let mut has_narrowed = false;
            if let Some(domains) = domains {
                for bound in &tightened {
                    has_narrowed |= narrow(terms, system, domains, bound);
                }
            }
            let verdict = candidate.map_or(Verdict::Open, |candidate| {
                let values = candidate.values.into_iter().map(|(t, bits)| (t, Value::Bv(bits)));
                let truths = candidate.truths.into_iter().map(|(t, b)| (t, Value::Bool(b)));
                let model = values.chain(truths);
                Verdict::Candidate(
                    model
                        .filter_map(|(t, value)| Some((terms.as_var(t)?, value)))
                        .collect::<Model>(),
                )
            });
            Relaxed { verdict, has_narrowed, n_pivots, is_cut }
        }
    }
}

/// The conjuncts below an explanation.
fn premises(system: &System, domains: Option<&mut Domains>, because: &Explanation) -> Vec<u32> {
    let mut conjuncts: Vec<u32> =
        because.assertions.iter().map(|&position| system.conjuncts[position]).collect();
    if let Some(domains) = domains {
        for bound in &because.bounds {
            conjuncts.extend(domains.explain(bound.term));
        }
    }
    conjuncts.sort_unstable();
    conjuncts.dedup();
    conjuncts
}

fn narrow(terms: &Terms, system: &System, domains: &mut Domains, bound: &Tightening) -> bool {
    let Sort::Bv(width) = terms.sort(bound.term) else { return false };
    if width > 64 {
        return false;
    }
    let (least, greatest) = match bound.signedness {
        Signedness::Unsigned => (0, (1_i128 << width) - 1),
        Signedness::Signed => (-(1_i128 << (width - 1)), (1_i128 << (width - 1)) - 1),
    };
    let (lo, hi) = match bound.side {
        Side::Lower => (bound.value, greatest),
        Side::Upper => (least, bound.value),
    };
    if lo > hi || lo < least || hi > greatest {
        // Nothing is left: the caller's next propagation would say so, but a domain is never empty.
        return false;
    }
    let domain = Domain::Bits(BitsDomain::from_interval(Clockwise::from_integers(lo, hi, width)));
    let because = premises(system, Some(domains), &bound.because);
    domains.narrow(terms, bound.term, &domain, &because);
    true
}
