//! Congruences: unsigned value ≡ residue modulo an odd modulus.
//!
//! Powers of two are the business of known bits, so the modulus is kept odd. Source: Granger's
//! congruences, restricted to the unsigned reading of a vector; a wrap-around of 2^n is not a
//! multiple of an odd modulus, so arithmetic keeps a congruence only where nothing wraps.

/// `value ≡ residue (mod modulus)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Congruence {
    // Invariant: modulus is odd, residue < modulus.
    modulus: u64,
    residue: u64,
}

/// The intersection of two congruences among the numbers up to a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Common {
    Empty,
    /// One number only.
    Point(u64),
    Class(Congruence),
}

impl Congruence {
    pub const ANY: Congruence = Congruence { modulus: 1, residue: 0 };

    /// The odd part of `value ≡ residue (mod modulus)`, and the low bits that the even part fixes:
    /// their count. `modulus` must not be zero.
    pub fn new(residue: u64, modulus: u64) -> (Congruence, u32) {
        let low = modulus.trailing_zeros();
        let odd = modulus >> low;
        (Congruence { modulus: odd, residue: residue % odd }, low)
    }

    #[inline]
    pub fn is_any(self) -> bool {
        self.modulus == 1
    }

    pub fn modulus(self) -> u64 {
        self.modulus
    }

    pub fn residue(self) -> u64 {
        self.residue
    }

    #[inline]
    pub fn contains(self, value: u64) -> bool {
        self.modulus == 1 || value % self.modulus == self.residue
    }

    /// The least member that is at least `from`, unless it exceeds `max`.
    pub fn next(self, from: u64, max: u64) -> Option<u64> {
        let rest = from % self.modulus;
        let step = if rest <= self.residue {
            self.residue - rest
        } else {
            self.modulus - rest + self.residue
        };
        from.checked_add(step).filter(|&value| value <= max)
    }

    /// The greatest member that is at most `from`.
    pub fn previous(self, from: u64) -> Option<u64> {
        let rest = from % self.modulus;
        let step = if self.residue <= rest {
            rest - self.residue
        } else {
            rest + (self.modulus - self.residue)
        };
        from.checked_sub(step)
    }

    /// What both allow among `0..=max` (Chinese remainders).
    pub fn meet(self, other: Congruence, max: u64) -> Common {
        if other.is_any() {
            return Common::Class(self);
        }
        if self.is_any() {
            return Common::Class(other);
        }
        let (gcd, inverse) = gcd_and_inverse(self.modulus, other.modulus);
        let difference = i128::from(other.residue) - i128::from(self.residue);
        if difference % i128::from(gcd) != 0 {
            return Common::Empty;
        }
        // self.residue + self.modulus * t ≡ other.residue (mod other.modulus).
        let step = i128::from(other.modulus / gcd);
        let t = ((difference / i128::from(gcd)) % step * (inverse % step)).rem_euclid(step);
        let lcm = u128::from(self.modulus) * u128::from(other.modulus / gcd);
        let value = u128::from(self.residue) + u128::from(self.modulus) * t.cast_unsigned();
        if value > u128::from(max) {
            return Common::Empty;
        }
        let value = u64::try_from(value).expect("at most max");
        match u64::try_from(lcm) {
            Ok(modulus) if modulus <= max => Common::Class(Congruence { modulus, residue: value }),
            Ok(_) | Err(_) => Common::Point(value),
        }
    }

    /// The strongest congruence both imply.
    #[must_use]
    pub fn join(self, other: Congruence) -> Congruence {
        let modulus = gcd(gcd(self.modulus, other.modulus), self.residue.abs_diff(other.residue));
        if modulus == 0 {
            return self;
        }
        Congruence::new(self.residue, modulus).0
    }
}

/// The greatest common divisor; `gcd(0, b) = b`.
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// `(g, u)` with `g = gcd(a, m)` and `a * u ≡ g (mod m)`, `u` of size at most `m`.
fn gcd_and_inverse(a: u64, m: u64) -> (u64, i128) {
    let (mut r0, mut r1) = (i128::from(a), i128::from(m));
    let (mut u0, mut u1) = (1i128, 0i128);
    while r1 != 0 {
        let quotient = r0 / r1;
        (r0, r1) = (r1, r0 - quotient * r1);
        (u0, u1) = (u1, u0 - quotient * u1);
    }
    (u64::try_from(r0).expect("a gcd of unsigned numbers"), u0)
}

/// The inverse of an odd number modulo 2^64 (and so modulo every smaller power of two).
pub fn inverse_of_odd(odd: u64) -> u64 {
    // Newton: each round doubles the number of right bits; odd * odd ≡ 1 modulo 8 starts with three.
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}
