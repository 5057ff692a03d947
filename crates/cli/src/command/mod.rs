//! The commands, one per file.

pub(crate) mod dump;
pub(crate) mod generate;
pub(crate) mod run;
pub(crate) mod solve;
