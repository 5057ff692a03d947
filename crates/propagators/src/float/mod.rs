//! Propagators of relations with floats, one operator per file.
//!
//! Each `narrow_…` is a pure function from the domains of an operator's arguments and result to
//! smaller ones, or to `None` when no solution is left; all are sound for the five rounding modes and
//! every format. The relation beside it reads and writes the store. This file says which relation an
//! operator posts.

mod apply;
mod integer_side;
mod store;

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

use glassbox_terms::FpOp;

use bits::Encoding;
use classify::Class;
use compare::Comparison;
use convert::{FromInteger, ToFloat, ToInteger};
use min_max::Extreme;

use crate::relation::Relation;

pub(crate) fn relation_of(op: FpOp) -> Box<dyn Relation> {
    match op {
        FpOp::Add(rounding) => Box::new(add::Add(rounding)),
        FpOp::Sub(rounding) => Box::new(sub::Sub(rounding)),
        FpOp::Mul(rounding) => Box::new(mul::Mul(rounding)),
        FpOp::Div(rounding) => Box::new(div::Div(rounding)),
        FpOp::Fma(rounding) => Box::new(fma::Fma(rounding)),
        FpOp::Sqrt(rounding) => Box::new(sqrt::Sqrt(rounding)),
        FpOp::Rem => Box::new(rem::Rem),
        FpOp::Fmod => Box::new(fmod::Fmod),
        FpOp::RoundToIntegral(rounding) => Box::new(round::Round(rounding)),
        FpOp::Min => Box::new(Extreme::Min),
        FpOp::Max => Box::new(Extreme::Max),
        FpOp::Abs => Box::new(abs::Abs),
        FpOp::Neg => Box::new(neg::Neg),
        FpOp::Eq => Box::new(Comparison::FpEq),
        FpOp::Lt => Box::new(Comparison::FpLt),
        FpOp::Le => Box::new(Comparison::FpLe),
        FpOp::IsNormal => Box::new(Class::Normal),
        FpOp::IsSubnormal => Box::new(Class::Subnormal),
        FpOp::IsZero => Box::new(Class::Zero),
        FpOp::IsInfinite => Box::new(Class::Infinite),
        FpOp::IsNan => Box::new(Class::Nan),
        FpOp::IsNegative => Box::new(Class::Negative),
        FpOp::IsPositive => Box::new(Class::Positive),
        FpOp::ToFp { rounding, .. } => Box::new(ToFloat(rounding)),
        FpOp::FromBits(_) => Box::new(Encoding::FromBits),
        FpOp::FromInt { rounding, signedness, .. } => {
            Box::new(FromInteger { rounding, signedness })
        }
        FpOp::ToInt { rounding, signedness, .. } => Box::new(ToInteger { rounding, signedness }),
        FpOp::ToBits => Box::new(Encoding::ToBits),
    }
}
