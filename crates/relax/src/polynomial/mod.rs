//! Systems of polynomial equations and inequalities in few variables over a box.
//!
//! `solve` refutes a box soundly or proposes a point. Bounds come from Bernstein coefficients in outward
//! rounded interval arithmetic; boxes are contracted by interval Newton steps, rounded for integer
//! variables, and bisected depth first within a budget.

pub mod bernstein;
pub mod bisect;
pub mod contract;
pub mod interval;
pub mod poly;

pub use bisect::{Answer, Options, solve};
pub use interval::Interval;
pub use poly::Polynomial;

/// What an atom says of its polynomial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Zero,
    AtMostZero,
    BelowZero,
}

/// A polynomial equation or inequality.
#[derive(Debug, Clone, PartialEq)]
pub struct Atom {
    pub polynomial: Polynomial,
    pub sign: Sign,
}

/// Which numbers a variable ranges over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    Reals,
    Integers,
}

/// A conjunction of atoms over a box.
#[derive(Debug, Clone, PartialEq)]
pub struct PolynomialSystem {
    pub atoms: Vec<Atom>,
    pub space: Vec<Interval>,
    pub numbers: Vec<Numbers>,
}
