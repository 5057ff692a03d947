//! Guided local search over terms: candidate models for long chains of float and integer operations.
//!
//! The terms of a conjunction are compiled once into a flat tape that runs on the host's own floats;
//! a distance says how far a state is from satisfying the conjunction; hill climbing and Newton steps
//! from many starting points, all deterministic, bring it to zero. What comes back is a candidate: its user evaluates it
//! with `terms::eval` before it is believed. Nothing is ever said about unsatisfiability.
//!
//! Not here: domains, propagation, programs, clocks. Work is counted in tape instructions.

mod distance;
mod native;
mod newton;
mod random;
mod register;
pub mod search;
mod select;
mod start;
mod tape;
