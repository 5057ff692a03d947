//! Which variable to choose a value for: the one with the fewest values left, among those the one
//! that took part in most conflicts, among those the first.

use crate::domain::{Domain, Truth};
use crate::store::{Store, VarIdx};

/// About the binary logarithm of the number of values; 0 when fixed.
pub fn size_class(domain: &Domain) -> u32 {
    match domain {
        Domain::Bool(Truth::Unknown) => 1,
        Domain::Bool(_) | Domain::Opaque => 0,
        Domain::Bits(bits) => {
            if bits.is_fixed() {
                0
            } else {
                64 - bits.size_bound().leading_zeros().min(63)
            }
        }
        Domain::Wide(wide) => match wide.value() {
            Some(_) => 0,
            None => 128 - (wide.hi() - wide.lo()).leading_zeros().min(127),
        },
        Domain::Float(float) => {
            if float.value().is_some() {
                0
            } else {
                float.magnitude().max(1)
            }
        }
    }
}

/// The variable to choose next, `None` when all are fixed. `weight` counts conflicts by position.
pub fn pick(store: &Store, vars: &[VarIdx], weight: &[u32]) -> Option<usize> {
    let mut best: Option<(u32, u32, usize)> = None;
    for (position, &var) in vars.iter().enumerate() {
        let class = size_class(store.domain(var));
        if class == 0 {
            continue;
        }
        let key = (class, u32::MAX - weight[position], position);
        if best.is_none_or(|best| key < best) {
            best = Some(key);
        }
    }
    best.map(|(_, _, position)| position)
}
