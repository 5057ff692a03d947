//! Polyhedra as lists of linear inequalities, with optimization by the simplex.

use crate::linear::{LinearExpr, Var};
use crate::rational::Rational;
use crate::simplex::{Feasibility, Optimum, Reason, Simplex, Steps};

/// The points at which every row `expr <= 0` holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Polyhedron {
    rows: Vec<LinearExpr>,
}

/// The largest value of an expression over a polyhedron.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Largest {
    Value(Rational),
    Unbounded,
    /// The polyhedron is empty.
    Empty,
    /// The budget ran out.
    Unknown,
}

impl Polyhedron {
    /// Everything.
    pub fn new() -> Polyhedron {
        Polyhedron::default()
    }

    pub fn rows(&self) -> &[LinearExpr] {
        &self.rows
    }

    /// Adds `expr <= 0`, unless it is there already or holds always.
    pub fn at_most_zero(&mut self, expr: LinearExpr) {
        let always = expr.is_constant() && !expr.constant_part().is_positive();
        if !always && !self.rows.contains(&expr) {
            self.rows.push(expr);
        }
    }

    /// Adds `expr = 0`.
    pub fn is_zero(&mut self, expr: &LinearExpr) {
        self.at_most_zero(expr.clone());
        self.at_most_zero(expr.scaled(&Rational::int(-1)));
    }

    /// Adds `lo <= var <= hi`.
    pub fn within(&mut self, var: Var, lo: i128, hi: i128) {
        self.at_most_zero(LinearExpr::from_terms(&[(var, -1)], lo));
        self.at_most_zero(LinearExpr::from_terms(&[(var, 1)], -hi));
    }

    /// The variables that occur, smallest first.
    pub fn vars(&self) -> Vec<Var> {
        let mut vars: Vec<Var> =
            self.rows.iter().flat_map(|row| row.terms().iter().map(|(var, _)| *var)).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    pub fn contains(&self, value_of: impl Fn(Var) -> Rational) -> bool {
        self.rows.iter().all(|row| !row.eval(&value_of).is_positive())
    }

    /// The largest values of several expressions, each over the whole polyhedron.
    pub fn largest(&self, objectives: &[LinearExpr], steps: &mut Steps) -> Vec<Largest> {
        let highest = self.vars().last().map_or(0, |var| var.index() + 1);
        let mentioned =
            objectives.iter().flat_map(|o| o.terms().iter().map(|(v, _)| v.index() + 1));
        let n_vars = mentioned.max().unwrap_or(0).max(highest);
        let mut simplex = Simplex::new();
        for _ in 0..n_vars {
            let _ = simplex.new_var();
        }
        let mut empty = false;
        for row in &self.rows {
            if row.is_constant() {
                empty |= row.constant_part().is_positive();
                continue;
            }
            let slack = simplex.define(row);
            let limit = -row.constant_part();
            empty |= simplex.assert_upper(slack, &limit, Reason(0)).is_err();
        }
        let all = |answer: Largest| vec![answer; objectives.len()];
        if empty {
            return all(Largest::Empty);
        }
        match simplex.check(steps) {
            Feasibility::Feasible => {}
            Feasibility::Infeasible(_) => return all(Largest::Empty),
            Feasibility::Exhausted => return all(Largest::Unknown),
        }
        let mut answers = Vec::with_capacity(objectives.len());
        for objective in objectives {
            answers.push(match simplex.maximize(objective, steps) {
                Optimum::Bounded { value, .. } => Largest::Value(value),
                Optimum::Unbounded => Largest::Unbounded,
                Optimum::Exhausted => Largest::Unknown,
            });
        }
        answers
    }

    /// The same points without the rows that the others imply. A spent budget keeps rows.
    #[must_use]
    pub fn without_redundancy(&self, steps: &mut Steps) -> Polyhedron {
        let mut kept = self.rows.clone();
        let mut index = 0;
        while index < kept.len() {
            let mut rest = Polyhedron { rows: kept.clone() };
            let row = rest.rows.remove(index);
            let implied = match &rest.largest(std::slice::from_ref(&row), steps)[0] {
                Largest::Value(value) => !value.is_positive(),
                // An empty rest must stay empty without this row: it does.
                Largest::Empty => true,
                Largest::Unbounded | Largest::Unknown => false,
            };
            if implied {
                let _ = kept.remove(index);
            } else {
                index += 1;
            }
        }
        Polyhedron { rows: kept }
    }
}
