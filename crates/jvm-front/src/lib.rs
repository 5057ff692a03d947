//! JVM classes to the program representation.
//!
//! Class files, jars, folders of classes and the JDK's own image are read (`classfile`, `classpath`),
//! loaded when they are mentioned (`world`), followed from the methods of interest (`reach`), and
//! translated to memory, branches and calls that every engine understands (`lower`). What the JDK leaves
//! to the machine is in `library`.
//!
//! Not here: processes (the driver starts `javac` for a `.java` file), constraints, tests.
//!
//! Invariants: input never panics, it ends in a `Diagnostic` or in `Unsupported` instructions with their
//! place; the same classes give the same program.

mod absent;
pub mod changed;
pub mod classfile;
pub mod classpath;
mod condition;
pub mod descriptor;
pub mod diagnostics;
pub mod entry;
mod harness;
mod influence;
mod kept;
mod library;
mod lower;
mod mutant;
mod opened;
mod own_arrays;
pub mod probe;
mod reach;
mod recipe;
mod selection;
pub mod world;

pub use classpath::ClassPath;
pub use diagnostics::Diagnostic;
pub use entry::{JavaProgram, Selection, translate};
pub use influence::Influences;
pub use library::settings;
pub use lower::{Beginnings, CONTRACTS, ContractMethod, ErrorOrigin, Handlers, Requirement};
pub use mutant::{CopyKind, LoweredMutant, MethodName, MutantMethod};
pub use opened::opened;
pub use reach::{Options, Properties, Surroundings};
