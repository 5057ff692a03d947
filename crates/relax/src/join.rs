//! Weak join: a polyhedron around two others, with the slopes of their rows.
//!
//! **Relation**: contains every point of `a` and every point of `b`. Each row of either side is loosened
//! until it holds on the other side too: `row - max(row over the other) <= 0`. A row without a maximum is
//! dropped; an empty side gives the other side.
//! **Strength**: exact along the given slopes; weaker than the convex hull where the hull has a slope that
//! neither side has. Further slopes may be given as templates.
//! **Source**: Sankaranarayanan, Colón, Sipma and Manna 2006; note F 1.9, note H 1.3.6.

use crate::linear::LinearExpr;
use crate::polyhedron::{Largest, Polyhedron};
use crate::rational::Rational;
use crate::simplex::Steps;

/// The weak join of two polyhedra. `templates` are further expressions to bound from both sides.
pub fn weak_join(
    a: &Polyhedron,
    b: &Polyhedron,
    templates: &[LinearExpr],
    steps: &mut Steps,
) -> Polyhedron {
    let mut slopes: Vec<LinearExpr> = Vec::new();
    let both = templates.iter().flat_map(|expr| [expr.clone(), expr.scaled(&Rational::int(-1))]);
    for expr in a.rows().iter().chain(b.rows()).cloned().chain(both) {
        let slope = expr.without_constant();
        if !slope.is_constant() && !slopes.contains(&slope) {
            slopes.push(slope);
        }
    }
    let over_a = a.largest(&slopes, steps);
    let over_b = b.largest(&slopes, steps);
    if over_a.contains(&Largest::Empty) {
        return b.clone();
    }
    if over_b.contains(&Largest::Empty) {
        return a.clone();
    }
    let mut joined = Polyhedron::new();
    for ((slope, first), second) in slopes.into_iter().zip(over_a).zip(over_b) {
        let (Largest::Value(first), Largest::Value(second)) = (first, second) else { continue };
        let mut row = slope;
        row.add_constant(&-first.max(second));
        joined.at_most_zero(row);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linear::Var;

    fn steps() -> Steps {
        Steps::new(1_000_000)
    }

    fn range(polyhedron: &Polyhedron, expr: &LinearExpr) -> (Rational, Rational) {
        let negated = expr.scaled(&Rational::int(-1));
        let found = polyhedron.largest(&[expr.clone(), negated], &mut steps());
        let [Largest::Value(high), Largest::Value(low)] = &found[..] else {
            panic!("the expression should be bounded: {found:?}");
        };
        (-low, high.clone())
    }

    /// Note A 1.8 (iii): `X = Y+10 or X = Y-10` over 0..20 gives exactly `-10 <= X - Y <= 10`.
    #[test]
    fn plus_or_minus_ten_is_exact() {
        let [x, y] = [Var::new(0), Var::new(1)];
        let side = |offset| {
            let mut side = Polyhedron::new();
            side.within(x, 0, 20);
            side.within(y, 0, 20);
            side.is_zero(&LinearExpr::from_terms(&[(x, 1), (y, -1)], offset));
            side
        };
        let joined = weak_join(&side(-10), &side(10), &[], &mut steps());
        let difference = LinearExpr::from_terms(&[(x, 1), (y, -1)], 0);
        assert_eq!(range(&joined, &difference), (Rational::int(-10), Rational::int(10)));
        assert_eq!(range(&joined, &LinearExpr::var(x)), (Rational::int(0), Rational::int(20)));
        // Nothing but the box and the band is left.
        assert_eq!(joined.without_redundancy(&mut steps()).rows().len(), 6);
    }

    /// Note A 1.8 (ii): `X = Y or X = 5` with X in ±1000, Y in 0..1 gives X in 0..5.
    #[test]
    fn equal_or_five_is_exact() {
        let [x, y] = [Var::new(0), Var::new(1)];
        let mut equal = Polyhedron::new();
        equal.within(x, -1000, 1000);
        equal.within(y, 0, 1);
        let mut five = equal.clone();
        equal.is_zero(&LinearExpr::from_terms(&[(x, 1), (y, -1)], 0));
        five.is_zero(&LinearExpr::from_terms(&[(x, 1)], -5));
        let joined = weak_join(&equal, &five, &[], &mut steps());
        assert_eq!(range(&joined, &LinearExpr::var(x)), (Rational::int(0), Rational::int(5)));
        assert_eq!(range(&joined, &LinearExpr::var(y)), (Rational::int(0), Rational::int(1)));
    }

    /// Note F 1.8: the second conditional of `foo` gives `-100 <= Y1 - X <= 5`.
    #[test]
    fn foo_join_projects_to_minus_100_and_5() {
        let [x, y, u] = [Var::new(0), Var::new(1), Var::new(2)];
        let side = |sign: i128, value: i128| {
            let mut side = Polyhedron::new();
            side.within(x, -1000, 1000);
            side.within(y, -1000, 1000);
            side.is_zero(&LinearExpr::from_terms(&[(y, 1), (x, -1), (u, -sign)], 0));
            side.is_zero(&LinearExpr::from_terms(&[(u, 1)], -value));
            side
        };
        let joined = weak_join(&side(1, 5), &side(-1, 100), &[], &mut steps());
        let difference = LinearExpr::from_terms(&[(y, 1), (x, -1)], 0);
        assert_eq!(range(&joined, &difference), (Rational::int(-100), Rational::int(5)));
    }

    #[test]
    fn an_empty_side_gives_the_other() {
        let x = Var::new(0);
        let mut side = Polyhedron::new();
        side.within(x, 3, 7);
        let mut empty = Polyhedron::new();
        empty.within(x, 3, 2);
        assert_eq!(weak_join(&side, &empty, &[], &mut steps()), side);
        assert_eq!(weak_join(&empty, &side, &[], &mut steps()), side);
    }

    /// Every integer point of either side is in the join, for all pairs of small systems.
    #[test]
    fn joins_contain_both_sides() {
        let [x, y] = [Var::new(0), Var::new(1)];
        let slopes = [(1, 0), (0, -1), (1, 1), (-1, 1), (2, -1), (-1, -2)];
        let mut sides = Vec::new();
        for (i, (a, b)) in slopes.iter().enumerate() {
            for (c, d) in &slopes[i..] {
                let mut side = Polyhedron::new();
                side.within(x, -2, 2);
                side.within(y, -2, 2);
                side.at_most_zero(LinearExpr::from_terms(&[(x, *a), (y, *b)], 1));
                side.at_most_zero(LinearExpr::from_terms(&[(x, *c), (y, *d)], -1));
                sides.push(side);
            }
        }
        let template = [LinearExpr::from_terms(&[(x, 1), (y, 3)], 0)];
        for a in &sides {
            for b in &sides {
                let joined = weak_join(a, b, &template, &mut steps());
                for px in -2..=2 {
                    for py in -2..=2 {
                        let at = |var: Var| Rational::int([px, py][var.index()]);
                        let inside = a.contains(at) || b.contains(at);
                        assert!(!inside || joined.contains(at), "{a:?} {b:?} {px} {py}");
                    }
                }
            }
        }
    }
}
