//! The exhaustive kit for float projections: a naive operation, a projection, and the laws between them.

use glassbox_kernel::domain::float_interval::{
    FloatInterval, Rank, negated_rank, rank_of_infinity,
};
use glassbox_propagators::float::cover::FloatBox;
use glassbox_testkit::Random;
use glassbox_values::{Float, Format};

/// Three exponent bits, two stored significand bits: 58 numbers and NaN.
pub(crate) const TINY: Format = Format { exponent: 3, significand: 3 };

/// Every float of the tiny format: the numbers in order, then NaN.
pub(crate) fn universe() -> Vec<Float> {
    FloatInterval::full(TINY).iter().collect()
}

/// Intervals of the tiny format.
pub(crate) trait RandomIntervals {
    /// An interval: mostly numbers only, widths from one to all.
    fn interval(&mut self) -> FloatInterval;
}

impl RandomIntervals for Random {
    fn interval(&mut self) -> FloatInterval {
        let infinity = rank_of_infinity(TINY);
        let count = 2 * (infinity + 1);
        let mut pick =
            || negated_rank(infinity) + (self.draw() % count.cast_unsigned()).cast_signed();
        let (a, b) = (pick(), pick());
        let kind = self.below(8_u64);
        let (lo, hi): (Rank, Rank) = match kind {
            0 => (a, a),
            1 | 2 => (a, a + self.below(6_u64).cast_signed()),
            _ => (a.min(b), a.max(b)),
        };
        let numbers = FloatInterval::from_ranks(lo, hi, TINY).expect("lo <= hi");
        if self.below(4) == 0 { numbers.with_nan() } else { numbers }
    }
}

/// Points, and intervals of two and three numbers, each without and with NaN.
pub(crate) fn narrow_intervals() -> Vec<FloatInterval> {
    let infinity = rank_of_infinity(TINY);
    let mut found = vec![FloatInterval::only_nan(TINY)];
    for lo in negated_rank(infinity)..=infinity {
        for hi in lo..=(lo + 2).min(infinity) {
            let numbers = FloatInterval::from_ranks(lo, hi, TINY).expect("lo <= hi");
            found.push(numbers);
        }
        found.push(FloatInterval::from_ranks(lo, lo, TINY).expect("a point").with_nan());
    }
    found
}

/// How often a projection was asked, and how often it gave the exact hull.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Tally {
    pub(crate) boxes: u64,
    pub(crate) optimal: u64,
    pub(crate) fixpoints: u64,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |count: u64| 100.0 * count as f64 / self.boxes.max(1) as f64;
        write!(
            f,
            "{} boxes, {:.1} % optimal, {:.1} % at a fixpoint after one call",
            self.boxes,
            percent(self.optimal),
            percent(self.fixpoints)
        )
    }
}

/// An operation as a table over the universe, so that enumeration is cheap.
pub(crate) struct Table<const N: usize> {
    results: Vec<Float>,
    universe: Vec<Float>,
}

impl<const N: usize> Table<N> {
    pub(crate) fn of(apply: impl Fn([Float; N]) -> Float) -> Table<N> {
        let universe = universe();
        let count = universe.len();
        let total = count.pow(u32::try_from(N).expect("small arity"));
        let results = (0..total)
            .map(|mut code| {
                apply(std::array::from_fn(|_| {
                    let value = universe[code % count];
                    code /= count;
                    value
                }))
            })
            .collect();
        Table { results, universe }
    }

    /// The members of a domain, as positions in the universe.
    fn positions(&self, domain: FloatInterval) -> Vec<usize> {
        (0..self.universe.len()).filter(|&p| domain.contains(self.universe[p])).collect()
    }

    /// The exact hull of the solutions in a box.
    pub(crate) fn hull(
        &self,
        args: [FloatInterval; N],
        result: FloatInterval,
    ) -> Option<FloatBox<N>> {
        let choices = args.map(|arg| self.positions(arg));
        let mut hull: Option<FloatBox<N>> = None;
        let mut indices = [0_usize; N];
        loop {
            let mut code = 0;
            for position in (0..N).rev() {
                code = code * self.universe.len() + choices[position][indices[position]];
            }
            let value = self.results[code];
            if result.contains(value) {
                let point = FloatBox {
                    args: std::array::from_fn(|position| {
                        FloatInterval::point(self.universe[choices[position][indices[position]]])
                    }),
                    result: FloatInterval::point(value),
                };
                hull = Some(match hull {
                    None => point,
                    Some(old) => FloatBox {
                        args: std::array::from_fn(|p| old.args[p].join(&point.args[p])),
                        result: old.result.join(&point.result),
                    },
                });
            }
            let mut position = 0;
            loop {
                if position == N {
                    return hull;
                }
                indices[position] += 1;
                if indices[position] < choices[position].len() {
                    break;
                }
                indices[position] = 0;
                position += 1;
            }
        }
    }

    /// Checks one box: every solution kept, nothing grown, points decided.
    #[track_caller]
    pub(crate) fn check(
        &self,
        name: &str,
        narrow: impl Fn([FloatInterval; N], FloatInterval) -> Option<FloatBox<N>>,
        args: [FloatInterval; N],
        result: FloatInterval,
        tally: &mut Tally,
    ) {
        let exact = self.hull(args, result);
        let found = narrow(args, result);
        tally.boxes += 1;
        tally.optimal += u64::from(found == exact);
        let context = || format!("{name} of {args:?} in {result:?}: {found:?}, hull {exact:?}");
        match (found, exact) {
            (None, None) => tally.fixpoints += 1,
            (None, Some(_)) => panic!("lost every solution: {}", context()),
            (Some(found), exact) => {
                let shrunk = found.result.is_subset_of(result)
                    && (0..N).all(|p| found.args[p].is_subset_of(args[p]));
                assert!(shrunk, "grew: {}", context());
                if let Some(exact) = exact {
                    let kept = exact.result.is_subset_of(found.result)
                        && (0..N).all(|p| exact.args[p].is_subset_of(found.args[p]));
                    assert!(kept, "lost a solution: {}", context());
                }
                if args.iter().all(|arg| arg.is_fixed()) {
                    assert!(Some(found) == exact, "did not decide a point: {}", context());
                }
                tally.fixpoints += u64::from(narrow(found.args, found.result) == Some(found));
            }
        }
    }
}
