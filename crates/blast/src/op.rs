//! The operators as circuits, one per file. Words are least significant bit first.

pub(crate) mod add;
pub(crate) mod bitwise;
pub(crate) mod compare;
pub(crate) mod equal;
pub(crate) mod ite;
pub(crate) mod mul;
pub(crate) mod neg;
pub(crate) mod overflow;
pub(crate) mod sdiv;
pub(crate) mod shift;
pub(crate) mod slice;
pub(crate) mod smod;
pub(crate) mod srem;
pub(crate) mod sub;
pub(crate) mod udiv;
