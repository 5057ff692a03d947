//! Classification with a truth value: `truth ⇔ isNormal(x)` and its kin.
//!
//! Relation: the seven SMT-LIB predicates; NaN is neither negative nor positive, -0 is negative.
//! Strength: bounds: a class is a union of at most two rank intervals and perhaps NaN.
//! Not pruned: the holes of a class inside an interval, e.g. the subnormals for isNormal.

use glassbox_kernel::domain::Truth;
use glassbox_kernel::domain::float_interval::{FloatInterval, Rank, rank_of_infinity};
use glassbox_kernel::{Conflict, Premises, Status, Store, VarIdx};
use glassbox_values::Sign;

use super::compare::truth_left;
use super::cover::{SIGNS, interval_of, mirrored, span_of};
use super::monotone::Span;
use super::store::{write_float, write_truth};
use crate::relation::Relation;

/// Which predicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Normal,
    Subnormal,
    Zero,
    Infinite,
    Nan,
    Negative,
    Positive,
}

impl Class {
    pub const ALL: [Class; 7] = [
        Class::Normal,
        Class::Subnormal,
        Class::Zero,
        Class::Infinite,
        Class::Nan,
        Class::Negative,
        Class::Positive,
    ];
}

impl Relation for Class {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let class = *self;
        let narrowed = narrow_class(class, store.truth(args[0]), *store.float(args[1]));
        let Some((truth, arg)) = narrowed else { return Err(store.fail(Premises::ALL)) };
        write_truth(store, args, 0, truth, 2)?;
        write_float(store, args, 1, arg, 2)?;
        let entailed = truth
            .value()
            .is_some_and(|truth| narrow_class(class, Truth::from(!truth), arg).is_none());
        Ok(if entailed { Status::Entailed } else { Status::Stay })
    }
}

/// Narrows `truth ⇔ class(x)`; `None` when there is no solution.
pub fn narrow_class(
    class: Class,
    truth: Truth,
    arg: FloatInterval,
) -> Option<(Truth, FloatInterval)> {
    let [when_true, when_false] = [true, false]
        .map(|value| truth.allows(value).then(|| restricted(class, value, arg)).flatten());
    let truth = truth_left(when_true, when_false)?;
    let left = when_true.into_iter().chain(when_false).reduce(|one, other| one.join(&other))?;
    Some((truth, left))
}

/// The hull of the floats of `arg` for which the predicate has this value.
fn restricted(class: Class, value: bool, arg: FloatInterval) -> Option<FloatInterval> {
    let format = arg.format();
    let least_normal: Rank = 1 << format.fraction_width();
    let infinity = rank_of_infinity(format);
    let magnitudes: [(Rank, Rank, Class); 4] = [
        (0, 0, Class::Zero),
        (1, least_normal - 1, Class::Subnormal),
        (least_normal, infinity - 1, Class::Normal),
        (infinity, infinity, Class::Infinite),
    ];
    let keeps_nan = arg.may_be_nan() && (class == Class::Nan) == value;
    let mut kept = keeps_nan.then(|| FloatInterval::only_nan(format));
    for (lo, hi, band) in magnitudes {
        for sign in SIGNS {
            let holds = match class {
                Class::Normal | Class::Subnormal | Class::Zero | Class::Infinite => class == band,
                Class::Nan => false,
                Class::Negative => sign == Sign::Negative,
                Class::Positive => sign == Sign::Positive,
            };
            let part = span_of(arg).and_then(|span| span.meet(mirrored(sign, Span { lo, hi })));
            if holds == value
                && let Some(part) = part
            {
                let part = interval_of(part, format);
                kept = Some(kept.map_or(part, |kept| kept.join(&part)));
            }
        }
    }
    kept
}
