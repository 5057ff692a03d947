//! Propagators of relations with floats, one operator per file.
//!
//! Each `narrow_…` is a pure function from the domains of an operator's arguments and result to
//! smaller ones, or to `None` when no solution is left; all are sound for the five rounding modes and
//! every format. This file is the table from operators to them and the way in and out of the store:
//! argument lists are `[result, operands...]`.

mod apply;
mod integer_side;

pub mod abs;
pub mod add;
pub mod bits;
pub mod classify;
pub mod compare;
pub mod convert;
pub mod cover;
pub mod div;
pub mod fma;
pub mod fmod;
pub mod ite;
pub mod min_max;
pub mod monotone;
pub mod mul;
pub mod neg;
pub mod rem;
pub mod round;
pub mod sqrt;
pub mod sub;

use glassbox_kernel::domain::float_interval::FloatInterval;
use glassbox_kernel::{Conflict, Premises, Priority, Status, Store, Truth, VarIdx};
use glassbox_terms::{FpOp, Op};
use glassbox_values::{RoundingMode, Signedness};

use bits::Encoding;
use classify::Class;
use compare::Comparison;
use convert::IntegerType;
use cover::FloatBox;
use integer_side::{narrow_to_spans, spans_of};
use min_max::Extreme;

/// What an operator means on floats, sorted by the shape of its propagator.
#[derive(Debug, Clone, Copy)]
enum Relation {
    Unary(Unary),
    Binary(Binary),
    Fma(RoundingMode),
    Comparison(Comparison),
    Class(Class),
    Ite,
    FromInteger(RoundingMode, Signedness),
    ToInteger(RoundingMode, Signedness),
    Encoding(Encoding),
}

#[derive(Debug, Clone, Copy)]
enum Unary {
    Sqrt(RoundingMode),
    Round(RoundingMode),
    Convert(RoundingMode),
    Abs,
    Neg,
}

#[derive(Debug, Clone, Copy)]
enum Binary {
    Add(RoundingMode),
    Sub(RoundingMode),
    Mul(RoundingMode),
    Div(RoundingMode),
    Rem,
    Fmod,
    MinMax(Extreme),
}

fn relation_of(op: Op) -> Option<Relation> {
    match op {
        Op::Eq => Some(Relation::Comparison(Comparison::Same)),
        Op::Ite => Some(Relation::Ite),
        Op::Fp(op) => Some(float_relation(op)),
        Op::Var(_)
        | Op::True
        | Op::False
        | Op::BvConst(_)
        | Op::FloatConst(_)
        | Op::Bool(_)
        | Op::Bv(_)
        | Op::Array(_) => None,
    }
}

fn float_relation(op: FpOp) -> Relation {
    match op {
        FpOp::Add(rounding) => Relation::Binary(Binary::Add(rounding)),
        FpOp::Sub(rounding) => Relation::Binary(Binary::Sub(rounding)),
        FpOp::Mul(rounding) => Relation::Binary(Binary::Mul(rounding)),
        FpOp::Div(rounding) => Relation::Binary(Binary::Div(rounding)),
        FpOp::Rem => Relation::Binary(Binary::Rem),
        FpOp::Fmod => Relation::Binary(Binary::Fmod),
        FpOp::Min => Relation::Binary(Binary::MinMax(Extreme::Min)),
        FpOp::Max => Relation::Binary(Binary::MinMax(Extreme::Max)),
        FpOp::Fma(rounding) => Relation::Fma(rounding),
        FpOp::Sqrt(rounding) => Relation::Unary(Unary::Sqrt(rounding)),
        FpOp::RoundToIntegral(rounding) => Relation::Unary(Unary::Round(rounding)),
        FpOp::ToFp { rounding, .. } => Relation::Unary(Unary::Convert(rounding)),
        FpOp::Abs => Relation::Unary(Unary::Abs),
        FpOp::Neg => Relation::Unary(Unary::Neg),
        FpOp::Eq => Relation::Comparison(Comparison::FpEq),
        FpOp::Lt => Relation::Comparison(Comparison::FpLt),
        FpOp::Le => Relation::Comparison(Comparison::FpLe),
        FpOp::IsNormal => Relation::Class(Class::Normal),
        FpOp::IsSubnormal => Relation::Class(Class::Subnormal),
        FpOp::IsZero => Relation::Class(Class::Zero),
        FpOp::IsInfinite => Relation::Class(Class::Infinite),
        FpOp::IsNan => Relation::Class(Class::Nan),
        FpOp::IsNegative => Relation::Class(Class::Negative),
        FpOp::IsPositive => Relation::Class(Class::Positive),
        FpOp::FromBits(_) => Relation::Encoding(Encoding::FromBits),
        FpOp::ToBits => Relation::Encoding(Encoding::ToBits),
        FpOp::FromInt { rounding, signedness, .. } => Relation::FromInteger(rounding, signedness),
        FpOp::ToInt { rounding, signedness, .. } => Relation::ToInteger(rounding, signedness),
    }
}

/// Whether the operator, applied with floats among result and arguments, has a propagator here.
/// Includes `Op::Eq` and `Op::Ite` over floats.
pub fn has_propagator(op: Op) -> bool {
    relation_of(op).is_some()
}

/// When the propagator of a float relation runs.
pub fn priority(op: Op) -> Priority {
    match relation_of(op) {
        Some(Relation::Comparison(_) | Relation::Class(_) | Relation::Ite) => Priority::Cheap,
        Some(Relation::Unary(Unary::Abs | Unary::Neg)) => Priority::Cheap,
        Some(Relation::Binary(Binary::Add(_) | Binary::Sub(_))) => Priority::Cheap,
        Some(
            Relation::Unary(Unary::Sqrt(_) | Unary::Round(_) | Unary::Convert(_))
            | Relation::Binary(
                Binary::Mul(_) | Binary::Div(_) | Binary::Rem | Binary::Fmod | Binary::MinMax(_),
            )
            | Relation::Fma(_)
            | Relation::FromInteger(..)
            | Relation::ToInteger(..)
            | Relation::Encoding(_),
        )
        | None => Priority::Costly,
    }
}

/// Runs the propagator of a float relation once.
pub fn propagate(op: Op, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
    let Some(relation) = relation_of(op) else { return Ok(Status::Stay) };
    match relation {
        Relation::Unary(unary) => propagate_unary(unary, args, store),
        Relation::Binary(binary) => propagate_binary(binary, args, store),
        Relation::Fma(rounding) => {
            let domains = [args[1], args[2], args[3]].map(|arg| *store.float(arg));
            write_box(store, args, fma::narrow_fma(rounding, domains, *store.float(args[0])))
        }
        Relation::Comparison(comparison) => propagate_comparison(comparison, args, store),
        Relation::Class(class) => propagate_class(class, args, store),
        Relation::Ite => propagate_ite(args, store),
        Relation::FromInteger(rounding, signedness) => {
            propagate_from_integer(rounding, signedness, args, store)
        }
        Relation::ToInteger(rounding, signedness) => {
            propagate_to_integer(rounding, signedness, args, store)
        }
        Relation::Encoding(encoding) => propagate_encoding(encoding, args, store),
    }
}

fn propagate_unary(unary: Unary, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
    let (result, arg) = (*store.float(args[0]), *store.float(args[1]));
    let narrowed = match unary {
        Unary::Sqrt(rounding) => sqrt::narrow_sqrt(rounding, arg, result),
        Unary::Round(rounding) => round::narrow_round(rounding, arg, result),
        Unary::Convert(rounding) => convert::narrow_to_float(rounding, arg, result),
        Unary::Abs => abs::narrow_abs(arg, result),
        Unary::Neg => neg::narrow_neg(arg, result),
    };
    write_box(store, args, narrowed)
}

fn propagate_binary(
    binary: Binary,
    args: &[VarIdx],
    store: &mut Store,
) -> Result<Status, Conflict> {
    let (result, x, y) = (*store.float(args[0]), *store.float(args[1]), *store.float(args[2]));
    if args[1] == args[2] {
        let shared = match binary {
            Binary::Add(rounding) => Some(add::narrow_double(rounding, x, result)),
            Binary::Sub(rounding) => Some(sub::narrow_sub_self(rounding, x, result)),
            Binary::Mul(rounding) => Some(mul::narrow_square(rounding, x, result)),
            Binary::Div(_) => Some(div::narrow_div_self(x, result)),
            Binary::Rem | Binary::Fmod | Binary::MinMax(_) => None,
        };
        if let Some(narrowed) = shared {
            return write_box(store, &args[..2], narrowed);
        }
    }
    let narrowed = match binary {
        Binary::Add(rounding) => add::narrow_add(rounding, [x, y], result),
        Binary::Sub(rounding) => sub::narrow_sub(rounding, [x, y], result),
        Binary::Mul(rounding) => mul::narrow_mul(rounding, [x, y], result),
        Binary::Div(rounding) => div::narrow_div(rounding, [x, y], result),
        Binary::Rem => rem::narrow_rem([x, y], result),
        Binary::Fmod => fmod::narrow_fmod([x, y], result),
        Binary::MinMax(extreme) => min_max::narrow_min_max(extreme, [x, y], result),
    };
    write_box(store, args, narrowed)
}

fn propagate_comparison(
    comparison: Comparison,
    args: &[VarIdx],
    store: &mut Store,
) -> Result<Status, Conflict> {
    if args[1] == args[2] {
        return propagate_comparison_with_itself(comparison, args, store);
    }
    let domains = [*store.float(args[1]), *store.float(args[2])];
    let truth = store.truth(args[0]);
    let Some(narrowed) = compare::narrow_comparison(comparison, truth, domains) else {
        return Err(store.fail(Premises::ALL));
    };
    write_truth(store, args, 0, narrowed.truth, 3)?;
    write_float(store, args, 1, narrowed.args[0], 3)?;
    write_float(store, args, 2, narrowed.args[1], 3)?;
    let entailed = narrowed
        .truth
        .value()
        .is_some_and(|truth| compare::assume(comparison, !truth, narrowed.args).is_none());
    Ok(if entailed { Status::Entailed } else { Status::Stay })
}

/// A float against itself, where bounds would creep toward each other one unit at a time: `x < x` is
/// false, `x = x` is true, and the other two say that x is not NaN.
fn propagate_comparison_with_itself(
    comparison: Comparison,
    args: &[VarIdx],
    store: &mut Store,
) -> Result<Status, Conflict> {
    let decided = match comparison {
        Comparison::FpLt => false,
        Comparison::Same => true,
        Comparison::FpEq | Comparison::FpLe => {
            let is_nan = store.truth(args[0]).value().map_or(Truth::Unknown, |t| Truth::from(!t));
            let narrowed = classify::narrow_class(Class::Nan, is_nan, *store.float(args[1]));
            let Some((is_nan, arg)) = narrowed else { return Err(store.fail(Premises::ALL)) };
            write_float(store, args, 1, arg, 2)?;
            let Some(is_nan) = is_nan.value() else { return Ok(Status::Stay) };
            !is_nan
        }
    };
    write_truth(store, args, 0, Truth::from(decided), 2)?;
    Ok(Status::Entailed)
}

fn propagate_class(class: Class, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
    let narrowed = classify::narrow_class(class, store.truth(args[0]), *store.float(args[1]));
    let Some((truth, arg)) = narrowed else { return Err(store.fail(Premises::ALL)) };
    write_truth(store, args, 0, truth, 2)?;
    write_float(store, args, 1, arg, 2)?;
    let entailed = truth
        .value()
        .is_some_and(|truth| classify::narrow_class(class, Truth::from(!truth), arg).is_none());
    Ok(if entailed { Status::Entailed } else { Status::Stay })
}

fn propagate_ite(args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
    let branches = [*store.float(args[2]), *store.float(args[3])];
    let condition = store.truth(args[1]);
    let Some(narrowed) = ite::narrow_ite(condition, branches, *store.float(args[0])) else {
        return Err(store.fail(Premises::ALL));
    };
    // While the condition is open or just decided, only result and branches speak.
    write_truth(store, args, 1, narrowed.condition, 4)?;
    write_float(store, args, 0, narrowed.result, 4)?;
    write_float(store, args, 2, narrowed.branches[0], 4)?;
    write_float(store, args, 3, narrowed.branches[1], 4)?;
    Ok(Status::Stay)
}

fn propagate_from_integer(
    rounding: RoundingMode,
    signedness: Signedness,
    args: &[VarIdx],
    store: &mut Store,
) -> Result<Status, Conflict> {
    let integer = IntegerType { width: width_of(store, args[1]), signedness };
    let result = *store.float(args[0]);
    let parts = spans_of(store.domain(args[1]), signedness).map(|span| {
        span.and_then(|span| convert::narrow_from_integer(integer, rounding, span, result))
    });
    let floats = parts.iter().flatten().map(|(_, float)| *float);
    let Some(float) = floats.reduce(|one, other| one.join(&other)) else {
        return Err(store.fail(Premises::ALL));
    };
    write_float(store, args, 0, float, 2)?;
    let spans = parts.into_iter().flatten().map(|(span, _)| span);
    narrow_to_spans(store, args[1], spans, signedness, others(1, 2))?;
    Ok(status_of(store, args))
}

fn propagate_to_integer(
    rounding: RoundingMode,
    signedness: Signedness,
    args: &[VarIdx],
    store: &mut Store,
) -> Result<Status, Conflict> {
    let integer = IntegerType { width: width_of(store, args[0]), signedness };
    let arg = *store.float(args[1]);
    let parts = spans_of(store.domain(args[0]), signedness)
        .map(|span| span.and_then(|span| convert::narrow_to_integer(integer, rounding, arg, span)));
    let floats = parts.iter().flatten().map(|(float, _)| *float);
    let Some(float) = floats.reduce(|one, other| one.join(&other)) else {
        return Err(store.fail(Premises::ALL));
    };
    let spans = parts.into_iter().flatten().map(|(_, span)| span);
    narrow_to_spans(store, args[0], spans, signedness, others(0, 2))?;
    write_float(store, args, 1, float, 2)?;
    Ok(status_of(store, args))
}

fn propagate_encoding(
    encoding: Encoding,
    args: &[VarIdx],
    store: &mut Store,
) -> Result<Status, Conflict> {
    let (float_at, bits_at) = match encoding {
        Encoding::FromBits => (0, 1),
        Encoding::ToBits => (1, 0),
    };
    let float = *store.float(args[float_at]);
    let patterns = spans_of(store.domain(args[bits_at]), Signedness::Unsigned);
    let Some((spans, float)) = bits::narrow_encoding(encoding, &patterns, float) else {
        return Err(store.fail(Premises::ALL));
    };
    write_float(store, args, float_at, float, 2)?;
    narrow_to_spans(
        store,
        args[bits_at],
        spans.into_iter(),
        Signedness::Unsigned,
        others(bits_at, 2),
    )?;
    Ok(status_of(store, args))
}

fn width_of(store: &Store, var: VarIdx) -> u8 {
    match store.domain(var) {
        glassbox_kernel::Domain::Bits(bits) => bits.width(),
        glassbox_kernel::Domain::Wide(wide) => wide.width(),
        other @ (glassbox_kernel::Domain::Bool(_)
        | glassbox_kernel::Domain::Float(_)
        | glassbox_kernel::Domain::Opaque) => {
            panic!("an integer should be a bit-vector, is {other:?}")
        }
    }
}

/// Every argument but the one that changes; its own domain is a premise anyway.
fn others(changed: usize, n_args: usize) -> Premises {
    (0..n_args).filter(|&position| position != changed).fold(Premises::NONE, Premises::and)
}

fn write_float(
    store: &mut Store,
    args: &[VarIdx],
    position: usize,
    domain: FloatInterval,
    n_args: usize,
) -> Result<(), Conflict> {
    store.narrow_float(args[position], &domain, others(position, n_args)).map(|_| ())
}

fn write_truth(
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
fn write_box<const N: usize>(
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
fn status_of(store: &Store, args: &[VarIdx]) -> Status {
    if args.iter().all(|&arg| store.is_fixed(arg)) { Status::Entailed } else { Status::Stay }
}
