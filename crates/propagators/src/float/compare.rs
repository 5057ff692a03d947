//! Comparisons with a truth value: `truth ⇔ x == y`, `x < y`, `x <= y` (IEEE) and `x = y` (SMT-LIB).
//!
//! Relation: the IEEE comparisons are false when an operand is NaN and do not tell the zeros apart;
//! SMT-LIB equality has NaN = NaN and -0 ≠ +0.
//! Strength: bounds for each truth value, then the hull; the truth value is decided as soon as one
//! side has no solution.
//! Not pruned: inner values of a disequality, and everything that both truth values allow.
//! Source: Botella, Gotlieb, Michel, STVR 2006, figure 7. Its strict rules take the neighbor after
//! the maximum and so empty `0.0 < X`; the neighbor belongs to the other operand's bound (docs/papers/floats.md,
//! rule B4; `strict_comparison_with_a_constant_keeps_the_constant` shows it). Zeros are widened as
//! docs/papers/floats.md, rule B4 asks.

use glassbox_kernel::domain::Truth;
use glassbox_kernel::domain::float_interval::{FloatInterval, Rank};
use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};

use super::classify::{Class, narrow_class};
use super::cover::{interval_of, span_of};
use super::monotone::Span;
use super::store::{write_float, write_truth};
use crate::relation::Relation;

/// Which comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// IEEE `==`.
    FpEq,
    /// IEEE `<`.
    FpLt,
    /// IEEE `<=`.
    FpLe,
    /// SMT-LIB `=`: the same float.
    Same,
}

/// The domains of a reified comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ComparisonBox {
    pub truth: Truth,
    pub args: [FloatInterval; 2],
}

impl Relation for Comparison {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let comparison = *self;
        if args[1] == args[2] {
            return propagate_with_itself(comparison, args, store);
        }
        let domains = [*store.float(args[1]), *store.float(args[2])];
        let truth = store.truth(args[0]);
        let Some(narrowed) = narrow_comparison(comparison, truth, domains) else {
            return Err(store.fail(Premises::ALL));
        };
        write_truth(store, args, 0, narrowed.truth, 3)?;
        write_float(store, args, 1, narrowed.args[0], 3)?;
        write_float(store, args, 2, narrowed.args[1], 3)?;
        let entailed = narrowed
            .truth
            .value()
            .is_some_and(|truth| assume(comparison, !truth, narrowed.args).is_none());
        Ok(if entailed { Status::Entailed } else { Status::Stay })
    }
}

/// A float against itself, where bounds would creep toward each other one unit at a time: `x < x` is
/// false, `x = x` is true, and the other two say that x is not NaN.
fn propagate_with_itself(
    comparison: Comparison,
    args: &[VarIdx],
    store: &mut Store,
) -> Result<Status, Conflict> {
    let decided = match comparison {
        Comparison::FpLt => false,
        Comparison::Same => true,
        Comparison::FpEq | Comparison::FpLe => {
            let is_nan = store.truth(args[0]).value().map_or(Truth::Unknown, |t| Truth::from(!t));
            let narrowed = narrow_class(Class::Nan, is_nan, *store.float(args[1]));
            let Some((is_nan, arg)) = narrowed else { return Err(store.fail(Premises::ALL)) };
            write_float(store, args, 1, arg, 2)?;
            let Some(is_nan) = is_nan.value() else { return Ok(Status::Stay) };
            !is_nan
        }
    };
    write_truth(store, args, 0, Truth::from(decided), 2)?;
    Ok(Status::Entailed)
}

/// Narrows `truth ⇔ comparison(x, y)`; `None` when there is no solution.
pub fn narrow_comparison(
    comparison: Comparison,
    truth: Truth,
    args: [FloatInterval; 2],
) -> Option<ComparisonBox> {
    let [when_true, when_false] = [true, false]
        .map(|value| truth.allows(value).then(|| assume(comparison, value, args)).flatten());
    let args = match (when_true, when_false) {
        (Some(one), Some(other)) => hull(one, other),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => return None,
    };
    let truth = truth_left(when_true, when_false)?;
    Some(ComparisonBox { truth, args })
}

/// What a truth value can still be, given what is left when it is true and when it is false.
pub(crate) fn truth_left<T>(when_true: Option<T>, when_false: Option<T>) -> Option<Truth> {
    match (when_true, when_false) {
        (Some(_), Some(_)) => Some(Truth::Unknown),
        (Some(_), None) => Some(Truth::True),
        (None, Some(_)) => Some(Truth::False),
        (None, None) => None,
    }
}

/// Narrows the operands when the comparison is known to be `truth`.
pub fn assume(
    comparison: Comparison,
    truth: bool,
    [x, y]: [FloatInterval; 2],
) -> Option<[FloatInterval; 2]> {
    match (comparison, truth) {
        (Comparison::FpEq, true) => fp_equal(x, y),
        (Comparison::FpLt, true) => ordered(x, y, Order::Less),
        (Comparison::FpLe, true) => ordered(x, y, Order::LessOrEqual),
        (Comparison::Same, true) => {
            let common = x.meet(&y)?;
            Some([common; 2])
        }
        (Comparison::FpEq, false) => unordered_or(x, y, fp_different(x, y)),
        // Not x < y is y <= x, or a NaN; not x <= y is y < x, or a NaN.
        (Comparison::FpLt, false) => {
            unordered_or(x, y, ordered(y, x, Order::LessOrEqual).map(|[y, x]| [x, y]))
        }
        (Comparison::FpLe, false) => {
            unordered_or(x, y, ordered(y, x, Order::Less).map(|[y, x]| [x, y]))
        }
        (Comparison::Same, false) => Some([without(x, y)?, without(y, x)?]),
    }
}

fn hull(one: [FloatInterval; 2], other: [FloatInterval; 2]) -> [FloatInterval; 2] {
    [one[0].join(&other[0]), one[1].join(&other[1])]
}

/// Adds to `numbers` the pairs with a NaN on either side.
fn unordered_or(
    x: FloatInterval,
    y: FloatInterval,
    numbers: Option<[FloatInterval; 2]>,
) -> Option<[FloatInterval; 2]> {
    let nan = FloatInterval::only_nan(x.format());
    [x.may_be_nan().then_some([nan, y]), y.may_be_nan().then_some([x, nan])]
        .into_iter()
        .flatten()
        .chain(numbers)
        .reduce(hull)
}

fn fp_equal(x: FloatInterval, y: FloatInterval) -> Option<[FloatInterval; 2]> {
    let (x, y) = (x.without_nan()?, y.without_nan()?);
    Some([x.meet(&y.with_both_zeros())?, y.meet(&x.with_both_zeros())?])
}

/// Numbers that differ in the IEEE sense; a bound goes when the other side is only that number.
fn fp_different(x: FloatInterval, y: FloatInterval) -> Option<[FloatInterval; 2]> {
    let (x, y) = (x.without_nan()?, y.without_nan()?);
    Some([without_number(x, y)?, without_number(y, x)?])
}

/// `domain` without the one IEEE number that `other` is, if that is a bound of `domain`.
fn without_number(domain: FloatInterval, other: FloatInterval) -> Option<FloatInterval> {
    match other.with_both_zeros().ranks()? {
        (-1, 0) => without_ranks(domain, -1, 0),
        (lo, hi) if lo == hi => without_ranks(domain, lo, hi),
        _ => Some(domain),
    }
}

/// `domain` without the one float that `other` is, if that is a bound of `domain` or NaN.
fn without(domain: FloatInterval, other: FloatInterval) -> Option<FloatInterval> {
    match (other.is_fixed(), other.ranks()) {
        (true, Some((rank, _))) => without_ranks(domain, rank, rank),
        (true, None) => domain.without_nan(),
        (false, _) => Some(domain),
    }
}

/// `domain` without the ranks `first..=last`, as far as an interval can say so.
fn without_ranks(domain: FloatInterval, first: Rank, last: Rank) -> Option<FloatInterval> {
    let Some((mut lo, mut hi)) = domain.ranks() else { return Some(domain) };
    if first <= lo && lo <= last {
        lo = last + 1;
    }
    if first <= hi && hi <= last {
        hi = first - 1;
    }
    match FloatInterval::from_ranks(lo, hi, domain.format()) {
        Some(numbers) if domain.may_be_nan() => Some(numbers.with_nan()),
        Some(numbers) => Some(numbers),
        None => domain.may_be_nan().then(|| FloatInterval::only_nan(domain.format())),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Less,
    LessOrEqual,
}

fn ordered(x: FloatInterval, y: FloatInterval, order: Order) -> Option<[FloatInterval; 2]> {
    let (x_span, y_span) = (span_of(x)?, span_of(y)?);
    let highest_x = match order {
        Order::Less => number_below(y_span.hi),
        Order::LessOrEqual => {
            if y_span.hi == -1 {
                0
            } else {
                y_span.hi
            }
        }
    };
    let lowest_y = match order {
        Order::Less => number_above(x_span.lo),
        Order::LessOrEqual => {
            if x_span.lo == 0 {
                -1
            } else {
                x_span.lo
            }
        }
    };
    let x_new = Span::new(x_span.lo, x_span.hi.min(highest_x))?;
    let y_new = Span::new(y_span.lo.max(lowest_y), y_span.hi)?;
    Some([interval_of(x_new, x.format()), interval_of(y_new, y.format())])
}

/// The greatest rank that is less in the IEEE sense: both zeros are below the least positive number,
/// and the number below either zero is the negative one next to them.
fn number_below(rank: Rank) -> Rank {
    if rank == 0 { -2 } else { rank - 1 }
}

/// The least rank that is greater in the IEEE sense.
fn number_above(rank: Rank) -> Rank {
    if rank == -1 { 1 } else { rank + 1 }
}
