//! Laws of the bit-vector domains, checked on every domain of small widths against enumeration.

use glassbox_kernel::BitsDomain;
use glassbox_kernel::domain::KnownBits;
use glassbox_kernel::domain::clockwise::{Clockwise, Meet};

fn arcs(width: u8) -> Vec<Clockwise> {
    let size = 1u64 << width;
    let mut all = vec![Clockwise::full(width)];
    for lo in 0..size {
        for span in 0..size - 1 {
            all.push(Clockwise::new(lo, lo + span, width));
        }
    }
    all
}

/// The values as a set of bits.
fn set_of(contains: impl Fn(u64) -> bool, width: u8) -> u64 {
    (0..1u64 << width).filter(|&v| contains(v)).fold(0, |set, v| set | 1 << v)
}

fn members(domain: &BitsDomain) -> u64 {
    set_of(|v| domain.contains(v), domain.width())
}

/// The fewest values of an arc that holds the set.
fn hull_size(set: u64, width: u8) -> u32 {
    arcs(width)
        .into_iter()
        .filter(|arc| set & !set_of(|v| arc.contains(v), width) == 0)
        .map(|arc| u32::try_from(arc.span()).expect("small") + 1)
        .min()
        .expect("the full circle holds everything")
}

/// Every domain that arcs, known bits, congruences and one or two holes make.
fn domains(width: u8) -> Vec<BitsDomain> {
    let size = 1u64 << width;
    let mut all: Vec<BitsDomain> = Vec::new();
    let mut add = |domain: Option<BitsDomain>| {
        if let Some(domain) = domain
            && !all.contains(&domain)
        {
            all.push(domain);
        }
    };
    for (index, arc) in arcs(width).into_iter().enumerate() {
        let base = BitsDomain::from_interval(arc);
        add(Some(base));
        for ones in 0..size {
            let zeros = (ones * 5 + 1) & (size - 1) & !ones;
            add(base.meet_known(ones, zeros));
            add(base.meet_known(ones, 0));
            add(base.meet_known(0, ones));
        }
        for modulus in [3, 5, 6] {
            for residue in 0..modulus.min(size) {
                if let Some(class) = BitsDomain::from_congruence(residue, modulus, width) {
                    add(base.meet(&class));
                }
            }
        }
        let hole = u64::try_from(index).expect("small") * 3;
        if let Some(pierced) = base.without(Clockwise::point(hole, width)) {
            add(Some(pierced));
            add(pierced.without(Clockwise::new(hole + 2, hole + 3, width)));
        }
    }
    all
}

#[test]
fn arc_operations_are_exact_hulls_on_all_pairs() {
    for width in [1, 2, 3, 4] {
        let mask = (1u64 << width) - 1;
        let all = arcs(width);
        for &a in &all {
            let set_a = set_of(|v| a.contains(v), width);
            assert_eq!(a.negate().span() + 1, u64::from(set_a.count_ones()));
            for &b in &all {
                let set_b = set_of(|v| b.contains(v), width);
                let both = set_a & set_b;
                let met = match a.meet(b) {
                    Meet::Empty => 0,
                    Meet::One(arc) => set_of(|v| arc.contains(v), width),
                    Meet::Two(x, y) => set_of(|v| x.contains(v) || y.contains(v), width),
                };
                assert_eq!(met, both, "{a:?} meet {b:?}");
                assert_eq!(a.contains_all(b), set_b & !set_a == 0, "{a:?} holds {b:?}");
                let joined = a.join(b);
                let union = set_a | set_b;
                assert_eq!(union & !set_of(|v| joined.contains(v), width), 0);
                assert_eq!(joined.span() + 1, u64::from(hull_size(union, width)), "{a:?} {b:?}");
                let image = |op: &dyn Fn(u64, u64) -> u64| {
                    let mut set = 0u64;
                    for x in (0..=mask).filter(|&x| a.contains(x)) {
                        for y in (0..=mask).filter(|&y| b.contains(y)) {
                            set |= 1 << (op(x, y) & mask);
                        }
                    }
                    set
                };
                let sums = image(&|x, y| x + y);
                assert_eq!(set_of(|v| a.add(b).contains(v), width), sums, "{a:?} + {b:?}");
                let differences = image(&|x, y| x.wrapping_sub(y));
                assert_eq!(set_of(|v| a.sub(b).contains(v), width), differences);
                let products = image(&|x, y| x * y);
                assert_eq!(
                    products & !set_of(|v| a.product(b).contains(v), width),
                    0,
                    "{a:?}*{b:?}"
                );
            }
        }
    }
}

#[test]
fn domains_are_never_empty_and_know_their_bounds() {
    for width in [1, 2, 3, 4] {
        let mask = (1u64 << width) - 1;
        for d in domains(width) {
            let set = members(&d);
            assert_ne!(set, 0, "{d:?}");
            assert!(d.contains(d.interval().lo()) && d.contains(d.interval().hi()), "{d:?}");
            let values: Vec<u64> = (0..=mask).filter(|&v| set >> v & 1 == 1).collect();
            assert_eq!(d.values().collect::<Vec<_>>(), values, "{d:?}");
            assert_eq!(d.unsigned_min(), values[0], "{d:?}");
            assert_eq!(d.unsigned_max(), *values.last().expect("not empty"), "{d:?}");
            let mut signed: Vec<i64> = values.iter().map(|&v| d.interval().as_signed(v)).collect();
            signed.sort_unstable();
            assert_eq!(d.signed_min(), signed[0], "{d:?}");
            assert_eq!(d.signed_max(), *signed.last().expect("not empty"), "{d:?}");
            assert_eq!(d.is_fixed(), values.len() == 1, "{d:?}");
            assert!(u64::try_from(values.len()).expect("small") <= d.size_bound() + 1, "{d:?}");
            let [low, high] = d.halves();
            let (low, high) = (low.map_or(0, |d| members(&d)), high.map_or(0, |d| members(&d)));
            assert_eq!(low | high, set, "{d:?}");
            assert_eq!(low & high, 0, "{d:?}");
            assert!(d.is_fixed() || (low != set && high != set), "{d:?}");
        }
    }
}

#[test]
fn meet_keeps_common_values_and_never_grows() {
    let (mut exact, mut total) = (0u32, 0u32);
    for width in [2, 3] {
        let all = domains(width);
        for a in &all {
            let set_a = members(a);
            for b in &all {
                let both = set_a & members(b);
                match a.meet(b) {
                    None => assert_eq!(both, 0, "{a:?} meet {b:?}"),
                    Some(met) => {
                        let set = members(&met);
                        assert_eq!(both & !set, 0, "{a:?} meet {b:?} = {met:?} loses");
                        assert_eq!(set & !set_a, 0, "{a:?} meet {b:?} = {met:?} grows");
                        exact += u32::from(set == both);
                    }
                }
                total += u32::from(both != 0);
            }
        }
    }
    assert!(exact * 100 >= total * 99, "{exact} of {total} exact");
}

#[test]
fn join_holds_both_sides() {
    for width in [2, 3] {
        let all = domains(width);
        for a in &all {
            for b in all.iter().step_by(3) {
                let joined = a.join(b);
                let union = members(a) | members(b);
                assert_eq!(union & !members(&joined), 0, "{a:?} join {b:?} = {joined:?}");
                assert!(joined.interval().span() <= a.interval().join(b.interval()).span());
            }
        }
    }
}

#[test]
fn known_bits_arithmetic_is_right_on_all_3_bit_pairs() {
    let mask = 7u64;
    let mut all = Vec::new();
    for ones in 0..8u64 {
        for zeros in 0..8u64 {
            if ones & zeros == 0 {
                all.push(KnownBits { ones, zeros });
            }
        }
    }
    for &a in &all {
        for &b in &all {
            let mut sum = KnownBits { ones: mask, zeros: mask };
            let (mut product, mut difference) = (sum, sum);
            for x in (0..8).filter(|&x| a.matches(x)) {
                for y in (0..8).filter(|&y| b.matches(y)) {
                    let with = |all: KnownBits, v: u64| all.join(KnownBits::exact(v, mask));
                    sum = with(sum, x + y);
                    difference = with(difference, x.wrapping_sub(y));
                    product = with(product, x * y);
                }
            }
            assert_eq!(a.add(b, false, mask), sum, "{a:?} + {b:?}");
            assert_eq!(a.sub(b, mask), difference, "{a:?} - {b:?}");
            let got = a.mul(b, mask);
            assert_eq!(got.ones & !product.ones, 0, "{a:?} * {b:?}");
            assert_eq!(got.zeros & !product.zeros, 0, "{a:?} * {b:?}");
        }
    }
}
