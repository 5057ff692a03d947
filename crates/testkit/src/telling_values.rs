//! Numbers and texts that lean toward values that matter.

use crate::Random;

impl Random {
    pub fn integer(&mut self, width: u8) -> u64 {
        let top = 1u64 << (width - 1);
        match self.below(6) {
            0 => self.draw(),
            1 => self.pick(&[0, 1, u64::MAX, top, top - 1, top + 1, 2, 7]),
            2 => self.draw() >> (64 - u32::from(width) / 2),
            3 => 1u64 << self.below(width),
            _ => self.below(24_u64).wrapping_sub(8),
        }
    }

    pub fn float32(&mut self) -> u32 {
        const SPECIAL: [f32; 12] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            f32::NAN,
            f32::INFINITY,
            f32::NEG_INFINITY,
            f32::MAX,
            f32::MIN_POSITIVE,
            2_147_483_648.0,
            1e-45,
        ];
        match self.below(4) {
            0 => self.pick(&SPECIAL).to_bits(),
            1 => {
                let bits = self.draw() as u32;
                if f32::from_bits(bits).is_nan() { f32::NAN.to_bits() } else { bits }
            }
            _ => ((self.below(4000) as f32 - 2000.0) / 8.0).to_bits(),
        }
    }

    pub fn float64(&mut self) -> u64 {
        const SPECIAL: [f64; 14] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MAX,
            f64::MIN_POSITIVE,
            2_147_483_648.0,
            9_223_372_036_854_775_807.0,
            5e-324,
            0.1,
        ];
        match self.below(4) {
            0 => self.pick(&SPECIAL).to_bits(),
            1 => {
                let bits = self.draw();
                if f64::from_bits(bits).is_nan() { f64::NAN.to_bits() } else { bits }
            }
            _ => ((self.below(4000) as f64 - 2000.0) / 16.0).to_bits(),
        }
    }

    pub fn text(&mut self) -> Vec<u16> {
        const WORDS: [&str; 12] =
            ["", "a", "abc", "Aa", "BB", "12", "-7", "hello", " x ", "level", "\u{20ac}", "A1b2"];
        if self.below(3) > 0 {
            return self.pick(&WORDS).encode_utf16().collect();
        }
        let n_units = self.below(8);
        (0..n_units).map(|_| 97 + self.below(6) as u16).collect()
    }
}
