//! Propagators of integer arithmetic on vectors of at most 64 bits.

pub(crate) mod add;
pub(crate) mod add_overflow;
pub(crate) mod class;
pub(crate) mod div;
pub(crate) mod linear;
pub(crate) mod mul;
pub(crate) mod mul_overflow;
pub(crate) mod natural;
pub(crate) mod neg;
pub(crate) mod reading;
pub(crate) mod rem;
pub(crate) mod scale;
pub(crate) mod sign_case;
pub(crate) mod square;
