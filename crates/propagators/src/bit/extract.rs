//! `z = x[hi:lo]`, the bits from `hi` down to `lo`.
//!
//! Strength: complete on known bits. From x to z the arc shifted right and folded, exact on arcs that
//! do not wrap; from z to x with `lo = 0`, both bounds of x move to the nearest value whose low part
//! lies in z; with a high part, bounds when the bits above are known. Not pruned: inner bounds
//! through the bits below `lo`.

use glassbox_kernel::domain::{Clockwise, KnownBits};
use glassbox_kernel::{BitsDomain, Conflict, Premises, Status, Store, VarIdx};

use crate::relation::Relation;

/// Arguments `[z, x]`; the width of z says how many bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extract {
    pub lo: u8,
}

impl Relation for Extract {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let Extract { lo } = *self;
        let [z, x] = [args[0], args[1]];
        let dx = store.bits(x);
        let width = store.bits(z).width();
        let known = KnownBits { ones: dx.known().ones >> lo, zeros: dx.known().zeros >> lo };
        let arc = folded(dx, lo, width);
        store.narrow_known(z, known.ones, known.zeros, Premises::at(1))?;
        store.narrow_interval(z, arc, Premises::at(1))?;

        let dz = store.bits(z);
        let known = KnownBits { ones: dz.known().ones << lo, zeros: dz.known().zeros << lo };
        let target = dz.interval();
        store.narrow_known(x, known.ones, known.zeros, Premises::at(0))?;
        if lo == 0 {
            match fit_low(store.bits(x).interval(), target) {
                None => return Err(store.fail(Premises::ALL)),
                Some(arc) => store.narrow_interval(x, arc, Premises::at(0))?,
            };
        } else if width + lo == store.bits(x).width() && !target.wraps() {
            // The top of x: x lies between the least and the greatest with such a top.
            let fill = (1u64 << lo) - 1;
            let arc = Clockwise::new(target.lo() << lo, (target.hi() << lo) | fill, width + lo);
            store.narrow_interval(x, arc, Premises::at(0))?;
        }
        Ok(if store.is_fixed(x) { Status::Entailed } else { Status::Stay })
    }
}

/// The image of the arc of x: shifted right by `lo`, modulo 2^width.
fn folded(domain: &BitsDomain, lo: u8, width: u8) -> Clockwise {
    let arc = domain.interval();
    if lo == 0 {
        return Clockwise::from_integers(
            i128::from(arc.lo()),
            i128::from(arc.lo()) + i128::from(arc.span()),
            width,
        );
    }
    if arc.wraps() {
        // Past zero the shifted values jump, unless the top of x is the top of z.
        if width + lo == domain.width() && arc.lo() >> lo != arc.hi() >> lo {
            return Clockwise::new(arc.lo() >> lo, arc.hi() >> lo, width);
        }
        return Clockwise::full(width);
    }
    Clockwise::from_integers(i128::from(arc.lo() >> lo), i128::from(arc.hi() >> lo), width)
}

/// The bounds of `arc` moved inward to values whose low part lies in `target`.
pub(crate) fn fit_low(arc: Clockwise, target: Clockwise) -> Option<Clockwise> {
    if target.is_full() {
        return Some(arc);
    }
    let low_mask = target.mask();
    let skipped = if target.contains(arc.lo() & low_mask) {
        0
    } else {
        target.lo().wrapping_sub(arc.lo()) & low_mask
    };
    let cut = if target.contains(arc.hi() & low_mask) {
        0
    } else {
        arc.hi().wrapping_sub(target.hi()) & low_mask
    };
    let span = arc.span().checked_sub(skipped)?.checked_sub(cut)?;
    let lo = arc.lo().wrapping_add(skipped);
    Some(Clockwise::new(lo, lo.wrapping_add(span), arc.width()))
}
