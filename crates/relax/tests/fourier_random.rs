//! Fourier-Motzkin against the simplex and against enumeration.

use glassbox_relax::fourier::{
    Inequalities, Row, Solved, Strictness, project, solve, weak_over_integers,
};
use glassbox_relax::linear::{LinearExpr, Var};
use glassbox_relax::polyhedron::{Largest, Polyhedron};
use glassbox_relax::rational::Rational;
use glassbox_relax::simplex::Steps;

struct Rng(u64);

impl Rng {
    fn range(&mut self, lo: i128, hi: i128) -> i128 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        lo + i128::from(self.0) % (hi - lo + 1)
    }
}

fn random(rng: &mut Rng, n_vars: usize, n_rows: usize, equalities: usize) -> Inequalities {
    let mut system = Inequalities::default();
    let expr = |rng: &mut Rng| {
        let mut expr = LinearExpr::int(rng.range(-6, 6));
        for index in 0..n_vars {
            expr.add_term(Var::new(index), &Rational::int(rng.range(-3, 3)));
        }
        expr
    };
    for _ in 0..n_rows {
        let strictness = if rng.range(0, 2) == 0 { Strictness::Strict } else { Strictness::Weak };
        system.rows.push(Row { expr: expr(rng), strictness });
    }
    for _ in 0..equalities {
        system.equalities.push(expr(rng));
    }
    system
}

fn holds(system: &Inequalities, at: impl Fn(Var) -> Rational + Copy) -> bool {
    system.rows.iter().all(|row| row.holds(at))
        && system.equalities.iter().all(|e| e.eval(at).is_zero())
}

/// Feasibility by the simplex: strict rows get a common slack that is maximized.
fn feasible(system: &Inequalities, n_vars: usize) -> bool {
    let slack = Var::new(n_vars);
    let mut polyhedron = Polyhedron::new();
    polyhedron.within(slack, 0, 1);
    for row in &system.rows {
        let mut expr = row.expr.clone();
        if row.strictness == Strictness::Strict {
            expr.add_term(slack, &Rational::ONE);
        }
        polyhedron.at_most_zero(expr);
    }
    for expr in &system.equalities {
        polyhedron.is_zero(expr);
    }
    match &polyhedron.largest(&[LinearExpr::var(slack)], &mut Steps::new(1_000_000))[0] {
        Largest::Empty => false,
        Largest::Value(value) => value.is_positive(),
        other => panic!("the slack is bounded: {other:?}"),
    }
}

#[test]
fn feasibility_agrees_with_the_simplex_and_points_satisfy() {
    let mut rng = Rng(0x1234_5678_9abc_def1);
    let (mut yes, mut no) = (0, 0);
    for case in 0..600 {
        let n_vars = 1 + case % 4;
        let system = random(&mut rng, n_vars, 2 + case % 6, case % 2);
        match solve(&system, 2000) {
            Solved::Point(point) => {
                assert!(holds(&system, |v| point.get(&v).cloned().unwrap_or(Rational::ZERO)));
                yes += 1;
            }
            Solved::Impossible => {
                assert!(!feasible(&system, n_vars), "{system:?}");
                no += 1;
            }
            Solved::GaveUp => panic!("two thousand rows should be enough"),
        }
    }
    assert!(yes > 100 && no > 100, "both answers should occur: {yes} {no}");
}

#[test]
fn projections_keep_exactly_the_points_that_extend() {
    let mut rng = Rng(99);
    for case in 0..120 {
        let system = random(&mut rng, 3, 3 + case % 4, case % 2);
        let projected = project(&system, &[Var::new(1), Var::new(2)], 2000).expect("small");
        for x in -8..=8 {
            let fixed = Rational::ratio(x, 2);
            let mut with = system.clone();
            let mut pin = LinearExpr::var(Var::new(0));
            pin.add_constant(&-&fixed);
            with.equalities.push(pin);
            let kept = holds(&projected, |_| fixed.clone());
            assert_eq!(
                kept,
                feasible(&with, 3),
                "case {case} at {fixed}: {system:?} {projected:?}"
            );
        }
    }
}

/// Note H 1.1.6: a > 0, a < b, a <= 100, b <= 100 leaves 0 < b <= 100.
#[test]
fn worked_example_of_note_h() {
    let [a, b] = [Var::new(0), Var::new(1)];
    let mut system = Inequalities::default();
    system.rows.push(Row::strict(LinearExpr::from_terms(&[(a, -1)], 0)));
    system.rows.push(Row::strict(LinearExpr::from_terms(&[(a, 1), (b, -1)], 0)));
    system.rows.push(Row::weak(LinearExpr::from_terms(&[(a, 1)], -100)));
    system.rows.push(Row::weak(LinearExpr::from_terms(&[(b, 1)], -100)));
    let projected = project(&system, &[a], 100).expect("small");
    let b_is = |value: i128| holds(&projected, |_| Rational::int(value));
    assert!(!b_is(0) && b_is(1) && b_is(100) && !b_is(101));
    assert_eq!(projected.rows.len(), 2, "0 < b and b <= 100: {projected:?}");
    let Solved::Point(point) = solve(&system, 100) else { panic!("satisfiable") };
    assert!(holds(&system, |v| point[&v].clone()));
}

#[test]
fn integer_rounding_is_exact_on_all_small_rows() {
    let [x, y] = [Var::new(0), Var::new(1)];
    for p in -4..=4 {
        for q in -4..=4 {
            for c in -7..=7 {
                for strictness in [Strictness::Weak, Strictness::Strict] {
                    let row =
                        Row { expr: LinearExpr::from_terms(&[(x, p), (y, q)], c), strictness };
                    let weak = weak_over_integers(&row).expect("small numbers");
                    for vx in -5..=5 {
                        for vy in -5..=5 {
                            let at = |v: Var| Rational::int([vx, vy][v.index()]);
                            assert_eq!(row.holds(at), weak.holds(at), "{row:?} {weak:?} {vx} {vy}");
                        }
                    }
                }
            }
        }
    }
}
