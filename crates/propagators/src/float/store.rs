//! The way of float relations in and out of the store.

use glassbox_kernel::domain::float_interval::FloatInterval;
use glassbox_kernel::{Conflict, Premises, Status, Store, Truth, VarIdx};

use super::cover::FloatBox;

/// Runs a relation of two floats, arguments `[result, operand]`.
pub(super) fn unary(
    args: &[VarIdx],
    store: &mut Store,
    narrow: impl Fn(FloatInterval, FloatInterval) -> Option<FloatBox<1>>,
) -> Result<Status, Conflict> {
    let narrowed = narrow(*store.float(args[1]), *store.float(args[0]));
    write_box(store, args, narrowed)
}

/// Runs a relation of three floats, arguments `[result, operands...]`.
pub(super) fn binary(
    args: &[VarIdx],
    store: &mut Store,
    narrow: impl Fn([FloatInterval; 2], FloatInterval) -> Option<FloatBox<2>>,
) -> Result<Status, Conflict> {
    let operands = [*store.float(args[1]), *store.float(args[2])];
    let narrowed = narrow(operands, *store.float(args[0]));
    write_box(store, args, narrowed)
}

/// As `binary`; where both operands are one variable, its own rule.
pub(super) fn binary_or_same(
    args: &[VarIdx],
    store: &mut Store,
    both: impl Fn([FloatInterval; 2], FloatInterval) -> Option<FloatBox<2>>,
    same: impl Fn(FloatInterval, FloatInterval) -> Option<FloatBox<1>>,
) -> Result<Status, Conflict> {
    if args[1] == args[2] { unary(&args[..2], store, same) } else { binary(args, store, both) }
}

/// Every argument but the one that changes; its own domain is a premise anyway.
pub(super) fn others(changed: usize, n_args: usize) -> Premises {
    (0..n_args).filter(|&position| position != changed).fold(Premises::NONE, Premises::and)
}

pub(super) fn write_float(
    store: &mut Store,
    args: &[VarIdx],
    position: usize,
    domain: FloatInterval,
    n_args: usize,
) -> Result<(), Conflict> {
    store.narrow_float(args[position], &domain, others(position, n_args)).map(|_| ())
}

pub(super) fn write_truth(
    store: &mut Store,
    args: &[VarIdx],
    position: usize,
    truth: Truth,
    n_args: usize,
) -> Result<(), Conflict> {
    match truth.value() {
        Some(truth) => store.set_truth(args[position], truth, others(position, n_args)).map(|_| ()),
        None => Ok(()),
    }
}

/// Writes what a projection left; all arguments are floats.
pub(super) fn write_box<const N: usize>(
    store: &mut Store,
    args: &[VarIdx],
    narrowed: Option<FloatBox<N>>,
) -> Result<Status, Conflict> {
    let Some(narrowed) = narrowed else { return Err(store.fail(Premises::ALL)) };
    write_float(store, args, 0, narrowed.result, N + 1)?;
    for (index, domain) in narrowed.args.into_iter().enumerate() {
        write_float(store, args, index + 1, domain, N + 1)?;
    }
    Ok(status_of(store, args))
}

/// A functional relation holds for good once all its arguments are fixed.
pub(super) fn status_of(store: &Store, args: &[VarIdx]) -> Status {
    if args.iter().all(|&arg| store.is_fixed(arg)) { Status::Entailed } else { Status::Stay }
}
