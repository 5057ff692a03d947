//! Linear expressions over the columns of a linear program.

use crate::rational::Rational;

/// A column of a linear program: a structural variable or the slack of a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(u32);

impl Var {
    pub fn new(index: usize) -> Var {
        Var(u32::try_from(index).expect("fewer than 2^32 columns"))
    }

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for Var {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "x{}", self.0)
    }
}

/// `constant + sum of coefficient * variable`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct LinearExpr {
    // Invariant: sorted by variable, no zero coefficient, no variable twice.
    terms: Vec<(Var, Rational)>,
    constant: Rational,
}

impl Default for LinearExpr {
    fn default() -> LinearExpr {
        LinearExpr::zero()
    }
}

impl LinearExpr {
    pub fn zero() -> LinearExpr {
        LinearExpr { terms: Vec::new(), constant: Rational::ZERO }
    }

    pub fn constant(value: Rational) -> LinearExpr {
        LinearExpr { terms: Vec::new(), constant: value }
    }

    pub fn int(value: i128) -> LinearExpr {
        LinearExpr::constant(Rational::int(value))
    }

    pub fn var(var: Var) -> LinearExpr {
        LinearExpr { terms: vec![(var, Rational::ONE)], constant: Rational::ZERO }
    }

    /// Any order, repeated variables are added up.
    pub fn from_terms(terms: &[(Var, i128)], constant: i128) -> LinearExpr {
        let mut expr = LinearExpr::int(constant);
        for &(var, coefficient) in terms {
            expr.add_term(var, &Rational::int(coefficient));
        }
        expr
    }

    pub fn terms(&self) -> &[(Var, Rational)] {
        &self.terms
    }

    pub fn constant_part(&self) -> &Rational {
        &self.constant
    }

    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    /// The one variable, when the expression is exactly that.
    pub fn as_var(&self) -> Option<Var> {
        match self.terms.as_slice() {
            [(var, coefficient)] if self.constant.is_zero() && *coefficient == Rational::ONE => {
                Some(*var)
            }
            _ => None,
        }
    }

    /// Variable and coefficient, when there is one variable (the constant may be anything).
    pub fn as_affine(&self) -> Option<(Var, &Rational)> {
        match self.terms.as_slice() {
            [(var, coefficient)] => Some((*var, coefficient)),
            _ => None,
        }
    }

    pub fn coefficient(&self, var: Var) -> Rational {
        match self.terms.binary_search_by_key(&var, |(v, _)| *v) {
            Ok(position) => self.terms[position].1.clone(),
            Err(_) => Rational::ZERO,
        }
    }

    pub fn add_term(&mut self, var: Var, coefficient: &Rational) {
        match self.terms.binary_search_by_key(&var, |(v, _)| *v) {
            Ok(position) => {
                self.terms[position].1 += coefficient;
                if self.terms[position].1.is_zero() {
                    self.terms.remove(position);
                }
            }
            Err(position) => {
                if !coefficient.is_zero() {
                    self.terms.insert(position, (var, coefficient.clone()));
                }
            }
        }
    }

    pub fn add_constant(&mut self, value: &Rational) {
        self.constant += value;
    }

    /// Adds `factor * other`.
    pub fn add_scaled(&mut self, other: &LinearExpr, factor: &Rational) {
        if factor.is_zero() {
            return;
        }
        self.constant += &(&other.constant * factor);
        merge_scaled(&mut self.terms, &other.terms, factor);
    }

    #[must_use]
    pub fn plus(&self, other: &LinearExpr) -> LinearExpr {
        let mut sum = self.clone();
        sum.add_scaled(other, &Rational::ONE);
        sum
    }

    #[must_use]
    pub fn minus(&self, other: &LinearExpr) -> LinearExpr {
        let mut difference = self.clone();
        difference.add_scaled(other, &Rational::int(-1));
        difference
    }

    #[must_use]
    pub fn scaled(&self, factor: &Rational) -> LinearExpr {
        let mut product = LinearExpr::zero();
        product.add_scaled(self, factor);
        product
    }

    #[must_use]
    pub fn plus_int(&self, value: i128) -> LinearExpr {
        let mut sum = self.clone();
        sum.constant += &Rational::int(value);
        sum
    }

    /// The expression without its constant.
    #[must_use]
    pub fn without_constant(&self) -> LinearExpr {
        LinearExpr { terms: self.terms.clone(), constant: Rational::ZERO }
    }

    /// Replaces `var` by `by`.
    pub fn substitute(&mut self, var: Var, by: &LinearExpr) {
        if let Ok(position) = self.terms.binary_search_by_key(&var, |(v, _)| *v) {
            let (_, coefficient) = self.terms.remove(position);
            self.add_scaled(by, &coefficient);
        }
    }

    pub fn eval(&self, value_of: impl Fn(Var) -> Rational) -> Rational {
        let mut sum = self.constant.clone();
        for (var, coefficient) in &self.terms {
            sum += &(coefficient * &value_of(*var));
        }
        sum
    }
}

/// `target += factor * source`, both sorted by variable without zeros; `factor` is not zero.
pub(crate) fn merge_scaled(
    target: &mut Vec<(Var, Rational)>,
    source: &[(Var, Rational)],
    factor: &Rational,
) {
    let old = std::mem::take(target);
    target.reserve(old.len() + source.len());
    let mut added = source.iter().peekable();
    for (var, coefficient) in old {
        while let Some((v, c)) = added.next_if(|(v, _)| *v < var) {
            target.push((*v, c * factor));
        }
        if let Some((_, c)) = added.next_if(|(v, _)| *v == var) {
            let sum = &coefficient + &(c * factor);
            if !sum.is_zero() {
                target.push((var, sum));
            }
        } else {
            target.push((var, coefficient));
        }
    }
    target.extend(added.map(|(v, c)| (*v, c * factor)));
}

impl std::fmt::Debug for LinearExpr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (position, (var, coefficient)) in self.terms.iter().enumerate() {
            if position > 0 {
                write!(f, " + ")?;
            }
            write!(f, "{coefficient}*{var:?}")?;
        }
        if self.terms.is_empty() || !self.constant.is_zero() {
            write!(f, "{}{}", if self.terms.is_empty() { "" } else { " + " }, self.constant)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_cancel_and_stay_sorted() {
        let [x, y, z] = [Var::new(0), Var::new(1), Var::new(2)];
        let a = LinearExpr::from_terms(&[(z, 3), (x, 1)], 4);
        let b = LinearExpr::from_terms(&[(y, 2), (z, -3)], -4);
        let sum = a.plus(&b);
        assert_eq!(sum, LinearExpr::from_terms(&[(x, 1), (y, 2)], 0));
        let mut replaced = sum.clone();
        replaced.substitute(y, &LinearExpr::from_terms(&[(x, -1), (z, 5)], 7));
        assert_eq!(replaced, LinearExpr::from_terms(&[(x, -1), (z, 10)], 14));
        assert_eq!(replaced.eval(|v| Rational::int(v.index() as i128)), Rational::int(34));
        assert_eq!(a.minus(&a), LinearExpr::zero());
    }
}
