//! `z = x` widened, with zeros or with copies of the sign.
//!
//! Strength: exact on arcs and known bits both ways; an arc of x that wraps in the order of the
//! extension becomes two pieces of z, kept as a hole. Not pruned: holes of x beyond that.

use glassbox_kernel::domain::{Clockwise, KnownBits};
use glassbox_kernel::{BitsDomain, Conflict, Premises, Status, Store, VarIdx};
use glassbox_values::Signedness;

use super::extract::fit_low;
use crate::relation::{Difference, Relation};

/// Arguments `[z, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extend(pub Signedness);

impl Relation for Extend {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let Extend(signedness) = *self;
        let [z, x] = [args[0], args[1]];
        let dx = *store.bits(x);
        let wide = store.bits(z).width();
        let known = widened(&dx, signedness, wide);
        let arcs = images(&dx, signedness, wide);
        // Each arc that cuts a run of missing values is applied on its own: the meet keeps holes.
        store.narrow_known(z, known.ones, known.zeros, Premises::at(1))?;
        for arc in arcs.into_iter().flatten() {
            store.narrow_interval(z, arc, Premises::at(1))?;
        }
        let dz = *store.bits(z);
        let narrow = dx.mask();
        store.narrow_known(
            x,
            dz.known().ones & narrow,
            dz.known().zeros & narrow,
            Premises::at(0),
        )?;
        let folded = Clockwise::from_integers(
            i128::from(dz.interval().lo()),
            i128::from(dz.interval().lo()) + i128::from(dz.interval().span()),
            dx.width(),
        );
        store.narrow_interval(x, folded, Premises::at(0))?;
        match fit_low(dz.interval(), store.bits(x).interval()) {
            None => return Err(store.fail(Premises::ALL)),
            Some(arc) => store.narrow_interval(z, arc, Premises::at(1))?,
        };
        Ok(if store.is_fixed(x) { Status::Entailed } else { Status::Stay })
    }

    fn difference(&self) -> Difference {
        Difference::Extend(self.0)
    }
}

fn widened(domain: &BitsDomain, signedness: Signedness, wide: u8) -> KnownBits {
    let known = domain.known();
    let wide_mask = glassbox_kernel::domain::clockwise::mask_of(wide);
    let added = wide_mask & !domain.mask();
    let sign = (domain.mask() >> 1) + 1;
    match signedness {
        Signedness::Unsigned => KnownBits { ones: known.ones, zeros: known.zeros | added },
        Signedness::Signed => {
            let copies = |bits: u64| if bits & sign != 0 { bits | added } else { bits };
            KnownBits { ones: copies(known.ones), zeros: copies(known.zeros) }
        }
    }
}

/// Arcs of the wide circle whose intersection is the image of the arc of x.
fn images(domain: &BitsDomain, signedness: Signedness, wide: u8) -> [Option<Clockwise>; 2] {
    let arc = domain.interval();
    match signedness {
        Signedness::Unsigned => {
            let all = Clockwise::new(0, domain.mask(), wide);
            if arc.wraps() {
                // 0..=hi and lo..=mask: everything up to the mask but the run between.
                let missing = Clockwise::new(arc.hi() + 1, arc.lo() - 1, wide);
                [Some(all), missing.complement()]
            } else {
                [Some(Clockwise::new(arc.lo(), arc.hi(), wide)), None]
            }
        }
        Signedness::Signed => {
            let least = arc.as_signed((domain.mask() >> 1) + 1);
            let greatest = arc.as_signed(domain.mask() >> 1);
            let all = Clockwise::signed(least, greatest, wide);
            if arc.is_full() {
                [Some(all), None]
            } else if arc.wraps_signed() {
                let missing = Clockwise::signed(
                    arc.as_signed(arc.hi()) + 1,
                    arc.as_signed(arc.lo()) - 1,
                    wide,
                );
                [Some(all), missing.complement()]
            } else {
                let (lo, hi) = (arc.as_signed(arc.lo()), arc.as_signed(arc.hi()));
                [Some(Clockwise::signed(lo, hi, wide)), None]
            }
        }
    }
}
