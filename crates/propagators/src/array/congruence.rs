//! Two reads of one array: `i == j` implies `v == w`. Arguments `[v, i, w, j]`.
//!
//! Strength: equal fixed indices make the values equal; values that miss each other make one fixed
//! index a hole of the other. Not pruned: anything while both indices are open.

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::{Conflict, Domain, Premises, Priority, Status, Store, VarIdx};

use crate::boolean::ite::misses;
use crate::relation::Relation;

/// Two reads of one array: arguments `[value, index, value, index]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SameArray;

impl Relation for SameArray {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let [v, i, w, j] = [args[0], args[1], args[2], args[3]];
        if i != j && misses(store, i, j) {
            return Ok(Status::Entailed);
        }
        if i == j || (store.is_fixed(i) && store.is_fixed(j)) {
            let domain = *store.domain(w);
            store.narrow(v, &domain, Premises::ALL)?;
            let domain = *store.domain(v);
            store.narrow(w, &domain, Premises::ALL)?;
            return Ok(Status::Stay);
        }
        if misses(store, v, w) {
            for (open, fixed) in [(i, j), (j, i)] {
                if let (Domain::Bits(domain), Domain::Bits(point)) =
                    (store.domain(open), store.domain(fixed))
                    && let Some(value) = point.value()
                    && let Some(rest) = Clockwise::point(value, domain.width()).complement()
                {
                    store.narrow_interval(open, rest, Premises::ALL)?;
                }
            }
        }
        Ok(Status::Stay)
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}
