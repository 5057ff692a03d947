//! Bounds hold inside the layers, and large conjunctions over floats still get models.

use std::time::Duration;

use glassbox_solver::{Answer, Layer, Layers, Options, Solver, Why};
use glassbox_terms::{BoolOp, BvOp, Evaluator, Op, Sort, TermId, Terms};
use glassbox_values::{Float, Format, RoundingMode};

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// Far beyond what an easy question takes.
const PATIENCE: Duration = Duration::from_secs(10);

/// A chain of products and remainders, each used twice.
fn chain(terms: &mut Terms, width: u8, length: usize) -> TermId {
    let x = terms.fresh_var("x", Sort::Bv(width));
    let y = terms.fresh_var("y", Sort::Bv(width));
    let mut last = x;
    for _ in 0..length {
        let square = terms.bv_mul(last, last);
        let other = terms.bv_xor(y, last);
        last = terms.bv_urem(square, other);
    }
    let target = terms.bv_u(0x1234_5678_9abc_def1, width);
    terms.eq(last, target)
}

#[test]
fn the_time_limit_ends_the_making_of_circuits() {
    let mut terms = Terms::new();
    let goal = chain(&mut terms, 128, 3_000);
    // Room for gigabytes of gates: only the clock can end this.
    let mut solver = Solver::new(Options {
        layers: Layers::NONE.with(Layer::Blast),
        max_gates: 1 << 29,
        time_limit: Some(Duration::from_millis(50)),
        ..Options::default()
    });
    solver.assert(&mut terms, goal);
    assert_eq!(solver.check(&mut terms), Answer::Unknown(Why::Stopped));
    // The solver is as good as before.
    let x = terms.fresh_var("z", Sort::Bv(8));
    let seven = terms.bv_u(7, 8);
    let small = terms.bv_ult(x, seven);
    let mut solver = Solver::new(Options { time_limit: Some(PATIENCE), ..Options::default() });
    solver.assert(&mut terms, small);
    assert!(solver.check(&mut terms).is_sat());
}

#[test]
fn a_stopped_solver_answers_the_next_question() {
    let mut terms = Terms::new();
    let hard = chain(&mut terms, 128, 200);
    let y = terms.fresh_var("easy", Sort::Bv(16));
    let square = terms.bv_mul(y, y);
    let target = terms.bv_u(49 * 49, 16);
    let easy = terms.eq(square, target);
    let mut solver = Solver::new(Options {
        layers: Layers::NONE.with(Layer::Blast),
        max_gates: 1 << 29,
        time_limit: Some(Duration::from_millis(30)),
        ..Options::default()
    });
    let first = solver.check_assuming(&mut terms, &[hard]);
    assert_eq!(first, Answer::Unknown(Why::Stopped));
    // Questions too small to look at the clock are answered whatever it says.
    assert!(solver.check_assuming(&mut terms, &[easy]).is_sat());
}

#[test]
fn the_time_limit_ends_gigantic_conjunctions_in_all_layers() {
    let mut terms = Terms::new();
    let vars: Vec<TermId> =
        (0..2_000).map(|i| terms.fresh_var(format!("v{i}"), Sort::Bv(32))).collect();
    let mut solver =
        Solver::new(Options { time_limit: Some(Duration::from_millis(200)), ..Options::default() });
    for window in vars.windows(3) {
        let product = terms.bv_mul(window[0], window[1]);
        let sum = terms.bv_add(product, window[2]);
        let shifted = terms.bv_lshr(sum, window[1]);
        let bound = terms.bv_u(1 << 20, 32);
        let low = terms.bv_ult(shifted, bound);
        let differ = terms.ne(sum, window[0]);
        solver.assert(&mut terms, low);
        solver.assert(&mut terms, differ);
    }
    // Two everywhere is a solution.
    let answer = solver.check(&mut terms);
    assert!(answer.is_sat() || answer == Answer::Unknown(Why::Stopped), "{answer:?}");
}

#[test]
fn deep_terms_do_not_overflow_the_stack_in_any_layer() {
    let mut terms = Terms::new();
    let x = terms.fresh_var("x", Sort::Bv(16));
    let y = terms.fresh_var("y", Sort::Bv(16));
    let (mut deep, mut truth) = (x, terms.bv_ult(x, y));
    for turn in 0..60_000_u32 {
        let op = [Op::Bv(BvOp::Add), Op::Bv(BvOp::Xor), Op::Bv(BvOp::Sub), Op::Bv(BvOp::Mul)]
            [turn as usize % 4];
        deep = terms.intern(op, &[deep, if turn.is_multiple_of(3) { x } else { y }]);
        if turn.is_multiple_of(8) {
            let next = terms.intern(BvOp::Ult, &[deep, y]);
            truth = terms.intern(BoolOp::Xor, &[truth, next]);
            deep = terms.intern(Op::Ite, &[truth, deep, x]);
        }
    }
    let goal = terms.intern(Op::Eq, &[deep, y]);
    for setup in [Layers::ALL, Layers::NONE.with(Layer::Blast), Layers::ALL.without(Layer::Blast)] {
        let mut solver = Solver::new(Options {
            layers: setup,
            max_gates: 200_000,
            time_limit: Some(Duration::from_millis(500)),
            ..Options::default()
        });
        solver.assert(&mut terms, goal);
        solver.assert(&mut terms, truth);
        solver.check(&mut terms);
    }
}

fn number(terms: &mut Terms, value: f64) -> TermId {
    terms.intern(Op::FloatConst(Float::from_f64(value)), &[])
}

/// The path with `n_turns` turns of `t = x; s = x; n = 1; while (fabs(t) > 1e-8) { t = -t*x*x/(2n*(2n+1));
/// s += t; n++; }` to the goal `s > 0.999 && x > 7`: four operations for each turn.
fn taylor_sine(terms: &mut Terms, n_turns: usize) -> Vec<TermId> {
    let x = terms.fresh_var("x", Sort::Float(Format::F64));
    let tolerance = number(terms, 1e-8);
    let (mut t, mut s) = (x, x);
    let mut path = Vec::new();
    let mut n = 1.0;
    for _ in 0..n_turns {
        let size = terms.fp_abs(t);
        path.push(terms.fp_lt(tolerance, size));
        let divisor = number(terms, 2.0 * n * (2.0 * n + 1.0));
        let negated = terms.fp_neg(t);
        let once = terms.fp_mul(NEAREST, negated, x);
        let twice = terms.fp_mul(NEAREST, once, x);
        t = terms.fp_div(NEAREST, twice, divisor);
        s = terms.fp_add(NEAREST, s, t);
        n += 1.0;
    }
    let size = terms.fp_abs(t);
    let goes_on = terms.fp_lt(tolerance, size);
    let [least_s, least_x] = [0.999, 7.0].map(|value| number(terms, value));
    path.extend([terms.not(goes_on), terms.fp_lt(least_s, s), terms.fp_lt(least_x, x)]);
    path
}

/// The path of `p = x; s = 0; k = 1; while (fabs(p/k) > 1e-6) { s += p/k; p = -p*x; k++; }` with `n_turns`
/// turns to the goal `0.40 < s && s < 0.41`.
fn log_series(terms: &mut Terms, n_turns: usize) -> Vec<TermId> {
    let x = terms.fresh_var("x", Sort::Float(Format::F64));
    let tolerance = number(terms, 1e-6);
    let (mut p, mut s) = (x, number(terms, 0.0));
    let mut path = Vec::new();
    let mut k = 1.0;
    for turn in 0..=n_turns {
        let divisor = number(terms, k);
        let summand = terms.fp_div(NEAREST, p, divisor);
        let size = terms.fp_abs(summand);
        let goes_on = terms.fp_lt(tolerance, size);
        if turn == n_turns {
            path.push(terms.not(goes_on));
            break;
        }
        path.push(goes_on);
        s = terms.fp_add(NEAREST, s, summand);
        let negated = terms.fp_neg(p);
        p = terms.fp_mul(NEAREST, negated, x);
        k += 1.0;
    }
    let [lo, hi] = [0.40, 0.41].map(|value| number(terms, value));
    path.extend([terms.fp_lt(lo, s), terms.fp_lt(s, hi)]);
    path
}

/// The manager, with the gate bound that the explorer uses, finds a model for a path of this length.
#[track_caller]
fn check_path(n_turns: usize, build: fn(&mut Terms, usize) -> Vec<TermId>) {
    let mut terms = Terms::new();
    let path = build(&mut terms, n_turns);
    let mut solver = Solver::new(Options { max_gates: 250_000, ..Options::default() });
    for &condition in &path {
        solver.assert(&mut terms, condition);
    }
    let Answer::Sat(model) = solver.check(&mut terms) else {
        panic!("{n_turns} turns have a solution: {:?}", solver.statistics())
    };
    assert!(Evaluator::new().under(&terms, &model).all_hold(&path));
}

#[test]
fn long_chains_of_float_operations_get_models() {
    // Seventy to a hundred multiplications, divisions and additions of doubles.
    for n_turns in [17, 26] {
        check_path(n_turns, taylor_sine);
    }
    check_path(15, log_series);
}

/// The engine does not follow a stack of this size; the relaxation of a small part of it may still find bounds.
#[test]
fn bounds_found_on_a_level_that_is_too_large_to_propagate_go_with_it() {
    let mut terms = Terms::new();
    let (x, y) = (terms.fresh_var("x", Sort::Bv(32)), terms.fresh_var("y", Sort::Bv(32)));
    let layers = [Layer::Propagate, Layer::Split, Layer::Relax, Layer::Blast];
    let layers = layers.into_iter().fold(Layers::NONE, Layers::with);
    let mut solver = Solver::new(Options { layers, ..Options::default() });
    let hundred = terms.bv_u(100, 32);
    for variable in [x, y] {
        let small = terms.bv_ule(variable, hundred);
        solver.assert(&mut terms, small);
    }
    assert!(solver.check(&mut terms).is_sat());
    solver.push();
    let mut last = terms.fresh_var("z", Sort::Bv(1));
    for _ in 0..260_000 {
        let next = terms.fresh_var("z", Sort::Bv(1));
        last = terms.bv_xor(last, next);
    }
    let zero = terms.bv_u(0, 1);
    let large = terms.eq(last, zero);
    solver.assert(&mut terms, large);
    let sum = terms.bv_add(x, y);
    let (thirty, fifty) = (terms.bv_u(30, 32), terms.bv_u(50, 32));
    for bound in [terms.bv_ule(thirty, sum), terms.bv_ule(sum, fifty)] {
        solver.assert(&mut terms, bound);
    }
    assert!(solver.check(&mut terms).is_sat());
    solver.pop(1);
    let sixty = terms.bv_u(60, 32);
    let above = terms.bv_ule(sixty, x);
    assert!(solver.check_assuming(&mut terms, &[above]).is_sat());
}
