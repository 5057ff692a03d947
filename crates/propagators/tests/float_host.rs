//! Float projections on binary32 and binary64, against the host's own arithmetic.
//!
//! A solution is computed by the host, a box is drawn around it, and the projection must keep it;
//! with all operands but one fixed, the bounds it leaves must be solutions themselves and their outer
//! neighbors must not be. Seeds are fixed; operands are random encodings, small integers, neighbors of
//! powers of two, and corner values.

use glassbox_kernel::domain::float_interval::{FloatInterval, float_at, rank_of_infinity};
use glassbox_propagators::float::convert::{
    IntegerType, key_of, narrow_from_integer, narrow_to_float, narrow_to_integer,
};
use glassbox_propagators::float::cover::FloatBox;
use glassbox_propagators::float::monotone::Span;
use glassbox_propagators::float::{add, div, fma, fmod, mul, round, sqrt, sub};
use glassbox_testkit::Random;
use glassbox_values::{Bits, Float, Format, RoundingMode, Signedness};

const NEAREST: RoundingMode = RoundingMode::NearestEven;
const SAMPLES: u32 = 4000;

/// Floats of all sizes, and domains around them.
trait RandomFloats {
    fn float(&mut self, format: Format) -> Float;

    /// A domain around a value: the value alone, a narrow or a wide interval.
    fn around(&mut self, value: Float) -> FloatInterval;
}

impl RandomFloats for Random {
    fn float(&mut self, format: Format) -> Float {
        let small = self.below(41_u64).cast_signed() - 20;
        match self.below(6) {
            0 => Float::from_bits(self.draw(), format),
            1 => Float::from_int(
                Bits::from_signed(i128::from(small), 64),
                Signedness::Signed,
                format,
                NEAREST,
            ),
            2 => {
                // Around a power of two, where the unit in the last place changes.
                let exponent = self.below(1_u64 << format.exponent) << format.fraction_width();
                let near = exponent.wrapping_add_signed(small);
                Float::from_bits(near | self.below(2) << (format.width() - 1), format)
            }
            3 => {
                let infinity = rank_of_infinity(format);
                let corners = [0, -1, 1, -2, infinity, -1 - infinity, infinity - 1, -infinity];
                float_at(corners[self.below(8_usize)], format)
            }
            _ => {
                // Of moderate size, so that sums and products do not all overflow.
                let middle = rank_of_infinity(format) / 2;
                let spread = 12_u64 << format.fraction_width();
                let rank = middle + (self.below(2 * spread).cast_signed() - spread.cast_signed());
                let float = float_at(rank, format);
                if self.below(2) == 0 { float } else { float.neg() }
            }
        }
    }

    fn around(&mut self, value: Float) -> FloatInterval {
        let Some(rank) = value.order_index() else {
            return if self.below(2) == 0 {
                FloatInterval::only_nan(value.format())
            } else {
                FloatInterval::full(value.format())
            };
        };
        let reach = 1 << self.below(u64::from(value.format().width()));
        let (down, up) = match self.below(4) {
            0 => (0, 0),
            1 => (self.below(4), self.below(4)),
            _ => (self.below(reach), self.below(reach)),
        };
        let lo = rank.saturating_sub_unsigned(down);
        let hi = rank.saturating_add_unsigned(up);
        let numbers = FloatInterval::from_ranks(lo, hi, value.format()).expect("holds the value");
        if self.below(5) == 0 { numbers.with_nan() } else { numbers }
    }
}

/// The host's result of an operation on floats of either format.
fn on_host<const N: usize>(
    args: [Float; N],
    single: impl Fn([f32; N]) -> f32,
    double: impl Fn([f64; N]) -> f64,
) -> Float {
    if args[0].format() == Format::F32 {
        Float::from_f32(single(args.map(Float::to_f32)))
    } else {
        Float::from_f64(double(args.map(Float::to_f64)))
    }
}

/// Draws boxes around solutions and checks that they stay, and that bounds are tight where every
/// other operand is fixed and the operation is monotone.
fn check<const N: usize>(
    name: &str,
    apply: impl Fn([Float; N]) -> Float,
    narrow: impl Fn([FloatInterval; N], FloatInterval) -> Option<FloatBox<N>>,
) {
    for format in [Format::F32, Format::F64] {
        let mut random = Random::new(41);
        for _ in 0..SAMPLES {
            let args: [Float; N] = std::array::from_fn(|_| random.float(format));
            let result = apply(args);
            let domains = args.map(|arg| random.around(arg));
            let target = random.around(result);
            let context = || format!("{name} {args:?} = {result:?} in {domains:?}, {target:?}");
            let found = narrow(domains, target).unwrap_or_else(|| panic!("lost: {}", context()));
            assert!(found.result.contains(result), "{} gave {found:?}", context());
            for position in 0..N {
                assert!(found.args[position].contains(args[position]), "{} {found:?}", context());
            }
            let points = narrow(args.map(FloatInterval::point), FloatInterval::full(format));
            let value = points.expect("operations are total").result.value();
            assert_eq!(value, Some(result), "{}", context());
        }
    }
}

/// With the other operands fixed, the numbers left for one operand end in solutions, and widening
/// would add none.
fn check_tight<const N: usize>(
    name: &str,
    apply: impl Fn([Float; N]) -> Float,
    narrow: impl Fn([FloatInterval; N], FloatInterval) -> Option<FloatBox<N>>,
) {
    for format in [Format::F32, Format::F64] {
        let mut random = Random::new(43);
        for _ in 0..SAMPLES {
            let args: [Float; N] = std::array::from_fn(|_| random.float(format));
            let result = apply(args);
            if result.is_nan() {
                continue;
            }
            let position = random.below(N);
            let mut domains = args.map(FloatInterval::point);
            domains[position] = FloatInterval::all_numbers(format);
            let found = narrow(domains, FloatInterval::point(result)).expect("has a solution");
            let (lo, hi) = found.args[position].numbers().expect("has a number");
            let solves = |value: Float| {
                let mut tuple = args;
                tuple[position] = value;
                apply(tuple) == result
            };
            assert!(solves(lo) && solves(hi), "{name} {args:?} at {position}: {found:?}");
            // The neighbor may be a solution only when it has the other sign: the hull is per sign.
            for outside in [lo.order_index().map(|rank| rank - 1), hi.order_index().map(|r| r + 1)]
            {
                let outside = outside.and_then(|rank| Float::from_order_index(rank, format));
                assert!(
                    outside.is_none_or(|value| !solves(value)),
                    "{name} {args:?} at {position}: {found:?} lost {outside:?}"
                );
            }
        }
    }
}

#[test]
fn sums_and_differences() {
    let sum = |args: [Float; 2]| on_host(args, |[x, y]| x + y, |[x, y]| x + y);
    check("add", sum, |args, z| add::narrow_add(NEAREST, args, z));
    check_tight("add", sum, |args, z| add::narrow_add(NEAREST, args, z));
    let difference = |args: [Float; 2]| on_host(args, |[x, y]| x - y, |[x, y]| x - y);
    check("sub", difference, |args, z| sub::narrow_sub(NEAREST, args, z));
    check_tight("sub", difference, |args, z| sub::narrow_sub(NEAREST, args, z));
}

#[test]
fn products_and_quotients() {
    let product = |args: [Float; 2]| on_host(args, |[x, y]| x * y, |[x, y]| x * y);
    check("mul", product, |args, z| mul::narrow_mul(NEAREST, args, z));
    check_tight("mul", product, |args, z| mul::narrow_mul(NEAREST, args, z));
    let quotient = |args: [Float; 2]| on_host(args, |[x, y]| x / y, |[x, y]| x / y);
    check("div", quotient, |args, z| div::narrow_div(NEAREST, args, z));
    check_tight("div", quotient, |args, z| div::narrow_div(NEAREST, args, z));
}

#[test]
fn roots_and_fused_products() {
    let root = |args: [Float; 1]| on_host(args, |[x]| x.sqrt(), |[x]| x.sqrt());
    check("sqrt", root, |[x], z| sqrt::narrow_sqrt(NEAREST, x, z));
    check_tight("sqrt", root, |[x], z| sqrt::narrow_sqrt(NEAREST, x, z));
    let fused =
        |args: [Float; 3]| on_host(args, |[x, y, z]| x.mul_add(y, z), |[x, y, z]| x.mul_add(y, z));
    check("fma", fused, |args, r| fma::narrow_fma(NEAREST, args, r));
}

#[test]
fn rounding_and_remainder() {
    let even =
        |args: [Float; 1]| on_host(args, |[x]| x.round_ties_even(), |[x]| x.round_ties_even());
    check("round", even, |[x], z| round::narrow_round(NEAREST, x, z));
    check_tight("round", even, |[x], z| round::narrow_round(NEAREST, x, z));
    let floor = |args: [Float; 1]| on_host(args, |[x]| x.floor(), |[x]| x.floor());
    let downward = RoundingMode::TowardNegative;
    check("floor", floor, |[x], z| round::narrow_round(downward, x, z));
    let remainder = |args: [Float; 2]| on_host(args, |[x, y]| x % y, |[x, y]| x % y);
    check("fmod", remainder, fmod::narrow_fmod);
}

#[test]
fn conversions_between_single_and_double() {
    let mut random = Random::new(47);
    for _ in 0..SAMPLES {
        let double = random.float(Format::F64);
        let single = Float::from_f32(double.to_f64() as f32);
        let (x, z) = (random.around(double), random.around(single));
        let found = narrow_to_float(NEAREST, x, z).expect("has a solution");
        assert!(found.args[0].contains(double) && found.result.contains(single));
        let single = random.float(Format::F32);
        let double = Float::from_f64(f64::from(single.to_f32()));
        let (x, z) = (random.around(single), random.around(double));
        let found = narrow_to_float(NEAREST, x, z).expect("has a solution");
        assert!(found.args[0].contains(single) && found.result.contains(double));
    }
}

#[test]
fn conversions_with_integers() {
    let mut random = Random::new(53);
    let integer = IntegerType { width: 32, signedness: Signedness::Signed };
    let all = Span { lo: i128::from(i32::MIN), hi: i128::from(i32::MAX) };
    for _ in 0..SAMPLES {
        let value = random.draw() as i32 >> random.below(32);
        let single = Float::from_f32(value as f32);
        let found = narrow_from_integer(integer, NEAREST, all, FloatInterval::point(single));
        let (span, _) = found.expect("has a solution");
        assert!(span.lo <= i128::from(value) && i128::from(value) <= span.hi);
        for end in [span.lo, span.hi] {
            assert_eq!(end as f32, single.to_f32(), "the bounds convert to the same float");
        }
        let float = random.float(Format::F64);
        let whole = float.to_f64().trunc();
        let fits = f64::from(i32::MIN) <= whole && whole <= f64::from(i32::MAX);
        let expected = if fits { whole as i32 } else { 0 };
        let toward_zero = RoundingMode::TowardZero;
        let (x, n) = narrow_to_integer(integer, toward_zero, FloatInterval::point(float), all)
            .expect("has a solution");
        let key = key_of(Bits::from_signed(i128::from(expected), 32), Signedness::Signed);
        assert_eq!((x.value(), n), (Some(float), Span::point(key)));
    }
}

#[test]
fn a_difference_that_is_not_zero_bounds_its_operands() {
    // Above 2^54 neighboring doubles differ by 4 or more, so no difference lies in 1..=2.
    let all = FloatInterval::all_numbers(Format::F64);
    let target = FloatInterval::between(Float::from_f64(1.0), Float::from_f64(2.0));
    let found = sub::narrow_sub(NEAREST, [all, all], target.expect("ordered")).expect("solutions");
    for arg in found.args {
        let (lo, hi) = arg.numbers().expect("numbers");
        assert!(hi.to_f64() <= 2_f64.powi(55) && lo.to_f64() >= -(2_f64.powi(55)), "{found:?}");
    }
}
