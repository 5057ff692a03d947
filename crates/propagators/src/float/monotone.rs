//! Narrowing of `result = f(args)` for a function that is monotone in every argument.
//!
//! Relation: `result = f(args)` on a box where `f` is total and, per argument, rising or falling.
//! Strength: bounds. The direct projection evaluates `f` at two corners; the inverse projection of
//! an argument looks, by bisection over the ranks, for the least and greatest value that some choice
//! of the other arguments *within their real hull* still sends into the result. Because `f` is the
//! correctly rounded operation itself, a tie falls where the rounding mode sends it: for nearest-even
//! this is the midpoint rule of Botella, Gotlieb and Michel (STVR 2006) with both refinements that
//! the paper names and skips (parity of the last bit, inward rounding), and the other four modes come
//! for free.
//! Not pruned: values without support because of gaps, e.g. in x ⊕ y = z with z one odd float and y an
//! interval of even multiples of its unit, an x between the bounds that meets no float y.
//! Deviation from the paper: no wider format is needed. Cost: a bound that stays costs one evaluation,
//! a bound that moves 2 log2 of the distance from where the operator's inverse, rounded, guesses it:
//! mostly four or five evaluations.

/// An ordered key with neighbors: a rank, or an integer.
pub trait Key: Copy + Ord + std::fmt::Debug {
    /// The next key up; callers never pass the largest one.
    fn next(self) -> Self;
    /// A key from `self` up to but not including `above`, about halfway; `self < above`.
    fn halfway(self, above: Self) -> Self;
    /// `self` moved up by `2^exponent`, or `None` when that passes `limit`.
    fn step_up(self, exponent: u32, limit: Self) -> Option<Self>;
    /// `self` moved down by `2^exponent`, or `None` when that passes `limit`.
    fn step_down(self, exponent: u32, limit: Self) -> Option<Self>;
}

macro_rules! integer_key {
    ($integer:ty) => {
        impl Key for $integer {
            fn next(self) -> Self {
                self + 1
            }

            fn halfway(self, above: Self) -> Self {
                // The mean rounded down, without leaving the type.
                (self & above) + ((self ^ above) >> 1)
            }

            fn step_up(self, exponent: u32, limit: Self) -> Option<Self> {
                let step = (1 as $integer).checked_shl(exponent).filter(|step| *step > 0)?;
                self.checked_add(step).filter(|moved| *moved <= limit)
            }

            fn step_down(self, exponent: u32, limit: Self) -> Option<Self> {
                let step = (1 as $integer).checked_shl(exponent).filter(|step| *step > 0)?;
                self.checked_sub(step).filter(|moved| *moved >= limit)
            }
        }
    };
}

integer_key!(i64);
integer_key!(i128);

/// The keys from `lo` to `hi`, both included; never empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span<K> {
    pub lo: K,
    pub hi: K,
}

impl<K: Key> Span<K> {
    /// `lo..=hi`, or `None` when that is empty.
    pub fn new(lo: K, hi: K) -> Option<Span<K>> {
        (lo <= hi).then_some(Span { lo, hi })
    }

    pub fn point(key: K) -> Span<K> {
        Span { lo: key, hi: key }
    }

    /// The keys of both spans.
    pub fn meet(self, other: Span<K>) -> Option<Span<K>> {
        Span::new(self.lo.max(other.lo), self.hi.min(other.hi))
    }

    /// The least span with the keys of either.
    #[must_use]
    pub fn hull(self, other: Span<K>) -> Span<K> {
        Span { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }
}

/// How a function moves with one argument, the others held fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trend {
    /// Never goes down when the argument goes up.
    Rising,
    /// Never goes up when the argument goes up.
    Falling,
}

impl Trend {
    /// The trend seen through one more sign change.
    #[must_use]
    pub fn flipped(self) -> Trend {
        match self {
            Trend::Rising => Trend::Falling,
            Trend::Falling => Trend::Rising,
        }
    }
}

/// How often one call goes around all arguments. Gaps between floats can make a single constraint
/// creep; what is left then is left to the next call, which is sound.
const ROUNDS: usize = 4;

/// The box after one narrowing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Narrowed<A, R, const N: usize> {
    pub args: [Span<A>; N],
    pub result: Span<R>,
}

/// Shrinks the box around the solutions of `result = apply(args)`; `None` when it has none.
///
/// `apply` must be defined on the whole box and follow `trends` there. `guess(position, result, args)`
/// says about where argument `position` lies when the others are as in `args` and the result is
/// given; the search for a bound starts there. A wrong guess costs time, never a solution.
pub fn narrow<A: Key, R: Key, const N: usize>(
    apply: impl Fn([A; N]) -> R,
    guess: impl Fn(usize, R, [A; N]) -> Option<A>,
    trends: [Trend; N],
    mut args: [Span<A>; N],
    mut result: Span<R>,
) -> Option<Narrowed<A, R, N>> {
    for _ in 0..ROUNDS {
        let bottom = corner(&args, trends);
        let top = corner(&args, trends.map(Trend::flipped));
        result = result.meet(Span { lo: apply(bottom), hi: apply(top) })?;
        let mut changed = false;
        for position in 0..N {
            let old = args[position];
            let bottom = corner(&args, trends);
            let top = corner(&args, trends.map(Trend::flipped));
            let reaches_up = |key: A| apply(replaced(top, position, key)) >= result.lo;
            let stays_down = |key: A| apply(replaced(bottom, position, key)) <= result.hi;
            let near_lo = || guess(position, result.lo, top);
            let near_hi = || guess(position, result.hi, bottom);
            let (lo, hi) = match trends[position] {
                Trend::Rising => {
                    (least(old, near_lo, reaches_up)?, greatest(old, near_hi, stays_down)?)
                }
                Trend::Falling => {
                    (least(old, near_hi, stays_down)?, greatest(old, near_lo, reaches_up)?)
                }
            };
            args[position] = Span::new(lo, hi)?;
            changed |= args[position] != old;
        }
        if !changed {
            return Some(Narrowed { args, result });
        }
    }
    let bottom = corner(&args, trends);
    let top = corner(&args, trends.map(Trend::flipped));
    result = result.meet(Span { lo: apply(bottom), hi: apply(top) })?;
    Some(Narrowed { args, result })
}

/// For `narrow` when nothing is known of the inverse: the search starts at the old bound.
pub fn no_guess<A, R, const N: usize>(_: usize, _: R, _: [A; N]) -> Option<A> {
    None
}

/// The corner of the box where a function with these trends is least.
fn corner<A: Key, const N: usize>(args: &[Span<A>; N], trends: [Trend; N]) -> [A; N] {
    std::array::from_fn(|position| match trends[position] {
        Trend::Rising => args[position].lo,
        Trend::Falling => args[position].hi,
    })
}

fn replaced<A: Key, const N: usize>(mut point: [A; N], position: usize, key: A) -> [A; N] {
    point[position] = key;
    point
}

/// The least key of `span` with `holds`, which must stay true upwards once it is true. The search
/// starts at the guess.
pub fn least<K: Key>(
    span: Span<K>,
    guess: impl FnOnce() -> Option<K>,
    holds: impl Fn(K) -> bool,
) -> Option<K> {
    if holds(span.lo) {
        return Some(span.lo);
    }
    let start = guess().map_or(span.lo, |key| key.clamp(span.lo, span.hi));
    if start > span.lo && holds(start) {
        // Down from the guess, by steps that double, to the first key that fails.
        let mut works = start;
        let mut exponent = 0;
        while let Some(key) = works.step_down(exponent, span.lo) {
            if !holds(key) {
                return Some(bisect_up(key, works, holds));
            }
            works = key;
            exponent += 1;
        }
        return Some(bisect_up(span.lo, works, holds));
    }
    let mut fails = start;
    let mut exponent = 0;
    let works = loop {
        match fails.step_up(exponent, span.hi) {
            Some(key) if holds(key) => break key,
            Some(key) => fails = key,
            None if fails == span.hi || !holds(span.hi) => return None,
            None => break span.hi,
        }
        exponent += 1;
    };
    Some(bisect_up(fails, works, holds))
}

/// The least key with `holds`, given one below it where it fails and one where it works.
fn bisect_up<K: Key>(mut fails: K, mut works: K, holds: impl Fn(K) -> bool) -> K {
    while fails.next() < works {
        let middle = fails.halfway(works);
        if holds(middle) {
            works = middle;
        } else {
            fails = middle;
        }
    }
    works
}

/// The greatest key of `span` with `holds`, which must stay true downwards once it is true. The search
/// starts at the guess.
pub fn greatest<K: Key>(
    span: Span<K>,
    guess: impl FnOnce() -> Option<K>,
    holds: impl Fn(K) -> bool,
) -> Option<K> {
    if holds(span.hi) {
        return Some(span.hi);
    }
    let start = guess().map_or(span.hi, |key| key.clamp(span.lo, span.hi));
    if start < span.hi && holds(start) {
        let mut works = start;
        let mut exponent = 0;
        while let Some(key) = works.step_up(exponent, span.hi) {
            if !holds(key) {
                return Some(bisect_down(works, key, holds));
            }
            works = key;
            exponent += 1;
        }
        return Some(bisect_down(works, span.hi, holds));
    }
    let mut fails = start;
    let mut exponent = 0;
    let works = loop {
        match fails.step_down(exponent, span.lo) {
            Some(key) if holds(key) => break key,
            Some(key) => fails = key,
            None if fails == span.lo || !holds(span.lo) => return None,
            None => break span.lo,
        }
        exponent += 1;
    };
    Some(bisect_down(works, fails, holds))
}

/// The greatest key with `holds`, given one where it works and one above it where it fails.
fn bisect_down<K: Key>(mut works: K, mut fails: K, holds: impl Fn(K) -> bool) -> K {
    while works.next() < fails {
        let middle = works.halfway(fails);
        if holds(middle) {
            works = middle;
        } else {
            fails = middle;
        }
    }
    works
}
