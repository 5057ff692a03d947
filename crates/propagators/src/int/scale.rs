//! `z = k * x` modulo 2^n for a constant k.
//!
//! Strength: z in the exact hull of the image of x; x and z shaved at both ends to values with a
//! support; low bits both ways (an odd factor is inverted, an even one gives trailing zeros);
//! congruence modulo k where nothing wraps. Bounds are optimal on plain arcs. Not pruned: holes.
//!
//! Source: docs/papers/loops.md, rules 7.3 and 7.4 (and E7: hull and meet alone stop short, shaving does not).

use glassbox_kernel::domain::Clockwise;
use glassbox_kernel::domain::KnownBits;
use glassbox_kernel::domain::congruence::inverse_of_odd;
use glassbox_kernel::domain::stride;
use glassbox_kernel::{BitsDomain, Conflict, Premises, Status, Store, VarIdx};

use super::class::Class;
use crate::relation::Relation;

/// A factor that is the constant `value` because of the premises `why`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Factor {
    pub(crate) value: u64,
    pub(crate) why: Premises,
}

/// `z = k * x`; arguments `[z, x]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale(pub u64);

impl Relation for Scale {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let factor = Factor { value: self.0, why: Premises::NONE };
        narrow(factor, args, 1, store)
    }
}

/// Both ways for the first argument z and the x at the given position.
pub(crate) fn narrow(
    factor: Factor,
    args: &[VarIdx],
    x_position: usize,
    store: &mut Store,
) -> Result<Status, Conflict> {
    let (z, x) = (args[0], args[x_position]);
    let k = factor.value;
    let why_z = factor.why.and(x_position);
    let why_x = factor.why.and(0);
    let dx = *store.bits(x);
    let mask = dx.mask();
    if k == 0 {
        store.set_bits(z, 0, factor.why)?;
        return Ok(Status::Entailed);
    }
    store.narrow_interval(z, stride::scale(dx.interval(), k), why_z)?;
    let known = dx.known().mul(KnownBits::exact(k, mask), mask);
    store.narrow_known(z, known.ones, known.zeros, why_z)?;

    let dz = *store.bits(z);
    // k = odd * 2^twos: x modulo 2^(n - twos) is (z / 2^twos) / odd.
    let twos = k.trailing_zeros();
    let inverse = inverse_of_odd(k >> twos);
    let quotient = KnownBits { ones: dz.known().ones >> twos, zeros: (dz.known().zeros >> twos) };
    let known = quotient.mul(KnownBits::exact(inverse, mask), mask >> twos);
    store.narrow_known(x, known.ones, known.zeros, why_x)?;
    match stride::shave(store.bits(x).interval(), k, dz.interval()) {
        None => return Err(store.fail(why_x.and(x_position))),
        Some(arc) => store.narrow_interval(x, arc, why_x)?,
    };
    shave_product(store, k, z, x, why_z)?;
    classes(store, k, z, x, why_z)?;
    let done = store.is_fixed(x);
    Ok(if done { Status::Entailed } else { Status::Stay })
}

/// Moves the bounds of z to products: seen modulo 2^(n - twos), the quotient z / 2^twos times the
/// inverse of the odd part must lie in the reduced arc of x.
fn shave_product(
    store: &mut Store,
    k: u64,
    z: VarIdx,
    x: VarIdx,
    why: Premises,
) -> Result<(), Conflict> {
    let (dz, dx) = (store.bits(z), store.bits(x));
    let width = dz.width();
    let twos = u8::try_from(k.trailing_zeros()).expect("at most 64");
    if dx.interval().is_full() || twos >= width {
        return Ok(());
    }
    let small = width - twos;
    let small_mask = dz.mask() >> twos;
    if dx.interval().span() >= small_mask {
        return Ok(());
    }
    let target = Clockwise::new(dx.interval().lo(), dx.interval().hi(), small);
    // The multiples of 2^twos in the arc of z, divided: known zeros have aligned the bounds.
    let unit = 1u64 << twos;
    let (lo, hi) = (dz.interval().lo(), dz.interval().hi());
    if lo & (unit - 1) != 0 || hi & (unit - 1) != 0 {
        return Ok(());
    }
    let arc = if dz.interval().is_full() {
        Clockwise::full(small)
    } else {
        Clockwise::new(lo >> twos, hi >> twos, small)
    };
    let inverse = inverse_of_odd(k >> twos);
    match stride::shave(arc, inverse, target) {
        None => Err(store.fail(Premises::ALL)),
        Some(arc) => {
            let lo = arc.lo() << twos;
            let hi = arc.hi() << twos;
            if arc.is_full() {
                return Ok(());
            }
            store.narrow_interval(z, Clockwise::new(lo, hi, width), why).map(|_| ())
        }
    }
}

fn classes(store: &mut Store, k: u64, z: VarIdx, x: VarIdx, why: Premises) -> Result<(), Conflict> {
    let dx: &BitsDomain = store.bits(x);
    let wraps = u128::from(dx.unsigned_max()) * u128::from(k) > u128::from(dx.mask());
    if wraps || dx.is_fixed() || k == 1 || k.is_power_of_two() {
        return Ok(());
    }
    let (residue, modulus) = match Class::of(dx) {
        None => (0, Some(k)),
        Some(class) => (class.residue.wrapping_mul(k), class.modulus.checked_mul(k)),
    };
    match modulus {
        Some(modulus) if modulus <= dx.mask() => {
            Class { residue: residue % modulus, modulus }.narrow(store, z, why)
        }
        Some(_) | None => Ok(()),
    }
}
