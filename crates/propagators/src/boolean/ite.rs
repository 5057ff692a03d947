//! `z = if c then x else y`, values of any sort.
//!
//! Strength: with the condition known, equality of domains; otherwise the four guards of the
//! combinator on domains: a branch whose domain misses the result's refutes its side, and the result
//! lies in the join of both branches. Complete on points. Not pruned: what a branch implies beyond
//! its domain (probing does that).
//!
//! Source: Gotlieb, Botella, Rueher, CL 2000, section on `ite` (docs/papers/branches.md, rules 1.4 and 1.8).

use glassbox_kernel::{Conflict, Domain, Premises, Priority, Status, Store, Truth, VarIdx};

use crate::relation::Relation;

/// Arguments `[result, condition, then, else]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ite;

impl Relation for Ite {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let [result, condition, then, otherwise] = [args[0], args[1], args[2], args[3]];
        match store.truth(condition) {
            Truth::True => equate(store, result, then, 2),
            Truth::False => equate(store, result, otherwise, 3),
            Truth::Unknown => {
                if misses(store, result, then) {
                    store.set_truth(condition, false, Premises::at(0).and(2))?;
                    return equate(store, result, otherwise, 3);
                }
                if misses(store, result, otherwise) {
                    store.set_truth(condition, true, Premises::at(0).and(3))?;
                    return equate(store, result, then, 2);
                }
                if store.domain(result).is_fixed() {
                    return Ok(Status::Stay);
                }
                if !(store.domain(then).is_full() || store.domain(otherwise).is_full()) {
                    let join = store.domain(then).join(store.domain(otherwise));
                    store.narrow(result, &join, Premises::at(2).and(3))?;
                }
                Ok(Status::Stay)
            }
        }
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// Both domains become their meet; the condition at position 1 is known.
fn equate(
    store: &mut Store,
    result: VarIdx,
    branch: VarIdx,
    position: usize,
) -> Result<Status, Conflict> {
    if result == branch {
        return Ok(Status::Entailed);
    }
    let domain = *store.domain(branch);
    store.narrow(result, &domain, Premises::at(1).and(position))?;
    let domain = *store.domain(result);
    store.narrow(branch, &domain, Premises::at(1).and(0))?;
    Ok(if domain.is_fixed() { Status::Entailed } else { Status::Stay })
}

/// The domains have no value in common.
pub(crate) fn misses(store: &Store, a: VarIdx, b: VarIdx) -> bool {
    match (store.domain(a), store.domain(b)) {
        (Domain::Bool(a), Domain::Bool(b)) => match (a.value(), b.value()) {
            (Some(a), Some(b)) => a != b,
            (None, _) | (_, None) => false,
        },
        (Domain::Bits(a), Domain::Bits(b)) => a.misses(b),
        (Domain::Wide(a), Domain::Wide(b)) => a.meet(b).is_none(),
        (Domain::Float(a), Domain::Float(b)) => a.meet(b).is_none(),
        (
            Domain::Bool(_) | Domain::Bits(_) | Domain::Wide(_) | Domain::Float(_) | Domain::Opaque,
            _,
        ) => false,
    }
}
