//! Interval Newton steps: what an atom says of one variable when the others stay in their sides.
//!
//! **Relation**: `p(x) = p(m) + D (x - m)` for some `D` in the derivative's enclosure over the box, with
//! `m` a point of the side and the other variables anywhere in theirs. So `D (x - m)` is in
//! `target - p(m)`, and where `D` has one sign `x` is in `m + (target - p(m)) / D`.
//! **Strength**: exact for atoms linear in the variable with a constant factor; nothing where the
//! derivative may vanish. **Source**: Hansen and Walster; one-variable form as docs/papers/relaxation.md, rule 1.1.7, remarks.

use super::interval::Interval;
use super::{Atom, Sign};

/// The side of variable `var` after one step; `None` when no point of the box satisfies the atom.
pub fn newton(
    atom: &Atom,
    derivative: &super::Polynomial,
    space: &[Interval],
    var: usize,
) -> Option<Interval> {
    let side = space[var];
    let slope = derivative.eval(space);
    if slope.lo() <= 0.0 && slope.hi() >= 0.0 {
        return Some(side);
    }
    let middle = Interval::point(side.middle());
    let mut at_middle = space.to_vec();
    at_middle[var] = middle;
    let value = atom.polynomial.eval(&at_middle);
    let target = match atom.sign {
        Sign::Zero => Interval::ZERO,
        Sign::AtMostZero | Sign::BelowZero => {
            Interval::new(f64::NEG_INFINITY, 0.0).expect("sorted")
        }
    };
    let Some(step) = target.minus(value).divide(slope) else { return Some(side) };
    side.intersect(middle.plus(step))
}

/// Whether a value enclosure rules the atom out.
pub fn is_impossible(sign: Sign, values: Interval) -> bool {
    match sign {
        Sign::Zero => values.lo() > 0.0 || values.hi() < 0.0,
        Sign::AtMostZero => values.lo() > 0.0,
        Sign::BelowZero => values.lo() >= 0.0,
    }
}
