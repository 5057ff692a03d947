//! Linear and polynomial relaxations of terms: sound refutation and tighter bounds.
//!
//! `relax` reads bit-vector terms as integers, builds linear rows that hold for every integer point of
//! their meaning under the current bounds, and asks an exact simplex. It answers "infeasible", with the
//! assertions and bounds that say so, or gives tighter bounds, with reasons. It never claims a solution:
//! it may propose a point, which the caller must evaluate.
//!
//! How the solver uses it:
//!
//! ```
//! use glassbox_relax::bounds::NoBounds; // or the solver's domains behind the trait `Bounds`
//! use glassbox_relax::relaxation::{Limits, Outcome, Relaxation};
//! use glassbox_terms::{Sort, Terms};
//!
//! let mut terms = Terms::new();
//! let (x, y) = (terms.fresh_var("x", Sort::Bv(32)), terms.fresh_var("y", Sort::Bv(32)));
//! let (less, more) = (terms.bv_slt(x, y), terms.bv_slt(y, x));
//! let mut relaxation = Relaxation::new();
//! let first = relaxation.assert(less);
//! let second = relaxation.assert(more);
//! match relaxation.check(&terms, &NoBounds, &Limits::default()) {
//!     // Positions of assertions, and bounds of the caller, that cannot all hold.
//!     Outcome::Infeasible(because) => assert_eq!(because.assertions, [first, second]),
//!     // Bounds that hold for every solution, each with its explanation, and a point to evaluate.
//!     Outcome::Open { tightened: _, candidate: _ } => panic!("x < y and y < x"),
//! }
//! ```
//!
//! Rooms inside: `rational`, `linear`, `simplex` (exact linear programming, usable alone); `envelope`
//! (relation to rows), `definition` (rows that are remade), `system` (columns, propagation, LP rounds),
//! `translate` (terms to columns), `diophantine` and `factoring` (integer arguments), `nonlinear` (products
//! to `polynomial`), `branch` (bounded search), `relaxation` (the façade), `optimum` (largest values of sums of
//! terms, for invariants).
//!
//! Budgets are counted in arithmetic operations on inline integers, some thirty to the microsecond;
//! fractions and big numbers count for more. A check with `Limits::default()` stays below a few
//! milliseconds.
//!
//! Not here: search over program paths, propagation of domains, time.

pub mod bounds;
mod branch;
pub mod definition;
mod diophantine;
pub mod envelope;
pub mod fact;
pub mod factoring;
pub mod linear;
mod nonlinear;
pub mod optimum;
pub mod polynomial;
pub mod range;
pub mod rational;
pub mod relaxation;
pub mod simplex;
mod system;
mod translate;
