//! Comparisons, classes and conversions on the tiny format, against enumeration.

use glassbox_kernel::domain::Truth;
use glassbox_kernel::domain::float_interval::{FloatInterval, negated_rank, rank_of_infinity};
use glassbox_propagators::float::bits::{Encoding, narrow_encoding};
use glassbox_propagators::float::classify::{Class, narrow_class};
use glassbox_propagators::float::compare::{Comparison, narrow_comparison};
use glassbox_propagators::float::convert::{
    IntegerKey, IntegerType, integer_at, key_of, narrow_from_integer, narrow_to_float,
    narrow_to_integer,
};
use glassbox_propagators::float::monotone::Span;
use glassbox_testkit::Random;
use glassbox_values::{Bits, Float, Format, RoundingMode, Signedness};

use super::kit::{RandomIntervals, TINY, Tally, narrow_intervals};

fn truth_of(comparison: Comparison, x: Float, y: Float) -> bool {
    match comparison {
        Comparison::FpEq => x.ieee_eq(y),
        Comparison::FpLt => x.ieee_lt(y),
        Comparison::FpLe => x.ieee_le(y),
        Comparison::Same => x == y,
    }
}

/// The hull of a set of solutions, each a triple of points.
type Hull<A, B> = Option<(A, B)>;

#[test]
fn comparisons() {
    let mut random = Random::new(17);
    let small = narrow_intervals();
    for comparison in [Comparison::FpEq, Comparison::FpLt, Comparison::FpLe, Comparison::Same] {
        let mut tally = Tally::default();
        let mut boxes: Vec<[FloatInterval; 2]> = Vec::new();
        for &x in &small {
            for &y in small.iter().skip(boxes.len() % 3).step_by(3) {
                boxes.push([x, y]);
            }
        }
        for _ in 0..4000 {
            boxes.push([random.interval(), random.interval()]);
        }
        for args in boxes {
            for truth in [Truth::Unknown, Truth::True, Truth::False] {
                check_comparison(comparison, truth, args, &mut tally);
            }
        }
        eprintln!("{comparison:?}: {tally}");
    }
}

fn check_comparison(
    comparison: Comparison,
    truth: Truth,
    args: [FloatInterval; 2],
    tally: &mut Tally,
) {
    let mut hull: Hull<Truth, [FloatInterval; 2]> = None;
    for x in args[0].iter() {
        for y in args[1].iter() {
            let value = truth_of(comparison, x, y);
            if truth.allows(value) {
                let point = [x, y].map(FloatInterval::point);
                hull = Some(match hull {
                    None => (Truth::from(value), point),
                    Some((old, [a, b])) => {
                        (old.join(Truth::from(value)), [a.join(&point[0]), b.join(&point[1])])
                    }
                });
            }
        }
    }
    let found = narrow_comparison(comparison, truth, args).map(|found| (found.truth, found.args));
    let context = || format!("{comparison:?} {truth:?} {args:?}: {found:?}, hull {hull:?}");
    tally.boxes += 1;
    tally.optimal += u64::from(found == hull);
    tally.fixpoints += u64::from(found.is_none_or(|(truth, args)| {
        narrow_comparison(comparison, truth, args).map(|again| (again.truth, again.args)) == found
    }));
    if let Some((hull_truth, hull_args)) = hull {
        let (found_truth, found_args) = found.unwrap_or_else(|| panic!("lost: {}", context()));
        assert!(found_truth == Truth::Unknown || found_truth == hull_truth, "{}", context());
        for position in 0..2 {
            assert!(hull_args[position].is_subset_of(found_args[position]), "{}", context());
            assert!(found_args[position].is_subset_of(args[position]), "{}", context());
        }
    }
    if args.iter().all(|arg| arg.is_fixed()) {
        assert_eq!(found, hull, "{}", context());
    }
}

#[test]
fn strict_comparison_with_a_constant_keeps_the_constant() {
    // The rule as printed takes the neighbor of the maximum and empties the constant.
    let zero = FloatInterval::point(Float::from_f32(0.0));
    let all = FloatInterval::all_numbers(Format::F32);
    let found = narrow_comparison(Comparison::FpLt, Truth::True, [zero, all]).expect("satisfiable");
    assert_eq!(found.args[0], zero);
    assert_eq!(found.args[1].numbers().expect("numbers").0, Float::from_f32(f32::from_bits(1)));
}

fn class_of(class: Class, x: Float) -> bool {
    match class {
        Class::Normal => x.is_normal(),
        Class::Subnormal => x.is_subnormal(),
        Class::Zero => x.is_zero(),
        Class::Infinite => x.is_infinite(),
        Class::Nan => x.is_nan(),
        Class::Negative => x.is_negative() && !x.is_nan(),
        Class::Positive => !x.is_negative() && !x.is_nan(),
    }
}

#[test]
fn classes_are_exact() {
    let mut random = Random::new(19);
    let mut domains = narrow_intervals();
    domains.extend((0..3000).map(|_| random.interval()));
    for class in Class::ALL {
        for &arg in &domains {
            for truth in [Truth::Unknown, Truth::True, Truth::False] {
                let mut hull: Hull<Truth, FloatInterval> = None;
                for x in arg.iter().filter(|x| truth.allows(class_of(class, *x))) {
                    let (value, point) = (Truth::from(class_of(class, x)), FloatInterval::point(x));
                    hull = Some(match hull {
                        None => (value, point),
                        Some((old, kept)) => (old.join(value), kept.join(&point)),
                    });
                }
                assert_eq!(narrow_class(class, truth, arg), hull, "{class:?} {truth:?} {arg:?}");
            }
        }
    }
}

const SMALLER: Format = Format { exponent: 3, significand: 2 };
const LARGER: Format = Format { exponent: 4, significand: 4 };

/// Intervals of any small format: all points and pairs, and a sample of wide ones.
fn intervals_of(format: Format, random: &mut Random) -> Vec<FloatInterval> {
    let infinity = rank_of_infinity(format);
    let mut found = vec![FloatInterval::only_nan(format), FloatInterval::full(format)];
    for lo in negated_rank(infinity)..=infinity {
        for hi in [lo, lo + 1, lo + 1 + random.below(40_u64).cast_signed()] {
            let numbers = FloatInterval::from_ranks(lo, hi, format).expect("lo <= hi");
            found.push(if random.below(3) == 0 { numbers.with_nan() } else { numbers });
        }
    }
    found
}

#[test]
fn conversions_between_formats() {
    let mut random = Random::new(23);
    for (from, to) in [(TINY, SMALLER), (SMALLER, TINY), (TINY, LARGER), (LARGER, TINY)] {
        for mode in RoundingMode::ALL {
            let mut tally = Tally::default();
            let (args, results) = (intervals_of(from, &mut random), intervals_of(to, &mut random));
            for &arg in &args {
                for &result in results.iter().skip(random.below(5_usize)).step_by(5) {
                    let mut hull: Hull<FloatInterval, FloatInterval> = None;
                    for x in arg.iter() {
                        let z = x.convert(to, mode);
                        if result.contains(z) {
                            let point = (FloatInterval::point(x), FloatInterval::point(z));
                            hull = Some(
                                hull.map_or(point, |(a, b)| (a.join(&point.0), b.join(&point.1))),
                            );
                        }
                    }
                    let found = narrow_to_float(mode, arg, result)
                        .map(|found| (found.args[0], found.result));
                    tally.boxes += 1;
                    tally.optimal += u64::from(found == hull);
                    tally.fixpoints += u64::from(found.is_none_or(|(x, z)| {
                        narrow_to_float(mode, x, z).map(|again| (again.args[0], again.result))
                            == found
                    }));
                    match (found, hull) {
                        (Some((x, z)), Some((exact_x, exact_z))) => {
                            assert!(exact_x.is_subset_of(x) && exact_z.is_subset_of(z));
                            assert!(x.is_subset_of(arg) && z.is_subset_of(result));
                        }
                        (None, None) => {}
                        (None, Some(_)) | (Some(_), None) => {
                            panic!(
                                "{from:?} to {to:?} {mode:?} {arg:?} {result:?}: {found:?} {hull:?}"
                            )
                        }
                    }
                }
            }
            eprintln!("convert {} to {} {mode:?}: {tally}", from.width(), to.width());
        }
    }
}

/// All spans of keys of an integer type.
fn spans_of(integer: IntegerType) -> Vec<Span<IntegerKey>> {
    let mut keys: Vec<IntegerKey> = (0..1_u128 << integer.width)
        .map(|value| key_of(Bits::new(value, integer.width), integer.signedness))
        .collect();
    keys.sort_unstable();
    let mut spans = Vec::new();
    for (index, &lo) in keys.iter().enumerate() {
        spans.extend(keys[index..].iter().map(|&hi| Span { lo, hi }));
    }
    spans
}

#[test]
fn conversions_with_integers() {
    let mut random = Random::new(29);
    let mut tallies = [Tally::default(); 2];
    for width in [1, 3, 4, 5] {
        for signedness in [Signedness::Signed, Signedness::Unsigned] {
            let integer = IntegerType { width, signedness };
            let spans = spans_of(integer);
            for mode in RoundingMode::ALL {
                for float in intervals_of(TINY, &mut random) {
                    for &span in spans.iter().skip(random.below(7_usize)).step_by(11) {
                        check_from_integer(integer, mode, span, float, &mut tallies[0]);
                        check_to_integer(integer, mode, float, span, &mut tallies[1]);
                    }
                }
            }
        }
    }
    eprintln!("integer to float: {}", tallies[0]);
    eprintln!("float to integer: {}", tallies[1]);
}

fn check_from_integer(
    integer: IntegerType,
    mode: RoundingMode,
    arg: Span<IntegerKey>,
    result: FloatInterval,
    tally: &mut Tally,
) {
    let mut hull: Hull<Span<IntegerKey>, FloatInterval> = None;
    for key in arg.lo..=arg.hi {
        let value = integer_at(key, integer.width, integer.signedness);
        let z = Float::from_int(value, integer.signedness, TINY, mode);
        if result.contains(z) {
            let point = (Span::point(key), FloatInterval::point(z));
            hull = Some(hull.map_or(point, |(a, b)| (a.hull(point.0), b.join(&point.1))));
        }
    }
    let found = narrow_from_integer(integer, mode, arg, result);
    tally.boxes += 1;
    tally.optimal += u64::from(found == hull);
    tally.fixpoints +=
        u64::from(found.is_none_or(|(n, z)| narrow_from_integer(integer, mode, n, z) == found));
    let kept = match (found, hull) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some((n, z)), Some((exact_n, exact_z))) => {
            n.hull(exact_n) == n && exact_z.is_subset_of(z) && z.is_subset_of(result)
        }
    };
    assert!(kept, "{integer:?} {mode:?} {arg:?} {result:?}: {found:?} hull {hull:?}");
    assert!(arg.lo != arg.hi || found == hull, "should decide a point");
}

fn check_to_integer(
    integer: IntegerType,
    mode: RoundingMode,
    arg: FloatInterval,
    result: Span<IntegerKey>,
    tally: &mut Tally,
) {
    let mut hull: Hull<FloatInterval, Span<IntegerKey>> = None;
    for x in arg.iter() {
        let value =
            x.to_int(mode, integer.width, integer.signedness).unwrap_or(Bits::zero(integer.width));
        let key = key_of(value, integer.signedness);
        if result.lo <= key && key <= result.hi {
            let point = (FloatInterval::point(x), Span::point(key));
            hull = Some(hull.map_or(point, |(a, b)| (a.join(&point.0), b.hull(point.1))));
        }
    }
    let found = narrow_to_integer(integer, mode, arg, result);
    tally.boxes += 1;
    tally.optimal += u64::from(found == hull);
    tally.fixpoints +=
        u64::from(found.is_none_or(|(x, n)| narrow_to_integer(integer, mode, x, n) == found));
    let kept = match (found, hull) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some((x, n)), Some((exact_x, exact_n))) => {
            n.hull(exact_n) == n && exact_x.is_subset_of(x) && x.is_subset_of(arg)
        }
    };
    assert!(kept, "{integer:?} {mode:?} {arg:?} {result:?}: {found:?} hull {hull:?}");
    assert!(!arg.is_fixed() || found == hull, "should decide a point");
}

#[test]
fn encodings_are_exact() {
    let mut random = Random::new(31);
    let top = (1_i128 << TINY.width()) - 1;
    for encoding in [Encoding::FromBits, Encoding::ToBits] {
        for float in intervals_of(TINY, &mut random) {
            for _ in 0..60 {
                let (a, b) = (random.below(64), random.below(64));
                let (lo, hi) = (i128::from(a.min(b)), i128::from(a.max(b)));
                let spans = if random.below(3) == 0 {
                    // Around the top of the unsigned range.
                    vec![Span { lo: 0, hi: lo }, Span { lo: hi.max(lo + 1).min(top), hi: top }]
                } else {
                    vec![Span { lo, hi }]
                };
                check_encoding(encoding, &spans, float);
            }
        }
    }
}

fn check_encoding(encoding: Encoding, spans: &[Span<i128>], float: FloatInterval) {
    let mut patterns = Vec::new();
    let mut floats: Option<FloatInterval> = None;
    for pattern in 0..1_i128 << TINY.width() {
        let value = Float::from_bits(u64::try_from(pattern).expect("small"), TINY);
        let named = match encoding {
            Encoding::FromBits => true,
            Encoding::ToBits => i128::from(value.to_bits()) == pattern,
        };
        if named
            && float.contains(value)
            && spans.iter().any(|span| span.lo <= pattern && pattern <= span.hi)
        {
            patterns.push(pattern);
            let point = FloatInterval::point(value);
            floats = Some(floats.map_or(point, |old| old.join(&point)));
        }
    }
    let key = |pattern: i128| {
        let bits = Bits::new(pattern.cast_unsigned(), TINY.width());
        key_of(bits, Signedness::Unsigned)
    };
    let keys: Vec<Option<Span<IntegerKey>>> =
        spans.iter().map(|span| Some(Span { lo: key(span.lo), hi: key(span.hi) })).collect();
    let found = narrow_encoding(encoding, &keys, float);
    let mut covered: Vec<i128> =
        found.iter().flat_map(|(spans, _)| spans).flat_map(|span| span.lo..=span.hi).collect();
    covered.dedup();
    let patterns: Vec<IntegerKey> = patterns.into_iter().map(key).collect();
    assert_eq!(covered, patterns, "{encoding:?} {spans:?} {float:?}");
    assert_eq!(found.map(|(_, floats)| floats), floats, "{encoding:?} {spans:?} {float:?}");
}
