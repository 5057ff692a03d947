//! How near a run came to the edges that it did not take: branch distances.
//!
//! Before a branch the operands of the comparison behind its condition are looked at. The distance to an edge
//! is zero when the branch takes it, otherwise how far the operands are from values that would: the usual
//! fitness of search-based testing (Korel, IEEE TSE 16(8), 1990; McMinn, STVR 14(2), 2004). It guides a
//! search and proves nothing.

use std::collections::BTreeMap;

use glassbox_ir::instr::{CastOp, CompareOp, FloatCompareOp};
use glassbox_ir::{BlockId, Body, InstrKind, Operand, PureOp, ValueId};
use glassbox_values::{Float, Format};

use crate::code::Reg;

/// Farther than any two numbers; what cannot be compared is that far.
pub const FAR: f64 = f64::MAX;

/// By block and position of the edge: the nearest that the run came to taking it.
pub type Nearest = BTreeMap<(BlockId, u32), f64>;

/// What to measure before the terminator of a block.
#[derive(Debug, Clone)]
pub struct Watch {
    pub block: BlockId,
    pub kind: WatchKind,
    /// The branch is taken when the comparison does not hold.
    pub is_negated: bool,
}

#[derive(Debug, Clone)]
pub enum WatchKind {
    Int {
        op: CompareOp,
        a: Reg,
        b: Reg,
        shift: u8,
    },
    Float {
        op: FloatCompareOp,
        a: Reg,
        b: Reg,
        format: Format,
    },
    /// A truth value that no comparison computes.
    Truth {
        reg: Reg,
    },
    /// Ranges of unsigned values and the edges they take; the last edge is the default.
    Switch {
        value: Reg,
        ranges: Vec<(u128, u128, u32)>,
        default: u32,
    },
}

/// A comparison that decides a branch.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Comparison {
    Int { op: CompareOp, lhs: Operand, rhs: Operand },
    Float { op: FloatCompareOp, lhs: Operand, rhs: Operand },
    None,
}

/// The comparison behind a condition, through extensions and comparisons with zero; and whether it is
/// negated on the way.
pub(crate) fn comparison_behind(body: &Body, condition: Operand) -> (Comparison, bool) {
    let mut is_negated = false;
    let mut at = condition;
    loop {
        let Operand::Value(value) = at else { return (Comparison::None, is_negated) };
        match definition(body, value) {
            Some(InstrKind::Pure(PureOp::Cast {
                op: CastOp::ZeroExtend | CastOp::Truncate,
                arg,
                ..
            })) => {
                at = *arg;
            }
            Some(InstrKind::Pure(PureOp::Compare { op, lhs, rhs: Operand::Int(zero) }))
                if zero.is_zero()
                    && matches!(op, CompareOp::Eq | CompareOp::Ne)
                    && is_truth(body, *lhs) =>
            {
                is_negated ^= *op == CompareOp::Eq;
                at = *lhs;
            }
            Some(InstrKind::Pure(PureOp::Compare { op, lhs, rhs })) => {
                return (Comparison::Int { op: *op, lhs: *lhs, rhs: *rhs }, is_negated);
            }
            Some(InstrKind::Pure(PureOp::FloatCompare { op, lhs, rhs })) => {
                return (Comparison::Float { op: *op, lhs: *lhs, rhs: *rhs }, is_negated);
            }
            _ => return (Comparison::None, is_negated),
        }
    }
}

/// Whether the value is an extended truth value.
fn is_truth(body: &Body, operand: Operand) -> bool {
    let Operand::Value(value) = operand else { return false };
    match definition(body, value) {
        Some(InstrKind::Pure(PureOp::Cast { op: CastOp::ZeroExtend, arg, .. })) => {
            operand_is_bit(body, *arg) || is_truth(body, *arg)
        }
        Some(InstrKind::Pure(PureOp::Compare { .. } | PureOp::FloatCompare { .. })) => true,
        _ => false,
    }
}

fn operand_is_bit(body: &Body, operand: Operand) -> bool {
    matches!(operand.ty(body), glassbox_ir::Ty::Int(1))
}

fn definition(body: &Body, value: ValueId) -> Option<&InstrKind> {
    let instrs = body.blocks.iter().flat_map(|block| &block.instrs);
    instrs.into_iter().find(|instr| instr.result == Some(value)).map(|instr| &instr.kind)
}

/// Distances to the edges of a branch: to where the comparison holds, and to where it does not.
fn of_integers(op: CompareOp, a: u64, b: u64, shift: u8) -> [f64; 2] {
    let signed = |word: u64| i128::from((word << shift).cast_signed() >> shift);
    let (a, b) = match op {
        CompareOp::Slt | CompareOp::Sle => (signed(a), signed(b)),
        CompareOp::Ult | CompareOp::Ule => (i128::from(a), i128::from(b)),
        // The nearer of the two readings.
        CompareOp::Eq | CompareOp::Ne => {
            let signed = (signed(a), signed(b));
            let unsigned = (i128::from(a), i128::from(b));
            let gap = |(a, b): (i128, i128)| (a - b).abs();
            if gap(signed) < gap(unsigned) { signed } else { unsigned }
        }
    };
    let gap = (a - b) as f64;
    match op {
        CompareOp::Eq => equality(gap),
        CompareOp::Ne => swapped(equality(gap)),
        CompareOp::Ult | CompareOp::Slt => [(gap + 1.0).max(0.0), (-gap).max(0.0)],
        CompareOp::Ule | CompareOp::Sle => [gap.max(0.0), (1.0 - gap).max(0.0)],
    }
}

fn equality(gap: f64) -> [f64; 2] {
    [gap.abs(), if gap == 0.0 { 1.0 } else { 0.0 }]
}

fn swapped([a, b]: [f64; 2]) -> [f64; 2] {
    [b, a]
}

fn of_floats(op: FloatCompareOp, a: f64, b: f64) -> [f64; 2] {
    // The smallest positive distance, where equal operands are not enough for the edge.
    let touch = f64::MIN_POSITIVE;
    let gap = (a - b).clamp(-FAR, FAR);
    let holds = match op {
        FloatCompareOp::Eq => a == b,
        FloatCompareOp::Ne => a != b,
        FloatCompareOp::Lt => a < b,
        FloatCompareOp::Le => a <= b,
    };
    if a.is_nan() || b.is_nan() {
        return if holds { [0.0, FAR] } else { [FAR, 0.0] };
    }
    // Infinities of one sign.
    let gap = if gap.is_nan() { 0.0 } else { gap.abs() }.max(touch);
    if holds { [0.0, gap] } else { [gap, 0.0] }
}

impl Watch {
    /// Notes the distances that the registers show.
    pub(crate) fn note(&self, registers: &[u64], nearest: &mut Nearest) {
        let get = |reg: Reg| registers[reg as usize];
        let distances = match &self.kind {
            WatchKind::Int { op, a, b, shift } => of_integers(*op, get(*a), get(*b), *shift),
            WatchKind::Float { op, a, b, format } => {
                let value = |reg| Float::from_bits(get(reg), *format).to_f64();
                of_floats(*op, value(*a), value(*b))
            }
            WatchKind::Truth { reg } => {
                if get(*reg) != 0 {
                    [0.0, 1.0]
                } else {
                    [1.0, 0.0]
                }
            }
            WatchKind::Switch { value, ranges, default } => {
                let value = u128::from(get(*value));
                let mut is_case = false;
                for &(low, high, edge) in ranges {
                    let gap = if value < low { low - value } else { value.saturating_sub(high) };
                    is_case |= gap == 0;
                    improve(nearest, (self.block, edge), gap as f64);
                }
                improve(nearest, (self.block, *default), if is_case { 1.0 } else { 0.0 });
                return;
            }
        };
        let distances = if self.is_negated { swapped(distances) } else { distances };
        for (edge, distance) in (0u32..).zip(distances) {
            improve(nearest, (self.block, edge), distance);
        }
    }
}

pub(crate) fn improve(nearest: &mut Nearest, edge: (BlockId, u32), distance: f64) {
    let known = nearest.entry(edge).or_insert(FAR);
    *known = known.min(distance);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Zero exactly where the comparison decides that way, on all pairs of four bits.
    #[test]
    fn integer_distances_are_zero_where_the_edge_is_taken() {
        let ops = [
            CompareOp::Eq,
            CompareOp::Ne,
            CompareOp::Ult,
            CompareOp::Ule,
            CompareOp::Slt,
            CompareOp::Sle,
        ];
        for op in ops {
            for a in 0..16u64 {
                for b in 0..16u64 {
                    let signed = |word: u64| (word << 60).cast_signed() >> 60;
                    let holds = match op {
                        CompareOp::Eq => a == b,
                        CompareOp::Ne => a != b,
                        CompareOp::Ult => a < b,
                        CompareOp::Ule => a <= b,
                        CompareOp::Slt => signed(a) < signed(b),
                        CompareOp::Sle => signed(a) <= signed(b),
                    };
                    let [to_true, to_false] = of_integers(op, a, b, 60);
                    assert_eq!(to_true == 0.0, holds, "{op:?} {a} {b}");
                    assert_eq!(to_false == 0.0, !holds, "{op:?} {a} {b}");
                }
            }
        }
    }

    #[test]
    fn float_distances_are_zero_where_the_edge_is_taken() {
        let values =
            [0.0, -0.0, 1.0, 13.0, -1e308, 1e308, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let ops = [FloatCompareOp::Eq, FloatCompareOp::Ne, FloatCompareOp::Lt, FloatCompareOp::Le];
        for op in ops {
            for a in values {
                for b in values {
                    let holds = match op {
                        FloatCompareOp::Eq => a == b,
                        FloatCompareOp::Ne => a != b,
                        FloatCompareOp::Lt => a < b,
                        FloatCompareOp::Le => a <= b,
                    };
                    let [to_true, to_false] = of_floats(op, a, b);
                    assert_eq!(to_true == 0.0, holds, "{op:?} {a} {b}");
                    assert_eq!(to_false == 0.0, !holds, "{op:?} {a} {b}");
                    assert!(to_true.is_finite() && to_false.is_finite());
                }
            }
        }
    }
}
