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
//! a bound that moves at most 2 log2 of the distance moved.

/// An ordered key with neighbors: a rank, or an integer.
pub trait Key: Copy + Ord + std::fmt::Debug {
    /// The next key up; never asked of the largest one in use.
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
/// `apply` must be defined on the whole box and follow `trends` there.
pub fn narrow<A: Key, R: Key, const N: usize>(
    apply: impl Fn([A; N]) -> R,
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
            let new = match trends[position] {
                Trend::Rising => {
                    Span { lo: least(old, reaches_up)?, hi: greatest(old, stays_down)? }
                }
                Trend::Falling => {
                    Span { lo: least(old, stays_down)?, hi: greatest(old, reaches_up)? }
                }
            };
            args[position] = Span::new(new.lo, new.hi)?;
            changed |= args[position] != old;
        }
        if !changed {
            break;
        }
    }
    let bottom = corner(&args, trends);
    let top = corner(&args, trends.map(Trend::flipped));
    result = result.meet(Span { lo: apply(bottom), hi: apply(top) })?;
    Some(Narrowed { args, result })
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

/// The least key of `span` with `holds`, which must stay true upwards once it is true.
pub fn least<K: Key>(span: Span<K>, holds: impl Fn(K) -> bool) -> Option<K> {
    if holds(span.lo) {
        return Some(span.lo);
    }
    // Invariant: `holds` is false at `fails` and, from the second loop on, true at `works`.
    let mut fails = span.lo;
    let mut exponent = 0;
    let mut works = loop {
        match fails.step_up(exponent, span.hi) {
            Some(key) if holds(key) => break key,
            Some(key) => fails = key,
            None if fails == span.hi || !holds(span.hi) => return None,
            None => break span.hi,
        }
        exponent += 1;
    };
    while fails.next() < works {
        let middle = fails.halfway(works);
        if holds(middle) {
            works = middle;
        } else {
            fails = middle;
        }
    }
    Some(works)
}

/// The greatest key of `span` with `holds`, which must stay true downwards once it is true.
pub fn greatest<K: Key>(span: Span<K>, holds: impl Fn(K) -> bool) -> Option<K> {
    if holds(span.hi) {
        return Some(span.hi);
    }
    // Invariant: as in `least`, mirrored.
    let mut fails = span.hi;
    let mut exponent = 0;
    let mut works = loop {
        match fails.step_down(exponent, span.lo) {
            Some(key) if holds(key) => break key,
            Some(key) => fails = key,
            None if fails == span.lo || !holds(span.lo) => return None,
            None => break span.lo,
        }
        exponent += 1;
    };
    while works.next() < fails {
        let middle = works.halfway(fails);
        if holds(middle) {
            works = middle;
        } else {
            fails = middle;
        }
    }
    Some(works)
}
