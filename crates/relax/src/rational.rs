//! Exact rational numbers with a fast path for small integers.
//!
//! Almost every number of a linear program over machine integers is an integer below 2^127 or a
//! fraction of two 64-bit numbers; those live inline. The rest overflows into `num-bigint`, chosen
//! because it is the pure-Rust big integer with the most users and the steadiest maintenance, and
//! because a big integer is all that is missing: a rational on top of it is this file.
//!
//! Representation: an integer that fits in `i128` is `Int`; another number whose reduced numerator
//! and denominator fit in `i64` is `Frac`; everything else is `Big`. The choice is a function of the
//! value, so equal numbers have equal representations and `Eq`/`Hash` may be derived.

use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use num_bigint::{BigInt, Sign};

/// An exact rational number.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational(Repr);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Int(i128),
    // Invariant: reduced, denominator >= 2.
    Frac(i64, i64),
    // Invariant: reduced, denominator >= 1, and neither `Int` nor `Frac` could hold it.
    Big(Box<(BigInt, BigInt)>),
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
            .unwrap_or_else(|| big_ratio(BigInt::from(numerator), BigInt::from(denominator)))
    }

    /// Two to the power `exponent`.
    pub fn power_of_two(exponent: u32) -> Rational {
        if exponent < 127 {
            Rational::int(1 << exponent)
        } else {
            big_ratio(BigInt::from(1) << exponent, BigInt::from(1))
        }
    }

    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Int(0))
    }

    pub fn is_integer(&self) -> bool {
        match &self.0 {
            Repr::Int(_) => true,
            Repr::Frac(..) => false,
            Repr::Big(parts) => parts.1 == BigInt::from(1),
        }
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Int(value) => value.signum() as i32,
            Repr::Frac(numerator, _) => numerator.signum() as i32,
            Repr::Big(parts) => match parts.0.sign() {
                Sign::Minus => -1,
                Sign::NoSign => 0,
                Sign::Plus => 1,
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
            Repr::Frac(numerator, denominator) => {
                Rational::int(i128::from(numerator.div_euclid(*denominator)))
            }
            Repr::Big(parts) => {
                let (numerator, denominator) = &**parts;
                let quotient = numerator / denominator;
                let exact = &quotient * denominator == *numerator;
                let down = !exact && numerator.sign() == Sign::Minus;
                let floor = if down { quotient - 1 } else { quotient };
                big_ratio(floor, BigInt::from(1))
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
    pub fn to_big(&self) -> (BigInt, BigInt) {
        match &self.0 {
            Repr::Int(value) => (BigInt::from(*value), BigInt::from(1)),
            Repr::Frac(numerator, denominator) => {
                (BigInt::from(*numerator), BigInt::from(*denominator))
            }
            Repr::Big(parts) => (**parts).clone(),
        }
    }

    /// `numerator / denominator` of big integers; the denominator must not be zero.
    pub fn from_big(numerator: BigInt, denominator: BigInt) -> Rational {
        assert!(denominator.sign() != Sign::NoSign, "denominator should not be zero");
        big_ratio(numerator, denominator)
    }

    /// What an operation with this number costs, in units of an operation on inline numbers.
    pub fn cost(&self) -> u64 {
        match &self.0 {
            Repr::Int(_) | Repr::Frac(..) => 1,
            Repr::Big(parts) => 16 + (parts.0.bits() + parts.1.bits()) / 16,
        }
    }

    /// Numerator and denominator, unless one of them needs a big integer.
    pub fn small_parts(&self) -> Option<(i128, i128)> {
        match &self.0 {
            Repr::Int(value) => Some((*value, 1)),
            Repr::Frac(numerator, denominator) => {
                Some((i128::from(*numerator), i128::from(*denominator)))
            }
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

/// The greatest common divisor; zero only when both are.
pub fn gcd(a: u128, b: u128) -> u128 {
    if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
        return u128::from(gcd_u64(a, b));
    }
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    while b != 0 {
        b >>= b.trailing_zeros();
        if a > b {
            (a, b) = (b, a);
        }
        b -= a;
    }
    a << shift
}

/// The greatest common divisor of big integers, never negative.
fn gcd_big(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut a, mut b) = (a.clone(), b.clone());
    while b.sign() != Sign::NoSign {
        let rest = &a % &b;
        a = b;
        b = rest;
    }
    if a.sign() == Sign::Minus { -a } else { a }
}

/// `None` when the reduced parts do not fit the inline forms.
fn small_ratio(numerator: i128, denominator: i128) -> Option<Rational> {
    if denominator == 1 {
        return Some(Rational::int(numerator));
    }
    let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs());
    let divisor = i128::try_from(divisor).ok()?;
    let (mut numerator, mut denominator) = (numerator / divisor, denominator / divisor);
    if denominator < 0 {
        numerator = numerator.checked_neg()?;
        denominator = denominator.checked_neg()?;
    }
    if denominator == 1 {
        return Some(Rational::int(numerator));
    }
    let numerator = i64::try_from(numerator).ok()?;
    let denominator = i64::try_from(denominator).ok()?;
    Some(Rational(Repr::Frac(numerator, denominator)))
}

/// Reduces and finds the canonical representation.
fn big_ratio(numerator: BigInt, denominator: BigInt) -> Rational {
    let divisor = gcd_big(&numerator, &denominator);
    let (mut numerator, mut denominator) = (numerator / &divisor, denominator / &divisor);
    if denominator.sign() == Sign::Minus {
        numerator = -numerator;
        denominator = -denominator;
    }
    if denominator == BigInt::from(1) {
        if let Ok(value) = i128::try_from(&numerator) {
            return Rational::int(value);
        }
    } else if let (Ok(numerator), Ok(denominator)) =
        (i64::try_from(&numerator), i64::try_from(&denominator))
    {
        return Rational(Repr::Frac(numerator, denominator));
    }
    Rational(Repr::Big(Box::new((numerator, denominator))))
}

fn checked_mul(a: i128, b: i128) -> Option<i128> {
    // Two 64-bit factors cannot overflow, and the check below is a library call.
    if i64::try_from(a).is_ok() && i64::try_from(b).is_ok() {
        Some(a * b)
    } else {
        a.checked_mul(b)
    }
}

fn add_small(a: &Rational, b: &Rational) -> Option<Rational> {
    if let (Repr::Int(a), Repr::Int(b)) = (&a.0, &b.0) {
        return a.checked_add(*b).map(Rational::int);
    }
    let ((an, ad), (bn, bd)) = (a.small_parts()?, b.small_parts()?);
    let numerator = checked_mul(an, bd)?.checked_add(checked_mul(bn, ad)?)?;
    small_ratio(numerator, checked_mul(ad, bd)?)
}

fn mul_small(a: &Rational, b: &Rational) -> Option<Rational> {
    if let (Repr::Int(a), Repr::Int(b)) = (&a.0, &b.0) {
        return checked_mul(*a, *b).map(Rational::int);
    }
    let ((an, ad), (bn, bd)) = (a.small_parts()?, b.small_parts()?);
    small_ratio(checked_mul(an, bn)?, checked_mul(ad, bd)?)
}

fn div_small(a: &Rational, b: &Rational) -> Option<Rational> {
    let ((an, ad), (bn, bd)) = (a.small_parts()?, b.small_parts()?);
    small_ratio(checked_mul(an, bd)?, checked_mul(ad, bn)?)
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
                small_ratio(-i128::from(*numerator), i128::from(*denominator))
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

    fn big(value: &Rational) -> (BigInt, BigInt) {
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
    fn by_big(numerator: BigInt, denominator: BigInt) -> Rational {
        Rational::from_big(numerator, denominator)
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
