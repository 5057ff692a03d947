//! Random programs in C, and classes in Java, each kind with a generator of its own. The same seed gives the same text.

pub mod assertions;
pub mod calls;
pub mod decisions;
pub mod java;
pub mod loops;
pub mod lost_memory;
pub mod memory;
pub mod pointers;
