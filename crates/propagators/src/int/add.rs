//! `z = x + y` modulo 2^n. `z = x - y` is posted as `x = z + y`.
//!
//! Strength: each of the three is met with the exact clockwise sum or difference of the other two
//! (optimal per direction on arcs) and with the known bits of a ripple of carries; congruences where
//! nothing wraps. Not pruned: holes of the operands; `x + x` beyond that (`scale` does it).
//!
//! Source: docs/papers/loops.md, rule 7.1, the repaired fullness test of Gotlieb, Leconte, Marre.

use glassbox_kernel::domain::KnownBits;
use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};

use super::class::Class;
use crate::relation::{Difference, Relation};

/// Arguments `[z, x, y]`; a difference is posted with its parts exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Add;

impl Relation for Add {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let [z, x, y] = [args[0], args[1], args[2]];
        let (dx, dy) = (store.bits(x), store.bits(y));
        let mask = dx.mask();
        let sum = dx.interval().add(dy.interval());
        let known = dx.known().add(dy.known(), false, mask);
        narrow(store, z, sum, known, Premises::at(1).and(2))?;

        let (dz, dy) = (store.bits(z), store.bits(y));
        let rest = dz.interval().sub(dy.interval());
        let known = dz.known().sub(dy.known(), mask);
        narrow(store, x, rest, known, Premises::at(0).and(2))?;

        let (dz, dx) = (store.bits(z), store.bits(x));
        let rest = dz.interval().sub(dx.interval());
        let known = dz.known().sub(dx.known(), mask);
        narrow(store, y, rest, known, Premises::at(0).and(1))?;

        classes(args, store)?;
        let n_fixed = args.iter().filter(|&&arg| store.bits(arg).is_fixed()).count();
        // Two fixed ones fix the third; all three fixed were checked above.
        Ok(if n_fixed == 3 { Status::Entailed } else { Status::Stay })
    }

    fn difference(&self) -> Difference {
        Difference::Sum
    }
}

#[inline]
fn narrow(
    store: &mut Store,
    var: VarIdx,
    interval: glassbox_kernel::domain::Clockwise,
    known: KnownBits,
    why: Premises,
) -> Result<(), Conflict> {
    if !interval.is_full() {
        store.narrow_interval(var, interval, why)?;
    }
    if known != KnownBits::NONE {
        store.narrow_known(var, known.ones, known.zeros, why)?;
    }
    Ok(())
}

/// Residue classes, when the unsigned sum cannot wrap.
fn classes(args: &[VarIdx], store: &mut Store) -> Result<(), Conflict> {
    let [z, x, y] = [args[0], args[1], args[2]];
    let interesting = |var: VarIdx, store: &Store| !store.bits(var).congruence().is_any();
    if !(interesting(x, store) || interesting(y, store) || interesting(z, store)) {
        return Ok(());
    }
    let largest =
        u128::from(store.bits(x).unsigned_max()) + u128::from(store.bits(y).unsigned_max());
    if largest > u128::from(store.bits(x).mask()) {
        return Ok(());
    }
    let class = |var: VarIdx, store: &Store| Class::of(store.bits(var));
    if let Some(sum) = class(x, store).zip(class(y, store)).and_then(|(a, b)| a.add(b)) {
        sum.narrow(store, z, Premises::ALL)?;
    }
    for (target, other) in [(x, y), (y, x)] {
        let rest = class(z, store).zip(class(other, store)).and_then(|(a, b)| a.sub(b));
        if let Some(rest) = rest {
            rest.narrow(store, target, Premises::ALL)?;
        }
    }
    Ok(())
}
