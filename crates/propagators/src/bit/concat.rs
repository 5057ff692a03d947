//! `z = x : y`, x above y.
//!
//! Strength: complete on known bits; bounds of z from both parts, of x from z, of y from z by folding
//! and where x is fixed. Not pruned: bounds of y through an x that is open.

use glassbox_kernel::domain::{Clockwise, KnownBits};
use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};

use super::extract::fit_low;
use crate::relation::Relation;

/// Arguments `[z, x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concat;

impl Relation for Concat {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let [z, x, y] = [args[0], args[1], args[2]];
        let (dx, dy) = (*store.bits(x), *store.bits(y));
        let low = dy.width();
        let width = store.bits(z).width();
        let both = Premises::at(1).and(2);
        let ones = dx.known().ones << low | dy.known().ones;
        let zeros = dx.known().zeros << low | dy.known().zeros;
        store.narrow_known(z, ones, zeros, both)?;
        let least = dx.interval().lo() << low | dy.unsigned_min();
        let greatest = dx.interval().hi() << low | dy.unsigned_max();
        if !dx.interval().is_full() {
            store.narrow_interval(z, Clockwise::new(least, greatest, width), both)?;
        }
        match fit_low(store.bits(z).interval(), dy.interval()) {
            None => return Err(store.fail(Premises::at(0).and(2))),
            Some(arc) => store.narrow_interval(z, arc, Premises::at(2))?,
        };

        let dz = *store.bits(z);
        let known = KnownBits { ones: dz.known().ones >> low, zeros: dz.known().zeros >> low };
        store.narrow_known(x, known.ones, known.zeros, Premises::at(0))?;
        let (lo, hi) = (dz.interval().lo() >> low, dz.interval().hi() >> low);
        if !dz.interval().wraps() || lo != hi {
            store.narrow_interval(x, Clockwise::new(lo, hi, dx.width()), Premises::at(0))?;
        }
        let mask = dy.mask();
        store.narrow_known(y, dz.known().ones & mask, dz.known().zeros & mask, Premises::at(0))?;
        let folded = Clockwise::from_integers(
            i128::from(dz.interval().lo()),
            i128::from(dz.interval().lo()) + i128::from(dz.interval().span()),
            low,
        );
        store.narrow_interval(y, folded, Premises::at(0))?;
        let done = args.iter().all(|&arg| store.is_fixed(arg));
        Ok(if done { Status::Entailed } else { Status::Stay })
    }
}
