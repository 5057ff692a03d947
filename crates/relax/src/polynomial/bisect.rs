//! Bisection of boxes: refute all of them, or propose a point.
//!
//! **Refutation** uses enclosures only, no tolerance, so `Refuted` means that no point of the box satisfies
//! all atoms (reals as reals, integers as integers). **Points** are proposed when they satisfy all atoms
//! up to the tolerance; the caller must evaluate them. A box that became too small to split is not
//! refuted: it makes the answer `Unknown` (docs/papers/relaxation.md, rule E7). Boxes are taken from a stack,
//! which visits far fewer of them than a queue (rule 1.1.7 there).

use super::bernstein::enclose;
use super::contract::{is_impossible, newton};
use super::interval::Interval;
use super::poly::Polynomial;
use super::{Numbers, PolynomialSystem, Sign};

/// Limits of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// Boxes looked at. Default 200.
    pub boxes: u32,
    /// How far from satisfied a proposed point of real variables may be, and the smallest side that is
    /// still split. Default 1e-6.
    pub tolerance: f64,
}

impl Default for Options {
    fn default() -> Options {
        Options { boxes: 200, tolerance: 1e-6 }
    }
}

/// What a search found.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// No point of the box satisfies the system.
    Refuted,
    /// A point that seems to satisfy the system.
    Candidate(Vec<f64>),
    Unknown,
}

/// Contraction passes over one box, at most.
const PASSES: usize = 6;

struct Search<'a> {
    system: &'a PolynomialSystem,
    // By atom, then by variable.
    derivatives: Vec<Vec<Polynomial>>,
    options: Options,
}

/// Searches the box of the system. Gives the answer and the number of boxes looked at.
pub fn solve(system: &PolynomialSystem, options: &Options) -> (Answer, u32) {
    let n_vars = system.space.len();
    let derivatives = system
        .atoms
        .iter()
        .map(|atom| (0..n_vars).map(|var| atom.polynomial.derivative(var)).collect())
        .collect();
    let search = Search { system, derivatives, options: *options };
    let mut stack = vec![system.space.clone()];
    let mut boxes = 0;
    let mut refuted = true;
    while let Some(space) = stack.pop() {
        if boxes >= options.boxes {
            return (Answer::Unknown, boxes);
        }
        boxes += 1;
        let Some(space) = search.contract(space) else { continue };
        let point = search.sample(&space);
        if search.satisfies(&point) {
            return (Answer::Candidate(point), boxes);
        }
        match search.split(&space) {
            Some((first, second)) => {
                stack.push(second);
                stack.push(first);
            }
            None => refuted = false,
        }
    }
    (if refuted { Answer::Refuted } else { Answer::Unknown }, boxes)
}

impl Search<'_> {
    /// A smaller box with the same solutions; `None` when there are none.
    fn contract(&self, mut space: Vec<Interval>) -> Option<Vec<Interval>> {
        for _ in 0..PASSES {
            let mut progress = false;
            for (var, numbers) in self.system.numbers.iter().enumerate() {
                if *numbers == Numbers::Integers {
                    space[var] = space[var].integers()?;
                }
            }
            for (atom, derivatives) in self.system.atoms.iter().zip(&self.derivatives) {
                if is_impossible(atom.sign, enclose(&atom.polynomial, &space)) {
                    return None;
                }
                for (var, derivative) in derivatives.iter().enumerate() {
                    if space[var].is_point() || atom.polynomial.degree(var) == 0 {
                        continue;
                    }
                    let before = space[var].width();
                    space[var] = newton(atom, derivative, &space, var)?;
                    progress |= space[var].width() < 0.9 * before;
                }
            }
            if !progress {
                break;
            }
        }
        for (var, numbers) in self.system.numbers.iter().enumerate() {
            if *numbers == Numbers::Integers {
                space[var] = space[var].integers()?;
            }
        }
        Some(space)
    }

    fn sample(&self, space: &[Interval]) -> Vec<f64> {
        space
            .iter()
            .zip(&self.system.numbers)
            .map(|(side, numbers)| match numbers {
                Numbers::Reals => side.middle(),
                Numbers::Integers => side.middle().floor().clamp(side.lo(), side.hi()),
            })
            .collect()
    }

    /// Exactly for systems of integers as far as the enclosure shows, within the tolerance otherwise.
    fn satisfies(&self, point: &[f64]) -> bool {
        let at: Vec<Interval> = point.iter().map(|value| Interval::point(*value)).collect();
        let all_integers = self.system.numbers.iter().all(|n| *n == Numbers::Integers);
        let slack = if all_integers { 0.0 } else { self.options.tolerance };
        self.system.atoms.iter().all(|atom| {
            let value = atom.polynomial.eval(&at);
            match atom.sign {
                Sign::Zero => {
                    value.lo() <= slack && value.hi() >= -slack && {
                        // A wide enclosure says nothing; insist that the middle is near zero.
                        value.middle().abs() <= slack.max(value.width())
                    }
                }
                Sign::AtMostZero => value.hi() <= slack,
                Sign::BelowZero => value.hi() < 0.0,
            }
        })
    }

    /// Two halves along the widest side (relative to the start), or `None` when all are too small.
    fn split(&self, space: &[Interval]) -> Option<(Vec<Interval>, Vec<Interval>)> {
        let splittable = |var: usize| match self.system.numbers[var] {
            Numbers::Integers => space[var].width() >= 1.0,
            Numbers::Reals => space[var].width() > self.options.tolerance,
        };
        let mut widest: Option<usize> = None;
        for var in (0..space.len()).filter(|var| splittable(*var)) {
            if widest.is_none_or(|best| space[var].width() > space[best].width()) {
                widest = Some(var);
            }
        }
        let var = widest?;
        let side = space[var];
        let middle = side.middle();
        let (left, right) = match self.system.numbers[var] {
            Numbers::Reals => (middle, middle),
            Numbers::Integers => (middle.floor(), middle.floor() + 1.0),
        };
        let mut first = space.to_vec();
        let mut second = space.to_vec();
        first[var] = Interval::new(side.lo(), left)?;
        second[var] = Interval::new(right, side.hi())?;
        // A side that cannot be halved in floats any more is too small.
        (first[var] != side && second[var] != side).then_some((first, second))
    }
}
