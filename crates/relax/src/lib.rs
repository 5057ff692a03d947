//! Linear and polynomial relaxations of terms: sound refutation and tighter bounds.
//!
//! `relax` reads bit-vector terms as integers, builds linear rows that hold for every integer point of
//! their meaning under the current bounds, and asks an exact simplex. It answers "infeasible", with the
//! assertions and bounds that say so, or gives tighter bounds, with reasons. It never claims a solution:
//! it may propose a point, which the caller must evaluate.
//!
//! Not here: search over program paths, propagation of domains, floats as such, time.

pub mod linear;
pub mod rational;
pub mod simplex;
