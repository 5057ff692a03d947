//! The search: hill climbing on the distance, one input at a time, from many starting points.
//!
//! A climb tries, for each input, steps of ±2^k in the order of the sort (units in the last place for
//! floats, differences modulo 2^n for vectors), from the largest to the smallest, and doubles a step that
//! helps as long as it helps: the alternating variable method of Korel (TSE 1990), in the key order of
//! XSat (Fu and Su, CAV 2016); Newton steps on all float inputs at once come before (`newton`). Where it
//! is slow it moves inputs in pairs; where it is stuck it first makes the conjuncts that fail weigh more,
//! then shakes several inputs at once, then starts elsewhere. Everything is deterministic in the seed.

use glassbox_terms::{Model, Sort, TermId, Terms};
use glassbox_values::{Float, Format};

use crate::distance::{Distances, Scale};
use crate::native::mask;
use crate::newton::{self, Held};
use crate::random::Random;
use crate::start::Palette;
use crate::tape::{Input, State, Tape};

/// How a search ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Descent {
    /// Values for which every assertion holds, if such were found.
    pub model: Option<Model>,
    /// Tape instructions run.
    pub steps: u64,
    /// Starting points tried.
    pub starts: u64,
}

/// Looks for a model of the conjunction of `assertions` with at most about `budget` tape instructions.
/// Variables that occur in no assertion, and arrays and vectors wider than 64 bits, keep the values
/// of `start_model`.
pub fn descend(
    terms: &Terms,
    assertions: &[TermId],
    start_model: &Model,
    budget: u64,
    seed: u64,
) -> Descent {
    let tape = Tape::compile(terms, assertions);
    let distances = Distances::compile(terms, &tape, assertions);
    let palette = Palette::new(terms, &tape, assertions);
    let state = tape.start(terms, start_model);
    let mut climber = Climber {
        tape: &tape,
        newton_inputs: newton::float_inputs(&tape),
        palette: &palette,
        distances,
        state,
        distance: u128::MAX,
        random: Random::new(seed),
        budget,
    };
    let starts = climber.run();
    let model = (climber.distance == 0).then(|| tape.model(&climber.state, start_model));
    Descent { model, steps: climber.state.steps, starts }
}

/// How often a climb that is stuck raises weights before it shakes.
const WEIGHT_ROUNDS: usize = 4;

/// How many joint moves of several inputs a climb tries before it gives up.
const SHAKES: usize = 60;

/// Pairs of inputs are searched together up to this many inputs.
const MAX_PAIRED: usize = 6;

/// Newton steps in one round of a climb; in a valley they can go on for very long.
const NEWTON_STEPS: usize = 16;

/// Kinds of Newton steps, tried one after another until one helps.
const NEWTON_KINDS: [(Held, f64); 4] =
    [(Held::No, 1e-9), (Held::Yes, 1e-9), (Held::No, 1e-3), (Held::Yes, 1.0)];

/// Shares of a Newton step, tried one after another until one helps.
const NEWTON_SHARES: [f64; 4] = [1.0, 0.5, 0.125, 2.0];

struct Climber<'a> {
    tape: &'a Tape,
    newton_inputs: Vec<(usize, Format)>,
    palette: &'a Palette,
    distances: Distances,
    state: State,
    // Of the state; zero when every assertion holds.
    distance: u128,
    random: Random,
    budget: u64,
}

impl Climber<'_> {
    /// Climbs from one starting point after another; returns how many.
    fn run(&mut self) -> u64 {
        self.distance = self.measure();
        let mut starts = 0;
        loop {
            starts += 1;
            self.climb();
            if self.is_over() {
                return starts;
            }
            self.restart(starts);
            if self.tape.inputs.is_empty() {
                return starts;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.distance == 0 || self.state.steps >= self.budget
    }

    fn measure(&mut self) -> u128 {
        // Measuring costs about as much as the comparisons it looks at.
        self.state.steps += self.distances.n_nodes() + 1;
        self.distances.measure(&self.state)
    }

    /// A new starting point: values of the palette one after another and random ones in turn, each
    /// on both scales.
    fn restart(&mut self, starts: u64) {
        self.distances.reset_weights();
        self.distances.scale =
            if starts.is_multiple_of(2) { Scale::Linear } else { Scale::Logarithmic };
        let from_palette = (starts / 2).is_multiple_of(2);
        let round = usize::try_from(starts / 4).unwrap_or(usize::MAX);
        let mut start = Vec::with_capacity(self.tape.inputs.len());
        for (index, input) in self.tape.inputs.iter().enumerate() {
            let values = self.palette.values(index);
            let bits = match values.get(round) {
                Some(&value) if from_palette => value,
                Some(_) | None => self.palette.draw(index, input, &mut self.random),
            };
            start.push((index, bits));
        }
        self.tape.set_all(&mut self.state, &start);
        self.distance = self.measure();
    }

    /// Goes downhill from the present state until nothing helps any more.
    fn climb(&mut self) {
        let mut n_raised = 0;
        while !self.is_over() {
            let before = self.distance;
            let mut improved = self.search_newton();
            for input in 0..self.tape.inputs.len() {
                improved |= self.search_input(input);
                if self.is_over() {
                    return;
                }
            }
            // Progress that is too slow is a valley: pairs of inputs go along it faster.
            if improved && (self.distance < before - before / 64 || self.search_pairs()) {
                continue;
            }
            if improved && self.distance < before {
                continue;
            }
            if n_raised < WEIGHT_ROUNDS && self.distances.n_goals() > 1 {
                n_raised += 1;
                // The state last measured may be one that was tried and left.
                self.measure();
                self.distances.raise_weights();
                self.distance = self.measure();
            } else if !self.search_pairs() && !self.shake() {
                return;
            }
        }
    }

    /// Changes one input for the better, as long as that is possible; whether it was.
    fn search_input(&mut self, index: usize) -> bool {
        let input = self.tape.inputs[index];
        let mut best = self.bits(index);
        let mut improved = false;
        for exponent in (0..step_exponents(input.sort)).rev() {
            for upwards in [true, false] {
                let mut step = exponent;
                // A step that helps is doubled until it no longer does.
                while let Some(bits) = moved(&input, best, step, upwards) {
                    if self.is_over() || !self.try_bits(index, bits) {
                        break;
                    }
                    best = bits;
                    improved = true;
                    step += 1;
                    if self.distance == 0 {
                        return true;
                    }
                }
            }
        }
        self.tape.set(&mut self.state, index, best);
        improved
    }

    /// Takes Newton steps as long as they help, up to a bound; whether one did.
    fn search_newton(&mut self) -> bool {
        let mut improved = false;
        for _ in 0..NEWTON_STEPS {
            let helped = NEWTON_KINDS.iter().any(|&(held, damping)| {
                let inputs = &self.newton_inputs;
                let state = &mut self.state;
                let found = newton::step(self.tape, &self.distances, state, inputs, held, damping);
                found.is_some_and(|step| {
                    NEWTON_SHARES.iter().any(|&share| self.try_all(&step.taken(share)))
                })
            });
            if !helped || self.is_over() {
                return improved | helped;
            }
            improved = true;
        }
        improved
    }

    /// Tries values for several inputs at once; keeps them when that is better.
    fn try_all(&mut self, values: &[(usize, u64)]) -> bool {
        let old: Vec<(usize, u64)> =
            values.iter().map(|&(index, _)| (index, self.bits(index))).collect();
        self.tape.set_all(&mut self.state, values);
        let distance = self.measure();
        if distance < self.distance {
            self.distance = distance;
            return true;
        }
        self.tape.set_all(&mut self.state, &old);
        false
    }

    /// Moves one input and lets another follow, for every pair, so that a climb can go along a valley
    /// that no single input follows; whether that helped.
    fn search_pairs(&mut self) -> bool {
        let n_inputs = self.tape.inputs.len();
        if n_inputs > MAX_PAIRED {
            return false;
        }
        for leader in 0..n_inputs {
            for follower in (0..n_inputs).filter(|&other| other != leader) {
                if self.search_pair(leader, follower) {
                    return true;
                }
            }
        }
        false
    }

    /// As `search_input` for the leader, where each step is judged after the follower has moved too.
    fn search_pair(&mut self, leader: usize, follower: usize) -> bool {
        let input = self.tape.inputs[leader];
        let mut best = (self.bits(leader), self.bits(follower), self.distance);
        let mut improved = false;
        for exponent in (0..step_exponents(input.sort)).rev() {
            for upwards in [true, false] {
                let mut step = exponent;
                while let Some(bits) = moved(&input, best.0, step, upwards) {
                    self.tape.set(&mut self.state, leader, bits);
                    self.distance = self.measure();
                    self.search_input(follower);
                    if self.distance >= best.2 {
                        break;
                    }
                    best = (bits, self.bits(follower), self.distance);
                    improved = true;
                    step += 1;
                    if self.is_over() {
                        return true;
                    }
                }
                self.tape.set(&mut self.state, leader, best.0);
                self.tape.set(&mut self.state, follower, best.1);
                self.distance = best.2;
                if self.is_over() {
                    return improved;
                }
            }
        }
        improved
    }

    /// Tries a value; keeps its distance when it is better. The state holds the value either way.
    fn try_bits(&mut self, index: usize, bits: u64) -> bool {
        self.tape.set(&mut self.state, index, bits);
        let distance = self.measure();
        let better = distance < self.distance;
        if better {
            self.distance = distance;
        }
        better
    }

    /// Moves several inputs at once by random steps, or one to a value of the palette; whether that
    /// helped.
    fn shake(&mut self) -> bool {
        let n_inputs = self.tape.inputs.len();
        for _ in 0..SHAKES {
            if n_inputs == 0 || self.is_over() {
                return false;
            }
            let n_moved = 1 + self.random.below(n_inputs.min(3));
            let moves: Vec<(usize, u64)> = (0..n_moved)
                .map(|_| {
                    let index = self.random.below(n_inputs);
                    (index, self.shaken(index))
                })
                .collect();
            if self.try_all(&moves) {
                return true;
            }
        }
        false
    }

    fn shaken(&mut self, index: usize) -> u64 {
        let input = self.tape.inputs[index];
        let values = self.palette.values(index);
        if !values.is_empty() && self.random.below(4) == 0 {
            return values[self.random.below(values.len())];
        }
        let exponents = usize::try_from(step_exponents(input.sort)).unwrap_or(1);
        let exponent = u32::try_from(self.random.below(exponents)).unwrap_or(0);
        let upwards = self.random.below(2) == 0;
        let old = self.bits(index);
        moved(&input, old, exponent, upwards).unwrap_or(old)
    }

    fn bits(&self, index: usize) -> u64 {
        self.state.registers[self.tape.inputs[index].register as usize]
    }
}

/// Steps of 2^0 up to below 2^this make sense for the sort.
fn step_exponents(sort: Sort) -> u32 {
    match sort {
        Sort::Bool => 1,
        Sort::Bv(width) => u32::from(width),
        Sort::Float(format) => u32::from(format.width()) - 1,
        Sort::Array { .. } => 0,
    }
}

/// The value 2^exponent away in the order of the sort, if there is one.
fn moved(input: &Input, bits: u64, exponent: u32, upwards: bool) -> Option<u64> {
    let step = 1_u64.checked_shl(exponent)?;
    match input.sort {
        Sort::Bool => (exponent == 0 && upwards).then_some(bits ^ 1),
        Sort::Bv(width) => {
            if exponent >= u32::from(width) {
                return None;
            }
            let sum = if upwards { bits.wrapping_add(step) } else { bits.wrapping_sub(step) };
            Some(sum & mask(width))
        }
        Sort::Float(format) => moved_float(bits, format, step, upwards),
        Sort::Array { .. } => None,
    }
}

fn moved_float(bits: u64, format: Format, step: u64, upwards: bool) -> Option<u64> {
    // From NaN every way leads to zero.
    let rank = Float::from_bits(bits, format).order_index().unwrap_or(0);
    let rank =
        if upwards { rank.checked_add_unsigned(step)? } else { rank.checked_sub_unsigned(step)? };
    Float::from_order_index(rank, format).map(Float::to_bits)
}
