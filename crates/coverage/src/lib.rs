//! Coverage criteria: from a function to its goals, from runs to the goals they reach.
//!
//! A criterion turns a function into goals; `Facts` say what runs did; `reach` says which goals that
//! reaches. Ignorant of how goals are reached: no constraint, no interpreter, no compiler.
//!
//! To add a criterion: 1 a file in `criterion/` with a unit struct; 2 implement `Criterion` (name and
//! goals); 3 if no `Target` fits, add one with its rule in `reach`; 4 one line in `criterion::by_name`;
//! 5 a test with the smallest function that shows it.

pub mod asked;
pub mod cause;
pub mod comparison;
pub mod criterion;
pub mod facts;
mod failure;
pub mod filling;
pub mod goal;
mod lifetime;
pub mod mcdc;
mod misuse;
pub mod property;
pub mod reach;
pub mod running;
pub mod scope;

pub use asked::{Asked, Specification};
pub use cause::Cause;
pub use criterion::Criterion;
pub use facts::{Evaluation, Facts, Site};
pub use goal::{Goal, McdcFlavor, Relation, Target};
pub use property::{Properties, Property, PropertyKind};
pub use reach::{Covered, Gain, Tracker};
