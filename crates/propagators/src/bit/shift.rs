//! `z = x << y`, `z = x >> y` with zeros, `z = x >> y` with copies of the sign.
//!
//! Relation: amounts at or beyond the width shift everything out, as SMT-LIB. Strength: constructive
//! disjunction over the amounts y allows: for each, exact images on arcs and known bits, both ways;
//! amounts without support leave the bounds of y. Not pruned: amounts inside the bounds of y, gaps.
//! At most width + 1 cases; stops early once no case can narrow x or z any more.

use glassbox_kernel::domain::{Clockwise, KnownBits, stride};
use glassbox_kernel::{BitsDomain, Conflict, Premises, Priority, Status, Store, VarIdx};

use crate::relation::Relation;

/// Which shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shift {
    Left,
    /// Zeros come in.
    RightLogical,
    /// Copies of the sign come in.
    RightArithmetic,
}

impl Relation for Shift {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let shift = *self;
        let [z, x, y] = [args[0], args[1], args[2]];
        let (dz, dx, dy) = (*store.bits(z), *store.bits(x), *store.bits(y));
        let width = u64::from(dx.width());
        if let Some(amount) = dy.value() {
            let Some((nz, nx)) = shifted(shift, &dz, &dx, amount) else {
                return Err(store.fail(Premises::ALL));
            };
            store.narrow_bits(z, &nz, Premises::at(1).and(2))?;
            store.narrow_bits(x, &nx, Premises::at(0).and(2))?;
            return Ok(if store.is_fixed(x) { Status::Entailed } else { Status::Stay });
        }
        let most = dy.unsigned_max();
        let last = most.min(width);
        let allowed = |amount: u64| {
            if amount == width { most >= width } else { dy.contains(amount) }
        };
        let mut joined: Option<(BitsDomain, BitsDomain)> = None;
        let mut first = None;
        let mut greatest = None;
        let mut amount = dy.unsigned_min().min(width);
        while amount <= last {
            if allowed(amount)
                && let Some((nz, nx)) = shifted(shift, &dz, &dx, amount)
            {
                first = first.or(Some(amount));
                greatest = Some(amount);
                let (jz, jx) = joined.map_or((nz, nx), |(jz, jx)| (jz.join(&nz), jx.join(&nx)));
                joined = Some((jz, jx));
                if jz == dz && jx == dx {
                    break;
                }
            }
            amount += 1;
        }
        let (Some((jz, jx)), Some(first)) = (joined, first) else {
            return Err(store.fail(Premises::ALL));
        };
        // What is left to find is the greatest amount with a support.
        let mut top = last;
        while top > amount {
            if allowed(top) && shifted(shift, &dz, &dx, top).is_some() {
                greatest = Some(top);
                break;
            }
            top -= 1;
        }
        let greatest = greatest.expect("at least the first");
        store.narrow_bits(z, &jz, Premises::ALL)?;
        store.narrow_bits(x, &jx, Premises::ALL)?;
        let greatest = if greatest == width { most } else { greatest };
        store.narrow_interval(y, Clockwise::new(first, greatest, dx.width()), Premises::ALL)?;
        Ok(Status::Stay)
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// What one amount leaves of z and x; `None` when nothing. Amounts at or beyond the width are one
/// case.
fn shifted(
    shift: Shift,
    z: &BitsDomain,
    x: &BitsDomain,
    amount: u64,
) -> Option<(BitsDomain, BitsDomain)> {
    let width = x.width();
    let amount = match u8::try_from(amount) {
        Ok(amount) if amount < width => amount,
        Ok(_) | Err(_) if shift == Shift::RightArithmetic => width - 1,
        Ok(_) | Err(_) => {
            return z.contains(0).then(|| (BitsDomain::point(0, width), *x));
        }
    };
    match shift {
        Shift::Left => left(z, x, amount),
        Shift::RightLogical => right(z, x, amount),
        Shift::RightArithmetic => right_arithmetic(z, x, amount),
    }
}

fn left(z: &BitsDomain, x: &BitsDomain, amount: u8) -> Option<(BitsDomain, BitsDomain)> {
    let mask = x.mask();
    let come_in = (1u64 << amount) - 1;
    let known = KnownBits {
        ones: x.known().ones << amount & mask,
        zeros: (x.known().zeros << amount | come_in) & mask,
    };
    let factor = 1u64 << amount;
    let nz = z
        .meet_known(known.ones, known.zeros)?
        .meet_interval(stride::scale(x.interval(), factor))?;
    let nx = x.meet_known(nz.known().ones >> amount, nz.known().zeros >> amount)?;
    let arc = stride::shave(nx.interval(), factor, nz.interval())?;
    Some((nz, nx.meet_interval(arc)?))
}

fn right(z: &BitsDomain, x: &BitsDomain, amount: u8) -> Option<(BitsDomain, BitsDomain)> {
    let (mask, width) = (x.mask(), x.width());
    let come_in = mask & !(mask >> amount);
    let arc = Clockwise::new(x.unsigned_min() >> amount, x.unsigned_max() >> amount, width);
    let nz = z
        .meet_known(x.known().ones >> amount, x.known().zeros >> amount | come_in)?
        .meet_interval(arc)?;
    let fill = (1u64 << amount) - 1;
    let lo = nz.unsigned_min() << amount;
    let hi = nz.unsigned_max() << amount | fill;
    let nx = x
        .meet_known(nz.known().ones << amount, (nz.known().zeros & !come_in) << amount)?
        .meet_interval(Clockwise::new(lo, hi, width))?;
    Some((nz, nx))
}

fn right_arithmetic(
    z: &BitsDomain,
    x: &BitsDomain,
    amount: u8,
) -> Option<(BitsDomain, BitsDomain)> {
    let (mask, width) = (x.mask(), x.width());
    let come_in = mask & !(mask >> amount);
    let sign = (mask >> 1) + 1;
    let copies = |bits: u64| bits >> amount | if bits & sign != 0 { come_in } else { 0 };
    let arc = Clockwise::signed(x.signed_min() >> amount, x.signed_max() >> amount, width);
    let nz = z.meet_known(copies(x.known().ones), copies(x.known().zeros))?.meet_interval(arc)?;
    // At 63 the power is the least number, and wrapping gives the 63 ones that are meant.
    let fill = (1i64 << amount).wrapping_sub(1);
    let lo = nz.signed_min() << amount;
    let hi = nz.signed_max() << amount | fill;
    // The copies of the sign say what the sign is.
    let back =
        |bits: u64| (bits << amount) & mask | if bits & (come_in | sign) != 0 { sign } else { 0 };
    let nx = x
        .meet_known(back(nz.known().ones), back(nz.known().zeros))?
        .meet_interval(Clockwise::signed(lo, hi, width))?;
    Some((nz, nx))
}
