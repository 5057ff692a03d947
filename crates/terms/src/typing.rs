//! The typing rules: how many arguments an operator takes, of which sorts, and the sort it gives.

use glassbox_values::Format;

use crate::op::{ArrayOp, BoolOp, BvOp, FpOp, Op};
use crate::sort::Sort;

/// What an operator on bit-vectors takes and gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BvShape {
    /// One vector, and one of the same width.
    Map,
    /// Two vectors of one width, and a third.
    Combine,
    /// Two vectors, and one as wide as both.
    Concat,
    /// One vector, and the bits `hi` to `lo` of it.
    Slice { hi: u8, lo: u8 },
    /// One vector, and one of at least its width.
    Widen { width: u8 },
    /// One vector, and a truth.
    Test,
    /// Two vectors of one width, and a truth.
    Relation,
}

/// What an operator on floats takes and gives; formats are the same unless said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FpShape {
    /// This many floats, and another.
    Map { n_args: usize },
    /// One float, and a truth.
    Test,
    /// Two floats, and a truth.
    Relation,
    /// One float, and one of this format.
    Convert(Format),
    /// The encoding of a float of this format, and the float.
    Decode(Format),
    /// A vector of any width, and a float of this format.
    FromVector(Format),
    /// One float, and a vector of this width.
    ToVector { width: u8 },
    /// One float, and its encoding.
    Encode,
}

impl BvOp {
    pub fn shape(self) -> BvShape {
        match self {
            BvOp::Neg | BvOp::Not => BvShape::Map,
            BvOp::Add
            | BvOp::Sub
            | BvOp::Mul
            | BvOp::Udiv
            | BvOp::Urem
            | BvOp::Sdiv
            | BvOp::Srem
            | BvOp::Smod
            | BvOp::And
            | BvOp::Or
            | BvOp::Xor
            | BvOp::Shl
            | BvOp::Lshr
            | BvOp::Ashr => BvShape::Combine,
            BvOp::Concat => BvShape::Concat,
            BvOp::Extract { hi, lo } => BvShape::Slice { hi, lo },
            BvOp::ZeroExtend { width } | BvOp::SignExtend { width } => BvShape::Widen { width },
            BvOp::Ult
            | BvOp::Ule
            | BvOp::Slt
            | BvOp::Sle
            | BvOp::AddOverflow(_)
            | BvOp::SubOverflow(_)
            | BvOp::MulOverflow(_) => BvShape::Relation,
            BvOp::NegOverflow => BvShape::Test,
        }
    }
}

impl FpOp {
    pub fn shape(self) -> FpShape {
        match self {
            FpOp::Sqrt(_) | FpOp::RoundToIntegral(_) | FpOp::Abs | FpOp::Neg => {
                FpShape::Map { n_args: 1 }
            }
            FpOp::Add(_)
            | FpOp::Sub(_)
            | FpOp::Mul(_)
            | FpOp::Div(_)
            | FpOp::Rem
            | FpOp::Fmod
            | FpOp::Min
            | FpOp::Max => FpShape::Map { n_args: 2 },
            FpOp::Fma(_) => FpShape::Map { n_args: 3 },
            FpOp::Eq | FpOp::Lt | FpOp::Le => FpShape::Relation,
            FpOp::IsNormal
            | FpOp::IsSubnormal
            | FpOp::IsZero
            | FpOp::IsInfinite
            | FpOp::IsNan
            | FpOp::IsNegative
            | FpOp::IsPositive => FpShape::Test,
            FpOp::ToFp { format, .. } => FpShape::Convert(format),
            FpOp::FromBits(format) => FpShape::Decode(format),
            FpOp::FromInt { format, .. } => FpShape::FromVector(format),
            FpOp::ToInt { width, .. } => FpShape::ToVector { width },
            FpOp::ToBits => FpShape::Encode,
        }
    }
}

impl Op {
    /// The number of arguments; `None` for the connectives that take two or more.
    pub fn n_args(self) -> Option<usize> {
        match self {
            Op::Var(_) | Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) => Some(0),
            Op::Bool(BoolOp::And | BoolOp::Or) => None,
            Op::Bool(BoolOp::Not) => Some(1),
            Op::Bool(BoolOp::Xor) | Op::Eq => Some(2),
            Op::Ite => Some(3),
            Op::Bv(op) => Some(match op.shape() {
                BvShape::Combine | BvShape::Concat | BvShape::Relation => 2,
                BvShape::Map | BvShape::Slice { .. } | BvShape::Widen { .. } | BvShape::Test => 1,
            }),
            Op::Fp(op) => Some(match op.shape() {
                FpShape::Map { n_args } => n_args,
                FpShape::Relation => 2,
                FpShape::Test
                | FpShape::Convert(_)
                | FpShape::Decode(_)
                | FpShape::FromVector(_)
                | FpShape::ToVector { .. }
                | FpShape::Encode => 1,
            }),
            Op::Array(ArrayOp::Const { .. }) => Some(1),
            Op::Array(ArrayOp::Select) => Some(2),
            Op::Array(ArrayOp::Store) => Some(3),
        }
    }
}

/// The sort of `op` on arguments of these sorts, or `None` when arity or sorts do not fit.
pub(crate) fn sort_of(op: Op, sorts: &[Sort]) -> Option<Sort> {
    if op.n_args().map_or(sorts.len() < 2, |n_args| n_args != sorts.len()) {
        return None;
    }
    match op {
        Op::Var(_) => None,
        Op::True | Op::False => Some(Sort::Bool),
        Op::BvConst(bits) => Some(Sort::Bv(bits.width())),
        Op::FloatConst(float) => Some(Sort::Float(float.format())),
        Op::Bool(_) => sorts.iter().all(|&sort| sort == Sort::Bool).then_some(Sort::Bool),
        Op::Eq => (sorts[0] == sorts[1]).then_some(Sort::Bool),
        Op::Ite => (sorts[0] == Sort::Bool && sorts[1] == sorts[2]).then_some(sorts[1]),
        Op::Bv(op) => bv_sort(op, sorts),
        Op::Fp(op) => fp_sort(op, sorts),
        Op::Array(op) => array_sort(op, sorts),
    }
}

fn bv_sort(op: BvOp, sorts: &[Sort]) -> Option<Sort> {
    let Sort::Bv(width) = sorts[0] else { return None };
    let are_alike = sorts.iter().all(|&sort| sort == sorts[0]);
    match op.shape() {
        BvShape::Map | BvShape::Combine => are_alike.then_some(Sort::Bv(width)),
        BvShape::Test | BvShape::Relation => are_alike.then_some(Sort::Bool),
        BvShape::Concat => match sorts[1] {
            Sort::Bv(low) if u16::from(width) + u16::from(low) <= 128 => {
                Some(Sort::Bv(width + low))
            }
            Sort::Bv(_) | Sort::Bool | Sort::Float(_) | Sort::Array { .. } => None,
        },
        BvShape::Slice { hi, lo } => (lo <= hi && hi < width).then(|| Sort::Bv(hi - lo + 1)),
        BvShape::Widen { width: to } => (width <= to && to <= 128).then_some(Sort::Bv(to)),
    }
}

fn fp_sort(op: FpOp, sorts: &[Sort]) -> Option<Sort> {
    let format = match sorts[0] {
        Sort::Float(format) if sorts.iter().all(|&sort| sort == sorts[0]) => Some(format),
        Sort::Float(_) | Sort::Bool | Sort::Bv(_) | Sort::Array { .. } => None,
    };
    match op.shape() {
        FpShape::Map { .. } => format.map(Sort::Float),
        FpShape::Test | FpShape::Relation => format.map(|_| Sort::Bool),
        FpShape::Convert(to) => format.map(|_| Sort::Float(to)),
        FpShape::Decode(to) => (sorts[0] == Sort::Bv(to.width())).then_some(Sort::Float(to)),
        FpShape::FromVector(to) => matches!(sorts[0], Sort::Bv(_)).then_some(Sort::Float(to)),
        FpShape::ToVector { width } => {
            format.filter(|_| (1..=128).contains(&width)).map(|_| Sort::Bv(width))
        }
        FpShape::Encode => format.map(|format| Sort::Bv(format.width())),
    }
}

fn array_sort(op: ArrayOp, sorts: &[Sort]) -> Option<Sort> {
    if let ArrayOp::Const { index, element } = op {
        return (sorts[0] == Sort::from(element)).then_some(Sort::Array { index, element });
    }
    let Sort::Array { index, element } = sorts[0] else { return None };
    let fits = sorts[1] == Sort::Bv(index);
    match op {
        ArrayOp::Select => fits.then_some(element.into()),
        ArrayOp::Store => (fits && sorts[2] == Sort::from(element)).then_some(sorts[0]),
        ArrayOp::Const { .. } => None,
    }
}
