//! Propagators of integer arithmetic on vectors of at most 64 bits.

pub mod add;
pub mod add_overflow;
pub mod class;
pub mod div;
pub mod linear;
pub mod mul;
pub mod mul_overflow;
pub mod natural;
pub mod neg;
pub mod reading;
pub mod rem;
pub mod scale;
pub mod sign_case;
pub mod square;
