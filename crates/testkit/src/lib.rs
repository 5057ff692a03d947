//! What tests share: random numbers and programs, other tools as oracles, the command and what it leaves.
//!
//! Only tests, examples and benchmarks depend on this room; it depends on no other, so generators yield text.

#![allow(clippy::disallowed_methods, reason = "it starts other tools for tests")]
#![allow(clippy::print_stderr, reason = "tests say what they could not check")]

pub mod browser;
pub mod command;
pub mod enumerated;
pub mod folder;
pub mod gcc;
pub mod java;
pub mod programs;
mod random;
pub mod suite;
mod telling_values;
mod tool;
pub mod z3;

pub use command::run_glassbox;
pub use random::Random;
pub use tool::{Tool, require};

use std::path::{Path, PathBuf};

/// The folder with `corpus/` and `examples/`.
pub fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).expect("this crate is two folders below the workspace").to_owned()
}
