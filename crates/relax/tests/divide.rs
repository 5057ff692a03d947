//! docs/papers/relaxation.md, rule 3.3: `divide` with four unwindings of each loop, its three properties by relaxation alone, and
//! the printed mistake (errata 24) as the control.
#![allow(clippy::print_stdout, reason = "the work done is the output of these tests")]

use glassbox_relax::bounds::Bounds;
use glassbox_relax::relaxation::{Limits, Outcome, Relaxation, Shaving};
use glassbox_terms::eval::eval;
use glassbox_terms::model::Model;
use glassbox_terms::{Op, Sort, TermId, Terms, Value};
use glassbox_values::{Bits, Signedness};

const UNWINDINGS: usize = 4;

struct Field {
    t: Terms,
    n: TermId,
    /// Both loops end within the unwindings.
    ended: Vec<TermId>,
    a1: TermId,
    a2: TermId,
    square: TermId,
    /// The counter of the first loop at its end.
    i: TermId,
}

struct InRange(TermId, i128, i128);

impl Bounds for InRange {
    fn range(&self, term: TermId, signedness: Signedness) -> Option<(i128, i128)> {
        (term == self.0 && signedness == Signedness::Signed).then_some((self.1, self.2))
    }
}

/// One loop `while (c++ < n && 2*s < n*n) { a = s; s = a + step(c); }`: its last `a`, `c` and end.
fn run_loop(
    t: &mut Terms,
    n: TermId,
    square: TermId,
    step: impl Fn(&mut Terms, TermId) -> TermId,
) -> (TermId, TermId, TermId) {
    let (zero, one, two) = (t.bv_s(0, 32), t.bv_s(1, 32), t.bv_s(2, 32));
    let (mut c, mut s, mut a) = (zero, zero, zero);
    let mut active = t.bool_const(true);
    for _ in 0..=UNWINDINGS {
        let below = t.bv_slt(c, n);
        let next = t.bv_add(c, one);
        c = t.ite(active, next, c);
        let twice = t.bv_mul(two, s);
        let small = t.bv_slt(twice, square);
        active = t.and(&[active, below, small]);
        let grown = step(t, c);
        let sum = t.bv_add(s, grown);
        a = t.ite(active, s, a);
        s = t.ite(active, sum, s);
    }
    let ended = t.not(active);
    (a, c, ended)
}

fn divide() -> Field {
    let mut t = Terms::new();
    let n = t.fresh_var("n", Sort::Bv(32));
    let square = t.bv_mul(n, n);
    let (one, two) = (t.bv_s(1, 32), t.bv_s(2, 32));
    let (a1, i, first) = run_loop(&mut t, n, square, |t, i| {
        // 2n - 2i + 1.
        let rest = t.bv_sub(n, i);
        let twice = t.bv_mul(two, rest);
        t.bv_add(twice, one)
    });
    let (a2, _, second) = run_loop(&mut t, n, square, |t, j| {
        let twice = t.bv_mul(two, j);
        t.bv_sub(twice, one)
    });
    Field { t, n, ended: vec![first, second], a1, a2, square, i }
}

/// The negated properties for `r = i - offset`.
fn violations(field: &mut Field, offset: i128) -> [TermId; 3] {
    let Field { t, n, a1, a2, square, i, .. } = field;
    let [one, two, offset] = [1, 2, offset].map(|v| t.bv_s(v, 32));
    let r = t.bv_sub(*i, offset);
    let (t1, t2) = (t.bv_mul(two, *a1), t.bv_mul(two, *a2));
    let p1 = [t.bv_sle(t1, *square), t.bv_sle(t2, *square)];
    let p1 = t.and(&p1);
    let (rest, left) = (t.bv_sub(*square, *a1), t.bv_sub(*n, r));
    let rest = t.bv_sub(rest, *a2);
    let limit = t.bv_mul(two, left);
    let limit = t.bv_sub(limit, one);
    let p2 = t.bv_sle(rest, limit);
    let less = t.bv_sub(left, one);
    let twice_square = |t: &mut Terms, x| {
        let square = t.bv_mul(x, x);
        t.bv_mul(two, square)
    };
    let (low, high) = (twice_square(t, less), twice_square(t, left));
    let p3 = [t.bv_sle(low, *square), t.bv_sle(*square, high)];
    let p3 = t.and(&p3);
    [p1, p2, p3].map(|p| t.not(p))
}

fn limits() -> Limits {
    Limits {
        rounds: 4,
        steps: 60_000_000,
        branch_nodes: 200,
        shaving: Shaving::Nonlinear,
        ..Limits::default()
    }
}

fn check(field: &Field, violation: TermId) -> Outcome {
    let mut relaxation = Relaxation::new();
    for &assertion in field.ended.iter().chain([&violation]) {
        relaxation.assert(assertion);
    }
    let outcome = relaxation.check(&field.t, &InRange(field.n, 1, 1000), &limits());
    println!("{:?}", relaxation.statistics());
    outcome
}

#[test]
fn the_three_properties_hold_for_four_unwindings() {
    let mut field = divide();
    for (index, violation) in violations(&mut field, 2).into_iter().enumerate() {
        let refuted = matches!(check(&field, violation), Outcome::Infeasible(_));
        println!("P{}: {}", index + 1, if refuted { "proved" } else { "open" });
        assert!(refuted, "P{} should be proved", index + 1);
    }
}

/// With `r = i - 1` as printed, P2 and P3 are false for every n the unwindings reach.
#[test]
fn the_printed_program_is_not_proved() {
    let mut field = divide();
    let printed = violations(&mut field, 1);
    let Op::Var(var) = field.t.op(field.n) else { unreachable!("n is a variable") };
    for violation in &printed[1..] {
        let violated = (1..=5).any(|n| {
            let mut model = Model::new();
            model.set(var, Value::Bv(Bits::from_signed(n, 32)));
            let holds = |term: &TermId| eval(&field.t, &model, *term) == Value::Bool(true);
            field.ended.iter().all(holds) && holds(violation)
        });
        assert!(violated, "the printed program should violate its property");
        assert!(matches!(check(&field, *violation), Outcome::Open { .. }));
    }
}
