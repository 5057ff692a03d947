//! rand, random and their seeds: glibc's additive feedback generator of 31 words.
//!
//! Only runs of whole programs have it; in tests these numbers are inputs.

use crate::catalog::Model;
use crate::env::{Answer, Env};

/// The functions of the catalogue that this file has bodies for.
pub(crate) const NATIVES: &[(&str, Model)] =
    &[("rand", next), ("random", next), ("srand", seed), ("srandom", seed)];

const WORDS: usize = 31;
const DISTANCE: usize = 3;

#[derive(Debug)]
pub(crate) struct Generator {
    words: [i32; WORDS],
    front: usize,
}

impl Generator {
    fn new(seed: u32) -> Generator {
        let mut words = [0; WORDS];
        let mut word = if seed == 0 { 1 } else { seed.cast_signed() };
        words[0] = word;
        for place in &mut words[1..] {
            let (high, low) = (i64::from(word / 127_773), i64::from(word % 127_773));
            let next = 16807 * low - 2836 * high;
            word = (if next < 0 { next + 2_147_483_647 } else { next }) as i32;
            *place = word;
        }
        let mut generator = Generator { words, front: DISTANCE };
        for _ in 0..10 * WORDS {
            generator.next();
        }
        generator
    }

    fn next(&mut self) -> u32 {
        let rear = (self.front + WORDS - DISTANCE) % WORDS;
        let sum = self.words[self.front].wrapping_add(self.words[rear]);
        self.words[self.front] = sum;
        self.front = (self.front + 1) % WORDS;
        sum.cast_unsigned() >> 1
    }
}

fn next(env: &mut Env<'_>) -> Answer {
    let generator = env.state.generator.get_or_insert_with(|| Generator::new(1));
    Ok(generator.next().into())
}

fn seed(env: &mut Env<'_>) -> Answer {
    env.state.generator = Some(Generator::new(env.int(0)?.cast_unsigned()));
    Ok(0)
}
