//! The hull of what the pieces of a float relation leave: one narrowing, collected piece by piece.
//!
//! A float operation is not one monotone function: it is undefined (NaN) on some combinations of
//! zeros and infinities and changes its trend with signs. Each operator's file cuts its arguments into
//! pieces on which it is monotone and defined, narrows each piece, and takes the hull here. This is
//! the case split of docs/papers/floats.md, rule B5 (infinities / zeros / numbers) with the sign rules added.

use glassbox_kernel::domain::float_interval::{
    FloatInterval, Rank, negated_rank, rank_of_infinity,
};
use glassbox_values::{Format, Sign};

use super::monotone::{Span, Trend, narrow};

/// The domains of an operator's arguments and result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FloatBox<const N: usize> {
    pub args: [FloatInterval; N],
    pub result: FloatInterval,
}

impl<const N: usize> FloatBox<N> {
    fn hull(self, other: FloatBox<N>) -> FloatBox<N> {
        FloatBox {
            args: std::array::from_fn(|position| self.args[position].join(&other.args[position])),
            result: self.result.join(&other.result),
        }
    }
}

/// The numbers of a domain as a span, if it has any.
pub(crate) fn span_of(domain: FloatInterval) -> Option<Span<Rank>> {
    domain.ranks().map(|(lo, hi)| Span { lo, hi })
}

/// A span of numbers as a domain.
pub(crate) fn interval_of(span: Span<Rank>, format: Format) -> FloatInterval {
    FloatInterval::from_ranks(span.lo, span.hi, format)
        .expect("a span should lie between the infinities")
}

/// Collects the pieces of one narrowing.
#[derive(Debug)]
pub(crate) struct Cover<const N: usize> {
    before: FloatBox<N>,
    found: Option<FloatBox<N>>,
}

impl<const N: usize> Cover<N> {
    pub(crate) fn new(args: [FloatInterval; N], result: FloatInterval) -> Cover<N> {
        Cover { before: FloatBox { args, result }, found: None }
    }

    /// For an operation that gives NaN as soon as one argument is NaN.
    pub(crate) fn strict(args: [FloatInterval; N], result: FloatInterval) -> Cover<N> {
        let mut cover = Cover::new(args, result);
        for position in 0..N {
            cover.add_nan_argument(position);
        }
        cover
    }

    /// Adds the solutions with each argument in its region, where `apply` is a number and follows
    /// `trends`; `guess` is for the search of `narrow`.
    pub(crate) fn add_piece(
        &mut self,
        regions: [Span<Rank>; N],
        trends: [Trend; N],
        apply: impl Fn([Rank; N]) -> Rank,
        guess: impl Fn(usize, Rank, [Rank; N]) -> Option<Rank>,
    ) {
        if self.is_full() {
            return;
        }
        let Some(result) = span_of(self.before.result) else { return };
        let Some(args) = self.numbers_in(regions) else { return };
        let Some(narrowed) = narrow(apply, guess, trends, args, result) else { return };
        self.add_box(FloatBox {
            args: std::array::from_fn(|position| {
                interval_of(narrowed.args[position], self.before.args[position].format())
            }),
            result: interval_of(narrowed.result, self.before.result.format()),
        });
    }

    /// Adds "argument `position` is NaN, the others are anything, the result is NaN".
    fn add_nan_argument(&mut self, position: usize) {
        let argument = self.before.args[position];
        if argument.may_be_nan() && self.before.result.may_be_nan() {
            let mut args = self.before.args;
            args[position] = FloatInterval::only_nan(argument.format());
            self.add_box(FloatBox { args, result: self.nan_result() });
        }
    }

    /// Adds "the operation is invalid, so the result is NaN" for arguments in these regions.
    pub(crate) fn add_invalid(&mut self, regions: [Span<Rank>; N]) {
        if self.before.result.may_be_nan()
            && let Some(args) = self.numbers_in(regions)
        {
            self.add_box(FloatBox {
                args: std::array::from_fn(|position| {
                    interval_of(args[position], self.before.args[position].format())
                }),
                result: self.nan_result(),
            });
        }
    }

    /// Adds a box that the caller has narrowed itself; it must lie in the box before.
    pub(crate) fn add_box(&mut self, piece: FloatBox<N>) {
        self.found = Some(match self.found {
            Some(found) => found.hull(piece),
            None => piece,
        });
    }

    /// The narrowed box, or `None` when no piece has a solution.
    pub(crate) fn finish(self) -> Option<FloatBox<N>> {
        self.found
    }

    // Nothing can be pruned any more, so further pieces need no look.
    fn is_full(&self) -> bool {
        self.found == Some(self.before)
    }

    fn nan_result(&self) -> FloatInterval {
        FloatInterval::only_nan(self.before.result.format())
    }

    fn numbers_in(&self, regions: [Span<Rank>; N]) -> Option<[Span<Rank>; N]> {
        let mut spans = regions;
        for (position, span) in spans.iter_mut().enumerate() {
            *span = span_of(self.before.args[position])?.meet(*span)?;
        }
        Some(spans)
    }
}

/// Both signs, for loops over the combinations of them.
pub(crate) const SIGNS: [Sign; 2] = [Sign::Positive, Sign::Negative];

/// `span` for positive numbers, its mirror image for negative ones.
pub(crate) fn mirrored(sign: Sign, span: Span<Rank>) -> Span<Rank> {
    match sign {
        Sign::Positive => span,
        Sign::Negative => Span { lo: negated_rank(span.hi), hi: negated_rank(span.lo) },
    }
}

/// The trend of a product in one factor, given the sign of the other.
pub(crate) fn trend_with(sign: Sign) -> Trend {
    match sign {
        Sign::Positive => Trend::Rising,
        Sign::Negative => Trend::Falling,
    }
}

/// Regions of the total order of one format.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Regions {
    infinity: Rank,
}

impl Regions {
    pub(crate) fn of(format: Format) -> Regions {
        Regions { infinity: rank_of_infinity(format) }
    }

    pub(crate) fn all(self) -> Span<Rank> {
        Span { lo: negated_rank(self.infinity), hi: self.infinity }
    }

    pub(crate) fn finite(self) -> Span<Rank> {
        Span { lo: negated_rank(self.infinity - 1), hi: self.infinity - 1 }
    }

    pub(crate) fn infinity(self, sign: Sign) -> Span<Rank> {
        mirrored(sign, Span::point(self.infinity))
    }

    /// Everything but the infinity of this sign.
    pub(crate) fn without_infinity(self, sign: Sign) -> Span<Rank> {
        mirrored(sign, Span { lo: negated_rank(self.infinity), hi: self.infinity - 1 })
    }

    pub(crate) fn zero(self, sign: Sign) -> Span<Rank> {
        mirrored(sign, Span::point(0))
    }

    /// Everything with this sign bit.
    pub(crate) fn signed(self, sign: Sign) -> Span<Rank> {
        mirrored(sign, Span { lo: 0, hi: self.infinity })
    }

    /// Zero and the finite numbers with this sign bit.
    pub(crate) fn signed_finite(self, sign: Sign) -> Span<Rank> {
        mirrored(sign, Span { lo: 0, hi: self.infinity - 1 })
    }

    /// The non-zero numbers with this sign bit, infinity included.
    pub(crate) fn signed_non_zero(self, sign: Sign) -> Span<Rank> {
        mirrored(sign, Span { lo: 1, hi: self.infinity })
    }
}
