//! C types: what they are, how they are laid out, when two of them agree.

pub mod compat;
mod display;
pub mod kind;
pub mod query;
pub mod record;
pub mod table;
