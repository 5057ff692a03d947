//! `z = x mod y`: unsigned, signed with the sign of the dividend, signed with the sign of the divisor.
//!
//! Relation: by zero gives the dividend, as SMT-LIB. Strength: constructive disjunction over signs and
//! the zero divisor, in each case bounds of the remainder of magnitudes; exact where the quotient is
//! known; low bits shared up to the trailing zeros of the divisor; a fixed remainder by a fixed
//! divisor makes the dividend a residue class. Not pruned: open divisors beyond bounds.

use glassbox_kernel::domain::clockwise::Meet;
use glassbox_kernel::{BitsDomain, Conflict, Premises, Priority, Status, Store, VarIdx};

use super::natural::{self, Box3, meet};
use super::sign_case::{Cases, Part};
use crate::relation::Relation;

/// Which remainder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remainder {
    Unsigned,
    /// The sign of the dividend: C, Java, SMT-LIB `bvsrem`.
    SignOfDividend,
    /// The sign of the divisor: SMT-LIB `bvsmod`.
    SignOfDivisor,
}

impl Relation for Remainder {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let remainder = *self;
        low_bits(args, store)?;
        let mut cases = Cases::new(store, args);
        by_zero(&mut cases);
        match remainder {
            Remainder::Unsigned => cases.divide([Part::Whole; 3], natural::remainder),
            Remainder::SignOfDividend => {
                for (dividend, result) in
                    [(Part::NotNegative, Part::NotNegative), (Part::Negative, Part::DownToHalf)]
                {
                    for divisor in [Part::NotNegative, Part::Negative] {
                        cases.divide([result, dividend, divisor], natural::remainder);
                    }
                }
            }
            Remainder::SignOfDivisor => {
                for (divisor, result) in
                    [(Part::NotNegative, Part::NotNegative), (Part::Negative, Part::DownToHalf)]
                {
                    for dividend in [Part::NotNegative, Part::Negative] {
                        if dividend == divisor {
                            cases.divide([result, dividend, divisor], natural::remainder);
                        } else {
                            cases.divide([result, dividend, divisor], complement);
                        }
                    }
                }
            }
        }
        cases.narrow(store, args)?;
        residue_class(remainder, args, store)?;
        let done = args.iter().all(|&arg| store.is_fixed(arg));
        Ok(if done { Status::Entailed } else { Status::Stay })
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

/// The case of a zero divisor: result and dividend are the same.
fn by_zero(cases: &mut Cases) {
    if !cases.domain(2).contains(0) {
        return;
    }
    let zero = glassbox_kernel::domain::Clockwise::point(0, cases.domain(2).width());
    let (z, x) = (cases.domain(0).interval(), cases.domain(1).interval());
    match z.meet(x) {
        Meet::Empty => {}
        Meet::One(arc) => cases.add([arc, arc, zero]),
        Meet::Two(first, second) => {
            cases.add([first, first, zero]);
            cases.add([second, second, zero]);
        }
    }
}

/// Operands of different signs with the result following the divisor: 0 when the magnitudes divide,
/// else the magnitude of the divisor minus the remainder of the magnitudes.
fn complement(ranges: Box3) -> Option<Box3> {
    let Box3 { x, y, z } = ranges;
    let z = meet(z, (0, y.1 - 1))?;
    let y = meet(y, (z.0 + 1, y.1))?;
    let rest = if z.0 > 0 { ((y.0 - z.1).max(1), y.1 - z.0) } else { (0, y.1 - 1) };
    let Box3 { x, y, z: rest } = natural::remainder(Box3 { x, y, z: meet(rest, (0, y.1 - 1))? })?;
    let z = if rest.1 == 0 {
        meet(z, (0, 0))?
    } else if rest.0 > 0 {
        meet(z, (y.0 - rest.1, y.1 - rest.0))?
    } else {
        z
    };
    Some(Box3 { x, y, z })
}

/// x = q * y + z, so x and z agree on as many low bits as y surely has zeros.
fn low_bits(args: &[VarIdx], store: &mut Store) -> Result<(), Conflict> {
    let shared = store.bits(args[2]).known().zeros.trailing_ones();
    if shared == 0 {
        return Ok(());
    }
    let low = if shared >= 64 { u64::MAX } else { (1u64 << shared) - 1 };
    for (target, source, position) in [(args[0], args[1], 1), (args[1], args[0], 0)] {
        let known = store.bits(source).known();
        let why = Premises::at(2).and(position);
        store.narrow_known(target, known.ones & low, known.zeros & low, why)?;
    }
    Ok(())
}

/// A fixed remainder by a fixed divisor, where both can be read as naturals.
fn residue_class(remainder: Remainder, args: &[VarIdx], store: &mut Store) -> Result<(), Conflict> {
    let (dz, dx, dy) = (store.bits(args[0]), store.bits(args[1]), store.bits(args[2]));
    let (Some(residue), Some(divisor)) = (dz.value(), dy.value()) else {
        return Ok(());
    };
    let sign_bit = (dx.mask() >> 1) + 1;
    let natural = match remainder {
        Remainder::Unsigned => true,
        Remainder::SignOfDividend | Remainder::SignOfDivisor => {
            dx.known().zeros & sign_bit != 0 && divisor & sign_bit == 0
        }
    };
    if divisor == 0 || dx.is_fixed() || !natural {
        return Ok(());
    }
    match BitsDomain::from_congruence(residue, divisor, dx.width()) {
        None => Err(store.fail(Premises::ALL)),
        Some(class) => store.narrow_bits(args[1], &class, Premises::ALL).map(|_| ()),
    }
}
