//! Programs as constraints: the only room that sees a program and terms together.
//!
//! `exec` runs a function symbolically along one path. It never decides by itself where control goes:
//! whenever more than one way is possible it asks a `Guide`, giving the condition of each way. The same
//! answers give the same path and, terms being hash-consed, the same conditions; so a search
//! remembers answers instead of states, and nothing is ever copied or concretized behind its back.
//!
//! Memory is objects with typed cells; inputs (parameters, globals, memory behind pointers, results of
//! undefined functions) come into being when they are first read and are remembered in `inputs`, which
//! turns a model of the path's conditions into a test input.
//!
//! Not here: search, goals, solving.

pub mod config;
pub mod exec;
pub mod guide;
pub mod inputs;
pub mod leaf;
pub mod library;
pub mod meaning;
pub mod memory;
pub mod notation;
pub mod stream_input;
pub mod value;

pub use config::Config;
pub use exec::{Execution, Lives, LostMemory, PathEnd, PathState, StackPlace, execute};
pub use guide::{Alternative, ChoiceKind, ChoicePoint, Guide};
pub use inputs::Inputs;
pub use value::{ObjectId, SymPtr, SymValue};
