//! Tests as plain data, shared by the rooms that find tests, run them, write them down and report them.
//!
//! Fields are public and nothing here computes: no term, solver variable, process or file format. An
//! input is a forest of named values over the source's types, with pointers as edges between objects,
//! so that the same data can be put into the interpreter's memory, printed as C initializers or drawn.

pub mod assumption;
mod environment_fact;
pub mod image;
pub mod input;
pub mod java;
pub mod line_facts;
pub mod observation;
pub mod premise;
pub mod recipe;
pub mod suite;
pub mod verdict;

pub use assumption::{Assumption, NotCompared, UnmodeledInput};
pub use environment_fact::EnvironmentFact;
pub use input::{
    InputObject, InputPointer, InputValue, NamedInput, StubResult, StubWrite, TestInput,
};
pub use line_facts::{Known, LineFacts};
pub use observation::{Ending, MadeMemory, Observation, WrittenGlobal, WrittenObject};
pub use premise::Premise;
pub use suite::{
    ContractClause, GoalResult, GoalSolutions, Limit, PathCondition, PathSolutions, SolutionList,
    Suite, Test,
};
pub use verdict::{ProofMethod, Spent, UnknownReason, Verdict};
