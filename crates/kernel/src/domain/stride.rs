//! Arcs walked with a stride: the image of an arc under multiplication by a constant, and the first
//! step of such a walk that lands in a target.
//!
//! `scale` is the exact hull in O(log 2^n) by the three-gap theorem, `first_hit` a Euclid-like
//! recursion; `shave` moves the bounds of x inward to values with `k * x` in the target.
//!
//! Source: docs/papers/loops.md, rules 7.3 and 7.4, which repair Prop. 3 of Gotlieb, Leconte, Marre (ModRef 2010): the
//! printed proposition loses values (3 * [0, 3] modulo 8) and is not the hull of wrapping operands.

use super::clockwise::{Clockwise, smaller};

/// The smallest arc that holds `{ k * x mod 2^n : x in arc }`.
pub fn scale(arc: Clockwise, k: u64) -> Clockwise {
    let mask = arc.mask();
    let k = k & mask;
    let start = arc.lo().wrapping_mul(k) & mask;
    let span = arc.span();
    if k == 0 || span == 0 {
        return Clockwise::arc(start, 0, mask);
    }
    if k == 1 {
        return arc;
    }
    // One turn at most, in steps of k or of -k: the ends of the walk are the bounds.
    let back = k.wrapping_neg() & mask;
    let full = u128::from(mask) + 1;
    let reach = u128::from(span) * u128::from(k);
    if reach + u128::from(k) <= full {
        return Clockwise::arc(start, low(reach), mask);
    }
    let reach = u128::from(span) * u128::from(back);
    if reach + u128::from(back) <= full {
        return Clockwise::arc(start.wrapping_sub(low(reach)), low(reach), mask);
    }
    let divisor_bits = k.trailing_zeros();
    if u128::from(span) + 1 >= full >> divisor_bits {
        // All multiples of the divisor.
        return Clockwise::arc(0, mask - ((1u64 << divisor_bits) - 1), mask);
    }
    three_gap_hull(start, k, u128::from(span) + 1, mask)
}

fn low(value: u128) -> u64 {
    (value & u128::from(u64::MAX)) as u64
}

/// The hull of `start + k * t` for `t` in `0..count`, where the points are distinct.
fn three_gap_hull(start: u64, k: u64, count: u128, mask: u64) -> Clockwise {
    // a, reached after p steps, is the least step forward; c, after q steps, the least backward.
    let (mut a, mut p) = (u128::from(k), 1u128);
    let (mut c, mut q) = (u128::from(mask) + 1 - u128::from(k), 1u128);
    while p + q < count {
        let turns;
        if a > c {
            turns = ((a - 1) / c).min((count - 1 - p) / q);
            a -= turns * c;
            p += turns * q;
        } else {
            turns = ((c - 1) / a).min((count - 1 - q) / p);
            c -= turns * a;
            q += turns * p;
        }
        if turns == 0 {
            break;
        }
    }
    // Gap after point t: a for t < count - p, c for t >= q, a + c between.
    // The largest gap: its first and last point, and the steps to the point after it.
    let (first, last, forward, backward) = if p + q > count {
        (count - p, q - 1, p, q)
    } else if a >= c {
        (0, count - p - 1, p, 0)
    } else {
        (q, count - 1, 0, q)
    };
    let point = |t: u128| start.wrapping_add(k.wrapping_mul(low(t))) & mask;
    let hull_at = |t: u128| {
        let lo = point(t + forward - backward);
        Clockwise::arc(lo, point(t).wrapping_sub(lo) & mask, mask)
    };
    smaller(hull_at(first), hull_at(last))
}

/// The least `t >= 0` with `lo <= step * t mod modulus <= hi`, where `lo <= hi < modulus`.
fn first_hit(step: u128, modulus: u128, lo: u128, hi: u128) -> Option<u128> {
    if lo == 0 {
        return Some(0);
    }
    let step = step % modulus;
    if step == 0 {
        return None;
    }
    let direct = lo.div_ceil(step);
    if step * direct <= hi {
        return Some(direct);
    }
    // Count the turns instead: y turns leave a residue of the modulus to cover modulo the step.
    let turns =
        first_hit(modulus % step, step, (step - hi % step) % step, (step - lo % step) % step)?;
    Some((lo + modulus * turns).div_ceil(step))
}

/// The least `t >= 0` with `start + step * t` in `target`, modulo 2^n.
fn steps_to(start: u64, step: u64, target: Clockwise) -> Option<u128> {
    if target.contains(start) {
        return Some(0);
    }
    let mask = target.mask();
    let modulus = u128::from(mask) + 1;
    // Seen from the start the target does not wrap, since the start is not in it.
    let lo = u128::from(target.lo().wrapping_sub(start) & mask);
    let hi = u128::from(target.hi().wrapping_sub(start) & mask);
    first_hit(u128::from(step & mask), modulus, lo, hi)
}

/// The arc between the first and the last x of `arc` with `k * x` in `target`; `None` when no x has.
pub fn shave(arc: Clockwise, k: u64, target: Clockwise) -> Option<Clockwise> {
    if target.is_full() {
        return Some(arc);
    }
    let mask = arc.mask();
    let span = u128::from(arc.span());
    let skipped = steps_to(arc.lo().wrapping_mul(k) & mask, k, target)?;
    if skipped > span {
        return None;
    }
    let last = arc.hi().wrapping_mul(k) & mask;
    let cut = steps_to(last, k.wrapping_neg(), target)?;
    // The same x serves both ends in the worst case, so the two cuts never pass each other.
    let rest = span - skipped - cut;
    Some(Clockwise::arc(arc.lo().wrapping_add(low(skipped)), low(rest), mask))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arcs(width: u8) -> Vec<Clockwise> {
        let mut all = vec![Clockwise::full(width)];
        for lo in 0..1u64 << width {
            for span in 0..(1u64 << width) - 1 {
                all.push(Clockwise::new(lo, lo + span, width));
            }
        }
        all
    }

    #[test]
    fn scale_is_the_hull_on_all_arcs_and_constants() {
        for width in [1, 2, 3, 4, 5] {
            let all = arcs(width);
            for &arc in &all {
                for k in 0..1u64 << width {
                    let image: Vec<u64> = (0..1u64 << width)
                        .filter(|&x| arc.contains(x))
                        .map(|x| (x * k) & arc.mask())
                        .collect();
                    let hull = scale(arc, k);
                    assert!(image.iter().all(|&v| hull.contains(v)), "{k} * {arc:?} = {hull:?}");
                    let best = all
                        .iter()
                        .filter(|a| image.iter().all(|&v| a.contains(v)))
                        .map(|a| a.span())
                        .min();
                    assert_eq!(Some(hull.span()), best, "{k} * {arc:?} = {hull:?}");
                }
            }
        }
    }

    #[test]
    fn shave_finds_the_outermost_supports_on_all_4_bit_cases() {
        let all = arcs(4);
        for &arc in &all {
            for k in 0..16 {
                for &target in &all {
                    let mut offsets = (0..=arc.span())
                        .filter(|t| target.contains((arc.lo() + t).wrapping_mul(k) & 15));
                    let first = offsets.next();
                    let last = offsets.next_back().or(first);
                    let expected = first
                        .zip(last)
                        .map(|(first, last)| Clockwise::arc(arc.lo() + first, last - first, 15));
                    let got = shave(arc, k, target);
                    if !target.is_full() {
                        assert_eq!(got, expected, "{k} * {arc:?} in {target:?}");
                    }
                }
            }
        }
    }
}
