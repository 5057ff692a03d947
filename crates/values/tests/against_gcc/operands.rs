//! Operands: random ones, and the values where things tend to break.

use glassbox_testkit::Random;
use glassbox_values::{Float, Format, RoundingMode, Sign, Signedness, bits::Bits};

/// Operands of all sizes.
pub(crate) trait Operands {
    /// A number of up to 128 bits with a random number of significant ones, either sign.
    fn signed_bits(&mut self, width: u8) -> Bits;

    /// A float: any encoding, or one near the middle of the exponents, or a subnormal.
    fn float(&mut self, format: Format) -> Float;
}

impl Operands for Random {
    fn signed_bits(&mut self, width: u8) -> Bits {
        let raw = self.wide();
        let magnitude = Bits::new(raw, width).unsigned() >> self.below(u64::from(width));
        let bits = Bits::new(magnitude, width);
        if self.below(2) == 0 { bits } else { bits.neg() }
    }

    fn float(&mut self, format: Format) -> Float {
        let any = Float::from_bits(self.draw(), format);
        match self.below(4) {
            0 | 1 => any,
            2 => {
                let exponent = self.below(8) - 4;
                let bits = self.draw();
                let one = Float::one(Sign::Positive, format);
                let fraction = bits & ((1 << format.fraction_width()) - 1);
                let number = Float::from_bits(one.to_bits() | fraction, format);
                let number = number.scale(exponent, RoundingMode::NearestEven);
                if bits >> 63 == 0 { number } else { number.neg() }
            }
            _ => {
                let magnitude = self.draw() >> 1 & ((2 << format.fraction_width()) - 1);
                Float::from_bits(magnitude | (self.draw() & 1) << (format.width() - 1), format)
            }
        }
    }
}

pub(crate) fn corner_integers(width: u8) -> Vec<Bits> {
    let mut corners = Vec::new();
    for near in [Bits::zero(width), Bits::min_signed(width)] {
        for distance in -3..=3 {
            corners.push(near.add(Bits::from_i64(distance, width)));
        }
    }
    for exponent in (0..width).step_by(usize::from(width / 8).max(1)) {
        let power = Bits::one(width).shl(Bits::new(u128::from(exponent), 8));
        corners.extend([power, power.sub(Bits::one(width)), power.neg()]);
    }
    corners.sort_unstable();
    corners.dedup();
    corners
}

pub(crate) fn corner_floats(format: Format) -> Vec<Float> {
    let plus = Sign::Positive;
    let one = Float::one(plus, format);
    let least_normal = Float::from_bits(1 << format.fraction_width(), format);
    let mut corners = vec![
        Float::zero(plus, format),
        Float::min_subnormal(plus, format),
        Float::min_subnormal(plus, format).next_up(),
        least_normal.next_down(),
        least_normal,
        least_normal.next_up(),
        one.next_down(),
        one,
        one.next_up(),
        Float::max_finite(plus, format).next_down(),
        Float::max_finite(plus, format),
        Float::infinity(plus, format),
        Float::nan(format),
    ];
    let integers = [2, 3, 5, 10, 127, 128, 255, 256, 32767, 32768, 65535, 65536];
    let powers = [11, 23, 24, 31, 32, 52, 53, 62, 63, 64].map(|power| 1u128 << power);
    let near_powers = powers.map(|power| power - 1);
    for integer in integers.iter().chain(&powers).chain(&near_powers) {
        let integer = Bits::new(*integer, 128);
        let float =
            Float::from_int(integer, Signedness::Unsigned, format, RoundingMode::NearestEven);
        let half = float.scale(-1, RoundingMode::NearestEven);
        corners.extend([float, half, float.next_down(), half.next_up()]);
    }
    corners.extend(corners.clone().iter().map(|float| float.neg()));
    corners.sort_unstable();
    corners.dedup();
    corners
}
