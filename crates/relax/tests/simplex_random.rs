//! The simplex against Fourier-free brute force: certificates are re-checked line by line, feasible
//! points are re-evaluated, and both happen under random pushes, pops and removals.

use std::collections::BTreeMap;

use glassbox_relax::linear::{LinearExpr, Var};
use glassbox_relax::rational::Rational;
use glassbox_relax::simplex::{Feasibility, Optimum, Reason, Side, Simplex, Steps};
use glassbox_testkit::Random;

/// The bounds a test believes are in force.
type Book = BTreeMap<(Var, Side), (Rational, Reason)>;

struct World {
    simplex: Simplex,
    structural: Vec<Var>,
    definitions: BTreeMap<Var, LinearExpr>,
    books: Vec<Book>,
    conflict: bool,
}

impl World {
    fn new(n_vars: usize) -> World {
        let mut simplex = Simplex::new();
        let structural = (0..n_vars).map(|_| simplex.new_var()).collect();
        World {
            simplex,
            structural,
            definitions: BTreeMap::new(),
            books: vec![Book::new()],
            conflict: false,
        }
    }

    fn bound(&mut self, var: Var, side: Side, value: i128, reason: Reason) {
        let value = Rational::int(value);
        let result = match side {
            Side::Lower => self.simplex.assert_lower(var, &value, reason),
            Side::Upper => self.simplex.assert_upper(var, &value, reason),
        };
        let book = self.books.last_mut().unwrap();
        let tighter = book.get(&(var, side)).is_none_or(|(old, _)| match side {
            Side::Lower => value > *old,
            Side::Upper => value < *old,
        });
        if tighter {
            book.insert((var, side), (value, reason));
        }
        if let Err(certificate) = result {
            assert!(certificate.refutes(&self.definitions), "clash should refute");
            self.conflict = true;
        }
    }

    /// Every certificate line is a bound in force.
    fn check_lines(&self, certificate: &glassbox_relax::simplex::Certificate) {
        let book = self.books.last().unwrap();
        for line in certificate.lines() {
            let (value, reason) = &book[&(line.var, line.side)];
            assert_eq!((value, reason), (&line.value, &line.reason));
        }
    }

    /// Checks feasibility, and the optimum of one random objective.
    fn examine(&mut self, random: &mut Random) -> bool {
        let mut steps = Steps::new(1_000_000);
        match self.simplex.check(&mut steps) {
            Feasibility::Exhausted => panic!("the budget should be enough"),
            Feasibility::Infeasible(certificate) => {
                self.check_lines(&certificate);
                assert!(certificate.refutes(&self.definitions), "{certificate:?}");
                return false;
            }
            Feasibility::Feasible => assert!(!self.conflict, "a clash should stay infeasible"),
        }
        self.check_point();
        let mut objective = LinearExpr::int(random.range(-5, 5));
        for &var in &self.structural {
            objective.add_term(var, &Rational::int(random.range(-3, 3)));
        }
        match self.simplex.maximize(&objective, &mut steps) {
            Optimum::Exhausted => panic!("the budget should be enough"),
            Optimum::Unbounded => {}
            Optimum::Bounded { value, because } => {
                self.check_lines(&because);
                assert!(because.proves_at_most(&objective, &value, &self.definitions));
                assert_eq!(objective.eval(|v| self.simplex.value(v).clone()), value);
            }
        }
        self.check_point();
        true
    }

    fn check_point(&self) {
        for ((var, side), (value, _)) in self.books.last().unwrap() {
            let actual = self.simplex.value(*var);
            match side {
                Side::Lower => assert!(actual >= value),
                Side::Upper => assert!(actual <= value),
            }
        }
        for (slack, expr) in &self.definitions {
            let actual = expr.eval(|v| self.simplex.value(v).clone());
            assert_eq!(actual, *self.simplex.value(*slack));
        }
    }
}

#[test]
fn random_programs_have_valid_points_certificates_and_optima() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let (mut feasible, mut infeasible) = (0, 0);
    for _ in 0..300 {
        let n_vars = 1 + random.below(5_usize);
        let mut world = World::new(n_vars);
        let mut reason = 0;
        for _ in 0..30 {
            match random.below(10) {
                0 | 1 => {
                    let mut expr = LinearExpr::zero();
                    for &var in &world.structural {
                        if random.below(2) == 0 {
                            expr.add_term(var, &Rational::int(random.range(-4, 4)));
                        }
                    }
                    let slack = world.simplex.define(&expr);
                    world.definitions.insert(slack, expr);
                }
                2 => {
                    world.simplex.push();
                    let book = world.books.last().unwrap().clone();
                    world.books.push(book);
                }
                3 => {
                    if world.books.len() > 1 {
                        world.simplex.pop();
                        world.books.pop();
                        world.conflict = false;
                        // A clash of an outer level comes back.
                        let book = world.books.last().unwrap().clone();
                        for ((var, side), (value, _)) in &book {
                            if *side == Side::Lower
                                && book.get(&(*var, Side::Upper)).is_some_and(|(u, _)| u < value)
                            {
                                world.conflict = true;
                            }
                        }
                    }
                }
                4 => {
                    if let Some((&slack, _)) = world.definitions.iter().next() {
                        world.simplex.remove_defined(slack);
                        world.definitions.remove(&slack);
                        for book in &mut world.books {
                            book.retain(|(var, _), _| *var != slack);
                        }
                        // Whether a clash remains is recomputed from the book.
                        let book = world.books.last().unwrap();
                        world.conflict = book.iter().any(|((var, side), (value, _))| {
                            *side == Side::Lower
                                && book.get(&(*var, Side::Upper)).is_some_and(|(u, _)| u < value)
                        });
                    }
                }
                5..=8 => {
                    let all: Vec<Var> =
                        world.structural.iter().chain(world.definitions.keys()).copied().collect();
                    let var = all[random.below(all.len())];
                    let side = if random.below(2) == 0 { Side::Lower } else { Side::Upper };
                    let value = match side {
                        Side::Lower => random.range(-12, 6),
                        Side::Upper => random.range(-6, 12),
                    };
                    reason += 1;
                    world.bound(var, side, value, Reason(reason));
                }
                _ => {
                    if world.examine(&mut random) {
                        feasible += 1;
                    } else {
                        infeasible += 1;
                    }
                }
            }
        }
    }
    assert!(
        feasible > 100 && infeasible > 50,
        "both answers should occur: {feasible}, {infeasible}"
    );
}

#[test]
fn integer_points_are_never_refuted() {
    // All integer points of a small box are tried by brute force.
    let mut random = Random::new(7);
    let (mut refuted, mut open) = (0, 0);
    for _ in 0..400 {
        let mut world = World::new(3);
        let mut rows: Vec<(LinearExpr, Side, i128)> = Vec::new();
        for (index, &var) in world.structural.clone().iter().enumerate() {
            let reason = Reason(u32::try_from(index).unwrap());
            world.bound(var, Side::Lower, -3, reason);
            world.bound(var, Side::Upper, 3, reason);
        }
        for index in 0..4 {
            let mut expr = LinearExpr::zero();
            for &var in &world.structural {
                expr.add_term(var, &Rational::int(random.range(-3, 3)));
            }
            let side = if random.below(2) == 0 { Side::Lower } else { Side::Upper };
            let value = random.range(-8, 8);
            let slack = world.simplex.define(&expr);
            world.definitions.insert(slack, expr.clone());
            world.bound(slack, side, value, Reason(10 + index));
            rows.push((expr, side, value));
        }
        let holds = |x: i128, y: i128, z: i128| {
            rows.iter().all(|(expr, side, value)| {
                let at = expr.eval(|v| Rational::int([x, y, z][v.index()]));
                match side {
                    Side::Lower => at >= Rational::int(*value),
                    Side::Upper => at <= Rational::int(*value),
                }
            })
        };
        let any = (-3..=3).any(|x| (-3..=3).any(|y| (-3..=3).any(|z| holds(x, y, z))));
        let feasible = world.examine(&mut random);
        assert!(feasible || !any, "a system with an integer point was refuted");
        if feasible {
            open += 1;
        } else {
            refuted += 1;
        }
    }
    assert!(refuted > 30 && open > 30, "both answers should occur: {refuted}, {open}");
}
