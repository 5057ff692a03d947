//! `z = a[i]` where a is a chain of stores over a base: the element relation.
//!
//! Relation: arguments `[z, i, i1, v1, ..., ik, vk]` or with a last `d`: z is the value of the first
//! pair whose index equals i, and d when there is one and no index does. Without d (a base that is a
//! free array) nothing is said when no index matches. Strength: constructive disjunction over the
//! pairs that may match, on domains. Not pruned: equal values across pairs; indices beyond equality.

use glassbox_kernel::{Conflict, Domain, Premises, Priority, Status, Store, VarIdx};

use crate::boolean::ite::misses;
use crate::relation::Relation;

/// Whether the last argument is the value of all other indices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    Default,
    Free,
}

/// Arguments `[value, index, (stored index, stored value)...]`, and the default where there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Element(pub Base);

impl Relation for Element {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let Element(base) = *self;
        let (z, index) = (args[0], args[1]);
        let pairs = match base {
            Base::Default => &args[2..args.len() - 1],
            Base::Free => &args[2..],
        };
        let mut joined: Option<Domain> = None;
        let mut only = None;
        let mut n_possible = 0;
        let mut certain = false;
        for pair in pairs.chunks_exact(2) {
            let [at, value] = [pair[0], pair[1]];
            let same = at == index;
            if !same && misses(store, at, index) {
                continue;
            }
            certain = same || surely_equal(store, at, index);
            if !misses(store, value, z) {
                let domain = *store.domain(value);
                joined = Some(joined.map_or(domain, |all| all.join(&domain)));
                only = Some((value, Some(at)));
                n_possible += 1;
            }
            if certain {
                break;
            }
        }
        if !certain {
            match base {
                Base::Free => return Ok(Status::Stay),
                Base::Default => {
                    let value = args[args.len() - 1];
                    if !misses(store, value, z) {
                        let domain = *store.domain(value);
                        joined = Some(joined.map_or(domain, |all| all.join(&domain)));
                        only = Some((value, None));
                        n_possible += 1;
                    }
                }
            }
        }
        let (Some(joined), Some((value, at))) = (joined, only) else {
            return Err(store.fail(Premises::ALL));
        };
        store.narrow(z, &joined, Premises::ALL)?;
        if n_possible == 1 {
            let domain = *store.domain(z);
            store.narrow(value, &domain, Premises::ALL)?;
            if let Some(at) = at.filter(|&at| at != index) {
                let domain = *store.domain(at);
                store.narrow(index, &domain, Premises::ALL)?;
                let domain = *store.domain(index);
                store.narrow(at, &domain, Premises::ALL)?;
            }
        }
        Ok(Status::Stay)
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

fn surely_equal(store: &Store, a: VarIdx, b: VarIdx) -> bool {
    store.is_fixed(a) && store.is_fixed(b) && !misses(store, a, b)
}
