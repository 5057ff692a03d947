//! Exact rational numbers with a fast path for small integers.
//!
//! Almost every number of a linear program over machine integers is an integer below 2^127 or a
//! fraction of two such numbers; those live inline. The rest overflows into `dashu-int`, a pure-Rust big
//! integer. It was chosen over `num-bigint` because reducing fractions is what costs here, and its
//! greatest common divisor was five times faster at 160 to 512 bits.
//!
//! Representation: an integer that fits in `i128` is `Int`; another number whose reduced numerator
//! and denominator fit in `i128` is `Frac`; everything else is `Big`. The choice is a function of the
//! value, so equal numbers have equal representations and `Eq`/`Hash` may be derived.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use dashu_base::{BitTest, Gcd, Sign, Signed};
use dashu_int::IBig;

/// An exact rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Int(i128),
    // Invariant: reduced, denominator >= 2.
    Frac(i128, i128),
    // Invariant: reduced, denominator >= 1, and neither `Int` nor `Frac` could hold it.
    Big(Box<(IBig, IBig)>),
}

impl Rational {
    pub const ZERO: Rational = Rational(Repr::Int(0));
    pub const ONE: Rational = Rational(Repr::Int(1));

    pub const fn int(value: i128) -> Rational {
        Rational(Repr::Int(value))
    }

    /// `numerator / denominator`; the denominator must not be zero.
    pub fn ratio(numerator: i128, denominator: i128) -> Rational {
        assert!(denominator != 0, "denominator should not be zero");
        small_ratio(numerator, denominator)
            .unwrap_or_else(|| big_ratio(IBig::from(numerator), IBig::from(denominator)))
    }

    /// Two to the power `exponent`.
    pub fn power_of_two(exponent: u32) -> Rational {
        if exponent < 127 {
            Rational::int(1 << exponent)
        } else {
            big_ratio(
                IBig::ONE << usize::try_from(exponent).expect("a shift should fit"),
                IBig::ONE,
            )
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Int(0))
    }

    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Int(_) => true,
            Repr::Frac(..) => false,
            Repr::Big(parts) => parts.1 == IBig::ONE,
        }
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Int(value) => value.signum() as i32,
            Repr::Frac(numerator, _) => numerator.signum() as i32,
            // Zero is never big.
            Repr::Big(parts) => match parts.0.sign() {
                Sign::Negative => -1,
                Sign::Positive => 1,
            },
        }
    }

    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    #[must_use]
    pub fn abs(&self) -> Rational {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// The value, if it is an integer of the host's widest type.
    pub fn to_i128(&self) -> Option<i128> {
        if let Repr::Int(value) = self.0 { Some(value) } else { None }
    }

    /// The largest integer at most `self`.
    #[must_use]
    pub fn floor(&self) -> Rational {
        match &self.0 {
            Repr::Int(_) => self.clone(),
            Repr::Frac(numerator, denominator) => Rational::int(numerator.div_euclid(*denominator)),
            Repr::Big(parts) => {
                let (numerator, denominator) = &**parts;
                let quotient = numerator / denominator;
                let exact = &quotient * denominator == *numerator;
                let down = !exact && numerator.sign() == Sign::Negative;
                let floor = if down { quotient - 1 } else { quotient };
                big_ratio(floor, IBig::ONE)
            }
        }
    }

    /// The smallest integer at least `self`.
    #[must_use]
    pub fn ceil(&self) -> Rational {
        -(-self).floor()
    }

    /// `floor` saturated to the host's widest type. Downward saturation at the top and upward
    /// saturation at the bottom are for callers that only compare with smaller numbers.
    pub fn floor_i128(&self) -> i128 {
        saturate(&self.floor())
    }

    pub fn ceil_i128(&self) -> i128 {
        saturate(&self.ceil())
    }

    /// The multiplicative inverse; `self` must not be zero.
    #[must_use]
    pub fn recip(&self) -> Rational {
        &Rational::ONE / self
    }

    /// The numerator and denominator of the reduced form, as big integers.
    pub fn to_big(&self) -> (IBig, IBig) {
        match &self.0 {
            Repr::Int(value) => (IBig::from(*value), IBig::ONE),
            Repr::Frac(numerator, denominator) => {
                (IBig::from(*numerator), IBig::from(*denominator))
            }
            Repr::Big(parts) => (**parts).clone(),
        }
    }

    /// What an operation with this number costs, in units of an operation on inline integers.
    pub fn cost(&self) -> u64 {
        match &self.0 {
            Repr::Int(_) => 1,
            Repr::Frac(..) => 6,
            Repr::Big(parts) => {
                8 + u64::try_from(parts.0.bit_len() + parts.1.bit_len()).unwrap_or(u64::MAX) / 32
            }
        }
    }

    /// Numerator and denominator, unless one of them needs a big integer.
    pub fn small_parts(&self) -> Option<(i128, i128)> {
        match &self.0 {
            Repr::Int(value) => Some((*value, 1)),
            Repr::Frac(numerator, denominator) => Some((*numerator, *denominator)),
            Repr::Big(_) => None,
        }
    }
}

fn saturate(integer: &Rational) -> i128 {
    match &integer.0 {
        Repr::Int(value) => *value,
        Repr::Frac(..) | Repr::Big(_) => {
            if integer.is_negative() {
                i128::MIN
            } else {
                i128::MAX
            }
        }
    }
}

/// The greatest common divisor; zero only when both are. (Stein's: shifts instead of 128-bit divisions.)
pub fn gcd(a: u128, b: u128) -> u128 {
    if a == 0 || b == 0 {
        return a | b;
    }
    if a == 1 || b == 1 {
        return 1;
    }
    let shift = (a | b).trailing_zeros();
    let (mut a, mut b) = (a >> a.trailing_zeros(), b >> b.trailing_zeros());
    while a != b {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(gcd_odd(a, b)) << shift;
        }
        if a > b {
            (a, b) = (b, a);
        }
        b -= a;
        b >>= b.trailing_zeros();
    }
    a << shift
}

/// The greatest common divisor of odd numbers.
fn gcd_odd(mut a: u64, mut b: u64) -> u64 {
    while a != b {
        if a > b {
            (a, b) = (b, a);
        }
        b -= a;
        b >>= b.trailing_zeros();
    }
    a
}

/// The greatest common divisor of the sizes of machine integers, when it is one itself.
fn gcd_i128(a: i128, b: i128) -> Option<i128> {
    i128::try_from(gcd(a.unsigned_abs(), b.unsigned_abs())).ok()
}

/// `None` when the reduced parts do not fit the inline forms.
fn small_ratio(numerator: i128, denominator: i128) -> Option<Rational> {
    if denominator == 1 {
        return Some(Rational::int(numerator));
    }
    let divisor = gcd_i128(numerator, denominator)?;
    let (mut numerator, mut denominator) = (numerator / divisor, denominator / divisor);
    if denominator < 0 {
        numerator = numerator.checked_neg()?;
        denominator = denominator.checked_neg()?;
    }
    Some(reduced(numerator, denominator))
}

/// The representation of a fraction in lowest terms with a positive denominator.
fn reduced(numerator: i128, denominator: i128) -> Rational {
    if denominator == 1 {
        Rational::int(numerator)
    } else {
        Rational(Repr::Frac(numerator, denominator))
    }
}

/// Reduces and finds the canonical representation.
fn big_ratio(numerator: IBig, denominator: IBig) -> Rational {
    if numerator.is_zero() {
        return Rational::ZERO;
    }
    let divisor = IBig::from((&numerator).gcd(&denominator));
    let (mut numerator, mut denominator) = (numerator / &divisor, denominator / &divisor);
    if denominator.is_negative() {
        numerator = -numerator;
        denominator = -denominator;
    }
    match (i128::try_from(&numerator), i128::try_from(&denominator)) {
        (Ok(numerator), Ok(denominator)) => reduced(numerator, denominator),
        _ => Rational(Repr::Big(Box::new((numerator, denominator)))),
    }
}

fn checked_mul(a: i128, b: i128) -> Option<i128> {
    // Two 64-bit factors cannot overflow, and the check below is a library call.
    if i64::try_from(a).is_ok() && i64::try_from(b).is_ok() {
        Some(a * b)
    } else {
        a.checked_mul(b)
    }
}

/// Division without rest; 128-bit division is a slow library call.
fn exact_div(a: i128, b: i128) -> i128 {
    if b == 1 {
        return a;
    }
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) if b > 0 => i128::from(a / b),
        _ => a / b,
    }
}

/// Knuth's sum: the common divisor of the denominators is taken out first, so that numbers stay small.
fn add_small(a: &Rational, b: &Rational) -> Option<Rational> {
    if let (Repr::Int(a), Repr::Int(b)) = (&a.0, &b.0) {
        return a.checked_add(*b).map(Rational::int);
    }
    let ((an, ad), (bn, bd)) = (a.small_parts()?, b.small_parts()?);
    let common = gcd_i128(ad, bd)?;
    let (ad_rest, bd_rest) = (exact_div(ad, common), exact_div(bd, common));
    let numerator = checked_mul(an, bd_rest)?.checked_add(checked_mul(bn, ad_rest)?)?;
    let shared = if common == 1 { 1 } else { gcd_i128(numerator, common)? };
    let denominator = checked_mul(ad_rest, exact_div(bd, shared))?;
    Some(reduced(exact_div(numerator, shared), denominator))
}

/// The factors are reduced crosswise, so that the product is in lowest terms.
fn mul_small(a: &Rational, b: &Rational) -> Option<Rational> {
    if let (Repr::Int(a), Repr::Int(b)) = (&a.0, &b.0) {
        return checked_mul(*a, *b).map(Rational::int);
    }
    let ((an, ad), (bn, bd)) = (a.small_parts()?, b.small_parts()?);
    if an == 0 || bn == 0 {
        return Some(Rational::ZERO);
    }
    let (first, second) = (gcd_i128(an, bd)?, gcd_i128(bn, ad)?);
    let numerator = checked_mul(exact_div(an, first), exact_div(bn, second))?;
    Some(reduced(numerator, checked_mul(exact_div(ad, second), exact_div(bd, first))?))
}

fn div_small(a: &Rational, b: &Rational) -> Option<Rational> {
    let (bn, bd) = b.small_parts()?;
    let (numerator, denominator) =
        if bn < 0 { (bd.checked_neg()?, bn.checked_neg()?) } else { (bd, bn) };
    mul_small(a, &reduced(numerator, denominator))
}

impl<'a> Add<&'a Rational> for &Rational {
    type Output = Rational;
    fn add(self, other: &'a Rational) -> Rational {
        add_small(self, other).unwrap_or_else(|| {
            let ((an, ad), (bn, bd)) = (self.to_big(), other.to_big());
            big_ratio(an * &bd + bn * &ad, ad * bd)
        })
    }
}

impl<'a> Sub<&'a Rational> for &Rational {
    type Output = Rational;
    fn sub(self, other: &'a Rational) -> Rational {
        self + &(-other)
    }
}

impl<'a> Mul<&'a Rational> for &Rational {
    type Output = Rational;
    fn mul(self, other: &'a Rational) -> Rational {
        mul_small(self, other).unwrap_or_else(|| {
            let ((an, ad), (bn, bd)) = (self.to_big(), other.to_big());
            big_ratio(an * bn, ad * bd)
        })
    }
}

impl<'a> Div<&'a Rational> for &Rational {
    type Output = Rational;
    fn div(self, other: &'a Rational) -> Rational {
        assert!(!other.is_zero(), "divisor should not be zero");
        div_small(self, other).unwrap_or_else(|| {
            let ((an, ad), (bn, bd)) = (self.to_big(), other.to_big());
            big_ratio(an * bd, ad * bn)
        })
    }
}

impl Neg for &Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        let small = match &self.0 {
            Repr::Int(value) => value.checked_neg().map(Rational::int),
            Repr::Frac(numerator, denominator) => {
                numerator.checked_neg().map(|numerator| reduced(numerator, *denominator))
            }
            Repr::Big(_) => None,
        };
        small.unwrap_or_else(|| {
            let (numerator, denominator) = self.to_big();
            big_ratio(-numerator, denominator)
        })
    }
}

impl Neg for Rational {
    type Output = Rational;
    fn neg(self) -> Rational {
        -&self
    }
}

impl AddAssign<&Rational> for Rational {
    fn add_assign(&mut self, other: &Rational) {
        *self = &*self + other;
    }
}

impl SubAssign<&Rational> for Rational {
    fn sub_assign(&mut self, other: &Rational) {
        *self = &*self - other;
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Rational) -> Ordering {
        if let (Repr::Int(a), Repr::Int(b)) = (&self.0, &other.0) {
            return a.cmp(b);
        }
        let small = || {
            let ((an, ad), (bn, bd)) = (self.small_parts()?, other.small_parts()?);
            Some(checked_mul(an, bd)?.cmp(&checked_mul(bn, ad)?))
        };
        small().unwrap_or_else(|| {
            let ((an, ad), (bn, bd)) = (self.to_big(), other.to_big());
            (an * bd).cmp(&(bn * ad))
        })
    }
}

impl PartialOrd for Rational {
    fn partial_cmp(&self, other: &Rational) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<i128> for Rational {
    fn from(value: i128) -> Rational {
        Rational::int(value)
    }
}

impl std::fmt::Display for Rational {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            Repr::Int(value) => write!(f, "{value}"),
            Repr::Frac(numerator, denominator) => write!(f, "{numerator}/{denominator}"),
            Repr::Big(parts) if self.is_integer() => write!(f, "{}", parts.0),
            Repr::Big(parts) => write!(f, "{}/{}", parts.0, parts.1),
        }
    }
}

impl std::fmt::Debug for Rational {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big(value: &Rational) -> (IBig, IBig) {
        value.to_big()
    }

    /// Numbers around every edge of the representations.
    fn samples() -> Vec<Rational> {
        let edges: [i128; 15] = [
            0,
            1,
            -1,
            2,
            3,
            -7,
            i128::from(i64::MAX),
            i128::from(i64::MIN),
            i128::from(i64::MAX) + 1,
            i128::from(i64::MIN) - 1,
            1 << 64,
            i128::MAX,
            i128::MIN,
            i128::MAX - 1,
            i128::MIN + 1,
        ];
        let mut all = Vec::new();
        for &numerator in &edges {
            for &denominator in &edges {
                if denominator != 0 {
                    all.push(Rational::ratio(numerator, denominator));
                }
            }
        }
        all
    }

    /// The same number through big integers only: canonical form must not depend on the way.
    fn by_big(numerator: IBig, denominator: IBig) -> Rational {
        big_ratio(numerator, denominator)
    }

    #[test]
    fn operations_agree_with_big_integers_at_every_edge() {
        let all = samples();
        for a in &all {
            let (an, ad) = big(a);
            assert_eq!(by_big(an.clone(), ad.clone()), *a);
            assert_eq!(-a, by_big(-&an, ad.clone()));
            for b in &all {
                let (bn, bd) = big(b);
                assert_eq!(a + b, by_big(&an * &bd + &bn * &ad, &ad * &bd), "{a} + {b}");
                assert_eq!(a - b, by_big(&an * &bd - &bn * &ad, &ad * &bd), "{a} - {b}");
                assert_eq!(a * b, by_big(&an * &bn, &ad * &bd), "{a} * {b}");
                if !b.is_zero() {
                    assert_eq!(a / b, by_big(&an * &bd, &ad * &bn), "{a} / {b}");
                }
                assert_eq!(a.cmp(b), (&an * &bd).cmp(&(&bn * &ad)), "{a} <=> {b}");
            }
        }
    }

    #[test]
    fn floor_and_ceil_enclose() {
        for a in samples() {
            let (floor, ceil) = (a.floor(), a.ceil());
            assert!(floor.is_integer() && ceil.is_integer());
            assert!(floor <= a && a <= ceil && &ceil - &floor <= Rational::ONE);
            assert_eq!(floor == ceil, a.is_integer());
        }
        assert_eq!(Rational::ratio(-7, 2).floor(), Rational::int(-4));
        assert_eq!(Rational::ratio(-7, 2).ceil(), Rational::int(-3));
    }

    #[test]
    fn gcd_of_small_and_wide_numbers() {
        for a in 0..40_u128 {
            for b in 0..40_u128 {
                let naive = (1..=40).rev().find(|d| a % d == 0 && b % d == 0 && (a, b) != (0, 0));
                assert_eq!(gcd(a, b), naive.unwrap_or(0));
            }
        }
        assert_eq!(gcd(1 << 100, 3 << 90), 1 << 90);
    }
}
