//! `z = c0 + c1 * x1 + ... + cn * xn` modulo 2^n, constant coefficients, distinct variables.
//!
//! Strength: as the tree of sums and scalings, without its inner variables: z in the sum of the exact
//! images; each x shaved to values whose multiple lies in what z and the others leave; known bits of
//! the sum, and backwards for coefficients 1 and -1. Not pruned: what needs two terms at once (x + y
//! with x and y related); holes.

use glassbox_kernel::domain::{Clockwise, KnownBits, stride};
use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};

use crate::relation::Relation;

/// The most terms one sum may have.
pub(crate) const MAX_TERMS: usize = 8;

/// The constants of one sum; arguments `[z, x...]`, at most `MAX_TERMS` different ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linear {
    pub constant: u64,
    pub factors: Vec<u64>,
}

impl Relation for Linear {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let coefficients = self;
        let result = args[0];
        let terms = &args[1..];
        let domain = store.bits(result);
        let (mask, width) = (domain.mask(), domain.width());
        let constant = Clockwise::point(coefficients.constant, width);
        let known_constant = KnownBits::exact(coefficients.constant, mask);

        // after[i] is the sum of the terms from i on.
        let mut after = [(Clockwise::point(0, width), KnownBits::exact(0, mask)); MAX_TERMS + 1];
        let mut image = [(constant, known_constant); MAX_TERMS];
        for (index, (&term, &factor)) in terms.iter().zip(&coefficients.factors).enumerate().rev() {
            let domain = store.bits(term);
            let arc = stride::scale(domain.interval(), factor);
            let known = domain.known().mul(KnownBits::exact(factor, mask), mask);
            image[index] = (arc, known);
            after[index] =
                (after[index + 1].0.add(arc), after[index + 1].1.add(known, false, mask));
        }
        let total = constant.add(after[0].0);
        let known = known_constant.add(after[0].1, false, mask);
        if !total.is_full() {
            store.narrow_interval(result, total, Premises::ALL)?;
        }
        if known != KnownBits::NONE {
            store.narrow_known(result, known.ones, known.zeros, Premises::ALL)?;
        }
        let mut before = (constant, known_constant);
        for (index, (&term, &factor)) in terms.iter().zip(&coefficients.factors).enumerate() {
            let others = before.0.add(after[index + 1].0);
            let known_others = before.1.add(after[index + 1].1, false, mask);
            let domain = store.bits(result);
            let target = domain.interval().sub(others);
            let known_target = domain.known().sub(known_others, mask);
            if !target.is_full() {
                match stride::shave(store.bits(term).interval(), factor, target) {
                    None => return Err(store.fail(Premises::ALL)),
                    Some(arc) => store.narrow_interval(term, arc, Premises::ALL)?,
                };
            }
            if factor == 1 {
                store.narrow_known(term, known_target.ones, known_target.zeros, Premises::ALL)?;
            } else if factor == mask {
                let known = KnownBits::exact(0, mask).sub(known_target, mask);
                store.narrow_known(term, known.ones, known.zeros, Premises::ALL)?;
            }
            before = (before.0.add(image[index].0), before.1.add(image[index].1, false, mask));
        }
        let done = args.iter().all(|&arg| store.bits(arg).is_fixed());
        Ok(if done { Status::Entailed } else { Status::Stay })
    }
}
