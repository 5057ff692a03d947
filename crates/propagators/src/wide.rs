//! Relations with a vector of more than 64 bits among their arguments.
//!
//! Strength: weak and sound. Every operator is computed once its operands are fixed; bit operations,
//! slices and extensions also carry known bits both ways, unsigned comparisons and sums that cannot
//! wrap carry bounds. Not pruned: products, divisions and shifts with open operands, signed order.
//! Such vectors are rare and the complete layer decides them.

use glassbox_kernel::domain::{Clockwise, KnownBits};
use glassbox_kernel::{
    BitsDomain, Conflict, Domain, Premises, Priority, Status, Store, VarIdx, WideBits,
};
use glassbox_terms::eval::apply;
use glassbox_terms::{BvOp, Value};
use glassbox_values::bits::mask;

use crate::relation::Relation;

/// The result of the operator on vectors; arguments `[result, operands...]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wide(pub(crate) BvOp);

impl Relation for Wide {
    fn propagate(&self, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
        let Wide(op) = *self;
        if args[1..].iter().all(|&arg| store.is_fixed(arg)) {
            return compute(op, args, store);
        }
        match op {
            BvOp::Not => not(args, store)?,
            BvOp::And => bitwise(
                args,
                store,
                |x, y| (x.ones() & y.ones(), x.zeros() | y.zeros()),
                |z, other| (z.ones(), z.zeros() & other.ones()),
            )?,
            BvOp::Or => bitwise(
                args,
                store,
                |x, y| (x.ones() | y.ones(), x.zeros() & y.zeros()),
                |z, other| (z.ones() & other.zeros(), z.zeros()),
            )?,
            BvOp::Xor => bitwise(args, store, exclusive, exclusive)?,
            BvOp::Concat => concat(args, store)?,
            BvOp::Extract { lo, .. } => extract(lo, args, store)?,
            BvOp::ZeroExtend { .. } => zero_extend(args, store)?,
            BvOp::SignExtend { .. } => sign_extend(args, store)?,
            BvOp::Ult => unsigned_order(args, store, 1)?,
            BvOp::Ule => unsigned_order(args, store, 0)?,
            BvOp::Add => sum(args, store)?,
            BvOp::Neg
            | BvOp::Sub
            | BvOp::Mul
            | BvOp::Udiv
            | BvOp::Urem
            | BvOp::Sdiv
            | BvOp::Srem
            | BvOp::Smod
            | BvOp::Shl
            | BvOp::Lshr
            | BvOp::Ashr
            | BvOp::Slt
            | BvOp::Sle
            | BvOp::AddOverflow(_)
            | BvOp::SubOverflow(_)
            | BvOp::MulOverflow(_)
            | BvOp::NegOverflow => {}
        }
        Ok(Status::Stay)
    }

    fn priority(&self) -> Priority {
        Priority::Costly
    }
}

fn compute(op: BvOp, args: &[VarIdx], store: &mut Store) -> Result<Status, Conflict> {
    let operands: Vec<Value> =
        args[1..].iter().filter_map(|&arg| store.domain(arg).value()).collect();
    let result = apply(op.into(), operands.len(), |position| &operands[position]);
    // All operands and nothing else.
    let operands_only = (1..args.len()).fold(Premises::NONE, Premises::and);
    store.narrow(args[0], &Domain::point(&result), operands_only)?;
    Ok(Status::Entailed)
}

/// A vector of any width as a wide one.
fn read(store: &Store, var: VarIdx) -> WideBits {
    match store.domain(var) {
        Domain::Wide(wide) => *wide,
        Domain::Bits(bits) => {
            let known = bits.known();
            WideBits::new(
                bits.unsigned_min().into(),
                bits.unsigned_max().into(),
                known.ones.into(),
                known.zeros.into(),
                bits.width(),
            )
            .unwrap_or_else(|| WideBits::full(bits.width()))
        }
        Domain::Bool(_) | Domain::Float(_) | Domain::Opaque => WideBits::full(128),
    }
}

/// What a vector is narrowed to: a range and known bits.
struct Part {
    range: (u128, u128),
    ones: u128,
    zeros: u128,
}

impl Part {
    fn between(lo: u128, hi: u128) -> Part {
        Part { range: (lo, hi), ones: 0, zeros: 0 }
    }
}

/// Narrows a vector of any width.
fn write(store: &mut Store, var: VarIdx, to: Part, why: Premises) -> Result<(), Conflict> {
    let Part { range, ones, zeros } = to;
    match *store.domain(var) {
        Domain::Wide(wide) => match WideBits::new(range.0, range.1, ones, zeros, wide.width()) {
            Some(with) => store.narrow_wide(var, &with, why).map(|_| ()),
            None => Err(store.fail(Premises::ALL)),
        },
        Domain::Bits(bits) => {
            let low = |value: u128| (value & mask(64)) as u64;
            let top = range.1.min(bits.mask().into());
            if range.0 > top || ones & zeros != 0 {
                return Err(store.fail(Premises::ALL));
            }
            let known = KnownBits { ones: low(ones), zeros: low(zeros) & bits.mask() };
            let arc = Clockwise::new(low(range.0), low(top), bits.width());
            let with = BitsDomain::from_known(known, bits.width())
                .and_then(|domain| domain.meet_interval(arc));
            match with {
                Some(with) => store.narrow_bits(var, &with, why).map(|_| ()),
                None => Err(store.fail(Premises::ALL)),
            }
        }
        Domain::Bool(_) | Domain::Float(_) | Domain::Opaque => Ok(()),
    }
}

fn write_known(
    store: &mut Store,
    var: VarIdx,
    ones: u128,
    zeros: u128,
    why: Premises,
) -> Result<(), Conflict> {
    write(store, var, Part { range: (0, u128::MAX), ones, zeros }, why)
}

fn not(args: &[VarIdx], store: &mut Store) -> Result<(), Conflict> {
    let (z, x) = (read(store, args[0]), read(store, args[1]));
    write_known(store, args[0], x.zeros(), x.ones(), Premises::at(1))?;
    write_known(store, args[1], z.zeros(), z.ones(), Premises::at(0))
}

/// The ones and zeros of the result follow `forward` from those of both operands, those of an operand
/// `backward` from the result's and the other operand's.
fn bitwise(
    args: &[VarIdx],
    store: &mut Store,
    forward: fn(WideBits, WideBits) -> (u128, u128),
    backward: fn(WideBits, WideBits) -> (u128, u128),
) -> Result<(), Conflict> {
    let (z, x, y) = (read(store, args[0]), read(store, args[1]), read(store, args[2]));
    let (ones, zeros) = forward(x, y);
    write_known(store, args[0], ones, zeros, Premises::at(1).and(2))?;
    for (operand, other) in [(args[1], y), (args[2], x)] {
        let (ones, zeros) = backward(z, other);
        write_known(store, operand, ones, zeros, Premises::ALL)?;
    }
    Ok(())
}

fn exclusive(x: WideBits, y: WideBits) -> (u128, u128) {
    let ones = (x.ones() & y.zeros()) | (x.zeros() & y.ones());
    (ones, (x.ones() & y.ones()) | (x.zeros() & y.zeros()))
}

fn concat(args: &[VarIdx], store: &mut Store) -> Result<(), Conflict> {
    let (x, y) = (read(store, args[1]), read(store, args[2]));
    let low = y.width();
    let range = (x.lo() << low | y.lo(), x.hi() << low | y.hi());
    let ones = x.ones() << low | y.ones();
    let zeros = x.zeros() << low | y.zeros();
    write(store, args[0], Part { range, ones, zeros }, Premises::at(1).and(2))?;
    let z = read(store, args[0]);
    let range = (z.lo() >> low, z.hi() >> low);
    write(
        store,
        args[1],
        Part { range, ones: z.ones() >> low, zeros: z.zeros() >> low },
        Premises::at(0),
    )?;
    let part = mask(low);
    write_known(store, args[2], z.ones() & part, z.zeros() & part, Premises::at(0))
}

fn extract(lo: u8, args: &[VarIdx], store: &mut Store) -> Result<(), Conflict> {
    let x = read(store, args[1]);
    let part = mask(read(store, args[0]).width());
    let (ones, zeros) = (x.ones() >> lo & part, x.zeros() >> lo & part);
    let range = if x.hi() >> lo <= part { (x.lo() >> lo, x.hi() >> lo) } else { (0, part) };
    write(store, args[0], Part { range, ones, zeros }, Premises::at(1))?;
    let z = read(store, args[0]);
    write_known(store, args[1], z.ones() << lo, z.zeros() << lo, Premises::at(0))
}

fn zero_extend(args: &[VarIdx], store: &mut Store) -> Result<(), Conflict> {
    let x = read(store, args[1]);
    let added = !mask(x.width());
    let range = (x.lo(), x.hi());
    write(
        store,
        args[0],
        Part { range, ones: x.ones(), zeros: x.zeros() | added },
        Premises::at(1),
    )?;
    let z = read(store, args[0]);
    let part = mask(x.width());
    write(
        store,
        args[1],
        Part { range: (z.lo(), z.hi()), ones: z.ones() & part, zeros: z.zeros() & part },
        Premises::at(0),
    )
}

fn sign_extend(args: &[VarIdx], store: &mut Store) -> Result<(), Conflict> {
    let x = read(store, args[1]);
    let part = mask(x.width());
    let sign = 1u128 << (x.width() - 1);
    let added = mask(read(store, args[0]).width()) & !part;
    let copies = |bits: u128| if bits & sign != 0 { bits | added } else { bits };
    write_known(store, args[0], copies(x.ones()), copies(x.zeros()), Premises::at(1))?;
    let z = read(store, args[0]);
    let back = |bits: u128| (bits & part) | if bits & added != 0 { sign } else { 0 };
    write_known(store, args[1], back(z.ones()), back(z.zeros()), Premises::at(0))
}

/// `b = (x + step <= y)`, arguments `[b, x, y]`.
fn unsigned_order(args: &[VarIdx], store: &mut Store, step: u128) -> Result<(), Conflict> {
    if args[1] == args[2] {
        return store.set_truth(args[0], step == 0, Premises::NONE).map(|_| ());
    }
    let (x, y) = (read(store, args[1]), read(store, args[2]));
    match store.truth(args[0]).value() {
        Some(true) => {
            let Some(most) = y.hi().checked_sub(step) else {
                return Err(store.fail(Premises::ALL));
            };
            write(store, args[1], Part::between(0, most), Premises::at(0).and(2))?;
            let Some(least) = x.lo().checked_add(step) else {
                return Err(store.fail(Premises::ALL));
            };
            write(store, args[2], Part::between(least, u128::MAX), Premises::at(0).and(1))
        }
        Some(false) => {
            // y <= x, or y < x.
            let step = 1 - step;
            let Some(most) = x.hi().checked_sub(step) else {
                return Err(store.fail(Premises::ALL));
            };
            write(store, args[2], Part::between(0, most), Premises::at(0).and(1))?;
            let Some(least) = y.lo().checked_add(step) else {
                return Err(store.fail(Premises::ALL));
            };
            write(store, args[1], Part::between(least, u128::MAX), Premises::at(0).and(2))
        }
        None => {
            let surely = x.hi().checked_add(step).is_some_and(|hi| hi <= y.lo());
            let never = x.lo().checked_add(step).is_none_or(|lo| lo > y.hi());
            if surely || never {
                store.set_truth(args[0], surely, Premises::at(1).and(2))?;
            }
            Ok(())
        }
    }
}

/// Bounds of a sum that cannot wrap.
fn sum(args: &[VarIdx], store: &mut Store) -> Result<(), Conflict> {
    let (x, y) = (read(store, args[1]), read(store, args[2]));
    let most = x.hi().checked_add(y.hi()).filter(|&hi| hi <= mask(x.width()));
    let Some(most) = most else {
        return Ok(());
    };
    write(store, args[0], Part::between(x.lo() + y.lo(), most), Premises::at(1).and(2))?;
    let z = read(store, args[0]);
    for (operand, other) in [(args[1], y), (args[2], x)] {
        let range = (z.lo().saturating_sub(other.hi()), z.hi().checked_sub(other.lo()));
        let Some(hi) = range.1 else {
            return Err(store.fail(Premises::ALL));
        };
        write(store, operand, Part::between(range.0, hi), Premises::ALL)?;
    }
    Ok(())
}
