//! Wrap-around sums: `z == e (mod 2^n)` with `z` in a known range is `z = e - 2^n * k`.
//!
//! **Relation**: `value = exact - modulus * k` for an integer quotient `k` (COLIBRI's overflow
//! quotient, docs/papers/loops.md, rule 1B.9, with the sign corrected there: `exact = value + modulus * k`).
//! **Strength**: the range of `k` is exact for the given ranges of `exact` and `value`; where it is
//! one number the sum is linear. **Not cut off**: a `k` that is possible for the ranges but not for the
//! way the operands depend on each other; rounding and branching on the `k` column find those.

use crate::range::Range;

/// The quotients `k` for which `exact - modulus * k` can be in `value`; empty when none.
pub fn quotient_range(exact: Range, value: Range, modulus: i128) -> Range {
    // k >= (exact.lo - value.hi) / modulus and k <= (exact.hi - value.lo) / modulus.
    let lo = -((value.hi - exact.lo).div_euclid(modulus));
    let hi = (exact.hi - value.lo).div_euclid(modulus);
    Range::new(lo, hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_at_3_bits_are_exact() {
        for (lo, hi) in [(-4, 3), (0, 7)] {
            let value = Range::new(lo, hi);
            for a in -30..=30_i128 {
                for b in a..=30_i128 {
                    let range = quotient_range(Range::new(a, b), value, 8);
                    let naive: Vec<i128> = (-9..=9)
                        .filter(|k| (a..=b).any(|exact| value.contains(exact - 8 * k)))
                        .collect();
                    assert_eq!((naive[0], naive[naive.len() - 1]), (range.lo, range.hi));
                }
            }
        }
    }

    /// The tight ranges of docs/papers/loops.md, rule 1B.9.
    #[test]
    fn quotients_of_the_operations() {
        let (unsigned, signed) = (Range::new(0, 7), Range::new(-4, 3));
        assert_eq!(quotient_range(Range::new(0, 14), unsigned, 8), Range::new(0, 1));
        assert_eq!(quotient_range(Range::new(-7, 7), unsigned, 8), Range::new(-1, 0));
        assert_eq!(quotient_range(Range::new(0, 49), unsigned, 8), Range::new(0, 6));
        assert_eq!(quotient_range(Range::new(-8, 6), signed, 8), Range::new(-1, 1));
        assert_eq!(quotient_range(Range::new(-7, 7), signed, 8), Range::new(-1, 1));
        assert_eq!(quotient_range(Range::new(-12, 16), signed, 8), Range::new(-1, 2));
    }
}
