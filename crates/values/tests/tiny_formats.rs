//! The exact core against exact arithmetic on fractions, exhaustively in tiny formats.
//!
//! The oracle knows nothing of how the crate rounds. It lists all magnitudes of a format, asks only
//! "how does the exact result compare with this fraction?", and picks the neighbor that IEEE-754 wants.

use std::cmp::Ordering;

use glassbox_values::{Bits, Float, Format, RoundingMode, Sign, Signedness};

/// A fraction with a positive denominator, small enough here never to overflow.
#[derive(Debug, Clone, Copy)]
struct Ratio {
    top: i128,
    bottom: i128,
}

impl Ratio {
    fn new(top: i128, bottom: i128) -> Ratio {
        assert!(bottom != 0, "denominators should not be zero");
        if bottom < 0 { Ratio { top: -top, bottom: -bottom } } else { Ratio { top, bottom } }
    }

    fn power_of_two(exponent: i32) -> Ratio {
        if exponent >= 0 { Ratio::new(1 << exponent, 1) } else { Ratio::new(1, 1 << -exponent) }
    }

    fn add(self, other: Ratio) -> Ratio {
        Ratio::new(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)
    }

    fn sub(self, other: Ratio) -> Ratio {
        self.add(Ratio::new(-other.top, other.bottom))
    }

    fn mul(self, other: Ratio) -> Ratio {
        Ratio::new(self.top * other.top, self.bottom * other.bottom)
    }

    fn div(self, other: Ratio) -> Ratio {
        Ratio::new(self.top * other.bottom, self.bottom * other.top)
    }

    fn abs(self) -> Ratio {
        Ratio::new(self.top.abs(), self.bottom)
    }

    fn compare(self, other: Ratio) -> Ordering {
        (self.top * other.bottom).cmp(&(other.top * self.bottom))
    }

    /// The whole number in the rounding direction.
    fn to_whole(self, rounding: RoundingMode) -> i128 {
        let floor = self.top.div_euclid(self.bottom);
        let double_rest = 2 * self.top.rem_euclid(self.bottom);
        let up = match rounding {
            RoundingMode::NearestEven => match double_rest.cmp(&self.bottom) {
                Ordering::Less => false,
                Ordering::Equal => floor % 2 != 0,
                Ordering::Greater => true,
            },
            RoundingMode::NearestAway => match double_rest.cmp(&self.bottom) {
                Ordering::Less => false,
                Ordering::Equal => self.top > 0,
                Ordering::Greater => true,
            },
            RoundingMode::TowardPositive => double_rest > 0,
            RoundingMode::TowardNegative => false,
            RoundingMode::TowardZero => double_rest > 0 && self.top < 0,
        };
        floor + i128::from(up)
    }
}

/// A format with all its magnitudes.
struct Tiny {
    format: Format,
    /// The value of each magnitude's encoding; infinity's is what the next finite one would be.
    magnitudes: Vec<Ratio>,
    floats: Vec<Float>,
}

impl Tiny {
    fn new(exponent: u8, significand: u8) -> Tiny {
        let format = Format::new(exponent, significand).expect("the format should be supported");
        let fraction_width = significand - 1;
        let infinity = ((1u64 << exponent) - 1) << fraction_width;
        let bias = (1 << (exponent - 1)) - 1;
        let mut magnitudes = Vec::new();
        for bits in 0..=infinity {
            let stored = (bits >> fraction_width) as i32;
            let fraction = i128::from(bits & ((1 << fraction_width) - 1));
            let hidden = if stored == 0 { 0 } else { 1 << fraction_width };
            let scale = stored.max(1) - bias - i32::from(fraction_width);
            magnitudes.push(Ratio::new(fraction + hidden, 1).mul(Ratio::power_of_two(scale)));
        }
        let floats = (0..1 << format.width()).map(|bits| Float::from_bits(bits, format));
        // The canonical NaN once.
        let mut floats: Vec<_> = floats.collect();
        floats.sort_unstable();
        floats.dedup();
        assert_eq!(floats.len() as u64, 2 * (infinity + 1) + 1);
        Tiny { format, magnitudes, floats }
    }

    /// The value of a finite float.
    fn value(&self, float: Float) -> Option<Ratio> {
        let sign = 1u64 << (self.format.width() - 1);
        let magnitude = (float.to_bits() & (sign - 1)) as usize;
        if magnitude + 1 >= self.magnitudes.len() {
            return None;
        }
        let Ratio { top, bottom } = self.magnitudes[magnitude];
        Some(Ratio::new(if float.to_bits() & sign == 0 { top } else { -top }, bottom))
    }

    /// The rounding of a magnitude that is known by its comparisons only.
    fn round(
        &self,
        sign: Sign,
        rounding: RoundingMode,
        compare: impl Fn(Ratio) -> Ordering,
    ) -> Float {
        let infinity = self.magnitudes.len() - 1;
        // The first magnitude that is not below.
        let above = self.magnitudes.partition_point(|&value| compare(value) == Ordering::Greater);
        let away = match (rounding, sign) {
            (RoundingMode::TowardPositive, Sign::Positive)
            | (RoundingMode::TowardNegative, Sign::Negative) => true,
            (RoundingMode::TowardPositive, Sign::Negative)
            | (RoundingMode::TowardNegative, Sign::Positive)
            | (RoundingMode::TowardZero, _) => false,
            (RoundingMode::NearestEven | RoundingMode::NearestAway, _) => {
                if above > infinity {
                    true
                } else if above == 0 {
                    false
                } else {
                    let below = self.magnitudes[above - 1];
                    let middle = below.add(self.magnitudes[above]).mul(Ratio::new(1, 2));
                    match compare(middle) {
                        Ordering::Less => false,
                        Ordering::Equal => rounding == RoundingMode::NearestAway || above % 2 == 0,
                        Ordering::Greater => true,
                    }
                }
            }
        };
        // What equals the pretended value of infinity is beyond all finite numbers, so not exact.
        let exact = above < infinity && compare(self.magnitudes[above]) == Ordering::Equal;
        let bits = if exact {
            above
        } else if away {
            above.min(infinity)
        } else {
            above.min(infinity) - 1
        };
        Float::from_bits(bits as u64, self.format).with_sign(sign)
    }

    /// The rounding of an exact result; `zero` is what an exact zero gives.
    fn round_ratio(&self, exact: Ratio, zero: Float, rounding: RoundingMode) -> Float {
        if exact.top == 0 {
            return zero;
        }
        let sign = if exact.top < 0 { Sign::Negative } else { Sign::Positive };
        self.round(sign, rounding, |value| exact.abs().compare(value))
    }

    /// The float that binary64 arithmetic gives for operands among zeros, infinities and NaN: the formats
    /// agree on those.
    fn special(&self, result: f64) -> Float {
        let sign = if result.is_sign_negative() { Sign::Negative } else { Sign::Positive };
        if result.is_nan() {
            Float::nan(self.format)
        } else if result.is_infinite() {
            Float::infinity(sign, self.format)
        } else {
            assert!(result == 0.0, "a special result should be one");
            Float::zero(sign, self.format)
        }
    }
}

/// What `x - x` gives.
fn cancelled(format: Format, rounding: RoundingMode) -> Float {
    let negative = rounding == RoundingMode::TowardNegative;
    Float::zero(if negative { Sign::Negative } else { Sign::Positive }, format)
}

/// A stand-in in binary64 with the same class and sign: enough for special results.
fn stand_in(float: Float) -> f64 {
    let magnitude = if float.is_nan() {
        f64::NAN
    } else if float.is_infinite() {
        f64::INFINITY
    } else if float.is_zero() {
        0.0
    } else {
        1.0
    };
    if float.is_negative() { -magnitude } else { magnitude }
}

fn small_formats() -> Vec<Tiny> {
    [(2, 2), (2, 3), (3, 2), (3, 3), (2, 5), (4, 3), (3, 4), (4, 4)]
        .map(|(exponent, significand)| Tiny::new(exponent, significand))
        .into()
}

/// The exact sum, with the zero rules of IEEE-754.
fn sum(tiny: &Tiny, a: Float, b: Float, rounding: RoundingMode) -> Float {
    match (tiny.value(a), tiny.value(b)) {
        (Some(x), Some(y)) => {
            let same_zero = a.is_zero() && b.is_zero() && a.sign() == b.sign();
            let zero = if same_zero { a } else { cancelled(tiny.format, rounding) };
            tiny.round_ratio(x.add(y), zero, rounding)
        }
        _ => tiny.special(stand_in(a) + stand_in(b)),
    }
}

fn product_and_quotient(tiny: &Tiny, a: Float, b: Float, rounding: RoundingMode) -> (Float, Float) {
    let zero = Float::zero(a.sign().times(b.sign()), tiny.format);
    match (tiny.value(a), tiny.value(b)) {
        (Some(x), Some(y)) => {
            let product = tiny.round_ratio(x.mul(y), zero, rounding);
            let quotient = if b.is_zero() {
                tiny.special(stand_in(a) / stand_in(b))
            } else {
                tiny.round_ratio(x.div(y), zero, rounding)
            };
            (product, quotient)
        }
        _ => (tiny.special(stand_in(a) * stand_in(b)), tiny.special(stand_in(a) / stand_in(b))),
    }
}

#[test]
fn the_four_operations_on_all_pairs() {
    for tiny in small_formats() {
        for &a in &tiny.floats {
            for &b in &tiny.floats {
                for rounding in RoundingMode::ALL {
                    let place = || format!("{a:?} and {b:?} of {:?}, {rounding:?}", tiny.format);
                    assert_eq!(a.add(b, rounding), sum(&tiny, a, b, rounding), "{}", place());
                    assert_eq!(a.sub(b, rounding), sum(&tiny, a, b.neg(), rounding), "{}", place());
                    let (product, quotient) = product_and_quotient(&tiny, a, b, rounding);
                    assert_eq!(a.mul(b, rounding), product, "{}", place());
                    assert_eq!(a.div(b, rounding), quotient, "{}", place());
                }
            }
        }
    }
}

#[test]
fn fused_multiply_add_on_all_triples() {
    for (exponent, significand) in [(2, 2), (2, 3), (3, 2), (3, 3)] {
        let tiny = Tiny::new(exponent, significand);
        for &a in &tiny.floats {
            for &b in &tiny.floats {
                for &c in &tiny.floats {
                    check_fused(&tiny, a, b, c);
                }
            }
        }
    }
}

fn check_fused(tiny: &Tiny, a: Float, b: Float, c: Float) {
    let sign = a.sign().times(b.sign());
    for rounding in RoundingMode::ALL {
        let expected = match (tiny.value(a), tiny.value(b), tiny.value(c)) {
            (Some(x), Some(y), Some(z)) => {
                let product_is_zero = a.is_zero() || b.is_zero();
                let same_zero = product_is_zero && c.is_zero() && sign == c.sign();
                let zero = if same_zero { c } else { cancelled(tiny.format, rounding) };
                tiny.round_ratio(x.mul(y).add(z), zero, rounding)
            }
            _ => tiny.special(stand_in(a) * stand_in(b) + stand_in(c)),
        };
        let format = tiny.format;
        assert_eq!(a.fma(b, c, rounding), expected, "{a:?} {b:?} {c:?} {format:?} {rounding:?}");
    }
}

#[test]
fn square_roots_and_whole_numbers() {
    let mut formats = small_formats();
    formats.extend([Tiny::new(5, 6), Tiny::new(3, 8)]);
    for tiny in formats {
        for &a in &tiny.floats {
            for rounding in RoundingMode::ALL {
                let root = match tiny.value(a) {
                    Some(x) if x.top > 0 => {
                        tiny.round(Sign::Positive, rounding, |value| x.compare(value.mul(value)))
                    }
                    Some(_) | None => tiny.special(stand_in(a).sqrt()),
                };
                assert_eq!(a.sqrt(rounding), root, "{a:?} of {:?}, {rounding:?}", tiny.format);
                let whole = match tiny.value(a) {
                    Some(x) => {
                        let whole = Ratio::new(x.to_whole(rounding), 1);
                        tiny.round_ratio(whole, Float::zero(a.sign(), tiny.format), rounding)
                    }
                    None => a,
                };
                assert_eq!(a.round_to_integral(rounding), whole, "{a:?}, {rounding:?}");
                let is_whole = tiny.value(a).is_some_and(|x| x.top % x.bottom == 0);
                assert_eq!(a.is_integral(), is_whole, "{a:?}");
                check_to_int(&tiny, a, rounding);
            }
        }
    }
}

fn check_to_int(tiny: &Tiny, a: Float, rounding: RoundingMode) {
    for width in 1..=9 {
        for signedness in [Signedness::Signed, Signedness::Unsigned] {
            let (lo, hi) = match signedness {
                Signedness::Signed => (-(1 << (width - 1)), (1 << (width - 1)) - 1),
                Signedness::Unsigned => (0, (1 << width) - 1),
            };
            let whole = tiny.value(a).map(|x| x.to_whole(rounding));
            let fitting = whole.filter(|&whole| lo <= whole && whole <= hi);
            let expected = fitting.map(|whole| Bits::from_signed(whole, width));
            assert_eq!(
                a.to_int(rounding, width, signedness),
                expected,
                "{a:?} {rounding:?} {width}"
            );
        }
    }
}

#[test]
fn integers_of_9_bits_become_floats() {
    for tiny in small_formats() {
        for bits in 0..1 << 9 {
            for rounding in RoundingMode::ALL {
                let value = Bits::new(bits, 9);
                let zero = Float::zero(Sign::Positive, tiny.format);
                for (signedness, number) in [
                    (Signedness::Signed, value.signed()),
                    (Signedness::Unsigned, value.unsigned().cast_signed()),
                ] {
                    let expected = tiny.round_ratio(Ratio::new(number, 1), zero, rounding);
                    let ours = Float::from_int(value, signedness, tiny.format, rounding);
                    assert_eq!(ours, expected, "{number} to {:?}, {rounding:?}", tiny.format);
                }
            }
        }
    }
}

#[test]
fn conversions_between_formats() {
    let mut formats = small_formats();
    formats.extend([Tiny::new(5, 6), Tiny::new(5, 3), Tiny::new(3, 8)]);
    for from in &formats {
        for to in &formats {
            for &a in &from.floats {
                for rounding in RoundingMode::ALL {
                    let zero = Float::zero(a.sign(), to.format);
                    let expected = match from.value(a) {
                        Some(x) => to.round_ratio(x, zero, rounding),
                        None => to.special(stand_in(a)),
                    };
                    let place =
                        || format!("{a:?} of {:?} to {:?}, {rounding:?}", from.format, to.format);
                    assert_eq!(a.convert(to.format, rounding), expected, "{}", place());
                }
            }
        }
        // Binary64 holds them all: there and back is the same.
        for &a in &from.floats {
            let wide = Float::from_f64(a.to_f64());
            assert_eq!(wide.convert(from.format, RoundingMode::TowardZero), a);
            if let Some(Ratio { top, bottom }) = from.value(a) {
                assert_eq!(a.to_f64() * bottom as f64, top as f64, "{a:?}");
            }
        }
    }
}

#[test]
fn remainders_on_all_pairs() {
    for tiny in small_formats() {
        for &a in &tiny.floats {
            for &b in &tiny.floats {
                let expect = |rounding| match (tiny.value(a), tiny.value(b)) {
                    (Some(x), Some(y)) if y.top != 0 => {
                        let quotient = Ratio::new(x.div(y).to_whole(rounding), 1);
                        let zero = Float::zero(a.sign(), tiny.format);
                        let rest = x.sub(quotient.mul(y));
                        let toward = tiny.round_ratio(rest, zero, RoundingMode::TowardPositive);
                        let exact = tiny.round_ratio(rest, zero, RoundingMode::TowardNegative);
                        assert_eq!(toward, exact, "remainders should be exact");
                        exact
                    }
                    (Some(_), None) if b.is_infinite() => a,
                    (Some(_) | None, _) => Float::nan(tiny.format),
                };
                let place = || format!("{a:?} and {b:?} of {:?}", tiny.format);
                assert_eq!(a.fmod(b), expect(RoundingMode::TowardZero), "{}", place());
                assert_eq!(a.remainder(b), expect(RoundingMode::NearestEven), "{}", place());
            }
        }
    }
}

#[test]
fn comparisons_and_extremes_on_all_pairs() {
    for tiny in small_formats() {
        for &a in &tiny.floats {
            for &b in &tiny.floats {
                let (x, y) = (a.to_f64(), b.to_f64());
                assert_eq!(a.ieee_compare(b), x.partial_cmp(&y), "{a:?} {b:?}");
                assert_eq!([a.ieee_eq(b), a.ieee_lt(b), a.ieee_le(b)], [x == y, x < y, x <= y]);
                check_extremes(a, b);
            }
        }
    }
}

fn check_extremes(a: Float, b: Float) {
    if a.is_nan() || b.is_nan() {
        let other = if a.is_nan() { b } else { a };
        assert_eq!([a.min(b), a.max(b)], [other; 2], "{a:?} {b:?}");
    } else if a.is_zero() && b.is_zero() {
        assert_eq!([a.min(b), a.max(b)], [b; 2], "{a:?} {b:?}");
    } else {
        let (small, large) = if a.to_f64() < b.to_f64() { (a, b) } else { (b, a) };
        assert_eq!([a.min(b), a.max(b)], [small, large], "{a:?} {b:?}");
    }
}

#[test]
fn neighbors_and_positions() {
    for tiny in small_formats() {
        let format = tiny.format;
        let mut line: Vec<_> = tiny.floats.iter().copied().filter(|a| !a.is_nan()).collect();
        line.sort_by(|a, b| a.to_f64().total_cmp(&b.to_f64()));
        let zero = line.iter().position(|a| a.to_bits() == 0).expect("there should be +0");
        for (place, &a) in line.iter().enumerate() {
            let index = place as i64 - zero as i64;
            assert_eq!(a.order_index(), Some(index), "{a:?}");
            assert_eq!(Float::from_order_index(index, format), Some(a));
            let above = line.iter().find(|b| b.to_f64() > a.to_f64()).copied().unwrap_or(a);
            // The neighbor of the negative subnormal is the negative zero.
            let above = if above.is_zero() { above.with_sign(a.sign()) } else { above };
            assert_eq!(a.next_up(), above, "{a:?}");
            assert_eq!(a.neg().next_down(), above.neg(), "{a:?}");
        }
        assert_eq!(Float::from_order_index(line.len() as i64 - zero as i64, format), None);
        assert_eq!(Float::from_order_index(-1 - zero as i64, format), None);
        assert_eq!(Float::nan(format).order_index(), None);
        assert_eq!(Float::nan(format).next_up(), Float::nan(format));
    }
}

#[test]
fn decimal_and_ratio_text() {
    for tiny in small_formats() {
        for top in (0..4000).step_by(7) {
            for bottom in [1, 10, 100, 1000, 3, 7, 48] {
                for rounding in RoundingMode::ALL {
                    let zero = Float::zero(Sign::Positive, tiny.format);
                    let expected = tiny.round_ratio(Ratio::new(-top, bottom), zero, rounding);
                    let (numerator, denominator) = (format!("-{top}"), format!("{bottom}.0"));
                    let ours = Float::parse_ratio(&numerator, &denominator, tiny.format, rounding);
                    assert_eq!(
                        ours,
                        Ok(expected),
                        "-{top}/{bottom} {:?} {rounding:?}",
                        tiny.format
                    );
                    let power = [1, 10, 100, 1000].iter().position(|&power| power == bottom);
                    if let (Some(power), true) = (power, top != 0) {
                        let text = format!("-{top}e-{power}");
                        let ours = Float::parse(&text, tiny.format, rounding);
                        assert_eq!(ours, Ok(expected), "{text} {:?} {rounding:?}", tiny.format);
                    }
                }
            }
        }
    }
}

#[test]
fn written_text_reads_back() {
    let mut formats = small_formats();
    formats.push(Tiny::new(5, 6));
    for tiny in formats {
        for &a in &tiny.floats {
            for text in [a.to_decimal(), a.to_hex()] {
                let read = Float::parse(&text, tiny.format, RoundingMode::NearestEven);
                assert_eq!(read, Ok(a), "{text} of {:?}", tiny.format);
            }
        }
    }
}

#[test]
fn bad_text_is_an_error() {
    let bad = [
        "", "-", ".", "e5", "1e", "1e+", "1.2.3", "0x", "0x1", "0x.p1", "0x1p", "1f", "é", "0x1pé",
        "--1", "in",
    ];
    for text in bad {
        let read = Float::parse(text, Format::F64, RoundingMode::NearestEven);
        assert!(read.is_err(), "{text} gave {read:?}");
    }
    let zero = Float::parse_ratio("1", "0.0", Format::F32, RoundingMode::NearestEven);
    assert!(zero.is_err());
}

#[test]
fn scaling_by_powers_of_two() {
    for tiny in small_formats() {
        for &a in &tiny.floats {
            for power in -12..=12 {
                for rounding in RoundingMode::ALL {
                    let expected = match tiny.value(a) {
                        Some(x) => tiny.round_ratio(x.mul(Ratio::power_of_two(power)), a, rounding),
                        None => a,
                    };
                    assert_eq!(a.scale(power, rounding), expected, "{a:?} {power} {rounding:?}");
                }
            }
        }
    }
}
