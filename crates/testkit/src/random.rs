//! The one generator of random numbers in tests: the same seed gives the same numbers on every machine.

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): every seed is a good one, zero included.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Any 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below the bound, which is positive.
    pub fn below<N: TryInto<u64> + TryFrom<u64>>(&mut self, bound: N) -> N {
        let bound = bound.try_into().ok().expect("the bound is positive and of at most 64 bits");
        N::try_from(self.draw() % bound).ok().expect("less than the bound")
    }

    /// A number of the closed range.
    pub fn range<N: Into<i128> + TryFrom<i128>>(&mut self, lo: N, hi: N) -> N {
        let (lo, hi) = (lo.into(), hi.into());
        N::try_from(lo + i128::from(self.draw()) % (hi - lo + 1)).ok().expect("between both ends")
    }

    /// Any 128 bits.
    pub fn wide(&mut self) -> u128 {
        u128::from(self.draw()) << 64 | u128::from(self.draw())
    }

    /// Any element of a list that is not empty.
    pub fn pick<T: Clone>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())].clone()
    }

    /// True once in `n` times on average.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn numbers_are_those_of_the_paper() {
        // The first outputs for the seed 1234567 of the reference implementation.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.draw(), 6_457_827_717_110_365_317);
        assert_eq!(random.draw(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn ranges_are_closed() {
        let mut random = Random::new(0);
        let seen: std::collections::BTreeSet<i128> =
            (0..200).map(|_| random.range(-2_i128, 3)).collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [-2, -1, 0, 1, 2, 3]);
    }
}
